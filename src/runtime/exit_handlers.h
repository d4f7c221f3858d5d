// What the program registered to run at exit. We keep it ourselves because an execution must end
// without ending the process, which glibc's exit() does not offer.
#pragma once

#include "runtime/reserved.h"

namespace heddle {

class ExitHandlers {
 public:
  void initialise();
  void add(void (*function)(void*), void* argument, void* module);
  void run();                 // last registered first, the executable's destructors after them
  void run_of(void* module);  // dlclose
  void take_baseline();
  void reset();

 private:
  struct Handler {
    void (*function)(void*);
    void* argument;
    void* module;
  };
  ReservedVector<Handler> handlers_;
  ReservedVector<Handler> baseline_;
  bool changed_ = false;
};

ExitHandlers& exit_handlers();

}  // namespace heddle
