#include "toy/generator.h"

#include <iterator>

#include "base/random.h"

namespace heddle::toy {
namespace {

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  Program program() {
    const uint32_t threads = 2 + below(3);
    Program program;
    program.threads.resize(threads);
    for (Script& script : program.threads) script = body(5 - threads);
    for (uint32_t child = 1; child < threads; ++child) add_family(program, child);
    return program;
  }

  Program crowd() {
    Program program;
    program.threads.resize(3 + below(2));
    program.initially_live = static_cast<uint32_t>(program.threads.size());
    for (Script& script : program.threads)
      for (uint32_t pieces = 1 + below(2); pieces > 0; --pieces) add_meeting(script);
    return program;
  }

  Program waiters() {
    Program program;
    program.threads.resize(2 + below(2));
    program.initially_live = static_cast<uint32_t>(program.threads.size());
    for (Script& script : program.threads)
      for (uint32_t pieces = 1 + below(2); pieces > 0; --pieces) add_round(script);
    return program;
  }

  Program accesses() {
    const uint32_t threads = 2 + below(3);
    Program program;
    program.threads.resize(threads);
    for (Script& script : program.threads)
      for (uint32_t pieces = 1 + below(7 - threads); pieces > 0; --pieces) add_access(script);
    if (one_in(2))
      program.initially_live = threads;
    else
      for (uint32_t child = 1; child < threads; ++child) add_family(program, child);
    return program;
  }

  Program swaps() {
    Program program;
    program.threads.resize(3 + below(2));
    program.initially_live = static_cast<uint32_t>(program.threads.size());
    for (Script& script : program.threads)
      for (uint32_t pieces = 2 + below(2); pieces > 0; --pieces) add_swap(script);
    return program;
  }

  Program sections() {
    const uint32_t threads = 2 + below(3);
    Program program;
    program.threads.resize(threads);
    for (Script& script : program.threads)
      for (uint32_t pieces = 1 + below(5 - threads); pieces > 0; --pieces)
        one_in(3) ? add_meeting(script) : add_section(script);
    if (one_in(2))
      program.initially_live = threads;
    else
      for (uint32_t child = 1; child < threads; ++child) add_family(program, child);
    return program;
  }

  Program sharing() {
    const uint32_t threads = 2 + below(3);
    Program program;
    program.threads.resize(threads);
    program.semaphores = {below(3), below(2)};
    program.round = 2 + below(2);
    const uint32_t kinds = below(8);  // all of them, or one with some of the rest
    for (Script& script : program.threads)
      for (uint32_t pieces = 1 + below(6 - threads); pieces > 0; --pieces)
        add_share(script, kinds < 5 && !one_in(4) ? kinds : below(5));
    if (one_in(2))
      program.initially_live = threads;
    else
      for (uint32_t child = 1; child < threads; ++child) add_family(program, child);
    return program;
  }

  Program endings() {
    Program program;
    program.threads.resize(2 + below(2));
    program.first_has_started = one_in(2);
    if (one_in(2)) append(program.at_exit, {load(2, below(2)), add(3, 0, 1)});
    if (one_in(4)) append(program.threads[0], {assume_equal(0, one_in(4) ? 1 : 0)});
    for (Script& script : program.threads)
      for (uint32_t pieces = 1 + below(2); pieces > 0; --pieces) add_ending(script);
    if (one_in(2))
      program.initially_live = static_cast<uint32_t>(program.threads.size());
    else
      for (uint32_t child = 1; child < program.threads.size(); ++child) add_family(program, child);
    return program;
  }

 private:
  void add_swap(Script& script) {
    const uint32_t object = one_in(4) ? 1 : 0;
    const auto value = static_cast<int32_t>(below(3));
    if (one_in(2))
      append(script, {cas(0, object, below(3), value)});
    else if (one_in(2))
      append(script, {store(object, value)});
    else
      append(script, {load(0, object)});
  }

  void add_ending(Script& script) {
    const uint32_t reg = below(2), object = below(2);
    const auto value = static_cast<int32_t>(below(3));
    switch (below(9)) {
      case 0:
        return append(script, {load(reg, object)});
      case 1:
        return append(script, {store(object, value)});
      case 2:
      case 3:
        return append(script, {cas(reg, object, below(3), value)});
      case 4:
        return append(script,
                      {cas(reg, object, 0, value), skip_unless(reg, 0, 1), store(1 - object, 1)});
      case 5:
        return append(script, {load(reg, object), assume_equal(reg, 0)});
      case 6:
        return append(script, {load(reg, object), assert_equal(reg, 0)});
      case 7:
        return append(script, {load(reg, object), store(1 - object, value), exit_program()});
      case 8:
        return append(script, {load(reg, object), skip_unless(reg, value, 2), add(2, object, 1),
                               exit_program()});
    }
  }

  void add_share(Script& script, uint32_t kind) {
    switch (kind) {
      case 0:
        return add_semaphore(script);
      case 1:
      case 2:
        return add_rwlock(script);
      case 3:
        return add_together(script);
      case 4:
        return add_deadline(script);
    }
  }

  void add_semaphore(Script& script) {
    const uint32_t reg = below(2), object = below(2), semaphore = one_in(4) ? 1 : 0;
    switch (below(8)) {
      case 0:
      case 1:
        return append(script, {take(semaphore), post(semaphore)});
      case 2:
        return append(script, {take(semaphore), add(reg, object, 1), post(semaphore)});
      case 3:
        return append(script, {take(semaphore)});
      case 4:
        return append(script, {post(semaphore)});
      case 5:
        return append(script, {try_take(reg, semaphore), skip_unless(reg, 1, 1), post(semaphore)});
      case 6:
        return append(script, {value_of(reg, semaphore), skip_unless(reg, 1, 1), store(object, 1)});
      case 7:
        return append(script, {take(semaphore), post(1 - semaphore)});
    }
  }

  void add_rwlock(Script& script) {
    const uint32_t reg = below(2), object = below(2);
    switch (below(11)) {
      case 0:
      case 1:
        return append(script, {read_lock(0), rw_unlock(0)});
      case 2:
        return append(script, {read_lock(0), load(reg, object), rw_unlock(0)});
      case 3:
      case 4:
        return append(script, {write_lock(0), store(object, 1), rw_unlock(0)});
      case 5:
        return append(script, {try_read(reg, 0), skip_unless(reg, 1, 1), rw_unlock(0)});
      case 6:
        return append(script, {try_write(reg, 0), skip_unless(reg, 1, 1), rw_unlock(0)});
      case 7:  // twice, or never given back
        if (one_in(2))
          return append(script, {read_lock(0), read_lock(0), rw_unlock(0), rw_unlock(0)});
        return append(script, {one_in(2) ? read_lock(0) : write_lock(0)});
      case 8:  // waits for another with the lock in its hand
        return append(script, {read_lock(0), post(object), take(1 - object), rw_unlock(0)});
      case 9:
        return append(script, {write_lock(0), take(object), rw_unlock(0)});
      case 10:
        if (!one_in(3)) return append(script, {post(object)});
        return append(script, {rw_unlock(0)});
    }
  }

  void add_together(Script& script) {
    const uint32_t reg = below(2), object = below(2);
    switch (below(6)) {
      case 0:
      case 1:
        return append(script, {arrive(reg, 0)});
      case 2:
        return append(script, {arrive(reg, 0), skip_unless(reg, 1, 1), store(object, 2)});
      case 3:
        return append(script,
                      {once(reg, 0), skip_unless(reg, 1, 2), add(0, object, 1), once_end(0)});
      case 4:
        return append(script, {once(reg, object), skip_unless(reg, 1, 1), once_end(object)});
      case 5:
        return append(script, {load(reg, object)});
    }
  }

  void add_deadline(Script& script) {
    const uint32_t reg = below(2), object = below(2), mutex = below(2);
    switch (below(14)) {
      case 0:
      case 1:
        return append(script, {timed_lock(reg, mutex), skip_unless(reg, 1, 2), store(object, 1),
                               unlock(mutex)});
      case 2:
        return append(script, {lock(mutex), timed_lock(reg, 1 - mutex), skip_unless(reg, 1, 1),
                               unlock(1 - mutex), unlock(mutex)});
      case 3:
        return append(script, {timed_take(reg, 0), skip_unless(reg, 1, 1), post(0)});
      case 4:
        return append(script, {timed_read(reg, 0), skip_unless(reg, 1, 1), rw_unlock(0)});
      case 5:
        return append(script, {timed_write(reg, 0), skip_unless(reg, 1, 1), rw_unlock(0)});
      case 6:
        return append(script, {lock(0), timed_wait(0, 0), unlock(0)});
      case 7:
        return append(script, {lock(0), late_wait(0, 0), store(object, 2), unlock(0)});
      case 8:
        return append(script, {lock(0), passed_wait(0, 0), load(reg, object), unlock(0)});
      case 9:
        return append(script, {signal(0)});
      case 10:
        return append(script, {lock(0), broadcast(0), unlock(0)});
      case 11:  // what another thread holds stays held
        return append(script, {try_unlock(reg, mutex)});
      case 12:
        return append(script, {lock(mutex), add(reg, object, 1), try_unlock(reg, mutex)});
      case 13:  // never given back
        return append(script, {one_in(2) ? lock(mutex) : timed_take(reg, 1)});
    }
  }

  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_.below(n)); }
  bool one_in(uint32_t n) { return below(n) == 0; }

  Script body(uint32_t most_pieces) {
    Script script;
    for (uint32_t pieces = below(most_pieces + 1); pieces > 0; --pieces) add_piece(script);
    return script;
  }

  void add_piece(Script& script) {
    const uint32_t reg = below(2), object = below(2), mutex = below(2);
    switch (below(14)) {
      case 0:
        return append(script, {load(reg, object), assert_equal(reg, 0)});
      case 1:
        return append(script, {store(object, static_cast<int32_t>(below(3)))});
      case 2:
        return append(script, {load(reg, object), store_sum(object, reg, 1)});
      case 3:
        return append(script, {add(reg, object, 1), assert_equal(reg, 0)});
      case 4:
        return append(script, {lock(mutex), store(object, 2), unlock(mutex)});
      case 5:
        return append(script, {lock(mutex), lock(1 - mutex), unlock(mutex), unlock(1 - mutex)});
      case 6:
        return append(script, {lock(0), wait(object, 0), unlock(0)});
      case 7:
        return append(script, {signal(object)});
      case 8:
        return append(script, {lock(0), broadcast(object), unlock(0)});
      case 9:
        return append(script, {yield()});
      case 10:
        return append(script, {choose(reg, 2), skip_unless(reg, 1, 1), store(object, 1)});
      case 11:
        return append(script, {load(reg, object), skip_unless(reg, 0, 1), yield()});
      case 12:
        return append(script, {try_lock(reg, mutex), skip_unless(reg, 1, 2), store(object, 3),
                               unlock(mutex)});
      case 13:
        if (!one_in(4)) return append(script, {lock(0), signal(object), unlock(0)});
        return append(script, {load(reg, object), skip_unless(reg, 1, 1), exit_program()});
    }
  }

  void add_meeting(Script& script) {
    const uint32_t reg = below(2), object = below(2), mutex = below(2);
    const uint32_t condition = one_in(4) ? 1 : 0;
    switch (below(12)) {
      case 0:
        return append(script, {load(reg, object), skip_unless(reg, 0, 1), store(object, 1)});
      case 1:
        return append(script, {add(reg, object, 1)});
      case 2:
        return append(script, {lock(mutex), store(object, 2), unlock(mutex)});
      case 3:
        return append(script, {lock(mutex), lock(1 - mutex), unlock(1 - mutex), unlock(mutex)});
      case 4:
      case 5:
        return append(script, {lock(0), wait(condition, 0), unlock(0)});
      case 6:
        return append(script, {lock(1), wait(condition, 1), store(object, 3), unlock(1)});
      case 7:
        return append(script, {signal(condition)});
      case 8:
        return append(script, {lock(0), signal(condition), unlock(0)});
      case 9:
        return append(script, {broadcast(condition)});
      case 10:
        return append(script, {try_lock(reg, mutex), skip_unless(reg, 1, 2), add(reg, object, 1),
                               unlock(mutex)});
      case 11:
        if (!one_in(3)) return append(script, {lock(0), load(reg, object), unlock(0)});
        return append(script, {load(reg, object), assert_equal(reg, 0)});
    }
  }

  void add_round(Script& script) {
    const uint32_t reg = below(2), object = below(2), mutex = below(2);
    const auto value = static_cast<int32_t>(1 + below(2));
    switch (below(9)) {
      case 0:
        return append(script, {load(reg, object), skip_unless(reg, value, -2)});
      case 1:
        return append(script, {load(reg, object), yield(), skip_unless(reg, value, -3)});
      case 2:
        return append(script, {load(0, 0), skip_unless(0, 0, 2), load(1, 1),
                               skip_unless(1, value, -4), store(1 - object, value)});
      case 3:
        return append(script, {try_lock(reg, mutex), skip_unless(reg, 1, -2), add(reg, object, 1),
                               unlock(mutex)});
      case 4:
        return append(script,
                      {lock(mutex), load(reg, object), unlock(mutex), skip_unless(reg, value, -4)});
      case 5:
      case 6:
        return append(script, {store(object, value)});
      case 7:
        return append(script, {lock(mutex), store(object, value), unlock(mutex)});
      case 8:
        return append(script, {load(reg, object), store_sum(object, reg, 1)});
    }
  }

  void add_access(Script& script) {
    const uint32_t reg = below(2), object = below(2), mutex = below(2);
    const auto value = static_cast<int32_t>(1 + below(3));
    switch (below(13)) {
      case 0:
      case 1:
      case 2:
        return append(script, {load(reg, object)});
      case 3:
      case 4:
      case 5:
        return append(script, {store(object, value)});
      case 6:
        return append(script,
                      {load(reg, object), skip_unless(reg, value, 1), store(1 - object, 1)});
      case 7:
        return append(script, {add(reg, object, 1)});
      case 8:
        return append(script, {lock(mutex), store(object, value), unlock(mutex)});
      case 9:
        return append(script, {lock(mutex), lock(1 - mutex), load(reg, object), unlock(mutex),
                               unlock(1 - mutex)});
      case 10:
        return append(script, {try_lock(reg, mutex), skip_unless(reg, 1, 2), store(object, value),
                               unlock(mutex)});
      case 11:
        return append(script, {choose(reg, 2), skip_unless(reg, 1, 1), store(object, value)});
      case 12:
        return append(script, {load(reg, object), assert_equal(reg, 0)});
    }
  }

  void add_section(Script& script) {
    const uint32_t mutex = below(2);
    const bool takes = one_in(4), holds = one_in(4);  // a lock over its beginning or its end
    if (takes) append(script, {lock(mutex)});
    append(script, {begin_section()});
    for (uint32_t pieces = 1 + below(2); pieces > 0; --pieces) add_inside(script);
    if (takes) append(script, {unlock(mutex)});
    if (holds) append(script, {lock(mutex)});
    append(script, {end_section()});
    if (holds) append(script, {unlock(mutex)});
  }

  void add_inside(Script& script) {
    const uint32_t reg = below(2), object = below(3), mutex = below(2);
    const auto value = static_cast<int32_t>(1 + below(2));
    switch (below(14)) {
      case 0:
      case 1:
        return append(script, {load(reg, object), store_sum(object, reg, 1)});
      case 2:
        return append(script, {store(object, value)});
      case 3:
      case 4:  // which variable it touches depends on another
        return append(script, {load(reg, object), skip_unless(reg, 0, 2), store(2 - object, value),
                               skip(1), load(reg, 1)});
      case 5:
        return append(script, {lock(mutex), add(reg, object, 1), unlock(mutex)});
      case 6:
        return append(script,
                      {lock(mutex), load(reg, object), store(object, value), unlock(mutex)});
      case 7:
        return append(script, {try_lock(reg, mutex), skip_unless(reg, 1, 1), unlock(mutex)});
      case 8:
        return append(script, {lock(0), wait(0, 0), unlock(0)});
      case 9:
        return append(script, {broadcast(0)});
      case 10:
        return append(script, {load(reg, object), assert_equal(reg, 0)});
      case 11:
        if (!one_in(3)) return append(script, {begin_section(), load(reg, object), end_section()});
        return append(script, {load(reg, object), skip_unless(reg, 2, 1), exit_program()});
      case 12:
        return append(script, {yield(), load(reg, object)});
      case 13:  // the thread ends in it
        return append(script, {load(reg, object), skip_unless(reg, 2, 1), skip(100)});
    }
  }

  static void append(Script& script, std::initializer_list<Instruction> piece) {
    script.insert(script.end(), piece);
  }

  // Some earlier thread, mostly the first, creates the child, and often joins it some time later.
  void add_family(Program& program, uint32_t child) {
    Script& parent = program.threads[one_in(3) ? below(child) : 0];
    const size_t birth = one_in(2) ? 0 : first_safe_place(parent);
    parent.insert(parent.begin() + static_cast<ptrdiff_t>(birth), spawn(child));
    if (one_in(3)) return;
    const bool at_once = one_in(2);
    const auto place = at_once ? parent.begin() + static_cast<ptrdiff_t>(birth) + 1 : parent.end();
    parent.insert(place, join(child));
  }

  // Just before the first instruction that is not a spawn, so that no skip can leap into it.
  static size_t first_safe_place(const Script& script) {
    size_t place = 0;
    while (place < script.size() && script[place].code == Code::Spawn) ++place;
    return place;
  }

  Random random_;
};

}  // namespace

Program random_program(uint64_t seed) {
  return Generator(seed).program();
}

Program random_crowd(uint64_t seed) {
  return Generator(seed).crowd();
}

Program random_accesses(uint64_t seed) {
  return Generator(seed).accesses();
}

Program random_sections(uint64_t seed) {
  return Generator(seed).sections();
}

Program random_endings(uint64_t seed) {
  return Generator(seed).endings();
}

Program random_swaps(uint64_t seed) {
  return Generator(seed).swaps();
}

Program random_sharing(uint64_t seed) {
  return Generator(seed).sharing();
}

Program random_waiters(uint64_t seed) {
  return Generator(seed).waiters();
}

}  // namespace heddle::toy
