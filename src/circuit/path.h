// A thread on its way from one stop to the next, as far as gates have been made for it.
//
// Only one way is taken in a step, so the ways of all threads can be described side by side: each
// has a condition, its guard, of which at most one holds. Where ways meet, their values are merged.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "circuit/fields.h"
#include "circuit/words.h"

namespace heddle::circuit {

struct Path {
  Literal guard = kFalse;         // a step of the thread comes this way
  std::vector<Word> registers;    // of the routine; empty words: of no use any more
  std::map<FieldId, Word> after;  // fields that the step has changed

  const Word& get(const Fields& fields, FieldId id) const {
    const auto found = after.find(id);
    return found == after.end() ? fields.now(id) : found->second;
  }
  void set(FieldId id, Word value) { after[id] = std::move(value); }
  void set_if(Aig& aig, const Fields& fields, Literal condition, FieldId id, const Word& value) {
    if (condition == kFalse) return;
    after[id] = choose(aig, condition, value, get(fields, id));
  }
};

// One way that stands for all of them. Registers that are not live are dropped.
Path merge(Aig& aig, const Fields& fields, std::span<const Path> paths,
           const graph::RegisterSet& live);

}  // namespace heddle::circuit
