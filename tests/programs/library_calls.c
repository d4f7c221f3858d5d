// The C library reads and writes the program's memory as the program does: here each function meets
// another thread at the same byte. tests/blocks/library_test.py asks for each one by name.
//
// RUN: --strategy=icb --bound=0 --leaks=off
// FLAGS: -D_GNU_SOURCE -lm
// EXPECT: fail data-race
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <heddle/heddle.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <search.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
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
} u;
static char other[4096] = "12 other";
static wchar_t other_wide[64] = L"12 other";
static struct tm when;
static time_t moment;
static int file, readable, closed;
static FILE *sink, *source;
static volatile long result;
static char* at;

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
  X(dprintf, USE(dprintf(file, "%5s", s))) X(sprintf, USE(sprintf(s, "%d", 5))) X(snprintf, USE(snprintf(s, 3, "constant"))) \
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
  X(__memcpy_chk, USE(__memcpy_chk(s, other, 9, 99))) X(__memmove_chk, USE(__memmove_chk(s, other, 9, 99))) \
  X(__mempcpy_chk, USE(__mempcpy_chk(s, other, 9, 99))) X(__memset_chk, USE(__memset_chk(s, 1, 9, 99))) \
  X(__strcpy_chk, USE(__strcpy_chk(s, other, 99))) X(__stpcpy_chk, USE(__stpcpy_chk(s, other, 99))) \
  X(__strncpy_chk, USE(__strncpy_chk(s, other, 9, 99))) X(__stpncpy_chk, USE(__stpncpy_chk(s, other, 9, 99))) \
  X(__strcat_chk, USE(__strcat_chk(s, other, 99))) X(__strncat_chk, USE(__strncat_chk(s, other, 9, 99)))
// clang-format on
// These would wait for input, or need a newer C library.
static const char* const not_called __attribute__((unused)) =
    "scanf vscanf __isoc99_scanf __isoc99_vscanf __isoc23_strtol __isoc23_strtoul __isoc23_strtoll "
    "__isoc23_strtoull";

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
  readable = open("/proc/self/comm", O_RDONLY);
  pthread_t a, b;
  pthread_create(&a, NULL, calls, (void*)which);
  pthread_create(&b, NULL, meets, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  _exit(0);
}
