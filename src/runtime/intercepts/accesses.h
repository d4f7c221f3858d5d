// Plain accesses of the program that are not the compiler's business: of whole blocks, by whoever.
#pragma once

#include <cstddef>

#include "runtime/core/runtime.h"

namespace heddle {

// Any access about to be made, with whatever is to be done about it: a step, a comparison with
// other accesses, a look at what is allocated. For when `g_switches.accesses` is not 0.
void careful_access(Op op, uint64_t at, size_t bytes, Address pc);
// Likewise; always a step, or only where plain accesses are.
enum class Scheduling : uint8_t { Perhaps, Always };
void any_access(Op op, uint64_t at, size_t bytes, Address pc, Scheduling scheduling);

// Whether it is the C++ library's code at work on the C++ library's own data: what it caches there
// it orders in ways that we do not see.
bool is_own_business(Address pc, uint64_t at);

inline void access_range(Op op, const volatile void* address, size_t bytes, Address pc) {
  if (g_switches.accesses != 0 && bytes != 0 && !is_own_business(pc, value(address_of(address))))
    careful_access(op, value(address_of(address)), bytes, pc);
}

// What a function of ours reads and writes for the program, where a pointer that may be null leads.
template <typename Object>
void reads(const Object* object, Address pc) {
  if (object != nullptr && explored()) access_range(Op::Read, object, sizeof *object, pc);
}
template <typename Object>
void writes(Object* object, Address pc) {
  if (object != nullptr && explored()) access_range(Op::Write, object, sizeof *object, pc);
}

// Copies and fills as the program does them. A copy is a read and then a write: where these are
// steps, what was read is what will be written, whatever happens to the source in between.
void copy_block(void* to, const void* from, size_t bytes, Address pc);
void fill_block(void* to, int value, size_t bytes, Address pc);
int compare_blocks(const void* first, const void* second, size_t bytes, Address pc);
// As strncpy does, returning the length of the text; as strncat does.
size_t copy_and_fill(char* to, const char* from, size_t n, Address pc);
void append(char* to, const char* from, size_t n, Address pc);
// Ends the program, as functions of _FORTIFY_SOURCE do, if n is more than there is room for.
void must_fit(size_t n, size_t room);

}  // namespace heddle
