// Which action does what; and what actions do to threads.
#include <algorithm>

#include "circuit/step_encoder.h"
#include "interpreter/state_space.h"

namespace heddle::circuit {

using graph::ActionKind;

void StepEncoder::perform(Path& path, uint32_t block) {
  const Action& action = routine().blocks[block].action;
  const FieldId sections = e_.fields.slots[slot_].sections;
  switch (action.kind) {
    case ActionKind::None:
    case ActionKind::Fence:
    case ActionKind::Yield:
      return;
    case ActionKind::Load:
    case ActionKind::Store:
    case ActionKind::AtomicLoad:
    case ActionKind::AtomicStore:
    case ActionKind::AtomicUpdate:
    case ActionKind::AtomicCas:
      return perform_memory(path, action);
    case ActionKind::MutexInit:
    case ActionKind::MutexLock:
    case ActionKind::MutexTryLock:
    case ActionKind::MutexUnlock:
    case ActionKind::MutexDestroy:
      return perform_mutex(path, action);
    case ActionKind::CondInit:
    case ActionKind::CondWait:
    case ActionKind::CondSignal:
    case ActionKind::CondBroadcast:
    case ActionKind::CondDestroy:
      return perform_condition(path, action, block);
    case ActionKind::RwInit:
    case ActionKind::RwRead:
    case ActionKind::RwTryRead:
    case ActionKind::RwWrite:
    case ActionKind::RwTryWrite:
    case ActionKind::RwUnlock:
    case ActionKind::RwDestroy:
      return perform_rwlock(path, action);
    case ActionKind::SemInit:
    case ActionKind::SemWait:
    case ActionKind::SemTryWait:
    case ActionKind::SemPost:
    case ActionKind::SemValue:
    case ActionKind::SemDestroy:
      return perform_semaphore(path, action);
    case ActionKind::BarrierInit:
    case ActionKind::BarrierWait:
    case ActionKind::BarrierDestroy:
      return perform_barrier(path, action, block);
    case ActionKind::OnceBegin:
    case ActionKind::OnceEnd:
      return perform_once(path, action);
    case ActionKind::Create:
      return create(path, action);
    case ActionKind::Join:
      return join(path, action);
    case ActionKind::Detach:
      return detach(path, action);
    case ActionKind::Choose:
      return assign(path, action.into, e_.choice);
    case ActionKind::AtomicBegin: {
      const Word depth = get(path, sections);
      beyond(path, equal(aig_, depth, (1U << kSectionBits) - 1));
      return path.set(sections, plus_one(aig_, depth));
    }
    case ActionKind::AtomicEnd: {
      if (sections == kNoField) return;
      const Word depth = get(path, sections);
      return set_if(path, any(aig_, depth), sections, minus_one(aig_, depth));
    }
    case ActionKind::Free:
      return perform_free(path, action);
  }
}

void StepEncoder::create(Path& path, const Action& action) {
  const FieldId counter = e_.fields.slots[slot_].children;
  const Word before = get(path, counter);
  const std::vector<uint32_t>& children = plan().children;
  const uint32_t r = graph::index(action.routine);
  Word handle = constant_word(0, 64);
  Literal known = kFalse;
  for (uint32_t n = 0; n < children.size(); ++n) {
    const uint32_t child = children[n];
    if (child == 0) continue;
    const SlotPlan& born = e_.plan.of_slot[child];
    if (std::find(born.routines.begin(), born.routines.end(), r) == born.routines.end()) continue;
    const Literal is = equal(aig_, before, n);
    known = aig_.lor(known, is);
    const SlotFields& to = e_.fields.slots[child];
    set_if(path, is, to.code, born.code_of(StopKind::Starting, r, 0));
    const uint32_t parameter = program().routines[r].parameter;
    if (parameter != kNoPlace) {
      const FieldId into = to.registers[r][parameter];
      set_if(path, is, into, value_or_zero(path, action.value, e_.fields.bits(into)));
    }
    handle = choose(aig_, is, constant_word(handle_of(child), 64), handle);
  }
  beyond(path, !known);
  path.set(counter, plus_one(aig_, before));
  assign(path, action.into, handle);
}

// All that the interpreter keeps of the thread, but where it stands.
void StepEncoder::clear_slot(Path& path, Literal when, uint32_t slot) {
  const SlotFields& fields = e_.fields.slots[slot];
  for (const FieldId id :
       {fields.detached, fields.sections, fields.depth, fields.children, fields.result})
    if (id != kNoField) set_if(path, when, id, 0);
}

void StepEncoder::join(Path& path, const Action& action) {
  const Word handle = value(path, action.value);
  Word result = constant_word(0, 64);
  Literal known = kFalse;
  for (uint32_t other = 0; other < program().slots; ++other) {
    if (other == slot_) continue;
    const SlotFields& fields = e_.fields.slots[other];
    const Literal is = equal(aig_, handle, handle_of(other));
    known = aig_.lor(known, is);
    if (fields.detached != kNoField)
      fail(path, FindingKind::ThreadMisuse, aig_.land(is, get(path, fields.detached)[0]));
    if (fields.result != kNoField) result = choose(aig_, is, get(path, fields.result), result);
    clear_slot(path, is, other);
    set_if(path, is, fields.code, kJoined);
  }
  beyond(path, !known);
  assign(path, action.into, result);
}

void StepEncoder::detach(Path& path, const Action& action) {
  const Word handle = value(path, action.value);
  for (uint32_t other = 0; other < program().slots; ++other) {
    const Literal is = aig_.land({equal(aig_, handle, handle_of(other)),
                                  !stands(path, other, kUnborn), !stands(path, other, kJoined)});
    set_if(path, is, e_.fields.slots[other].detached, 1);
  }
}

}  // namespace heddle::circuit
