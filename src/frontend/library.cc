#include "frontend/library.h"

#include <llvm/IR/Module.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace heddle::frontend {
namespace {

constexpr std::string_view kHead = R"(
typedef unsigned long size_t;
typedef unsigned char byte;
)";

constexpr std::string_view kLengths = R"(
size_t strlen(const char* s) {
  size_t n = 0;
  while (s[n] != 0) ++n;
  return n;
}
size_t strnlen(const char* s, size_t most) {
  size_t n = 0;
  while (n < most && s[n] != 0) ++n;
  return n;
}
)";

constexpr std::string_view kComparisons = R"(
int strcmp(const char* a, const char* b) {
  for (size_t i = 0;; ++i)
    if (a[i] != b[i] || a[i] == 0) return (byte)a[i] - (byte)b[i];
}
int strncmp(const char* a, const char* b, size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (a[i] != b[i] || a[i] == 0) return (byte)a[i] - (byte)b[i];
  return 0;
}
int memcmp(const void* left, const void* right, size_t n) {
  const byte *a = left, *b = right;
  for (size_t i = 0; i < n; ++i)
    if (a[i] != b[i]) return a[i] - b[i];
  return 0;
}
)";

constexpr std::string_view kCopies = R"(
char* strcpy(char* to, const char* from) {
  size_t i = 0;
  for (; from[i] != 0; ++i) to[i] = from[i];
  to[i] = 0;
  return to;
}
char* stpcpy(char* to, const char* from) {
  size_t i = 0;
  for (; from[i] != 0; ++i) to[i] = from[i];
  to[i] = 0;
  return to + i;
}
char* strncpy(char* to, const char* from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i] != 0; ++i) to[i] = from[i];
  for (; i < n; ++i) to[i] = 0;
  return to;
}
char* strcat(char* to, const char* from) {
  size_t end = 0, i = 0;
  while (to[end] != 0) ++end;
  for (; from[i] != 0; ++i) to[end + i] = from[i];
  to[end + i] = 0;
  return to;
}
char* strncat(char* to, const char* from, size_t n) {
  size_t end = 0, i = 0;
  while (to[end] != 0) ++end;
  for (; i < n && from[i] != 0; ++i) to[end + i] = from[i];
  to[end + i] = 0;
  return to;
}
)";

constexpr std::string_view kSearches = R"(
char* strchr(const char* s, int c) {
  for (;; ++s) {
    if (*s == (char)c) return (char*)s;
    if (*s == 0) return 0;
  }
}
char* strrchr(const char* s, int c) {
  const char* found = 0;
  for (;; ++s) {
    if (*s == (char)c) found = s;
    if (*s == 0) return (char*)found;
  }
}
)";

constexpr std::string_view kNumbers = R"(
static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}
void heddle_beyond_numbers(void) __asm__("heddle.cut:a number in a string that is too large");
long strtol(const char* s, char** end, int base) {
  const char* at = s;
  while (*at == ' ' || (*at >= '\t' && *at <= '\r')) ++at;
  int minus = *at == '-';
  if (*at == '-' || *at == '+') ++at;
  if ((base == 0 || base == 16) && *at == '0' && (at[1] == 'x' || at[1] == 'X') &&
      digit(at[2]) < 16) {
    at += 2;
    base = 16;
  }
  if (base == 0) base = *at == '0' ? 8 : 10;
  long n = 0;
  const char* first = at;
  for (; digit(*at) < base; ++at) {
    if (__builtin_mul_overflow(n, base, &n) || __builtin_add_overflow(n, digit(*at), &n))
      heddle_beyond_numbers();
  }
  if (end != 0) *end = (char*)(at == first ? s : at);
  return minus ? -n : n;
}
long atol(const char* s) { return strtol(s, 0, 10); }
int atoi(const char* s) { return (int)strtol(s, 0, 10); }
)";

// Values that belong to a thread and a key.
constexpr std::string_view kKeys = R"(
enum { kMostKeys = 16 };
static unsigned keys;
static _Thread_local void* values[kMostKeys];
void heddle_beyond_destructors(void) __asm__("heddle.cut:a key with a destructor");
void heddle_beyond_keys(void) __asm__("heddle.cut:more than 16 keys");
static int make(unsigned* key, void (*destructor)(void*)) {
  if (destructor != 0) heddle_beyond_destructors();
  unsigned made = __atomic_fetch_add(&keys, 1, __ATOMIC_SEQ_CST);
  if (made >= kMostKeys) heddle_beyond_keys();
  *key = made;
  return 0;
}
int pthread_key_create(unsigned* key, void (*destructor)(void*)) { return make(key, destructor); }
int tss_create(unsigned* key, void (*destructor)(void*)) { return make(key, destructor); }
int pthread_key_delete(unsigned key) { return 0; }
void tss_delete(unsigned key) {}
void* pthread_getspecific(unsigned key) { return key < kMostKeys ? values[key] : 0; }
void* tss_get(unsigned key) { return key < kMostKeys ? values[key] : 0; }
int pthread_setspecific(unsigned key, const void* value) {
  if (key >= kMostKeys) return 22;
  values[key] = (void*)value;
  return 0;
}
int tss_set(unsigned key, void* value) {
  if (key >= kMostKeys) return 2;
  values[key] = value;
  return 0;
}
)";

// What std::call_once gives to pthread_once: it calls what is kept for the thread.
constexpr std::string_view kCallOnce = R"(
_Thread_local void* _ZSt15__once_callable;
_Thread_local void (*_ZSt11__once_call)(void);
void __once_proxy(void) { _ZSt11__once_call(); }
)";

// The part of std::list that lies in the library.
constexpr std::string_view kLists = R"(
struct node {
  struct node *next, *previous;
};
void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(struct node* self, struct node* before) {
  self->next = before;
  self->previous = before->previous;
  before->previous->next = self;
  before->previous = self;
}
void _ZNSt8__detail15_List_node_base9_M_unhookEv(struct node* self) {
  struct node *next = self->next, *previous = self->previous;
  previous->next = next;
  next->previous = previous;
}
)";

struct Row {
  std::string_view name, text;
};
constexpr Row kRows[] = {
    {"strlen", kLengths},
    {"strnlen", kLengths},
    {"strcmp", kComparisons},
    {"strncmp", kComparisons},
    {"memcmp", kComparisons},
    {"strcpy", kCopies},
    {"stpcpy", kCopies},
    {"strncpy", kCopies},
    {"strcat", kCopies},
    {"strncat", kCopies},
    {"strchr", kSearches},
    {"strrchr", kSearches},
    {"strtol", kNumbers},
    {"atol", kNumbers},
    {"atoi", kNumbers},
    {"pthread_key_create", kKeys},
    {"pthread_key_delete", kKeys},
    {"pthread_getspecific", kKeys},
    {"pthread_setspecific", kKeys},
    {"tss_create", kKeys},
    {"tss_delete", kKeys},
    {"tss_get", kKeys},
    {"tss_set", kKeys},
    {"__once_proxy", kCallOnce},
    {"_ZNSt8__detail15_List_node_base7_M_hookEPS0_", kLists},
    {"_ZNSt8__detail15_List_node_base9_M_unhookEv", kLists},
};

}  // namespace

std::string library_source(const llvm::Module& module) {
  std::set<std::string_view> texts;
  for (const Row& row : kRows) {
    const llvm::Function* function = module.getFunction(row.name);
    if (function != nullptr && function->isDeclaration()) texts.insert(row.text);
  }
  if (texts.empty()) return "";
  std::string source(kHead);
  for (std::string_view text : texts) source += text;
  return source;
}

}  // namespace heddle::frontend
