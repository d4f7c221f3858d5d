// A block is lost if no chain of addresses leads to it from where the program could still get at
// it: its variables, the storage and stacks of its threads. Any aligned word that is an address
// inside a block counts as a reference to it (as in LeakSanitizer), so what is reported is lost for
// certain.
//
// Only pages written to since main began can refer to a block allocated since, and these are few:
// the page tracker keeps them for the rewind. Where nothing is rewound, or the program has mapped
// memory of its own or loaded a library, all pages are looked through. What the dynamic linker
// allocates is its own business.
#include "runtime/checkers/leaks.h"

#include "runtime/core/runtime.h"
#include "runtime/rewind/kernel_state.h"
#include "runtime/rewind/snapshot.h"
#include "runtime/threads/fiber.h"

namespace heddle {
namespace {

void mark_from_memory(Heap& heap) {
  if (g_runtime.rewinds_in_place) {
    g_runtime.pages.for_each_hot_page(
        [&](uint64_t page) { heap.mark_from(page, page + kPageBytes); });
    if (!kernel_state().are_mappings_touched()) return;
  }
  if (!g_runtime.rewinds_in_place) heap.mark_from_baseline();
  for_each_program_mapping([&](uint64_t begin, uint64_t end) { heap.mark_from(begin, end); });
}

void mark_word(Heap& heap, const void* pointer) {
  auto at = reinterpret_cast<uint64_t>(&pointer);
  heap.mark_from(at, at + sizeof pointer);
}

void mark_from_thread(Heap& heap, const ProgramThread& thread, uint64_t stack_pointer) {
  uint64_t end = kStackBase + (index(thread.id) + 1) * kStackSlotBytes;
  if (thread.life == Life::Live && stack_pointer != 0) heap.mark_from(stack_pointer, end);
  if (!g_runtime.rewinds_in_place) {
    auto [begin, storage_end] = g_runtime.thread_pointers.storage_of(thread.id);
    heap.mark_from(begin, storage_end);
  }
  mark_word(heap, thread.argument);
  if (!thread.joined) mark_word(heap, thread.result);
}

// Named semaphores belong to the system, not to who opened them.
void mark_from_system(Heap& heap, const NamedSemaphores& semaphores) {
  semaphores.for_each([&](const sem_t* semaphore) { mark_word(heap, semaphore); });
}

// Code that was not compiled for us may keep addresses in ways that nobody can follow.
void note_leak(const Heap::Leak& leak) {
  ChannelHeader& header = *g_runtime.header;
  if (leak.blocks <= header.leaked_blocks) return;
  header.leaked_blocks = leak.blocks;
  header.leaked_bytes = leak.bytes;
}

}  // namespace

[[gnu::noinline]] void look_for_leaks() {
  Heap& heap = g_runtime.heap;
  if (!g_runtime.header->options.leaks || !heap.has_blocks()) return;
  RuntimeScope scope;
  mark_from_memory(heap);
  NativeExecutor& executor = g_runtime.executor;
  mark_from_system(heap, executor.named_semaphores());
  for (uint32_t id : executor.started_threads()) {
    const ProgramThread& thread = executor.thread(ThreadId{id});
    bool running = &thread == &executor.current();
    mark_from_thread(heap, thread,
                     running ? reinterpret_cast<uint64_t>(__builtin_frame_address(0))
                             : reinterpret_cast<uint64_t>(thread.flow.at));
  }
  Heap::Leak leak = heap.unmarked();
  if (leak.blocks == 0) return;
  if (!g_switches.instrumented) return note_leak(leak);
  Failure failure;
  failure.kind = FindingKind::Leak;
  failure.message = "nothing refers to " + std::to_string(leak.bytes) + " bytes in " +
                    std::to_string(leak.blocks) + (leak.blocks == 1 ? " block" : " blocks") +
                    " when the program ends";
  failure.thread = executor.current().id;
  failure.object = Address{leak.first.begin};
  failure.size = static_cast<uint32_t>(leak.first.bytes);
  fail(std::move(failure));
}

}  // namespace heddle
