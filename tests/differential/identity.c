// Writes where everything lies, in an order that does not depend on the schedule, as one line at
// the end of the file named by its argument.
//
// Threads create threads, pass blocks to each other, free each other's blocks and allocate again.
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kThreads = 4, kPlaces = 8 };

static void* places[kThreads][kPlaces];
static _Thread_local int local;
static _Atomic(void*) offered;  // a block for whoever comes first
static _Atomic(void*) second_offered;

// Takes what is offered, if anything is, and frees it: blocks of the size classes used below come
// from other threads, and at moments that the schedule decides.
static void free_what_is_offered(void) {
  free(atomic_exchange(&offered, NULL));
}

static void note(int thread, int place, void* address) {
  places[thread][place] = address;
}

static void allocate_around_a_step(int thread) {
  void* kept = malloc(40);
  void* passed_on = malloc(56);
  note(thread, 0, &local);
  note(thread, 1, (void*)pthread_self());
  note(thread, 2, __builtin_frame_address(0));
  note(thread, 3, kept);
  note(thread, 4, passed_on);
  free(atomic_exchange(&second_offered, passed_on));
  note(thread, 5, malloc(40));
  free(kept);
  note(thread, 6, malloc(40));  // its own again
}

static void* grandchild(void* unused) {
  allocate_around_a_step(3);
  free_what_is_offered();
  return unused;
}

static void* child(void* unused) {
  pthread_t thread;
  atomic_store(&offered, malloc(200));
  pthread_create(&thread, NULL, grandchild, NULL);
  allocate_around_a_step(1);
  pthread_join(thread, NULL);
  return unused;
}

static void* other_child(void* unused) {
  allocate_around_a_step(2);
  note(2, 7, malloc(200));
  return unused;
}

static void write_line(const char* file) {
  char line[kThreads * kPlaces * 20 + 2];
  int length = 0;
  for (int i = 0; i < kThreads * kPlaces; ++i)
    length += snprintf(line + length, sizeof line - (size_t)length, "%p ", places[0][i]);
  line[length++] = '\n';
  int out = open(file, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (out < 0 || write(out, line, (size_t)length) != length || close(out) != 0) exit(2);
}

int main(int argc, char** argv) {
  pthread_t one, two;
  if (argc < 2) return 2;
  pthread_create(&one, NULL, child, NULL);
  pthread_create(&two, NULL, other_child, NULL);
  note(0, 3, malloc(40));
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  note(0, 4, malloc(40));
  write_line(argv[1]);
  return 0;
}
