#include "model/guarantee.h"

#include <array>

namespace heddle {
namespace {

constexpr std::array kNames = {
#define X(enumerator, name) std::string_view(name),
    HEDDLE_CAVEATS(X)
#undef X
};

}  // namespace

std::string_view name(Caveat caveat) {
  return kNames[static_cast<size_t>(caveat)];
}

std::vector<Caveat> caveats_of(const Guarantee& guarantee) {
  std::vector<Caveat> caveats;
  for (size_t i = 0; i < kNames.size(); ++i)
    if (guarantee.has(static_cast<Caveat>(i))) caveats.push_back(static_cast<Caveat>(i));
  return caveats;
}

}  // namespace heddle
