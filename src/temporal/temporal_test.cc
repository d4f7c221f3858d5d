#include <gtest/gtest.h>

#include "base/random.h"
#include "temporal/automaton.h"
#include "temporal/fair_loop.h"
#include "temporal/lasso.h"
#include "temporal/parse.h"

namespace heddle::temporal {
namespace {

// The product of an automaton and a lasso: a node is a letter and a state that it fits.
class LassoProduct {
 public:
  LassoProduct(const Automaton& automaton, const Lasso& lasso)
      : automaton_(automaton), lasso_(lasso) {
    for (uint32_t state : automaton.initial)
      if (automaton.states[state].fits(lasso.letters[0])) initial_.push_back(node(0, state));
  }
  const std::vector<uint32_t>& initial() { return initial_; }
  void edges(uint32_t from, std::vector<Edge>& into) {
    const size_t letter = from / automaton_.states.size();
    const AutomatonState& state = automaton_.states[from % automaton_.states.size()];
    const size_t next = letter + 1 < lasso_.letters.size() ? letter + 1 : lasso_.loop;
    for (uint32_t successor : state.successors)
      if (automaton_.states[successor].fits(lasso_.letters[next]))
        into.push_back({node(next, successor), state.acceptance, 0});
  }
  bool stopped() { return false; }

 private:
  uint32_t node(size_t letter, uint32_t state) const {
    return static_cast<uint32_t>(letter * automaton_.states.size() + state);
  }
  const Automaton& automaton_;
  const Lasso& lasso_;
  std::vector<uint32_t> initial_;
};

FormulaId random_formula(Formulas& formulas, Random& random, int depth) {
  const auto inner = [&] { return random_formula(formulas, random, depth - 1); };
  if (depth == 0) return formulas.atom(std::string(1, static_cast<char>('a' + random.below(3))));
  switch (random.below(8)) {
    case 0:
      return formulas.negation(inner());
    case 1:
      return formulas.conjunction(inner(), inner());
    case 2:
      return formulas.disjunction(inner(), inner());
    case 3:
      return formulas.next(inner());
    case 4:
      return formulas.until(inner(), inner());
    case 5:
      return formulas.release(inner(), inner());
    case 6:
      return formulas.always(inner());
    default:
      return formulas.eventually(inner());
  }
}

Lasso random_lasso(Random& random) {
  Lasso lasso;
  lasso.letters.resize(1 + random.below(6));
  for (uint64_t& letter : lasso.letters) letter = random.below(8);
  lasso.loop = random.below(lasso.letters.size());
  return lasso;
}

TEST(Automaton, AcceptsWhatTheDefinitionSays) {
  int accepted = 0, words = 0;
  for (uint64_t seed = 1; seed <= 600; ++seed) {
    Random random(seed);
    Formulas formulas;
    formulas.atom("a"), formulas.atom("b"), formulas.atom("c");
    const FormulaId formula =
        formulas.normal_form(random_formula(formulas, random, 1 + static_cast<int>(seed % 4)));
    const Automaton automaton = automaton_of(formulas, formula);
    for (int i = 0; i < 10; ++i) {
      const Lasso lasso = random_lasso(random);
      LassoProduct product(automaton, lasso);
      const FairLoop loop = find_fair_loop(product, (uint64_t{1} << automaton.acceptance_sets) - 1);
      EXPECT_EQ(loop.found, holds(formulas, formula, lasso))
          << formulas.text(formula) << ", seed " << seed;
      accepted += loop.found ? 1 : 0;
      ++words;
    }
  }
  EXPECT_GT(accepted, words / 5);
  EXPECT_LT(accepted, words * 4 / 5);
}

TEST(Automaton, LoopsShowAllMarks) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    Formulas formulas;
    formulas.atom("a"), formulas.atom("b"), formulas.atom("c");
    const FormulaId formula = formulas.normal_form(random_formula(formulas, random, 3));
    const Automaton automaton = automaton_of(formulas, formula);
    const Lasso lasso = random_lasso(random);
    LassoProduct product(automaton, lasso);
    const uint64_t all = (uint64_t{1} << automaton.acceptance_sets) - 1;
    const FairLoop loop = find_fair_loop(product, all);
    if (!loop.found) continue;
    uint64_t marks = 0;
    uint32_t at = loop.initial;
    std::vector<Edge> edges;
    const auto follow = [&](const Edge& edge) {
      edges.clear();
      product.edges(at, edges);
      EXPECT_TRUE(std::ranges::any_of(edges, [&](const Edge& each) { return each.to == edge.to; }));
      at = edge.to;
    };
    for (const Edge& edge : loop.prefix) follow(edge);
    const uint32_t first = at;
    for (const Edge& edge : loop.loop) {
      follow(edge);
      marks |= edge.marks;
    }
    EXPECT_EQ(at, first);
    EXPECT_EQ(marks & all, all);
    EXPECT_FALSE(loop.loop.empty());
  }
}

TEST(Lasso, NegationIsTheOpposite) {
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    Random random(seed);
    Formulas formulas;
    const FormulaId formula = random_formula(formulas, random, 4);
    const Lasso lasso = random_lasso(random);
    const bool truth = holds(formulas, formula, lasso);
    EXPECT_EQ(holds(formulas, formulas.normal_form(formula), lasso), truth);
    EXPECT_EQ(holds(formulas, formulas.normal_form(formula, true), lasso), !truth);
  }
}

std::string parsed(std::string_view text) {
  Formulas formulas;
  FormulaId formula{};
  const std::optional<SyntaxError> error = parse(text, formulas, formula);
  if (error) return "column " + std::to_string(error->column) + ": " + error->message;
  return formulas.text(formula);
}

TEST(Parse, OperatorsBindAsUsual) {
  EXPECT_EQ(parsed("G (request -> F granted)"), "(false R ((true U granted) || !(request)))");
  EXPECT_EQ(parsed("a && b || c"), parsed("(a && b) || c"));
  EXPECT_EQ(parsed("a U b U c"), parsed("a U (b U c)"));
  EXPECT_EQ(parsed("! a && b"), parsed("(!a) && b"));
  EXPECT_EQ(parsed("a -> b -> c"), parsed("a -> (b -> c)"));
  EXPECT_EQ(parsed("a W b"), "(b R (a || b))");
  EXPECT_EQ(parsed("x==1 U y[2].z < -3"), "(x == 1 U y[2].z < -3)");
  EXPECT_EQ(parsed("F at(1, 12)"), "(true U at(1,12))");
}

TEST(Parse, MistakesAreNamed) {
  EXPECT_EQ(parsed("G (a"), "column 5: a closing parenthesis is missing");
  EXPECT_EQ(parsed("a b"), "column 3: an operator or the end is expected here");
  EXPECT_EQ(parsed(""), "column 1: the formula ends where a proposition is expected");
  EXPECT_EQ(parsed("a && )"), "column 6: a proposition is expected here");
  EXPECT_EQ(parsed("x."), "column 3: the name of a member is expected here");
  EXPECT_EQ(parsed("x[1"), "column 4: a closing bracket is missing");
  EXPECT_EQ(parsed(std::string(100'000, '(')), "column 501: the formula is nested too deeply");
}

}  // namespace
}  // namespace heddle::temporal
