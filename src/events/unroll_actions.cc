// What actions on memory, on mutexes and on threads do (interpreter/machine_actions.cc).
#include <fmt/format.h>

#include <cerrno>

#include "events/thread_unroller.h"
#include "interpreter/state_space.h"

namespace heddle::events {

using circuit::choose;
using circuit::constant_word;
using circuit::equal;
using circuit::kFalse;
using circuit::kTrue;
using graph::ActionKind;
using graph::CellKind;
using graph::index;

void ThreadUnroller::perform(Walk& walk, const graph::Action& action) {
  switch (action.kind) {
    case ActionKind::None:
    case ActionKind::Fence:
      return;
    case ActionKind::Yield:
      begin_event(walk, EventKind::Action, action);
      return;
    case ActionKind::Load:
    case ActionKind::Store:
    case ActionKind::AtomicLoad:
    case ActionKind::AtomicStore:
    case ActionKind::AtomicUpdate:
    case ActionKind::AtomicCas:
      return perform_memory(walk, action);
    case ActionKind::MutexLock:
      return lock(walk, action);
    case ActionKind::MutexTryLock:
      return try_lock(walk, action);
    case ActionKind::MutexUnlock:
      return unlock(walk, action);
    case ActionKind::MutexInit:
    case ActionKind::MutexDestroy:
      return remake_mutex(walk, action);
    case ActionKind::CondInit:
    case ActionKind::CondWait:
    case ActionKind::CondSignal:
    case ActionKind::CondBroadcast:
    case ActionKind::CondDestroy:
      return perform_condition(walk, action);
    case ActionKind::RwInit:
    case ActionKind::RwRead:
    case ActionKind::RwTryRead:
    case ActionKind::RwWrite:
    case ActionKind::RwTryWrite:
    case ActionKind::RwUnlock:
    case ActionKind::RwDestroy:
      return perform_rwlock(walk, action);
    case ActionKind::SemInit:
    case ActionKind::SemWait:
    case ActionKind::SemTryWait:
    case ActionKind::SemPost:
    case ActionKind::SemValue:
    case ActionKind::SemDestroy:
      return perform_semaphore(walk, action);
    case ActionKind::BarrierInit:
    case ActionKind::BarrierWait:
    case ActionKind::BarrierDestroy:
      return perform_barrier(walk, action);
    case ActionKind::Create:
      return create(walk, action);
    case ActionKind::Join:
      return join(walk, action);
    case ActionKind::Choose:
      return perform_thread(walk, action);
    case ActionKind::Free:
      return free_object(walk, action);
    case ActionKind::OnceBegin:
    case ActionKind::OnceEnd:
      throw Refusal{"pthread_once has no encoding by events"};
    case ActionKind::Detach:
      throw Refusal{"pthread_detach has no encoding by events"};
    case ActionKind::AtomicBegin:
    case ActionKind::AtomicEnd:
      throw Refusal{"atomic sections have no encoding by events"};
  }
}

// ---- memory ----

void ThreadUnroller::perform_memory(Walk& walk, const graph::Action& action) {
  const std::vector<Target> where = targets(walk, action, action.address, false);
  const uint32_t event = event_for(walk, action, where);
  note_standing(event, action, where);
  require_target(walk, event, where, action.place);
  const bool reads = action.kind != ActionKind::Store && action.kind != ActionKind::AtomicStore;
  const bool writes = action.kind != ActionKind::Load && action.kind != ActionKind::AtomicLoad;
  Word old = constant_word(0, action.bits);
  if (reads) {
    Literal unwritten = kFalse;
    for (const Target& target : where) {
      Word seen = see(walk, event, target);
      if (seen.size() > action.bits)
        unwritten = aig_.lor(unwritten, aig_.land(target.match, !seen[action.bits]));
      old = choose(aig_, target.match, circuit::resized(seen, action.bits), old);
    }
    go_beyond(walk, unwritten,
              fmt::format("line {}: memory is read that was not written", action.place.line));
  }
  const Word expected = action.second == graph::kNoExpr ? Word{} : value(walk, action.second);
  Word stored = old;
  Literal same = kTrue;
  if (action.kind == ActionKind::AtomicUpdate) {
    assign(walk, action.into, old);
    stored = value(walk, action.value);
  } else if (action.kind == ActionKind::AtomicCas) {
    same = equal(aig_, old, expected);
    assign(walk, action.into, old);
    stored = choose(aig_, same, value(walk, action.value), old);
    assign(walk, action.second_into, {same});
  } else if (writes) {
    stored = value(walk, action.value);
  } else {
    assign(walk, action.into, old);
  }
  if (!writes) return;
  for (const Target& target : where) {
    if (out_.plan.program->cells[target.cell].constant)
      go_beyond(walk, target.match,
                fmt::format("line {}: a constant is written", action.place.line));
    Word word = stored;
    if (shared_.words.bits(target.cell) > action.bits) word.push_back(kTrue);
    put(walk, event, target, word);
  }
}

// ---- mutexes and spin locks ----

void ThreadUnroller::lock(Walk& walk, const graph::Action& action) {
  const std::vector<Target> where = targets(walk, action, action.address, true);
  for (const Target& target : where)
    fail(walk, FindingKind::Deadlock, aig_.land(target.match, holds(walk, target.cell)));
  const uint32_t event = event_for(walk, action, where);
  require_target(walk, event, where, action.place);
  take_lock(walk, event, where);
  assign(walk, action.into, constant_word(0, 32));
}

void ThreadUnroller::take_lock(Walk& walk, uint32_t event, const std::vector<Target>& where) {
  const CellWords& words = shared_.words;
  for (const Target& target : where) {
    const bool open = !is_known_here(walk, target.cell);
    Word seen;
    if (open && !shared_.sharing.comes_and_goes(target.cell) && is_initialised(target.cell)) {
      // Nothing else than held and free: free, if it is taken.
      Access& a = access(event, target);
      a.reads = true;
      seen = a.seen = constant_word(0, words.lock_bits());
    } else {
      seen = see(walk, event, target);
    }
    must_be_possible(walk, event, ActionKind::MutexLock, EventKind::Action, target, seen);
    const bool spins = out_.plan.program->cells[target.cell].kind == CellKind::SpinLock;
    fail(walk, spins ? FindingKind::SpinMisuse : FindingKind::MutexMisuse,
         aig_.land(target.match, equal(aig_, seen, words.destroyed_lock())));
    const Literal unmade = aig_.land(target.match, equal(aig_, seen, words.uninitialised_lock()));
    go_beyond(walk, unmade, "a lock that was not initialised");
    put(walk, event, target, constant_word(slot_ + 1, words.lock_bits()));
    set_holds(walk, target, true);
  }
}

void ThreadUnroller::try_lock(Walk& walk, const graph::Action& action) {
  const CellWords& words = shared_.words;
  const std::vector<Target> where = targets(walk, action, action.address, true);
  const uint32_t event = event_for(walk, action, where);
  require_target(walk, event, where, action.place);
  Word error = constant_word(EBUSY, 32);
  for (const Target& target : where) {
    const Word seen = see(walk, event, target);
    const Literal open = equal(aig_, seen, 0);
    const Literal strange = aig_.lor(equal(aig_, seen, words.destroyed_lock()),
                                     equal(aig_, seen, words.uninitialised_lock()));
    go_beyond(walk, aig_.land(target.match, strange), "a lock that is not there is tried");
    put(walk, event, target, choose(aig_, open, constant_word(slot_ + 1, words.lock_bits()), seen));
    const Literal taken = aig_.land(target.match, open);
    error = choose(aig_, taken, constant_word(0, 32), error);
    walk.holds[target.cell] = aig_.lor(holds(walk, target.cell), taken);
  }
  assign(walk, action.into, error);
}

void ThreadUnroller::unlock(Walk& walk, const graph::Action& action) {
  const std::vector<Target> where = targets(walk, action, action.address, true);
  const uint32_t event = event_for(walk, action, where);
  require_target(walk, event, where, action.place);
  for (const Target& target : where) {
    const CellKind kind = out_.plan.program->cells[target.cell].kind;
    const Literal wrong = aig_.land(target.match, !holds(walk, target.cell));
    fail(walk, kind == CellKind::SpinLock ? FindingKind::SpinMisuse : FindingKind::MutexMisuse,
         wrong);
    put(walk, event, target, constant_word(0, shared_.words.lock_bits()));
    set_holds(walk, target, false);
  }
  assign(walk, action.into, constant_word(0, 32));
}

// To initialise is no step.
void ThreadUnroller::remake_mutex(Walk& walk, const graph::Action& action) {
  const CellWords& words = shared_.words;
  const bool begins = action.kind == ActionKind::MutexInit;
  if (begins) {
    const graph::Expr& kind = routine().exprs[index(action.value)];
    const bool plain = kind.op == graph::Operator::Constant &&
                       (kind.constant == static_cast<uint64_t>(CellKind::Mutex) ||
                        kind.constant == static_cast<uint64_t>(CellKind::SpinLock));
    if (!plain) throw Refusal{"recursive and error-checking mutexes have no encoding by events"};
  }
  const std::vector<Target> where = targets(walk, action, action.address, true);
  graph::Action quiet = action;
  quiet.own = quiet.own || begins;
  const uint32_t event = event_for(walk, quiet, where);
  require_target(walk, event, where, action.place);
  for (const Target& target : where) {
    const bool spins = out_.plan.program->cells[target.cell].kind == CellKind::SpinLock;
    if (!begins) {
      const Word seen = see(walk, event, target);
      go_beyond(walk, aig_.land(target.match, equal(aig_, seen, words.uninitialised_lock())),
                "a lock that was not initialised");
      fail(walk, spins ? FindingKind::SpinMisuse : FindingKind::MutexMisuse,
           aig_.land(target.match, any(aig_, seen)));
    }
    const uint64_t made = begins || spins ? 0 : words.destroyed_lock();
    put(walk, event, target, constant_word(made, words.lock_bits()));
    set_holds(walk, target, false);
  }
  assign(walk, action.into, constant_word(0, 32));
}

// ---- threads ----

void ThreadUnroller::perform_thread(Walk& walk, const graph::Action& action) {
  const uint32_t event = begin_event(walk, EventKind::Action, action);
  const Word count = value(walk, action.value);
  const Word chosen = circuit::input_word(aig_, "", static_cast<uint32_t>(count.size()));
  const Literal right = aig_.lor(circuit::less(aig_, chosen, count),
                                 aig_.land(!any(aig_, count), !any(aig_, chosen)));
  out_.constraints.push_back(right);
  if (event == kNoEvent) {
    out_.main_choices.push_back({walk.guard, chosen});
  } else {
    out_.events[event].choice = chosen;
  }
  assign(walk, action.into, chosen);
}

void ThreadUnroller::create(Walk& walk, const graph::Action& action) {
  if (alone(walk)) {
    // From here on others may look.
    if (!out_.initial.empty())
      throw Refusal{
          "a first thread that is created at one of several places has no encoding by "
          "events"};
    for (uint32_t cell = 0; cell < shared_.sharing.size(); ++cell)
      if (shared_.sharing.is_shared(cell)) out_.initial[cell] = known(walk, cell);
  }
  const std::vector<uint32_t>& children = out_.plan.of_slot[slot_].children;
  const uint32_t child = walk.children < children.size() ? children[walk.children] : 0;
  ++walk.children;
  const uint32_t event = begin_event(walk, EventKind::Action, action);
  if (child == 0)
    return go_beyond(walk, kTrue, fmt::format("more than {} threads", out_.plan.program->slots));
  const Word argument = value_or_zero(walk, action.value, 64);
  if (!shared_.begins.try_emplace(child, Beginning{index(action.routine), argument, event}).second)
    throw Refusal{"a thread that is created at one of several places has no encoding by events"};
  out_.created[child] = walk.guard;
  assign(walk, action.into, constant_word(handle_of(child), 64));
}

void ThreadUnroller::join(Walk& walk, const graph::Action& action) {
  const Word handle = value(walk, action.value);
  std::vector<Target> whom;  // slots
  std::vector<Literal> matches;
  for (uint32_t slot = 1; slot < out_.slots; ++slot) {
    const Literal match = equal(aig_, handle, handle_of(slot));
    if (slot == slot_ || match == kFalse) continue;
    const uint32_t key = shared_.sharing.size() + slot;
    fail(walk, FindingKind::ThreadMisuse, aig_.land(match, holds(walk, key)));
    whom.push_back({slot, match});
    matches.push_back(match);
  }
  const uint32_t event = begin_event(walk, EventKind::Action, action);
  go_beyond(walk, !aig_.lor(matches),
            fmt::format("line {}: a thread is joined that may not be there", action.place.line));
  if (event == kNoEvent || walk.guard == kFalse) return;
  Word result = constant_word(0, 64);
  for (const Target& each : whom) {
    const Event& e = out_.events[event];
    out_.joins.push_back({event, each.cell, aig_.land(e.taken, each.match),
                          aig_.land({e.reached, !e.taken, each.match})});
    set_holds(walk, {shared_.sharing.size() + each.cell, each.match}, true);
    if (each.match == kTrue) walk.after[each.cell] = kAllEvents;
    if (action.into == graph::kNoRegister) continue;
    Word& returned = shared_.results[each.cell];
    if (returned.empty()) returned = circuit::input_word(aig_, "", 64);
    result = choose(aig_, each.match, returned, result);
  }
  assign(walk, action.into, result);
}

// ---- objects that come and go ----

void ThreadUnroller::free_object(Walk& walk, const graph::Action& action) {
  const Word pointer = value(walk, action.address);
  const uint32_t event = begin_silent(walk);
  std::vector<Literal> good{!any(aig_, pointer)};
  shared_.sharing.objects(slot_, routine_, action.address).for_each([&](uint32_t object) {
    const uint32_t life = shared_.words.life_of(object);
    const Literal match = equal(aig_, pointer, graph::pointer_to(graph::ObjectId{object}));
    if (out_.plan.program->objects[object].kind != graph::ObjectKind::Heap || match == kFalse)
      return;
    good.push_back(aig_.land(match, see(walk, event, {life, match}).front()));
    put(walk, event, {life, match}, {kFalse});
  });
  go_beyond(walk, !aig_.lor(good),
            fmt::format("line {}: whether memory can be freed is not decided by events",
                        action.place.line));
}

void ThreadUnroller::allocate(Walk& walk, const graph::Statement& statement) {
  const CompiledProgram& program = *out_.plan.program;
  const graph::Site& site = program.source.sites[statement.site];
  Literal wanted =
      statement.value == graph::kNoExpr ? kTrue : any(aig_, value(walk, statement.value));
  Word pointer = constant_word(0, 64);
  const uint32_t event = begin_silent(walk);
  if (slot_ < site.objects.size())
    for (const graph::ObjectId id : site.objects[slot_]) {
      Literal& used = walk.in_use.try_emplace(index(id), kFalse).first->second;
      const Literal gives = aig_.land(wanted, !used);
      wanted = aig_.land(wanted, used);
      used = aig_.lor(used, gives);
      if (gives == kFalse) continue;
      pointer = choose(aig_, gives, constant_word(graph::pointer_to(id), 64), pointer);
      const CompiledObject& object = program.objects[index(id)];
      put(walk, event, {shared_.words.life_of(index(id)), gives}, {kTrue});
      for (uint32_t i = 0; i < object.cell_count; ++i)
        put(walk, event, {object.first_cell + i, gives},
            shared_.words.fresh(object.first_cell + i));
    }
  go_beyond(walk, wanted, fmt::format("more allocations at {} than the graph has", site.name));
  assign(walk, statement.into, pointer);
}

void ThreadUnroller::release(Walk& walk, const Word& pointer) {
  const uint32_t event = begin_silent(walk);
  for (auto& [object, used] : walk.in_use) {
    if (out_.plan.program->objects[object].kind != graph::ObjectKind::Stack) continue;
    const Word high(pointer.begin() + 32, pointer.end());
    const Literal match = equal(aig_, high, uint64_t{object} + 1);
    if (match == kFalse) continue;
    used = aig_.land(used, !match);
    put(walk, event, {shared_.words.life_of(object), match}, {kFalse});
  }
}

}  // namespace heddle::events
