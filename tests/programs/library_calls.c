// The C library reads and writes the program's memory as the program does: here each function meets
// another thread at the same byte. tests/blocks/library_test.py asks for each one by name.
//
// RUN: --strategy=icb --bound=0 --leaks=off
// FLAGS: -D_GNU_SOURCE -lm
// EXPECT: fail data-race
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <glob.h>
#include <grp.h>
#include <heddle/heddle.h>
#include <iconv.h>
#include <inttypes.h>
#include <libgen.h>
#include <math.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <search.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static union {
  char text[4096];
  wchar_t wide[64];
  int number;
  long longer;
  double real;
  long double longest;
  float single;
  struct tm tm;
  time_t time;
  struct timespec spec;
  struct timeval value;
  size_t size;
  char* pointer;
  struct in_addr address;
  struct sockaddr_in socket;
  mbstate_t state;
  unsigned short numbers[3];
  struct drand48_data seed;
  struct random_data random;
  fpos_t position;
  regex_t pattern;
  regmatch_t match;
  glob_t found;
  sigset_t signals;
  void* tree;
  double loads[3];
  void* stack[9];
  struct stat status;
  struct statfs system;
  struct rlimit limit;
  struct rusage usage;
  struct utsname name;
  struct tms times;
  struct sysinfo info;
  socklen_t length;
  struct pollfd asked;
  fd_set set;
  struct passwd user;
  struct group group;
} u;
static char other[4096] = "12 other";
static wchar_t other_wide[64] = L"12 other";
static char another[] = "another";
static struct tm when;
static time_t moment;
static int file, readable, closed;
static FILE *sink, *wide_sink, *shut, *source, *wide_source;
static volatile long result;
static char* at;
static wchar_t* wide_at;
static const char* from;
static const wchar_t* wide_from;
static regex_t pattern;
static iconv_t set;
static size_t left, room;
static char* to;
static int network;
static DIR* directory;
static socklen_t size;
static struct passwd user, *user_found;
static struct group group, *group_found;

#define s (u.text)
#define w (u.wide)
#define USE(x) (result = (long)(x))

static int compare(const void* a, const void* b) {
  return *(const char*)a - *(const char*)b;
}
static int compare_with(const void* a, const void* b, void* c) {
  return (void)c, compare(a, b);
}

#define LISTED(name, call)                    \
  static void name##_of(const char* f, ...) { \
    va_list list;                             \
    va_start(list, f);                        \
    USE(call);                                \
    va_end(list);                             \
  }
LISTED(list_vprintf, vprintf(f, list))
LISTED(list_vfprintf, vfprintf(sink, f, list))
LISTED(list_vdprintf, vdprintf(file, f, list))
LISTED(list_vsprintf, vsprintf(other, f, list))
LISTED(list_vsnprintf, vsnprintf(other, 100, f, list))
LISTED(list_vasprintf, vasprintf(&at, f, list))
LISTED(list_vscanf, vscanf(f, list))
LISTED(list_vfscanf, vfscanf(source, f, list))
LISTED(list_vsscanf, vsscanf(other, f, list))

int __printf_chk(int, const char*, ...);
int __fprintf_chk(FILE*, int, const char*, ...);
int __sprintf_chk(char*, int, size_t, const char*, ...);
int __snprintf_chk(char*, size_t, int, size_t, const char*, ...);
int __vprintf_chk(int, const char*, va_list);
int __vfprintf_chk(FILE*, int, const char*, va_list);
int __vsprintf_chk(char*, int, size_t, const char*, va_list);
int __vsnprintf_chk(char*, size_t, int, size_t, const char*, va_list);
LISTED(list_vprintf_chk, __vprintf_chk(1, f, list))
LISTED(list_vfprintf_chk, __vfprintf_chk(sink, 1, f, list))
LISTED(list_vsprintf_chk, __vsprintf_chk(other, 1, 100, f, list))
LISTED(list_vsnprintf_chk, __vsnprintf_chk(other, 100, 1, 100, f, list))
int __isoc99_scanf(const char*, ...);
int __isoc99_fscanf(FILE*, const char*, ...);
int __isoc99_sscanf(const char*, const char*, ...);
int __isoc99_vscanf(const char*, va_list);
int __isoc99_vfscanf(FILE*, const char*, va_list);
int __isoc99_vsscanf(const char*, const char*, va_list);
LISTED(list_isoc99_vscanf, __isoc99_vscanf(f, list))
LISTED(list_isoc99_vfscanf, __isoc99_vfscanf(source, f, list))
LISTED(list_isoc99_vsscanf, __isoc99_vsscanf(other, f, list))
void* __mempcpy(void*, const void*, size_t);
char* __stpcpy(char*, const char*);
char* __strdup(const char*);
ssize_t __getdelim(char**, size_t*, int, FILE*);
int __xpg_strerror_r(int, char*, size_t);
void* __memcpy_chk(void*, const void*, size_t, size_t);
void* __memmove_chk(void*, const void*, size_t, size_t);
void* __mempcpy_chk(void*, const void*, size_t, size_t);
void* __memset_chk(void*, int, size_t, size_t);
char* __strcpy_chk(char*, const char*, size_t);
char* __stpcpy_chk(char*, const char*, size_t);
char* __strncpy_chk(char*, const char*, size_t, size_t);
char* __stpncpy_chk(char*, const char*, size_t, size_t);
char* __strcat_chk(char*, const char*, size_t);
char* __strncat_chk(char*, const char*, size_t, size_t);

#define WIDELY(name, call)                       \
  static void name##_of(const wchar_t* f, ...) { \
    va_list list;                                \
    va_start(list, f);                           \
    USE(call);                                   \
    va_end(list);                                \
  }
int __vswprintf_chk(wchar_t*, size_t, int, size_t, const wchar_t*, va_list);
int __swprintf_chk(wchar_t*, size_t, int, size_t, const wchar_t*, ...);
int __isoc99_swscanf(const wchar_t*, const wchar_t*, ...);
int __isoc99_vswscanf(const wchar_t*, const wchar_t*, va_list);
WIDELY(list_vwprintf, vwprintf(f, list))
WIDELY(list_vfwprintf, vfwprintf(wide_sink, f, list))
WIDELY(list_vswprintf, vswprintf(other_wide, 60, f, list))
WIDELY(list_vswprintf_chk, __vswprintf_chk(other_wide, 60, 1, 60, f, list))
WIDELY(list_vswscanf, vswscanf(other_wide, f, list))
WIDELY(list_isoc99_vswscanf, __isoc99_vswscanf(other_wide, f, list))
int __vdprintf_chk(int, int, const char*, va_list);
int __vasprintf_chk(char**, int, const char*, va_list);
int __dprintf_chk(int, int, const char*, ...);
int __asprintf_chk(char**, int, const char*, ...);
LISTED(list_vdprintf_chk, __vdprintf_chk(file, 1, f, list))
LISTED(list_vasprintf_chk, __vasprintf_chk(&at, 1, f, list))
char* __fgets_chk(char*, size_t, int, FILE*);
size_t __fread_chk(void*, size_t, size_t, size_t, FILE*);
void __explicit_bzero_chk(void*, size_t, size_t);
char* __realpath_chk(const char*, char*, size_t);
ssize_t __read_chk(int, void*, size_t, size_t);
ssize_t __pread_chk(int, void*, size_t, off_t, size_t);
ssize_t __pread64_chk(int, void*, size_t, off_t, size_t);
ssize_t __recv_chk(int, void*, size_t, size_t, int);
ssize_t __recvfrom_chk(int, void*, size_t, size_t, int, struct sockaddr*, socklen_t*);
int __poll_chk(struct pollfd*, nfds_t, int, size_t);
int __ppoll_chk(struct pollfd*, nfds_t, const struct timespec*, const sigset_t*, size_t);
char* __getcwd_chk(char*, size_t, size_t);
ssize_t __readlink_chk(const char*, char*, size_t, size_t);
int __gethostname_chk(char*, size_t, size_t);
const char* gnu_basename(const char*) asm("basename");

// clang-format off
#define CASES(X) \
  X(memcpy, USE(memcpy(s, other, 24))) X(memmove, USE(memmove(other, s, 24))) X(mempcpy, USE(mempcpy(s, other, 3))) \
  X(__mempcpy, USE(__mempcpy(s, other, 3))) X(memset, USE(memset(s, 0, 100))) X(bcopy, bcopy(s, other, 7)) \
  X(bzero, bzero(s, 7)) X(explicit_bzero, explicit_bzero(s, 7)) X(swab, swab(s, other, 6)) \
  X(memcmp, USE(memcmp(s, other, 5))) X(bcmp, USE(bcmp(other, s, 5))) X(memchr, USE(memchr(s, 'x', 9))) \
  X(memrchr, USE(memrchr(s, 'x', 9))) X(rawmemchr, USE(rawmemchr(s, 0))) X(memmem, USE(memmem(s, 9, other, 2))) \
  X(memccpy, USE(memccpy(s, other, 0, 9))) \
  X(strlen, USE(strlen(s))) X(strnlen, USE(strnlen(s, 4))) X(strcpy, USE(strcpy(s, "constant"))) \
  X(stpcpy, USE(stpcpy(other, s))) X(__stpcpy, USE(__stpcpy(other, s))) X(strncpy, USE(strncpy(s, "constant", 20))) \
  X(stpncpy, USE(stpncpy(s, "constant", 20))) X(strcat, USE(strcat(s, "x"))) X(strncat, USE(strncat(s, "xy", 1))) \
  X(strcmp, USE(strcmp(s, other))) X(strncmp, USE(strncmp(other, s, 2))) X(strcasecmp, USE(strcasecmp(s, other))) \
  X(strncasecmp, USE(strncasecmp(s, other, 3))) X(strcoll, USE(strcoll(s, other))) X(strxfrm, USE(strxfrm(other, s, 9))) \
  X(strchr, USE(strchr(s, 'q'))) X(strchrnul, USE(strchrnul(s, 'q'))) X(strrchr, USE(strrchr(s, 'q'))) \
  X(index, USE(index(s, '1'))) X(rindex, USE(rindex(s, '1'))) X(strstr, USE(strstr(s, "q"))) \
  X(strcasestr, USE(strcasestr(s, "q"))) X(strspn, USE(strspn(s, "1"))) X(strcspn, USE(strcspn(s, "q"))) \
  X(strpbrk, USE(strpbrk(s, "q"))) X(strtok, USE(strtok(s, "q"))) X(strtok_r, USE(strtok_r(s, "q", &at))) \
  X(strsep, (at = s, USE(strsep(&at, "/")))) X(strdup, USE(strdup(s))) X(__strdup, USE(__strdup(s))) \
  X(strndup, USE(strndup(s, 3))) X(strerror_r, USE(strerror_r(9999, s, 90))) \
  X(__xpg_strerror_r, USE(__xpg_strerror_r(1, s, 90))) X(strverscmp, USE(strverscmp(s, other))) \
  X(wcslen, USE(wcslen(w))) X(wcsnlen, USE(wcsnlen(w, 3))) X(wcscpy, USE(wcscpy(w, other_wide))) \
  X(wcpcpy, USE(wcpcpy(w, other_wide))) X(wcsncpy, USE(wcsncpy(w, other_wide, 3))) \
  X(wcscat, USE(wcscat(other_wide, w))) X(wcsncat, USE(wcsncat(other_wide, w, 2))) X(wcscmp, USE(wcscmp(w, other_wide))) \
  X(wcsncmp, USE(wcsncmp(w, other_wide, 2))) X(wcschr, USE(wcschr(w, L'q'))) X(wcsrchr, USE(wcsrchr(w, L'q'))) \
  X(wcsstr, USE(wcsstr(w, L"q"))) X(wcsdup, USE(wcsdup(w))) X(wmemcpy, USE(wmemcpy(w, other_wide, 2))) \
  X(wmemmove, USE(wmemmove(w, other_wide, 2))) X(wmempcpy, USE(wmempcpy(w, other_wide, 2))) \
  X(wmemset, USE(wmemset(w, L'x', 2))) X(wmemcmp, USE(wmemcmp(w, other_wide, 2))) X(wmemchr, USE(wmemchr(w, L'q', 3))) \
  X(mbstowcs, USE(mbstowcs(w, "ab", 9))) X(wcstombs, USE(wcstombs(s, L"ab", 9))) X(mbtowc, USE(mbtowc(other_wide, s, 4))) \
  X(atoi, USE(atoi(s))) X(atol, USE(atol(s))) X(atoll, USE(atoll(s))) X(atof, USE(atof(s))) \
  X(strtol, USE(strtol(s, NULL, 10))) X(strtoul, USE(strtoul(s, &at, 10))) X(strtoll, USE(strtoll(s, &at, 10))) \
  X(strtoull, USE(strtoull(other, &u.pointer, 10))) X(strtoimax, USE(strtoimax(s, &at, 10))) \
  X(strtoumax, USE(strtoumax(s, &at, 10))) X(strtod, USE(strtod(s, &at))) X(strtof, USE(strtof(s, &at))) \
  X(strtold, USE(strtold(s, &at))) X(frexp, USE(frexp(8.5, &u.number))) X(frexpf, USE(frexpf(8.5F, &u.number))) \
  X(modf, USE(modf(8.5, &u.real))) X(modff, USE(modff(8.5F, &u.single))) X(remquo, USE(remquo(8.5, 2, &u.number))) \
  X(frexpl, USE(frexpl(8.5L, &u.number))) X(modfl, USE(modfl(8.5L, &u.longest))) X(lgammaf_r, USE(lgammaf_r(8.5F, &u.number))) \
  X(remquof, USE(remquof(8.5F, 2, &u.number))) X(remquol, USE(remquol(8.5L, 2, &u.number))) \
  X(lgammal_r, USE(lgammal_r(8.5L, &u.number))) X(sincosl, (sincosl(result, &u.longest, &u.longest), 0)) \
  X(lgamma_r, USE(lgamma_r(8.5, &u.number))) X(rand_r, USE(rand_r((unsigned*)&u.number))) \
  X(sincos, (sincos(result, &u.real, &u.real), 0)) X(sincosf, (sincosf(result, &u.single, &u.single), 0)) \
  X(puts, USE(puts(s))) X(fputs, USE(fputs(s, sink))) X(fputs_unlocked, USE(fputs_unlocked(s, sink))) \
  X(fwrite, USE(fwrite(s, 1, 9, sink))) X(fwrite_unlocked, USE(fwrite_unlocked(s, 1, 9, sink))) \
  X(fread, USE(fread(s, 1, 9, source))) X(fread_unlocked, USE(fread_unlocked(s, 1, 9, source))) \
  X(fgets, USE(fgets(s, 9, source))) X(fgets_unlocked, USE(fgets_unlocked(s, 9, source))) \
  X(getline, (at = NULL, USE(getline(&at, &u.size, source)))) \
  X(getdelim, (at = NULL, USE(getdelim(&at, &u.size, ' ', source)))) \
  X(__getdelim, (at = NULL, USE(__getdelim(&at, &u.size, ' ', source)))) \
  X(printf, USE(printf("%d %-*.3f %.*s|%m%%", 1, 9, 2.5, 3, s))) X(fprintf, USE(fprintf(sink, "%Lf %s", 1.5L, s))) \
  X(dprintf, USE(dprintf(file, "%5s", s))) X(sprintf, USE(sprintf(s, "%d", 5))) X(numbered, USE(sprintf(other, "%3$.*2$s %1$5.1f", 1.5, 2, s))) X(scans_numbered, USE(sscanf("1 2", "%2$d %1$d", (int*)other, &u.number))) X(snprintf, USE(snprintf(s, 3, "constant"))) \
  X(asprintf, USE(asprintf(&at, "%hhd %lld %p %ls", 1, 2LL, (void*)0, w))) \
  X(vprintf, list_vprintf_of("%c%s", 'a', s)) X(vfprintf, list_vfprintf_of("%zu %s", (size_t)1, s)) \
  X(vdprintf, list_vdprintf_of("%s", s)) X(vsprintf, list_vsprintf_of("%d%n", 1, &u.number)) \
  X(vsnprintf, list_vsnprintf_of("%s", s)) X(vasprintf, list_vasprintf_of("%s", s)) \
  X(__printf_chk, USE(__printf_chk(1, "%s", s))) X(__fprintf_chk, USE(__fprintf_chk(sink, 1, "%s", s))) \
  X(__sprintf_chk, USE(__sprintf_chk(other, 1, 99, "%s", s))) X(__snprintf_chk, USE(__snprintf_chk(other, 9, 1, 99, "%s", s))) \
  X(__vprintf_chk, list_vprintf_chk_of("%s", s)) X(__vfprintf_chk, list_vfprintf_chk_of("%s", s)) \
  X(__vsprintf_chk, list_vsprintf_chk_of("%s", s)) X(__vsnprintf_chk, list_vsnprintf_chk_of("%s", s)) \
  X(sscanf, USE(sscanf(other, "%*d %s", s))) X(fscanf, USE(fscanf(source, "%d", &u.number))) \
  X(vsscanf, list_vsscanf_of("%hd %c", (short*)&u.number, other + 90)) X(vfscanf, list_vfscanf_of("%2c", s)) \
  X(__isoc99_sscanf, USE(__isoc99_sscanf(other, "%ld", &u.longer))) \
  X(__isoc99_fscanf, USE(__isoc99_fscanf(source, "%[0-9]", s))) \
  X(__isoc99_vsscanf, list_isoc99_vsscanf_of("%lf", &u.real)) X(__isoc99_vfscanf, list_isoc99_vfscanf_of("%d", &u.number)) \
  X(setvbuf, USE(setvbuf(source, s, _IOFBF, 64))) X(remove, USE(remove(s))) X(rename, USE(rename(s, "/nowhere/at/all"))) \
  X(unlink, USE(unlink(s))) X(mkdir, USE(mkdir(s, 0))) X(rmdir, USE(rmdir(s))) \
  X(realpath, USE(realpath(s, NULL))) X(perror, perror(s)) \
  X(pwrite, USE(pwrite(file, s, 4, 0))) X(pwrite64, USE(pwrite64(file, s, 4, 0))) \
  X(read, USE(read(readable, s, 4))) X(pread, USE(pread(readable, s, 4, 0))) X(write, USE(write(file, s, 4))) \
  X(readv, USE(readv(readable, (struct iovec[]){{s, 4}}, 1))) \
  X(writev, USE(writev(file, (struct iovec[]){{s, 4}}, 1))) \
  X(lseek, USE(lseek(closed, 0, SEEK_SET))) X(lseek64, USE(lseek64(closed, 0, SEEK_SET))) X(fsync, USE(fsync(closed))) \
  X(fdatasync, USE(fdatasync(closed))) X(ftruncate, USE(ftruncate(closed, 9))) X(close, USE(read(closed, other, 1))) \
  X(qsort, qsort(s, 4, 1, compare)) X(qsort_r, qsort_r(s, 4, 1, compare_with, NULL)) \
  X(localtime_r, USE(localtime_r(&moment, &u.tm))) X(gmtime_r, USE(gmtime_r(&moment, &u.tm))) \
  X(mktime, USE(mktime(&u.tm))) X(timegm, USE(timegm(&u.tm))) X(strftime, USE(strftime(s, 90, "%Y", &when))) \
  X(asctime_r, USE(asctime_r(&when, s))) X(ctime_r, USE(ctime_r(&moment, s))) X(strptime, USE(strptime("1999", "%Y", &u.tm))) \
  X(time, USE(time(&u.time))) X(gettimeofday, USE(gettimeofday(&u.value, NULL))) \
  X(clock_gettime, USE(clock_gettime(CLOCK_MONOTONIC, &u.spec))) \
  X(inet_ntop, USE(inet_ntop(AF_INET, s, other, 90))) X(inet_pton, USE(inet_pton(AF_INET, "1.2.3.4", s))) \
  X(inet_aton, USE(inet_aton("1.2.3.4", &u.address))) X(inet_addr, USE(inet_addr(s))) \
  X(bind, USE(bind(file, (struct sockaddr*)&u.socket, sizeof u.socket))) \
  X(getenv, USE(getenv(s))) X(secure_getenv, USE(secure_getenv(s))) X(setenv, USE(setenv("HEDDLE_TEST", s, 1))) \
  X(unsetenv, USE(unsetenv(s))) X(putenv, USE(putenv(s))) X(clearenv, USE(clearenv())) \
  X(wcpncpy, USE(wcpncpy(w, other_wide, 3))) X(wcscasecmp, USE(wcscasecmp(w, other_wide))) \
  X(wcsncasecmp, USE(wcsncasecmp(w, other_wide, 3))) X(wcscoll, USE(wcscoll(w, other_wide))) \
  X(wcsxfrm, USE(wcsxfrm(w, other_wide, 20))) X(wcschrnul, USE(wcschrnul(w, L'q'))) X(wcsspn, USE(wcsspn(w, L"1"))) \
  X(wcscspn, USE(wcscspn(w, L"q"))) X(wcspbrk, USE(wcspbrk(w, L"q"))) X(wcstok, USE(wcstok(w, L"q", &wide_at))) \
  X(mblen, USE(mblen(s, 4))) X(wctomb, USE(wctomb(s, L'a'))) X(mbrlen, USE(mbrlen("ab", 2, &u.state))) \
  X(mbrtowc, USE(mbrtowc(w, "ab", 2, NULL))) X(wcrtomb, USE(wcrtomb(s, L'a', NULL))) \
  X(mbsrtowcs, (from = "ab", USE(mbsrtowcs(w, &from, 9, NULL)))) X(mbsnrtowcs, (from = "ab", USE(mbsnrtowcs(w, &from, 2, 9, NULL)))) \
  X(wcsrtombs, (wide_from = L"ab", USE(wcsrtombs(s, &wide_from, 9, NULL)))) \
  X(wcsnrtombs, (wide_from = L"ab", USE(wcsnrtombs(s, &wide_from, 2, 9, NULL)))) \
  X(wcstol, USE(wcstol(w, NULL, 10))) X(wcstoul, USE(wcstoul(w, NULL, 10))) X(wcstoll, USE(wcstoll(w, NULL, 10))) \
  X(wcstoull, USE(wcstoull(w, NULL, 10))) X(wcstoimax, USE(wcstoimax(w, NULL, 10))) X(wcstoumax, USE(wcstoumax(w, NULL, 10))) \
  X(wcstod, USE(wcstod(w, NULL))) X(wcstof, USE(wcstof(w, NULL))) X(wcstold, USE(wcstold(w, NULL))) \
  X(erand48, USE(erand48(u.numbers))) X(nrand48, USE(nrand48(u.numbers))) X(jrand48, USE(jrand48(u.numbers))) \
  X(drand48_r, USE(drand48_r(&u.seed, (double*)other))) X(lrand48_r, USE(lrand48_r(&u.seed, (long*)other))) \
  X(mrand48_r, USE(mrand48_r(&u.seed, (long*)other))) X(srand48_r, USE(srand48_r(1, &u.seed))) \
  X(random_r, (memset(&u, 0, sizeof u), initstate_r(1, other, 64, &u.random), USE(random_r(&u.random, &(int){0})))) \
  X(srandom_r, (memset(&u, 0, sizeof u), initstate_r(1, other, 64, &u.random), USE(srandom_r(2, &u.random)))) \
  X(__fgets_chk, USE(__fgets_chk(s, 99, 9, source))) X(__fread_chk, USE(__fread_chk(s, 99, 1, 9, source))) \
  X(fputws, USE(fputws(w, wide_sink))) X(fgetws, USE(fgetws(w, 9, wide_source))) \
  X(fgetpos, USE(fgetpos(source, &u.position))) X(fsetpos, USE(fsetpos(source, &u.position))) \
  X(__vdprintf_chk, list_vdprintf_chk_of("%s", s)) X(__vasprintf_chk, list_vasprintf_chk_of("%s", s)) \
  X(__dprintf_chk, USE(__dprintf_chk(file, 1, "%s", s))) X(__asprintf_chk, USE(__asprintf_chk(&at, 1, "%s", s))) \
  X(vwprintf, list_vwprintf_of(L"%d %s", 1, s)) X(vfwprintf, list_vfwprintf_of(L"%f %ls", 1.5, w)) \
  X(vswprintf, list_vswprintf_of(L"%.*s", 3, s)) X(__vswprintf_chk, list_vswprintf_chk_of(L"%s", s)) \
  X(wprintf, USE(wprintf(L"%s", s))) X(fwprintf, USE(fwprintf(wide_sink, L"%s", s))) X(swprintf, USE(swprintf(w, 9, L"%d", 1))) \
  X(__swprintf_chk, USE(__swprintf_chk(w, 9, 1, 9, L"%d", 1))) X(swscanf, USE(swscanf(w, L"%d", &(int){0}))) \
  X(vswscanf, list_vswscanf_of(L"%d", &u.number)) X(__isoc99_swscanf, USE(__isoc99_swscanf(other_wide, L"%d", &u.number))) \
  X(__isoc99_vswscanf, list_isoc99_vswscanf_of(L"%d %s", other, s)) \
  X(access, USE(access(s, 0))) X(faccessat, USE(faccessat(file, s, 0, 0))) X(chmod, USE(chmod(s, 0))) X(link, USE(link(s, s))) \
  X(symlink, USE(symlink("no", s))) X(truncate, USE(truncate(s, 9))) X(mkfifo, USE(mkfifo(s, 0))) X(unlinkat, USE(unlinkat(file, s, 0))) \
  X(mkdirat, USE(mkdirat(file, s, 0))) X(renameat, USE(renameat(file, s, file, "/nowhere/at/all"))) X(mkdtemp, USE(mkdtemp(s))) \
  X(dirname, USE(dirname(s))) X(__xpg_basename, USE(__xpg_basename(s))) X(basename, USE(gnu_basename(s))) \
  X(readdir, USE(readdir(directory)->d_ino)) X(glob, USE(glob(s, 0, NULL, &(glob_t){0}))) X(fnmatch, USE(fnmatch(s, "no", 0))) \
  X(__realpath_chk, USE(__realpath_chk(s, NULL, 4096))) \
  X(localtime, USE(localtime(&u.time))) X(gmtime, USE(gmtime(&u.time))) X(asctime, USE(asctime(&u.tm))) X(ctime, USE(ctime(&u.time))) \
  X(wcsftime, USE(wcsftime(w, 20, L"%Y", &when))) X(clock_getres, USE(clock_getres(CLOCK_MONOTONIC, &u.spec))) \
  X(setsockopt, USE(setsockopt(network, SOL_SOCKET, SO_REUSEADDR, &u.number, 4))) \
  X(connect, USE(connect(file, (struct sockaddr*)&u.socket, sizeof u.socket))) \
  X(regcomp, USE(regcomp(&u.pattern, "a", 0))) X(regexec, USE(regexec(&pattern, s, 0, NULL, 0))) \
  X(regerror, USE(regerror(1, &pattern, s, 20))) X(regfree, (u.pattern = (regex_t){0}, regfree(&u.pattern))) \
  X(iconv, (at = s, left = 4, to = other, room = 90, USE(iconv(set, &at, &left, &to, &room)))) \
  X(tsearch, (u.tree = NULL, USE(tsearch(other, &u.tree, compare)))) X(tfind, (u.tree = NULL, USE(tfind(other, &u.tree, compare)))) \
  X(tdelete, (u.tree = NULL, USE(tdelete(other, &u.tree, compare)))) X(lsearch, (left = 0, USE(lsearch(s, other, &left, 1, compare)))) \
  X(sigemptyset, USE(sigemptyset(&u.signals))) X(sigfillset, USE(sigfillset(&u.signals))) X(sigaddset, USE(sigaddset(&u.signals, 1))) \
  X(sigdelset, USE(sigdelset(&u.signals, 1))) X(sigismember, USE(sigismember(&u.signals, 1))) \
  X(getloadavg, USE(getloadavg(u.loads, 3))) X(backtrace, USE(backtrace(u.stack, 9))) \
  X(__explicit_bzero_chk, __explicit_bzero_chk(s, 4, 99)) \
  X(__read_chk, USE(__read_chk(readable, s, 4, 99))) X(__pread_chk, USE(__pread_chk(readable, s, 4, 0, 99))) \
  X(__pread64_chk, USE(__pread64_chk(readable, s, 4, 0, 99))) X(recv, (send(network, "ab", 2, 0), USE(recv(network + 1, s, 4, 0)))) \
  X(__recv_chk, (send(network, "ab", 2, 0), USE(__recv_chk(network + 1, s, 4, 99, 0)))) \
  X(__recvfrom_chk, (send(network, "ab", 2, 0), USE(__recvfrom_chk(network + 1, s, 4, 99, 0, NULL, NULL)))) \
  X(recvmsg, (send(network, "ab", 2, 0), USE(recvmsg(network + 1, &(struct msghdr){.msg_iov = &(struct iovec){s, 4}, .msg_iovlen = 1}, 0)))) \
  X(poll, USE(poll(&u.asked, 1, 0))) X(__poll_chk, USE(__poll_chk(&u.asked, 1, 0, 99))) \
  X(__ppoll_chk, USE(__ppoll_chk(&u.asked, 1, &(struct timespec){0}, NULL, 99))) \
  X(select, USE(select(3, &u.set, NULL, NULL, &(struct timeval){0}))) \
  X(open, (strcpy(other, "/dev/null"), USE(open(strcpy(s, "/dev/null"), O_RDONLY)))) X(fopen, USE(fopen(s, "r"))) \
  X(stat, USE(stat(s, &(struct stat){0}))) X(lstat, USE(lstat(s, &(struct stat){0}))) X(fstat, USE(fstat(file, &u.status))) \
  X(statfs, USE(statfs("/", &u.system))) X(getrlimit, USE(getrlimit(RLIMIT_CORE, &u.limit))) \
  X(getrusage, USE(getrusage(RUSAGE_SELF, &u.usage))) X(uname, USE(uname(&u.name))) \
  X(readlink, USE(readlink("/proc/self/exe", s, 90))) X(__readlink_chk, USE(__readlink_chk(s, other, 90, 99))) \
  X(getcwd, USE(getcwd(s, 4096))) X(__getcwd_chk, USE(__getcwd_chk(s, 4096, 4096))) X(gethostname, USE(gethostname(s, 90))) \
  X(__gethostname_chk, USE(__gethostname_chk(s, 90, 99))) \
  X(getsockname, (size = 16, USE(getsockname(network, (struct sockaddr*)&u.socket, &size)))) \
  X(getpeername, (size = 16, USE(getpeername(network, (struct sockaddr*)&u.socket, &size)))) \
  X(getsockopt, (size = 4, USE(getsockopt(network, SOL_SOCKET, SO_TYPE, &u.number, &size)))) \
  X(times, USE(times(&u.times))) X(sysinfo, USE(sysinfo(&u.info))) X(pthread_sigmask, USE(pthread_sigmask(SIG_BLOCK, NULL, &u.signals))) \
  X(chdir, USE(chdir(s))) X(opendir, USE(opendir(s))) X(mkstemp, USE(mkstemp(s))) X(iconv_open, USE(iconv_open(s, "no"))) \
  X(getpwuid_r, USE(getpwuid_r(0, &u.user, other, 4096, &user_found))) \
  X(getgrgid_r, USE(getgrgid_r(0, &u.group, other, 4096, &group_found))) \
  X(fgetc, USE(fgetc(shut))) X(getc, USE(getc(shut))) X(getc_unlocked, USE(getc_unlocked(shut))) X(fputc, USE(fputc(1, shut))) \
  X(putc, USE(putc(1, shut))) X(putc_unlocked, USE(putc_unlocked(1, shut))) X(ungetc, USE(ungetc(1, shut))) X(fflush, USE(fflush(shut))) \
  X(fseek, USE(fseek(shut, 0, SEEK_SET))) X(fseeko, USE(fseeko(shut, 0, SEEK_SET))) X(ftell, USE(ftell(shut))) X(ftello, USE(ftello(shut))) \
  X(feof, USE(feof(shut))) X(ferror, USE(ferror(shut))) X(fgetwc, USE(fgetwc(shut))) X(fputwc, USE(fputwc(1, shut))) \
  X(rewind, rewind(shut)) X(clearerr, clearerr(shut)) X(printed_where_closed, USE(fprintf(shut, "x"))) \
  X(tokens, (strtok(other, "q"), 0)) \
  X(__memcpy_chk, USE(__memcpy_chk(s, other, 9, 99))) X(__memmove_chk, USE(__memmove_chk(s, other, 9, 99))) \
  X(__mempcpy_chk, USE(__mempcpy_chk(s, other, 9, 99))) X(__memset_chk, USE(__memset_chk(s, 1, 9, 99))) \
  X(__strcpy_chk, USE(__strcpy_chk(s, other, 99))) X(__stpcpy_chk, USE(__stpcpy_chk(s, other, 99))) \
  X(__strncpy_chk, USE(__strncpy_chk(s, other, 9, 99))) X(__stpncpy_chk, USE(__stpncpy_chk(s, other, 9, 99))) \
  X(__strcat_chk, USE(__strcat_chk(s, other, 99))) X(__strncat_chk, USE(__strncat_chk(s, other, 9, 99)))
// clang-format on
// These would wait for input, or need a newer C library.
static const char* const not_called __attribute__((unused)) =
    "scanf vscanf __isoc99_scanf __isoc99_vscanf __isoc23_strtol __isoc23_strtoul __isoc23_strtoll "
    "__isoc23_strtoull __isoc23_wcstol __isoc23_wcstoul __isoc23_wcstoll __isoc23_wcstoull";

#define X(name, statement)                                  \
  __attribute__((noinline)) static void case_##name(void) { \
    statement;                                              \
  }
CASES(X)
#undef X

static void (*const cases[])(void) = {
#define X(name, statement) case_##name,
    CASES(X)
#undef X
};

static void* calls(void* which) {
  cases[(long)which]();
  return NULL;
}

// One byte is read and written, one descriptor closed, and the environment changed.
static void* meets(void* unused) {
  result = s[0];
  s[0] = '/';
  close(closed);
  strtok(another, "q");
  fclose(shut);
  if (getenv("NOTHING") == NULL) setenv("HEDDLE_OTHER", "1", 1);
  return unused;
}

int main(void) {
  strcpy(s, "/12/shared");
  const long which = heddle_choose(sizeof cases / sizeof *cases);
  file = open("/dev/null", O_RDWR);
  closed = open("/dev/null", O_RDWR);
  sink = fopen("/dev/null", "w");
  source = fmemopen((char[]){"34 56 source\n"}, 12, "r");
  shut = fopen("/dev/null", "r+");
  wide_sink = fopen("/dev/null", "w");
  wide_source = fopen("/proc/self/comm", "r");
  readable = open("/proc/self/comm", O_RDONLY);
  int pair[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  network = pair[0];
  directory = opendir("/");
  regcomp(&pattern, "a", 0);
  set = iconv_open("UTF-8", "ISO-8859-1");
  pthread_t a, b;
  pthread_create(&a, NULL, calls, (void*)which);
  pthread_create(&b, NULL, meets, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  _exit(0);
}
