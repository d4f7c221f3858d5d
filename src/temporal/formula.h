// Formulas of linear temporal logic, in negation normal form or not; equal ones are one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace heddle::temporal {

enum class FormulaId : uint32_t {};
constexpr uint32_t index(FormulaId id) {
  return static_cast<uint32_t>(id);
}

enum class Connective : uint8_t { True, False, Atom, Not, And, Or, Next, Until, Release };

struct Formula {
  Connective connective = Connective::True;
  uint32_t atom = 0;          // Atom: into Formulas::atoms
  FormulaId left{}, right{};  // of Not and Next: left
};

class Formulas {
 public:
  FormulaId truth(bool value);
  FormulaId atom(const std::string& text);
  FormulaId negation(FormulaId of);
  FormulaId conjunction(FormulaId left, FormulaId right);
  FormulaId disjunction(FormulaId left, FormulaId right);
  FormulaId next(FormulaId of);
  FormulaId until(FormulaId left, FormulaId right);
  FormulaId release(FormulaId left, FormulaId right);
  FormulaId eventually(FormulaId of) { return until(truth(true), of); }
  FormulaId always(FormulaId of) { return release(truth(false), of); }

  // The same (or, if `negate`, its opposite) with negations at atoms only.
  FormulaId normal_form(FormulaId of, bool negate = false);
  // Without Next it cannot tell how often a state is repeated.
  bool has_next(FormulaId of) const;

  const Formula& operator[](FormulaId id) const { return formulas_[index(id)]; }
  const std::vector<std::string>& atoms() const { return atoms_; }
  size_t size() const { return formulas_.size(); }
  std::string text(FormulaId of) const;

 private:
  FormulaId intern(Formula formula);

  std::vector<Formula> formulas_;
  std::map<std::tuple<Connective, uint32_t, FormulaId, FormulaId>, FormulaId> known_;
  std::vector<std::string> atoms_;
};

}  // namespace heddle::temporal
