#include "report/narrative.h"

#include <fmt/format.h>

#include <vector>

#include "model/turns.h"
#include "report/essential.h"
#include "report/plain_message.h"
#include "report/story.h"

namespace heddle {
namespace {

class Narrative {
 public:
  Narrative(Narrator& narrator, const TextStyle& style)
      : narrator_(narrator), style_(style), story_(tell(narrator)) {
    shown_ = style.full ? std::vector<bool>(story_.steps.size(), true) : essential_steps(story_);
  }

  std::string text() {
    std::vector<Turn> turns = turns_of(story_.steps);
    std::string out;
    for (size_t i = 0; i < turns.size(); ++i) {
      if (!style_.full && turns.size() > 2 * kTurns && i == kTurns) {
        size_t resume = turns.size() - kTurns;
        out += fmt::format("     … {} turns not told; --full tells them …\n", resume - i);
        i = resume;
      }
      out += fmt::format("{:>4}. {}\n", i + 1, sentence(turns[i]));
      if (i + 1 < turns.size() && story_.steps[turns[i + 1].begin].preempts)
        out += fmt::format("      {}{}\n", painted("Here it is preempted", Paint::Notice, style_),
                           unfinished(turns[i]));
    }
    return out + ending();
  }

 private:
  static constexpr size_t kTurns = 12;  // told at the beginning, and at the end

  std::string label(int32_t thread) {
    return narrator_.thread_label(story_.threads[static_cast<size_t>(thread)].id);
  }

  std::string at(int32_t place) const {
    if (place == kNothing) return "";
    return fmt::format(" ({})", brief(story_.places[static_cast<size_t>(place)]));
  }

  // " (queue.c:41, racing access)"
  std::string marked_at(const StoryAccess& access) const {
    const std::string words =
        painted(in_words(access.mark), access.mark == AccessMark::Free ? Paint::Notice : Paint::Bad,
                style_);
    if (access.place == kNothing) return fmt::format(" ({})", words);
    return fmt::format(" ({}, {})", brief(story_.places[static_cast<size_t>(access.place)]), words);
  }

  std::string sentence(const Turn& turn) {
    std::string text = label(story_.steps[turn.begin].thread);
    size_t skipped = 0;
    bool first = true;
    auto tell_skipped = [&] {
      if (skipped > 0)
        text += fmt::format("{} takes {} of its own", first ? "" : ",", counted(skipped, "step"));
      if (skipped > 0) first = false;
      skipped = 0;
    };
    for (size_t i = turn.begin; i < turn.end; ++i) {
      if (!shown_[i] && turn.end - turn.begin > 3) {
        ++skipped;
        continue;
      }
      tell_skipped();
      const StoryStep& step = story_.steps[i];
      text += fmt::format("{} {}{}", first ? "" : ",", step.description, at(step.place));
      first = false;
      for (const StoryAccess& access : story_.accesses)
        if (access.step == i) text += fmt::format(", {}{}", access.description, marked_at(access));
    }
    tell_skipped();
    return text + '.';
  }

  // What the thread of a turn does when it is its turn again.
  std::string unfinished(const Turn& turn) {
    int32_t thread = story_.steps[turn.begin].thread;
    for (size_t i = turn.end; i < story_.steps.size(); ++i)
      if (story_.steps[i].thread == thread)
        return fmt::format(", before it {}{}.", story_.steps[i].description,
                           at(story_.steps[i].place));
    for (const StoryEnd& end : story_.ends)
      if (end.thread == thread)
        return fmt::format(", before it {}{}.", end.description, at(end.place));
    return ".";
  }

  std::string ending() {
    std::string message = plain_message(narrator_);
    if (message.empty()) return "";
    return fmt::format("      {} {}.\n", painted("In the end:", Paint::Bad, style_), message);
  }

  Narrator& narrator_;
  const TextStyle& style_;
  Story story_;
  std::vector<bool> shown_;
};

}  // namespace

std::string narrative(Narrator& narrator, const TextStyle& style) {
  return Narrative(narrator, style).text();
}

std::string advice(const Trace& trace) {
  switch (trace.failure.kind) {
    case FindingKind::Deadlock:
      if (!trace.cycle.empty())
        return "take these locks in the same order everywhere, or all at once (std::scoped_lock).";
      [[fallthrough]];
    case FindingKind::LostWakeup:
      return "somebody waits for a signal or an end that never comes: is the condition checked, "
             "under the mutex, before waiting, and is every change of it signalled?";
    case FindingKind::Assertion:
    case FindingKind::Abort:
    case FindingKind::Exception:
    case FindingKind::ExitStatus:
      return trace.preemptions > 0
                 ? "look at what the preempted thread had read or checked and not yet used: "
                   "another thread changed it in between. Hold one lock over both, or make it one "
                   "atomic operation."
                 : "no preemption is needed: the threads need only run in another order than "
                   "usual. Wait (join, condition variable) for what must come first.";
    case FindingKind::DataRace:
      return "hold the same lock at both accesses, or make the variable atomic; if one of them "
             "must come first, wait for it (join, condition variable).";
    case FindingKind::Livelock:
      return "the threads keep running without getting anywhere: who was to change what they wait "
             "for?";
    case FindingKind::Crash:
      return "an address was used that is not (or no longer) valid under this order of steps: who "
             "was to set it before, or frees it too early?";
    case FindingKind::UseAfterFree:
    case FindingKind::DoubleFree:
      return "who owns the block? Free it once, when all its users are done: join them first, or "
             "count references (std::shared_ptr).";
    case FindingKind::OutOfBounds:
      return "compare index and size under the lock under which the access is made: another thread "
             "may have changed either in between.";
    case FindingKind::InvalidFree:
    case FindingKind::MismatchedFree:
      return "release memory the way it was obtained: malloc with free, new with delete, new[] "
             "with delete[], and only what an allocation returned.";
    case FindingKind::StackUse:
      return "the memory went with a thread that has ended: join the threads that use it before "
             "that, or keep it on the heap.";
    case FindingKind::Leak:
      return "the last pointer to the block was lost, perhaps overwritten by another thread: who "
             "was to free it?";
    case FindingKind::Invariant:
      return "other threads see the states in between: change what belongs together under one "
             "lock, or let the invariant allow for the moment in between.";
    case FindingKind::Temporal:
      return "look at the steps that repeat: what was to come does not come while they do.";
    case FindingKind::StackOverflow:
      return "the recursion has no end under this order of steps, or the thread needs a larger "
             "stack (pthread_attr_setstacksize).";
    case FindingKind::ThreadMisuse:
      return "a thread is joined or detached once, by somebody who knows that it was started.";
    case FindingKind::MutexMisuse:
    case FindingKind::CondMisuse:
    case FindingKind::SpinMisuse:
    case FindingKind::RwlockMisuse:
    case FindingKind::SemMisuse:
    case FindingKind::BarrierMisuse:
      return "the object is used before it is initialised, after it was destroyed, or by a thread "
             "that does not hold it: who may still use it then?";
    case FindingKind::Nondeterminism:
      return "the program depends on something that Heddle does not control: time, random numbers, "
             "input, or addresses.";
    case FindingKind::Death:
      return "the process ended in the middle of this step, past every handler: look for what it "
             "calls there (kill, _exit, a library that gives up).";
  }
  return "";
}

}  // namespace heddle
