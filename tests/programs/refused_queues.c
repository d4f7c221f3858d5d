// Queues, semaphores and locks of the kernel, and transfers between descriptors that it makes by
// itself, could wait or let another thread go on unseen: while there are other threads they are
// refused by name.
//
// FLAGS: -D_GNU_SOURCE -w
// RUN: --strategy=icb
// ARGUMENTS: mq_send
// EXPECT: unsupported mq_send
// RUN: --strategy=icb
// ARGUMENTS: semop
// EXPECT: unsupported semop
// RUN: --strategy=icb
// ARGUMENTS: splice
// EXPECT: unsupported splice
// RUN: --strategy=icb
// ARGUMENTS: recvmmsg
// EXPECT: unsupported recvmmsg
// RUN: --strategy=icb
// ARGUMENTS: flock
// EXPECT: unsupported flock
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <string.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>

static void call(const char* name) {
#define IS(function) if (strcmp(name, #function) == 0)
  char text[16] = "text";
  const struct timespec moment = {0, 1};
  struct sembuf up = {0, 1, 0};
  struct mmsghdr messages[1] = {0};
  struct iovec part = {text, 4};
  unsigned priority;
  IS(mq_send) mq_send(0, text, 1, 0);
  IS(mq_timedsend) mq_timedsend(0, text, 1, 0, &moment);
  IS(mq_receive) mq_receive(0, text, sizeof text, &priority);
  IS(mq_timedreceive) mq_timedreceive(0, text, sizeof text, &priority, &moment);
  IS(msgsnd) msgsnd(0, text, 1, 0);
  IS(msgrcv) msgrcv(0, text, 1, 0, 0);
  IS(semop) semop(0, &up, 1);
  IS(semtimedop) semtimedop(0, &up, 1, &moment);
  IS(splice) splice(0, NULL, 1, NULL, 1, 0);
  IS(tee) tee(0, 1, 1, 0);
  IS(vmsplice) vmsplice(1, &part, 1, 0);
  IS(sendfile) sendfile(1, 0, NULL, 1);
  IS(sendfile64) sendfile64(1, 0, NULL, 1);
  IS(recvmmsg) recvmmsg(0, messages, 1, 0, NULL);
  IS(sendmmsg) sendmmsg(0, messages, 1, 0);
  IS(flock) flock(0, LOCK_SH);
}

static void* worker(void* name) {
  call(name);
  return NULL;
}

int main(int count, char** arguments) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, arguments[count - 1]);
  pthread_join(thread, NULL);
}
