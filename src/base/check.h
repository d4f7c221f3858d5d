// Our own bugs: an always-on CHECK. It never reports a mistake of the user or a bug of the tested
// program; see ARCHITECTURE.md, "Three failures, three channels".
#pragma once

namespace heddle {

// Prints the failed condition (and whatever the installed dumper adds, e.g. the current schedule)
// with raw system calls only, then aborts. Safe inside the tested process.
[[noreturn]] void check_failed(const char* condition, const char* file, int line);

// Called by check_failed before aborting; the runtime installs one that dumps the schedule.
using CheckDumper = void (*)();
void set_check_dumper(CheckDumper dumper);
// Asked first; it need not return where the failure is not ours after all.
void set_check_excuse(CheckDumper excuse);
// Where the message goes; standard error unless the program owns that.
void set_check_output(int descriptor);

}  // namespace heddle

#define HEDDLE_CHECK(condition)                                                               \
  (__builtin_expect(!(condition), 0) ? ::heddle::check_failed(#condition, __FILE__, __LINE__) \
                                     : (void)0)
