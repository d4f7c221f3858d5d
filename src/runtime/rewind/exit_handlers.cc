#include "runtime/rewind/exit_handlers.h"

#include <link.h>

namespace heddle {
namespace {

constexpr size_t kMaxHandlers = 1 << 22;

using Destructor = void (*)();

struct Destructors {
  const Destructor* array = nullptr;
  size_t count = 0;
};

// Functions with __attribute__((destructor)) in the executable. Every executable has one entry,
// the compiler's own; only more than that is the program's.
int find_destructors(dl_phdr_info* info, size_t, void* argument) {
  auto* found = static_cast<Destructors*>(argument);
  const ElfW(Dyn)* dynamic = nullptr;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      dynamic = reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  for (; dynamic != nullptr && dynamic->d_tag != DT_NULL; ++dynamic) {
    if (dynamic->d_tag == DT_FINI_ARRAY)
      found->array = reinterpret_cast<const Destructor*>(info->dlpi_addr + dynamic->d_un.d_ptr);
    if (dynamic->d_tag == DT_FINI_ARRAYSZ) found->count = dynamic->d_un.d_val / sizeof(Destructor);
  }
  if (found->count <= 1) *found = {};
  return 1;  // the executable comes first, and is all we want
}

const Destructors& destructors() {
  static Destructors found;
  static bool searched = false;
  if (!searched) dl_iterate_phdr(find_destructors, &found);
  searched = true;
  return found;
}

}  // namespace

ExitHandlers& exit_handlers() {
  static ExitHandlers handlers;
  return handlers;
}

ExitHandlers& quick_exit_handlers() {
  static ExitHandlers handlers;
  return handlers;
}

bool has_destructors() {
  return destructors().count > 0;
}

void ExitHandlers::initialise() {
  handlers_.reserve(kMaxHandlers);
  baseline_.reserve(kMaxHandlers);
}

void ExitHandlers::add(void (*function)(void*), void* argument, void* module) {
  handlers_.push_back({function, nullptr, argument, module});
  changed_ = any_ = true;
}

void ExitHandlers::add_with_status(void (*function)(int, void*), void* argument) {
  handlers_.push_back({nullptr, function, argument, nullptr});
  changed_ = any_ = true;
}

void ExitHandlers::run(int status, Destructors also, void (*turn)()) {
  for (;;) {
    turn();
    if (handlers_.empty()) break;
    Handler handler = handlers_.back();
    handlers_.pop_back();
    changed_ = true;
    if (handler.with_status != nullptr)
      handler.with_status(status, handler.argument);
    else
      handler.function(handler.argument);
  }
  if (also == Destructors::None) return;
  for (size_t i = destructors().count; i-- > 0;) destructors().array[i]();
}

void ExitHandlers::run_of(void* module) {
  for (size_t i = handlers_.size(); i-- > 0;) {
    Handler handler = handlers_[i];
    if (handler.module != module || handler.function == nullptr) continue;
    handlers_[i] = {[](void*) {}, nullptr, nullptr, nullptr};
    changed_ = true;
    handler.function(handler.argument);
  }
}

void ExitHandlers::take_baseline() {
  baseline_.clear();
  for (const Handler& handler : handlers_) baseline_.push_back(handler);
  any_ = !baseline_.empty();
  changed_ = false;
}

void ExitHandlers::reset() {
  if (!changed_) return;
  handlers_.clear();
  for (const Handler& handler : baseline_) handlers_.push_back(handler);
  changed_ = false;
  any_ = !baseline_.empty();
}

}  // namespace heddle
