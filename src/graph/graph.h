// The program graph: a finite program of threads, as `heddle prove` checks it.
//
// A thread is a control-flow graph of blocks. A block begins with at most one action, the only
// place where it touches what other threads can see; then come statements on the thread's own
// registers, then a jump. Running a thread from one action to the next is one step, as in a native
// execution.
//
// Memory is a list of objects; an object is a list of cells at byte offsets. A cell holds an
// integer of 1 to 64 bits (a pointer is one of 64), or is an object of synchronisation. A pointer
// is the number of an object, from 1 on, in the upper half, and the byte offset in the lower one;
// the null pointer is 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/finding.h"

namespace heddle::graph {

// Indices into the vectors below.
enum class ExprId : uint32_t {};
enum class RegisterId : uint32_t {};
enum class BlockId : uint32_t {};
enum class ObjectId : uint32_t {};
enum class RoutineId : uint32_t {};

inline constexpr ExprId kNoExpr{0xffffffff};
inline constexpr RegisterId kNoRegister{0xffffffff};
inline constexpr BlockId kNoBlock{0xffffffff};

template <typename Id>
constexpr uint32_t index(Id id) {
  return static_cast<uint32_t>(id);
}

// Where it stands in the source; line 0 is unknown.
struct Place {
  uint32_t file = 0;  // into Program::files
  uint32_t line = 0;
  uint32_t column = 0;
};

// clang-format off
// Enumerator; how it is written; how many operands. Values are unsigned; those of signed operators
// are taken as two's complement. Division by zero gives 0: whoever divides asserts before.
// Shifts by the width or more give 0 (arithmetic ones the sign).
#define HEDDLE_OPERATORS(X)       \
  X(Constant,  "",       0)       \
  X(Register,  "",       0)       \
  X(Not,       "~",      1)       \
  X(Negate,    "-",      1)       \
  X(ZeroExtend,"zext",   1)       \
  X(SignExtend,"sext",   1)       \
  X(Truncate,  "trunc",  1)       \
  X(Add,       "+",      2)       \
  X(Sub,       "-",      2)       \
  X(Mul,       "*",      2)       \
  X(UDiv,      "/u",     2)       \
  X(SDiv,      "/",      2)       \
  X(URem,      "%u",     2)       \
  X(SRem,      "%",      2)       \
  X(And,       "&",      2)       \
  X(Or,        "|",      2)       \
  X(Xor,       "^",      2)       \
  X(Shl,       "<<",     2)       \
  X(LShr,      ">>u",    2)       \
  X(AShr,      ">>",     2)       \
  X(Equal,     "==",     2)       \
  X(NotEqual,  "!=",     2)       \
  X(ULess,     "<u",     2)       \
  X(ULessEq,   "<=u",    2)       \
  X(SLess,     "<",      2)       \
  X(SLessEq,   "<=",     2)       \
  X(Select,    "?:",     3)
// clang-format on

enum class Operator : uint8_t {
#define X(enumerator, text, operands) enumerator,
  HEDDLE_OPERATORS(X)
#undef X
};

// A value computed from registers and constants alone. Shared subterms are stored once.
struct Expr {
  Operator op = Operator::Constant;
  uint8_t bits = 32;      // of the result; comparisons have 1
  uint64_t constant = 0;  // Constant: the value; Register: its index
  ExprId operand[3] = {kNoExpr, kNoExpr, kNoExpr};
};

enum class CellKind : uint8_t {
  Integer,
  Mutex,
  RecursiveMutex,
  ErrorCheckMutex,
  SpinLock,
  Condition,
  RwLock,
  Semaphore,
  Barrier,
  Once,
};

struct Cell {
  CellKind kind = CellKind::Integer;
  uint32_t offset = 0;      // in bytes, within the object
  uint8_t bits = 32;        // Integer
  uint64_t initial = 0;     // Integer: value; Semaphore: count; Barrier: how many threads it is for
  bool initialised = true;  // false: reading it before a write is undefined, and an object of
                            // synchronisation must be initialised first
  std::string name;         // of the member or element, "" for a scalar: ".next", "[3]"
};

enum class ObjectKind : uint8_t {
  Global,  // there from the beginning
  Heap,    // one allocation of a site; there are as many objects as the bound allows
  Stack,   // a local variable that others may see, of one activation
};

struct Object {
  std::string name;
  ObjectKind kind = ObjectKind::Global;
  uint32_t size = 0;        // in bytes
  bool constant = false;    // never written
  std::vector<Cell> cells;  // by offset, without overlap
  Place place;
};

// Allocation takes the next free object of the allocating thread's list, in order.
struct Site {
  std::string name;
  std::vector<std::vector<ObjectId>> objects;  // by thread slot
  ObjectKind kind = ObjectKind::Heap;
  Place place;
};

// clang-format off
// What a block may begin with. Operands: address, second (address or value), value; results: into,
// second_into. Enumerator; how it is written.
#define HEDDLE_ACTIONS(X)                                                                         \
  X(None,          "")              /* a block that only computes */                              \
  X(Load,          "load")          /* into = [address] */                                        \
  X(Store,         "store")         /* [address] = value */                                       \
  X(AtomicLoad,    "atomic-load")                                                                 \
  X(AtomicStore,   "atomic-store")                                                                \
  X(AtomicUpdate,  "atomic-update") /* into = [address]; [address] = value, which may read into */\
  X(AtomicCas,     "atomic-cas")    /* into = [address]; if it was second, [address] = value and  \
                                       second_into = 1, else second_into = 0 */                   \
  X(Fence,         "fence")                                                                       \
  X(MutexInit,     "mutex-init")    /* value: CellKind that it becomes */                         \
  X(MutexLock,     "mutex-lock")    /* into = error number, where asked for */                    \
  X(MutexTryLock,  "mutex-trylock") /* into = error number */                                     \
  X(MutexUnlock,   "mutex-unlock")                                                                \
  X(MutexDestroy,  "mutex-destroy")                                                               \
  X(CondInit,      "cond-init")                                                                   \
  X(CondWait,      "cond-wait")     /* on address, with the mutex second */                       \
  X(CondSignal,    "cond-signal")                                                                 \
  X(CondBroadcast, "cond-broadcast")                                                              \
  X(CondDestroy,   "cond-destroy")                                                                \
  X(RwInit,        "rwlock-init")                                                                 \
  X(RwRead,        "rwlock-read")                                                                 \
  X(RwTryRead,     "rwlock-tryread")                                                              \
  X(RwWrite,       "rwlock-write")                                                                \
  X(RwTryWrite,    "rwlock-trywrite")                                                             \
  X(RwUnlock,      "rwlock-unlock")                                                               \
  X(RwDestroy,     "rwlock-destroy")                                                              \
  X(SemInit,       "sem-init")      /* value: count */                                            \
  X(SemWait,       "sem-wait")                                                                    \
  X(SemTryWait,    "sem-trywait")                                                                 \
  X(SemPost,       "sem-post")                                                                    \
  X(SemValue,      "sem-value")                                                                   \
  X(SemDestroy,    "sem-destroy")                                                                 \
  X(BarrierInit,   "barrier-init")  /* value: how many */                                         \
  X(BarrierWait,   "barrier-wait")  /* into = 1 for one of them, else 0 */                        \
  X(BarrierDestroy,"barrier-destroy")                                                             \
  X(OnceBegin,     "once-begin")    /* into = 1: the routine is to be run, OnceEnd follows */     \
  X(OnceEnd,       "once-end")                                                                    \
  X(Create,        "create")        /* into = handle of a new thread of routine, called with value */ \
  X(Join,          "join")          /* value: handle; into = what it returned */                  \
  X(Detach,        "detach")                                                                      \
  X(Yield,         "yield")                                                                       \
  X(Choose,        "choose")        /* into = one of 0 … value-1 */                               \
  X(AtomicBegin,   "atomic-begin")                                                                \
  X(AtomicEnd,     "atomic-end")                                                                  \
  X(Free,          "free")          /* of the object that address points to the beginning of */
// clang-format on

enum class ActionKind : uint8_t {
#define X(enumerator, text) enumerator,
  HEDDLE_ACTIONS(X)
#undef X
};

struct Action {
  ActionKind kind = ActionKind::None;
  uint8_t bits = 32;  // of what is loaded or stored
  bool own = false;   // memory that only this thread can reach: no step
  ExprId address = kNoExpr;
  ExprId second = kNoExpr;
  ExprId value = kNoExpr;
  RegisterId into = kNoRegister;
  RegisterId second_into = kNoRegister;
  RoutineId routine{0};  // Create
  Place place;
};

enum class StatementKind : uint8_t {
  Assign,    // into = value
  Input,     // into = any value of its width (an input of the program; Choose is for small ranges)
  Self,      // into = the handle of the thread that runs, as Create gives it
  Assume,    // executions in which value is 0 are of no interest
  Assert,    // value is not 0, or else: failure, message
  Allocate,  // into = address of the next free object of the site; null where value is 0
  Release,   // the end of the life of a local variable: address in value
};

struct Statement {
  StatementKind kind = StatementKind::Assign;
  RegisterId into = kNoRegister;
  ExprId value = kNoExpr;
  uint32_t site = 0;                             // Allocate
  FindingKind failure = FindingKind::Assertion;  // Assert
  std::string message;                           // Assert: one sentence, no trailing period
  Place place;
};

enum class JumpKind : uint8_t {
  Goto,    // to then
  Branch,  // to then if condition is not 0, else to otherwise
  Return,  // the thread ends with the value condition (kNoExpr: 0)
  Exit,    // the process ends with the status condition
  Cut,     // the program goes on beyond a bound of the graph: see Program::bounds
};

struct Jump {
  JumpKind kind = JumpKind::Return;
  ExprId condition = kNoExpr;
  BlockId then = kNoBlock;
  BlockId otherwise = kNoBlock;
  uint32_t bound = 0;  // Cut: into Program::bounds
  Place place;
};

struct Block {
  std::string name;
  Action action;
  std::vector<Statement> statements;
  Jump jump;
};

struct Register {
  std::string name;
  uint8_t bits = 32;
};

// What a thread runs. Calls have been inlined.
struct Routine {
  std::string name;
  std::vector<Register> registers;
  RegisterId parameter = kNoRegister;  // where the argument of the thread arrives
  std::vector<Expr> exprs;
  std::vector<Block> blocks;  // the first is the entry
};

struct Program {
  std::string name;
  std::vector<std::string> files;
  std::vector<Object> objects;  // pointers count them from 1 on
  std::vector<Site> sites;
  std::vector<Routine> routines;  // the first is main's
  uint32_t max_threads = 8;       // main included; a thread more is an error of the bound
  // What the graph stands under and the program may go beyond (JumpKind::Cut): "8 rounds of the
  // loop at queue.c:17". A run that meets none of them says nothing about them.
  std::vector<std::string> bounds;
};

constexpr uint64_t pointer_to(ObjectId object, uint32_t offset = 0) {
  return (uint64_t{index(object)} + 1) << 32 | offset;
}

}  // namespace heddle::graph
