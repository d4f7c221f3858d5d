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
//                        written for the first n conversions; R_WIDE_FORMAT, W_WIDE_SCANNED: where
//                        the format is wide
//
//   STREAM(file)         uses the stream: no step, but a race with who closes it
//   CLOSES(file)         closes the stream or directory
//   STATE(name)          changes what the library keeps for all threads
//
// Null pointers are left out.
#define HEDDLE_LIBRARY_FUNCTIONS(X) \
  /* memory */ \
  X(void*, memrchr, (const void* p, int c, size_t n), (p, c, n), R(p, n), ) \
  X(void*, memmem, (const void* p, size_t n, const void* q, size_t m), (p, n, q, m), R(p, n); R(q, m), ) \
  X(void*, memccpy, (void* to, const void* from, int c, size_t n), (to, from, c, n), , R(from, up_to_end(to, result, n)); W(to, up_to_end(to, result, n))) \
  /* strings */ \
  X(int, strcmp, (const char* a, const char* b), (a, b), R(a, same_part(a, b, ~size_t{0})); R(b, same_part(a, b, ~size_t{0})), ) \
  X(int, strncmp, (const char* a, const char* b, size_t n), (a, b, n), R(a, same_part(a, b, n)); R(b, same_part(a, b, n)), ) \
  X(int, strcasecmp, (const char* a, const char* b), (a, b), R(a, shorter(a, b, ~size_t{0})); R(b, shorter(a, b, ~size_t{0})), ) \
  X(int, strncasecmp, (const char* a, const char* b, size_t n), (a, b, n), R(a, shorter(a, b, n)); R(b, shorter(a, b, n)), ) \
  X(int, strcoll, (const char* a, const char* b), (a, b), RS(a); RS(b), ) \
  X(size_t, strxfrm, (char* to, const char* from, size_t n), (to, from, n), RS(from), if (result < n) W(to, result + 1)) \
  X(char*, strrchr, (const char* s, int c), (s, c), RS(s), ) \
  X(char*, rindex, (const char* s, int c), (s, c), RS(s), ) \
  X(char*, strstr, (const char* s, const char* t), (s, t), RS(s); RS(t), ) \
  X(char*, strcasestr, (const char* s, const char* t), (s, t), RS(s); RS(t), ) \
  X(char*, strtok, (char* s, const char* t), (s, t), STATE(strtok); RS(s); RS(t), if (result != nullptr) W(result, length(result) + 1)) \
  X(char*, strtok_r, (char* s, const char* t, char** at), (s, t, at), RS(s); RS(t), W(at, sizeof *at); if (result != nullptr) W(result, length(result) + 1)) \
  X(char*, strsep, (char** s, const char* t), (s, t), R(s, sizeof *s); RS(t), if (result != nullptr) { W(s, sizeof *s); W(result, length(result) + 1); }) \
  X(char*, strdup, (const char* s), (s), RS(s), ) \
  X(char*, __strdup, (const char* s), (s), RS(s), ) \
  X(char*, strndup, (const char* s, size_t n), (s, n), RS_MOST(s, n), ) \
  X(void*, memfrob, (void* p, size_t n), (p, n), R(p, n); W(p, n), ) \
  X(long, a64l, (const char* s), (s), RS(s), ) \
  X(char*, l64a, (long number), (number), , WS(result)) \
  X(int, getsubopt, (char** s, char* const* names, char** value), (s, names, value), R(s, sizeof *s); RS(*s); W(*s, length(*s) + 1), W(s, sizeof *s); W(value, sizeof *value)) \
  X(char*, strerror_r, (int number, char* to, size_t n), (number, to, n), , if (result == to) WS(to)) \
  X(int, __xpg_strerror_r, (int number, char* to, size_t n), (number, to, n), , if (result == 0) WS(to)) \
  X(int, strverscmp, (const char* a, const char* b), (a, b), RS(a); RS(b), ) \
  /* wide strings */ \
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
  X(wchar_t*, wcpncpy, (wchar_t* to, const wchar_t* from, size_t n), (to, from, n), RW_MOST(from, n); W(to, n * sizeof *to), ) \
  X(int, wcscasecmp, (const wchar_t* a, const wchar_t* b), (a, b), RW(a); RW(b), ) \
  X(int, wcsncasecmp, (const wchar_t* a, const wchar_t* b, size_t n), (a, b, n), RW_MOST(a, n); RW_MOST(b, n), ) \
  X(int, wcscoll, (const wchar_t* a, const wchar_t* b), (a, b), RW(a); RW(b), ) \
  X(size_t, wcsxfrm, (wchar_t* to, const wchar_t* from, size_t n), (to, from, n), RW(from), if (result < n) W(to, (result + 1) * sizeof *to)) \
  X(wchar_t*, wcschrnul, (const wchar_t* s, wchar_t c), (s, c), RW(s), ) \
  X(size_t, wcsspn, (const wchar_t* s, const wchar_t* t), (s, t), RW(s); RW(t), ) \
  X(size_t, wcscspn, (const wchar_t* s, const wchar_t* t), (s, t), RW(s); RW(t), ) \
  X(wchar_t*, wcspbrk, (const wchar_t* s, const wchar_t* t), (s, t), RW(s); RW(t), ) \
  X(wchar_t*, wcstok, (wchar_t* s, const wchar_t* t, wchar_t** at), (s, t, at), RW(s); RW(t), W(at, sizeof *at); if (result != nullptr) WW(result)) \
  X(wchar_t*, wmemcpy, (wchar_t* to, const wchar_t* from, size_t n), (to, from, n), R(from, n * sizeof *to); W(to, n * sizeof *to), ) \
  X(wchar_t*, wmemmove, (wchar_t* to, const wchar_t* from, size_t n), (to, from, n), R(from, n * sizeof *to); W(to, n * sizeof *to), ) \
  X(wchar_t*, wmempcpy, (wchar_t* to, const wchar_t* from, size_t n), (to, from, n), R(from, n * sizeof *to); W(to, n * sizeof *to), ) \
  X(wchar_t*, wmemset, (wchar_t* to, wchar_t c, size_t n), (to, c, n), W(to, n * sizeof *to), ) \
  X(int, wmemcmp, (const wchar_t* a, const wchar_t* b, size_t n), (a, b, n), R(a, n * sizeof *a); R(b, n * sizeof *b), ) \
  X(size_t, mbstowcs, (wchar_t* to, const char* from, size_t n), (to, from, n), RS(from), if (result != ~size_t{0}) W(to, (result < n ? result + 1 : n) * sizeof *to)) \
  X(size_t, wcstombs, (char* to, const wchar_t* from, size_t n), (to, from, n), RW(from), if (result != ~size_t{0}) W(to, result < n ? result + 1 : n)) \
  X(int, mbtowc, (wchar_t* to, const char* from, size_t n), (to, from, n), , if (from != nullptr && result >= 0) { R(from, result > 0 ? static_cast<size_t>(result) : 1); W(to, sizeof *to); }) \
  X(int, mblen, (const char* from, size_t n), (from, n), , if (from != nullptr && result >= 0) R(from, result > 0 ? static_cast<size_t>(result) : 1)) \
  X(int, wctomb, (char* to, wchar_t c), (to, c), , if (result > 0) W(to, static_cast<size_t>(result))) \
  X(size_t, mbrlen, (const char* from, size_t n, mbstate_t* state), (from, n, state), , if (result <= n) R(from, result > 0 ? result : 1); W(state, sizeof *state)) \
  X(size_t, mbrtowc, (wchar_t* to, const char* from, size_t n, mbstate_t* state), (to, from, n, state), , if (from != nullptr && result <= n) { R(from, result > 0 ? result : 1); W(to, sizeof *to); } W(state, sizeof *state)) \
  X(size_t, wcrtomb, (char* to, wchar_t c, mbstate_t* state), (to, c, state), , if (result != ~size_t{0}) W(to, result); W(state, sizeof *state)) \
  X(size_t, mbsrtowcs, (wchar_t* to, const char** from, size_t n, mbstate_t* state), (to, from, n, state), R(from, sizeof *from); RS(*from), if (to != nullptr) { W(from, sizeof *from); if (result != ~size_t{0}) W(to, (result < n ? result + 1 : n) * sizeof *to); } W(state, sizeof *state)) \
  X(size_t, mbsnrtowcs, (wchar_t* to, const char** from, size_t most, size_t n, mbstate_t* state), (to, from, most, n, state), R(from, sizeof *from); RS_MOST(*from, most), if (to != nullptr) { W(from, sizeof *from); if (result != ~size_t{0}) W(to, result * sizeof *to); } W(state, sizeof *state)) \
  X(size_t, wcsrtombs, (char* to, const wchar_t** from, size_t n, mbstate_t* state), (to, from, n, state), R(from, sizeof *from); RW(*from), if (to != nullptr) { W(from, sizeof *from); if (result != ~size_t{0}) W(to, result < n ? result + 1 : n); } W(state, sizeof *state)) \
  X(size_t, wcsnrtombs, (char* to, const wchar_t** from, size_t most, size_t n, mbstate_t* state), (to, from, most, n, state), R(from, sizeof *from); RW_MOST(*from, most), if (to != nullptr) { W(from, sizeof *from); if (result != ~size_t{0}) W(to, result); } W(state, sizeof *state)) \
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
  X(long, wcstol, (const wchar_t* s, wchar_t** end, int base), (s, end, base), R(s, number_in(s) * sizeof *s), W(end, sizeof *end)) \
  X(unsigned long, wcstoul, (const wchar_t* s, wchar_t** end, int base), (s, end, base), R(s, number_in(s) * sizeof *s), W(end, sizeof *end)) \
  X(long long, wcstoll, (const wchar_t* s, wchar_t** end, int base), (s, end, base), R(s, number_in(s) * sizeof *s), W(end, sizeof *end)) \
  X(unsigned long long, wcstoull, (const wchar_t* s, wchar_t** end, int base), (s, end, base), R(s, number_in(s) * sizeof *s), W(end, sizeof *end)) \
  X(intmax_t, wcstoimax, (const wchar_t* s, wchar_t** end, int base), (s, end, base), R(s, number_in(s) * sizeof *s), W(end, sizeof *end)) \
  X(uintmax_t, wcstoumax, (const wchar_t* s, wchar_t** end, int base), (s, end, base), R(s, number_in(s) * sizeof *s), W(end, sizeof *end)) \
  X(long, __isoc23_wcstol, (const wchar_t* s, wchar_t** end, int base), (s, end, base), R(s, number_in(s) * sizeof *s), W(end, sizeof *end)) \
  X(unsigned long, __isoc23_wcstoul, (const wchar_t* s, wchar_t** end, int base), (s, end, base), R(s, number_in(s) * sizeof *s), W(end, sizeof *end)) \
  X(long long, __isoc23_wcstoll, (const wchar_t* s, wchar_t** end, int base), (s, end, base), R(s, number_in(s) * sizeof *s), W(end, sizeof *end)) \
  X(unsigned long long, __isoc23_wcstoull, (const wchar_t* s, wchar_t** end, int base), (s, end, base), R(s, number_in(s) * sizeof *s), W(end, sizeof *end)) \
  X(double, wcstod, (const wchar_t* s, wchar_t** end), (s, end), R(s, number_in(s) * sizeof *s), W(end, sizeof *end)) \
  X(float, wcstof, (const wchar_t* s, wchar_t** end), (s, end), R(s, number_in(s) * sizeof *s), W(end, sizeof *end)) \
  X(long double, wcstold, (const wchar_t* s, wchar_t** end), (s, end), R(s, number_in(s) * sizeof *s), W(end, sizeof *end)) \
  X(char*, ecvt, (double x, int n, int* point, int* sign), (x, n, point, sign), , W(point, sizeof *point); W(sign, sizeof *sign); WS(result)) \
  X(char*, fcvt, (double x, int n, int* point, int* sign), (x, n, point, sign), , W(point, sizeof *point); W(sign, sizeof *sign); WS(result)) \
  X(char*, gcvt, (double x, int n, char* to), (x, n, to), , WS(to)) \
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
  X(double, erand48, (unsigned short* state), (state), R(state, 6); W(state, 6), ) \
  X(long, nrand48, (unsigned short* state), (state), R(state, 6); W(state, 6), ) \
  X(long, jrand48, (unsigned short* state), (state), R(state, 6); W(state, 6), ) \
  X(int, drand48_r, (drand48_data* state, double* to), (state, to), R(state, sizeof *state); W(state, sizeof *state), W(to, sizeof *to)) \
  X(int, lrand48_r, (drand48_data* state, long* to), (state, to), R(state, sizeof *state); W(state, sizeof *state), W(to, sizeof *to)) \
  X(int, mrand48_r, (drand48_data* state, long* to), (state, to), R(state, sizeof *state); W(state, sizeof *state), W(to, sizeof *to)) \
  X(int, srand48_r, (long seed, drand48_data* state), (seed, state), W(state, sizeof *state), ) \
  X(int, random_r, (random_data* state, int32_t* to), (state, to), R(state, sizeof *state); W(state, sizeof *state), W(to, sizeof *to)) \
  X(int, srandom_r, (unsigned seed, random_data* state), (seed, state), R(state, sizeof *state); W(state, sizeof *state), ) \
  /* streams */ \
  X(int, fgetc, (FILE* file), (file), STREAM(file), ) \
  X(int, getc, (FILE* file), (file), STREAM(file), ) \
  X(int, getc_unlocked, (FILE* file), (file), STREAM(file), ) \
  X(int, fputc, (int c, FILE* file), (c, file), STREAM(file), ) \
  X(int, putc, (int c, FILE* file), (c, file), STREAM(file), ) \
  X(int, putc_unlocked, (int c, FILE* file), (c, file), STREAM(file), ) \
  X(int, ungetc, (int c, FILE* file), (c, file), STREAM(file), ) \
  X(int, fflush, (FILE* file), (file), STREAM(file), ) \
  X(int, fseek, (FILE* file, long at, int whence), (file, at, whence), STREAM(file), ) \
  X(int, fseeko, (FILE* file, off_t at, int whence), (file, at, whence), STREAM(file), ) \
  X(long, ftell, (FILE* file), (file), STREAM(file), ) \
  X(off_t, ftello, (FILE* file), (file), STREAM(file), ) \
  X(int, feof, (FILE* file), (file), STREAM(file), ) \
  X(int, ferror, (FILE* file), (file), STREAM(file), ) \
  X(wint_t, fgetwc, (FILE* file), (file), STREAM(file), ) \
  X(wint_t, fputwc, (wchar_t c, FILE* file), (c, file), STREAM(file), ) \
  X(int, puts, (const char* s), (s), RS(s), ) \
  X(int, fputs, (const char* s, FILE* file), (s, file), STREAM(file); RS(s), ) \
  X(int, fputs_unlocked, (const char* s, FILE* file), (s, file), STREAM(file); RS(s), ) \
  X(size_t, fwrite, (const void* p, size_t each, size_t n, FILE* file), (p, each, n, file), STREAM(file); R(p, each * n), ) \
  X(size_t, fwrite_unlocked, (const void* p, size_t each, size_t n, FILE* file), (p, each, n, file), STREAM(file); R(p, each * n), ) \
  X(size_t, fread, (void* p, size_t each, size_t n, FILE* file), (p, each, n, file), STREAM(file), W(p, each * result)) \
  X(size_t, fread_unlocked, (void* p, size_t each, size_t n, FILE* file), (p, each, n, file), STREAM(file), W(p, each * result)) \
  X(char*, fgets, (char* s, int n, FILE* file), (s, n, file), STREAM(file), if (result != nullptr) WS(s)) \
  X(char*, fgets_unlocked, (char* s, int n, FILE* file), (s, n, file), STREAM(file), if (result != nullptr) WS(s)) \
  X(ssize_t, getline, (char** line, size_t* n, FILE* file), (line, n, file), STREAM(file); R(line, sizeof *line); R(n, sizeof *n), W(line, sizeof *line); W(n, sizeof *n); if (result >= 0) W(*line, static_cast<size_t>(result) + 1)) \
  X(ssize_t, getdelim, (char** line, size_t* n, int end, FILE* file), (line, n, end, file), STREAM(file); R(line, sizeof *line); R(n, sizeof *n), W(line, sizeof *line); W(n, sizeof *n); if (result >= 0) W(*line, static_cast<size_t>(result) + 1)) \
  X(ssize_t, __getdelim, (char** line, size_t* n, int end, FILE* file), (line, n, end, file), STREAM(file); R(line, sizeof *line); R(n, sizeof *n), W(line, sizeof *line); W(n, sizeof *n); if (result >= 0) W(*line, static_cast<size_t>(result) + 1)) \
  X(char*, __fgets_chk, (char* s, size_t room, int n, FILE* file), (s, room, n, file), STREAM(file), if (result != nullptr) WS(s)) \
  X(size_t, __fread_chk, (void* p, size_t room, size_t each, size_t n, FILE* file), (p, room, each, n, file), STREAM(file), W(p, each * result)) \
  X(int, fputws, (const wchar_t* s, FILE* file), (s, file), STREAM(file); RW(s), ) \
  X(wchar_t*, fgetws, (wchar_t* s, int n, FILE* file), (s, n, file), STREAM(file), if (result != nullptr) WW(s)) \
  X(int, fgetpos, (FILE* file, fpos_t* to), (file, to), STREAM(file), if (result == 0) W(to, sizeof *to)) \
  X(int, fsetpos, (FILE* file, const fpos_t* from), (file, from), STREAM(file); R(from, sizeof *from), ) \
  X(int, vprintf, (const char* f, va_list list), (f, list), R_FORMAT(f, list), ) \
  X(int, vfprintf, (FILE* file, const char* f, va_list list), (file, f, list), STREAM(file); R_FORMAT(f, list), ) \
  X(int, vdprintf, (int descriptor, const char* f, va_list list), (descriptor, f, list), R_FORMAT(f, list), ) \
  X(int, vsprintf, (char* to, const char* f, va_list list), (to, f, list), R_FORMAT(f, list), W(to, result >= 0 ? static_cast<size_t>(result) + 1 : 0)) \
  X(int, vsnprintf, (char* to, size_t n, const char* f, va_list list), (to, n, f, list), R_FORMAT(f, list), W(to, printed(result, n))) \
  X(int, vasprintf, (char** to, const char* f, va_list list), (to, f, list), R_FORMAT(f, list), W(to, sizeof *to)) \
  X(int, __vprintf_chk, (int flag, const char* f, va_list list), (flag, f, list), R_FORMAT(f, list), ) \
  X(int, __vfprintf_chk, (FILE* file, int flag, const char* f, va_list list), (file, flag, f, list), STREAM(file); R_FORMAT(f, list), ) \
  X(int, __vsprintf_chk, (char* to, int flag, size_t room, const char* f, va_list list), (to, flag, room, f, list), R_FORMAT(f, list), W(to, result >= 0 ? static_cast<size_t>(result) + 1 : 0)) \
  X(int, __vsnprintf_chk, (char* to, size_t n, int flag, size_t room, const char* f, va_list list), (to, n, flag, room, f, list), R_FORMAT(f, list), W(to, printed(result, n))) \
  X(int, __vdprintf_chk, (int descriptor, int flag, const char* f, va_list list), (descriptor, flag, f, list), R_FORMAT(f, list), ) \
  X(int, __vasprintf_chk, (char** to, int flag, const char* f, va_list list), (to, flag, f, list), R_FORMAT(f, list), W(to, sizeof *to)) \
  X(int, vwprintf, (const wchar_t* f, va_list list), (f, list), R_WIDE_FORMAT(f, list), ) \
  X(int, vfwprintf, (FILE* file, const wchar_t* f, va_list list), (file, f, list), STREAM(file); R_WIDE_FORMAT(f, list), ) \
  X(int, vswprintf, (wchar_t* to, size_t n, const wchar_t* f, va_list list), (to, n, f, list), R_WIDE_FORMAT(f, list), W(to, printed(result, n) * sizeof *to)) \
  X(int, __vswprintf_chk, (wchar_t* to, size_t n, int flag, size_t room, const wchar_t* f, va_list list), (to, n, flag, room, f, list), R_WIDE_FORMAT(f, list), W(to, printed(result, n) * sizeof *to)) \
  X(int, vswscanf, (const wchar_t* s, const wchar_t* f, va_list list), (s, f, list), RW(s); RW(f), W_WIDE_SCANNED(f, list, result)) \
  X(int, __isoc99_vswscanf, (const wchar_t* s, const wchar_t* f, va_list list), (s, f, list), RW(s); RW(f), W_WIDE_SCANNED(f, list, result)) \
  X(int, vscanf, (const char* f, va_list list), (f, list), RS(f), W_SCANNED(f, list, result)) \
  X(int, vfscanf, (FILE* file, const char* f, va_list list), (file, f, list), STREAM(file); RS(f), W_SCANNED(f, list, result)) \
  X(int, vsscanf, (const char* s, const char* f, va_list list), (s, f, list), RS(s); RS(f), W_SCANNED(f, list, result)) \
  X(int, __isoc99_vscanf, (const char* f, va_list list), (f, list), RS(f), W_SCANNED(f, list, result)) \
  X(int, __isoc99_vfscanf, (FILE* file, const char* f, va_list list), (file, f, list), STREAM(file); RS(f), W_SCANNED(f, list, result)) \
  X(int, __isoc99_vsscanf, (const char* s, const char* f, va_list list), (s, f, list), RS(s); RS(f), W_SCANNED(f, list, result)) \
  X(int, setvbuf, (FILE* file, char* buffer, int mode, size_t n), (file, buffer, mode, n), STREAM(file); W(buffer, n), ) \
  X(FILE*, fmemopen, (void* p, size_t n, const char* mode), (p, n, mode), RS(mode); if (p == nullptr || mode == nullptr) {} else if (*mode == 'r' && mode[1] == '\0') R(p, n); else W(p, n), ) \
  X(FILE*, open_memstream, (char** to, size_t* n), (to, n), W(to, sizeof *to); W(n, sizeof *n), ) \
  X(FILE*, open_wmemstream, (wchar_t** to, size_t* n), (to, n), W(to, sizeof *to); W(n, sizeof *n), ) \
  X(char*, tmpnam, (char* to), (to), , if (result != nullptr) WS(result)) \
  X(char*, ttyname, (int descriptor), (descriptor), , if (result != nullptr) WS(result)) \
  X(char*, ctermid, (char* to), (to), , if (result != nullptr) WS(result)) \
  X(int, remove, (const char* path), (path), RS(path), ) \
  X(int, rename, (const char* from, const char* to), (from, to), RS(from); RS(to), ) \
  /* files */ \
  X(int, unlink, (const char* path), (path), RS(path), ) \
  X(int, mkdir, (const char* path, mode_t mode), (path, mode), RS(path), ) \
  X(int, rmdir, (const char* path), (path), RS(path), ) \
  X(char*, realpath, (const char* path, char* to), (path, to), RS(path), if (result != nullptr && result == to) WS(to)) \
  X(int, access, (const char* path, int mode), (path, mode), RS(path), ) \
  X(int, faccessat, (int at, const char* path, int mode, int flags), (at, path, mode, flags), RS(path), ) \
  X(int, chmod, (const char* path, mode_t mode), (path, mode), RS(path), ) \
  X(int, link, (const char* from, const char* to), (from, to), RS(from); RS(to), ) \
  X(int, symlink, (const char* from, const char* to), (from, to), RS(from); RS(to), ) \
  X(int, truncate, (const char* path, off_t n), (path, n), RS(path), ) \
  X(int, mkfifo, (const char* path, mode_t mode), (path, mode), RS(path), ) \
  X(int, unlinkat, (int at, const char* path, int flags), (at, path, flags), RS(path), ) \
  X(int, mkdirat, (int at, const char* path, mode_t mode), (at, path, mode), RS(path), ) \
  X(int, renameat, (int at, const char* from, int to_at, const char* to), (at, from, to_at, to), RS(from); RS(to), ) \
  X(char*, mkdtemp, (char* path), (path), RS(path), if (result != nullptr) WS(path)) \
  X(char*, dirname, (char* path), (path), RS(path), ) \
  X(char*, __xpg_basename, (char* path), (path), RS(path), ) \
  X(char*, basename, (const char* path), (path), RS(path), ) \
  X(int, closedir, (DIR* directory), (directory), CLOSES(directory), ) \
  X(dirent64*, readdir64, (DIR* directory), (directory), STREAM(directory), if (result != nullptr) W(result, result->d_reclen)) \
  X(dirent*, readdir, (DIR* directory), (directory), STREAM(directory), if (result != nullptr) W(result, result->d_reclen)) \
  X(int, glob, (const char* pattern, int flags, int (*error)(const char*, int), glob_t* to), (pattern, flags, error, to), RS(pattern), W(to, sizeof *to)) \
  X(int, fnmatch, (const char* pattern, const char* s, int flags), (pattern, s, flags), RS(pattern); RS(s), ) \
  X(char*, __realpath_chk, (const char* path, char* to, size_t room), (path, to, room), RS(path), if (result != nullptr && result == to) WS(to)) \
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
  X(tm*, localtime, (const time_t* time), (time), R(time, sizeof *time), W(result, sizeof *result)) \
  X(tm*, gmtime, (const time_t* time), (time), R(time, sizeof *time), W(result, sizeof *result)) \
  X(char*, asctime, (const tm* time), (time), R(time, sizeof *time), if (result != nullptr) WS(result)) \
  X(char*, ctime, (const time_t* time), (time), R(time, sizeof *time), if (result != nullptr) WS(result)) \
  X(size_t, wcsftime, (wchar_t* to, size_t n, const wchar_t* f, const tm* time), (to, n, f, time), RW(f); R(time, sizeof *time), if (result != 0) W(to, (result + 1) * sizeof *to)) \
  X(int, ftime, (timeb* to), (to), W(to, sizeof *to), ) \
  X(int, clock_getcpuclockid, (pid_t process, clockid_t* to), (process, to), , if (result == 0) W(to, sizeof *to)) \
  X(int, clock_getres, (clockid_t clock, timespec* to), (clock, to), , if (result == 0) W(to, sizeof *to)) \
  /* networks */ \
  X(const char*, inet_ntop, (int family, const void* from, char* to, socklen_t n), (family, from, to, n), R(from, address_bytes(family)), if (result != nullptr) WS(to)) \
  X(int, inet_pton, (int family, const char* from, void* to), (family, from, to), RS(from), if (result == 1) W(to, address_bytes(family))) \
  X(int, inet_aton, (const char* from, in_addr* to), (from, to), RS(from), if (result != 0) W(to, sizeof *to)) \
  X(in_addr_t, inet_addr, (const char* from), (from), RS(from), ) \
  X(int, setsockopt, (int descriptor, int level, int option, const void* p, socklen_t n), (descriptor, level, option, p, n), USES(descriptor); R(p, n), ) \
  X(int, connect, (int descriptor, const sockaddr* address, socklen_t n), (descriptor, address, n), USES(descriptor); R(address, n), ) \
  X(int, bind, (int descriptor, const sockaddr* address, socklen_t n), (descriptor, address, n), USES(descriptor); R(address, n), ) \
  /* patterns, character sets, sorted trees, sets of signals */ \
  X(int, regcomp, (regex_t* to, const char* pattern, int flags), (to, pattern, flags), RS(pattern), W(to, sizeof *to)) \
  X(int, regexec, (const regex_t* of, const char* s, size_t n, regmatch_t* to, int flags), (of, s, n, to, flags), R(of, sizeof *of); RS(s), if (result == 0) W(to, n * sizeof *to)) \
  X(size_t, regerror, (int error, const regex_t* of, char* to, size_t n), (error, of, to, n), R(of, of == nullptr ? 0 : sizeof *of), W(to, result < n ? result : n)) \
  X(size_t, iconv, (iconv_t set, char** from, size_t* left, char** to, size_t* room), (set, from, left, to, room), R(from, sizeof *from); R(left, sizeof *left); R(to, sizeof *to); R(room, sizeof *room); const Converted was(from, to), R(was.from, was.read(from)); W(was.to, was.written(to)); W(from, sizeof *from); W(left, sizeof *left); W(to, sizeof *to); W(room, sizeof *room)) \
  X(void*, tsearch, (const void* key, void** root, int (*compare)(const void*, const void*)), (key, root, compare), R(root, sizeof *root); W(root, sizeof *root), ) \
  X(void*, tfind, (const void* key, void* const* root, int (*compare)(const void*, const void*)), (key, root, compare), R(root, sizeof *root), ) \
  X(void*, tdelete, (const void* key, void** root, int (*compare)(const void*, const void*)), (key, root, compare), R(root, sizeof *root); W(root, sizeof *root), ) \
  X(void*, lsearch, (const void* key, void* p, size_t* n, size_t each, int (*compare)(const void*, const void*)), (key, p, n, each, compare), R(n, sizeof *n); R(key, each), W(n, sizeof *n); if (result != nullptr) R(result, each)) \
  X(int, sigemptyset, (sigset_t* set), (set), W(set, sizeof *set), ) \
  X(int, sigfillset, (sigset_t* set), (set), W(set, sizeof *set), ) \
  X(int, sigaddset, (sigset_t* set, int signal), (set, signal), R(set, sizeof *set); W(set, sizeof *set), ) \
  X(int, sigdelset, (sigset_t* set, int signal), (set, signal), R(set, sizeof *set); W(set, sizeof *set), ) \
  X(int, sigandset, (sigset_t* to, const sigset_t* a, const sigset_t* b), (to, a, b), R(a, sizeof *a); R(b, sizeof *b); W(to, sizeof *to), ) \
  X(int, sigorset, (sigset_t* to, const sigset_t* a, const sigset_t* b), (to, a, b), R(a, sizeof *a); R(b, sizeof *b); W(to, sizeof *to), ) \
  X(int, hcreate, (size_t n), (n), STATE(hashed), ) \
  X(ENTRY*, hsearch, (ENTRY entry, ACTION action), (entry, action), STATE(hashed), ) \
  X(int, sigismember, (const sigset_t* set, int signal), (set, signal), R(set, sizeof *set), ) \
  X(int, getloadavg, (double* to, int n), (to, n), , if (result > 0) W(to, static_cast<size_t>(result) * sizeof *to)) \
  X(int, backtrace, (void** to, int n), (to, n), , if (result > 0) W(to, static_cast<size_t>(result) * sizeof *to)) \
  /* the environment, as a whole */ \
  X(char*, getenv, (const char* name), (name), RS(name); R(&environ, sizeof environ), ) \
  X(char*, secure_getenv, (const char* name), (name), RS(name); R(&environ, sizeof environ), ) \
  X(int, setenv, (const char* name, const char* to, int over), (name, to, over), RS(name); RS(to); W(&environ, sizeof environ), ) \
  X(int, unsetenv, (const char* name), (name), RS(name); W(&environ, sizeof environ), ) \
  X(int, putenv, (char* text), (text), RS(text); W(&environ, sizeof environ), ) \
  X(int, clearenv, (), (), W(&environ, sizeof environ), )

// The same for searches, which read as far as their result says and change nothing: where accesses are steps, they look
// again after these, since what they find may be another place by then.
#define HEDDLE_LIBRARY_SEARCHES(X) \
  X(void*, memchr, (const void* p, int c, size_t n), (p, c, n), , R(p, up_to(p, result, n))) \
  X(void*, rawmemchr, (const void* p, int c), (p, c), , R(p, up_to(p, result, 0))) \
  X(size_t, strlen, (const char* s), (s), , R(s, result + 1)) \
  X(size_t, strnlen, (const char* s, size_t n), (s, n), , R(s, result < n ? result + 1 : n)) \
  X(char*, strchr, (const char* s, int c), (s, c), , if (result != nullptr) R(s, up_to(s, result, 0)); else RS(s)) \
  X(char*, strchrnul, (const char* s, int c), (s, c), , R(s, up_to(s, result, 0))) \
  X(char*, index, (const char* s, int c), (s, c), , if (result != nullptr) R(s, up_to(s, result, 0)); else RS(s)) \
  X(size_t, strspn, (const char* s, const char* t), (s, t), RS(t), R(s, result + 1)) \
  X(size_t, strcspn, (const char* s, const char* t), (s, t), RS(t), R(s, result + 1)) \
  X(char*, strpbrk, (const char* s, const char* t), (s, t), RS(t), if (result != nullptr) R(s, up_to(s, result, 0)); else RS(s)) \
  X(size_t, wcslen, (const wchar_t* s), (s), , R(s, (result + 1) * sizeof *s)) \
  X(size_t, wcsnlen, (const wchar_t* s, size_t n), (s, n), , R(s, (result < n ? result + 1 : n) * sizeof *s)) \
  X(wchar_t*, wmemchr, (const wchar_t* s, wchar_t c, size_t n), (s, c, n), , R(s, up_to(s, result, n * sizeof *s)))

// The same for functions that return nothing.
#define HEDDLE_LIBRARY_PROCEDURES(X) \
  X(bzero, (void* to, size_t n), (to, n), W(to, n), ) \
  X(explicit_bzero, (void* to, size_t n), (to, n), W(to, n), ) \
  X(__explicit_bzero_chk, (void* to, size_t n, size_t room), (to, n, room), W(to, n), ) \
  X(regfree, (regex_t* of), (of), W(of, sizeof *of), ) \
  X(swab, (const void* from, void* to, ssize_t n), (from, to, n), R(from, static_cast<size_t>(n > 0 ? n : 0)); W(to, static_cast<size_t>(n > 0 ? n : 0)), ) \
  X(qsort, (void* p, size_t n, size_t each, int (*compare)(const void*, const void*)), (p, n, each, compare), R(p, n * each); W(p, n * each), ) \
  X(qsort_r, (void* p, size_t n, size_t each, int (*compare)(const void*, const void*, void*), void* argument), (p, n, each, compare, argument), R(p, n * each); W(p, n * each), ) \
  X(perror, (const char* s), (s), RS(s), ) \
  X(rewind, (FILE* file), (file), STREAM(file), ) \
  X(clearerr, (FILE* file), (file), STREAM(file), ) \
  X(setbuf, (FILE* file, char* buffer), (file, buffer), STREAM(file); W(buffer, BUFSIZ), ) \
  X(setbuffer, (FILE* file, char* buffer, size_t n), (file, buffer, n), STREAM(file); W(buffer, n), ) \
  X(setlinebuf, (FILE* file), (file), STREAM(file), ) \
  X(hdestroy, (), (), STATE(hashed), ) \
  X(insque, (void* element, void* before), (element, before), W(element, sizeof(Linked)); if (before != nullptr) { W(next_of(before), sizeof(void*)); W(previous_of(linked(before).next), sizeof(void*)); }, ) \
  X(remque, (void* element), (element), R(element, sizeof(Linked)); W(next_of(linked(element).previous), sizeof(void*)); W(previous_of(linked(element).next), sizeof(void*)), ) \
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
  X(__dprintf_chk, __vdprintf_chk, (int descriptor, int flag), (descriptor, flag)) \
  X(__asprintf_chk, __vasprintf_chk, (char** to, int flag), (to, flag)) \
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

// The same with wide formats.
#define HEDDLE_LIBRARY_WIDE_FORMATS(X) \
  X(wprintf, vwprintf, (), ()) \
  X(fwprintf, vfwprintf, (FILE* file), (file)) \
  X(swprintf, vswprintf, (wchar_t* to, size_t n), (to, n)) \
  X(__swprintf_chk, __vswprintf_chk, (wchar_t* to, size_t n, int flag, size_t room), (to, n, flag, room)) \
  X(swscanf, vswscanf, (const wchar_t* s), (s)) \
  X(__isoc99_swscanf, __isoc99_vswscanf, (const wchar_t* s), (s))

// Copies, fills and comparisons, which do it all themselves: where accesses are steps, what was read first is kept
// until the rest is done (runtime/intercepts/library_copies.cc).
#define HEDDLE_LIBRARY_COPIES(X) \
  X(memcmp) X(bcmp) X(memcpy) X(memmove) X(mempcpy) X(__mempcpy) X(memset) X(bcopy) \
  X(strcpy) X(stpcpy) X(__stpcpy) X(strncpy) X(stpncpy) X(strcat) X(strncat) \
  X(__memcpy_chk) X(__memmove_chk) X(__mempcpy_chk) X(__memset_chk) \
  X(__strcpy_chk) X(__stpcpy_chk) X(__strncpy_chk) X(__stpncpy_chk) X(__strcat_chk) X(__strncat_chk)

// What functions that are passed on (HEDDLE_PASSED_FUNCTIONS) read and write, by the numbers of their arguments:
//
//   X(name, accesses)    with R(a, n), W(a, n), RS(a), RW_STRING(a) for a string that is read and written, and
//                        NUMBER(a), SIZE_AT(a): an argument, or the size that one points to;
//                        CLOSES_STREAM(a): a race with who uses the stream
//
// All is told before the call, as if it succeeded.
#define HEDDLE_PASSED_ACCESSES(X) \
  X(statvfs64, RS(0); W(1, sizeof(struct statvfs64))) \
  X(fstatvfs64, W(1, sizeof(struct statvfs64))) \
  X(statfs64, RS(0); W(1, sizeof(struct statfs64))) \
  X(fstatfs64, W(1, sizeof(struct statfs64))) \
  X(statvfs, RS(0); W(1, sizeof(struct statvfs))) \
  X(fstatvfs, W(1, sizeof(struct statvfs))) \
  X(fstatfs, W(1, sizeof(struct statfs))) \
  X(statx, RS(1); W(4, sizeof(struct statx))) \
  X(readlinkat, RS(1); W(2, NUMBER(3))) \
  X(sched_getaffinity, W(2, NUMBER(1))) \
  X(pthread_getaffinity_np, W(2, NUMBER(1))) \
  X(sched_setaffinity, R(2, NUMBER(1))) \
  X(pthread_setaffinity_np, R(2, NUMBER(1))) \
  X(sched_getparam, W(1, sizeof(sched_param))) \
  X(getresuid, W(0, sizeof(uid_t)); W(1, sizeof(uid_t)); W(2, sizeof(uid_t))) \
  X(getresgid, W(0, sizeof(gid_t)); W(1, sizeof(gid_t)); W(2, sizeof(gid_t))) \
  X(getgroups, W(1, NUMBER(0) * sizeof(gid_t))) \
  X(getitimer, W(1, sizeof(itimerval))) \
  X(sigpending, W(0, sizeof(sigset_t))) \
  X(timerfd_gettime, W(1, sizeof(itimerspec))) \
  X(timerfd_settime, R(2, sizeof(itimerspec)); W(3, sizeof(itimerspec))) \
  X(tcgetattr, W(1, sizeof(termios))) \
  X(getxattr, RS(0); RS(1); W(2, NUMBER(3))) \
  X(ttyname_r, W(1, NUMBER(2))) \
  X(getlogin_r, W(0, NUMBER(1))) \
  X(recvmmsg, R(1, NUMBER(2) * sizeof(mmsghdr)); W(1, NUMBER(2) * sizeof(mmsghdr))) \
  X(sendmmsg, R(1, NUMBER(2) * sizeof(mmsghdr))) \
  X(gethostbyname, RS(0); STATE(hosts)) \
  X(getservbyname, RS(0); RS(1); STATE(services)) \
  X(getpwnam, RS(0); STATE(users)) \
  X(getpwuid, STATE(users)) \
  X(getgrnam, RS(0); STATE(groups)) \
  X(getgrgid, STATE(groups)) \
  X(stat, RS(0); W(1, sizeof(struct stat))) \
  X(lstat, RS(0); W(1, sizeof(struct stat))) \
  X(fstat, W(1, sizeof(struct stat))) \
  X(stat64, RS(0); W(1, sizeof(struct stat))) \
  X(lstat64, RS(0); W(1, sizeof(struct stat))) \
  X(fstat64, W(1, sizeof(struct stat))) \
  X(fstatat, RS(1); W(2, sizeof(struct stat))) \
  X(statfs, RS(0); W(1, sizeof(struct statfs))) \
  X(getrlimit, W(1, sizeof(rlimit))) \
  X(getrusage, W(1, sizeof(rusage))) \
  X(uname, W(0, sizeof(utsname))) \
  X(readlink, RS(0); W(1, NUMBER(2))) \
  X(__readlink_chk, RS(0); W(1, NUMBER(2))) \
  X(getcwd, W(0, NUMBER(1))) \
  X(__getcwd_chk, W(0, NUMBER(1))) \
  X(gethostname, W(0, NUMBER(1))) \
  X(__gethostname_chk, W(0, NUMBER(1))) \
  X(getsockname, R(2, sizeof(socklen_t)); W(1, SIZE_AT(2)); W(2, sizeof(socklen_t))) \
  X(getpeername, R(2, sizeof(socklen_t)); W(1, SIZE_AT(2)); W(2, sizeof(socklen_t))) \
  X(getsockopt, R(4, sizeof(socklen_t)); W(3, SIZE_AT(4)); W(4, sizeof(socklen_t))) \
  X(accept, W(1, SIZE_AT(2))) \
  X(accept4, W(1, SIZE_AT(2))) \
  X(times, W(0, sizeof(tms))) \
  X(sysinfo, W(0, sizeof(struct sysinfo))) \
  X(waitpid, W(1, sizeof(int))) \
  X(wait, W(0, sizeof(int))) \
  X(fclose, CLOSES_STREAM(0)) \
  X(chdir, RS(0)) \
  X(creat, RS(0)) \
  X(creat64, RS(0)) \
  X(freopen, RS(0); RS(1)) \
  X(freopen64, RS(0); RS(1)) \
  X(opendir, RS(0)) \
  X(mkstemp, RW_STRING(0)) \
  X(mkstemp64, RW_STRING(0)) \
  X(mkostemp, RW_STRING(0)) \
  X(mkostemp64, RW_STRING(0)) \
  X(shm_open, RS(0)) \
  X(mq_open, RS(0)) \
  X(memfd_create, RS(0)) \
  X(dlopen, RS(0)) \
  X(setlocale, RS(1)) \
  X(newlocale, RS(1)) \
  X(iconv_open, RS(0); RS(1)) \
  X(getaddrinfo, RS(0); RS(1); R(2, sizeof(addrinfo)); W(3, sizeof(void*))) \
  X(getpwnam_r, RS(0); W(1, sizeof(passwd)); W(4, sizeof(void*))) \
  X(getpwuid_r, W(1, sizeof(passwd)); W(4, sizeof(void*))) \
  X(getgrnam_r, RS(0); W(1, sizeof(group)); W(4, sizeof(void*))) \
  X(getgrgid_r, W(1, sizeof(group)); W(4, sizeof(void*)))
// clang-format on
