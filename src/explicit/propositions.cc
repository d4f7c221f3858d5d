#include "explicit/propositions.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

namespace heddle::explicit_states {
namespace {

template <typename Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

int64_t sign_extended(uint64_t value, uint8_t bits) {
  const unsigned unused = 64U - bits;
  return static_cast<int64_t>(value << unused) >> unused;
}

// The parts between the parentheses of "name(a,b)"; nothing if it is not a call of that name.
std::optional<std::vector<std::string>> arguments_of(std::string_view text, std::string_view name) {
  if (!text.starts_with(name) || !text.ends_with(")") || text.size() <= name.size() + 1 ||
      text[name.size()] != '(')
    return std::nullopt;
  text = text.substr(name.size() + 1, text.size() - name.size() - 2);
  std::vector<std::string> parts;
  for (size_t comma = 0; comma != std::string_view::npos; text.remove_prefix(comma + 1)) {
    comma = text.find(',');
    parts.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) break;
  }
  return parts;
}

}  // namespace

std::string name_of_cell(const StateSpace& space, uint32_t resource) {
  if (resource >= space.cell_count()) return "";
  const StateLayout::CellLayout& cell = space.layout().cells[resource];
  const graph::Object& object = space.program().objects[graph::index(cell.object)];
  uint32_t first = resource;
  while (first > 0 && space.layout().cells[first - 1].object == cell.object) --first;
  return object.name + object.cells[resource - first].name;
}

Propositions::Propositions(const StateSpace& space, const std::vector<std::string>& texts,
                           std::string& complaint) {
  for (const std::string& text : texts) propositions_.push_back(read(space, text, complaint));
}

Propositions::Proposition Propositions::read(const StateSpace& space, const std::string& text,
                                             std::string& complaint) const {
  static constexpr std::pair<std::string_view, Comparison> kSigns[] = {
      {" == ", Comparison::Equal},  {" != ", Comparison::NotEqual},
      {" <= ", Comparison::LessEq}, {" >= ", Comparison::GreaterEq},
      {" < ", Comparison::Less},    {" > ", Comparison::Greater}};
  Proposition made;
  const auto at = arguments_of(text, "at");
  const auto live = arguments_of(text, "live");
  if (at || live) {
    const std::vector<std::string>& parts = at ? *at : *live;
    const auto thread = number_of<uint32_t>(parts.front());
    const auto line = number_of<uint32_t>(parts.back());
    if (!thread || !line || parts.size() != (at ? 2 : 1)) {
      complaint = fmt::format("{} is not understood; write at(THREAD, LINE) or live(THREAD)", text);
      return made;
    }
    if (*thread >= space.thread_slots())
      complaint = fmt::format("{}: there is no thread {}; the last one is {}", text, *thread,
                              space.thread_slots() - 1);
    made.kind = at ? Kind::At : Kind::Live;
    made.thread = *thread;
    made.line = *line;
    return made;
  }
  for (const auto& [sign, comparison] : kSigns) {
    const size_t found = text.find(sign);
    if (found == std::string::npos) continue;
    made.comparison = comparison;
    made.left = operand(space, text.substr(0, found), complaint);
    made.right = operand(space, text.substr(found + sign.size()), complaint);
    return made;
  }
  made.left = operand(space, text, complaint);
  return made;
}

Propositions::Operand Propositions::operand(const StateSpace& space, const std::string& text,
                                            std::string& complaint) const {
  Operand made;
  if (const auto number = number_of<int64_t>(text)) {
    made.number = *number;
    return made;
  }
  const std::vector<graph::Object>& objects = space.program().objects;
  for (uint32_t resource = 0; resource < space.cell_count(); ++resource) {
    if (name_of_cell(space, resource) != text) continue;
    const StateLayout::CellLayout& layout = space.layout().cells[resource];
    const graph::Object& object = objects[graph::index(layout.object)];
    uint32_t first = resource;
    while (first > 0 && space.layout().cells[first - 1].object == layout.object) --first;
    const graph::Cell& cell = object.cells[resource - first];
    if (cell.kind != graph::CellKind::Integer || object.kind != graph::ObjectKind::Global) continue;
    made.bits = cell.bits;
    made.number = sign_extended(cell.initial, cell.bits);
    made.is_cell = layout.bytes.size > 0;
    made.offset = layout.bytes.offset;
    made.bytes = static_cast<uint8_t>(layout.bytes.size);
    return made;
  }
  complaint = fmt::format("there is no global integer {}", text);
  return made;
}

int64_t Propositions::value_of(const Operand& operand, const uint8_t* state) {
  if (!operand.is_cell) return operand.number;
  uint64_t value = 0;
  std::memcpy(&value, state + operand.offset, operand.bytes);
  return sign_extended(value, operand.bits);
}

bool Propositions::compare(const Proposition& proposition, const uint8_t* state) {
  int64_t left = value_of(proposition.left, state);
  int64_t right = value_of(proposition.right, state);
  // Equality is that of C whatever the sign: 255 is -1 in 8 bits.
  const uint8_t bits = std::min(proposition.left.bits, proposition.right.bits);
  switch (proposition.comparison) {
    case Comparison::NotZero:
      return left != 0;
    case Comparison::Equal:
      return sign_extended(static_cast<uint64_t>(left), bits) ==
             sign_extended(static_cast<uint64_t>(right), bits);
    case Comparison::NotEqual:
      return sign_extended(static_cast<uint64_t>(left), bits) !=
             sign_extended(static_cast<uint64_t>(right), bits);
    case Comparison::Less:
      return left < right;
    case Comparison::LessEq:
      return left <= right;
    case Comparison::Greater:
      return left > right;
    case Comparison::GreaterEq:
      return left >= right;
  }
  return false;
}

bool Propositions::at_line(StateSpace& space, const uint8_t* state,
                           const Proposition& proposition) {
  if (!space.is_live(state, proposition.thread)) return false;
  const NextAction next = space.next_action(state, proposition.thread);
  if (next.kind == graph::ActionKind::None) return false;
  const graph::Routine& routine = space.program().routines[graph::index(next.routine)];
  return routine.blocks[graph::index(next.block)].action.place.line == proposition.line;
}

uint64_t Propositions::letter(StateSpace& space, const uint8_t* state, bool ended) const {
  uint64_t letter = 0;
  for (size_t i = 0; i < propositions_.size(); ++i) {
    const Proposition& each = propositions_[i];
    bool truth = false;
    if (each.kind == Kind::Compare) truth = compare(each, state);
    if (each.kind == Kind::Live) truth = !ended && space.is_live(state, each.thread);
    if (each.kind == Kind::At) truth = !ended && at_line(space, state, each);
    if (truth) letter |= uint64_t{1} << i;
  }
  return letter;
}

}  // namespace heddle::explicit_states
