// Where states are kept, so that each is looked at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "interpreter/state_space.h"

namespace heddle::explicit_states {

// How a store calls a state: its number if it can restore it, else what it knows of it.
enum class StateKey : uint64_t {};

struct Arrival {
  StateKey key{0};
  bool is_new = false;
  bool open = false;  // it was there, and has not been closed
};

class StateStore {
 public:
  virtual ~StateStore() = default;

  // A state that is new is open until it is closed.
  virtual Arrival insert(const uint8_t* state) = 0;
  virtual void close(StateKey key) = 0;
  // Whether Arrival::open is known. If not, it is false.
  virtual bool knows_open() const = 0;

  // Whether states can be had back; their keys then count from 0 on, as they arrive.
  virtual bool restores() const = 0;
  virtual void restore(StateKey key, uint8_t* state) = 0;

  virtual uint64_t size() const = 0;
  virtual size_t bytes() const = 0;  // memory it has
  // The most memory it may have at once while so many more are inserted.
  virtual size_t bytes_with(size_t more) const = 0;
  // How many states have probably been taken for others that were there. 0: it is exact.
  virtual double expected_omissions() const { return 0; }
};

// Every state, compressed (exact_store.cc).
std::unique_ptr<StateStore> make_exact_store(const StateSpace& space);
// 63 bits of a hash for each state (hash_store.cc).
std::unique_ptr<StateStore> make_hash_store(const StateSpace& space);
// A few bits in a field of the given size (bit_store.cc).
std::unique_ptr<StateStore> make_bit_store(const StateSpace& space, size_t bytes);

}  // namespace heddle::explicit_states
