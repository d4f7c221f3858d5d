// What the command line asks the table of strategies.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

// Empty if `name` can be used; otherwise a sentence.
std::string strategy_complaint(std::string_view name);

// A sampler never finishes by itself, so a run of one needs a limit.
bool is_sampler(std::string_view name);

bool takes_bound(std::string_view name);
std::string strategies_with_bound();  // "portfolio, icb, …"

}  // namespace heddle
