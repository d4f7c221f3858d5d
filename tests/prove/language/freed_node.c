// EXPECT fail use-after-free
// A stack without locks whose nodes are freed while others look at them.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  struct node* next;
};
static _Atomic(struct node*) top;

static void push(int value) {
  struct node* node = malloc(sizeof *node);
  node->value = value;
  struct node* old = atomic_load(&top);
  do node->next = old;
  while (!atomic_compare_exchange_weak(&top, &old, node));
}
static int pop(void) {
  struct node* old = atomic_load(&top);
  while (old != NULL) {
    struct node* next = old->next;
    if (atomic_compare_exchange_strong(&top, &old, next)) {
      int value = old->value;
      free(old);
      return value;
    }
  }
  return -1;
}
static void* take(void* unused) {
  pop();
  return unused;
}
int main(void) {
  pthread_t one, two;
  push(1);
  push(2);
  pthread_create(&one, NULL, take, NULL);
  pthread_create(&two, NULL, take, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
