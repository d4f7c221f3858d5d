// Which accesses of a program that was compiled for checking its compiler does not tell of: what it
// was compiled with stands in the section .comment.
#pragma once

#include "cli/program.h"
#include "report/run_result.h"

namespace heddle {

// Adds what the guarantee has to leave out. With one thread nobody could notice.
void add_unseen_accesses(const Program& program, bool several_threads, RunResult& result);

}  // namespace heddle
