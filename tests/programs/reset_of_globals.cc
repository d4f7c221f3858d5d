// Globals of every kind are back at their initial values when main starts again, those of
// libraries included.
//
// RUN: --strategy=dfs
// EXPECT: pass
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <thread>

static int zero, seven = 7;
static std::string text = "initially a string on the heap, much longer than sixteen characters";
static std::map<int, std::string> table = {{1, "one"}, {2, "two"}};
static thread_local int local = 5;

static int& calls() {
  static int count = 0;
  return count;
}

int main() {
  assert(zero == 0 && seven == 7 && local == 5 && calls() == 0);
  assert(text.size() == 67 && table.size() == 2 && table.at(2) == "two");
  char sentence[] = "a b c";
  assert(std::getenv("HEDDLE_TEST") == nullptr &&
         std::strcmp(std::strtok(sentence, " "), "a") == 0);
  int first_random = std::rand();
  std::srand(1);
  assert(first_random == std::rand());
  zero = seven = local = calls() = 1;
  text += " and more";
  table[3] = text;
  setenv("HEDDLE_TEST", "set", 1);
  std::srand(99);
  std::thread a([] { table.erase(1); });
  a.join();
  std::thread b([] { std::this_thread::yield(); });
  std::this_thread::yield();
  b.join();
}
