// EXPECT pass
#include <cassert>
#include <thread>
int n = 3;
int main() {
  int* a = new int[n];
  for (int i = 0; i < n; i++) a[i] = 0;
  std::thread t([&] { a[0] = 1; }), u([&] { a[2] = 2; });
  t.join();
  u.join();
  assert(a[0] + a[1] + a[2] == 3);
  delete[] a;
}
