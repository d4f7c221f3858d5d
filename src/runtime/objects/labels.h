// The names that the program gives its objects (heddle_name), in the execution under way.
#pragma once

#include <cstring>

#include "base/ids.h"
#include "runtime/guest/reserved.h"

namespace heddle {

class Labels {
 public:
  void initialise() { labels_.reserve(kMost); }
  void take_baseline() { baseline_ = labels_.size(); }
  void reset() { labels_.resize(baseline_); }

  // The newest name of an address counts; beyond the last place names are dropped.
  void give(Address object, const char* name) {
    for (Label& label : labels_)
      if (label.object == object) return write(label, name);
    if (labels_.size() == kMost) return;
    labels_.push_back({object, {}});
    write(labels_.back(), name);
  }

  const char* of(Address object) const {
    for (const Label& label : labels_)
      if (label.object == object) return label.name;
    return nullptr;
  }

 private:
  static constexpr size_t kMost = 4096;
  struct Label {
    Address object;
    char name[56];
  };
  static void write(Label& label, const char* name) {
    const size_t length = strnlen(name, sizeof label.name - 1);
    memcpy(label.name, name, length);
    label.name[length] = '\0';
  }
  ReservedVector<Label> labels_;
  size_t baseline_ = 0;
};

inline Labels& labels() {
  static constinit Labels instance;
  return instance;
}

}  // namespace heddle
