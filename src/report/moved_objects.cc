#include "report/moved_objects.h"

#include <map>
#include <string>

#include "report/narrator.h"
#include "report/symbolizer.h"

namespace heddle {
namespace {

constexpr std::string_view kReleasing = ", releasing ";
constexpr std::string_view kAt = " at ";

// "waits on ready, releasing m at queue.c:4" → {"ready", "m"}.
std::pair<std::string, std::string> names_in(const TraceStep& step) {
  std::string text = step.remark;
  std::string_view verb_phrase = verb(step.action.op);
  if (!text.starts_with(verb_phrase) || text.size() <= verb_phrase.size() + 1) return {};
  text.erase(0, verb_phrase.size() + 1);
  if (size_t at = text.rfind(kAt); at != std::string::npos) text.erase(at);
  size_t releasing = text.find(kReleasing);
  if (releasing == std::string::npos) return {text, ""};
  return {text.substr(0, releasing), text.substr(releasing + kReleasing.size())};
}

bool in_modules(const Trace& trace, Address address) {
  for (const Module& module : trace.modules)
    if (value(address) >= module.begin && value(address) < module.end) return true;
  return false;
}

}  // namespace

void follow_moved_objects(Trace& recorded) {
  Symbolizer symbolizer(recorded.modules);
  std::map<std::string, Address> known;
  auto move = [&](Address& address, const std::string& variable) {
    if (!in_modules(recorded, address)) return;
    auto [entry, is_new] = known.try_emplace(variable, kGone);
    if (is_new && !variable.empty()) {
      Address now = symbolizer.address_of(variable);
      if (now != kNoAddress) entry->second = now;
    }
    address = entry->second;
  };
  for (TraceStep& step : recorded.steps) {
    if (!has_object(step.action.op)) continue;
    auto [object, second] = names_in(step);
    move(step.action.object, object);
    if (step.action.second != kNoAddress) move(step.action.second, second);
  }
}

}  // namespace heddle
