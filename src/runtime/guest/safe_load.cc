#include "runtime/guest/safe_load.h"

asm(R"(
  .text
  .hidden heddle_load_8, heddle_load_4, heddle_load_2, heddle_load_1, heddle_load_failed
  .globl heddle_load_8, heddle_load_4, heddle_load_2, heddle_load_1, heddle_load_failed
heddle_load_8:
  mov (%rdi), %rax
  ret
heddle_load_4:
  mov (%rdi), %eax
  ret
heddle_load_2:
  movzwl (%rdi), %eax
  ret
heddle_load_1:
  movzbl (%rdi), %eax
  ret
heddle_load_failed:
  xor %eax, %eax
  ret
)");

extern "C" {
uint64_t heddle_load_8(uint64_t at);
uint64_t heddle_load_4(uint64_t at);
uint64_t heddle_load_2(uint64_t at);
uint64_t heddle_load_1(uint64_t at);
uint64_t heddle_load_failed(uint64_t at);
}

namespace heddle {

uint64_t load_if_there(uint64_t at, size_t bytes) {
  switch (bytes) {
    case 8:
      return heddle_load_8(at);
    case 4:
      return heddle_load_4(at);
    case 2:
      return heddle_load_2(at);
    default:
      break;
  }
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; ++i) value |= heddle_load_1(at + i) << 8 * i;
  return value;
}

uint64_t after_failed_load(uint64_t instruction) {
  const uint64_t begin = reinterpret_cast<uint64_t>(&heddle_load_8);
  const uint64_t end = reinterpret_cast<uint64_t>(&heddle_load_failed);
  return instruction >= begin && instruction < end ? end : 0;
}

}  // namespace heddle
