// Two threads, each with a file of its own: what one does must not be lost by what the other does.
#include "daisy.c"

static void* user_a(void* unused) {
#if RACE == 2
  write_file(0, 5);
#else
  create_file(0, BLOCK_A);
#endif
  return unused;
}

static void* user_b(void* unused) {
#if RACE == 2
  write_file(1, 6);
#else
  create_file(1, BLOCK_B);
#endif
  return unused;
}

int main(void) {
  pthread_t a, b;
#if RACE == 2
  create_file(0, BLOCK_A);
  create_file(1, BLOCK_B);
#endif
  pthread_create(&a, 0, user_a, 0);
  pthread_create(&b, 0, user_b, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
#if RACE == 2
  assert(read_file(0) == 5 && read_file(1) == 6);
#else
  assert(is_allocated(BLOCK_A) && is_allocated(BLOCK_B));
#endif
}
