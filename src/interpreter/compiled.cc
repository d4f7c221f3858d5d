#include "interpreter/compiled.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/check.h"
#include "graph/builder.h"
#include "graph/liveness.h"
#include "graph/threads.h"
#include "interpreter/sync_cells.h"

namespace heddle {
namespace {

using graph::index;

// A thread's slot: where it stands, and what else the program needs.
struct SlotHead {
  uint32_t size = 0;
  uint32_t take(uint32_t bytes) { return std::exchange(size, size + bytes); }
};

class Compiler {
 public:
  explicit Compiler(graph::Program program) { out_->source = std::move(program); }

  std::shared_ptr<const CompiledProgram> run() {
    look_for_features();
    out_->locations.resize(kFixedLocations);
    for (uint32_t i = 0; i < kFixedLocations; ++i) out_->locations[i].phase = static_cast<Phase>(i);
    number_cells();
    out_->routines.resize(source().routines.size());
    for (uint32_t i = 0; i < source().routines.size(); ++i) compile_routine(i);
    lay_out_threads();
    lay_out_objects();
    fill_initial();
    describe_layout();
    return out_;
  }

 private:
  const graph::Program& source() const { return out_->source; }

  void look_for_features() {
    Features& has = out_->has;
    const graph::ThreadCount threads = graph::count_threads(source());
    out_->slots = std::min(threads.most, source().max_threads);
    has.creates = threads.children_create;
    main_is_created_ = threads.creates_main;
    out_->mask_bytes = out_->slots <= 8 ? 1 : out_->slots <= 16 ? 2 : out_->slots <= 32 ? 4 : 8;
    for (const graph::Routine& routine : source().routines)
      for (const graph::Block& block : routine.blocks) look_at(block.action);
    for (const graph::Object& object : source().objects)
      for (const graph::Cell& cell : object.cells) {
        has.mutex_kinds |= cell.kind == graph::CellKind::RecursiveMutex;
        has.cond_status |= cell.kind == graph::CellKind::Condition && !cell.initialised;
      }
  }
  void look_at(const graph::Action& action) {
    Features& has = out_->has;
    has.sections |= action.kind == graph::ActionKind::AtomicBegin;
    has.detach |= action.kind == graph::ActionKind::Detach;
    has.results |= action.kind == graph::ActionKind::Join && action.into != graph::kNoRegister;
    has.mutex_kinds |= action.kind == graph::ActionKind::MutexInit;
    has.cond_status |= action.kind == graph::ActionKind::CondDestroy;
  }

  // Cells and where they begin in their objects; where they are in the state comes later.
  void number_cells() {
    for (uint32_t o = 0; o < source().objects.size(); ++o) {
      const graph::Object& object = source().objects[o];
      CompiledObject& to = out_->objects.emplace_back();
      to.kind = object.kind;
      to.size = object.size;
      to.first_cell = static_cast<uint32_t>(out_->cells.size());
      to.cell_count = static_cast<uint32_t>(object.cells.size());
      to.cell_at = static_cast<uint32_t>(out_->cell_at.size());
      out_->cell_at.resize(out_->cell_at.size() + object.size + 1, kNoCell);
      for (const graph::Cell& cell : object.cells) {
        out_->cell_at[to.cell_at + cell.offset] = static_cast<uint32_t>(out_->cells.size());
        CompiledCell& c = out_->cells.emplace_back();
        c.kind = cell.kind;
        c.bits = cell.bits;
        c.constant = object.constant;
        c.object = o;
        c.initial = cell.initial;
      }
    }
  }

  // ---- code ----

  struct RoutineState {
    const graph::Routine* routine = nullptr;
    CompiledRoutine* to = nullptr;
    std::unordered_map<uint64_t, uint32_t> constants;
    uint32_t temporaries = 0;  // from where on
    uint32_t next_temporary = 0;
  };

  uint32_t constant_place(uint64_t value) {
    const auto [at, is_new] =
        now_.constants.emplace(value, static_cast<uint32_t>(now_.to->values.size()));
    if (is_new) now_.to->values.push_back(value);
    return at->second;
  }

  // All constants of the routine get their places before the temporaries do.
  void place_constants() {
    constant_place(0);
    for (const graph::Expr& expr : now_.routine->exprs)
      if (expr.op == graph::Operator::Constant) constant_place(expr.constant);
    now_.temporaries = static_cast<uint32_t>(now_.to->values.size());
  }

  // Code that computes the expression; where its value is then. `dst`: where it is to be, if that
  // costs nothing.
  uint32_t emit(graph::ExprId id, std::map<uint32_t, uint32_t>& done, uint16_t part,
                uint32_t dst = kNoPlace) {
    const graph::Expr& expr = now_.routine->exprs[index(id)];
    if (expr.op == graph::Operator::Register) return static_cast<uint32_t>(expr.constant);
    if (expr.op == graph::Operator::Constant) return constant_place(expr.constant);
    if (const auto at = done.find(index(id)); at != done.end()) return at->second;
    uint32_t operands[3] = {0, 0, 0};
    const uint32_t count = graph::operand_count(expr.op);
    for (uint32_t i = 0; i < count; ++i) operands[i] = emit(expr.operand[i], done, part);
    if (dst == kNoPlace) {
      dst = now_.next_temporary++;
      if (dst >= now_.to->values.size()) now_.to->values.resize(dst + 1);
    }
    const uint32_t from_operand = expr.op == graph::Operator::Select ? 1 : 0;
    Instruction& i = add({.code = static_cast<Code>(expr.op), .part = part, .dst = dst});
    i.from = now_.routine->exprs[index(expr.operand[from_operand])].bits;
    i.to = expr.bits;
    i.a = operands[0], i.b = operands[1], i.c = operands[2];
    done.emplace(index(id), dst);
    return dst;
  }
  uint32_t emit(graph::ExprId id, uint16_t part) {
    if (id == graph::kNoExpr) return kNoPlace;
    std::map<uint32_t, uint32_t> done;
    return emit(id, done, part);
  }
  Instruction& add(const Instruction& instruction) {
    return now_.to->code.emplace_back(instruction);
  }
  uint32_t here() const { return static_cast<uint32_t>(now_.to->code.size()); }

  void compile_routine(uint32_t number) {
    now_ = {};
    now_.routine = &source().routines[number];
    now_.to = &out_->routines[number];
    now_.to->registers = static_cast<uint32_t>(now_.routine->registers.size());
    now_.to->values.resize(now_.to->registers);
    place_constants();
    const graph::Liveness liveness(*now_.routine);
    graph::RegisterSet parameter(now_.to->registers);
    if (now_.routine->parameter != graph::kNoRegister) {
      now_.to->parameter = index(now_.routine->parameter);
      if (liveness.before_action(graph::BlockId{0}).contains(now_.to->parameter))
        parameter.insert(now_.to->parameter);
      else
        now_.to->parameter = kNoPlace;
    }
    now_.to->starting = add_location({.phase = Phase::Starting, .routine = number}, parameter);
    now_.to->blocks.resize(now_.routine->blocks.size());
    for (uint32_t b = 0; b < now_.routine->blocks.size(); ++b) {
      now_.next_temporary = now_.temporaries;
      compile_block(number, b, liveness);
    }
  }

  uint32_t add_location(Location location, const graph::RegisterSet& live) {
    location.first_field = static_cast<uint32_t>(out_->fields.size());
    uint32_t offset = 0;
    const std::vector<graph::Register>& registers = source().routines[location.routine].registers;
    for (uint32_t r = 0; r < registers.size(); ++r) {
      if (!live.contains(r)) continue;
      const uint32_t bytes = graph::bytes_of(registers[r].bits);
      out_->fields.push_back({r, static_cast<uint16_t>(offset), static_cast<uint8_t>(bytes)});
      offset += bytes;
    }
    location.field_count = static_cast<uint32_t>(out_->fields.size()) - location.first_field;
    uint32_t& most = location.routine == 0 ? main_frame_ : other_frame_;
    most = std::max(most, offset);
    if (location.routine == 0) other_frame_ = std::max(other_frame_, main_is_created_ ? offset : 0);
    out_->locations.push_back(location);
    return static_cast<uint32_t>(out_->locations.size() - 1);
  }

  void compile_block(uint32_t routine, uint32_t number, const graph::Liveness& liveness) {
    const graph::BlockId id{number};
    const graph::Block& block = now_.routine->blocks[number];
    compile_action(block.action, now_.to->blocks[number].action);
    if (block.action.kind != graph::ActionKind::None)
      add_locations(routine, number, liveness.before_action(id));
    now_.to->blocks[number].code = here();
    for (uint32_t s = 0; s < block.statements.size(); ++s)
      compile_statement(routine, number, s, liveness);
    compile_jump(routine, number, liveness);
  }

  void add_locations(uint32_t routine, uint32_t number, const graph::RegisterSet& live) {
    CompiledBlock& block = now_.to->blocks[number];
    Location location{.phase = Phase::Action, .routine = routine, .block = number};
    block.at = add_location(location, live);
    if (!can_wait_inside(block.action.kind)) return;
    location.phase = Phase::Blocked;
    block.blocked = add_location(location, live);
    location.phase = Phase::Woken;
    block.woken = add_location(location, live);
  }

  void compile_action(const graph::Action& action, CompiledAction& to) {
    to.kind = action.kind;
    to.own = action.own;
    to.always_possible = is_always_possible(action.kind);
    to.bits = action.bits;
    to.routine = index(action.routine);
    const auto place = [](graph::RegisterId r) {
      return r == graph::kNoRegister ? kNoPlace : index(r);
    };
    to.into = place(action.into);
    to.second_into = place(action.second_into);
    if (to.into != kNoPlace) to.into_bits = now_.routine->registers[to.into].bits;
    if (to.second_into != kNoPlace)
      to.second_into_bits = now_.routine->registers[to.second_into].bits;
    const bool late = action.kind == graph::ActionKind::AtomicUpdate ||
                      action.kind == graph::ActionKind::AtomicCas;
    to.before = here();
    to.address = emit(action.address, 0);
    to.second = emit(action.second, 0);
    if (!late) to.value = emit(action.value, 0);
    add({});
    to.value_code = here();
    if (late) to.value = emit(action.value, 0);
    add({});
    to.cell = constant_cell(action.address);
    if (action.kind == graph::ActionKind::CondWait) to.second_cell = constant_cell(action.second);
  }

  // The cell of a global at a constant address.
  uint32_t constant_cell(graph::ExprId id) const {
    if (id == graph::kNoExpr) return kNoCell;
    const graph::Expr& expr = now_.routine->exprs[index(id)];
    if (expr.op != graph::Operator::Constant) return kNoCell;
    const uint64_t object = (expr.constant >> 32) - 1, offset = expr.constant & 0xffffffff;
    if (object >= source().objects.size()) return kNoCell;
    const CompiledObject& to = out_->objects[object];
    if (to.kind != graph::ObjectKind::Global || offset > to.size) return kNoCell;
    return out_->find_cell(static_cast<uint32_t>(object), static_cast<uint32_t>(offset));
  }

  void compile_statement(uint32_t routine, uint32_t block, uint32_t s,
                         const graph::Liveness& liveness) {
    const graph::Statement& statement = now_.routine->blocks[block].statements[s];
    const auto part = static_cast<uint16_t>(s + 1);
    const uint32_t into = statement.into == graph::kNoRegister ? kNoPlace : index(statement.into);
    switch (statement.kind) {
      case graph::StatementKind::Assign: {
        std::map<uint32_t, uint32_t> done;
        const uint32_t value = emit(statement.value, done, part, into);
        const uint8_t bits = now_.routine->registers[into].bits;
        if (value != into)
          add({.code = Code::Register,
               .from = bits,
               .to = bits,
               .part = part,
               .dst = into,
               .a = value});
        return;
      }
      case graph::StatementKind::Input: {
        const uint8_t bits = now_.routine->registers[into].bits;
        add({.code = Code::Input,
             .to = bits,
             .part = part,
             .dst = into,
             .b = static_cast<uint32_t>(now_.to->inputs.size())});
        // It goes on after the statement, with what is live before it.
        now_.to->inputs.push_back(
            add_location({.phase = Phase::Input,
                          .routine = routine,
                          .block = block,
                          .part = part,
                          .code = here()},
                         liveness.before_statement(graph::BlockId{block}, s)));
        return;
      }
      case graph::StatementKind::Self:
        add({.code = Code::Self, .part = part, .dst = into});
        return;
      case graph::StatementKind::Assume:
      case graph::StatementKind::Assert: {
        const uint32_t value = emit(statement.value, part);
        add({.code = statement.kind == graph::StatementKind::Assume ? Code::Assume : Code::Assert,
             .part = part,
             .a = value});
        return;
      }
      case graph::StatementKind::Allocate: {
        const uint32_t value = emit(statement.value, part);
        add({.code = Code::Allocate, .part = part, .dst = into, .a = value, .b = statement.site});
        return;
      }
      case graph::StatementKind::Release: {
        const uint32_t value = emit(statement.value, part);
        add({.code = Code::Release, .part = part, .a = value});
        return;
      }
    }
  }

  void compile_jump(uint32_t routine, uint32_t number, const graph::Liveness& liveness) {
    const graph::Block& block = now_.routine->blocks[number];
    const graph::Jump& jump = block.jump;
    const auto part = static_cast<uint16_t>(block.statements.size() + 1);
    const uint32_t begin = here();
    const uint32_t value = emit(jump.condition, part);
    switch (jump.kind) {
      case graph::JumpKind::Goto:
        add({.code = Code::Goto, .part = part, .b = index(jump.then)});
        return;
      case graph::JumpKind::Branch:
        add({.code = Code::Branch,
             .part = part,
             .a = value,
             .b = index(jump.then),
             .c = index(jump.otherwise)});
        return;
      case graph::JumpKind::Return:
        add({.code = Code::Return, .part = part, .a = value});
        return;
      case graph::JumpKind::Exit: {
        const graph::RegisterSet live =
            liveness.before_statement(graph::BlockId{number}, block.statements.size());
        Location location{.phase = Phase::ExitTurn,
                          .routine = routine,
                          .block = number,
                          .part = part,
                          .code = begin};
        const uint32_t turn = add_location(location, live);
        location.phase = Phase::ProcessExit;  // has the next number
        add_location(location, live);
        add({.code = Code::Exit, .part = part, .a = value, .b = turn});
        return;
      }
      case graph::JumpKind::Cut:
        add({.code = Code::Cut, .part = part, .b = jump.bound});
        return;
    }
  }

  // ---- layout ----

  void lay_out_threads() {
    CompiledProgram& p = *out_;
    if (p.has.sections) p.exclusive = size_++;
    p.location_bytes = p.locations.size() <= 256 ? 1 : p.locations.size() <= 65536 ? 2 : 4;
    SlotHead head;
    head.take(p.location_bytes);
    if (p.has.detach) p.flags = head.take(1);
    if (p.has.sections) p.sections = head.take(1);
    if (p.has.mutex_kinds) p.depth = head.take(1);
    SlotHead others = head;
    if (p.has.creates) p.children = others.take(1);
    const uint32_t result = p.has.results ? 8 : 0;
    for (uint32_t slot = 0; slot < p.slots; ++slot) {
      // Main always counts its children.
      SlotHead own = slot == 0 && !p.has.creates ? head : others;
      if (slot == 0 && !p.has.creates) p.children = own.take(1);
      p.slot_offset.push_back(size_);
      p.slot_frame.push_back(size_ + own.size);
      const uint32_t frame = std::max(slot == 0 ? main_frame_ : other_frame_, result);
      p.slot_size.push_back(own.size + frame);
      size_ += own.size + frame;
    }
  }

  void lay_out_objects() {
    CompiledProgram& p = *out_;
    for (uint32_t o = 0; o < p.objects.size(); ++o) {
      CompiledObject& object = p.objects[o];
      if (object.kind != graph::ObjectKind::Global) object.life = size_++;
      object.begin = size_;
      uint32_t unwritten = 0;
      for (uint32_t c = 0; c < object.cell_count; ++c) {
        CompiledCell& cell = p.cells[object.first_cell + c];
        if (cell.constant) continue;  // what is never written is not in the state
        cell.offset = size_;
        cell.bytes = static_cast<uint16_t>(bytes_of_cell(cell));
        size_ += cell.bytes;
        unwritten += needs_mark(o, c) ? 1 : 0;
      }
      const uint32_t marks = size_;
      size_ += (unwritten + 7) / 8;
      object.end = size_;
      uint32_t mark = 0;
      for (uint32_t c = 0; c < object.cell_count; ++c) {
        if (!needs_mark(o, c)) continue;
        CompiledCell& cell = p.cells[object.first_cell + c];
        cell.written_offset = marks + mark / 8;
        cell.written_mask = static_cast<uint8_t>(1 << mark % 8);
        ++mark;
      }
    }
    p.state_size = size_;
  }
  bool needs_mark(uint32_t object, uint32_t cell) const {
    const graph::Cell& c = source().objects[object].cells[cell];
    return c.kind == graph::CellKind::Integer && !c.initialised &&
           !source().objects[object].constant;
  }
  uint32_t bytes_of_cell(const CompiledCell& cell) const {
    const CompiledProgram& p = *out_;
    return sync_bytes(cell.kind, cell.bits,
                      {p.slots, p.mask_bytes, p.has.mutex_kinds, p.has.cond_status});
  }

  void fill_initial() {
    CompiledProgram& p = *out_;
    p.initial.assign(p.state_size, 0);
    for (uint32_t o = 0; o < p.objects.size(); ++o) {
      CompiledObject& object = p.objects[o];
      std::vector<uint8_t> fresh(p.state_size);
      for (uint32_t c = 0; c < object.cell_count; ++c) {
        const CompiledCell& cell = p.cells[object.first_cell + c];
        const graph::Cell& from = source().objects[o].cells[c];
        if (!cell.constant)
          fill_cell(fresh.data() + cell.offset, cell.bytes, from, p.has.mutex_kinds,
                    p.has.cond_status);
      }
      object.fresh.assign(fresh.begin() + object.begin, fresh.begin() + object.end);
      if (object.kind == graph::ObjectKind::Global)
        std::copy(object.fresh.begin(), object.fresh.end(), p.initial.begin() + object.begin);
    }
  }

  void describe_layout() {
    CompiledProgram& p = *out_;
    for (const CompiledCell& cell : p.cells) {
      StateLayout::CellLayout& to = p.layout.cells.emplace_back();
      to.bytes = {cell.offset, cell.bytes};
      to.object = graph::ObjectId{cell.object};
      to.may_point = cell.kind == graph::CellKind::Integer && cell.bits == 64 && !cell.constant;
      to.holds_thread = is_mutex(cell.kind) || cell.kind == graph::CellKind::RwLock;
      to.holds_threads = cell.kind == graph::CellKind::Condition;
    }
    for (const CompiledObject& object : p.objects)
      p.layout.life.push_back(object.life == 0 ? StateLayout::kAlways : object.life);
    for (uint32_t slot = 0; slot < p.slots; ++slot)
      p.layout.threads.push_back({p.slot_offset[slot], p.slot_size[slot]});
  }

  std::shared_ptr<CompiledProgram> out_ = std::make_shared<CompiledProgram>();
  RoutineState now_;
  uint32_t main_frame_ = 0, other_frame_ = 0;
  bool main_is_created_ = false;
  uint32_t size_ = 0;
};

}  // namespace

std::shared_ptr<const CompiledProgram> compile(graph::Program program) {
  return Compiler(std::move(program)).run();
}

}  // namespace heddle
