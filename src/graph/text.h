// The text form of a program graph: what --dump-graph prints and what models are written in.
//
//   program counter                       // a comment
//   threads 3
//   global count: 32 = 0
//   mutex guard
//
//   routine main() {
//     reg t: 64
//   entry:
//     t = create adder, 0
//     join t
//     return
//   }
//   routine adder(argument: 64) {
//     reg x: 32
//   entry:
//     mutex-lock guard
//     x = load count                      @ count.c:7
//     store count, x + 1                  @ count.c:7
//     mutex-unlock guard
//     return
//   }
//
// An address is the name of an object or of a cell of it (`queue.head`, `slots[3]`), or an
// expression in brackets; in expressions `&queue.head` is the pointer. Numbers take their width
// from what they stand with, or have it written: `5:8`. An action begins a block of its own, so a
// label is needed only where something jumps to; a block without a jump goes on to the next one.
// docs/graphs.md has all of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"

namespace heddle::graph {

std::string to_text(const Program& program);

struct TextError {
  uint32_t line = 0, column = 0;  // from 1 on; 0: of the whole
  std::string message;            // one sentence, no period
};
// "3:7: there is no register x"
std::string to_string(const TextError& error);

// True if all is well; what is read then is well formed (check.h).
bool parse_text(std::string_view text, Program& program, TextError& error);

}  // namespace heddle::graph
