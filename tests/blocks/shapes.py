"""Forms in which C and C++ access memory, for shapes_test.py: a row for each."""
SIZES = (1, 3, 8, 12, 16, 17, 24, 40, 100, 300)

# Name, type of the object, what a thread does to the object at `p`, whether that reads or writes, and a byte that it
# touches (the last one, unless told).
BY_VALUE = [  # for each size, as N
    ("pass", "struct SN", "useN(*p)", "r"),
    ("pass_by_pointer", "struct SN", "use_pointerN(*p)", "r"),
    ("pass_after_comma", "struct SN", "useN((value++, *p))", "r"),
    ("return_to", "struct SN", "*p = makeN()", "w"),
    ("return_by_pointer", "struct SN", "*p = make_pointerN()", "w"),
    ("return_from", "struct SN", "struct SN local = giveN(p); keep(&local)", "r"),
    ("choose", "struct SN", "struct SN local = value ? *p : zeroN; keep(&local)", "r"),
    ("chain", "struct SN", "struct SN local; local = *p = zeroN; keep(&local)", "w"),
    ("variable_length", "struct SN", "int k = N; char local[k]; memcpy(local, p, k); keep(local)", "r"),
    ("element", "struct SN", "struct SN (*q)[3] = (struct SN (*)[3])p; (*q)[0] = zeroN", "w"),
]
SINGLE = [
    ("bits_read", "struct Bits", "sink += p->b", "r", 0),
    ("bits_write", "struct Bits", "p->b = value", "w", 0),
    ("bits_increment", "struct Bits", "p->c++", "w", 2),
    ("bits_long", "struct Bits", "p->d = value", "w", 8),
    ("packed_read", "struct Packed", "sink += p->i", "r", 4),
    ("packed_write", "struct Packed", "p->l = value", "w", 12),
    ("int128_read", "__int128", "sink += (int)(*p >> 64)", "r"),
    ("int128_increment", "__int128", "*p += value", "w"),
    ("long_double_read", "long double", "sink += *p > 1", "r", 9),
    ("long_double_write", "long double", "*p = value", "w", 9),
    ("complex_write", "_Complex double", "*p = value", "w"),
    ("complex_imaginary", "_Complex double", "__imag__ *p = value", "w"),
    ("complex_long", "_Complex long double", "*p = value", "w", 25),
    ("vector_read", "Vector16", "Vector16 local = *p; keep(&local)", "r"),
    ("vector_element", "Vector16", "(*p)[3] = value", "w"),
    ("vector_32", "Vector32", "*p = zero_vector + value", "w"),
    ("union", "union Union", "union Union local = *p; keep(&local)", "r"),
    ("volatile", "int", "*(volatile int*)p = 1", "w"),
    ("switch", "int", "switch (*p) { case 1: value++; break; case 2: value--; }", "r"),
    ("overflow_builtin", "int", "sink += __builtin_add_overflow(value, 3, p)", "w"),
    ("frexp", "int", "sink += __builtin_frexpl(value, p) > 3", "w"),
    ("modf", "long double", "sink += __builtin_modfl(value, p) > 3", "w", 9),
    ("stream_32", "int", "_mm_stream_si32(p, value)", "w"),
    ("stream_128", "__m128i", "_mm_stream_si128(p, _mm_set1_epi8(value))", "w"),
    ("stream_floats", "__m128", "_mm_stream_ps((float*)p, _mm_set1_ps(value))", "w"),
    ("store_unaligned", "__m128i", "_mm_storeu_si128(p, _mm_set1_epi8(value))", "w"),
    ("store_low", "__m128i", "_mm_storel_epi64(p, _mm_set1_epi8(value))", "w", 7),
    ("store_high", "long long", "_mm_storeh_pi((__m64*)p, _mm_set1_ps(1))", "w"),
    ("load_high", "double", "__m128d local = _mm_loadh_pd(_mm_set1_pd(1), p); keep(&local)", "r"),
    ("unaligned_write", "struct S12", "*(UnalignedInt*)(p->c + 5) = value", "w", 8),
    ("atomic_any_size", "struct S3", "__atomic_store(p, &zero3, 5)", "w"),
    ("atomic_structure", "struct S24", "struct S24 local; __atomic_exchange(p, &zero24, &local, 5); keep(&local)", "w"),
    ("atomic_source", "struct S24", "__atomic_store(&atomic24, p, 5)", "r"),
    ("atomic_target", "struct S24", "__atomic_load(&atomic24, p, 5)", "w"),
    ("atomic_expected", "int", "__atomic_compare_exchange_n(&atomic, p, 4, 0, 5, 5)", "w"),
    ("loop_copy", "struct S100", "for (int i = 0; i < 100; i++) p->c[i] = zero100.c[i]", "w"),
    ("loop_sum", "struct S100", "for (int i = 0; i < 100; i++) sink += p->c[i]", "r"),
]
OF_CXX = [
    ("swap", "S24", "S24 local{}; std::swap(*p, local); keep(&local)", "w"),
    ("capture", "S24", "auto f = [local = *p]() { keep((void*)&local); }; f()", "r"),
    ("placed", "S40", "new (p) S40(zero40)", "w"),
    ("thrown", "S24", "try { throw *p; } catch (S24& e) { keep(&e); }", "r"),
    ("throwing_result", "S24", "try { *p = make_or_throw(); } catch (int) { value++; }", "w"),
    ("member_function", "MemberFunction", "*p = &Object::function", "w", 0),
    ("std_array", "std::array<int, 9>", "*p = std::array<int, 9>{}", "w"),
    ("std_equal", "S24", "sink += std::equal(p->c, p->c + 24, zero24.c)", "r"),
    ("std_atomic", "std::atomic<S24>", "p->store(zero24)", "w"),
    ("std_vector", "S24", "std::vector<S24> v; v.push_back(*p); keep(v.data())", "r"),
]

HEAD = r"""
#include <immintrin.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <heddle/heddle.h>
#ifdef __cplusplus
#include <algorithm>
#include <array>
#include <atomic>
#include <vector>
#endif
#define APART __attribute__((noipa))
static int value = 5, sink, atomic;
static char sink_byte, *volatile kept;
typedef int Vector16 __attribute__((vector_size(16)));
typedef int Vector32 __attribute__((vector_size(32)));
static Vector32 zero_vector;
typedef int __attribute__((aligned(1), may_alias)) UnalignedInt;
struct Bits { unsigned a : 3, b : 5, c : 20; long long d : 37; };
struct __attribute__((packed)) Packed { char c; int i; long l; };
union Union { double d; short s[4]; };
APART static void keep(void *p) { kept = (char*)p; }
"""
OF_SIZE = r"""
struct SN { char c[N]; };
static struct SN zeroN;
APART static void useN(struct SN s) { keep(&s); }
APART static struct SN makeN(void) { struct SN s; memset(&s, 0, N); return s; }
APART static struct SN giveN(struct SN *s) { return *s; }
static void (*volatile use_pointerN)(struct SN) = useN;
static struct SN (*volatile make_pointerN)(void) = makeN;
"""
TAIL = r"""
static struct S24 atomic24;
#ifdef __cplusplus
struct Object { int function() { return 0; } };
typedef int (Object::*MemberFunction)();
APART static S24 make_or_throw() { if (value > 99) throw 1; return S24{}; }
#endif
"""


def shapes(cxx):
    """(name, type, statement, kind, byte or None)"""
    rows = [(f"{name}_{n}", kind.replace("SN", f"S{n}"), text.replace("N", str(n)), does, None)
            for name, kind, text, does in BY_VALUE for n in SIZES]
    rows += [(*row, None)[:5] for row in SINGLE + (OF_CXX if cxx else [])]
    return rows


def head():
    return HEAD + "".join(OF_SIZE.replace("N", str(n)) for n in SIZES) + TAIL
