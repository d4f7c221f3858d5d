#include "report/merge_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "report/narrator.h"

namespace heddle {
namespace {

// Elements of an array are one variable, and so are blocks without a name.
std::string variable_of(const std::string& name) {
  if (name.starts_with("0x") || name.find(" #") != std::string::npos) return "";
  std::string variable;
  bool in_index = false;
  for (const char c : name) {
    if (c == '+') break;
    if (c == ']') in_index = false;
    if (!in_index) variable += c;
    if (c == '[') in_index = true;
  }
  return variable;
}

// The variable that the program's own line names: an std::vector, its length and its elements are
// one to who calls push_back.
std::string container_of(const std::string& name) {
  const size_t from = name.starts_with('*') ? 1 : 0;
  return name.substr(from, name.find_first_of("+[-", from) - from);
}

// One access of a race: the line and the function (a macro may make many of one line), or the
// instruction where that is not known.
struct RacingPlace {
  std::string line;
  bool in_library = false;
};
RacingPlace place_of(Narrator& narrator, Address pc, const TraceEvidence* evidence) {
  TraceEvidence access;
  if (evidence != nullptr) access = *evidence;
  access.action.pc = pc;
  const Place place = narrator.place_of(access);
  const std::vector<SourceFrame> frames = narrator.stack({pc});
  const bool in_library = !frames.empty() && frames.front().of_system;
  if (!place.known()) return {fmt::format("{:#x}", value(pc)), in_library};
  return {fmt::format("{}:{} {}", place.path, place.line, place.function), in_library};
}

std::string key_of_race(const Trace& trace) {
  Narrator narrator(trace);
  const std::vector<TraceEvidence>& evidence = trace.evidence;
  const bool known = evidence.size() > 1 && evidence[0].role == EvidenceRole::LaterAccess &&
                     evidence[1].role == EvidenceRole::EarlierAccess;
  RacingPlace one = place_of(narrator, trace.failure.pc, known ? &evidence[0] : nullptr);
  RacingPlace other = place_of(narrator, trace.failure.other, known ? &evidence[1] : nullptr);
  const std::string object = narrator.object_name(trace.failure.object);
  const bool inside = one.in_library && other.in_library;
  const std::string variable = variable_of(inside ? container_of(object) : object);
  if (other.line < one.line) std::swap(one, other);
  return fmt::format("{}\n{}\n{}", variable, one.line, other.line);
}

std::string key_of_leak(const Trace& trace) {
  Narrator narrator(trace);
  for (const TraceEvidence& evidence : trace.evidence)
    if (evidence.role == EvidenceRole::Allocated)
      if (const Place place = narrator.place_of(evidence); place.known())
        return fmt::format("leak\n{}:{} {}", place.path, place.line, place.function);
  return "";
}

// "": one that is told as it is.
std::string key_of(const Trace& trace) {
  if (trace.failure.kind == FindingKind::DataRace) return key_of_race(trace);
  return trace.failure.kind == FindingKind::Leak ? key_of_leak(trace) : "";
}

bool simpler(const Trace& a, const Trace& b) {
  return std::tuple(a.preemptions, a.schedule.size()) <
         std::tuple(b.preemptions, b.schedule.size());
}

}  // namespace

void merge_findings(std::vector<Trace>& traces) {
  std::vector<Trace> merged;
  std::map<std::string, size_t> known;
  for (Trace& trace : traces) {
    const std::string key = key_of(trace);
    auto [entry, is_new] = known.try_emplace(key, merged.size());
    if (is_new || key.empty()) {
      merged.push_back(std::move(trace));
      continue;
    }
    Trace& kept = merged[entry->second];
    const uint64_t occurrences = std::max(kept.occurrences, trace.occurrences);
    const uint64_t execution = std::min(kept.execution, trace.execution);
    if (simpler(trace, kept)) kept = std::move(trace);
    kept.occurrences = occurrences;
    kept.execution = execution;
  }
  traces = std::move(merged);
}

}  // namespace heddle
