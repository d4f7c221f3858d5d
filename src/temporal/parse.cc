#include "temporal/parse.h"

#include <array>
#include <cctype>
#include <utility>
#include <vector>

namespace heddle::temporal {
namespace {

// Binary operators, from those that bind loosest.
enum class Binary : uint8_t { Iff, Implies, Or, And, Until, Release, WeakUntil };

struct BinaryRow {
  std::string_view word;
  Binary meaning;
  int binding;
  bool to_the_right;
};

constexpr std::array<BinaryRow, 7> kBinary{{
    {"<->", Binary::Iff, 1, true},
    {"->", Binary::Implies, 2, true},
    {"||", Binary::Or, 3, false},
    {"&&", Binary::And, 4, false},
    {"U", Binary::Until, 5, true},
    {"R", Binary::Release, 5, true},
    {"W", Binary::WeakUntil, 5, true},
}};

constexpr std::string_view kComparisons[] = {"==", "!=", "<=", ">=", "<", ">"};

enum class TokenKind : uint8_t { Word, Number, Sign, End };

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;
  size_t column = 0;
};

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::vector<Token> tokens_of(std::string_view text) {
  static constexpr std::string_view kLong[] = {"<->", "->", "||", "&&", "==", "!=", "<=", ">="};
  std::vector<Token> tokens;
  for (size_t at = 0; at < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
      continue;
    }
    Token token{TokenKind::Sign, text.substr(at, 1), at + 1};
    if (in_word(text[at])) {
      size_t end = at;
      while (end < text.size() && in_word(text[end])) ++end;
      const bool number = std::isdigit(static_cast<unsigned char>(text[at])) != 0;
      token = {number ? TokenKind::Number : TokenKind::Word, text.substr(at, end - at), at + 1};
    } else {
      for (std::string_view sign : kLong)
        if (text.substr(at).starts_with(sign) && sign.size() > token.text.size())
          token.text = text.substr(at, sign.size());
    }
    tokens.push_back(token);
    at += token.text.size();
  }
  tokens.push_back({TokenKind::End, "", text.size() + 1});
  return tokens;
}

class Parser {
 public:
  Parser(std::string_view text, Formulas& formulas) : tokens_(tokens_of(text)), made_(formulas) {}

  std::optional<SyntaxError> run(FormulaId& into) {
    into = formula(0);
    if (!error_ && now().kind != TokenKind::End)
      complain("an operator or the end is expected here");
    return error_;
  }

 private:
  const Token& now() const { return tokens_[at_]; }
  bool is(std::string_view text) const {
    return now().kind != TokenKind::End && now().text == text;
  }
  void advance() {
    if (now().kind != TokenKind::End) ++at_;
  }
  bool take(std::string_view text) {
    if (!is(text)) return false;
    advance();
    return true;
  }
  void complain(std::string message) {
    if (!error_) error_ = SyntaxError{now().column, std::move(message)};
    at_ = tokens_.size() - 1;
  }

  // A formula whose binary operators bind at least so tightly.
  FormulaId formula(int binding) {
    FormulaId left = unary();
    while (const BinaryRow* row = binary()) {
      if (row->binding < binding) break;
      advance();
      const FormulaId right = formula(row->to_the_right ? row->binding : row->binding + 1);
      left = combine(row->meaning, left, right);
    }
    return left;
  }

  const BinaryRow* binary() const {
    for (const BinaryRow& row : kBinary)
      if (is(row.word)) return &row;
    return nullptr;
  }

  FormulaId combine(Binary meaning, FormulaId left, FormulaId right) {
    switch (meaning) {
      case Binary::Iff:
        return made_.disjunction(made_.conjunction(left, right),
                                 made_.conjunction(made_.negation(left), made_.negation(right)));
      case Binary::Implies:
        return made_.disjunction(made_.negation(left), right);
      case Binary::Or:
        return made_.disjunction(left, right);
      case Binary::And:
        return made_.conjunction(left, right);
      case Binary::Until:
        return made_.until(left, right);
      case Binary::Release:
        return made_.release(left, right);
      case Binary::WeakUntil:
        return made_.release(right, made_.disjunction(left, right));
    }
    return left;
  }

  FormulaId unary() {
    if (++depth_ > kDeepest) complain("the formula is nested too deeply");
    const FormulaId made = unary_here();
    --depth_;
    return made;
  }

  FormulaId unary_here() {
    if (take("!")) return made_.negation(unary());
    if (take("G")) return made_.always(unary());
    if (take("F")) return made_.eventually(unary());
    if (take("X")) return made_.next(unary());
    if (take("true")) return made_.truth(true);
    if (take("false")) return made_.truth(false);
    if (is("(")) {
      advance();
      const FormulaId inner = formula(0);
      if (!take(")")) complain("a closing parenthesis is missing");
      return inner;
    }
    return proposition();
  }

  FormulaId proposition() {
    std::string text = operand();
    for (std::string_view sign : kComparisons)
      if (take(sign)) {
        text += " " + std::string(sign) + " " + operand();
        break;
      }
    return error_ ? made_.truth(true) : made_.atom(text);
  }

  // A number, or a name with members, elements or arguments.
  std::string operand() {
    std::string text;
    if (take("-")) text = "-";
    if (now().kind != TokenKind::Number && now().kind != TokenKind::Word) {
      complain(now().kind == TokenKind::End ? "the formula ends where a proposition is expected"
                                            : "a proposition is expected here");
      return text;
    }
    text += std::string(now().text);
    advance();
    while (is(".") || is("[") || is("(")) {
      if (take(".")) {
        text += "." + std::string(now().text);
        if (now().kind != TokenKind::Word) complain("the name of a member is expected here");
        advance();
        continue;
      }
      const bool call = is("(");
      advance();
      text += call ? "(" : "[";
      text += operand();
      while (call && take(",")) text += "," + operand();
      if (!take(call ? ")" : "]"))
        complain(call ? "a closing parenthesis is missing" : "a closing bracket is missing");
      text += call ? ")" : "]";
    }
    return text;
  }

  static constexpr int kDeepest = 500;

  std::vector<Token> tokens_;
  Formulas& made_;
  size_t at_ = 0;
  int depth_ = 0;
  std::optional<SyntaxError> error_;
};

}  // namespace

std::optional<SyntaxError> parse(std::string_view text, Formulas& formulas, FormulaId& into) {
  return Parser(text, formulas).run(into);
}

}  // namespace heddle::temporal
