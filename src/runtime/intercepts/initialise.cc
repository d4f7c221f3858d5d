// Initialisation of objects of synchronisation whose state is where glibc has it: no step, but it
// writes to memory that must be there.
#include <pthread.h>

#include "runtime/core/runtime.h"
#include "runtime/guest/real.h"
#include "runtime/intercepts/accesses.h"
#include "runtime/objects/sync_objects.h"

namespace heddle::real {
HEDDLE_REAL(pthread_mutex_init)
HEDDLE_REAL(pthread_cond_init)
HEDDLE_REAL(pthread_rwlock_init)
HEDDLE_REAL(pthread_spin_init)
}  // namespace heddle::real

using namespace heddle;

// Attributes may be null; that a spin lock is shared is a number.
template <typename Attributes>
static void read_attributes(const Attributes* attributes, Address pc) {
  reads(attributes, pc);
}
static void read_attributes(int, Address) {}

#define INITIALISE(function, Object, Argument)                       \
  HEDDLE_EXPORT int function(Object* object, Argument argument) {    \
    read_attributes(argument, HEDDLE_CALLER);                        \
    use_object_at(Op::Write, object, sizeof *object, HEDDLE_CALLER); \
    return real::function()(object, argument);                       \
  }

INITIALISE(pthread_mutex_init, pthread_mutex_t, const pthread_mutexattr_t*)
INITIALISE(pthread_cond_init, pthread_cond_t, const pthread_condattr_t*)
INITIALISE(pthread_rwlock_init, pthread_rwlock_t, const pthread_rwlockattr_t*)
INITIALISE(pthread_spin_init, pthread_spinlock_t, int)
