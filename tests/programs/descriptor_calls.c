// The other ways to read, write and copy: each hands a byte from one thread to another, which waits
// for it.
//
// FLAGS: -D_GNU_SOURCE
// RUN: --strategy=icb --bound=1
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DNOT_SENT
// EXPECT: fail deadlock
// RUN: --strategy=icb --bound=1
// FLAGS: -DPOLLS
// EXPECT: pass
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static int sockets[2], pipes[2];
static char got[8];

static void* sender(void* unused) {
  struct iovec part = {.iov_base = "a", .iov_len = 1};
  assert(writev(sockets[1], &part, 1) == 1);
  assert(send(sockets[1], "b", 1, 0) == 1);
  assert(sendto(sockets[1], "c", 1, 0, NULL, 0) == 1);
  struct iovec last = {.iov_base = "d", .iov_len = 1};
  struct msghdr message = {.msg_iov = &last, .msg_iovlen = 1};
#ifndef NOT_SENT
  assert(sendmsg(sockets[1], &message, 0) == 1);
#else
  (void)message;
#endif
  const int copy = dup(pipes[1]), third = dup3(pipes[1], 200, O_CLOEXEC);
  const int fourth = fcntl64(pipes[1], F_DUPFD, 210);
  assert(copy >= 0 && third == 200 && fourth >= 210);
  assert(write(copy, "e", 1) == 1 && write(third, "f", 1) == 1 && write(fourth, "g", 1) == 1);
  assert(close(copy) == 0 && close(third) == 0 && close(fourth) == 0);
  return unused;
}

static void wait_for_pipe(void) {
#ifdef POLLS
  struct pollfd ask = {.fd = pipes[0], .events = POLLIN};
  assert(ppoll(&ask, 1, NULL, NULL) == 1 && ask.revents == POLLIN);
  fd_set in;
  FD_ZERO(&in);
  FD_SET(pipes[0], &in);
  assert(pselect(pipes[0] + 1, &in, NULL, NULL, NULL, NULL) == 1 && FD_ISSET(pipes[0], &in));
  const int epoll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN};
  assert(epoll_ctl(epoll, EPOLL_CTL_ADD, pipes[0], &event) == 0);
  assert(epoll_pwait(epoll, &event, 1, -1, NULL) == 1);
  assert(close(epoll) == 0);
#endif
}

int main(void) {
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0 && pipe2(pipes, O_CLOEXEC) == 0);
  pthread_t thread;
  pthread_create(&thread, NULL, sender, NULL);
  struct iovec part = {.iov_base = got, .iov_len = 1};
  assert(readv(sockets[0], &part, 1) == 1);
  assert(recv(sockets[0], got + 1, 1, 0) == 1);
  assert(recvfrom(sockets[0], got + 2, 1, 0, NULL, NULL) == 1);
  part.iov_base = got + 3;
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  assert(recvmsg(sockets[0], &message, 0) == 1);
  wait_for_pipe();
  for (int i = 4; i < 7; ++i) assert(read(pipes[0], got + i, 1) == 1);
  pthread_join(thread, NULL);
  assert(strcmp(got, "abcdefg") == 0);
  const int file = open("/proc/self/stat", O_RDONLY);
  static char bytes[2];
  assert(pread64(file, bytes, 1, 0) == 1 && bytes[0] >= '0' && bytes[0] <= '9');
}
