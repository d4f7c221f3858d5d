// The typed forms: of a list, of a range, with the type of the result.
//
// FLAGS: -std=c++17
// RUN: --strategy=dfs
// EXPECT: pass
// EXECUTIONS: 12
// RUN: --strategy=dfs --keep-going
// FLAGS: -DWRONG
// EXPECT: fail assertion
// FINDINGS: 1
// RUN: --strategy=dfs
// DOOR: preload
// EXPECT: pass
// EXECUTIONS: 12
#include <heddle/heddle.h>

#include <string>
#include <vector>

int main() {
  const std::vector<std::string> words = {"warp", "weft", "shed"};
  const int number = heddle::choose({3, 5});
  const std::string word = heddle::choose(words);
  const double real = heddle::choose<double>(std::vector<int>{1, 2});
  heddle_assert(number == 3 || number == 5);
  heddle_assert(word.size() == 4 && real >= 1 && real <= 2);
#ifdef WRONG
  heddle_assert(!(number == 5 && word == "shed" && real == 2));
#endif
}
