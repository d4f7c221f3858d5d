#include "runtime/guest/own_process.h"

#include "runtime/guest/layout.h"
#include "runtime/guest/raw.h"
#include "runtime/guest/reserved.h"

namespace heddle {
namespace {

volatile bool* g_own = nullptr;

}  // namespace

void prepare_own_process() {
  g_own = static_cast<volatile bool*>(reserve_private(kPageBytes));
  raw::call(SYS_madvise, raw::bits(g_own), kPageBytes, MADV_WIPEONFORK);
  mark_own_process();
}

void mark_own_process() {
  *g_own = true;
}

bool is_own_process() {
  return *g_own;
}

}  // namespace heddle
