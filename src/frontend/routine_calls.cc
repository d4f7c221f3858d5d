// Calls of functions that are not the program's own.
#include <fmt/format.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "frontend/rewrite.h"
#include "frontend/routine.h"
#include "frontend/verifier_calls.h"

namespace heddle::frontend {

using graph::ActionKind;
using graph::CellKind;
using graph::Operator;
using graph::StatementKind;

namespace {

constexpr std::string_view kAborts[] = {"abort", "_ZSt9terminatev", "__cxa_pure_virtual"};

template <size_t N>
bool is_one_of(llvm::StringRef name, const std::string_view (&list)[N]) {
  return std::find(std::begin(list), std::end(list), std::string_view(name)) != std::end(list);
}

std::string base_name(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

// "int main(void)" → "main", as gcc calls functions of C.
std::string plain_function(const std::string& pretty) {
  const size_t end = pretty.find('(');
  if (end == std::string::npos) return pretty;
  const size_t begin = pretty.find_last_of(" *", end);
  return begin == std::string::npos ? pretty.substr(0, end)
                                    : pretty.substr(begin + 1, end - begin - 1);
}

}  // namespace

std::string RoutineTranslator::text_of(const llvm::Value* pointer) const {
  llvm::StringRef text;
  return llvm::getConstantStringInfo(pointer, text) ? text.str() : "?";
}

// As the native runtime says it.
std::string RoutineTranslator::assertion_text(const llvm::CallBase& call) const {
  const auto* line = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2));
  const std::string file = base_name(text_of(call.getArgOperand(1)));
  std::string in = text_of(call.getArgOperand(3));
  if (llvm::StringRef(file).ends_with(".c")) in = plain_function(in);
  return fmt::format("assertion `{}' fails in {} at {}:{}", text_of(call.getArgOperand(0)), in,
                     file, line == nullptr ? 0 : line->getZExtValue());
}

void RoutineTranslator::result(const llvm::CallBase& call, ExprId value, bool is_signed) {
  const uint32_t bits = bits_of(&call);
  if (call.getType()->isVoidTy() || bits == 0) return;
  if (builder_.bits(value) > bits)
    value = builder_.resize(Operator::Truncate, value, bits);
  else
    value = builder_.resize(is_signed ? Operator::SignExtend : Operator::ZeroExtend, value, bits);
  values_[&call] = value;
}

bool RoutineTranslator::call(const llvm::CallBase& call) {
  if (const auto* known = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) return intrinsic(*known);
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr) {
    cut(call.isInlineAsm() ? "inline assembly" : "a call through a pointer");
    return false;
  }
  const llvm::StringRef name = callee->getName();
  if (name == kCreate) return create(call);
  if (name == kDetachIf) return detach_if(call);
  if (name == kSelf) {
    const graph::RegisterId into = temporary("self", 64);
    state(StatementKind::Self).into = into;
    return result(call, builder_.read(into)), true;
  }
  if (name == kMutexInit) return mutex_init(call);
  if (allocates(call) && name != "realloc") return allocate(call);
  if (name == "memset") return set_memory(call);
  if (name == "memcpy" || name == "memmove") return copy_memory(call);
  if (name.starts_with(kNondet)) return input(call);
  if (const Verb* row = find_verb(name)) return verb(call, *row);
  if (name == "heddle_v1_running") return result(call, builder_.constant(1, 32)), true;
  if (name == "heddle_v1_broken_assumption" || name == "__VERIFIER_assume") {
    const ExprId holds = call.arg_size() == 0 ? builder_.constant(0, 1)
                                              : builder_.truth(expr(call.getArgOperand(0)));
    state(StatementKind::Assume).value = holds;
    return true;
  }
  if (is_ignored(name) && (call.use_empty() || call.getType()->isVoidTy())) return true;
  return ending(call, name);
}

// Functions that do not come back, and all others.
bool RoutineTranslator::ending(const llvm::CallBase& call, llvm::StringRef name) {
  if (name == "__assert_fail" || name == "heddle_v1_failed_assertion") {
    fail(FindingKind::Assertion, assertion_text(call));
  } else if (is_one_of(name, kErrors)) {
    fail(FindingKind::Assertion, fmt::format("{}() is called", name.str()));
  } else if (name == kBadCall) {
    fail(FindingKind::Crash, "a call through a pointer to no function of its type");
  } else if (is_one_of(name, kAborts)) {
    if (context_.options.abort_ends) {
      builder_.finish(current_, builder_.constant(134, 32), place_);
      builder_.block(current_).jump.kind = graph::JumpKind::Exit;
    } else {
      fail(FindingKind::Abort, "the program calls abort()");
    }
  } else if (ends_process(name)) {
    const ExprId status = expr(call.getArgOperand(0));
    builder_.finish(current_, status, place_);
    builder_.block(current_).jump.kind = graph::JumpKind::Exit;
  } else if (name == "pthread_exit" || name == "thrd_exit") {
    leave_with(expr64(call.getArgOperand(0)));
  } else if (name.starts_with(kCut)) {
    const std::string sentence = name.drop_front(llvm::StringRef(kCut).size()).str();
    graph::Place kept = place_;
    place_ = {};
    const graph::BlockId elsewhere = cut_block(sentence);
    place_ = kept;
    builder_.jump(current_, elsewhere, place_);
  } else {
    cut(fmt::format("the call of {}", llvm::demangle(name.str())));
  }
  return false;
}

bool RoutineTranslator::verb(const llvm::CallBase& call, const Verb& verb) {
  if (verb.kind == ActionKind::Free) return free(call);
  const auto argument = [&](int8_t i) {
    return i == kNoArgument ? graph::kNoExpr : expr(call.getArgOperand(static_cast<unsigned>(i)));
  };
  const ExprId address = argument(verb.address);
  const ExprId second = argument(verb.second);
  ExprId value = argument(verb.value);
  if (verb.constant >= 0) value = builder_.constant(static_cast<uint64_t>(verb.constant), 32);
  if (verb.kind == ActionKind::Detach || verb.kind == ActionKind::Join)
    value = builder_.resize(Operator::ZeroExtend, value, 64);
  if (verb.kind == ActionKind::Choose) {
    graph::Statement& check = state(StatementKind::Assert);
    check.value = builder_.truth(value);
    check.message = "heddle_choose is asked for one of no alternatives";
  }
  graph::RegisterId into = graph::kNoRegister;
  const bool gives = verb.returns != Returns::Nothing;
  const bool has_to = verb.kind == ActionKind::MutexTryLock || verb.kind == ActionKind::RwTryRead ||
                      verb.kind == ActionKind::RwTryWrite || verb.kind == ActionKind::SemTryWait ||
                      verb.kind == ActionKind::SemValue || verb.kind == ActionKind::OnceBegin ||
                      verb.kind == ActionKind::Choose;
  if ((gives && !call.use_empty()) || has_to)
    into = temporary(call.getName().str(), verb.kind == ActionKind::Join ? 64 : 32);
  graph::Action& action = act(verb.kind);
  action.address = address;
  action.second = second;
  action.value = value;
  action.into = into;
  if (into == graph::kNoRegister) {
    result(call, builder_.constant(0, 32));
    return true;
  }
  const ExprId given = builder_.read(into);
  switch (verb.returns) {
    case Returns::ThreadError:
      result(call, builder_.truth(given));
      break;
    case Returns::Serial:
      result(call, builder_.truth(given), /*is_signed=*/true);
      break;
    default:
      result(call, given);
      break;
  }
  return true;
}

bool RoutineTranslator::create(const llvm::CallBase& call) {
  const auto* start = llvm::dyn_cast<llvm::Function>(call.getArgOperand(0));
  const auto routine = std::find(context_.routines.begin(), context_.routines.end(), start);
  if (start == nullptr || routine == context_.routines.end()) {
    cut("a thread whose start routine is not known");
    return false;
  }
  const ExprId argument = expr64(call.getArgOperand(1));
  const graph::RegisterId into = temporary("thread", 64);
  graph::Action& action = act(ActionKind::Create);
  action.routine = graph::RoutineId{static_cast<uint32_t>(routine - context_.routines.begin())};
  action.value = argument;
  action.into = into;
  values_[&call] = builder_.read(into);
  return true;
}

bool RoutineTranslator::detach_if(const llvm::CallBase& call) {
  const ExprId handle = expr64(call.getArgOperand(0));
  const ExprId detached = builder_.truth(expr(call.getArgOperand(1)));
  const graph::BlockId before = current_;
  const graph::BlockId then = builder_.add_block();
  const graph::BlockId after = builder_.add_block();
  builder_.branch(before, detached, then, after, place_);
  current_ = then;
  act(ActionKind::Detach).value = handle;
  builder_.jump(current_, after, place_);
  current_ = after;
  return true;
}

// The kinds of mutexes are numbered as the kinds of cells, which begin with Mutex.
bool RoutineTranslator::mutex_init(const llvm::CallBase& call) {
  const ExprId address = expr(call.getArgOperand(0));
  const auto first = static_cast<uint64_t>(CellKind::Mutex);
  const ExprId kind =
      builder_.binary(Operator::Add, expr(call.getArgOperand(1)), builder_.constant(first, 32));
  const graph::RegisterId into =
      call.use_empty() ? graph::kNoRegister : temporary(call.getName().str(), 32);
  graph::Action& action = act(ActionKind::MutexInit);
  action.address = address;
  action.value = kind;
  action.into = into;
  if (into != graph::kNoRegister) result(call, builder_.read(into));
  return true;
}

// Nothing happens to the null pointer.
bool RoutineTranslator::free(const llvm::CallBase& call) {
  const ExprId address = expr(call.getArgOperand(0));
  const graph::BlockId before = current_;
  const graph::BlockId then = builder_.add_block();
  const graph::BlockId after = builder_.add_block();
  builder_.branch(before, builder_.truth(address), then, after, place_);
  current_ = then;
  act(ActionKind::Free).address = address;
  builder_.jump(current_, after, place_);
  current_ = after;
  return true;
}

bool RoutineTranslator::input(const llvm::CallBase& call) {
  uint32_t bits = bits_of(&call);
  if (bits == 0 || call.getType()->isPointerTy() || call.getType()->isFloatingPointTy()) {
    cut(fmt::format("an input by {}", call.getCalledFunction()->getName().str()));
    return false;
  }
  const bool is_bool = call.getCalledFunction()->getName().ends_with("_bool");
  const graph::RegisterId into = temporary("input", is_bool ? 1 : bits);
  state(StatementKind::Input).into = into;
  result(call, builder_.read(into));
  return true;
}

bool RoutineTranslator::intrinsic(const llvm::IntrinsicInst& intrinsic) {
  switch (intrinsic.getIntrinsicID()) {
    case llvm::Intrinsic::lifetime_start:
      if (const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(intrinsic.getArgOperand(1)))
        return allocate(*alloca);
      return true;
    case llvm::Intrinsic::lifetime_end:
      if (const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(intrinsic.getArgOperand(1)))
        state(StatementKind::Release).value = values_.at(alloca);
      return true;
    case llvm::Intrinsic::assume:
    case llvm::Intrinsic::invariant_start:
    case llvm::Intrinsic::invariant_end:
    case llvm::Intrinsic::donothing:
    case llvm::Intrinsic::x86_sse2_pause:
    case llvm::Intrinsic::var_annotation:
    case llvm::Intrinsic::experimental_noalias_scope_decl:
    case llvm::Intrinsic::stacksave:
    case llvm::Intrinsic::stackrestore:
      return true;
    case llvm::Intrinsic::memset:
      return set_memory(intrinsic);
    case llvm::Intrinsic::memcpy:
    case llvm::Intrinsic::memmove:
      return copy_memory(intrinsic);
    case llvm::Intrinsic::trap:
    case llvm::Intrinsic::ubsantrap:
      fail(FindingKind::Crash, "the program crashes with SIGILL");
      return false;
    default:
      break;
  }
  if (arithmetic_intrinsic(intrinsic)) return true;
  cut(fmt::format("the call of {}", intrinsic.getCalledFunction()->getName().str()));
  return false;
}

}  // namespace heddle::frontend
