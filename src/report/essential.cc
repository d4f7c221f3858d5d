// Steps that are ordered with a step of another thread say why the execution went as it did. Around
// a switch both sides matter, of the locks those that are still held at the end, and of the objects
// those that somebody still waits for.
#include "report/essential.h"

#include <map>

namespace heddle {
namespace {

bool begins_or_ends_thread(Op op) {
  return operation(op).has(op_property::ThreadLife);
}

// The last acquisition of each lock that is not released after it.
std::vector<size_t> acquisitions_that_last(const Story& story) {
  std::map<int32_t, size_t> held;
  for (size_t i = 0; i < story.steps.size(); ++i) {
    const StoryStep& step = story.steps[i];
    if (step.releases != kNothing) held.erase(step.releases);
    if (step.acquires != kNothing) held[step.acquires] = i;
  }
  std::vector<size_t> steps;
  for (const auto& [lock, step] : held) steps.push_back(step);
  return steps;
}

// Objects that somebody was about to use when it ended.
std::vector<bool> wanted_objects(const Story& story) {
  std::vector<bool> wanted(story.objects.size(), false);
  for (const StoryEnd& end : story.ends)
    if (end.object != kNothing && !end.enabled) wanted[static_cast<size_t>(end.object)] = true;
  return wanted;
}

}  // namespace

std::vector<bool> essential_steps(const Story& story) {
  const std::vector<StoryStep>& steps = story.steps;
  std::vector<bool> essential(steps.size(), false);
  std::map<int32_t, size_t> last;
  for (size_t i = 0; i < steps.size(); ++i) last[steps[i].thread] = i;
  for (const auto& [thread, step] : last) essential[step] = true;
  for (size_t i : acquisitions_that_last(story)) essential[i] = true;
  for (const StoryAccess& access : story.accesses) essential[access.step] = true;

  std::vector<bool> wanted = wanted_objects(story);
  std::vector<bool> orders(steps.size(), false);
  for (size_t i = 0; i < steps.size(); ++i) {
    const StoryStep& step = steps[i];
    if (!step.after.empty()) orders[i] = true;
    for (uint32_t before : step.after) orders[before] = true;
    if (step.object != kNothing && wanted[static_cast<size_t>(step.object)]) orders[i] = true;
  }
  for (size_t i = 0; i < steps.size(); ++i) {
    bool switches = i > 0 && steps[i].thread != steps[i - 1].thread;
    if (orders[i] || begins_or_ends_thread(steps[i].op)) essential[i] = true;
    if (switches || steps[i].marked) essential[i] = true;
    if (steps[i].preempts && i > 0) essential[i - 1] = true;
  }
  return essential;
}

}  // namespace heddle
