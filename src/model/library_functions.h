// What functions of the C library read and write of the program's memory, in one place: libheddle
// makes its functions from the table (runtime/intercepts/library.cc), "heddle support" prints the
// names.
#pragma once

// clang-format off
// One row per function:
//
//   X(result, name, parameters, arguments, before, after)
//
// with what it reads and writes before and after the real function is called, where `result` is
// known:
//
//   R(p, n), W(p, n)     reads, writes n bytes at p
//   RS(s), RS_MOST(s, n) reads a string with its end, n bytes of it at most
//   RW(s), RW_MOST(s, n) the same for wide strings, n characters at most
//   WS(s), WW(s)         has written a string, a wide string
//   R_FORMAT(f, list)    what a format of printf asks for; W_SCANNED(f, list, n) what scanf has
//                        written for the first n conversions
//
// Null pointers are left out.
#define HEDDLE_LIBRARY_FUNCTIONS(X) \
  /* memory */ \
  X(void*, memchr, (const void* p, int c, size_t n), (p, c, n), , R(p, up_to(p, result, n))) \
  X(void*, memrchr, (const void* p, int c, size_t n), (p, c, n), R(p, n), ) \
  X(void*, rawmemchr, (const void* p, int c), (p, c), , R(p, up_to(p, result, 0))) \
  X(void*, memmem, (const void* p, size_t n, const void* q, size_t m), (p, n, q, m), R(p, n); R(q, m), ) \
  X(void*, memccpy, (void* to, const void* from, int c, size_t n), (to, from, c, n), , R(from, up_to_end(to, result, n)); W(to, up_to_end(to, result, n))) \
  /* strings */ \
  X(size_t, strlen, (const char* s), (s), , R(s, result + 1)) \
  X(size_t, strnlen, (const char* s, size_t n), (s, n), , R(s, result < n ? result + 1 : n)) \
  X(int, strcmp, (const char* a, const char* b), (a, b), R(a, same_part(a, b, ~size_t{0})); R(b, same_part(a, b, ~size_t{0})), ) \
  X(int, strncmp, (const char* a, const char* b, size_t n), (a, b, n), R(a, same_part(a, b, n)); R(b, same_part(a, b, n)), ) \
  X(int, strcasecmp, (const char* a, const char* b), (a, b), R(a, shorter(a, b, ~size_t{0})); R(b, shorter(a, b, ~size_t{0})), ) \
  X(int, strncasecmp, (const char* a, const char* b, size_t n), (a, b, n), R(a, shorter(a, b, n)); R(b, shorter(a, b, n)), ) \
  X(int, strcoll, (const char* a, const char* b), (a, b), RS(a); RS(b), ) \
  X(size_t, strxfrm, (char* to, const char* from, size_t n), (to, from, n), RS(from), if (result < n) W(to, result + 1)) \
  X(char*, strchr, (const char* s, int c), (s, c), , if (result != nullptr) R(s, up_to(s, result, 0)); else RS(s)) \
  X(char*, strchrnul, (const char* s, int c), (s, c), , R(s, up_to(s, result, 0))) \
  X(char*, strrchr, (const char* s, int c), (s, c), RS(s), ) \
  X(char*, index, (const char* s, int c), (s, c), , if (result != nullptr) R(s, up_to(s, result, 0)); else RS(s)) \
  X(char*, rindex, (const char* s, int c), (s, c), RS(s), ) \
  X(char*, strstr, (const char* s, const char* t), (s, t), RS(s); RS(t), ) \
  X(char*, strcasestr, (const char* s, const char* t), (s, t), RS(s); RS(t), ) \
  X(size_t, strspn, (const char* s, const char* t), (s, t), RS(t), R(s, result + 1)) \
  X(size_t, strcspn, (const char* s, const char* t), (s, t), RS(t), R(s, result + 1)) \
  X(char*, strpbrk, (const char* s, const char* t), (s, t), RS(t), if (result != nullptr) R(s, up_to(s, result, 0)); else RS(s)) \
  X(char*, strtok, (char* s, const char* t), (s, t), RS(s); RS(t), if (result != nullptr) W(result, length(result) + 1)) \
  X(char*, strtok_r, (char* s, const char* t, char** at), (s, t, at), RS(s); RS(t), W(at, sizeof *at); if (result != nullptr) W(result, length(result) + 1)) \
  X(char*, strsep, (char** s, const char* t), (s, t), R(s, sizeof *s); RS(t), if (result != nullptr) { W(s, sizeof *s); W(result, length(result) + 1); }) \
  X(char*, strdup, (const char* s), (s), RS(s), ) \
  X(char*, __strdup, (const char* s), (s), RS(s), ) \
  X(char*, strndup, (const char* s, size_t n), (s, n), RS_MOST(s, n), ) \
  X(char*, strerror_r, (int number, char* to, size_t n), (number, to, n), , if (result == to) WS(to)) \
  X(int, __xpg_strerror_r, (int number, char* to, size_t n), (number, to, n), , if (result == 0) WS(to)) \
  X(int, strverscmp, (const char* a, const char* b), (a, b), RS(a); RS(b), ) \
  /* wide strings */ \
  X(size_t, wcslen, (const wchar_t* s), (s), , R(s, (result + 1) * sizeof *s)) \
  X(size_t, wcsnlen, (const wchar_t* s, size_t n), (s, n), , R(s, (result < n ? result + 1 : n) * sizeof *s)) \
  X(wchar_t*, wcscpy, (wchar_t* to, const wchar_t* from), (to, from), RW(from); W(to, (wide_length(from) + 1) * sizeof *to), ) \
  X(wchar_t*, wcpcpy, (wchar_t* to, const wchar_t* from), (to, from), RW(from); W(to, (wide_length(from) + 1) * sizeof *to), ) \
  X(wchar_t*, wcsncpy, (wchar_t* to, const wchar_t* from, size_t n), (to, from, n), RW_MOST(from, n); W(to, n * sizeof *to), ) \
  X(wchar_t*, wcscat, (wchar_t* to, const wchar_t* from), (to, from), RW(to); RW(from); W(to + wide_length(to), (wide_length(from) + 1) * sizeof *to), ) \
  X(wchar_t*, wcsncat, (wchar_t* to, const wchar_t* from, size_t n), (to, from, n), RW(to); RW_MOST(from, n), WW(to)) \
  X(int, wcscmp, (const wchar_t* a, const wchar_t* b), (a, b), RW(a); RW(b), ) \
  X(int, wcsncmp, (const wchar_t* a, const wchar_t* b, size_t n), (a, b, n), RW_MOST(a, n); RW_MOST(b, n), ) \
  X(wchar_t*, wcschr, (const wchar_t* s, wchar_t c), (s, c), RW(s), ) \
  X(wchar_t*, wcsrchr, (const wchar_t* s, wchar_t c), (s, c), RW(s), ) \
  X(wchar_t*, wcsstr, (const wchar_t* s, const wchar_t* t), (s, t), RW(s); RW(t), ) \
  X(wchar_t*, wcsdup, (const wchar_t* s), (s), RW(s), ) \
  X(wchar_t*, wmemcpy, (wchar_t* to, const wchar_t* from, size_t n), (to, from, n), R(from, n * sizeof *to); W(to, n * sizeof *to), ) \
  X(wchar_t*, wmemmove, (wchar_t* to, const wchar_t* from, size_t n), (to, from, n), R(from, n * sizeof *to); W(to, n * sizeof *to), ) \
  X(wchar_t*, wmempcpy, (wchar_t* to, const wchar_t* from, size_t n), (to, from, n), R(from, n * sizeof *to); W(to, n * sizeof *to), ) \
  X(wchar_t*, wmemset, (wchar_t* to, wchar_t c, size_t n), (to, c, n), W(to, n * sizeof *to), ) \
  X(int, wmemcmp, (const wchar_t* a, const wchar_t* b, size_t n), (a, b, n), R(a, n * sizeof *a); R(b, n * sizeof *b), ) \
  X(wchar_t*, wmemchr, (const wchar_t* s, wchar_t c, size_t n), (s, c, n), , R(s, up_to(s, result, n * sizeof *s))) \
  X(size_t, mbstowcs, (wchar_t* to, const char* from, size_t n), (to, from, n), RS(from), if (result != ~size_t{0}) W(to, (result < n ? result + 1 : n) * sizeof *to)) \
  X(size_t, wcstombs, (char* to, const wchar_t* from, size_t n), (to, from, n), RW(from), if (result != ~size_t{0}) W(to, result < n ? result + 1 : n)) \
  X(int, mbtowc, (wchar_t* to, const char* from, size_t n), (to, from, n), , if (from != nullptr && result >= 0) { R(from, result > 0 ? static_cast<size_t>(result) : 1); W(to, sizeof *to); }) \
  /* numbers */ \
  X(int, atoi, (const char* s), (s), R(s, number_in(s)), ) \
  X(long, atol, (const char* s), (s), R(s, number_in(s)), ) \
  X(long long, atoll, (const char* s), (s), R(s, number_in(s)), ) \
  X(double, atof, (const char* s), (s), RS(s), ) \
  X(long, strtol, (const char* s, char** end, int base), (s, end, base), R(s, number_in(s)), W(end, sizeof *end)) \
  X(unsigned long, strtoul, (const char* s, char** end, int base), (s, end, base), R(s, number_in(s)), W(end, sizeof *end)) \
  X(long long, strtoll, (const char* s, char** end, int base), (s, end, base), R(s, number_in(s)), W(end, sizeof *end)) \
  X(unsigned long long, strtoull, (const char* s, char** end, int base), (s, end, base), R(s, number_in(s)), W(end, sizeof *end)) \
  X(long, __isoc23_strtol, (const char* s, char** end, int base), (s, end, base), R(s, number_in(s)), W(end, sizeof *end)) \
  X(unsigned long, __isoc23_strtoul, (const char* s, char** end, int base), (s, end, base), R(s, number_in(s)), W(end, sizeof *end)) \
  X(long long, __isoc23_strtoll, (const char* s, char** end, int base), (s, end, base), R(s, number_in(s)), W(end, sizeof *end)) \
  X(unsigned long long, __isoc23_strtoull, (const char* s, char** end, int base), (s, end, base), R(s, number_in(s)), W(end, sizeof *end)) \
  X(intmax_t, strtoimax, (const char* s, char** end, int base), (s, end, base), R(s, number_in(s)), W(end, sizeof *end)) \
  X(uintmax_t, strtoumax, (const char* s, char** end, int base), (s, end, base), R(s, number_in(s)), W(end, sizeof *end)) \
  X(double, strtod, (const char* s, char** end), (s, end), R(s, number_in(s)), W(end, sizeof *end)) \
  X(float, strtof, (const char* s, char** end), (s, end), R(s, number_in(s)), W(end, sizeof *end)) \
  X(long double, strtold, (const char* s, char** end), (s, end), R(s, number_in(s)), W(end, sizeof *end)) \
  X(double, frexp, (double x, int* exponent), (x, exponent), W(exponent, sizeof *exponent), ) \
  X(float, frexpf, (float x, int* exponent), (x, exponent), W(exponent, sizeof *exponent), ) \
  X(long double, frexpl, (long double x, int* exponent), (x, exponent), W(exponent, sizeof *exponent), ) \
  X(double, modf, (double x, double* whole), (x, whole), W(whole, sizeof *whole), ) \
  X(float, modff, (float x, float* whole), (x, whole), W(whole, sizeof *whole), ) \
  X(long double, modfl, (long double x, long double* whole), (x, whole), W(whole, 10), ) \
  X(float, remquof, (float x, float y, int* quotient), (x, y, quotient), W(quotient, sizeof *quotient), ) \
  X(long double, remquol, (long double x, long double y, int* quotient), (x, y, quotient), W(quotient, sizeof *quotient), ) \
  X(double, remquo, (double x, double y, int* quotient), (x, y, quotient), W(quotient, sizeof *quotient), ) \
  X(float, lgammaf_r, (float x, int* sign), (x, sign), W(sign, sizeof *sign), ) \
  X(long double, lgammal_r, (long double x, int* sign), (x, sign), W(sign, sizeof *sign), ) \
  X(double, lgamma_r, (double x, int* sign), (x, sign), W(sign, sizeof *sign), ) \
  X(int, rand_r, (unsigned* seed), (seed), R(seed, sizeof *seed); W(seed, sizeof *seed), ) \
  /* streams */ \
  X(int, puts, (const char* s), (s), RS(s), ) \
  X(int, fputs, (const char* s, FILE* file), (s, file), RS(s), ) \
  X(int, fputs_unlocked, (const char* s, FILE* file), (s, file), RS(s), ) \
  X(size_t, fwrite, (const void* p, size_t each, size_t n, FILE* file), (p, each, n, file), R(p, each * n), ) \
  X(size_t, fwrite_unlocked, (const void* p, size_t each, size_t n, FILE* file), (p, each, n, file), R(p, each * n), ) \
  X(size_t, fread, (void* p, size_t each, size_t n, FILE* file), (p, each, n, file), , W(p, each * result)) \
  X(size_t, fread_unlocked, (void* p, size_t each, size_t n, FILE* file), (p, each, n, file), , W(p, each * result)) \
  X(char*, fgets, (char* s, int n, FILE* file), (s, n, file), , if (result != nullptr) WS(s)) \
  X(char*, fgets_unlocked, (char* s, int n, FILE* file), (s, n, file), , if (result != nullptr) WS(s)) \
  X(ssize_t, getline, (char** line, size_t* n, FILE* file), (line, n, file), R(line, sizeof *line); R(n, sizeof *n), W(line, sizeof *line); W(n, sizeof *n); if (result >= 0) W(*line, static_cast<size_t>(result) + 1)) \
  X(ssize_t, getdelim, (char** line, size_t* n, int end, FILE* file), (line, n, end, file), R(line, sizeof *line); R(n, sizeof *n), W(line, sizeof *line); W(n, sizeof *n); if (result >= 0) W(*line, static_cast<size_t>(result) + 1)) \
  X(ssize_t, __getdelim, (char** line, size_t* n, int end, FILE* file), (line, n, end, file), R(line, sizeof *line); R(n, sizeof *n), W(line, sizeof *line); W(n, sizeof *n); if (result >= 0) W(*line, static_cast<size_t>(result) + 1)) \
  X(int, vprintf, (const char* f, va_list list), (f, list), R_FORMAT(f, list), ) \
  X(int, vfprintf, (FILE* file, const char* f, va_list list), (file, f, list), R_FORMAT(f, list), ) \
  X(int, vdprintf, (int descriptor, const char* f, va_list list), (descriptor, f, list), R_FORMAT(f, list), ) \
  X(int, vsprintf, (char* to, const char* f, va_list list), (to, f, list), R_FORMAT(f, list), W(to, result >= 0 ? static_cast<size_t>(result) + 1 : 0)) \
  X(int, vsnprintf, (char* to, size_t n, const char* f, va_list list), (to, n, f, list), R_FORMAT(f, list), W(to, printed(result, n))) \
  X(int, vasprintf, (char** to, const char* f, va_list list), (to, f, list), R_FORMAT(f, list), W(to, sizeof *to)) \
  X(int, __vprintf_chk, (int flag, const char* f, va_list list), (flag, f, list), R_FORMAT(f, list), ) \
  X(int, __vfprintf_chk, (FILE* file, int flag, const char* f, va_list list), (file, flag, f, list), R_FORMAT(f, list), ) \
  X(int, __vsprintf_chk, (char* to, int flag, size_t room, const char* f, va_list list), (to, flag, room, f, list), R_FORMAT(f, list), W(to, result >= 0 ? static_cast<size_t>(result) + 1 : 0)) \
  X(int, __vsnprintf_chk, (char* to, size_t n, int flag, size_t room, const char* f, va_list list), (to, n, flag, room, f, list), R_FORMAT(f, list), W(to, printed(result, n))) \
  X(int, vscanf, (const char* f, va_list list), (f, list), RS(f), W_SCANNED(f, list, result)) \
  X(int, vfscanf, (FILE* file, const char* f, va_list list), (file, f, list), RS(f), W_SCANNED(f, list, result)) \
  X(int, vsscanf, (const char* s, const char* f, va_list list), (s, f, list), RS(s); RS(f), W_SCANNED(f, list, result)) \
  X(int, __isoc99_vscanf, (const char* f, va_list list), (f, list), RS(f), W_SCANNED(f, list, result)) \
  X(int, __isoc99_vfscanf, (FILE* file, const char* f, va_list list), (file, f, list), RS(f), W_SCANNED(f, list, result)) \
  X(int, __isoc99_vsscanf, (const char* s, const char* f, va_list list), (s, f, list), RS(s); RS(f), W_SCANNED(f, list, result)) \
  X(int, setvbuf, (FILE* file, char* buffer, int mode, size_t n), (file, buffer, mode, n), W(buffer, n), ) \
  X(int, remove, (const char* path), (path), RS(path), ) \
  X(int, rename, (const char* from, const char* to), (from, to), RS(from); RS(to), ) \
  /* files */ \
  X(int, unlink, (const char* path), (path), RS(path), ) \
  X(int, mkdir, (const char* path, mode_t mode), (path, mode), RS(path), ) \
  X(int, rmdir, (const char* path), (path), RS(path), ) \
  X(char*, realpath, (const char* path, char* to), (path, to), RS(path), if (result != nullptr && result == to) WS(to)) \
  X(ssize_t, pwrite, (int descriptor, const void* p, size_t n, off_t at), (descriptor, p, n, at), USES(descriptor); R(p, n), ) \
  X(ssize_t, pwrite64, (int descriptor, const void* p, size_t n, off_t at), (descriptor, p, n, at), USES(descriptor); R(p, n), ) \
  X(off_t, lseek, (int descriptor, off_t at, int whence), (descriptor, at, whence), USES(descriptor), ) \
  X(off_t, lseek64, (int descriptor, off_t at, int whence), (descriptor, at, whence), USES(descriptor), ) \
  X(int, fsync, (int descriptor), (descriptor), USES(descriptor), ) \
  X(int, fdatasync, (int descriptor), (descriptor), USES(descriptor), ) \
  X(int, ftruncate, (int descriptor, off_t n), (descriptor, n), USES(descriptor), ) \
  /* times */ \
  X(tm*, localtime_r, (const time_t* time, tm* to), (time, to), R(time, sizeof *time), W(to, sizeof *to)) \
  X(tm*, gmtime_r, (const time_t* time, tm* to), (time, to), R(time, sizeof *time), W(to, sizeof *to)) \
  X(time_t, mktime, (tm* time), (time), R(time, sizeof *time), W(time, sizeof *time)) \
  X(time_t, timegm, (tm* time), (time), R(time, sizeof *time), W(time, sizeof *time)) \
  X(size_t, strftime, (char* to, size_t n, const char* f, const tm* time), (to, n, f, time), RS(f); R(time, sizeof *time), if (result != 0) W(to, result + 1)) \
  X(char*, asctime_r, (const tm* time, char* to), (time, to), R(time, sizeof *time), if (result != nullptr) WS(to)) \
  X(char*, ctime_r, (const time_t* time, char* to), (time, to), R(time, sizeof *time), if (result != nullptr) WS(to)) \
  X(char*, strptime, (const char* s, const char* f, tm* to), (s, f, to), RS(s); RS(f), if (result != nullptr) W(to, sizeof *to)) \
  /* networks */ \
  X(const char*, inet_ntop, (int family, const void* from, char* to, socklen_t n), (family, from, to, n), R(from, address_bytes(family)), if (result != nullptr) WS(to)) \
  X(int, inet_pton, (int family, const char* from, void* to), (family, from, to), RS(from), if (result == 1) W(to, address_bytes(family))) \
  X(int, inet_aton, (const char* from, in_addr* to), (from, to), RS(from), if (result != 0) W(to, sizeof *to)) \
  X(in_addr_t, inet_addr, (const char* from), (from), RS(from), ) \
  X(int, bind, (int descriptor, const sockaddr* address, socklen_t n), (descriptor, address, n), USES(descriptor); R(address, n), ) \
  /* the environment, as a whole */ \
  X(char*, getenv, (const char* name), (name), RS(name); R(&environ, sizeof environ), ) \
  X(char*, secure_getenv, (const char* name), (name), RS(name); R(&environ, sizeof environ), ) \
  X(int, setenv, (const char* name, const char* to, int over), (name, to, over), RS(name); RS(to); W(&environ, sizeof environ), ) \
  X(int, unsetenv, (const char* name), (name), RS(name); W(&environ, sizeof environ), ) \
  X(int, putenv, (char* text), (text), RS(text); W(&environ, sizeof environ), ) \
  X(int, clearenv, (), (), W(&environ, sizeof environ), )

// The same for functions that return nothing.
#define HEDDLE_LIBRARY_PROCEDURES(X) \
  X(bzero, (void* to, size_t n), (to, n), W(to, n), ) \
  X(explicit_bzero, (void* to, size_t n), (to, n), W(to, n), ) \
  X(swab, (const void* from, void* to, ssize_t n), (from, to, n), R(from, static_cast<size_t>(n > 0 ? n : 0)); W(to, static_cast<size_t>(n > 0 ? n : 0)), ) \
  X(qsort, (void* p, size_t n, size_t each, int (*compare)(const void*, const void*)), (p, n, each, compare), R(p, n * each); W(p, n * each), ) \
  X(qsort_r, (void* p, size_t n, size_t each, int (*compare)(const void*, const void*, void*), void* argument), (p, n, each, compare, argument), R(p, n * each); W(p, n * each), ) \
  X(perror, (const char* s), (s), RS(s), ) \
  X(sincos, (double x, double* sine, double* cosine), (x, sine, cosine), W(sine, sizeof *sine); W(cosine, sizeof *cosine), ) \
  X(sincosl, (long double x, long double* sine, long double* cosine), (x, sine, cosine), W(sine, 10); W(cosine, 10), ) \
  X(sincosf, (float x, float* sine, float* cosine), (x, sine, cosine), W(sine, sizeof *sine); W(cosine, sizeof *cosine), )

// Functions with a format and arguments behind it: each calls the one that takes a list.
//
//   X(name, of the list, parameters before the format, arguments before the format)
#define HEDDLE_LIBRARY_FORMATS(X) \
  X(printf, vprintf, (), ()) \
  X(fprintf, vfprintf, (FILE* file), (file)) \
  X(dprintf, vdprintf, (int descriptor), (descriptor)) \
  X(sprintf, vsprintf, (char* to), (to)) \
  X(snprintf, vsnprintf, (char* to, size_t n), (to, n)) \
  X(asprintf, vasprintf, (char** to), (to)) \
  X(__printf_chk, __vprintf_chk, (int flag), (flag)) \
  X(__fprintf_chk, __vfprintf_chk, (FILE* file, int flag), (file, flag)) \
  X(__sprintf_chk, __vsprintf_chk, (char* to, int flag, size_t room), (to, flag, room)) \
  X(__snprintf_chk, __vsnprintf_chk, (char* to, size_t n, int flag, size_t room), (to, n, flag, room)) \
  X(scanf, vscanf, (), ()) \
  X(fscanf, vfscanf, (FILE* file), (file)) \
  X(sscanf, vsscanf, (const char* s), (s)) \
  X(__isoc99_scanf, __isoc99_vscanf, (), ()) \
  X(__isoc99_fscanf, __isoc99_vfscanf, (FILE* file), (file)) \
  X(__isoc99_sscanf, __isoc99_vsscanf, (const char* s), (s))

// Copies, fills and comparisons, which do it all themselves: where accesses are steps, what was read first is kept
// until the rest is done (runtime/intercepts/library_copies.cc).
#define HEDDLE_LIBRARY_COPIES(X) \
  X(memcmp) X(bcmp) X(memcpy) X(memmove) X(mempcpy) X(__mempcpy) X(memset) X(bcopy) \
  X(strcpy) X(stpcpy) X(__stpcpy) X(strncpy) X(stpncpy) X(strcat) X(strncat) \
  X(__memcpy_chk) X(__memmove_chk) X(__mempcpy_chk) X(__memset_chk) \
  X(__strcpy_chk) X(__stpcpy_chk) X(__strncpy_chk) X(__stpncpy_chk) X(__strcat_chk) X(__strncat_chk)
// clang-format on
