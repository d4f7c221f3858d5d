// operator new and delete, so that a block is known by how it was allocated. The program may
// replace them; then it never comes here.
//
// Inside libheddle `new` is another function (arena.cc), so these are defined by their names in the
// object file.
#include <dlfcn.h>

#include "runtime/guest/real.h"
#include "runtime/intercepts/memory.h"

namespace heddle {
namespace {

using New = void* (*)(size_t);
using NewNothrow = void* (*)(size_t, const void*);
using NewAligned = void* (*)(size_t, size_t);
using NewAlignedNothrow = void* (*)(size_t, size_t, const void*);

constexpr size_t kUsualAlignment = 16;

// Null where the C++ library's own operator must be asked: before we are in charge, and where there
// is no memory, since the exception must be that library's.
void* from_heap(size_t bytes, size_t alignment, BlockKind kind) {
  if (server() != Server::Heap) return nullptr;
  return allocate(bytes, alignment < kUsualAlignment ? kUsualAlignment : alignment, kind);
}

void drop(void* block, Address pc, BlockKind kind) {
  if (g_switches.controlled) return release(block, pc, kind);
  free(block);
}

}  // namespace
}  // namespace heddle

using namespace heddle;

#define HEDDLE_NEW(name, signature, type, arguments, alignment, kind)             \
  HEDDLE_EXPORT void* name signature {                                            \
    if (void* block = from_heap(bytes, alignment, BlockKind::kind)) return block; \
    static type next = nullptr;                                                   \
    if (next == nullptr) next = reinterpret_cast<type>(real::resolve(#name));     \
    return next arguments;                                                        \
  }
#define HEDDLE_NEWS(name, kind)                                                                   \
  HEDDLE_NEW(name, (size_t bytes), New, (bytes), 0, kind)                                         \
  HEDDLE_NEW(name##RKSt9nothrow_t, (size_t bytes, const void* no), NewNothrow, (bytes, no), 0,    \
             kind)                                                                                \
  HEDDLE_NEW(name##St11align_val_t, (size_t bytes, size_t to), NewAligned, (bytes, to), to, kind) \
  HEDDLE_NEW(name##St11align_val_tRKSt9nothrow_t, (size_t bytes, size_t to, const void* no),      \
             NewAlignedNothrow, (bytes, to, no), to, kind)

#define HEDDLE_DELETE(name, signature, kind)     \
  HEDDLE_EXPORT void name signature {            \
    drop(block, HEDDLE_CALLER, BlockKind::kind); \
  }
#define HEDDLE_DELETES(name, kind)                                           \
  HEDDLE_DELETE(name, (void* block), kind)                                   \
  HEDDLE_DELETE(name##m, (void* block, size_t), kind)                        \
  HEDDLE_DELETE(name##RKSt9nothrow_t, (void* block, const void*), kind)      \
  HEDDLE_DELETE(name##St11align_val_t, (void* block, size_t), kind)          \
  HEDDLE_DELETE(name##mSt11align_val_t, (void* block, size_t, size_t), kind) \
  HEDDLE_DELETE(name##St11align_val_tRKSt9nothrow_t, (void* block, size_t, const void*), kind)

HEDDLE_NEWS(_Znwm, New)
HEDDLE_NEWS(_Znam, NewArray)
HEDDLE_DELETES(_ZdlPv, New)
HEDDLE_DELETES(_ZdaPv, NewArray)

namespace heddle {

bool program_replaces_operators() {
  struct Operator {
    const char* name;
    const void* ours;
  };
#define HEDDLE_OURS(name) \
  { #name, reinterpret_cast < const void*>(name) }
  const Operator operators[] = {
      HEDDLE_OURS(_Znwm),
      HEDDLE_OURS(_Znam),
      HEDDLE_OURS(_ZnwmRKSt9nothrow_t),
      HEDDLE_OURS(_ZnamRKSt9nothrow_t),
      HEDDLE_OURS(_ZnwmSt11align_val_t),
      HEDDLE_OURS(_ZnamSt11align_val_t),
      HEDDLE_OURS(_ZdlPv),
      HEDDLE_OURS(_ZdaPv),
      HEDDLE_OURS(_ZdlPvm),
      HEDDLE_OURS(_ZdaPvm),
  };
  for (const Operator& known : operators)
    if (dlsym(RTLD_DEFAULT, known.name) != known.ours) return true;
  return false;
}

}  // namespace heddle
