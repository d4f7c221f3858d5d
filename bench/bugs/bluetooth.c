// A driver that is being stopped while a request arrives (after Qadeer and Wu, PLDI 2004). The
// request asks whether the driver is stopping, and only then counts itself as pending; the driver
// can be stopped completely in between.
// FIXED: the request counts itself first, and asks then.
#include <assert.h>
#include <stdatomic.h>

#include "crew.h"

static atomic_int pending = 1;
static atomic_int stopping, stopping_event, stopped;

static void leave(void) {
  if (atomic_fetch_sub(&pending, 1) == 1) stopping_event = 1;
}

static int enter(void) {
#ifdef FIXED
  atomic_fetch_add(&pending, 1);
  if (!stopping) return 1;
  leave();
  return 0;
#else
  if (stopping) return 0;
  atomic_fetch_add(&pending, 1);
  return 1;
#endif
}

static void* stop(void* unused) {
  stopping = 1;
  leave();
  if (stopping_event) stopped = 1;
  return unused;
}

int main(void) {
  start(stop, 0);
  if (enter()) {
    assert(!stopped);
    leave();
  }
  join_all();
}
