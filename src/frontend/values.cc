// Computations as expressions.
#include <fmt/format.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>

#include "frontend/routine.h"

namespace heddle::frontend {

using graph::ExprId;
using graph::Operator;
using graph::StatementKind;

namespace {

// How many nodes an expression may have before it is computed once and kept.
constexpr size_t kLargeExpression = 24;

constexpr uint64_t kMostObjects = uint64_t{1} << 24;

std::optional<Operator> operator_of(unsigned opcode) {
  switch (opcode) {
    case llvm::Instruction::Add:
      return Operator::Add;
    case llvm::Instruction::Sub:
      return Operator::Sub;
    case llvm::Instruction::Mul:
      return Operator::Mul;
    case llvm::Instruction::UDiv:
      return Operator::UDiv;
    case llvm::Instruction::SDiv:
      return Operator::SDiv;
    case llvm::Instruction::URem:
      return Operator::URem;
    case llvm::Instruction::SRem:
      return Operator::SRem;
    case llvm::Instruction::And:
      return Operator::And;
    case llvm::Instruction::Or:
      return Operator::Or;
    case llvm::Instruction::Xor:
      return Operator::Xor;
    case llvm::Instruction::Shl:
      return Operator::Shl;
    case llvm::Instruction::LShr:
      return Operator::LShr;
    case llvm::Instruction::AShr:
      return Operator::AShr;
    default:
      return std::nullopt;
  }
}

bool divides(Operator op) {
  return op == Operator::UDiv || op == Operator::SDiv || op == Operator::URem ||
         op == Operator::SRem;
}

bool shifts(Operator op) {
  return op == Operator::Shl || op == Operator::LShr || op == Operator::AShr;
}

size_t size_of(const graph::Routine& routine, ExprId id, size_t most) {
  const graph::Expr& one = routine.exprs[graph::index(id)];
  size_t size = 1;
  for (uint32_t i = 0; i < graph::operand_count(one.op) && size < most; ++i)
    size += size_of(routine, one.operand[i], most - size);
  return size;
}

}  // namespace

uint32_t RoutineTranslator::bits_of(const llvm::Value* value) const {
  return context_.memory.layouts().bits_of(value->getType());
}

// Used where the value is known to be a number or an address; others are refused before.
ExprId RoutineTranslator::expr(const llvm::Value* value) {
  const auto known = values_.find(value);
  if (known != values_.end()) return known->second;
  const uint32_t bits = bits_of(value);
  const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  const std::optional<uint64_t> number =
      constant == nullptr ? std::nullopt : context_.memory.value_of(constant);
  if (number && bits != 0) return builder_.constant(*number & graph::mask_of(bits), bits);
  cut_unless(builder_.constant(0, 1), "a value of an unusual type");
  return builder_.constant(0, bits == 0 ? 64 : bits);
}

ExprId RoutineTranslator::expr64(const llvm::Value* value, bool is_signed) {
  return builder_.resize(is_signed ? Operator::SignExtend : Operator::ZeroExtend, expr(value), 64);
}

void RoutineTranslator::define(const llvm::Value& value, ExprId expr) {
  if (value.hasNUsesOrMore(2) && defined_by_register_.empty() &&
      size_of(builder_.routine(), expr, kLargeExpression) >= kLargeExpression) {
    const graph::RegisterId kept = temporary(value.getName().str(), builder_.bits(expr));
    builder_.assign(current_, kept, expr, place_);
    expr = builder_.read(kept);
  }
  values_[&value] = expr;
}

bool RoutineTranslator::pure(const llvm::Instruction& one) {
  if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&one)) return binary(*operation);
  if (const auto* change = llvm::dyn_cast<llvm::CastInst>(&one)) return cast(*change);
  if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&one)) return compare(*comparison);
  if (const auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&one)) return element(*address);
  if (const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(&one)) return extract(*part);
  if (const auto* whole = llvm::dyn_cast<llvm::InsertValueInst>(&one)) return insert(*whole);
  if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(&one)) {
    if (bits_of(choice) == 0 || bits_of(choice->getCondition()) != 1) return false;
    define(one, builder_.select(expr(choice->getCondition()), expr(choice->getTrueValue()),
                                expr(choice->getFalseValue())));
    return true;
  }
  if (llvm::isa<llvm::FreezeInst>(one)) {
    if (bits_of(&one) == 0) return false;
    define(one, expr(one.getOperand(0)));
    return true;
  }
  return false;
}

bool RoutineTranslator::may_be_address(const llvm::Value* value) {
  return bits_of(value) == 64 && !llvm::isa<llvm::Constant>(value) &&
         !context_.memory.points_to().objects(value).empty();
}

// The object that it points to, if it is an address.
ExprId RoutineTranslator::upper_half(const llvm::Value* value) {
  return builder_.binary(Operator::LShr, expr(value), builder_.constant(32, 64));
}

// No address: small numbers have no upper half, and no program has so many objects as others say.
ExprId RoutineTranslator::is_number(const llvm::Value* value) {
  const ExprId object = builder_.binary(Operator::Sub, upper_half(value), builder_.constant(1, 64));
  return builder_.binary(Operator::ULessEq, builder_.constant(kMostObjects, 64), object);
}

ExprId RoutineTranslator::same_object(const llvm::Value* left, const llvm::Value* right) {
  return builder_.binary(Operator::Or,
                         builder_.binary(Operator::Equal, upper_half(left), upper_half(right)),
                         builder_.binary(Operator::And, is_number(left), is_number(right)));
}

void RoutineTranslator::expect_number(const llvm::Value* value) {
  if (may_be_address(value)) cut_unless(is_number(value), "an address that is used as a number");
}

ExprId RoutineTranslator::overflows(llvm::Instruction::BinaryOps op, bool is_signed, ExprId a,
                                    ExprId b) {
  const uint32_t bits = builder_.bits(a);
  const auto zero = builder_.constant(0, bits);
  const auto less = [&](ExprId x, ExprId y) {
    return builder_.binary(is_signed ? Operator::SLess : Operator::ULess, x, y);
  };
  if (op == llvm::Instruction::Add) {
    const ExprId sum = builder_.binary(Operator::Add, a, b);
    if (!is_signed) return less(sum, a);
    return builder_.binary(Operator::NotEqual, less(sum, a), less(b, zero));
  }
  if (op == llvm::Instruction::Sub) {
    const ExprId difference = builder_.binary(Operator::Sub, a, b);
    if (!is_signed) return less(a, b);
    return builder_.binary(Operator::NotEqual, less(a, difference), less(b, zero));
  }
  // A product: taking it apart again gives the other factor.
  const ExprId product = builder_.binary(Operator::Mul, a, b);
  const ExprId back = builder_.binary(is_signed ? Operator::SDiv : Operator::UDiv, product, b);
  ExprId wrong = builder_.binary(Operator::NotEqual, back, a);
  if (is_signed) {  // the smallest number times -1
    const ExprId smallest = builder_.constant(uint64_t{1} << (bits - 1), bits);
    const ExprId minus = builder_.constant(graph::mask_of(bits), bits);
    const ExprId both =
        builder_.binary(Operator::And, builder_.binary(Operator::Equal, a, smallest),
                        builder_.binary(Operator::Equal, b, minus));
    wrong = builder_.binary(Operator::Or, wrong, both);
  }
  return builder_.binary(Operator::And, wrong, builder_.binary(Operator::NotEqual, b, zero));
}

void RoutineTranslator::check_overflow(const llvm::BinaryOperator& operation, ExprId a, ExprId b) {
  if (!context_.options.overflow) return;
  const uint32_t bits = builder_.bits(a);
  const std::optional<Operator> op = operator_of(operation.getOpcode());
  ExprId good = graph::kNoExpr;
  std::string message;
  if (shifts(*op)) {
    good = builder_.binary(Operator::ULess, b, builder_.constant(bits, bits));
    message = fmt::format("a shift of a {}-bit number by too many bits", bits);
  } else if (const auto* wraps = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&operation);
             wraps != nullptr && wraps->hasNoSignedWrap()) {
    good = builder_.unary(Operator::Not, overflows(operation.getOpcode(), true, a, b));
    message = "a signed overflow";
  }
  if (good == graph::kNoExpr) return;
  graph::Statement& check = state(StatementKind::Assert);
  check.failure = FindingKind::Assertion;
  check.value = good;
  check.message = message + where();
}

bool RoutineTranslator::binary(const llvm::BinaryOperator& operation) {
  const std::optional<Operator> op = operator_of(operation.getOpcode());
  if (!op || bits_of(&operation) == 0) return false;
  const llvm::Value* left = operation.getOperand(0);
  const llvm::Value* right = operation.getOperand(1);
  if (*op == Operator::Sub && may_be_address(left) && may_be_address(right)) {
    cut_unless(same_object(left, right), "the distance of addresses in different objects");
  } else if (*op == Operator::And || *op == Operator::Or || *op == Operator::Xor) {
    // The lowest bits of an address are 0, as they are natively.
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(right);
    const bool low = number != nullptr && number->getBitWidth() == 64 &&
                     (number->getZExtValue() < 8 || ~number->getZExtValue() < 8);
    if (!low) {
      expect_number(left);
      expect_number(right);
    }
  } else if (*op != Operator::Add && *op != Operator::Sub) {
    expect_number(left);
    expect_number(right);
  }
  const ExprId a = expr(left);
  const ExprId b = expr(right);
  const uint32_t bits = builder_.bits(a);
  if (divides(*op)) {
    graph::Statement& check = state(StatementKind::Assert);
    check.failure = FindingKind::Crash;
    check.message = "the program crashes with SIGFPE (integer division by zero)";
    check.value = builder_.binary(Operator::NotEqual, b, builder_.constant(0, bits));
    if ((*op == Operator::SDiv || *op == Operator::SRem) && bits >= 32) {
      const ExprId smallest = builder_.constant(uint64_t{1} << (bits - 1), bits);
      const ExprId minus = builder_.constant(graph::mask_of(bits), bits);
      const ExprId good =
          builder_.binary(Operator::Or, builder_.binary(Operator::NotEqual, a, smallest),
                          builder_.binary(Operator::NotEqual, b, minus));
      graph::Statement& range = state(StatementKind::Assert);
      range.failure = FindingKind::Crash;
      range.message = "the program crashes with SIGFPE (integer division by zero)";
      range.value = good;
    }
  }
  check_overflow(operation, a, b);
  if (shifts(*op) && !context_.options.overflow) {
    // As the machine does it: it takes the lowest bits of the distance.
    const ExprId most = builder_.constant(bits >= 64 ? 63 : 31, bits);
    if (bits >= 32)
      return define(operation, builder_.binary(*op, a, builder_.binary(Operator::And, b, most))),
             true;
  }
  define(operation, builder_.binary(*op, a, b));
  return true;
}

bool RoutineTranslator::cast(const llvm::CastInst& cast) {
  const uint32_t to = bits_of(&cast);
  const uint32_t from = bits_of(cast.getOperand(0));
  if (to == 0 || from == 0) return false;
  switch (cast.getOpcode()) {
    case llvm::Instruction::Trunc:
      if (from == 64 && to > 3) expect_number(cast.getOperand(0));
      define(cast, builder_.resize(Operator::Truncate, expr(cast.getOperand(0)), to));
      return true;
    case llvm::Instruction::ZExt:
      define(cast, builder_.resize(Operator::ZeroExtend, expr(cast.getOperand(0)), to));
      return true;
    case llvm::Instruction::SExt:
      define(cast, builder_.resize(Operator::SignExtend, expr(cast.getOperand(0)), to));
      return true;
    case llvm::Instruction::PtrToInt:
      if (to < 64) expect_number(cast.getOperand(0));
      define(cast, builder_.resize(Operator::Truncate, expr(cast.getOperand(0)), to));
      return true;
    case llvm::Instruction::IntToPtr:
      define(cast, builder_.resize(Operator::ZeroExtend, expr(cast.getOperand(0)), to));
      return true;
    case llvm::Instruction::BitCast:
      define(cast, expr(cast.getOperand(0)));
      return true;
    default:
      return false;
  }
}

bool RoutineTranslator::compare(const llvm::ICmpInst& compare) {
  const llvm::Value* left = compare.getOperand(0);
  const llvm::Value* right = compare.getOperand(1);
  if (bits_of(left) == 0) return false;
  if (compare.isRelational() && (may_be_address(left) || may_be_address(right))) {
    cut_unless(same_object(left, right), "the order of addresses in different objects");
  }
  ExprId a = expr(left);
  ExprId b = expr(right);
  Operator op = Operator::Equal;
  switch (compare.getPredicate()) {
    case llvm::CmpInst::ICMP_EQ:
      op = Operator::Equal;
      break;
    case llvm::CmpInst::ICMP_NE:
      op = Operator::NotEqual;
      break;
    case llvm::CmpInst::ICMP_UGT:
      std::swap(a, b);
      [[fallthrough]];
    case llvm::CmpInst::ICMP_ULT:
      op = Operator::ULess;
      break;
    case llvm::CmpInst::ICMP_UGE:
      std::swap(a, b);
      [[fallthrough]];
    case llvm::CmpInst::ICMP_ULE:
      op = Operator::ULessEq;
      break;
    case llvm::CmpInst::ICMP_SGT:
      std::swap(a, b);
      [[fallthrough]];
    case llvm::CmpInst::ICMP_SLT:
      op = Operator::SLess;
      break;
    case llvm::CmpInst::ICMP_SGE:
      std::swap(a, b);
      [[fallthrough]];
    case llvm::CmpInst::ICMP_SLE:
      op = Operator::SLessEq;
      break;
    default:
      return false;
  }
  define(compare, builder_.binary(op, a, b));
  return true;
}

bool RoutineTranslator::element(const llvm::GetElementPtrInst& element) {
  if (bits_of(&element) == 0) return false;
  const llvm::DataLayout& data = function_.getParent()->getDataLayout();
  ExprId address = expr(element.getPointerOperand());
  for (auto it = llvm::gep_type_begin(element); it != llvm::gep_type_end(element); ++it) {
    if (llvm::StructType* record = it.getStructTypeOrNull()) {
      const auto field = llvm::cast<llvm::ConstantInt>(it.getOperand())->getZExtValue();
      const uint64_t offset =
          data.getStructLayout(record)->getElementOffset(static_cast<unsigned>(field));
      if (offset != 0)
        address = builder_.binary(Operator::Add, address, builder_.constant(offset, 64));
      continue;
    }
    const uint64_t stride = it.getSequentialElementStride(data);
    const ExprId offset =
        builder_.binary(Operator::Mul, expr64(it.getOperand()), builder_.constant(stride, 64));
    address = builder_.binary(Operator::Add, address, offset);
  }
  define(element, address);
  return true;
}

bool RoutineTranslator::extract(const llvm::ExtractValueInst& extract) {
  const auto whole = parts_.find(extract.getAggregateOperand());
  if (whole == parts_.end() || extract.getNumIndices() != 1 || bits_of(&extract) == 0) return false;
  const unsigned index = extract.getIndices()[0];
  if (index >= whole->second.size() || whole->second[index] == graph::kNoExpr) return false;
  values_[&extract] = whole->second[index];
  return true;
}

bool RoutineTranslator::insert(const llvm::InsertValueInst& insert) {
  const auto* record = llvm::dyn_cast<llvm::StructType>(insert.getType());
  if (record == nullptr || insert.getNumIndices() != 1) return false;
  if (bits_of(insert.getInsertedValueOperand()) == 0 ||
      llvm::isa<llvm::UndefValue>(insert.getInsertedValueOperand()))
    return false;
  Parts parts(record->getNumElements(), graph::kNoExpr);
  const auto before = parts_.find(insert.getAggregateOperand());
  if (before != parts_.end())
    parts = before->second;
  else if (!llvm::isa<llvm::UndefValue>(insert.getAggregateOperand()))
    return false;
  parts[insert.getIndices()[0]] = expr(insert.getInsertedValueOperand());
  parts_[&insert] = parts;
  return true;
}

bool RoutineTranslator::arithmetic_intrinsic(const llvm::IntrinsicInst& intrinsic) {
  const auto argument = [&](unsigned i) { return expr(intrinsic.getArgOperand(i)); };
  // The first where it is less than the second, or the other way round.
  const auto pick = [&](Operator less, unsigned first) {
    define(intrinsic, builder_.select(builder_.binary(less, argument(0), argument(1)),
                                      argument(first), argument(1 - first)));
    return true;
  };
  const auto with_overflow = [&](llvm::Instruction::BinaryOps op, Operator computes,
                                 bool is_signed) {
    parts_[&intrinsic] = {builder_.binary(computes, argument(0), argument(1)),
                          overflows(op, is_signed, argument(0), argument(1))};
    return true;
  };
  switch (intrinsic.getIntrinsicID()) {
    case llvm::Intrinsic::expect:
      define(intrinsic, argument(0));
      return true;
    case llvm::Intrinsic::smax:
      return pick(Operator::SLess, 1);
    case llvm::Intrinsic::umax:
      return pick(Operator::ULess, 1);
    case llvm::Intrinsic::smin:
      return pick(Operator::SLess, 0);
    case llvm::Intrinsic::umin:
      return pick(Operator::ULess, 0);
    case llvm::Intrinsic::abs: {
      const ExprId zero = builder_.constant(0, builder_.bits(argument(0)));
      define(intrinsic,
             builder_.select(builder_.binary(Operator::SLess, argument(0), zero),
                             builder_.binary(Operator::Sub, zero, argument(0)), argument(0)));
      return true;
    }
    case llvm::Intrinsic::sadd_with_overflow:
      return with_overflow(llvm::Instruction::Add, Operator::Add, true);
    case llvm::Intrinsic::uadd_with_overflow:
      return with_overflow(llvm::Instruction::Add, Operator::Add, false);
    case llvm::Intrinsic::ssub_with_overflow:
      return with_overflow(llvm::Instruction::Sub, Operator::Sub, true);
    case llvm::Intrinsic::usub_with_overflow:
      return with_overflow(llvm::Instruction::Sub, Operator::Sub, false);
    case llvm::Intrinsic::smul_with_overflow:
      return with_overflow(llvm::Instruction::Mul, Operator::Mul, true);
    case llvm::Intrinsic::umul_with_overflow:
      return with_overflow(llvm::Instruction::Mul, Operator::Mul, false);
    default:
      return false;
  }
}

}  // namespace heddle::frontend
