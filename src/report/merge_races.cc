#include "report/merge_races.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "report/narrator.h"

namespace heddle {
namespace {

// Elements of an array are one variable, and so are blocks without a name.
std::string variable_of(Narrator& narrator) {
  const std::string name = narrator.object_name(narrator.trace().failure.object);
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

// The line and the function (a macro may make many of one line), or the instruction where that is
// not known.
std::string line_of(Narrator& narrator, Address pc) {
  TraceEvidence access;
  access.action.pc = pc;
  const Place place = narrator.place_of(access);
  if (!place.known()) return fmt::format("{:#x}", value(pc));
  return fmt::format("{}:{} {}", place.path, place.line, place.function);
}

std::string key_of(const Trace& trace) {
  Narrator narrator(trace);
  std::string one = line_of(narrator, trace.failure.pc);
  std::string other = line_of(narrator, trace.failure.other);
  if (other < one) std::swap(one, other);
  return fmt::format("{}\n{}\n{}", variable_of(narrator), one, other);
}

bool simpler(const Trace& a, const Trace& b) {
  return std::tuple(a.preemptions, a.schedule.size()) <
         std::tuple(b.preemptions, b.schedule.size());
}

}  // namespace

void merge_races(std::vector<Trace>& traces) {
  std::vector<Trace> merged;
  std::map<std::string, size_t> known;
  for (Trace& trace : traces) {
    if (trace.failure.kind != FindingKind::DataRace) {
      merged.push_back(std::move(trace));
      continue;
    }
    auto [entry, is_new] = known.try_emplace(key_of(trace), merged.size());
    if (is_new) {
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
