// One execution, digested for the renderers that show every step: names and places as tables, and
// for each step what it touched, what it took or released, and what it had to come after.
#pragma once

#include <cstdint>
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
  bool changes = false;         // its object has a new version now
  int32_t acquires = kNothing;  // in `objects`: a lock it holds from now on
  int32_t releases = kNothing;  // in `objects`: a lock it held until now
  std::vector<uint32_t> after;  // steps of other threads, see causality.h
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
  std::vector<StoryEnd> ends;
  Place failure_place;
};

Story tell(Narrator& narrator);

}  // namespace heddle
