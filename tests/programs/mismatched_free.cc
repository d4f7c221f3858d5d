// A block must be released the way it was allocated.
//
// RUN: --strategy=dfs
// FLAGS: -DALLOCATE=::malloc(12) -DRELEASE=::free(block)
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DALLOCATE=::malloc(12) -DRELEASE=::operator\ delete[](block)
// EXPECT: fail mismatched-free
// MESSAGE: a heap block of 12 bytes allocated by malloc is released by delete[] instead of free
// LOCATION: mismatched_free.cc
// FINDINGS: 1
// RUN: --strategy=icb
// FLAGS: -DALLOCATE=::operator\ new[](12) -DRELEASE=::operator\ delete(block)
// EXPECT: fail mismatched-free
// MESSAGE: allocated by new[] is released by delete instead of delete[]
// RUN: --strategy=icb
// FLAGS: -DALLOCATE=::operator\ new(12,std::align_val_t(64)) -std=c++17 -DRELEASE=::free(block)
// EXPECT: fail mismatched-free
// MESSAGE: allocated by new is released by free instead of delete
// RUN: --strategy=icb
// FLAGS: -DALLOCATE=::operator\ new(12,std::nothrow) -DRELEASE=block=realloc(block,1000)
// EXPECT: fail mismatched-free
// MESSAGE: allocated by new is released by free instead of delete
// RUN: --strategy=icb
// FLAGS: -DALLOCATE=::operator\ new[](12) -DRELEASE=::operator\ delete[](block,std::nothrow)
// EXPECT: pass
// RUN: --strategy=icb --memory=off
// FLAGS: -DALLOCATE=::operator\ new[](12) -DRELEASE=::free(block)
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DALLOCATE=::operator\ new[](12) -DRELEASE=::free(block) -DOWN_OPERATORS
// EXPECT: pass
// RUN: --strategy=icb
// DOOR: preload
// FLAGS: -DALLOCATE=::operator\ new[](12) -DRELEASE=::free(block)
// EXPECT: fail mismatched-free
// RUN: --strategy=icb
// FLAGS: -DALLOCATE=std::make_unique<std::string>(100,42).release()
// FLAGS: -DRELEASE=delete(static_cast<std::string*>(block)) -DTOO_MUCH
// EXPECT: pass
#include <cassert>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <thread>

#ifdef OWN_OPERATORS
void* operator new[](size_t bytes) {
  return malloc(bytes);
}
#endif

int main() {
  std::mutex mutex;
  void* block = nullptr;
  std::thread allocates([&] {
    std::lock_guard<std::mutex> lock(mutex);
    if (block == nullptr) block = ALLOCATE;
  });
  allocates.join();
  std::thread releases([&] {
    std::lock_guard<std::mutex> lock(mutex);
    RELEASE;
  });
  releases.join();
#ifdef TOO_MUCH
  bool thrown = false;
  try {
    ::operator delete(::operator new (size_t{1} << 60));
  } catch (const std::bad_alloc&) {
    thrown = true;
  }
  assert(thrown);
  assert(::operator new[](size_t{1} << 60, std::nothrow) == nullptr);
#endif
  return 0;
}
