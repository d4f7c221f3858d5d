// What Heddle cannot control is refused by name, not run.
//
// FLAGS: -D_GNU_SOURCE -w
// RUN: --strategy=icb
// ARGUMENTS: pthread_sigqueue
// EXPECT: unsupported pthread_sigqueue
// RUN: --strategy=icb
// ARGUMENTS: fork
// EXPECT: unsupported fork
// RUN: --strategy=icb
// ARGUMENTS: vfork
// EXPECT: unsupported vfork
// RUN: --strategy=icb
// ARGUMENTS: _Fork
// EXPECT: unsupported _Fork
// RUN: --strategy=icb
// ARGUMENTS: clone
// EXPECT: unsupported clone
// RUN: --strategy=icb
// ARGUMENTS: system
// EXPECT: unsupported system
// RUN: --strategy=icb
// ARGUMENTS: popen
// EXPECT: unsupported popen
// RUN: --strategy=icb
// ARGUMENTS: posix_spawn
// EXPECT: unsupported posix_spawn
// RUN: --strategy=icb
// ARGUMENTS: posix_spawnp
// EXPECT: unsupported posix_spawnp
// RUN: --strategy=icb
// ARGUMENTS: execve
// EXPECT: unsupported execve
// RUN: --strategy=icb
// ARGUMENTS: execv
// EXPECT: unsupported execv
// RUN: --strategy=icb
// ARGUMENTS: execvp
// EXPECT: unsupported execvp
// RUN: --strategy=icb
// ARGUMENTS: execvpe
// EXPECT: unsupported execvpe
// RUN: --strategy=icb
// ARGUMENTS: execl
// EXPECT: unsupported execl
// RUN: --strategy=icb
// ARGUMENTS: execlp
// EXPECT: unsupported execlp
// RUN: --strategy=icb
// ARGUMENTS: execle
// EXPECT: unsupported execle
// RUN: --strategy=icb
// ARGUMENTS: fexecve
// EXPECT: unsupported fexecve
// RUN: --strategy=icb
// ARGUMENTS: sigwait
// EXPECT: unsupported sigwait
// RUN: --strategy=icb
// ARGUMENTS: sigwaitinfo
// EXPECT: unsupported sigwaitinfo
// RUN: --strategy=icb
// ARGUMENTS: sigtimedwait
// EXPECT: unsupported sigtimedwait
// RUN: --strategy=icb
// ARGUMENTS: sigsuspend
// EXPECT: unsupported sigsuspend
// RUN: --strategy=icb
// ARGUMENTS: pause
// EXPECT: unsupported pause
// RUN: --strategy=icb
// ARGUMENTS: sigaltstack
// EXPECT: unsupported sigaltstack
// RUN: --strategy=icb
// ARGUMENTS: timer_create
// EXPECT: unsupported timer_create
// RUN: --strategy=icb
// ARGUMENTS: mq_notify
// EXPECT: unsupported mq_notify
// RUN: --strategy=icb
// ARGUMENTS: aio_read
// EXPECT: unsupported aio_read
// RUN: --strategy=icb
// ARGUMENTS: aio_write
// EXPECT: unsupported aio_write
// RUN: --strategy=icb
// ARGUMENTS: lio_listio
// EXPECT: unsupported lio_listio
// RUN: --strategy=icb
// ARGUMENTS: getaddrinfo_a
// EXPECT: unsupported getaddrinfo_a
// RUN: --strategy=icb
// ARGUMENTS: flockfile
// EXPECT: unsupported flockfile
// RUN: --strategy=icb
// ARGUMENTS: waitpid
// EXPECT: unsupported waitpid
// RUN: --strategy=icb
// ARGUMENTS: wait
// EXPECT: unsupported wait
// RUN: --strategy=icb
// ARGUMENTS: accept
// EXPECT: unsupported accept
// RUN: --strategy=icb
// ARGUMENTS: accept4
// EXPECT: unsupported accept4
#include <aio.h>
#include <mqueue.h>
#include <netdb.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char* words[] = {"/bin/true", NULL};
static sigset_t signals;
static char stack[4096];

static int child(void* unused) {
  return unused != NULL;
}

static int listening(void) {
  const int server = socket(AF_UNIX, SOCK_STREAM, 0);
  struct sockaddr address = {.sa_family = AF_UNIX};
  bind(server, &address, sizeof(sa_family_t));
  listen(server, 1);
  return server;
}

static void call(const char* name) {
#define IS(function) if (strcmp(name, #function) == 0)
  siginfo_t info;
  timer_t timer;
  pid_t process;
  struct aiocb block = {.aio_fildes = 0};
  struct aiocb* blocks[] = {&block};
  struct gaicb request = {.ar_name = "localhost"};
  struct gaicb* requests[] = {&request};
  const struct timespec moment = {0, 1};
  const union sigval none = {0};
  IS(pthread_sigqueue) pthread_sigqueue(pthread_self(), SIGUSR1, none);
  IS(fork) fork();
  IS(vfork) {
    if (vfork() == 0) _exit(0);
  }
  IS(_Fork) _Fork();
  IS(clone) clone(child, stack + sizeof stack, SIGCHLD, NULL);
  IS(system) system("true");
  IS(popen) popen("true", "r");
  IS(posix_spawn) posix_spawn(&process, words[0], NULL, NULL, words, NULL);
  IS(posix_spawnp) posix_spawnp(&process, words[0], NULL, NULL, words, NULL);
  IS(execve) execve(words[0], words, NULL);
  IS(execv) execv(words[0], words);
  IS(execvp) execvp(words[0], words);
  IS(execvpe) execvpe(words[0], words, NULL);
  IS(execl) execl(words[0], words[0], NULL);
  IS(execlp) execlp(words[0], words[0], NULL);
  IS(execle) execle(words[0], words[0], NULL, NULL);
  IS(fexecve) fexecve(0, words, words + 1);
  IS(sigwait) sigwait(&signals, (int*)&info);
  IS(sigwaitinfo) sigwaitinfo(&signals, &info);
  IS(sigtimedwait) sigtimedwait(&signals, &info, &moment);
  IS(sigsuspend) sigsuspend(&signals);
  IS(pause) pause();
  IS(sigaltstack) sigaltstack(NULL, NULL);
  IS(timer_create) timer_create(CLOCK_REALTIME, NULL, &timer);
  IS(mq_notify) mq_notify(0, NULL);
  IS(aio_read) aio_read(&block);
  IS(aio_write) aio_write(&block);
  IS(lio_listio) lio_listio(LIO_NOWAIT, blocks, 1, NULL);
  IS(getaddrinfo_a) getaddrinfo_a(GAI_NOWAIT, requests, 1, NULL);
  // These could wait in the kernel, and all threads with them.
  IS(flockfile) flockfile(stdout);
  IS(waitpid) waitpid(-1, NULL, 0);
  IS(wait) wait(NULL);
  IS(accept) accept(listening(), NULL, NULL);
  IS(accept4) accept4(listening(), NULL, NULL, 0);
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
