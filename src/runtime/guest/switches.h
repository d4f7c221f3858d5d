// What is going on in this process, as switches that every intercept reads.
#pragma once

#include <cstdint>

namespace heddle {

class PlainWrites;

// Why the plain accesses of instrumented code matter, as bits of one byte: most programs make far
// more of these than of anything else, so all reasons together cost them one load.
inline constexpr uint8_t kAccessesCount = 1;    // writes matter to who looks for loops
inline constexpr uint8_t kAccessesNotable = 2;  // some are scheduling points, or evidence
inline constexpr uint8_t kAccessesMemory = 4;   // they are checked against what is allocated
inline constexpr uint8_t kAccessesRaces = 8;    // they are compared with those of others

// Hot switches, read by every intercept.
struct Switches {
  bool controlled = false;    // under the command line's control, from __libc_start_main on
  bool on_fiber = false;      // code of the program (or an intercept it called) is running
  bool in_runtime = false;    // … but a runtime function is at work that may call libc
  bool concurrent = false;    // some other thread has not been joined yet
  bool looks_last = false;    // it counts what main looks at even when it is alone again
  bool every_access = false;  // plain accesses are visible now (--visible=all and concurrent)
  bool races = false;         // accesses are compared now (detects_races and concurrent)
  uint8_t accesses = 0;       // why plain accesses matter now, see above; follows from the others
  bool memory = false;        // accesses are checked against what is allocated
  bool gathers = false;       // evidence is gathered for a report
  bool invariants = false;    // some are to be evaluated between steps
  bool detects_races = false;
  bool promotes = false;      // some plain memory is visible, see promoted.h
  bool sees_atomics = false;  // plain memory that was written atomically is, see atomic_places.h
  bool instrumented = false;  // code compiled with -fsanitize=thread has introduced itself
  bool spinning = false;      // who changes nothing is of interest
  bool in_section = false;    // the running thread is in an atomic section
  uint64_t own_stack = 0;     // slot of the running thread's stack: what it writes there is its own
  PlainWrites* own_writes = nullptr;  // of the running thread

  void set_in_section(bool now) {
    if (in_section == now) return;
    in_section = now;
    update_accesses();
  }
  void update_accesses() {
    auto bit = [](bool reason, uint8_t which) { return reason ? which : 0; };
    const bool some_visible = every_access || (in_section && concurrent) ||
                              ((promotes || sees_atomics) && (concurrent || looks_last));
    const int why = bit(spinning && concurrent, kAccessesCount) | bit(memory, kAccessesMemory) |
                    bit(races, kAccessesRaces) | bit(some_visible, kAccessesNotable);
    accesses = static_cast<uint8_t>(why | bit(gathers && why != 0, kAccessesNotable));
  }
};

extern constinit Switches g_switches;

inline bool controlled() {
  return g_switches.controlled;
}
// Whether it is the program that calls, in an execution.
inline bool explored() {
  return g_switches.on_fiber && !g_switches.in_runtime;
}

// While one of these lives, malloc serves the runtime, not the program.
class RuntimeScope {
 public:
  RuntimeScope() : before_(g_switches.in_runtime) { g_switches.in_runtime = true; }
  ~RuntimeScope() { g_switches.in_runtime = before_; }
  RuntimeScope(const RuntimeScope&) = delete;
  RuntimeScope& operator=(const RuntimeScope&) = delete;

 private:
  bool before_;
};

}  // namespace heddle
