// What the actions do. Who blocks, what is an error and what is a bug is as in the native runtime.
#include <bit>
#include <cerrno>
#include <cstring>

#include "base/check.h"
#include "graph/builder.h"
#include "interpreter/machine.h"

namespace heddle {
namespace {

using graph::ActionKind;
using graph::CellKind;

constexpr uint8_t kLive = 1, kGone = 2;

bool is_handle(uint64_t value) {
  return value >> 32 == 0xffffffff;
}

}  // namespace

// ---- pointers ----

std::string Machine::name_of(uint64_t pointer) const {
  const graph::Program& source = program_->source;
  const uint64_t number = (pointer >> 32) - 1;
  const auto offset = static_cast<uint32_t>(pointer);
  if (number >= source.objects.size()) return pointer == 0 ? "null" : std::to_string(pointer);
  const graph::Object& object = source.objects[number];
  for (const graph::Cell& cell : object.cells)
    if (cell.offset == offset) return object.name + cell.name;
  return offset == 0 ? object.name : object.name + "+" + std::to_string(offset);
}

uint32_t Machine::cell_of(Address address) const {
  const uint64_t number = (value(address) >> 32) - 1;
  const auto offset = static_cast<uint32_t>(value(address));
  if (number >= program_->objects.size()) return kNoCell;
  const CompiledObject& object = program_->objects[number];
  return offset < object.size ? program_->find_cell(static_cast<uint32_t>(number), offset)
                              : kNoCell;
}

// The object that the pointer leads to is there; else the step has failed.
bool Machine::object_is_there(uint64_t pointer, const char* does) {
  const uint64_t number = (pointer >> 32) - 1;
  const auto offset = static_cast<uint32_t>(pointer);
  if (number >= program_->objects.size()) {
    fail(FindingKind::Crash, self() + " " + does + " through " +
                                 (pointer >> 32 == 0 ? "a null pointer" : "a wild pointer"));
    return false;
  }
  const CompiledObject& object = program_->objects[number];
  const bool heap = object.kind == graph::ObjectKind::Heap;
  if (object.life != 0 && state_[object.life] != kLive) {
    fail(heap ? FindingKind::UseAfterFree : FindingKind::StackUse,
         self() + " " + does + " " + name_of(pointer) +
             (heap ? ", which has been freed" : ", whose function has returned"));
    return false;
  }
  if (offset >= object.size) {
    fail(FindingKind::OutOfBounds, self() + " " + does + " memory beyond the end of " +
                                       program_->source.objects[number].name);
    return false;
  }
  return true;
}

uint32_t Machine::resolve(uint64_t pointer, uint32_t bits, const char* does, bool writes) {
  if (!object_is_there(pointer, does)) return kNoCell;
  const uint32_t cell = cell_of(Address{pointer});
  if (cell == kNoCell || program_->cells[cell].kind != CellKind::Integer ||
      program_->cells[cell].bits != bits) {
    cut_here(self() + " " + does + " " + name_of(pointer) + " as " + std::to_string(bits) +
             " bits, which is not what it is made of,");
    return kNoCell;
  }
  if (writes && program_->cells[cell].constant) {
    fail(FindingKind::Crash, self() + " writes to " + name_of(pointer) + ", which is constant");
    return kNoCell;
  }
  return cell;
}

// The object of synchronisation at the address, of one of the kinds.
uint32_t Machine::resolve_sync(uint64_t pointer, uint32_t known, const char* does, CellKind first,
                               CellKind last) {
  uint32_t cell = known;
  if (cell == kNoCell) {
    if (!object_is_there(pointer, does)) return kNoCell;
    cell = cell_of(Address{pointer});
  }
  if (cell != kNoCell && program_->cells[cell].kind >= first && program_->cells[cell].kind <= last)
    return cell;
  cut_here(self() + " " + does + " " + name_of(pointer) + ", which is something else,");
  return kNoCell;
}

// ---- memory ----

Machine::Flow Machine::perform_memory(const CompiledAction& action) {
  const bool writes = action.kind != ActionKind::Load && action.kind != ActionKind::AtomicLoad;
  const bool reads = action.kind != ActionKind::Store && action.kind != ActionKind::AtomicStore;
  uint32_t number = action.cell;
  const bool fits = number != kNoCell && program_->cells[number].kind == CellKind::Integer &&
                    program_->cells[number].bits == action.bits &&
                    !(writes && program_->cells[number].constant);
  if (!fits)
    number = resolve(values_[action.address], action.bits, writes ? "writes" : "reads", writes);
  if (number == kNoCell) return Flow::Stop;
  const CompiledCell& cell = program_->cells[number];
  uint8_t* at = state_ + cell.offset;
  const uint64_t old = cell.constant ? cell.initial : load_bytes(at, cell.bytes);
  if (cell.written_mask != 0) {
    uint8_t& marks = state_[cell.written_offset];
    if (reads && (marks & cell.written_mask) == 0)
      return cut_here(self() + " reads " + name_of(values_[action.address]) +
                      " before anything was written to it,");
    marks |= cell.written_mask;
  }
  if (reads && action.into != kNoPlace) values_[action.into] = old;
  uint64_t stored = old;
  if (action.kind == ActionKind::AtomicUpdate) {
    compute(*code_, values_, action.value_code);
    stored = values_[action.value];
  } else if (action.kind == ActionKind::AtomicCas) {
    const bool equal = old == values_[action.second];
    compute(*code_, values_, action.value_code);
    if (equal) stored = values_[action.value];
    if (action.second_into != kNoPlace) values_[action.second_into] = equal ? 1 : 0;
  } else if (writes) {
    stored = values_[action.value];
  }
  if (stored != old) {
    store_bytes(at, cell.bytes, stored);
    if (observer_ != nullptr) observer_->changed();
  }
  return Flow::GoOn;
}

// ---- mutexes and spin locks ----

CellKind Machine::mutex_kind(const uint8_t* state, const CompiledCell& cell) const {
  if (!program_->has.mutex_kinds || cell.kind == CellKind::SpinLock) return cell.kind;
  return static_cast<CellKind>(state[cell.offset + kMutexKind]);
}

std::string Machine::holder_text(uint32_t holder) const {
  return holder == 0 ? "is not locked" : label(holder - 1) + " holds";
}

// What is an error as soon as the thread comes to the action.
Machine::Flow Machine::check_arrival(const CompiledAction& action) {
  if (action.kind == ActionKind::Join) return check_join(values_[action.value]);
  if (action.kind != ActionKind::MutexLock) return Flow::GoOn;
  const uint32_t number =
      action.cell != kNoCell ? action.cell : cell_of(Address{values_[action.address]});
  if (number == kNoCell || !is_mutex(program_->cells[number].kind)) return Flow::GoOn;
  const CompiledCell& cell = program_->cells[number];
  if (state_[cell.offset] != self_ + 1) return Flow::GoOn;
  const CellKind kind = mutex_kind(state_, cell);
  if (kind != CellKind::Mutex && kind != CellKind::SpinLock) return Flow::GoOn;
  return fail(FindingKind::Deadlock, self() + " locks a " +
                                         (kind == CellKind::Mutex ? "normal mutex" : "spin lock") +
                                         " that it holds already (self-deadlock)");
}

Machine::Flow Machine::misuse_mutex(const CompiledCell& cell, const char* does,
                                    const std::string& what) {
  const bool spins = cell.kind == CellKind::SpinLock;
  return fail(spins ? FindingKind::SpinMisuse : FindingKind::MutexMisuse,
              self() + " " + does + (spins ? " a spin lock that " : " a mutex that ") + what);
}

bool Machine::mutex_exists(const CompiledCell& cell, const char* does) {
  const uint8_t holder = state_[cell.offset];
  if (holder < kUninitialised) return true;
  if (holder == kDestroyed) {
    misuse_mutex(cell, does, "has been destroyed");
  } else if (cell.kind == CellKind::SpinLock) {
    misuse_mutex(cell, does, "is not initialised");
  } else {
    cut_here(self() + " " + does + " a mutex that was not initialised");
  }
  return false;
}

void Machine::take_mutex(const CompiledCell& cell, uint64_t pointer) {
  state_[cell.offset] = static_cast<uint8_t>(self_ + 1);
  if (program_->has.mutex_kinds && cell.bytes > 1) ++state_[cell.offset + kMutexDepth];
  if (observer_ != nullptr) observer_->locked(self_, Address{pointer});
}

Machine::Flow Machine::perform_mutex(const CompiledAction& action) {
  const uint64_t pointer = values_[action.address];
  static constexpr const char* kDoes[] = {"initialises", "locks", "tries to lock", "unlocks",
                                          "destroys"};
  const char* does = kDoes[static_cast<int>(action.kind) - static_cast<int>(ActionKind::MutexInit)];
  const uint32_t number =
      resolve_sync(pointer, action.cell, does, CellKind::Mutex, CellKind::SpinLock);
  if (number == kNoCell) return Flow::Stop;
  const CompiledCell& cell = program_->cells[number];
  uint8_t* at = state_ + cell.offset;
  const bool counted = program_->has.mutex_kinds && cell.bytes > 1;
  if (action.kind == ActionKind::MutexInit) {
    *at = 0;
    if (counted) {
      at[kMutexDepth] = 0;
      at[kMutexKind] = static_cast<uint8_t>(values_[action.value]);
    }
    if (observer_ != nullptr) observer_->overwritten(number, 1);
    set_result(action, 0);
    return Flow::GoOn;
  }
  if (!mutex_exists(cell, does)) return Flow::Stop;
  const CellKind kind = mutex_kind(state_, cell);
  const bool mine = *at == self_ + 1;
  if (counted && mine && at[kMutexDepth] >= kMostHolds)
    return cut_here("a mutex that is locked too often");
  switch (action.kind) {
    case ActionKind::MutexLock:
      if (mine && kind == CellKind::ErrorCheckMutex) {
        set_result(action, EDEADLK);
        return Flow::GoOn;
      }
      take_mutex(cell, pointer);
      set_result(action, 0);
      return Flow::GoOn;
    case ActionKind::MutexTryLock: {
      const bool again = mine && kind == CellKind::RecursiveMutex;
      if (*at == 0 || again)
        take_mutex(cell, pointer);
      else {
        set_result(action, EBUSY);
        return Flow::GoOn;
      }
      set_result(action, 0);
      return Flow::GoOn;
    }
    case ActionKind::MutexUnlock:
      if (!mine && (kind == CellKind::RecursiveMutex || kind == CellKind::ErrorCheckMutex)) {
        set_result(action, EPERM);
        return Flow::GoOn;
      }
      if (!mine) return misuse_mutex(cell, does, holder_text(*at));
      if (!counted || --at[kMutexDepth] == 0) *at = 0;
      if (observer_ != nullptr) observer_->unlocked(self_, Address{pointer});
      set_result(action, 0);
      return Flow::GoOn;
    default:
      if (*at != 0) return misuse_mutex(cell, does, holder_text(*at));
      *at = cell.kind == CellKind::SpinLock ? 0 : kDestroyed;
      set_result(action, 0);
      return Flow::GoOn;
  }
}

// ---- threads ----

// The thread behind a handle, if it has begun; -1 otherwise.
int32_t Machine::thread_behind(const uint8_t* state, uint64_t handle) const {
  const auto thread = static_cast<uint32_t>(handle);
  if (!is_handle(handle) || thread >= program_->slots) return -1;
  return location(state, thread).phase == Phase::Unborn ? -1 : static_cast<int32_t>(thread);
}

bool Machine::is_detached(uint32_t thread) const {
  return program_->has.detach && slot(thread)[program_->flags] != 0;
}

Machine::Flow Machine::check_join(uint64_t handle) {
  const int32_t found = thread_behind(state_, handle);
  const auto target = static_cast<uint32_t>(found);
  if (found < 0 || location(state_, target).phase == Phase::Joined)
    return fail(FindingKind::ThreadMisuse,
                "pthread_join of a thread that does not exist or was joined");
  if (target == self_) return cut_here("a thread that joins itself");
  if (is_detached(target))
    return fail(FindingKind::ThreadMisuse, "pthread_join of a detached thread");
  for (uint32_t other = 0; other < program_->slots; ++other) {
    const Location& at = location(state_, other);
    if (other == self_ || at.phase != Phase::Action) continue;
    const CompiledAction& action = action_at(at);
    if (action.kind == ActionKind::Join && probe(state_, other)[action.value] == handle)
      return fail(FindingKind::ThreadMisuse, "two threads join the same thread");
  }
  return Flow::GoOn;
}

Machine::Flow Machine::perform_thread(const CompiledAction& action, uint32_t choice) {
  const CompiledProgram& p = *program_;
  switch (action.kind) {
    case ActionKind::Create: {
      uint8_t& children = slot(self_)[p.children];
      const uint32_t created = slots_->child(self_, children + 1u);
      if (created == 0) return cut("more than " + std::to_string(p.slots) + " threads");
      ++children;
      const CompiledRoutine& routine = p.routines[action.routine];
      set_location(state_, created, routine.starting);
      if (routine.parameter != kNoPlace) {
        const Field& field = p.fields[p.locations[routine.starting].first_field];
        const uint64_t argument = action.value == kNoPlace ? 0 : values_[action.value];
        store_bytes(state_ + p.slot_frame[created] + field.offset, field.bytes, argument);
      }
      set_result(action, handle_of(created));
      if (observer_ != nullptr) observer_->created(created);
      return Flow::GoOn;
    }
    case ActionKind::Join: {
      const auto target = static_cast<uint32_t>(values_[action.value]);
      if (is_detached(target))
        return fail(FindingKind::ThreadMisuse,
                    "pthread_join of a thread that was detached meanwhile");
      set_result(action, p.has.results ? load_bytes(state_ + p.slot_frame[target], 8) : 0);
      memset(slot(target), 0, p.slot_size[target]);
      set_location(state_, target, static_cast<uint32_t>(FixedLocation::Joined));
      if (observer_ != nullptr) observer_->changed();
      return Flow::GoOn;
    }
    case ActionKind::Detach: {
      const int32_t target = thread_behind(state_, values_[action.value]);
      if (target >= 0 && location(state_, static_cast<uint32_t>(target)).phase != Phase::Joined)
        slot(static_cast<uint32_t>(target))[p.flags] = 1;
      return Flow::GoOn;
    }
    case ActionKind::Choose:
      set_result(action, choice);
      return Flow::GoOn;
    default:
      HEDDLE_CHECK(!"an action of threads");
  }
}

// ---- objects that come and go ----

Machine::Flow Machine::allocate(const Instruction& instruction) {
  uint64_t& into = values_[instruction.dst];
  if (instruction.a != kNoPlace && values_[instruction.a] == 0) {
    into = 0;
    return Flow::GoOn;
  }
  const graph::Site& site = program_->source.sites[instruction.b];
  const bool again = site.kind == graph::ObjectKind::Stack;  // one that was there may come back
  size_t count = 0;
  if (self_ < site.objects.size()) {
    count = site.objects[self_].size();
    for (const graph::ObjectId id : site.objects[self_]) {
      const CompiledObject& object = program_->objects[graph::index(id)];
      uint8_t& life = state_[object.life];
      if (life == kLive || (life == kGone && !again)) continue;
      life = kLive;
      memcpy(state_ + object.begin, object.fresh.data(), object.fresh.size());
      into = graph::pointer_to(id);
      if (observer_ != nullptr) observer_->changed();
      return Flow::GoOn;
    }
  }
  return cut("more than " + std::to_string(count) + " allocations at " + site.name + " by " +
             self());
}

void Machine::end_life(uint32_t number) {
  const CompiledObject& object = program_->objects[number];
  state_[object.life] = kGone;
  memset(state_ + object.begin, 0, object.end - object.begin);
  if (observer_ != nullptr) {
    observer_->changed();
    observer_->overwritten(object.first_cell, object.cell_count);
  }
}

Machine::Flow Machine::perform_free(const CompiledAction& action) {
  const uint64_t pointer = values_[action.address];
  if (pointer == 0) return Flow::GoOn;
  const uint64_t number = (pointer >> 32) - 1;
  if (number >= program_->objects.size())
    return fail(FindingKind::InvalidFree, self() + " frees a wild pointer");
  const CompiledObject& object = program_->objects[number];
  if (object.kind != graph::ObjectKind::Heap || static_cast<uint32_t>(pointer) != 0)
    return fail(FindingKind::InvalidFree,
                self() + " frees " + name_of(pointer) + ", which was not allocated");
  if (state_[object.life] != kLive) {
    if (observer_ != nullptr) observer_->overwritten(object.first_cell, object.cell_count);
    return fail(FindingKind::DoubleFree,
                self() + " frees " + program_->source.objects[number].name + " a second time");
  }
  end_life(static_cast<uint32_t>(number));
  return Flow::GoOn;
}

Machine::Flow Machine::release(uint64_t pointer) {
  const uint64_t number = (pointer >> 32) - 1;
  if (number < program_->objects.size() &&
      program_->objects[number].kind == graph::ObjectKind::Stack)
    end_life(static_cast<uint32_t>(number));
  return Flow::GoOn;
}

// ---- all of them ----

Machine::Flow Machine::perform(const CompiledAction& action, uint32_t choice) {
  switch (action.kind) {
    case ActionKind::None:
    case ActionKind::Fence:
    case ActionKind::Yield:
      return Flow::GoOn;
    case ActionKind::Load:
    case ActionKind::Store:
    case ActionKind::AtomicLoad:
    case ActionKind::AtomicStore:
    case ActionKind::AtomicUpdate:
    case ActionKind::AtomicCas:
      return perform_memory(action);
    case ActionKind::MutexInit:
    case ActionKind::MutexLock:
    case ActionKind::MutexTryLock:
    case ActionKind::MutexUnlock:
    case ActionKind::MutexDestroy:
      return perform_mutex(action);
    case ActionKind::CondInit:
    case ActionKind::CondWait:
    case ActionKind::CondSignal:
    case ActionKind::CondBroadcast:
    case ActionKind::CondDestroy:
      return perform_condition(action, choice);
    case ActionKind::RwInit:
    case ActionKind::RwRead:
    case ActionKind::RwTryRead:
    case ActionKind::RwWrite:
    case ActionKind::RwTryWrite:
    case ActionKind::RwUnlock:
    case ActionKind::RwDestroy:
      return perform_rwlock(action);
    case ActionKind::SemInit:
    case ActionKind::SemWait:
    case ActionKind::SemTryWait:
    case ActionKind::SemPost:
    case ActionKind::SemValue:
    case ActionKind::SemDestroy:
      return perform_semaphore(action);
    case ActionKind::BarrierInit:
    case ActionKind::BarrierWait:
    case ActionKind::BarrierDestroy:
      return perform_barrier(action);
    case ActionKind::OnceBegin:
    case ActionKind::OnceEnd:
      return perform_once(action);
    case ActionKind::Create:
    case ActionKind::Join:
    case ActionKind::Detach:
    case ActionKind::Choose:
      return perform_thread(action, choice);
    case ActionKind::AtomicBegin:
      ++slot(self_)[program_->sections];
      return Flow::GoOn;
    case ActionKind::AtomicEnd:
      if (program_->has.sections && slot(self_)[program_->sections] > 0)
        --slot(self_)[program_->sections];
      return Flow::GoOn;
    case ActionKind::Free:
      return perform_free(action);
  }
  return Flow::GoOn;
}

}  // namespace heddle
