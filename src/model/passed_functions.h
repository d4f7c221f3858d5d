// The functions that Heddle passes on to the system: libheddle makes its stubs from this table.
#pragma once

// clang-format off
// One row per function that is passed on, and what has to happen before:
//
//   unsupported   not controlled yet: ends the search with the function's name
//   blocks        the same while other threads exist: it would stop all of them
//   waits_input   blocks, unless its descriptor (the first argument) is ready
//   descriptors, mappings, dispositions, directory, scheduling
//                 changes something that the kernel keeps for the process
//   delivers      sends a signal to the process, which does what another thread may have asked for
//   raises        sends it to the thread itself
//   asks_pending  asks which signals wait
//   watches       a descriptor that shows signals
//   actions       changes what signals do
//   asks_directory, mask
//                 asks for the working directory, changes the mask of new files
//   writes        the kernel writes where pointer arguments point to
#define HEDDLE_PASSED_FUNCTIONS(X) \
  X(pthread_sigqueue, unsupported) \
  X(fork, unsupported) \
  X(vfork, unsupported) \
  X(_Fork, unsupported) \
  X(clone, unsupported) \
  X(system, unsupported) \
  X(popen, unsupported) \
  X(posix_spawn, unsupported) \
  X(posix_spawnp, unsupported) \
  X(execve, unsupported) \
  X(execv, unsupported) \
  X(execvp, unsupported) \
  X(execvpe, unsupported) \
  X(execl, unsupported) \
  X(execlp, unsupported) \
  X(execle, unsupported) \
  X(fexecve, unsupported) \
  X(sigwait, unsupported) \
  X(sigwaitinfo, unsupported) \
  X(sigtimedwait, unsupported) \
  X(sigsuspend, unsupported) \
  X(pause, unsupported) \
  X(sigaltstack, unsupported) \
  X(timer_create, unsupported) \
  X(mq_notify, unsupported) \
  X(aio_read, unsupported) \
  X(aio_write, unsupported) \
  X(lio_listio, unsupported) \
  X(getaddrinfo_a, unsupported) \
  X(daemon, unsupported) \
  X(ptrace, unsupported) \
  X(pidfd_open, unsupported) \
  X(setsid, unsupported) \
  X(setpgrp, unsupported) \
  X(chroot, unsupported) \
  X(unshare, unsupported) \
  X(setns, unsupported) \
  X(mount, unsupported) \
  X(umount2, unsupported) \
  X(personality, unsupported) \
  X(mlockall, unsupported) \
  X(initgroups, unsupported) \
  X(setfsuid, unsupported) \
  X(setfsgid, unsupported) \
  X(sigpause, unsupported) \
  X(forkpty, unsupported) \
  X(openpty, unsupported) \
  X(wordexp, unsupported) \
  X(clock_settime, unsupported) \
  X(settimeofday, unsupported) \
  X(process_vm_writev, unsupported) \
  X(flockfile, blocks) \
  X(flock, blocks) \
  X(recvmmsg, blocks | writes) \
  X(sendmmsg, blocks) \
  X(splice, blocks) \
  X(tee, blocks) \
  X(vmsplice, blocks) \
  X(sendfile, blocks) \
  X(sendfile64, blocks) \
  X(mq_send, blocks) \
  X(mq_timedsend, blocks) \
  X(mq_receive, blocks | writes) \
  X(mq_timedreceive, blocks | writes) \
  X(msgsnd, blocks) \
  X(msgrcv, blocks | writes) \
  X(semop, blocks) \
  X(semtimedop, blocks) \
  X(waitpid, blocks | writes) \
  X(wait, blocks | writes) \
  X(wait3, blocks | writes) \
  X(wait4, blocks | writes) \
  X(waitid, blocks | writes) \
  X(accept, waits_input | descriptors | writes) \
  X(accept4, waits_input | descriptors | writes) \
  X(creat, descriptors) \
  X(freopen, descriptors) \
  X(tmpfile, descriptors) \
  X(mkstemp, descriptors) \
  X(opendir, descriptors) \
  X(fclose, descriptors) \
  X(socket, descriptors) \
  X(timerfd_create, descriptors) \
  X(epoll_create, descriptors) \
  X(epoll_create1, descriptors) \
  X(inotify_init, descriptors) \
  X(memfd_create, descriptors) \
  X(shm_open, descriptors) \
  X(creat64, descriptors) \
  X(freopen64, descriptors) \
  X(tmpfile64, descriptors) \
  X(mkstemp64, descriptors) \
  X(mkostemp, descriptors) \
  X(mkostemp64, descriptors) \
  X(mkostemps, descriptors) \
  X(fdopendir, descriptors) \
  X(inotify_init1, descriptors) \
  X(signalfd, descriptors | watches) \
  X(posix_openpt, descriptors) \
  X(openlog, descriptors) \
  X(syslog, descriptors) \
  X(closelog, descriptors) \
  X(mq_open, descriptors) \
  X(dlopen, mappings | descriptors) \
  X(dlmopen, mappings | descriptors) \
  X(setlocale, mappings | descriptors) \
  X(newlocale, mappings | descriptors) \
  X(iconv_open, mappings | descriptors) \
  X(getaddrinfo, mappings | descriptors) \
  X(gethostbyname, mappings | descriptors) \
  X(getservbyname, mappings | descriptors) \
  X(getpwnam, mappings | descriptors) \
  X(getpwuid, mappings | descriptors) \
  X(getgrnam, mappings | descriptors) \
  X(getgrgid, mappings | descriptors) \
  X(getpwnam_r, mappings | descriptors) \
  X(getpwuid_r, mappings | descriptors) \
  X(getgrnam_r, mappings | descriptors) \
  X(getgrgid_r, mappings | descriptors) \
  X(siginterrupt, dispositions | actions) \
  X(raise, dispositions | delivers | raises) \
  X(killpg, unsupported) \
  X(sched_setscheduler, scheduling) \
  X(sched_setparam, scheduling) \
  X(sched_setaffinity, scheduling) \
  X(pthread_setaffinity_np, scheduling) \
  X(pthread_setschedparam, scheduling) \
  X(pthread_setschedprio, scheduling) \
  X(chdir, directory) \
  X(fchdir, directory) \
  X(umask, mask) \
  X(stat, writes) \
  X(fstat, writes) \
  X(lstat, writes) \
  X(fstatat, writes) \
  X(stat64, writes) \
  X(fstat64, writes) \
  X(lstat64, writes) \
  X(statfs, writes) \
  X(ioctl, descriptors | writes) \
  X(getrlimit, writes) \
  X(getrusage, writes) \
  X(uname, writes) \
  X(readlink, writes) \
  X(__readlink_chk, writes) \
  X(getcwd, writes | asks_directory) \
  X(__getcwd_chk, writes | asks_directory) \
  X(getsockname, writes) \
  X(getpeername, writes) \
  X(getsockopt, writes) \
  X(times, writes) \
  X(sysinfo, writes) \
  X(statvfs, writes) \
  X(statvfs64, writes) \
  X(fstatvfs64, writes) \
  X(statfs64, writes) \
  X(fstatfs64, writes) \
  X(fstatvfs, writes) \
  X(fstatfs, writes) \
  X(statx, writes) \
  X(readlinkat, writes) \
  X(sched_getaffinity, writes) \
  X(pthread_getaffinity_np, writes) \
  X(sched_getparam, writes) \
  X(getresuid, writes) \
  X(getresgid, writes) \
  X(getgroups, writes) \
  X(getitimer, writes) \
  X(sigpending, writes | asks_pending) \
  X(timerfd_gettime, writes) \
  X(timerfd_settime, writes) \
  X(tcgetattr, writes) \
  X(getxattr, writes) \
  X(mincore, writes) \
  X(ttyname_r, writes) \
  X(getlogin_r, writes) \
  X(gethostname, writes) \
  X(__gethostname_chk, writes)
// clang-format on
