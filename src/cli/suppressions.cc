#include "cli/suppressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/text_file.h"
#include "report/narrator.h"

namespace heddle {
namespace {

// What other tools read in the same file and what has no meaning here.
constexpr std::string_view kOtherKinds[] = {"thread",   "mutex",           "signal",
                                            "deadlock", "called_from_lib", "leak"};

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
    bool race = kind == "race" || kind == "race_top";
    bool known = race || std::find(std::begin(kOtherKinds), std::end(kOtherKinds), kind) !=
                             std::end(kOtherKinds);
    if (colon == std::string_view::npos || !known || colon + 1 == line.size())
      return Error{fmt::format("{}:{}: \"{}\" is no suppression; write race:PATTERN", file, number,
                               line.substr(0, 60))};
    if (race)
      suppressions.rules_.push_back({kind == "race_top", std::string(line.substr(colon + 1))});
  }
  return suppressions;
}

Result<Suppressions> Suppressions::read(const std::string& file) {
  Result<std::string> text = read_text(file, "suppressions");
  if (!text) return text.error();
  return parse(*text, file);
}

bool Suppressions::covers(const Trace& trace) const {
  if (rules_.empty() || trace.failure.kind != FindingKind::DataRace) return false;
  Narrator narrator(trace);
  std::string variable = narrator.object_name(trace.failure.object);
  std::vector<std::vector<SourceFrame>> stacks;
  for (const TraceEvidence& evidence : trace.evidence)
    if (evidence.role.ends_with("access")) stacks.push_back(narrator.stack(evidence.stack));
  auto hit = [](const Rule& rule, const SourceFrame& frame) {
    return matches(rule.pattern, frame.function) || matches(rule.pattern, frame.file);
  };
  auto covered = [&](const Rule& rule) {
    if (!rule.top_only && matches(rule.pattern, variable)) return true;
    return std::any_of(stacks.begin(), stacks.end(), [&](const std::vector<SourceFrame>& stack) {
      if (rule.top_only) return !stack.empty() && hit(rule, stack.front());
      return std::any_of(stack.begin(), stack.end(),
                         [&](const SourceFrame& frame) { return hit(rule, frame); });
    });
  };
  return std::any_of(rules_.begin(), rules_.end(), covered);
}

}  // namespace heddle
