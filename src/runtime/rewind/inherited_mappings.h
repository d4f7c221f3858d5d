// The mappings that exist when main begins. What an execution adds to them is unmapped again, the
// program break goes back to where it was, and so does the protection of heap blocks and stacks.
// Changes to the mappings themselves could not be undone and are refused by the caller.
#pragma once

#include <cstdint>

#include "runtime/guest/reserved.h"

namespace heddle {

struct AddressRange {
  uint64_t begin, end;
  bool meets(const AddressRange& other) const { return begin < other.end && other.begin < end; }
};

class InheritedMappings {
 public:
  void initialise();
  void take_baseline();
  void restore();

  bool meets(AddressRange range) const;
  uint64_t program_break() const { return break_; }
  // Memory of the program in our window (heap blocks, stacks) is protected in a way of its own.
  void note_protection(AddressRange range);

 private:
  void unmap_new();

  ReservedVector<AddressRange> all_;  // by address
  ReservedVector<AddressRange> protected_;
  uint64_t break_ = 0;
};

}  // namespace heddle
