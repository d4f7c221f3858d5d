// Everything that is still allocated at the end can be reached: from variables, thread-local
// storage, the stack of a thread that waits, other blocks, by an address in their middle.
//
// RUN: --strategy=dfs
// EXPECT: pass
#include <pthread.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

// Not static, or the compiler leaves out what nobody reads.
std::map<std::string, std::vector<int>>* index_of_words;
char* middle;
static thread_local char* mine;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void* daemon(void*) {
  char* volatile on_the_stack = static_cast<char*>(malloc(10));
  mine = static_cast<char*>(malloc(20));
  pthread_mutex_lock(&mutex);
  for (;;) pthread_cond_wait(&never, &mutex);
  on_the_stack[0] = 1;
  return nullptr;
}

int main() {
  pthread_t thread;
  index_of_words = new std::map<std::string, std::vector<int>>;
  (*index_of_words)["a word that does not fit into the object"] = {1, 2, 3};
  middle = static_cast<char*>(malloc(100)) + 50;
  mine = static_cast<char*>(malloc(200000));
  pthread_create(&thread, nullptr, daemon, nullptr);
  pthread_detach(thread);
  return 0;
}
