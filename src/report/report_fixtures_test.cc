#include <link.h>

#include <algorithm>
#include <filesystem>

#include "report/report_test_fixtures.h"

namespace heddle::fixtures {

Kitchen kitchen;
int grid[2][3];
int m;

namespace {

__attribute__((noinline)) uint64_t where_called() {
  asm volatile("");
  return reinterpret_cast<uint64_t>(__builtin_return_address(0));
}

// What the caller's frame looks like from here: its stack pointer is our frame address.
__attribute__((noinline)) void look_at_caller(Visit& visit) {
  asm volatile("");
  visit.frame.pc = address_of(__builtin_return_address(0));
  visit.frame.begin = address_of(__builtin_dwarf_cfa());
}

__attribute__((always_inline)) inline uint64_t inlined_caller() {
  uint64_t pc = where_called();
  asm volatile("" : "+r"(pc));
  return pc;
}

int note_module(dl_phdr_info* info, size_t, void* argument) {
  Module module;
  module.path = info->dlpi_name;
  if (module.path.empty()) module.path = std::filesystem::canonical("/proc/self/exe").string();
  module.base = info->dlpi_addr;
  static_cast<std::vector<Module>*>(argument)->push_back(module);
  return 0;
}

}  // namespace

__attribute__((noinline)) uint64_t outer_function() {
  uint64_t pc = inlined_caller();
  asm volatile("" : "+r"(pc));
  return pc;
}

__attribute__((noinline)) Visit function_with_locals() {
  Kitchen borrowed{};
  long number = 7;
  Visit visit;
  asm volatile("" : : "r"(&borrowed), "r"(&number) : "memory");  // their addresses are known
  look_at_caller(visit);
  visit.frame.thread = ThreadId{3};
  visit.frame.end = address_of(__builtin_dwarf_cfa());
  visit.meals = address_of(&borrowed.meals);
  visit.label = address_of(&borrowed.forks[1].label[2]);
  visit.number = address_of(&number);
  asm volatile("" : : "r"(&borrowed), "r"(&number) : "memory");
  return visit;
}

std::vector<Module> own_modules() {
  std::vector<Module> modules;
  dl_iterate_phdr(note_module, &modules);
  return modules;
}

}  // namespace heddle::fixtures
