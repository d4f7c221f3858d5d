// Every atomic operation at every size computes what it should while another thread exists.
//
// RUN: --strategy=random --max-executions=3
// FLAGS: -mcx16
// EXPECT: unknown
// EXECUTIONS: 3
// RUN: --strategy=random --max-executions=3
// FLAGS: -latomic
// EXPECT: unknown
// EXECUTIONS: 3
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define CHECK_ALL(name, type)                                                                    \
  static type name##_cell;                                                                       \
  static void name(void) {                                                                       \
    type* p = &name##_cell;                                                                      \
    const type high = (type)((type)0xA5 << (8 * (sizeof(type) - 1)));                            \
    __atomic_store_n(p, high, __ATOMIC_RELEASE);                                                 \
    assert(__atomic_load_n(p, __ATOMIC_ACQUIRE) == high);                                        \
    assert(__atomic_exchange_n(p, (type)12, __ATOMIC_ACQ_REL) == high);                          \
    assert(__atomic_fetch_add(p, (type)5, __ATOMIC_SEQ_CST) == (type)12);                        \
    assert(__atomic_fetch_sub(p, (type)7, __ATOMIC_RELAXED) == (type)17);                        \
    assert(__atomic_fetch_or(p, (type)5, __ATOMIC_SEQ_CST) == (type)10);                         \
    assert(__atomic_fetch_and(p, (type)6, __ATOMIC_SEQ_CST) == (type)15);                        \
    assert(__atomic_fetch_xor(p, (type)3, __ATOMIC_SEQ_CST) == (type)6);                         \
    assert(__atomic_fetch_nand(p, (type)4, __ATOMIC_SEQ_CST) == (type)5);                        \
    assert(__atomic_load_n(p, __ATOMIC_SEQ_CST) == (type) ~(type)4);                             \
    type expected = 1;                                                                           \
    assert(!__atomic_compare_exchange_n(p, &expected, (type)2, 0, __ATOMIC_SEQ_CST,              \
                                        __ATOMIC_RELAXED));                                      \
    assert(expected == (type) ~(type)4);                                                         \
    assert(                                                                                      \
        __atomic_compare_exchange_n(p, &expected, high, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)); \
    while (!__atomic_compare_exchange_n(p, &(type){high}, (type)9, 1, __ATOMIC_SEQ_CST,          \
                                        __ATOMIC_SEQ_CST))                                       \
      continue;                                                                                  \
    assert(__atomic_add_fetch(p, (type)1, __ATOMIC_SEQ_CST) == (type)10);                        \
    assert(__sync_fetch_and_add(p, (type)1) == (type)10);                                        \
    assert(__sync_val_compare_and_swap(p, (type)11, (type)12) == (type)11);                      \
    assert(*p == (type)12);                                                                      \
  }

CHECK_ALL(bits8, uint8_t)
CHECK_ALL(bits16, uint16_t)
CHECK_ALL(bits32, uint32_t)
CHECK_ALL(bits64, uint64_t)
CHECK_ALL(bits128, unsigned __int128)

static void* all(void* unused) {
  bits8();
  bits16();
  bits32();
  bits64();
  bits128();
  return unused;
}

static void* nothing(void* unused) {
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, all, NULL);
  pthread_create(&b, NULL, nothing, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
