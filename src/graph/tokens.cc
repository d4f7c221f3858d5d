#include "graph/tokens.h"

#include "graph/words.h"
#include "model/finding.h"

namespace heddle::graph {
namespace {

// Longer ones first.
constexpr std::string_view kSymbols[] = {
    ">>u", "<=u", ">=u", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "<u", ">u",
    "/u",  "%u",  "+",   "-",  "*",  "/",  "%",  "&",  "|",  "^",  "~",  "!",  "<",
    ">",   "=",   "?",   ":",  ",",  ";",  "(",  ")",  "[",  "]",  "{",  "}",  "@"};

// Words with a hyphen in them, which elsewhere is a minus.
std::string_view hyphened_word(std::string_view at) {
  std::string_view found;
  const auto try_word = [&](std::string_view word) {
    if (word.find('-') == std::string_view::npos || !at.starts_with(word)) return;
    if (word.size() < at.size() && continues_name(at[word.size()])) return;
    if (word.size() > found.size()) found = word;
  };
  for (const ActionShape& shape : kActionShapes) try_word(shape.name);
  for (std::string_view word : kCellWords) try_word(word);
#define X(enumerator, name, severity) try_word(name);
  HEDDLE_FINDING_KINDS(X)
#undef X
  return found;
}

class Lexer {
 public:
  Lexer(std::string_view text, std::vector<Token>& tokens, TextError& error)
      : text_(text), tokens_(tokens), error_(error) {}

  bool run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        add(TokenKind::Newline, 1);
        ++line_;
        line_begin_ = at_;
      } else if (c == ' ' || c == '\t' || c == '\r') {
        ++at_;
      } else if (text_.substr(at_).starts_with("//")) {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (c >= '0' && c <= '9') {
        if (!number()) return false;
      } else if (c == '"') {
        if (!quoted()) return false;
      } else if (begins_name(c) ||
                 (c == '.' && at_ + 1 < text_.size() && begins_name(text_[at_ + 1]))) {
        name();
      } else if (!symbol()) {
        return fail(std::string("'") + c + "' means nothing here");
      }
    }
    add(TokenKind::Newline, 0);
    add(TokenKind::End, 0);
    return true;
  }

 private:
  Token& add(TokenKind kind, size_t length) {
    Token& token = tokens_.emplace_back();
    token.kind = kind;
    token.text = text_.substr(at_, length);
    token.line = line_;
    token.column = static_cast<uint32_t>(at_ - line_begin_ + 1);
    at_ += length;
    token.touches_next = at_ < text_.size() && text_[at_] != ' ' && text_[at_] != '\n';
    return token;
  }
  bool fail(std::string message) {
    error_ = {line_, static_cast<uint32_t>(at_ - line_begin_ + 1), std::move(message)};
    return false;
  }

  bool number() {
    size_t end = at_;
    const bool hex = text_.substr(at_).starts_with("0x");
    if (hex) end += 2;
    uint64_t value = 0;
    const auto digit = [&](char c) -> int {
      if (c >= '0' && c <= '9') return c - '0';
      if (hex && c >= 'a' && c <= 'f') return c - 'a' + 10;
      if (hex && c >= 'A' && c <= 'F') return c - 'A' + 10;
      return -1;
    };
    const uint64_t base = hex ? 16 : 10;
    for (; end < text_.size() && digit(text_[end]) >= 0; ++end) {
      const auto next = static_cast<uint64_t>(digit(text_[end]));
      if (value > (~uint64_t{0} - next) / base) return fail("the number is larger than 64 bits");
      value = value * base + next;
    }
    if (end < text_.size() && continues_name(text_[end]) && text_[end] != '.')
      return fail("a number goes on with a letter");
    add(TokenKind::Number, end - at_).number = value;
    return true;
  }

  bool quoted() {
    std::string inner;
    size_t end = at_ + 1;
    for (; end < text_.size() && text_[end] != '"'; ++end) {
      if (text_[end] == '\n') return fail("the line ends within quotes");
      const bool escaped = text_[end] == '\\' && end + 1 < text_.size();
      if (escaped) ++end;
      inner += escaped && text_[end] == 'n' ? '\n' : text_[end];
    }
    if (end >= text_.size()) return fail("the text ends within quotes");
    add(TokenKind::Quoted, end + 1 - at_).text = inner;
    return true;
  }

  void name() {
    if (const std::string_view word = hyphened_word(text_.substr(at_)); !word.empty()) {
      add(TokenKind::Name, word.size());
      return;
    }
    size_t end = at_ + 1;
    while (end < text_.size() && continues_name(text_[end])) ++end;
    add(TokenKind::Name, end - at_);
  }

  bool symbol() {
    for (std::string_view symbol : kSymbols) {
      if (!text_.substr(at_).starts_with(symbol)) continue;
      // The u of "<u" is no beginning of a name.
      const size_t end = at_ + symbol.size();
      if (symbol.back() == 'u' && end < text_.size() && continues_name(text_[end])) continue;
      if (symbol == ";")
        add(TokenKind::Newline, 1);
      else
        add(TokenKind::Symbol, symbol.size());
      return true;
    }
    return false;
  }

  std::string_view text_;
  std::vector<Token>& tokens_;
  TextError& error_;
  size_t at_ = 0, line_begin_ = 0;
  uint32_t line_ = 1;
};

}  // namespace

bool split_into_tokens(std::string_view text, std::vector<Token>& tokens, TextError& error) {
  return Lexer(text, tokens, error).run();
}

}  // namespace heddle::graph
