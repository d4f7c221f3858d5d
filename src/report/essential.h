// Which steps of an execution a reader must see to follow it.
#pragma once

#include <vector>

#include "report/story.h"

namespace heddle {

// One flag per step. Not set: a step that lies between two steps of its thread, concerns no other
// thread and changes nothing about who holds what when the execution ends.
std::vector<bool> essential_steps(const Story& story);

}  // namespace heddle
