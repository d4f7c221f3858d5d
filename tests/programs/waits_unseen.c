// A thread that waits for something Heddle cannot see is no deadlock and no livelock: the network,
// a clock, memory that inline assembly looks at, a futex that inline assembly calls.
//
// FLAGS: -D_GNU_SOURCE
// RUN: --strategy=icb --watchdog=1
// ARGUMENTS: network
// EXPECT: unknown
// NOTE: cannot see what thread 0 waits for
// RUN: --strategy=icb --watchdog=1
// ARGUMENTS: clock
// EXPECT: unknown
// NOTE: cannot see what thread 1 waits for
// RUN: --strategy=icb --watchdog=1
// ARGUMENTS: alone
// EXPECT: unknown
// NOTE: cannot see what thread 0, in libc.so.6, waits for
// RUN: --strategy=icb --watchdog=1
// ARGUMENTS: assembly
// EXPECT: unknown
// NOTE: cannot see what thread 1 waits for at
// RUN: --strategy=icb --watchdog=1
// ARGUMENTS: futex
// EXPECT: unknown
// NOTE: cannot see what thread 1 waits for at
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int word;

static int listening(void) {
  const int server = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET};
  bind(server, (struct sockaddr*)&address, sizeof address);
  listen(server, 1);
  return server;
}

static void wait_for_network(void) {
  const int all = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN};
  epoll_ctl(all, EPOLL_CTL_ADD, listening(), &event);
  epoll_wait(all, &event, 1, -1);
}

static void wait_for_clock(void) {
  struct pollfd timer = {timerfd_create(CLOCK_MONOTONIC, 0), POLLIN, 0};
  poll(&timer, 1, -1);
}

static void spin_in_assembly(void) {
  __asm__ volatile("1: pause\n cmpl $0, (%0)\n je 1b" ::"r"(&word) : "memory", "cc");
}

static void wait_in_assembly(void) {
  long result = SYS_futex;
  register long timeout __asm__("r10") = 0;
  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"(&word), "S"(0), "d"(0), "r"(timeout)
                   : "rcx", "r11", "memory");
}

static void* work(void* name) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  if (strcmp(name, "clock") == 0) wait_for_clock();
  if (strcmp(name, "assembly") == 0) spin_in_assembly();
  if (strcmp(name, "futex") == 0) wait_in_assembly();
  return NULL;
}

int main(int count, char** arguments) {
  const char* name = arguments[count - 1];
  pthread_t thread;
  if (strcmp(name, "alone") == 0) {
    accept(listening(), NULL, NULL);
    return 0;
  }
  pthread_create(&thread, NULL, work, (void*)name);
  if (strcmp(name, "network") == 0) wait_for_network();
  pthread_join(thread, NULL);
  return 0;
}
