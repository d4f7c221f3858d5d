// A function of the C library that looks for something reads at its step, whatever it found before:
// here another thread moves the end away, and puts an earlier one in place.
//
// RUN: --visible=all --races=off --strategy=dfs
// FLAGS: -D_GNU_SOURCE -DFOUND=(int)strlen(text)
// EXPECT: fail assertion
// RUN: --visible=all --races=off --strategy=optimal-dpor
// FLAGS: -D_GNU_SOURCE -DFOUND=(int)strlen(text)
// EXPECT: fail assertion
// RUN: --visible=all --races=off --strategy=cb-por-2
// FLAGS: -D_GNU_SOURCE -DFOUND=(int)strlen(text)
// EXPECT: fail assertion
// RUN: --visible=all --races=off --strategy=optimal-dpor
// FLAGS: -D_GNU_SOURCE -DFOUND=(int)strnlen(text,8)
// EXPECT: fail assertion
// RUN: --visible=all --races=off --strategy=optimal-dpor
// FLAGS: -D_GNU_SOURCE -DFOUND=(int)((char*)memchr(text,0,8)-text)
// EXPECT: fail assertion
// RUN: --visible=all --races=off --strategy=optimal-dpor
// FLAGS: -D_GNU_SOURCE -DFOUND=(int)((char*)rawmemchr(text,0)-text)
// EXPECT: fail assertion
// RUN: --visible=all --races=off --strategy=optimal-dpor
// FLAGS: -D_GNU_SOURCE -DFOUND=(int)(strchr(text,nothing)-text)
// EXPECT: fail assertion
// RUN: --visible=all --races=off --strategy=optimal-dpor
// FLAGS: -D_GNU_SOURCE -DFOUND=(int)strspn(text,all)
// EXPECT: fail assertion
// RUN: --visible=all --races=off --strategy=optimal-dpor
// FLAGS: -D_GNU_SOURCE -DFOUND=printed()
// EXPECT: fail assertion
// RUN: --visible=all --races=off --strategy=optimal-dpor
// FLAGS: -D_GNU_SOURCE -DFOUND=(int)strlen(text) -DOTHER_END
// EXPECT: pass
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char text[8] = "abc";
static const char all[] __attribute__((unused)) = "abcd";
static volatile int nothing __attribute__((unused));

static int printed(void) __attribute__((unused));
static int printed(void) {
  char to[9];
  return snprintf(to, sizeof to, "%s", text);
}

static void* moves(void* unused) {
#ifdef OTHER_END
  text[0] = '\0';
  text[3] = 'd';
#else
  text[3] = 'd';
  text[0] = '\0';
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, moves, NULL);
  const int found = FOUND;
  pthread_join(thread, NULL);
  assert(found != 4);
}
