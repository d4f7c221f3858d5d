// Atomic instructions that nobody tells us of: inline assembly with a lock prefix in code compiled
// for us, and all atomics of code that was not. They are neither steps of the search nor
// synchronisation for race detection, so the user should hear of them. And instructions that give
// another answer in every execution: random numbers and the processor's clock.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/program.h"
#include "report/run_result.h"

namespace heddle {

// Addresses in the file, in order.
struct Uncontrolled {
  std::vector<uint64_t> atomic;
  std::vector<uint64_t> unpredictable;
};

// Looks at the functions of one file.
Uncontrolled uncontrolled_instructions(const std::string& path);

// Adds what the executable and the program's own libraries have of these to the notes of the
// report, and to the facts of the guarantee which parts Heddle did not compile. Atomic instructions
// matter where there are several threads.
void add_uncontrolled_code(const Program& program, const std::vector<std::string>& libraries,
                           bool several_threads, RunResult& result);

}  // namespace heddle
