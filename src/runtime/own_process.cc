#include "runtime/own_process.h"

#include "runtime/layout.h"
#include "runtime/raw.h"
#include "runtime/reserved.h"

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
