#include "runtime/guest/reserved.h"

#include "runtime/guest/layout.h"
#include "runtime/guest/raw.h"

namespace heddle {

void* reserve_private(uint64_t bytes) {
  static uint64_t next = 0;
  if (next == 0) next = kPrivateBase;
  uint64_t at = next;
  bytes = page_up(bytes);
  HEDDLE_CHECK(at + bytes <= kPrivateBase + kPrivateBytes);
  HEDDLE_CHECK(raw::map_fixed(at, bytes));
  next = at + bytes + kPageBytes;  // a hole between two areas catches overruns
  return reinterpret_cast<void*>(at);
}

}  // namespace heddle
