// Functions of character facets, inlined into the program, note what they found in the facet
// itself: no race of the program. What the program shares by name is one, though it lies in the
// library.
//
// LIBCXX: no
// LIBTSAN: no (it knows no business of the library)
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DSHARES_A_STREAM
// EXPECT: fail data-race
#include <iostream>
#include <locale>
#include <thread>

static void work() {
  const auto& facet = std::use_facet<std::ctype<char>>(std::locale::classic());
  if (facet.narrow('x', '?') != 'x' || facet.widen('y') != 'y') std::terminate();
#ifdef SHARES_A_STREAM
  std::cout.width(3);
#endif
}

int main() {
  std::thread one(work), two(work);
  one.join();
  two.join();
}
