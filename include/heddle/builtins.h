/* Block operations as calls, for programs compiled by "heddle cc" with gcc; not for use by hand.
 *
 * gcc expands a copy or a fill in place where it knows the length, and then nothing tells that
 * memory is read or written. For calls by their usual names the compiler wrapper switches that off
 * (-fno-builtin-memcpy and the like); what is called by gcc's own names, as libstdc++ and the
 * checking macros of _FORTIFY_SOURCE do, is turned into the same calls here. Comparisons and
 * searches may stand in constant expressions, where they stay what they are. */
#ifndef HEDDLE_BUILTINS_H_
#define HEDDLE_BUILTINS_H_
#if defined(__GNUC__) && !defined(__clang__) && !defined(__ASSEMBLER__)
#pragma GCC system_header /* warnings about what the macros become would help nobody */

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_CALL(result, name, ...) \
  extern __attribute__((__nothrow__)) result __heddle_##name(__VA_ARGS__) __asm__(#name);
/* clang-format off */
HEDDLE_CALL(void*, memcpy, void*, const void*, __SIZE_TYPE__)
HEDDLE_CALL(void*, memmove, void*, const void*, __SIZE_TYPE__)
HEDDLE_CALL(void*, mempcpy, void*, const void*, __SIZE_TYPE__)
HEDDLE_CALL(void*, memset, void*, int, __SIZE_TYPE__)
HEDDLE_CALL(void, bcopy, const void*, void*, __SIZE_TYPE__)
HEDDLE_CALL(void, bzero, void*, __SIZE_TYPE__)
HEDDLE_CALL(char*, strcpy, char*, const char*)
HEDDLE_CALL(char*, stpcpy, char*, const char*)
HEDDLE_CALL(char*, strncpy, char*, const char*, __SIZE_TYPE__)
HEDDLE_CALL(char*, stpncpy, char*, const char*, __SIZE_TYPE__)
HEDDLE_CALL(char*, strcat, char*, const char*)
HEDDLE_CALL(char*, strncat, char*, const char*, __SIZE_TYPE__)
HEDDLE_CALL(int, sprintf, char*, const char*, ...)
HEDDLE_CALL(int, snprintf, char*, __SIZE_TYPE__, const char*, ...)
HEDDLE_CALL(int, vsprintf, char*, const char*, __builtin_va_list)
HEDDLE_CALL(int, vsnprintf, char*, __SIZE_TYPE__, const char*, __builtin_va_list)
HEDDLE_CALL(void*, __memcpy_chk, void*, const void*, __SIZE_TYPE__, __SIZE_TYPE__)
HEDDLE_CALL(void*, __memmove_chk, void*, const void*, __SIZE_TYPE__, __SIZE_TYPE__)
HEDDLE_CALL(void*, __mempcpy_chk, void*, const void*, __SIZE_TYPE__, __SIZE_TYPE__)
HEDDLE_CALL(void*, __memset_chk, void*, int, __SIZE_TYPE__, __SIZE_TYPE__)
HEDDLE_CALL(char*, __strcpy_chk, char*, const char*, __SIZE_TYPE__)
HEDDLE_CALL(char*, __stpcpy_chk, char*, const char*, __SIZE_TYPE__)
HEDDLE_CALL(char*, __strncpy_chk, char*, const char*, __SIZE_TYPE__, __SIZE_TYPE__)
HEDDLE_CALL(char*, __stpncpy_chk, char*, const char*, __SIZE_TYPE__, __SIZE_TYPE__)
HEDDLE_CALL(char*, __strcat_chk, char*, const char*, __SIZE_TYPE__)
HEDDLE_CALL(char*, __strncat_chk, char*, const char*, __SIZE_TYPE__, __SIZE_TYPE__)
HEDDLE_CALL(int, __sprintf_chk, char*, int, __SIZE_TYPE__, const char*, ...)
HEDDLE_CALL(int, __snprintf_chk, char*, __SIZE_TYPE__, int, __SIZE_TYPE__, const char*, ...)
HEDDLE_CALL(int, __vsprintf_chk, char*, int, __SIZE_TYPE__, const char*, __builtin_va_list)
HEDDLE_CALL(int, __vsnprintf_chk, char*, __SIZE_TYPE__, int, __SIZE_TYPE__, const char*, __builtin_va_list)
HEDDLE_CALL(int, memcmp, const void*, const void*, __SIZE_TYPE__)
HEDDLE_CALL(int, bcmp, const void*, const void*, __SIZE_TYPE__)
HEDDLE_CALL(int, strcmp, const char*, const char*)
HEDDLE_CALL(int, strncmp, const char*, const char*, __SIZE_TYPE__)
HEDDLE_CALL(void*, memchr, const void*, int, __SIZE_TYPE__)
/* clang-format on */
#undef HEDDLE_CALL

#ifdef __cplusplus
}
#define HEDDLE_UNLESS_CONSTANT(name, ...) \
  (__builtin_is_constant_evaluated() ? __builtin_##name(__VA_ARGS__) : __heddle_##name(__VA_ARGS__))
#else
#define HEDDLE_UNLESS_CONSTANT(name, ...) __heddle_##name(__VA_ARGS__)
#endif

#define __builtin_memcpy(...) __heddle_memcpy(__VA_ARGS__)
#define __builtin_memmove(...) __heddle_memmove(__VA_ARGS__)
#define __builtin_mempcpy(...) __heddle_mempcpy(__VA_ARGS__)
#define __builtin_memset(...) __heddle_memset(__VA_ARGS__)
#define __builtin_bcopy(...) __heddle_bcopy(__VA_ARGS__)
#define __builtin_bzero(...) __heddle_bzero(__VA_ARGS__)
#define __builtin_strcpy(...) __heddle_strcpy(__VA_ARGS__)
#define __builtin_stpcpy(...) __heddle_stpcpy(__VA_ARGS__)
#define __builtin_strncpy(...) __heddle_strncpy(__VA_ARGS__)
#define __builtin_stpncpy(...) __heddle_stpncpy(__VA_ARGS__)
#define __builtin_strcat(...) __heddle_strcat(__VA_ARGS__)
#define __builtin_strncat(...) __heddle_strncat(__VA_ARGS__)
#define __builtin_sprintf(...) __heddle_sprintf(__VA_ARGS__)
#define __builtin_snprintf(...) __heddle_snprintf(__VA_ARGS__)
#define __builtin_vsprintf(...) __heddle_vsprintf(__VA_ARGS__)
#define __builtin_vsnprintf(...) __heddle_vsnprintf(__VA_ARGS__)
#define __builtin___memcpy_chk(...) __heddle___memcpy_chk(__VA_ARGS__)
#define __builtin___memmove_chk(...) __heddle___memmove_chk(__VA_ARGS__)
#define __builtin___mempcpy_chk(...) __heddle___mempcpy_chk(__VA_ARGS__)
#define __builtin___memset_chk(...) __heddle___memset_chk(__VA_ARGS__)
#define __builtin___strcpy_chk(...) __heddle___strcpy_chk(__VA_ARGS__)
#define __builtin___stpcpy_chk(...) __heddle___stpcpy_chk(__VA_ARGS__)
#define __builtin___strncpy_chk(...) __heddle___strncpy_chk(__VA_ARGS__)
#define __builtin___stpncpy_chk(...) __heddle___stpncpy_chk(__VA_ARGS__)
#define __builtin___strcat_chk(...) __heddle___strcat_chk(__VA_ARGS__)
#define __builtin___strncat_chk(...) __heddle___strncat_chk(__VA_ARGS__)
#define __builtin___sprintf_chk(...) __heddle___sprintf_chk(__VA_ARGS__)
#define __builtin___snprintf_chk(...) __heddle___snprintf_chk(__VA_ARGS__)
#define __builtin___vsprintf_chk(...) __heddle___vsprintf_chk(__VA_ARGS__)
#define __builtin___vsnprintf_chk(...) __heddle___vsnprintf_chk(__VA_ARGS__)
#define __builtin_memcmp(...) HEDDLE_UNLESS_CONSTANT(memcmp, __VA_ARGS__)
#define __builtin_bcmp(...) HEDDLE_UNLESS_CONSTANT(bcmp, __VA_ARGS__)
#define __builtin_strcmp(...) HEDDLE_UNLESS_CONSTANT(strcmp, __VA_ARGS__)
#define __builtin_strncmp(...) HEDDLE_UNLESS_CONSTANT(strncmp, __VA_ARGS__)
#define __builtin_memchr(...) HEDDLE_UNLESS_CONSTANT(memchr, __VA_ARGS__)

#endif
#endif
