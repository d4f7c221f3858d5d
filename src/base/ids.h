// Strong types for the things whose bare integers would be confused.
#pragma once

#include <cstdint>

namespace heddle {

// A thread of the tested program. The number is interned from the thread's birth path (parent,
// n-th child of that parent), so it does not depend on the schedule. The main thread is 0.
enum class ThreadId : uint32_t {};
inline constexpr ThreadId kMainThread{0};
inline constexpr ThreadId kNoThread{0xffffffff};
constexpr uint32_t index(ThreadId id) {
  return static_cast<uint32_t>(id);
}

// An address in the tested program: of an object, or of code.
enum class Address : uint64_t {};
inline constexpr Address kNoAddress{0};
constexpr uint64_t value(Address a) {
  return static_cast<uint64_t>(a);
}
inline Address address_of(const volatile void* p) {
  return static_cast<Address>(reinterpret_cast<uint64_t>(p));
}

}  // namespace heddle
