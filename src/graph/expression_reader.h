// Reads expressions: first as they are written, then with the widths of their numbers.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "graph/builder.h"
#include "graph/object_reader.h"
#include "graph/words.h"

namespace heddle::graph {

// An expression before the widths of its numbers are known.
struct Node {
  enum class Kind : uint8_t { Number, Expr, Not, Unary, Resize, Binary, And, Or, Select };
  Kind kind = Kind::Number;
  Operator op = Operator::Constant;
  uint64_t number = 0;
  uint32_t bits = 0;  // Number, Resize: as written; 0: to be told
  ExprId expr = kNoExpr;
  std::unique_ptr<Node> a, b, c;
  const Token* at = nullptr;
};
using NodePtr = std::unique_ptr<Node>;

class ExpressionReader : protected ObjectReader {
 protected:
  using ObjectReader::ObjectReader;

  RoutineBuilder& b() { return *builder_; }

  NodePtr node(Node::Kind kind, const Token& token) {
    auto made = std::make_unique<Node>();
    made->kind = kind;
    made->at = &token;
    return made;
  }

  NodePtr parse_select() {
    NodePtr condition = parse_binary(1);
    if (!now().is("?")) return condition;
    NodePtr made = node(Node::Kind::Select, next());
    made->a = std::move(condition);
    made->b = parse_select();
    expect(":");
    made->c = parse_select();
    return made;
  }

  struct Found {
    Node::Kind kind = Node::Kind::Binary;
    Operator op = Operator::Add;
    uint8_t binding = 0;
    bool swapped = false;
  };
  // The operator between two operands that stands here, if one does.
  std::optional<Found> operator_here() const {
    const Token& token = now();
    if (token.kind != TokenKind::Symbol) return std::nullopt;
    if (token.is("&&")) return Found{Node::Kind::And, Operator::And, 2};
    if (token.is("||")) return Found{Node::Kind::Or, Operator::Or, 1};
    const std::pair<const char*, Operator> swapped[] = {{">", Operator::SLess},
                                                        {">=", Operator::SLessEq},
                                                        {">u", Operator::ULess},
                                                        {">=u", Operator::ULessEq}};
    for (const auto& [text, op] : swapped)
      if (token.is(text)) return Found{Node::Kind::Binary, op, binding_of(op), true};
    for (size_t i = 0; i < kOperatorWords.size(); ++i)
      if (kOperatorWords[i].binding > 0 && token.is(kOperatorWords[i].text))
        return Found{Node::Kind::Binary, static_cast<Operator>(i), kOperatorWords[i].binding};
    return std::nullopt;
  }

  NodePtr parse_binary(uint8_t least) {
    NodePtr left = parse_unary();
    for (auto found = operator_here(); found.has_value() && found->binding >= least;
         found = operator_here()) {
      NodePtr made = node(found->kind, next());
      made->op = found->op;
      made->a = std::move(left);
      made->b = parse_binary(found->binding + 1);
      if (found->swapped) std::swap(made->a, made->b);
      left = std::move(made);
    }
    return left;
  }

  NodePtr parse_unary() {
    const Token& token = next();
    if (token.is("(")) {
      NodePtr inner = parse_select();
      expect(")");
      return inner;
    }
    if (token.is("!") || token.is("~") || token.is("-")) {
      NodePtr made = node(token.is("!") ? Node::Kind::Not : Node::Kind::Unary, token);
      made->op = token.is("~") ? Operator::Not : Operator::Negate;
      made->a = parse_unary();
      return made;
    }
    if (token.is("&")) {
      const uint64_t value = pointer(reference(), token);
      NodePtr made = node(Node::Kind::Number, token);
      made->number = value;
      made->bits = 64;
      return made;
    }
    if (token.kind == TokenKind::Number) {
      NodePtr made = node(Node::Kind::Number, token);
      made->number = token.number;
      if (now().is(":") && token.touches_next && tokens_[at_ + 1].kind == TokenKind::Number) {
        ++at_;
        made->bits = width();
      }
      return made;
    }
    return parse_word(token);
  }

  NodePtr parse_word(const Token& token) {
    if (token.is("null")) {
      NodePtr made = node(Node::Kind::Number, token);
      made->bits = 64;
      return made;
    }
    if (token.is("zext") || token.is("sext") || token.is("trunc")) {
      NodePtr made = node(Node::Kind::Resize, token);
      made->op = token.is("zext")   ? Operator::ZeroExtend
                 : token.is("sext") ? Operator::SignExtend
                                    : Operator::Truncate;
      expect("(");
      made->a = parse_select();
      expect(",");
      made->bits = width();
      expect(")");
      return made;
    }
    NodePtr made = node(Node::Kind::Expr, token);
    made->expr = b().read(find_register(token));
    return made;
  }

  RegisterId find_register(const Token& token) {
    if (token.kind != TokenKind::Name && token.kind != TokenKind::Quoted)
      fail(token, "a value is expected");
    const auto found = registers_.find(token.text);
    if (found == registers_.end()) fail(token, "there is no register " + token.text);
    return found->second;
  }

  // The width that the expression has by itself; 0: none.
  uint32_t own_width(const Node& n) const {
    switch (n.kind) {
      case Node::Kind::Number:
      case Node::Kind::Resize:
        return n.bits;
      case Node::Kind::Expr:
        return builder_->bits(n.expr);
      case Node::Kind::Not:
      case Node::Kind::And:
      case Node::Kind::Or:
        return 1;
      case Node::Kind::Unary:
        return own_width(*n.a);
      case Node::Kind::Binary:
        if (is_comparison(n.op)) return 1;
        return std::max(own_width(*n.a), own_width(*n.b));
      case Node::Kind::Select:
        return std::max(own_width(*n.b), own_width(*n.c));
    }
    return 0;
  }

  // `bits`: the width that is wanted, for numbers without one; 0: any.
  ExprId make(const Node& n, uint32_t bits) {
    switch (n.kind) {
      case Node::Kind::Number: {
        const uint32_t w = n.bits != 0 ? n.bits : bits != 0 ? bits : 32;
        if ((n.number & ~mask_of(w)) != 0)
          fail(*n.at,
               std::to_string(n.number) + " does not fit into " + std::to_string(w) + " bits");
        return b().constant(n.number, w);
      }
      case Node::Kind::Expr:
        return n.expr;
      case Node::Kind::Not: {
        const ExprId a = make(*n.a, 0);
        return b().binary(Operator::Equal, a, b().constant(0, b().bits(a)));
      }
      case Node::Kind::Unary:
        return b().unary(n.op, make(*n.a, bits));
      case Node::Kind::Resize: {
        const ExprId a = make(*n.a, 0);
        const bool narrows = n.op == Operator::Truncate;
        if (narrows ? b().bits(a) < n.bits : b().bits(a) > n.bits)
          fail(*n.at, "what has " + std::to_string(b().bits(a)) + " bits cannot be made to have " +
                          std::to_string(n.bits) + " by " + n.at->text);
        return b().resize(n.op, a, n.bits);
      }
      case Node::Kind::And:
      case Node::Kind::Or: {
        const ExprId left = b().truth(make(*n.a, 0));
        return b().binary(n.op, left, b().truth(make(*n.b, 0)));
      }
      case Node::Kind::Binary: {
        const auto [left, right] = pair(n, *n.a, *n.b, is_comparison(n.op) ? 0 : bits);
        return b().binary(n.op, left, right);
      }
      case Node::Kind::Select: {
        const ExprId condition = make(*n.a, 0);
        const auto [then, otherwise] = pair(n, *n.b, *n.c, bits);
        return b().select(condition, then, otherwise);
      }
    }
    return kNoExpr;
  }
  std::pair<ExprId, ExprId> pair(const Node& n, const Node& first, const Node& second,
                                 uint32_t bits) {
    const uint32_t own = std::max(own_width(first), own_width(second));
    if (own != 0) bits = own;
    const ExprId a = make(first, bits), c = make(second, bits);
    if (b().bits(a) != b().bits(c))
      fail(*n.at, "the operands of " + n.at->text + " have " + std::to_string(b().bits(a)) +
                      " and " + std::to_string(b().bits(c)) + " bits");
    return {a, c};
  }

  // `bits`: that it must have; 0: any.
  ExprId expression(uint32_t bits = 0) {
    const Token& token = now();
    const NodePtr parsed = parse_select();
    const ExprId made = make(*parsed, bits);
    if (bits != 0 && b().bits(made) != bits)
      fail(token, "the value has " + std::to_string(b().bits(made)) + " bits, not " +
                      std::to_string(bits));
    return made;
  }

  ExprId address() {
    element_bits_ = 0;
    if (accept("[")) {
      const ExprId made = expression(64);
      expect("]");
      return made;
    }
    const Token& token = now();
    const uint64_t base = pointer(reference(), token);
    if (!now().is("[") || !tokens_[at_ - 1].touches_next) return b().constant(base, 64);
    return element(base);
  }
  // Of an array, by an index that is computed: `slots[i + 1]`.
  ExprId element(uint64_t base) {
    const Token& token = next();
    const std::vector<Cell>& cells = program_.objects[(base >> 32) - 1].cells;
    if (cells.size() < 2) fail(token, "this is no array");
    const ExprId written = expression();
    expect("]");
    const ExprId index = b().resize(Operator::ZeroExtend, written, 64);
    element_bits_ = cells[0].kind == CellKind::Integer ? cells[0].bits : 0;
    const ExprId offset =
        b().binary(Operator::Mul, index, b().constant(cells[1].offset - cells[0].offset, 64));
    return b().binary(Operator::Add, b().constant(base, 64), offset);
  }
  // How wide the cell at the address is, if that is known.
  uint32_t width_at(ExprId address) {
    const Expr& expr = b().routine().exprs[index(address)];
    const uint64_t object = (expr.constant >> 32) - 1;
    if (expr.op != Operator::Constant || object >= program_.objects.size()) return element_bits_;
    for (const Cell& cell : program_.objects[object].cells)
      if (cell.offset == (expr.constant & 0xffffffff) && cell.kind == CellKind::Integer)
        return cell.bits;
    return 0;
  }

  // Of the routine that is being read.
  std::optional<RoutineBuilder> builder_;
  std::map<std::string, RegisterId> registers_;
  uint32_t element_bits_ = 0;  // of the array that the last address was of; 0: of none
};

}  // namespace heddle::graph
