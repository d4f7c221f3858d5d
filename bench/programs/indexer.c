// The indexer of Flanagan and Godefroid (2005), as SCALE has it: every thread puts ENTRIES words
// into one hash table; up to eleven threads never meet in the same slot.
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif
#define SLOTS 128
#define ENTRIES 4

static int table[SLOTS];
static pthread_mutex_t guards[SLOTS];

static int put_if_free(int slot, int word) {
  pthread_mutex_lock(&guards[slot]);
  int free_before = table[slot] == 0;
  if (free_before) table[slot] = word;
  pthread_mutex_unlock(&guards[slot]);
  return free_before;
}

static void* fill(void* argument) {
  int number = (int)(long)argument;
  for (int m = 1; m <= ENTRIES; m++) {
    int word = m * 11 + number;
    int slot = word * 7 % SLOTS;
    while (!put_if_free(slot, word)) slot = (slot + 1) % SLOTS;
  }
  return NULL;
}

int main(void) {
  pthread_t others[THREADS];
  for (int i = 0; i < SLOTS; i++) pthread_mutex_init(&guards[i], NULL);
  for (long i = 0; i < THREADS - 1; i++) pthread_create(&others[i], NULL, fill, (void*)i);
  fill((void*)(long)(THREADS - 1));
  for (int i = 0; i < THREADS - 1; i++) pthread_join(others[i], NULL);
  for (int i = 0; i < SLOTS; i++) pthread_mutex_destroy(&guards[i]);
  return 0;
}
