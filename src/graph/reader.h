// Goes through the words of a text, one after the other.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "graph/tokens.h"

namespace heddle::graph {

struct Failed {};  // thrown where the text is wrong; ends in parse_text

class Reader {
 protected:
  Reader(const std::vector<Token>& tokens, Program& program, TextError& error)
      : tokens_(tokens), program_(program), error_(error) {}

  const Token& now() const { return tokens_[at_]; }
  const Token& next() { return tokens_[at_++]; }
  [[noreturn]] void fail(const Token& token, std::string message) {
    error_ = {token.line, token.column, std::move(message)};
    throw Failed();
  }
  bool accept(std::string_view symbol) {
    if (!now().is(symbol)) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view symbol) {
    if (!accept(symbol)) fail(now(), "'" + std::string(symbol) + "' is expected");
  }
  void skip_lines() {
    while (now().kind == TokenKind::Newline) ++at_;
  }
  void end_line() {
    if (now().kind != TokenKind::Newline && !now().is("}")) fail(now(), "the line should end here");
    skip_lines();
  }
  std::string name(const char* what) {
    const Token& token = next();
    if (token.kind != TokenKind::Name && token.kind != TokenKind::Quoted)
      fail(token, std::string("the name of ") + what + " is expected");
    return token.text;
  }
  uint64_t number(const char* what, uint64_t least, uint64_t most) {
    const Token& token = next();
    if (token.kind != TokenKind::Number) fail(token, std::string(what) + " is expected");
    if (token.number < least || token.number > most)
      fail(token, std::string(what) + " is not one of " + std::to_string(least) + " to " +
                      std::to_string(most));
    return token.number;
  }
  uint8_t width() { return static_cast<uint8_t>(number("a number of bits", 1, 64)); }

  Place place() {
    if (!accept("@")) return {};
    const std::string file = name("a file");
    Place place;
    place.file = static_cast<uint32_t>(
        std::find(program_.files.begin(), program_.files.end(), file) - program_.files.begin());
    if (place.file == program_.files.size()) program_.files.push_back(file);
    expect(":");
    place.line = static_cast<uint32_t>(number("a line", 1, 0xffffffff));
    if (accept(":")) place.column = static_cast<uint32_t>(number("a column", 1, 0xffffffff));
    return place;
  }

  const std::vector<Token>& tokens_;
  Program& program_;
  TextError& error_;
  size_t at_ = 0;
};

}  // namespace heddle::graph
