#include "prove/witness.h"

#include <fmt/format.h>

#include <string_view>

#include "report/plain_text.h"

namespace heddle::prove {
namespace {

constexpr std::string_view kCreator =
    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
    "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" "
    "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n";

// The keys that are used below: enumerator; its name in the format; its type; what has it; default.
#define HEDDLE_WITNESS_KEYS(X)                             \
  X(WitnessType, "witness-type", "string", "graph", "")    \
  X(Language, "sourcecodelang", "string", "graph", "")     \
  X(Producer, "producer", "string", "graph", "")           \
  X(Specification, "specification", "string", "graph", "") \
  X(ProgramFile, "programfile", "string", "graph", "")     \
  X(ProgramHash, "programhash", "string", "graph", "")     \
  X(Architecture, "architecture", "string", "graph", "")   \
  X(CreationTime, "creationtime", "string", "graph", "")   \
  X(Entry, "entry", "boolean", "node", "false")            \
  X(Violation, "violation", "boolean", "node", "false")    \
  X(StartLine, "startline", "int", "edge", "")             \
  X(ThreadId, "threadId", "string", "edge", "")            \
  X(CreateThread, "createThread", "string", "edge", "")    \
  X(EnterFunction, "enterFunction", "string", "edge", "")  \
  X(Assumption, "assumption", "string", "edge", "")        \
  X(AssumedResult, "assumption.resultfunction", "string", "edge", "")

enum class Key : uint8_t {
#define X(enumerator, name, type, has, otherwise) enumerator,
  HEDDLE_WITNESS_KEYS(X)
#undef X
};

struct KeyRow {
  std::string_view name, type, has, otherwise;
};

constexpr KeyRow kKeys[] = {
#define X(enumerator, name, type, has, otherwise) {name, type, has, otherwise},
    HEDDLE_WITNESS_KEYS(X)
#undef X
};

constexpr std::string_view kTypeNames[] = {"violation_witness", "correctness_witness"};

std::string declarations() {
  std::string text;
  for (const KeyRow& row : kKeys) {
    text += fmt::format("  <key id=\"{0}\" attr.name=\"{0}\" attr.type=\"{1}\" for=\"{2}\"",
                        row.name, row.type, row.has);
    text += row.otherwise.empty()
                ? "/>\n"
                : fmt::format(">\n    <default>{}</default>\n  </key>\n", row.otherwise);
  }
  return text;
}

std::string data(Key key, std::string_view value) {
  return fmt::format("<data key=\"{}\">{}</data>\n", kKeys[static_cast<size_t>(key)].name,
                     xml_text(value));
}

std::string graph_data(const Witness& witness) {
  std::string text;
  const auto add = [&](Key key, std::string_view value) { text += "    " + data(key, value); };
  add(Key::WitnessType, kTypeNames[static_cast<size_t>(witness.type)]);
  add(Key::Language, "C");
  add(Key::Producer, witness.producer);
  for (const std::string& each : witness.specifications) add(Key::Specification, each);
  add(Key::ProgramFile, witness.program_file);
  add(Key::ProgramHash, witness.program_hash);
  add(Key::Architecture, "64bit");
  add(Key::CreationTime, witness.creation_time);
  return text;
}

std::string node(size_t number, const std::vector<Key>& marks) {
  std::string text = fmt::format("    <node id=\"N{}\"", number);
  if (marks.empty()) return text + "/>\n";
  text += ">\n";
  for (const Key mark : marks) text += "      " + data(mark, "true");
  return text + "    </node>\n";
}

std::string edge_data(const WitnessEdge& edge) {
  std::string text;
  const auto add = [&](Key key, std::string_view value) { text += "      " + data(key, value); };
  if (edge.line != 0) add(Key::StartLine, std::to_string(edge.line));
  add(Key::ThreadId, std::to_string(index(edge.thread)));
  if (edge.creates) add(Key::CreateThread, std::to_string(index(*edge.creates)));
  if (!edge.enters.empty()) add(Key::EnterFunction, edge.enters);
  if (!edge.assumption.empty()) {
    add(Key::Assumption, edge.assumption);
    add(Key::AssumedResult, edge.assumed_result);
  }
  return text;
}

}  // namespace

std::string to_graphml(const Witness& witness) {
  std::string text(kCreator);
  text += declarations();
  text += "  <graph edgedefault=\"directed\">\n" + graph_data(witness);
  text += node(0, {Key::Entry});
  for (size_t i = 0; i < witness.edges.size(); ++i) {
    const bool last = i + 1 == witness.edges.size();
    text += node(i + 1, last && witness.type == WitnessType::Violation
                            ? std::vector<Key>{Key::Violation}
                            : std::vector<Key>{});
    text += fmt::format("    <edge id=\"E{0}\" source=\"N{0}\" target=\"N{1}\">\n{2}    </edge>\n",
                        i, i + 1, edge_data(witness.edges[i]));
  }
  return text + "  </graph>\n</graphml>\n";
}

}  // namespace heddle::prove
