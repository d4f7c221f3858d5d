#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "graph/builder.h"
#include "graph/check.h"
#include "graph/expression_reader.h"
#include "graph/text.h"
#include "graph/tokens.h"
#include "graph/words.h"

namespace heddle::graph {
namespace {

class Parser : ExpressionReader {
 public:
  Parser(const std::vector<Token>& tokens, Program& program, TextError& error)
      : ExpressionReader(tokens, program, error) {}

  void run() {
    find_routines();
    for (skip_lines(); now().kind != TokenKind::End; skip_lines()) top_level();
    resolve_pointers();
  }

 private:
  // Routines may be named before they are written.
  void find_routines() {
    for (size_t i = 0; i + 1 < tokens_.size(); ++i) {
      const bool begins = i == 0 || tokens_[i - 1].kind == TokenKind::Newline;
      if (!begins || !tokens_[i].is("routine")) continue;
      const std::string& routine = tokens_[i + 1].text;
      const auto number = static_cast<uint32_t>(routines_.size());
      if (!routines_.emplace(routine, number).second)
        fail(tokens_[i + 1], "there are two routines " + routine);
    }
    program_.routines.reserve(routines_.size());
  }

  void top_level() {
    const Token& word = next();
    if (word.is("program")) {
      program_.name = name("the program");
    } else if (word.is("threads")) {
      program_.max_threads = static_cast<uint32_t>(number("a number of threads", 1, 64));
    } else if (word.is("bound")) {
      program_.bounds.push_back(name("a bound"));
    } else if (word.is("array")) {
      array();
    } else if (word.is("object")) {
      object();
    } else if (word.is("site")) {
      site();
    } else if (word.is("routine")) {
      routine();
    } else if (const auto kind = cell_kind(word); kind.has_value()) {
      single(*kind);
    } else {
      fail(word, "'" + word.text + "' begins nothing that a program has");
    }
    end_line();
  }

  void routine() {
    Routine& made = program_.routines.emplace_back();
    builder_.emplace(made);
    registers_.clear();
    labels_.clear();
    targets_.clear();
    block_.reset();
    fresh_ = false;
    made.name = name("a routine");
    expect("(");
    if (!now().is(")")) made.parameter = declare();
    expect(")");
    expect("{");
    end_of_head();
    for (skip_lines(); !now().is("}"); end_line()) {
      if (now().kind == TokenKind::End)
        fail(now(), "the routine " + made.name + " does not end: '}' is expected");
      line();
    }
    const Token& end = next();
    if (block_.has_value()) b().finish(*block_);
    if (made.blocks.empty()) fail(end, "the routine " + made.name + " has no block");
    for (const auto& [text, label] : labels_)
      if (!label.placed) fail(*label.at, "there is no block " + text);
  }
  void end_of_head() {
    if (now().kind != TokenKind::Newline) fail(now(), "the line should end here");
  }

  RegisterId declare() {
    const Token& token = now();
    const std::string text = name("a register");
    expect(":");
    const RegisterId made = b().add_register(text, width());
    if (!registers_.emplace(text, made).second) fail(token, "there are two registers " + text);
    return made;
  }

  struct Label {
    BlockId block{0};
    bool placed = false;
    const Token* at = nullptr;
  };
  // Blocks are numbered where they stand, not where they are first named.
  struct Target {
    BlockId from;
    bool otherwise;
    std::string label;
  };

  BlockId here(const Token& token) {
    if (!block_.has_value()) {
      if (!b().routine().blocks.empty()) fail(token, "nothing leads here: a label is expected");
      block_ = b().add_block();
      fresh_ = true;
    }
    return *block_;
  }

  void line() {
    const Token& token = now();
    const bool names = token.kind == TokenKind::Name || token.kind == TokenKind::Quoted;
    if (names && tokens_[at_ + 1].is(":")) return label();
    if (token.is("reg")) {
      ++at_;
      declare();
      while (accept(",")) declare();
      return;
    }
    if (token.is("goto") || token.is("if") || token.is("return") || token.is("exit") ||
        token.is("cut"))
      return jump();
    if (token.is("assume") || token.is("assert") || token.is("release")) return statement();
    if (token.is("own") || (token.kind == TokenKind::Name && action_from_word(token.text)))
      return action(kNoRegister, kNoRegister);
    assignment();
  }

  void label() {
    const Token& token = next();
    ++at_;
    Label& known = labels_.try_emplace(token.text, Label{BlockId{0}, false, &token}).first->second;
    if (known.placed) fail(token, "there are two blocks " + token.text);
    const BlockId made = b().add_block(token.text);
    if (block_.has_value()) b().jump(*block_, made);
    known.placed = true;
    known.block = made;
    block_ = made;
    fresh_ = true;
    for (const Target& target : targets_[token.text]) lead(target.from, target.otherwise, made);
    targets_.erase(token.text);
  }
  void lead(BlockId from, bool otherwise, BlockId to) {
    (otherwise ? b().block(from).jump.otherwise : b().block(from).jump.then) = to;
  }
  void jump_to(BlockId from, bool otherwise) {
    const Token& token = now();
    const std::string text = name("a block");
    Label& known = labels_.try_emplace(text, Label{BlockId{0}, false, &token}).first->second;
    if (known.placed)
      lead(from, otherwise, known.block);
    else
      targets_[text].push_back({from, otherwise, text});
  }

  void jump() {
    const Token& word = next();
    const BlockId from = here(word);
    Jump made;
    if (word.is("goto") || word.is("if")) {
      made.kind = word.is("if") ? JumpKind::Branch : JumpKind::Goto;
      if (word.is("if")) {
        made.condition = expression();
        expect("goto");
      }
      b().block(from).jump = made;
      jump_to(from, false);
      if (word.is("if")) {
        if (accept("else")) {
          jump_to(from, true);
        } else {  // it goes on with what follows
          const Place where = place();
          const BlockId next_block = b().add_block();
          lead(from, true, next_block);
          b().block(from).jump.place = where;
          block_ = next_block;
          fresh_ = true;
          return;
        }
      }
    } else if (word.is("cut")) {
      made.kind = JumpKind::Cut;
      made.bound = bound();
      b().block(from).jump = made;
    } else {
      made.kind = word.is("return") ? JumpKind::Return : JumpKind::Exit;
      if (now().kind != TokenKind::Newline && !now().is("@") && !now().is("}"))
        made.condition = expression();
      b().block(from).jump = made;
    }
    b().block(from).jump.place = place();
    block_.reset();
  }
  uint32_t bound() {
    if (now().kind == TokenKind::Quoted) {
      const std::string text = next().text;
      const auto found = std::find(program_.bounds.begin(), program_.bounds.end(), text);
      const auto at = static_cast<uint32_t>(found - program_.bounds.begin());
      if (found == program_.bounds.end()) program_.bounds.push_back(text);
      return at;
    }
    return static_cast<uint32_t>(number("the number of a bound", 0, 0xffffffff));
  }

  void statement() {
    const Token& word = next();
    const BlockId at = here(word);
    Statement made;
    made.kind = word.is("assume")   ? StatementKind::Assume
                : word.is("assert") ? StatementKind::Assert
                                    : StatementKind::Release;
    made.value = expression(word.is("release") ? 64 : 0);
    while (word.is("assert") && accept(",")) {
      const Token& token = next();
      const auto kind = finding_kind_from_name(token.text);
      if (token.kind == TokenKind::Quoted)
        made.message = token.text;
      else if (kind.has_value())
        made.failure = *kind;
      else
        fail(token, "a message in quotes, or a kind of finding, is expected");
    }
    made.place = place();
    b().block(at).statements.push_back(made);
    fresh_ = false;
  }

  void assignment() {
    const Token& token = next();
    const bool nothing = token.is("_");
    const RegisterId into = nothing ? kNoRegister : find_register(token);
    RegisterId second = kNoRegister;
    if (accept(",")) second = find_register(next());
    expect("=");
    if (now().is("own") || (now().kind == TokenKind::Name && action_from_word(now().text)))
      return action(into, second);
    if (nothing || second != kNoRegister) fail(now(), "an action is expected");
    const BlockId at = here(token);
    Statement made;
    made.into = into;
    if (accept("input")) {
      made.kind = StatementKind::Input;
    } else if (accept("self")) {
      made.kind = StatementKind::Self;
    } else if (accept("allocate")) {
      made.kind = StatementKind::Allocate;
      const Token& where = now();
      const auto found = sites_.find(name("a site"));
      if (found == sites_.end()) fail(where, "there is no site " + where.text);
      made.site = static_cast<uint32_t>(found->second);
      if (accept("if")) made.value = expression();
    } else {
      made.value = expression(b().routine().registers[index(into)].bits);
    }
    made.place = place();
    b().block(at).statements.push_back(made);
    fresh_ = false;
  }

  void action(RegisterId into, RegisterId second_into) {
    const Token& first = now();
    Action made;
    made.own = accept("own");
    const Token& word = next();
    const auto kind = action_from_word(word.text);
    if (!kind.has_value()) fail(word, "an action is expected");
    made.kind = *kind;
    made.into = into;
    made.second_into = second_into;
    const ActionShape& shape = shape_of(*kind);
    check_results(shape, word, into, second_into);
    operands(shape, made);
    made.place = place();
    BlockId at = here(first);
    if (!fresh_ || b().block(at).action.kind != ActionKind::None) {
      const BlockId next_block = b().add_block();
      b().jump(at, next_block);
      at = next_block;
    }
    b().block(at).action = made;
    block_ = at;
    fresh_ = false;
  }
  void check_results(const ActionShape& shape, const Token& word, RegisterId into,
                     RegisterId second) {
    if (shape.into == Needs::Always && into == kNoRegister)
      fail(word, word.text + " needs a register for its result");
    if ((shape.into == Needs::Never && into != kNoRegister) ||
        (shape.second_into == Needs::Never && second != kNoRegister))
      fail(word, word.text + " has no such result");
  }

  void operands(const ActionShape& shape, Action& made) {
    bool any = false;
    const auto separate = [&] {
      if (any) expect(",");
      any = true;
    };
    const auto more = [&] {
      return any ? now().is(",") : !now().is("@") && now().kind != TokenKind::Newline;
    };
    if (made.kind == ActionKind::Create) {
      separate();
      const Token& token = now();
      const auto found = routines_.find(name("a routine"));
      if (found == routines_.end()) fail(token, "there is no routine " + token.text);
      made.routine = RoutineId{found->second};
    }
    if (shape.address == Needs::Always) {
      separate();
      made.address = address();
    }
    uint32_t bits = 0;
    if (shape.sized) {
      bits = width_at(made.address);
      if (made.into != kNoRegister) bits = b().routine().registers[index(made.into)].bits;
    }
    if (shape.second == Needs::Always) {
      separate();
      made.second = shape.sized ? expression(bits) : address();
      if (shape.sized) bits = b().bits(made.second);
    }
    if (shape.value == Needs::Always || (shape.value == Needs::Maybe && more())) {
      separate();
      made.value = expression(shape.sized ? bits : shape.value_bits);
      if (shape.sized) bits = b().bits(made.value);
    }
    if (shape.sized) made.bits = static_cast<uint8_t>(bits);
  }

  std::map<std::string, uint32_t> routines_;
  // Of the routine that is being read.
  std::map<std::string, Label> labels_;
  std::map<std::string, std::vector<Target>> targets_;
  std::optional<BlockId> block_;  // none after a jump
  bool fresh_ = false;            // the block has only a label so far
};

}  // namespace

std::string to_string(const TextError& error) {
  if (error.line == 0) return error.message;
  return std::to_string(error.line) + ":" + std::to_string(error.column) + ": " + error.message;
}

bool parse_text(std::string_view text, Program& program, TextError& error) {
  std::vector<Token> tokens;
  if (!split_into_tokens(text, tokens, error)) return false;
  program = Program();
  try {
    Parser(tokens, program, error).run();
  } catch (const Failed&) {
    return false;
  }
  const std::vector<std::string> problems = problems_of(program);
  if (!problems.empty()) error = {0, 0, problems.front()};
  return problems.empty();
}

}  // namespace heddle::graph
