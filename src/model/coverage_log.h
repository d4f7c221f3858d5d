// How many distinct states a search has seen after how many executions. Plain data: it lies in the
// shared memory (src/channel/), written by the search, read by the command line.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle {

struct CoverageRow {
  uint64_t execution = 0;        // after so many executions
  uint64_t states = 0;           // distinct happens-before states, the initial one not counted
  uint64_t terminal_states = 0;  // of these, ends of executions
  int64_t bound = -1;            // of preemptions, at that time; -1: none
};

// A row for each of the first executions, then so that neighbours differ by a thousandth; always
// one for the end of each bound and for the last execution.
class CoverageLog {
 public:
  static constexpr size_t kCapacity = 32'000;
  static constexpr uint64_t kEach = 4096;  // so many executions have a row each

  void add(const CoverageRow& row) {
    const bool next_bound = used_ + 1 <= size_ && row.bound != rows_[size_ - 1].bound;
    if (next_bound) ++used_;  // the last row of a bound stays
    if (used_ >= kCapacity) used_ = kCapacity - 1;
    rows_[used_] = row;
    size_ = used_ + 1;
    if (row.execution < next_) return;
    ++used_;
    next_ = row.execution + (row.execution < kEach ? 1 : 1 + row.execution / 1024);
  }

  void clear() { size_ = used_ = next_ = 0; }

  // The tested program shares this memory and may have damaged it.
  size_t size() const { return size_ < kCapacity ? size_ : kCapacity; }
  const CoverageRow& row(size_t number) const { return rows_[number]; }

 private:
  uint64_t size_ = 0;  // rows to be read
  uint64_t used_ = 0;  // rows that stay; at most one less
  uint64_t next_ = 0;  // the next execution whose row stays
  CoverageRow rows_[kCapacity];
};

}  // namespace heddle
