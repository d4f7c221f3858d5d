#include "runtime/rewind/inherited_mappings.h"

#include <algorithm>

#include "runtime/guest/end_search.h"
#include "runtime/guest/layout.h"
#include "runtime/guest/maps.h"
#include "runtime/guest/raw.h"

namespace heddle {
namespace {

constexpr size_t kMaxMappings = 1 << 16;

// The kernel's own mappings come and go by themselves, or cannot be touched.
bool belongs_to_kernel(const Mapping& mapping) {
  return !mapping.path.empty() && mapping.path[0] == '[';
}

void unmap(uint64_t begin, uint64_t end) {
  if (begin < end) raw::call(SYS_munmap, begin, end - begin);
}

}  // namespace

void InheritedMappings::initialise() {
  all_.reserve(kMaxMappings);
  protected_.reserve(kMaxMappings);
}

void InheritedMappings::take_baseline() {
  for (const Mapping& mapping : read_mappings()) all_.push_back({mapping.begin, mapping.end});
  break_ = static_cast<uint64_t>(raw::call(SYS_brk, 0));
}

void InheritedMappings::restore() {
  raw::call(SYS_brk, break_);
  for (const AddressRange& range : protected_)
    raw::protect(range.begin, range.end - range.begin, PROT_READ | PROT_WRITE);
  protected_.clear();
  unmap_new();
}

bool InheritedMappings::meets(AddressRange range) const {
  return std::any_of(all_.begin(), all_.end(),
                     [&](const AddressRange& one) { return one.meets(range); });
}

void InheritedMappings::note_protection(AddressRange range) {
  if (protected_.size() == protected_.capacity())
    unsupported("mprotect more than 65,536 times", kNoAddress);
  protected_.push_back(range);
}

// The kernel makes one mapping of two that lie side by side: what is new are the gaps.
void InheritedMappings::unmap_new() {
  for (const Mapping& mapping : read_mappings()) {
    if (mapping.begin >= kWindowBegin && mapping.begin < kWindowEnd) continue;
    if (belongs_to_kernel(mapping)) continue;
    uint64_t from = mapping.begin;
    for (const AddressRange& known : all_) {
      if (!known.meets({from, mapping.end})) continue;
      unmap(from, known.begin);
      from = std::max(from, std::min(known.end, mapping.end));
    }
    unmap(from, mapping.end);
  }
}

}  // namespace heddle
