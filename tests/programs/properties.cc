// The functions of a property file hold in every state, or they are findings by name: static ones,
// members of classes and what is in namespaces, too.
//
// RUN: --properties=HERE/properties.holding.txt
// EXPECT: pass
// RUN: --properties=HERE/properties.holding.txt --strategy=dfs --filter=seen
// EXPECT: pass
// RUN: --properties=HERE/properties.txt
// EXPECT: fail invariant
// MESSAGE: the invariant "bank::kept" does not hold: no money is lost on its way
// LOCATION: properties.cc
// FINDINGS: 1
// TRACE: setting property=kept no money is lost on its way
// RUN: --properties=HERE/properties.txt --strategy=portfolio
// EXPECT: fail invariant
// NOTE: searched with icb, not the portfolio
// RUN: --properties=HERE/properties.txt --strategy=optimal-dpor
// EXPECT: unsupported invariant
// RUN: --properties=HERE/properties.txt --strategy=random --keep-going --max-executions=50
// EXPECT: fail invariant
// FINDINGS: 1
#include <pthread.h>

namespace bank {

struct Accounts {
  int savings = 10, salary = 0;
  static Accounts all;

  __attribute__((used)) static bool nobody_owes();
};
Accounts Accounts::all;

bool Accounts::nobody_owes() {
  return all.savings >= 0 && all.salary >= 0;
}

namespace {

// Between the two halves of a transfer it does not hold.
__attribute__((used)) bool kept() {
  return Accounts::all.savings + Accounts::all.salary == 10;
}

}  // namespace
}  // namespace bank

// Of what a function returns as bool nothing but one byte means anything.
extern "C" long known_at_all() {
  return 1L << 40;
}

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void change(int& account, int by) {
  pthread_mutex_lock(&guard);
  account += by;
  pthread_mutex_unlock(&guard);
}

static void* transfer(void* unused) {
  change(bank::Accounts::all.savings, -4);
  change(bank::Accounts::all.salary, 4);
  return unused;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, transfer, nullptr);
  change(bank::Accounts::all.savings, 0);
  pthread_join(thread, nullptr);
  return 0;
}
