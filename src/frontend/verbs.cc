#include "frontend/verbs.h"

#include <algorithm>
#include <iterator>

#include "frontend/rewrite.h"

namespace heddle::frontend {
namespace {

using graph::ActionKind;
using graph::CellKind;

constexpr int8_t kNone = kNoArgument;
constexpr auto kSpin = static_cast<int64_t>(CellKind::SpinLock);

// clang-format off
constexpr Verb kVerbs[] = {
    {"pthread_mutex_lock",       ActionKind::MutexLock,      0, kNone, kNone, Returns::ErrorNumber},
    {"pthread_mutex_trylock",    ActionKind::MutexTryLock,   0, kNone, kNone, Returns::ErrorNumber},
    {"pthread_mutex_unlock",     ActionKind::MutexUnlock,    0, kNone, kNone, Returns::ErrorNumber},
    {"pthread_mutex_destroy",    ActionKind::MutexDestroy,   0, kNone, kNone, Returns::ErrorNumber},
    {"mtx_lock",                 ActionKind::MutexLock,      0},
    {"mtx_trylock",              ActionKind::MutexTryLock,   0, kNone, kNone, Returns::ThreadError},
    {"mtx_unlock",               ActionKind::MutexUnlock,    0},
    {"mtx_destroy",              ActionKind::MutexDestroy,   0},
    {"pthread_spin_init",        ActionKind::MutexInit,      0, kNone, kNone, Returns::Nothing, kSpin},
    {"pthread_spin_lock",        ActionKind::MutexLock,      0},
    {"pthread_spin_trylock",     ActionKind::MutexTryLock,   0, kNone, kNone, Returns::ErrorNumber},
    {"pthread_spin_unlock",      ActionKind::MutexUnlock,    0},
    {"pthread_spin_destroy",     ActionKind::MutexDestroy,   0},
    {"pthread_cond_init",        ActionKind::CondInit,       0, kNone, kNone, Returns::ErrorNumber},
    {"pthread_cond_wait",        ActionKind::CondWait,       0, 1},
    {"pthread_cond_signal",      ActionKind::CondSignal,     0},
    {"pthread_cond_broadcast",   ActionKind::CondBroadcast,  0},
    {"pthread_cond_destroy",     ActionKind::CondDestroy,    0, kNone, kNone, Returns::ErrorNumber},
    {"cnd_init",                 ActionKind::CondInit,       0},
    {"cnd_wait",                 ActionKind::CondWait,       0, 1},
    {"cnd_signal",               ActionKind::CondSignal,     0},
    {"cnd_broadcast",            ActionKind::CondBroadcast,  0},
    {"cnd_destroy",              ActionKind::CondDestroy,    0},
    {"pthread_rwlock_init",      ActionKind::RwInit,         0, kNone, kNone, Returns::ErrorNumber},
    {"pthread_rwlock_rdlock",    ActionKind::RwRead,         0, kNone, kNone, Returns::ErrorNumber},
    {"pthread_rwlock_tryrdlock", ActionKind::RwTryRead,      0, kNone, kNone, Returns::ErrorNumber},
    {"pthread_rwlock_wrlock",    ActionKind::RwWrite,        0, kNone, kNone, Returns::ErrorNumber},
    {"pthread_rwlock_trywrlock", ActionKind::RwTryWrite,     0, kNone, kNone, Returns::ErrorNumber},
    {"pthread_rwlock_unlock",    ActionKind::RwUnlock,       0, kNone, kNone, Returns::ErrorNumber},
    {"pthread_rwlock_destroy",   ActionKind::RwDestroy,      0, kNone, kNone, Returns::ErrorNumber},
    {"sem_init",                 ActionKind::SemInit,        0, kNone, 2},
    {"sem_wait",                 ActionKind::SemWait,        0},
    {"sem_post",                 ActionKind::SemPost,        0},
    {"sem_destroy",              ActionKind::SemDestroy,     0},
    {"pthread_barrier_init",     ActionKind::BarrierInit,    0, kNone, 2, Returns::ErrorNumber},
    {"pthread_barrier_wait",     ActionKind::BarrierWait,    0, kNone, kNone, Returns::Serial},
    {"pthread_barrier_destroy",  ActionKind::BarrierDestroy, 0, kNone, kNone, Returns::ErrorNumber},
    {"pthread_detach",           ActionKind::Detach,         kNone, kNone, 0},
    {"thrd_detach",              ActionKind::Detach,         kNone, kNone, 0},
    {"sched_yield",              ActionKind::Yield},
    {"pthread_yield",            ActionKind::Yield},
    {"thrd_yield",               ActionKind::Yield},
    {"usleep",                   ActionKind::Yield},
    {"sleep",                    ActionKind::Yield},
    {"nanosleep",                ActionKind::Yield},
    {"clock_nanosleep",          ActionKind::Yield},
    {"thrd_sleep",               ActionKind::Yield},
    {"heddle_v1_yield",          ActionKind::Yield},
    {"heddle_v1_choose",         ActionKind::Choose,         kNone, kNone, 0, Returns::Result},
    {"heddle_v1_atomic_begin",   ActionKind::AtomicBegin},
    {"heddle_v1_atomic_end",     ActionKind::AtomicEnd},
    {"__VERIFIER_atomic_begin",  ActionKind::AtomicBegin},
    {"__VERIFIER_atomic_end",    ActionKind::AtomicEnd},
    {"free",                     ActionKind::Free,           0},
    {"_ZdlPv",                   ActionKind::Free,           0},
    {"_ZdlPvm",                  ActionKind::Free,           0},
    {"_ZdaPv",                   ActionKind::Free,           0},
    {"_ZdaPvm",                  ActionKind::Free,           0},
    {kAtomicBegin,               ActionKind::AtomicBegin},
    {kAtomicEnd,                 ActionKind::AtomicEnd},
    {kSemValue,                  ActionKind::SemValue,       0, kNone, kNone, Returns::Result},
    {kSemTryWait,                ActionKind::SemTryWait,     0, kNone, kNone, Returns::ErrorNumber},
    {kOnceBegin,                 ActionKind::OnceBegin,      0, kNone, kNone, Returns::Result},
    {kOnceEnd,                   ActionKind::OnceEnd,        0},
    {kJoin,                      ActionKind::Join,           kNone, kNone, 0, Returns::Result},
};
// clang-format on

constexpr std::string_view kIgnored[] = {
    "printf",
    "puts",
    "putchar",
    "fprintf",
    "fputs",
    "fputc",
    "fflush",
    "perror",
    "putc",
    "setbuf",
    "setvbuf",
    "vprintf",
    "fwrite",
    "heddle_v1_name",
    "pthread_setname_np",
    "srand",
    "__VERIFIER_output",
};

constexpr std::string_view kEnds[] = {"exit", "_exit", "_Exit", "quick_exit"};

template <size_t N>
bool contains(const std::string_view (&list)[N], std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

}  // namespace

const Verb* find_verb(std::string_view name) {
  const auto* verb = std::find_if(std::begin(kVerbs), std::end(kVerbs),
                                  [&](const Verb& row) { return row.name == name; });
  return verb == std::end(kVerbs) ? nullptr : verb;
}

bool is_ignored(std::string_view name) {
  return contains(kIgnored, name);
}

bool ends_process(std::string_view name) {
  return contains(kEnds, name);
}

}  // namespace heddle::frontend
