#include "model/action.h"

namespace heddle {

std::optional<Op> op_from_name(std::string_view wanted) {
  for (size_t i = 0; i < kOperations.size(); ++i)
    if (kOperations[i].name == wanted) return static_cast<Op>(i);
  return std::nullopt;
}

}  // namespace heddle
