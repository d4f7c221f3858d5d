// Why does a thread run on and on without a visible action? If all that its loop looks at was
// announced by instrumented code, nobody can change it; and if the same registers come back with
// the same memory, or the loop has no way out (loop_exits.h), it is a livelock. If it looks at
// other memory (inline assembly, code that was not compiled for us), others may change that, and
// nothing can be said; nor where no state comes back: it may compute something that takes long.
//
// States are kept after each doubling of the instructions (Brent, "An improved Monte Carlo
// factorization algorithm", 1980). Registers are compared at each instruction, memory only where
// they are the same, and not for ever.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "runtime/session/loop_exits.h"

namespace heddle {

enum class LoopVerdict : uint8_t { NotYet, Unseen, Livelock, Computes, GoesOn };

class UnseenLoop {
 public:
  bool watching() const { return watching_; }
  // From the next instruction on the processor reports each one.
  void begin(ucontext_t* context);
  // The processor is about to execute the instruction in `context`.
  LoopVerdict look(ucontext_t* context);

 private:
  static constexpr uint64_t kInstructions = 20'000;
  static constexpr size_t kAnnounced = 64;
  static constexpr uint32_t kCompared = 64;

  bool comes_back(const ucontext_t* context);
  static uint64_t memory_of(const ucontext_t* context);

  LoopVerdict end(ucontext_t* context, LoopVerdict verdict);
  bool is_unseen(uint64_t address) const;
  bool was_announced(uint64_t address) const;

  bool watching_ = false;
  ThreadId thread_ = kNoThread;
  uint64_t steps_ = 0;
  uint64_t looked_ = 0;
  bool in_runtime_ = false;              // the instruction before was ours
  uint64_t announced_[kAnnounced] = {};  // addresses that instrumented code told us last
  uint64_t announcements_ = 0;
  uint64_t relative_ = 0;  // the instruction before accesses so much behind its own end
  bool has_relative_ = false;
  uint64_t kept_at_ = 0;  // how many instructions had been looked at
  uint64_t kept_registers_ = 0, kept_memory_ = 0;
  uint32_t compared_ = 0;  // memory since then
  LoopExits exits_;        // of the second half of the instructions
};

}  // namespace heddle
