// Races that the user does not want to hear of, in the format of ThreadSanitizer: one per line,
// "race:PATTERN" or "race_top:PATTERN"; "#" begins a comment. A pattern is part of the name of a
// function, source file, module or variable; "*" stands for anything, "^" and "$" for the ends.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/result.h"
#include "trace/trace.h"

namespace heddle {

class Suppressions {
 public:
  static Result<Suppressions> read(const std::string& file);
  static Result<Suppressions> parse(std::string_view text, const std::string& file);

  bool empty() const { return rules_.empty(); }
  // A data race, a misuse of a lock or a deadlock, by one of its stacks or its variable.
  bool covers(const Trace& trace) const;

 private:
  struct Rule {
    std::string_view kind;  // as written in the file
    std::string pattern;
  };
  std::vector<Rule> rules_;
};

bool matches(std::string_view pattern, std::string_view name);

}  // namespace heddle
