// The descriptors that are open when main begins. An execution may close them, put others in their
// place, change their flags and move in their files; all of that is put back from copies that the
// program cannot reach. What was read from a pipe is gone: such reads are refused by the caller.
#pragma once

#include <cstdint>

#include "runtime/guest/reserved.h"

namespace heddle {

class InheritedDescriptors {
 public:
  void initialise();
  void take_baseline();
  // Puts numbers and flags back and closes everything else.
  void restore();
  // Puts back what even processes share that were forked from each other: where files stand, and
  // flags like O_NONBLOCK.
  void restore_shared();

  // A pipe, socket or terminal from outside: what is read there cannot be read again.
  bool is_stream(int descriptor) const;
  // Whether reads of one execution could be seen by another one that was forked beside it.
  bool some_seekable() const { return seekable_; }
  bool is_inherited(int descriptor) const;
  bool is_known() const { return !all_.empty(); }

 private:
  struct Descriptor {
    int number;
    long copy;
    long close_on_exec;  // O_CLOEXEC or 0
    long flags;
    long offset;  // -1: it has none
    bool stream;
  };
  static void restore_file(const Descriptor& one);
  const Descriptor* find(int descriptor) const;

  ReservedVector<Descriptor> all_;
  bool seekable_ = false;
};

}  // namespace heddle
