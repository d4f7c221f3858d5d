#include "prove/native_search.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/process.h"

namespace heddle::prove {
namespace {

std::vector<std::string> command(const std::string& heddle, const std::string& program,
                                 const ProveRequest& request, FindingKind kind) {
  std::vector<std::string> words = {heddle,
                                    "check",
                                    program,
                                    "--visible=all",
                                    "--keep-going",
                                    "--leaks=off",
                                    "--max-executions=20000",
                                    "--time=20",
                                    "--json",
                                    "--trace-dir=" + request.options.trace_directory};
  if (kind != FindingKind::DataRace) words.emplace_back("--races=off");
  if (!request.arguments.empty()) words.emplace_back("--");
  words.insert(words.end(), request.arguments.begin(), request.arguments.end());
  return words;
}

}  // namespace

std::optional<Confirmation> search_natively(const std::string& heddle, const std::string& program,
                                            const ProveRequest& request, FindingKind kind) {
  const nlohmann::json report = nlohmann::json::parse(
      output_of(command(heddle, program, request, kind)), nullptr, /*allow_exceptions=*/false);
  if (report.is_discarded() || !report.contains("findings")) return std::nullopt;
  for (const nlohmann::json& finding : report["findings"]) {
    if (finding.value("kind", "") != name(kind)) continue;
    Confirmation found;
    found.state = Confirmation::State::Found;
    found.sentence = fmt::format(
        "these steps could not be followed natively; a search of native executions finds: {}",
        finding.value("message", ""));
    found.trace_file = finding.value("trace_file", "");
    return found;
  }
  return std::nullopt;
}

}  // namespace heddle::prove
