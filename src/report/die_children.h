// The entries directly below one of the debug information: for (Dwarf_Die& child :
// DieChildren(die)).
#pragma once

#include <elfutils/libdw.h>

namespace heddle {

class DieChildren {
 public:
  struct End {};
  class Iterator {
   public:
    explicit Iterator(Dwarf_Die* parent) : there_(dwarf_child(parent, &die_) == 0) {}
    Dwarf_Die& operator*() { return die_; }
    Iterator& operator++() {
      there_ = dwarf_siblingof(&die_, &die_) == 0;
      return *this;
    }
    bool operator!=(End) const { return there_; }

   private:
    Dwarf_Die die_{};
    bool there_;
  };

  explicit DieChildren(Dwarf_Die* parent) : parent_(parent) {}
  Iterator begin() const { return Iterator(parent_); }
  End end() const { return {}; }

 private:
  Dwarf_Die* parent_;
};

}  // namespace heddle
