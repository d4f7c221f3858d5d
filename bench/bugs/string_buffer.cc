// The StringBuffer of an old class library: every method is synchronised, but append asks the
// other buffer for its length and for its characters in two calls, and it may shrink in between.
// FIXED: append keeps the other buffer locked for both.
#include <cassert>
#include <cstring>
#include <mutex>
#include <thread>

class Buffer {
 public:
  explicit Buffer(const char* text = "") { append(text); }

  void append(const char* text) {
    std::lock_guard guard(lock_);
    std::strcpy(characters_ + length_, text);
    length_ += std::strlen(text);
  }

  void append(Buffer& other) {
    std::lock_guard guard(lock_);
#ifdef FIXED
    std::lock_guard guard_of_other(other.lock_);
#endif
    const size_t length = other.length();
    other.copy_to(characters_ + length_, length);
    length_ += length;
  }

  void erase() {
    std::lock_guard guard(lock_);
    length_ = 0;
  }

 private:
  size_t length() {
    std::lock_guard guard(lock_);
    return length_;
  }

  void copy_to(char* to, size_t count) {
    std::lock_guard guard(lock_);
    assert(count <= length_);
    std::memcpy(to, characters_, count);
  }

  std::recursive_mutex lock_;
  char characters_[32] = "";
  size_t length_ = 0;
};

int main() {
  Buffer shared("abc"), own;
  std::thread other([&] {
    shared.erase();
    shared.append("abc");
  });
  own.append(shared);
  other.join();
}
