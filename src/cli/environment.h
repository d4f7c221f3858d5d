// What Heddle needs of the system around it, asked before anything is started.
#pragma once

#include <string>

namespace heddle {

// The stack that this process needs itself, raised where the system lets it be. A sentence that
// names cause and remedy if it cannot be; "" if all is well.
std::string prepare_stack();

// The same for what running a program needs.
std::string environment_complaint();

}  // namespace heddle
