// The text form of a program graph, word by word.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/text.h"

namespace heddle::graph {

enum class TokenKind : uint8_t { Name, Quoted, Number, Symbol, Newline, End };

struct Token {
  TokenKind kind = TokenKind::End;
  std::string text;     // of a quoted one without the quotes
  uint64_t number = 0;  // of a number
  uint32_t line = 0, column = 0;
  bool touches_next = false;  // nothing stands between it and the next one

  bool is(std::string_view symbol) const {
    return (kind == TokenKind::Symbol || kind == TokenKind::Name) && text == symbol;
  }
};

// False if there is something that is no word.
bool split_into_tokens(std::string_view text, std::vector<Token>& tokens, TextError& error);

}  // namespace heddle::graph
