// Event counters and poll: a thread waits until one of two descriptors is ready.
//
// RUN: --strategy=icb
// EXPECT: pass
// RUN: --strategy=icb --bound=2
// FLAGS: -DWITH_EPOLL
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DWITH_SELECT
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DNEVER
// EXPECT: fail deadlock
// RUN: --strategy=icb
// FLAGS: -DWITH_TIMEOUT
// EXPECT: fail assertion
// RUN: --strategy=icb --timeouts=never
// FLAGS: -DWITH_TIMEOUT
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN: --strategy=source-dpor
// FLAGS: -DWITH_EPOLL
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DWITH_SELECT
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// FLAGS: -DNEVER
// EXPECT: fail deadlock
// RUN: --strategy=optimal-dpor
// FLAGS: -DWITH_TIMEOUT
// EXPECT: fail assertion
// RUN: --strategy=dfs --filter=seen
// EXPECT: pass
// RUN: --strategy=portfolio
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DNONBLOCKING
// EXPECT: pass
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <unistd.h>

static int counters[2];

static void* post(void* which) {
  uint64_t one = 1;
#ifndef NEVER
  assert(write(counters[which != 0], &one, sizeof one) == sizeof one);
#endif
  return 0;
}

static int wait_for_one(void) {
#if defined WITH_EPOLL
  int epoll = epoll_create1(0);
  for (int i = 0; i < 2; ++i) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = i};
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, counters[i], &event) == 0);
  }
  struct epoll_event found;
  assert(epoll_wait(epoll, &found, 1, -1) == 1);
  close(epoll);
  return found.data.fd;
#elif defined WITH_SELECT
  fd_set set;
  FD_ZERO(&set);
  FD_SET(counters[0], &set);
  FD_SET(counters[1], &set);
  assert(select(counters[1] + 1, &set, 0, 0, 0) >= 1);
  return FD_ISSET(counters[0], &set) ? 0 : 1;
#else
  struct pollfd asked[2] = {{counters[0], POLLIN, 0}, {counters[1], POLLIN, 0}};
#ifdef WITH_TIMEOUT
  int found = poll(asked, 2, 1000);
#else
  int found = poll(asked, 2, -1);
#endif
  assert(found >= 1);
  return (asked[0].revents & POLLIN) ? 0 : 1;
#endif
}

int main(void) {
  uint64_t value;
#ifdef NONBLOCKING
  counters[0] = eventfd(0, EFD_NONBLOCK);
#else
  counters[0] = eventfd(0, 0);
#endif
  counters[1] = eventfd(0, 0);
  pthread_t one, two;
  pthread_create(&one, 0, post, 0);
#ifdef NONBLOCKING
  ssize_t bytes = read(counters[0], &value, sizeof value);
  assert(bytes == sizeof value || (bytes == -1 && errno == EAGAIN));
  (void)two;
  (void)wait_for_one;
#else
  pthread_create(&two, 0, post, &two);
  int ready = wait_for_one();
  assert(read(counters[ready], &value, sizeof value) == sizeof value && value == 1);
  assert(read(counters[1 - ready], &value, sizeof value) == sizeof value && value == 1);
  pthread_join(two, 0);
#endif
  pthread_join(one, 0);
  return 0;
}
