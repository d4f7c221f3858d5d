// Streams do their work inside libstdc++, in code that nobody has instrumented. Whoever writes to
// one or reads from one changes it (its width, to begin with): two threads that do so at once race.
// The standard streams are the exception that the C++ standard makes.
#include <dlfcn.h>

#include <cstdint>

#include "runtime/guest/exported_symbol.h"
#include "runtime/guest/raw.h"
#include "runtime/intercepts/accesses.h"

// clang-format off
// libstdc++'s functions whose first argument is a stream that they write to or read from.
#define HEDDLE_STREAM_FUNCTIONS(X) \
  X(_ZNSi10_M_extractIPvEERSiRT_) \
  X(_ZNSi10_M_extractIbEERSiRT_) \
  X(_ZNSi10_M_extractIdEERSiRT_) \
  X(_ZNSi10_M_extractIeEERSiRT_) \
  X(_ZNSi10_M_extractIfEERSiRT_) \
  X(_ZNSi10_M_extractIjEERSiRT_) \
  X(_ZNSi10_M_extractIlEERSiRT_) \
  X(_ZNSi10_M_extractImEERSiRT_) \
  X(_ZNSi10_M_extractItEERSiRT_) \
  X(_ZNSi10_M_extractIxEERSiRT_) \
  X(_ZNSi10_M_extractIyEERSiRT_) \
  X(_ZNSi3getEPcl) \
  X(_ZNSi3getEPclc) \
  X(_ZNSi3getERSt15basic_streambufIcSt11char_traitsIcEE) \
  X(_ZNSi3getERSt15basic_streambufIcSt11char_traitsIcEEc) \
  X(_ZNSi3getERc) \
  X(_ZNSi3getEv) \
  X(_ZNSi4peekEv) \
  X(_ZNSi4readEPcl) \
  X(_ZNSi5ungetEv) \
  X(_ZNSi6ignoreEl) \
  X(_ZNSi6ignoreEli) \
  X(_ZNSi6ignoreEv) \
  X(_ZNSi7getlineEPcl) \
  X(_ZNSi7getlineEPclc) \
  X(_ZNSi7putbackEc) \
  X(_ZNSirsEPFRSiS_E) \
  X(_ZNSirsEPFRSt8ios_baseS0_E) \
  X(_ZNSirsEPFRSt9basic_iosIcSt11char_traitsIcEES3_E) \
  X(_ZNSirsEPSt15basic_streambufIcSt11char_traitsIcEE) \
  X(_ZNSirsERPv) \
  X(_ZNSirsERb) \
  X(_ZNSirsERd) \
  X(_ZNSirsERe) \
  X(_ZNSirsERf) \
  X(_ZNSirsERi) \
  X(_ZNSirsERj) \
  X(_ZNSirsERl) \
  X(_ZNSirsERm) \
  X(_ZNSirsERs) \
  X(_ZNSirsERt) \
  X(_ZNSirsERx) \
  X(_ZNSirsERy) \
  X(_ZNSo3putEc) \
  X(_ZNSo5flushEv) \
  X(_ZNSo5writeEPKcl) \
  X(_ZNSo9_M_insertIPKvEERSoT_) \
  X(_ZNSo9_M_insertIbEERSoT_) \
  X(_ZNSo9_M_insertIdEERSoT_) \
  X(_ZNSo9_M_insertIeEERSoT_) \
  X(_ZNSo9_M_insertIlEERSoT_) \
  X(_ZNSo9_M_insertImEERSoT_) \
  X(_ZNSo9_M_insertIxEERSoT_) \
  X(_ZNSo9_M_insertIyEERSoT_) \
  X(_ZNSolsEDn) \
  X(_ZNSolsEPFRSoS_E) \
  X(_ZNSolsEPFRSt8ios_baseS0_E) \
  X(_ZNSolsEPFRSt9basic_iosIcSt11char_traitsIcEES3_E) \
  X(_ZNSolsEPKv) \
  X(_ZNSolsEPSt15basic_streambufIcSt11char_traitsIcEE) \
  X(_ZNSolsEb) \
  X(_ZNSolsEd) \
  X(_ZNSolsEe) \
  X(_ZNSolsEf) \
  X(_ZNSolsEi) \
  X(_ZNSolsEj) \
  X(_ZNSolsEl) \
  X(_ZNSolsEm) \
  X(_ZNSolsEs) \
  X(_ZNSolsEt) \
  X(_ZNSolsEx) \
  X(_ZNSolsEy) \
  X(_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l) \
  X(_ZSt2wsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_) \
  X(_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_) \
  X(_ZSt5flushIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_) \
  X(_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE) \
  X(_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_) \
  X(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKa) \
  X(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc) \
  X(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKh) \
  X(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_a) \
  X(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c) \
  X(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_h) \
  X(_ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostreamIT_T0_ES7_RKNSt7__cxx1112basic_stringIS4_S5_T1_EE) \
  X(_ZStrsISt11char_traitsIcEERSt13basic_istreamIcT_ES5_Pa) \
  X(_ZStrsISt11char_traitsIcEERSt13basic_istreamIcT_ES5_Ph) \
  X(_ZStrsISt11char_traitsIcEERSt13basic_istreamIcT_ES5_Ra) \
  X(_ZStrsISt11char_traitsIcEERSt13basic_istreamIcT_ES5_Rh) \
  X(_ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_RS3_) \
  X(_ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE)
// clang-format on

namespace heddle {
namespace {

enum : unsigned {
#define X(name) kNumber_##name,
  HEDDLE_STREAM_FUNCTIONS(X)
#undef X
      kCount
};

const char* const kNames[] = {
#define X(name) #name,
    HEDDLE_STREAM_FUNCTIONS(X)
#undef X
};

void* g_real[kCount];

// By the ABI: how far the part that all streams have in common lies behind the address of a stream,
// and where it keeps the width.
constexpr int64_t kOffsetInTable = -24, kWidth = 16;

uint64_t width_of(const void* stream) {
  const auto* const table = *static_cast<const char* const*>(stream);
  const auto* const offset = reinterpret_cast<const int64_t*>(table + kOffsetInTable);
  return raw::bits(stream) + static_cast<uint64_t>(*offset + kWidth);
}

bool is_standard(const void* stream) {
  static void* const standard[] = {
      dlsym(RTLD_DEFAULT, "_ZSt4cout"), dlsym(RTLD_DEFAULT, "_ZSt4cerr"),
      dlsym(RTLD_DEFAULT, "_ZSt4clog"), dlsym(RTLD_DEFAULT, "_ZSt3cin")};
  for (const void* one : standard)
    if (one == stream) return true;
  return false;
}

}  // namespace

extern "C" __attribute__((visibility("hidden"), used)) void* heddle_stream_used(void* stream,
                                                                                uint64_t number,
                                                                                uint64_t caller) {
  if (g_switches.on_fiber && g_switches.accesses != 0 && !is_standard(stream))
    access_range(Op::Write, reinterpret_cast<void*>(width_of(stream)), sizeof(uint64_t),
                 Address{caller});
  if (g_real[number] == nullptr) g_real[number] = exported_symbol("/libstdc++.so", kNames[number]);
  return g_real[number];
}

}  // namespace heddle

// Jumps to libstdc++'s function with all arguments as they were; none has more than one that is no
// integer.
asm(R"(
.text
.type heddle_stream_stub, @function
heddle_stream_stub:
  push %rdi
  push %rsi
  push %rdx
  push %rcx
  sub $24, %rsp
  movsd %xmm0, (%rsp)
  mov %r11, %rsi
  mov 56(%rsp), %rdx
  call heddle_stream_used
  mov %rax, %r11
  movsd (%rsp), %xmm0
  add $24, %rsp
  pop %rcx
  pop %rdx
  pop %rsi
  pop %rdi
  jmp *%r11
)");

#define STUB(name)                                                                          \
  HEDDLE_EXPORT __attribute__((naked)) void name() {                                        \
    asm volatile("mov %0, %%r11d\n  jmp heddle_stream_stub" ::"i"(heddle::kNumber_##name)); \
  }
HEDDLE_STREAM_FUNCTIONS(STUB)
