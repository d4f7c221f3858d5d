// The named semaphores of the execution under way.
#pragma once

#include <semaphore.h>

#include <cerrno>
#include <cstring>

#include "base/ids.h"
#include "runtime/guest/reserved.h"

namespace heddle {

// What opening and unlinking touch: the directory of names. No object of a program lies there.
inline constexpr Address kNamedSemaphores{1};

class NamedSemaphores {
 public:
  static constexpr size_t kLongestName =
      251;  // without the slash before it: NAME_MAX, less glibc's "sem."

  // Sets aside the slash before a name; 0, or why it cannot be used.
  static int check(const char*& name) {
    if (name[0] == '/') ++name;
    const size_t length = strlen(name);
    if (length == 0 || strchr(name, '/') != nullptr) return EINVAL;
    return length > kLongestName ? ENAMETOOLONG : 0;
  }

  void initialise() { entries_.reserve(4096); }
  void reset() { entries_.clear(); }

  sem_t* find(const char* name) const {
    for (const Entry& entry : entries_)
      if (entry.linked && strcmp(entry.name, name) == 0) return entry.semaphore;
    return nullptr;
  }
  bool contains(const sem_t* semaphore) const {
    for (const Entry& entry : entries_)
      if (entry.semaphore == semaphore) return true;
    return false;
  }
  template <typename Visit>
  void for_each(Visit visit) const {
    for (const Entry& entry : entries_) visit(entry.semaphore);
  }
  void add(const char* name, sem_t* semaphore) {
    Entry entry{semaphore, true, {}};
    memcpy(entry.name, name, strlen(name) + 1);
    entries_.push_back(entry);
  }
  bool unlink(const char* name) {
    for (Entry& entry : entries_) {
      if (!entry.linked || strcmp(entry.name, name) != 0) continue;
      entry.linked = false;
      return true;
    }
    return false;
  }

 private:
  struct Entry {
    sem_t* semaphore;
    bool linked;
    char name[kLongestName + 1];
  };
  ReservedVector<Entry> entries_;
};

}  // namespace heddle
