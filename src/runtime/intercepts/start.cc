// The way in: the executable's start-up code calls __libc_start_main with the address of main.
// We pass on an entry of our own, which runs the search and, in it, main as often as needed.
#include "runtime/core/runtime.h"
#include "runtime/guest/real.h"
#include "runtime/intercepts/memory.h"
#include "runtime/session/session.h"

using namespace heddle;

namespace {

int run(int argc, char** argv, char** envp) {
  {
    RuntimeScope scope;
    check_block_kinds();
  }
  return run_session(argc, argv, envp);
}

}  // namespace

HEDDLE_EXPORT int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv,
                                    void (*init)(), void (*fini)(), void (*rtld_fini)(),
                                    void* stack_end) {
  using Start =
      int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  // Executables linked against an old glibc bring their own init; the new entry would ignore it.
  void* old = init != nullptr ? dlvsym(RTLD_NEXT, "__libc_start_main", "GLIBC_2.2.5") : nullptr;
  auto start = reinterpret_cast<Start>(old != nullptr ? old : real::resolve("__libc_start_main"));
  char** environment = argv + argc + 1;
  if (!attach_to_channel(environment))
    return start(main, argc, argv, init, fini, rtld_fini, stack_end);
  remember_main(main);
  return start(run, argc, argv, init, fini, rtld_fini, stack_end);
}
