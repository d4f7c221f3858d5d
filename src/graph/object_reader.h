// Reads the objects of a program: globals, arrays, locks, allocation sites.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/builder.h"
#include "graph/reader.h"
#include "graph/words.h"

namespace heddle::graph {

class ObjectReader : protected Reader {
 protected:
  using Reader::Reader;

  static std::optional<CellKind> cell_kind(const Token& token) {
    for (size_t i = 0; i < kCellWords.size(); ++i)
      if (token.is(kCellWords[i])) return static_cast<CellKind>(i);
    return std::nullopt;
  }

  Object& new_object() {
    const Token& token = now();
    const std::string text = name("an object");
    if (!objects_.emplace(text, program_.objects.size()).second)
      fail(token, "there are two objects " + text);
    Object& made = program_.objects.emplace_back();
    made.name = text;
    return made;
  }

  void initial(Cell& cell) {
    if (accept("&")) {
      fixups_.push_back(
          {program_.objects.size() - 1, program_.objects.back().cells.size() - 1, "", &now()});
      fixups_.back().name = reference();
      return;
    }
    const uint64_t most = cell.kind == CellKind::Integer   ? mask_of(cell.bits)
                          : cell.kind == CellKind::Barrier ? 255
                                                           : 65534;
    cell.initial = number("a value that fits", 0, most);
  }

  void single(CellKind kind) {
    Object& made = new_object();
    Cell& cell = made.cells.emplace_back();
    cell.kind = kind;
    made.size = kSyncBytes;
    if (kind == CellKind::Integer) {
      expect(":");
      cell.bits = width();
      made.size = bytes_of(cell.bits);
    }
    if (accept("=")) initial(cell);
    made.place = place();
  }

  void array() {
    const Object& made = new_object();
    const size_t number_of_it = program_.objects.size() - 1;
    expect(":");
    const std::optional<CellKind> kind = cell_kind(now());
    if (kind.has_value()) ++at_;
    const uint8_t bits = kind.has_value() ? 32 : width();
    expect("[");
    const auto count = static_cast<uint32_t>(number("a number of elements", 1, 1u << 20));
    expect("]");
    const std::string text = made.name;
    program_.objects.pop_back();
    if (kind.has_value())
      add_sync_array(program_, text, count, *kind);
    else
      add_array(program_, text, count, bits);
    Object& array = program_.objects[number_of_it];
    if (accept("=")) {
      std::vector<Cell> cells = std::move(array.cells);
      array.cells.clear();
      for (uint32_t i = 0; i < count; ++i) {
        array.cells.push_back(cells[i]);
        if (i > 0 && !accept(",")) {
          array.cells.insert(array.cells.end(), cells.begin() + i + 1, cells.end());
          break;
        }
        initial(array.cells.back());
      }
    }
    array.place = place();
  }

  ObjectKind object_kind() {
    const Token& token = next();
    for (size_t i = 0; i < kObjectWords.size(); ++i)
      if (token.is(kObjectWords[i])) return static_cast<ObjectKind>(i);
    fail(token, "global, heap or stack is expected");
  }

  void object() {
    Object& made = new_object();
    made.kind = object_kind();
    made.size = static_cast<uint32_t>(number("a number of bytes", 0, 1u << 24));
    made.constant = accept("const");
    made.place = place();
    expect("{");
    for (skip_lines(); !accept("}"); end_line()) {
      Cell& cell = made.cells.emplace_back();
      cell.name = now().kind == TokenKind::Quoted ? next().text : reference();
      expect(":");
      if (now().kind == TokenKind::Number) {
        cell.bits = width();
      } else if (const auto kind = cell_kind(now()); kind.has_value()) {
        ++at_;
        cell.kind = *kind;
      } else {
        fail(now(), "a number of bits, or what kind of thing it is, is expected");
      }
      expect("at");
      cell.offset = static_cast<uint32_t>(number("an offset", 0, 1u << 24));
      if (accept("=")) initial(cell);
      cell.initialised = !accept("uninitialised");
    }
  }

  void site() {
    Site made;
    const Token& token = now();
    made.name = name("a site");
    if (!sites_.emplace(made.name, program_.sites.size()).second)
      fail(token, "there are two sites " + made.name);
    made.kind = object_kind();
    made.place = place();
    expect("{");
    for (skip_lines(); !accept("}"); end_line()) {
      const uint64_t slot = number("the number of a thread", 0, 63);
      expect(":");
      if (made.objects.size() <= slot) made.objects.resize(slot + 1);
      while (now().kind == TokenKind::Name || now().kind == TokenKind::Quoted) {
        const auto found = objects_.find(now().text);
        if (found == objects_.end()) fail(now(), "there is no object " + now().text);
        made.objects[slot].push_back(ObjectId{static_cast<uint32_t>(found->second)});
        ++at_;
      }
    }
    program_.sites.push_back(std::move(made));
  }

  // The name of an object, or of a cell of one: "queue.slots[3]".
  std::string reference() {
    std::string text;
    while (true) {
      const bool goes_on = at_ > 0 && tokens_[at_ - 1].touches_next;
      if (!text.empty() && !goes_on) return text;
      const Token& token = now();
      if (token.is("[") && tokens_[at_ + 1].kind == TokenKind::Number && tokens_[at_ + 2].is("]")) {
        text += "[" + tokens_[at_ + 1].text + "]";
        at_ += 3;
      } else if ((token.kind == TokenKind::Name && (text.empty() || token.text.front() == '.')) ||
                 (token.kind == TokenKind::Quoted && text.empty())) {
        text += next().text;
      } else {
        if (text.empty()) fail(token, "the name of an object is expected");
        return text;
      }
    }
  }

  // The longest object whose name the text begins with, and one of its cells after that.
  uint64_t pointer(const std::string& text, const Token& token) {
    for (size_t length = text.size(); length > 0; --length) {
      const auto found = objects_.find(text.substr(0, length));
      if (found == objects_.end()) continue;
      const ObjectId id{static_cast<uint32_t>(found->second)};
      const std::string rest = text.substr(length);
      if (rest.empty()) return pointer_to(id);
      for (const Cell& cell : program_.objects[found->second].cells)
        if (cell.name == rest) return pointer_to(id, cell.offset);
    }
    fail(token, "there is no object " + text);
  }

  // Initial values may point to what comes later.
  void resolve_pointers() {
    for (const Fixup& fixup : fixups_)
      program_.objects[fixup.object].cells[fixup.cell].initial = pointer(fixup.name, *fixup.at);
  }

  struct Fixup {
    size_t object, cell;
    std::string name;
    const Token* at;
  };

  std::map<std::string, size_t> objects_, sites_;
  std::vector<Fixup> fixups_;
};

}  // namespace heddle::graph
