// Why does a thread run on and on without a visible action? If all that its loop looks at was
// announced by instrumented code, nobody can change it and the loop is a livelock. If it looks at
// other memory (inline assembly, code that was not compiled for us), others may change that, and
// nothing can be said.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>

#include "base/ids.h"

namespace heddle {

enum class LoopVerdict : uint8_t { NotYet, Unseen, Livelock, GoesOn };

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
};

}  // namespace heddle
