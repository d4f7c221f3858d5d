// Streams do their work inside libstdc++. Two threads at one stream race, whatever they do with it;
// the standard streams are for everybody.
//
// LIBCXX: no
// RUN: --strategy=icb
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DLOCKED -DSHARED
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DSHARED
// EXPECT: fail data-race
// RUN: --strategy=icb
// FLAGS: -DREAD
// EXPECT: fail data-race
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

static std::mutex mutex;

// One of each.
static void write_all(std::ostream& to) {
  const signed char small = 'a';
  const unsigned char byte = 'b';
  const std::string text = "text";
  short number = 1;
  to << true << number << static_cast<unsigned short>(2) << 3 << 4U << 5L << 6UL << 7LL << 8ULL;
  to << 1.5F << 2.5 << 3.5L << static_cast<const void*>(nullptr) << 'c' << small << byte;
  to << "words" << reinterpret_cast<const signed char*>("s")
     << reinterpret_cast<const unsigned char*>("u") << text;
  to.put('x').write("yz", 2).flush() << std::flush << std::endl;
}

template <typename Value>
static bool reads(std::istream& from, Value expected) {
  Value value{};
  return static_cast<bool>(from >> value) && value == expected;
}

static bool read_all(std::istream& from) {
  std::string line, rest;
  char c = 0, some[3];
  const bool numbers = reads(from, true) && reads<short>(from, 2) && reads(from, 3) &&
                       reads(from, 4U) && reads(from, 5L) && reads(from, 6UL) && reads(from, 7LL) &&
                       reads(from, 8ULL) && reads(from, 1.5F) && reads(from, 2.5) &&
                       reads(from, 3.5L) && reads(from, 'w') && reads(from, std::string("ord"));
  from.get(c);
  return numbers && c == ' ' && from.peek() == 'l' && std::getline(from, line) && line == "line" &&
         from.ignore(1) && from.read(some, 2) && std::getline(from >> std::ws, rest) && rest == "z";
}

#define INPUT "1 2 3 4 5 6 7 8 1.5 2.5 3.5 word line\n_ab  z\n"

int main() {
#if defined(READ)
  std::istringstream common(INPUT);
  auto use = [&] {
    int number;
    common >> number;
  };
#elif defined(SHARED)
  std::ostringstream common;
  auto use = [&] {
#ifdef LOCKED
    std::lock_guard<std::mutex> lock(mutex);
#endif
    write_all(common);
  };
#else
  auto use = [&] {
    std::istringstream own(INPUT);
    std::ostringstream text;
    write_all(text);
    if (!read_all(own) || text.str().find("words") == std::string::npos) abort();
    write_all(std::cout);
  };
#endif
  std::thread other(use);
  use();
  other.join();
}
