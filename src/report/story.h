// One execution, digested for the renderers that show every step: names and places as tables, and
// for each step what it touched, what it took or released, and what it had to come after.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/narrator.h"

namespace heddle {

inline constexpr int32_t kNothing = -1;

struct StoryThread {
  ThreadId id = kMainThread;
  std::string name;
  ThreadId parent = kNoThread;
};

struct StoryObject {
  Address address = kNoAddress;
  std::string name;
  std::string sort;   // "mutex", "variable", …
  std::string where;  // "heap block of 40 bytes …"; "" if the name says it all
};

struct StoryStep {
  int32_t thread = 0;         // in `threads`
  int32_t object = kNothing;  // in `objects`
  int32_t place = kNothing;   // in `places`
  Op op = Op::ThreadStart;
  std::string description;
  uint32_t choice = 0;
  uint32_t choices = 1;
  bool preempts = false;
  bool marked = false;          // one of the accesses that the failure is about
  bool changes = false;         // its object has a new version now
  int32_t acquires = kNothing;  // in `objects`: a lock it holds from now on
  int32_t releases = kNothing;  // in `objects`: a lock it held until now
  std::vector<uint32_t> after;  // steps of other threads, see causality.h
};

// An access to plain memory, or a free, that the failure is about: part of a step, not one itself.
enum class AccessMark : uint8_t { Race, Free, Bad };
struct StoryAccess {
  size_t step = 0;  // in `steps`: the step that it is part of
  int32_t thread = 0;
  int32_t object = kNothing;
  int32_t place = kNothing;
  Op op = Op::Read;
  AccessMark mark = AccessMark::Race;
  std::string description;  // "writes hits = 1"
  std::optional<uint64_t> value = std::nullopt;
};

// What a thread was about to do when the execution ended.
struct StoryEnd {
  int32_t thread = 0;
  int32_t object = kNothing;
  int32_t place = kNothing;
  std::string description;
  bool enabled = false;
  int32_t waits_for = kNothing;  // in `threads`
};

struct Story {
  std::vector<StoryThread> threads;
  std::vector<StoryObject> objects;
  std::vector<Place> places;
  std::vector<StoryStep> steps;
  std::vector<StoryAccess> accesses;  // in the order in which they were made
  std::vector<StoryEnd> ends;
  Place failure_place;
};

Story tell(Narrator& narrator);

// What to call the mark: "racing access", "free", "bad access".
std::string_view in_words(AccessMark mark);

}  // namespace heddle
