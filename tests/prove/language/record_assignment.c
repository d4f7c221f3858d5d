// EXPECT pass
// Records with bytes between their members are assigned, copied and made by compound literals.
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct message {
  int id;
  char text[8];
  long stamp;
};
struct job {
  int (*matrix)[2];
  int row;
  long sum;
};
static struct message box;
static int full;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;

static void* send(void* unused) {
  struct message made;
  memset(&made, 0, sizeof made);
  made.id = 7;
  made.stamp = 1L << 40;
  made.text[1] = 'i';
  pthread_mutex_lock(&mutex);
  box = made;
  full = 1;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&mutex);
  return unused;
}
static void* add(void* argument) {
  struct job* job = argument;
  for (int i = 0; i < 2; ++i) job->sum += job->matrix[job->row][i];
  return argument;
}
int main(void) {
  pthread_t sender, workers[2];
  pthread_create(&sender, NULL, send, NULL);
  struct message got;
  pthread_mutex_lock(&mutex);
  while (!full) pthread_cond_wait(&filled, &mutex);
  memcpy(&got, &box, sizeof got);
  pthread_mutex_unlock(&mutex);
  pthread_join(sender, NULL);
  assert(got.id == 7 && got.stamp == 1L << 40 && got.text[1] == 'i' && got.text[2] == 0);

  int matrix[2][2] = {{1, 2}, {3, 4}};
  struct job jobs[2];
  long sum = 0;
  for (int i = 0; i < 2; ++i) {
    jobs[i] = (struct job){matrix, i, 0};
    pthread_create(&workers[i], NULL, add, &jobs[i]);
  }
  for (int i = 0; i < 2; ++i) {
    void* job;
    pthread_join(workers[i], &job);
    sum += ((struct job*)job)->sum;
  }
  assert(sum == 10);
  return 0;
}
