#include "toy/program.h"

#include <array>
#include <string_view>

namespace heddle::toy {
namespace {

constexpr std::array kCodeNames = {
#define X(enumerator, name, operation, kind) std::string_view(name),
    HEDDLE_TOY_CODES(X)
#undef X
};

std::string to_string(const Instruction& i) {
  std::string text(kCodeNames[static_cast<size_t>(i.code)]);
  text += '(' + std::to_string(i.object);
  if (i.second != 0 || i.code == Code::Wait) text += ", m" + std::to_string(i.second);
  if (i.reg != kZero) text += ", r" + std::to_string(i.reg);
  if (i.value != 0) text += ", " + std::to_string(i.value);
  if (i.skip != 0) text += ", skip " + std::to_string(i.skip);
  return text + ')';
}

}  // namespace

std::string to_string(const Program& program) {
  std::string text;
  for (uint32_t value : program.semaphores) text += "semaphore " + std::to_string(value) + "; ";
  for (size_t id = 0; id < program.threads.size(); ++id) {
    text += std::to_string(id) + (id < program.initially_live ? " (live):" : ":");
    for (const Instruction& instruction : program.threads[id]) text += ' ' + to_string(instruction);
    text += '\n';
  }
  return text;
}

}  // namespace heddle::toy
