// A reader-writer lock that lets readers in while others read, whoever waits: a writer may wait for
// ever. How long is what the test asks: no reader that comes later may overtake a waiting writer.
//
//   ./heddle check examples/starvation.c            a reader overtakes a waiting writer
//   ./heddle check examples/starvation.c -DFIXED    correct: readers queue behind a waiting writer
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, writing, writers_waiting;

static void lock_to_read(void) {
  pthread_mutex_lock(&mutex);
#ifdef FIXED
  while (writing || writers_waiting) pthread_cond_wait(&changed, &mutex);
#else
  while (writing) pthread_cond_wait(&changed, &mutex);
#endif
  assert(writers_waiting == 0 && "a reader has overtaken a writer");
  readers++;
  pthread_mutex_unlock(&mutex);
}

static void unlock_after_read(void) {
  pthread_mutex_lock(&mutex);
  if (--readers == 0) pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

static void* read_once(void* unused) {
  lock_to_read();
  unlock_after_read();
  return unused;
}

static void* write_once(void* unused) {
  pthread_mutex_lock(&mutex);
  writers_waiting++;
  while (readers > 0 || writing) pthread_cond_wait(&changed, &mutex);
  writers_waiting--;
  writing = 1;
  pthread_mutex_unlock(&mutex);

  pthread_mutex_lock(&mutex);
  writing = 0;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t writer, reader;
  lock_to_read();
  pthread_create(&writer, NULL, write_once, NULL);
  pthread_create(&reader, NULL, read_once, NULL);
  unlock_after_read();
  pthread_join(writer, NULL);
  pthread_join(reader, NULL);
  return 0;
}
