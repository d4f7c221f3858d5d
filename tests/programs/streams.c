// FILEs over pipes: whoever reads where nothing has come yet waits, and others go on meanwhile.
//
// LIBTSAN: no (it does not see what goes through a FILE)
// RUN: --strategy=icb
// EXPECT: pass
// RUN: --strategy=optimal-dpor
// EXPECT: pass
// RUN: --strategy=icb
// FLAGS: -DNOT_FLUSHED
// EXPECT: fail deadlock
// RUN: --strategy=optimal-dpor
// FLAGS: -DNOT_FLUSHED
// EXPECT: fail deadlock
// RUN: --strategy=icb
// FLAGS: -DOVER
// EXPECT: pass
// RUN: --strategy=dfs
// FLAGS: -DOVER -DTOO_EARLY
// EXPECT: fail assertion
// RUN: --strategy=icb
// FLAGS: -DSHARED
// EXPECT: unsupported FILE
// RUN: --strategy=icb
// DOOR: preload
// EXPECT: pass
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int ends[2];
static FILE *in, *out;
static int shared;  // handed over by what is written: no race

static void* writer(void* unused) {
  shared = 42;
  assert(fileno(out) == ends[1]);
  fprintf(out, "%s %d\n", "line", 1);
#ifndef NOT_FLUSHED
  fflush(out);
#endif
#ifdef OVER
  // The number stands for something else now: the reader sees the end.
  assert(dup2(STDERR_FILENO, ends[1]) == ends[1]);
#endif
  return unused;
}

static void* reader(void* unused) {
  char line[20] = "";
  char* got = fgets(line, sizeof line, in);
  assert(got == line && strcmp(line, "line 1\n") == 0);
  assert(shared == 42);
  return unused;
}

int main(void) {
  assert(pipe(ends) == 0);
#ifdef TOO_EARLY
  char mark;
#endif
  in = fdopen(ends[0], "r");
  out = fdopen(ends[1], "w");
  assert(in != NULL && out != NULL);
  pthread_t one, two;
#ifdef SHARED
  pthread_create(&one, NULL, reader, NULL);
#else
  pthread_create(&one, NULL, writer, NULL);
#endif
  pthread_create(&two, NULL, reader, NULL);
#ifdef TOO_EARLY
  assert(read(ends[0], &mark, 1) == 1 && mark == 'l');  // the line is the other's, or not
#endif
  pthread_join(one, NULL);
  pthread_join(two, NULL);
#ifdef OVER
  assert(fgetc(in) == EOF && feof(in));
#endif
  assert(fclose(in) == 0);
  return 0;
}
