// What libheddle itself calls of the C library, whatever the program defines or we take over by the
// same names: the linker brings these calls to __wrap_NAME (--wrap, CMakeLists.txt, which reads the
// rows), and that goes to libc (own_calls.cc). A test holds the table against the library.
#pragma once

// clang-format off
#define HEDDLE_OWN_CALLS(X) \
  X(memchr) \
  X(memcmp) \
  X(memcpy) \
  X(memmove) \
  X(memset) \
  X(strchr) \
  X(strcmp) \
  X(strlen) \
  X(strncmp) \
  X(strncpy) \
  X(strnlen) \
  X(strrchr) \
  X(strstr) \
  X(strtol) \
  X(snprintf) \
  X(sprintf) \
  X(fputc) \
  X(fputs) \
  X(fwrite) \
  X(fflush_unlocked) \
  X(fopencookie) \
  X(ftrylockfile) \
  X(funlockfile) \
  X(__fsetlocking) \
  X(gettext) \
  X(access) \
  X(close) \
  X(dup2) \
  X(fcntl) \
  X(getrlimit) \
  X(ioctl) \
  X(memfd_create) \
  X(open) \
  X(pread) \
  X(read) \
  X(write) \
  X(sigaction) \
  X(sigaltstack) \
  X(_exit) \
  X(abort) \
  X(clock_gettime) \
  X(arc4random) \
  X(getentropy) \
  X(getauxval) \
  X(siglongjmp) \
  X(dladdr) \
  X(dl_iterate_phdr) \
  X(dlopen) \
  X(pthread_attr_destroy) \
  X(pthread_attr_getdetachstate) \
  X(pthread_attr_getstacksize) \
  X(pthread_attr_init) \
  X(pthread_attr_setstack) \
  X(pthread_getspecific) \
  X(pthread_setspecific) \
  X(pthread_mutex_lock) \
  X(pthread_mutex_unlock) \
  X(pthread_once) \
  X(exp) \
  X(llround) \
  X(log) \
  X(log1p) \
  X(sqrt)
// clang-format on
