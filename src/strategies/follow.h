// One execution along given transitions as far as the program lets it.
#pragma once

#include <memory>

#include "explore/strategy.h"
#include "model/schedule.h"

namespace heddle {

std::unique_ptr<Strategy> make_follow(const Schedule& wanted);

}  // namespace heddle
