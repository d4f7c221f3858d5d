#include "runtime/rewind/thread_exit.h"

#include <limits.h>

namespace heddle {
namespace {

constexpr size_t kMaxHandlers = 1 << 20;
constexpr size_t kMaxKeys = 1024;  // PTHREAD_KEYS_MAX

template <typename Vector>
void copy(Vector& to, const Vector& from) {
  to.clear();
  for (const auto& item : from) to.push_back(item);
}

}  // namespace

ThreadExitHandlers& thread_exit_handlers() {
  static ThreadExitHandlers handlers;
  return handlers;
}

void run_thread_exit_handlers(ThreadId thread) {
  thread_exit_handlers().run(thread);
}

void ThreadExitHandlers::initialise() {
  handlers_.reserve(kMaxHandlers);
  baseline_.reserve(kMaxHandlers);
  keys_.reserve(kMaxKeys);
  baseline_keys_.reserve(kMaxKeys);
}

void ThreadExitHandlers::add(ThreadId thread, void (*function)(void*), void* argument) {
  handlers_.push_back({thread, function, argument});
  changed_ = true;
}

void ThreadExitHandlers::add_key(pthread_key_t key, void (*destructor)(void*)) {
  keys_.push_back({key, destructor});
  changed_ = true;
}

void ThreadExitHandlers::remove_key(pthread_key_t key) {
  for (Key& known : keys_)
    if (known.key == key) known.destructor = nullptr;
  changed_ = true;
}

// The newest object first; a destructor may create further ones.
void ThreadExitHandlers::run_objects(ThreadId thread) {
  for (size_t i = handlers_.size(); i > 0; --i) {
    Handler handler = handlers_[i - 1];
    if (handler.thread != thread || handler.function == nullptr) continue;
    handlers_[i - 1].function = nullptr;
    changed_ = true;
    handler.function(handler.argument);
    i = handlers_.size() + 1;
  }
}

void ThreadExitHandlers::run(ThreadId thread) {
  run_objects(thread);
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round)
    if (!run_key_destructors()) return;
}

bool ThreadExitHandlers::run_key_destructors() {
  bool any = false;
  for (size_t i = 0; i < keys_.size(); ++i) {
    Key key = keys_[i];
    if (key.destructor == nullptr) continue;
    void* value = pthread_getspecific(key.key);
    if (value == nullptr) continue;
    pthread_setspecific(key.key, nullptr);
    key.destructor(value);
    any = true;
  }
  return any;
}

void ThreadExitHandlers::take_baseline() {
  copy(baseline_, handlers_);
  copy(baseline_keys_, keys_);
  changed_ = false;
}

void ThreadExitHandlers::reset() {
  if (!changed_) return;
  copy(handlers_, baseline_);
  copy(keys_, baseline_keys_);
  changed_ = false;
}

}  // namespace heddle
