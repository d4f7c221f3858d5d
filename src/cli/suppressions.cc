#include "cli/suppressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/text_file.h"
#include "report/narrator.h"

namespace heddle {
namespace {

enum class About : uint8_t { Races, Locks, Deadlocks, Nothing };

struct Kind {
  std::string_view name;
  About about;
  bool top_only = false;
};

// The last ones are read by other tools in the same file and have no meaning here.
constexpr Kind kKinds[] = {{"race", About::Races},
                           {"race_top", About::Races, true},
                           {"mutex", About::Locks},
                           {"deadlock", About::Deadlocks},
                           {"thread", About::Nothing},
                           {"signal", About::Nothing},
                           {"called_from_lib", About::Nothing},
                           {"leak", About::Nothing}};

About about(FindingKind kind) {
  switch (kind) {
    case FindingKind::DataRace:
      return About::Races;
    case FindingKind::MutexMisuse:
    case FindingKind::SpinMisuse:
    case FindingKind::RwlockMisuse:
      return About::Locks;
    case FindingKind::Deadlock:
      return About::Deadlocks;
    default:
      return About::Nothing;
  }
}

// Where the threads concerned were: at the accesses of a race, at what each waits for, at the
// failing call.
std::vector<std::vector<SourceFrame>> stacks_of(const Trace& trace, Narrator& narrator) {
  std::vector<std::vector<SourceFrame>> stacks;
  for (const TraceEvidence& evidence : trace.evidence)
    if (info(evidence.role).is_access) stacks.push_back(narrator.stack(evidence.stack));
  if (trace.failure.kind == FindingKind::DataRace) return stacks;
  stacks.push_back(narrator.stack(trace.failure_stack));
  if (trace.failure.kind == FindingKind::Deadlock)
    for (const TraceThreadEnd& end : trace.ends) stacks.push_back(narrator.stack(end.stack));
  return stacks;
}

std::string_view trimmed(std::string_view line) {
  size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

// `pattern` without anchors, from the beginning of `name` on.
bool matches_here(std::string_view pattern, std::string_view name, bool to_end) {
  size_t star = pattern.find('*');
  std::string_view head = pattern.substr(0, star);
  if (!name.starts_with(head)) return false;
  name.remove_prefix(head.size());
  if (star == std::string_view::npos) return !to_end || name.empty();
  std::string_view rest = pattern.substr(star + 1);
  for (size_t i = 0; i <= name.size(); ++i)
    if (matches_here(rest, name.substr(i), to_end)) return true;
  return false;
}

}  // namespace

bool matches(std::string_view pattern, std::string_view name) {
  bool from_begin = pattern.starts_with('^'), to_end = pattern.ends_with('$');
  if (from_begin) pattern.remove_prefix(1);
  if (to_end) pattern.remove_suffix(1);
  if (from_begin) return matches_here(pattern, name, to_end);
  for (size_t i = 0; i <= name.size(); ++i)
    if (matches_here(pattern, name.substr(i), to_end)) return true;
  return false;
}

Result<Suppressions> Suppressions::parse(std::string_view text, const std::string& file) {
  Suppressions suppressions;
  for (int number = 1; !text.empty(); ++number) {
    size_t newline = text.find('\n');
    std::string_view line = trimmed(text.substr(0, newline));
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    if (line.empty() || line.starts_with('#')) continue;
    size_t colon = line.find(':');
    std::string_view kind = line.substr(0, colon);
    const auto* known = std::find_if(std::begin(kKinds), std::end(kKinds),
                                     [&](const Kind& one) { return one.name == kind; });
    if (colon == std::string_view::npos || known == std::end(kKinds) || colon + 1 == line.size())
      return Error{
          fmt::format("{}:{}: \"{}\" is no suppression; write race:PATTERN, race_top:PATTERN, "
                      "mutex:PATTERN or deadlock:PATTERN",
                      file, number, line.substr(0, 60))};
    if (known->about != About::Nothing)
      suppressions.rules_.push_back({known->name, std::string(line.substr(colon + 1))});
  }
  return suppressions;
}

Result<Suppressions> Suppressions::read(const std::string& file) {
  Result<std::string> text = read_text(file, "suppressions");
  if (!text) return text.error();
  return parse(*text, file);
}

bool Suppressions::covers(const Trace& trace) const {
  const About concern = about(trace.failure.kind);
  if (rules_.empty() || concern == About::Nothing) return false;
  Narrator narrator(trace);
  const std::string variable = narrator.object_name(trace.failure.object);
  const std::vector<std::vector<SourceFrame>> stacks = stacks_of(trace, narrator);
  auto hit = [](const Rule& rule, const SourceFrame& frame) {
    return matches(rule.pattern, frame.function) || matches(rule.pattern, frame.file);
  };
  auto covered = [&](const Rule& rule) {
    const Kind& kind = *std::find_if(std::begin(kKinds), std::end(kKinds),
                                     [&](const Kind& one) { return one.name == rule.kind; });
    if (kind.about != concern) return false;
    if (!kind.top_only && !variable.empty() && matches(rule.pattern, variable)) return true;
    return std::any_of(stacks.begin(), stacks.end(), [&](const std::vector<SourceFrame>& stack) {
      if (kind.top_only) return !stack.empty() && hit(rule, stack.front());
      return std::any_of(stack.begin(), stack.end(),
                         [&](const SourceFrame& frame) { return hit(rule, frame); });
    });
  };
  return std::any_of(rules_.begin(), rules_.end(), covered);
}

}  // namespace heddle
