// What the program registered to run at exit. We keep it ourselves because an execution must end
// without ending the process, which glibc's exit() does not offer.
#pragma once

#include "runtime/guest/reserved.h"

namespace heddle {

class ExitHandlers {
 public:
  void initialise();
  enum class Destructors { None, OfExecutable };  // functions with __attribute__((destructor))

  void add(void (*function)(void*), void* argument, void* module);
  void add_with_status(void (*function)(int, void*), void* argument);
  // Last registered first, the executable's destructors after them. Before it takes a handler from
  // the list it calls `turn`: others may add to the list, or take from it, until then.
  void run(int status, Destructors destructors, void (*turn)());
  void run_of(void* module);  // dlclose
  // Whether there is anything to run, or was.
  bool any() const { return any_; }
  void take_baseline();
  void reset();

 private:
  struct Handler {
    void (*function)(void*);
    void (*with_status)(int, void*);  // instead
    void* argument;
    void* module;
  };
  ReservedVector<Handler> handlers_;
  ReservedVector<Handler> baseline_;
  bool changed_ = false;
  bool any_ = false;
};

ExitHandlers& exit_handlers();        // of exit
ExitHandlers& quick_exit_handlers();  // of quick_exit
bool has_destructors();

}  // namespace heddle
