// Calls that return something through a pointer become calls that return it as a value, and a
// store: a local variable whose address only such a call needs is a register afterwards.
//
// What the calls become is named heddle.*: see kMade and the translator's table.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <string>

namespace heddle::frontend {

// Functions that stand for themselves in the graph.
inline constexpr char kCreate[] = "heddle.create";           // (start routine, argument) → handle
inline constexpr char kDetachIf[] = "heddle.detach_if";      // (handle, detach state)
inline constexpr char kJoin[] = "heddle.join";               // (handle) → what it returned
inline constexpr char kSelf[] = "heddle.self";               // () → handle
inline constexpr char kMutexInit[] = "heddle.mutex_init";    // (mutex, kind) → error number
inline constexpr char kSemValue[] = "heddle.sem_value";      // (semaphore) → value
inline constexpr char kSemTryWait[] = "heddle.sem_trywait";  // (semaphore) → error number
inline constexpr char kOnceBegin[] = "heddle.once_begin";  // (once) → whether to run the routine
inline constexpr char kOnceEnd[] = "heddle.once_end";
inline constexpr char kAtomicBegin[] = "heddle.atomic_begin";
inline constexpr char kAtomicEnd[] = "heddle.atomic_end";
inline constexpr char kBadCall[] = "heddle.bad_call";  // through a pointer to no function
inline constexpr char kErrno[] = "heddle.errno";       // a thread-local variable
// The program goes on beyond what the graph can say; the rest of the name is the sentence.
inline constexpr char kCut[] = "heddle.cut:";

// In the guard of a static variable of a function: where what __cxa_guard_acquire waits for lies.
inline constexpr uint64_t kGuardOnce = 1;

// On stores that the library makes inside a call: no steps of their own.
inline constexpr char kSilent[] = "heddle.silent";

void rewrite_calls(llvm::Module& module);

// A function to call where the program leaves what can be modelled.
llvm::FunctionCallee cut(llvm::Module& module, const std::string& sentence);
// "queue.c:17" of an instruction, or "" where that is not known.
std::string place_text(const llvm::Instruction& instruction);

}  // namespace heddle::frontend
