// From an address to its cell. Programs use few, far apart parts of the address space, so a table
// with one entry per megabyte says where the cells of that megabyte are; entry 0 leads to a chunk
// of empty cells, which saves the fast path a test.
#pragma once

#include <algorithm>
#include <cstdint>

namespace heddle {

using ReserveMemory = void* (*)(uint64_t bytes);  // zeroed, costs nothing until touched

// The last write and the last read of a granule, if those describe it; see race_accesses.cc.
struct ShadowCell {
  uint64_t write;
  uint64_t read;
};

// Where in the program they were made. Only looked at when the cell changes, so it lies elsewhere.
struct ShadowPlace {
  uint64_t write;  // an AccessList* if the cell says so
  uint64_t read;
};

class ShadowMemory {
 public:
  static constexpr uint64_t kGranule = 8;

  void initialise(ReserveMemory reserve) {
    table_ = static_cast<uint32_t*>(reserve((1ull << (kAddressBits - kChunkBits)) * 4));
    cells_ = static_cast<ShadowCell*>(reserve(kChunks * kCellsOfChunk * sizeof(ShadowCell)));
    places_ = static_cast<ShadowPlace*>(reserve(kChunks * kCellsOfChunk * sizeof(ShadowPlace)));
  }

  // The address must be one that a program can have (below 2^47). To be read only: it may be the
  // empty cell of memory that was never written to.
  const ShadowCell& peek(uint64_t address) const { return cells_[position(address)]; }

  // Some memory has found no place.
  bool full() const { return full_; }

  // Nobody has accessed this memory: it is new at an address that other memory had before.
  void clear(uint64_t begin, uint64_t end) {
    while (begin < end && begin >> kAddressBits == 0) {
      const uint64_t next = std::min(end, ((begin >> kChunkBits) + 1) << kChunkBits);
      if (table_[begin >> kChunkBits] != 0)
        std::fill(&cells_[position(begin)], &cells_[position(next - 1)] + 1, ShadowCell{});
      begin = next;
    }
  }

  struct Entry {
    ShadowCell* cell;
    ShadowPlace* place;
  };
  // {nullptr, nullptr} when the address cannot exist or there is no room left.
  Entry at(uint64_t address) {
    if (address >> kAddressBits != 0) return {nullptr, nullptr};
    uint32_t& chunk = table_[address >> kChunkBits];
    if (chunk == 0) {
      full_ = full_ || used_ + 1 >= kChunks;
      if (full_) return {nullptr, nullptr};
      chunk = ++used_;
    }
    uint64_t i = position(address);
    return {&cells_[i], &places_[i]};
  }

 private:
  static constexpr unsigned kAddressBits = 47;
  static constexpr unsigned kChunkBits = 20;
  static constexpr uint64_t kCellsOfChunk = (1ull << kChunkBits) / kGranule;
  static constexpr uint64_t kChunks = 1 << 15;  // 32 GiB of the program's memory

  uint64_t position(uint64_t address) const {
    uint64_t within = (address & ((1ull << kChunkBits) - 1)) / kGranule;
    return table_[address >> kChunkBits] * kCellsOfChunk + within;
  }

  uint32_t* table_ = nullptr;
  ShadowCell* cells_ = nullptr;
  ShadowPlace* places_ = nullptr;
  uint32_t used_ = 0;
  bool full_ = false;
};

}  // namespace heddle
