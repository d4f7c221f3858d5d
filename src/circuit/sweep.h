// Makes a system smaller without changing what it does.
//
// Which latches never change is found by simulation with three values (false, true, unknown): all
// inputs unknown, latches at first as they are reset, then whatever they may become in addition,
// until nothing new comes. What is still false or true then is so in every state that can be
// reached. This is the range analysis of circuits: bits of variables that no value reaches, owners
// that a lock cannot have and places that a thread never comes to go away with their gates. Gates
// that neither a constraint, nor a property, nor a latch that is left needs go as well.
#pragma once

#include <vector>

#include "circuit/aig.h"

namespace heddle::circuit {

struct Swept {
  System system;                 // inputs are all kept, in order
  std::vector<Literal> literal;  // by node of the original: what it is now

  Literal now(Literal old) const {
    const Literal to = literal[old.node()];
    return old.complemented() ? !to : to;
  }
};

// `kept`: literals that must have a counterpart although nothing in the system needs them.
Swept sweep(const System& system, const std::vector<Literal>& kept = {});

}  // namespace heddle::circuit
