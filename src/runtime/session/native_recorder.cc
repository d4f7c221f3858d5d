#include "runtime/session/native_recorder.h"

#include <link.h>

#include <algorithm>

#include "runtime/checkers/evidence.h"
#include "runtime/checkers/promoted.h"
#include "runtime/core/runtime.h"
#include "runtime/executor/debugger.h"
#include "runtime/guest/pointers.h"
#include "runtime/objects/labels.h"
#include "runtime/rewind/output.h"

namespace heddle {
namespace {

bool in_debugger() {
  return g_runtime.header->options.stop_in_debugger;
}

std::string place_name(uint64_t address) {
  HeapBlock block = g_runtime.heap.find_block(address);
  if (block.begin != 0)
    return "heap block of " + std::to_string(block.bytes) + " bytes from thread " +
           std::to_string(index(block.owner)) + ", offset " + std::to_string(address - block.begin);
  ThreadId owner = stack_owner(address);
  if (owner != kNoThread) return "on the stack of thread " + std::to_string(index(owner));
  return {};
}

int note_module(dl_phdr_info* info, size_t, void* argument) {
  auto* modules = static_cast<std::vector<Module>*>(argument);
  Module module;
  module.path = info->dlpi_name;  // empty for the executable; the command line knows it
  module.base = info->dlpi_addr;
  module.begin = ~0ull;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    uint64_t begin = info->dlpi_addr + segment.p_vaddr;
    module.begin = std::min(module.begin, page_down(begin));
    module.end = std::max(module.end, page_up(begin + segment.p_memsz));
  }
  if (module.end != 0) modules->push_back(std::move(module));
  return 0;
}

}  // namespace

bool NativeRecorder::program_was_edited() const {
  return g_runtime.header->resynchronise != 0;
}

bool NativeRecorder::shows_loops() const {
  return !in_debugger();
}

std::vector<Address> NativeRecorder::stack_of(ThreadId id) const {
  const ProgramThread& thread = executor_.thread(id);
  return {thread.stack, thread.stack + thread.stack_depth};
}

void NativeRecorder::begin() {
  begin_capture();
  executor_.set_recording(true);
  evidence().begin(expected() != nullptr ? expected()->failure : Failure{});
}

void NativeRecorder::begun() {
  if (in_debugger()) debug_begin(schedule().size());
}

void NativeRecorder::add_to_step(const ThreadView& view, TraceStep& step) {
  step.stack = stack_of(view.id);
  note_frame(view.next.object);
  note_frame(view.next.second);
}

void NativeRecorder::before_step(size_t number, ThreadId thread) {
  if (in_debugger()) debug_before_step(number, thread);
  ChannelHeader& header = *g_runtime.header;  // should the process die of the step
  if (header.options.mode == Mode::Replay) header.progress.events.store(number);
}

bool NativeRecorder::confirms_livelocks() const {
  return g_runtime.header->options.mode == Mode::Replay && !in_debugger();
}

void NativeRecorder::add_to_failure() {
  auto stack = executor_.failure_stack();
  trace().failure_stack.assign(stack.begin(), stack.end());
}

void NativeRecorder::end() {
  note_threads();
  note_frame_of_failure();
  name_objects();
  if (in_debugger()) show_blocked_thread();
  flush_program_output();
  executor_.set_recording(false);
  trace().evidence = evidence().end();
  trace().visible_memory = promoted();
  trace().output = end_capture();
  dl_iterate_phdr(note_module, &trace().modules);
  frames_.clear();  // nothing may be left in the arena between two recordings: see children.h
}

void NativeRecorder::begin_loops() {
  begin_capture();
  executor_.set_recording(true);
}

void NativeRecorder::end_loops() {
  executor_.set_recording(false);
  flush_program_output();
  end_capture();
}

void NativeRecorder::note_threads() {
  for (uint32_t id : executor_.started_threads()) {
    const ProgramThread& thread = executor_.thread(ThreadId{id});
    trace().threads.push_back({thread.id, thread.parent, thread.birth,
                               address_of(reinterpret_cast<void*>(thread.entry)), thread.name});
  }
  if (executor_.status() == Status::Running || trace().failure.kind != FindingKind::LostWakeup)
    return;
  for (uint32_t id : executor_.live_threads()) {
    const ProgramThread& thread = executor_.thread(ThreadId{id});
    if (&thread != &executor_.current()) describe_thread(executor_.view_of(thread));
  }
}

// Whose variable is it? Asked as long as the call is under way.
void NativeRecorder::note_frame(Address object) {
  const ThreadId owner = object != kNoAddress ? stack_owner(value(object)) : kNoThread;
  if (owner == kNoThread || frames_.contains(object)) return;
  if (TraceFrame frame = suspended_frame(owner, object); frame.pc != kNoAddress)
    frames_.emplace(object, frame);
}

TraceFrame NativeRecorder::suspended_frame(ThreadId owner, Address object) const {
  const ProgramThread& thread = executor_.thread(owner);
  if (thread.life != Life::Live) return {};
  for (int i = 0; i < thread.stack_depth; ++i)
    if (const FrameRange& range = thread.frames[i]; range.contains(value(object)))
      return {owner, thread.stack[i], Address{range.begin}, Address{range.end}};
  return {};
}

// Of the memory that the failure is about. The failing thread has gone on since it was suspended,
// and one that has ended was last seen in a function when it left that.
void NativeRecorder::note_frame_of_failure() {
  const Address object = trace().failure.object;
  const ThreadId owner = object != kNoAddress ? stack_owner(value(object)) : kNoThread;
  if (owner == kNoThread) return;
  TraceFrame frame;
  if (owner != trace().failure.thread) frame = suspended_frame(owner, object);
  if (frame.pc == kNoAddress) frame = evidence().frame();
  if (frame.pc != kNoAddress) frames_[object] = frame;
}

// A failing thread has stopped in the debugger by itself; of blocked ones we pick the first of the
// circle.
void NativeRecorder::show_blocked_thread() {
  if (executor_.status() != Status::Running || trace().ends.empty()) return;
  executor_.visit(trace().cycle.empty() ? trace().failure.thread : trace().cycle.front());
}

void NativeRecorder::name_objects() {
  for (const TraceStep& step : trace().steps) name_object(step.action);
  for (const TraceThreadEnd& end : trace().ends) name_object(end.next);
  name_object({.op = Op::Write, .object = trace().failure.object});
}

// Of memory that has been freed, the pointer may have been overwritten since.
void NativeRecorder::note_block(TraceObject& object) {
  const HeapBlock block = g_runtime.heap.find_block(value(object.address));
  if (block.begin == 0) return;
  object.block = Address{block.begin};
  object.block_size = block.bytes;
  object.pointer = pointer_to(block.begin);
  if (object.pointer == kNoAddress && object.address == trace().failure.object)
    object.pointer = evidence().pointer();
}

void NativeRecorder::name_object(const Action& action) {
  const ObjectSort sort = operation(action.op).object;
  if (sort == ObjectSort::Number || sort == ObjectSort::Thread) return;
  for (Address object : {action.object, action.second}) {
    auto known = [&](const TraceObject& o) { return o.address == object; };
    if (object == kNoAddress || std::any_of(trace().objects.begin(), trace().objects.end(), known))
      continue;
    std::string name = place_name(value(object));
    const char* label = labels().of(object);
    if (name.empty() && label == nullptr) continue;
    trace().objects.push_back({object, std::move(name), label != nullptr ? label : "", {}});
    note_block(trace().objects.back());
    if (auto frame = frames_.find(object); frame != frames_.end())
      trace().objects.back().frame = frame->second;
  }
}

}  // namespace heddle
