// From the name of a function to its address in a file, through the symbol table, and what kind of
// function it is, through the debug information (libdw).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

struct NamedFunction {
  std::string name;      // "bank::balanced": without parameters and anonymous namespaces
  std::string source;    // file name, of functions that only their file knows; else ""
  uint64_t address = 0;  // as the file numbers it
};

struct FunctionKind {
  bool known = false;  // otherwise there is no debug information
  uint32_t parameters = 0;
  bool needs_object = false;  // a member function that is not static
  std::string result;         // type; "" for a function that returns nothing
  uint32_t result_bytes = 0;  // if it is a truth value or a whole number; else 0
};

class FunctionLookup {
 public:
  explicit FunctionLookup(const std::string& path);
  ~FunctionLookup();
  FunctionLookup(const FunctionLookup&) = delete;
  FunctionLookup& operator=(const FunctionLookup&) = delete;

  // All that `name` may mean: a C name, a mangled name, a C++ name with as many of its namespaces
  // as are needed to tell it from others, any of these behind "FILE:". A name that is complete
  // hides those that only end like it.
  std::vector<NamedFunction> find(std::string_view name) const;
  // Names like it, the most similar first, at most three.
  std::vector<std::string> similar(std::string_view name) const;
  FunctionKind kind_of(const NamedFunction& function);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heddle
