// EXPECT fail use-after-free
#include <atomic>
#include <thread>
struct N {
  int v;
  N* next;
};
std::atomic<N*> h{nullptr};
void push(int v) {
  N* n = new N{v, h.load()};
  while (!h.compare_exchange_strong(n->next, n))
    ;
}
bool pop() {
  N* o = h.load();
  while (o && !h.compare_exchange_strong(o, o->next))
    ;
  if (!o) return false;
  delete o;
  return true;
}
int main() {
  push(1);
  push(2);
  std::thread t(pop), u(pop);
  t.join();
  u.join();
  while (pop())
    ;
}
