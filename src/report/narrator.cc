#include "report/narrator.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace heddle {
namespace {

namespace fs = std::filesystem;

// Relative to where the reader is, if it is below.
std::string shown(const std::string& path) {
  std::error_code ignored;
  std::string here = fs::current_path(ignored).string() + '/';
  return path.starts_with(here) ? path.substr(here.size()) : path;
}

Place place_in(const SourceFrame& frame) {
  return {shown(frame.file), frame.file, frame.line, frame.column, frame.function};
}

// "worker(int)" → "worker".
std::string bare(const std::string& function) {
  size_t from = function.find("(anonymous namespace)::") == 0 ? 21 : 0;
  size_t parenthesis = function.find('(', from);
  return parenthesis == std::string::npos || parenthesis == 0 ? function
                                                              : function.substr(0, parenthesis);
}

constexpr const char* kLambda = "lambda";

bool is_lambda(const std::string& function) {
  for (const char* sign : {"{lambda", "'lambda", "::$_"})  // gcc, clang, clang
    if (function.find(sign) != std::string::npos) return true;
  return function.starts_with("operator()");
}

// What goes wrong with a block concerns all of it, whichever part was touched.
bool is_about_a_block(FindingKind kind) {
  return kind == FindingKind::UseAfterFree || kind == FindingKind::DoubleFree ||
         kind == FindingKind::OutOfBounds || kind == FindingKind::MismatchedFree ||
         kind == FindingKind::InvalidFree || kind == FindingKind::Leak;
}

// So far behind the end of a block its elements are still counted on: items[8] of 8.
constexpr uint64_t kNear = 4096;

bool is_standard(const std::string& function) {
  return function.starts_with("std::") || function.find(" std::") != std::string::npos ||
         function.starts_with("__");
}

}  // namespace

std::string_view sort_of(Op op) {
  switch (operation(op).object) {
    case ObjectSort::Mutex:
      return "mutex";
    case ObjectSort::Condition:
      return "condition";
    case ObjectSort::SpinLock:
      return "spin lock";
    case ObjectSort::RwLock:
      return "rwlock";
    case ObjectSort::Semaphore:
      return "semaphore";
    case ObjectSort::Barrier:
      return "barrier";
    case ObjectSort::Futex:
      return "futex";
    case ObjectSort::Once:
      return "once";
    case ObjectSort::Static:
      return "static";
    default:
      return "variable";
  }
}

bool has_object(Op op) {
  return operation(op).object >= ObjectSort::Variable;
}

std::string_view message_of(const Failure& failure) {
  std::string_view message = failure.message;
  std::string_view kind = name(failure.kind);
  if (message.starts_with(kind) && message.substr(kind.size()).starts_with(": "))
    message.remove_prefix(kind.size() + 2);
  return message;
}

std::string brief(const Place& place) {
  if (!place.known()) return "";
  return fmt::format("{}:{}", fs::path(place.file).filename().string(), place.line);
}

std::string in_full(const Place& place) {
  if (!place.known()) return "";
  if (place.column > 0) return fmt::format("{}:{}:{}", place.file, place.line, place.column);
  return fmt::format("{}:{}", place.file, place.line);
}

std::string place_of_call(const std::string& program, uint64_t load_bias, Address pc) {
  if (pc == kNoAddress) return "";
  Trace trace;
  trace.modules = {{program, load_bias, load_bias, load_bias}};
  TraceStep step;
  step.action.pc = pc;
  return in_full(Narrator(trace).place_of(step));
}

Narrator::Narrator(const Trace& trace) : trace_(trace), symbolizer_(trace.modules) {
  for (const TraceObject& object : trace.objects) {
    if (!object.label.empty()) labels_.emplace(object.address, object.label);
    if (!object.name.empty()) places_of_objects_.emplace(object.address, object.name);
    if (object.frame.pc != kNoAddress) place_in_frame(object);
    if (object.pointer != kNoAddress) pointed_at_.push_back(&object);
  }
  for (const TraceStep& step : trace.steps) name_objects(step.action);
  for (const TraceThreadEnd& end : trace.ends) name_objects(end.next);
  if (trace.failure.object != kNoAddress) name_object(trace.failure.object, "variable");
  object_names_.insert(labels_.begin(), labels_.end());  // of globals, which have no place
}

std::string Narrator::thread_name(ThreadId thread) {
  auto [entry, is_new] = thread_names_.try_emplace(thread);
  if (is_new) entry->second = name_thread(thread);
  return entry->second;
}

std::string Narrator::name_thread(ThreadId thread) {
  for (const TraceThread& known : trace_.threads)
    if (known.id == thread && !known.name.empty()) return known.name;
  if (thread == kMainThread) return "main";
  for (const TraceThread& known : trace_.threads) {
    if (known.id != thread || known.entry == kNoAddress) continue;
    const std::vector<SourceFrame>& frames = symbolizer_.frames_at(known.entry);
    if (!frames.empty() && !frames.back().of_system && !frames.back().function.empty())
      return bare(frames.back().function);
  }
  return name_by_stacks(thread);
}

// The start routine is std::thread's own: what it calls first in the program is what counts. A
// lambda has no name; it is called by what it calls if that is always the same.
std::string Narrator::name_by_stacks(ThreadId thread) {
  std::vector<const std::vector<Address>*> stacks;
  for (const TraceStep& step : trace_.steps)
    if (step.action.thread == thread) stacks.push_back(&step.stack);
  for (const TraceThreadEnd& end : trace_.ends)
    if (end.next.thread == thread) stacks.push_back(&end.stack);
  for (const TraceEvidence& evidence : trace_.evidence)
    if (evidence.action.thread == thread) stacks.push_back(&evidence.stack);
  if (trace_.failure.thread == thread) stacks.push_back(&trace_.failure_stack);
  OwnFunction first;
  for (const std::vector<Address>* stack : stacks) {
    const OwnFunction found = outermost_own_function(*stack);
    if (found.name.empty()) continue;
    if (!found.in_lambda) return found.name;
    if (!first.name.empty() && first.name != found.name) return kLambda;
    first = found;
  }
  return first.name;
}

Narrator::OwnFunction Narrator::outermost_own_function(const std::vector<Address>& stack) {
  OwnFunction found;
  for (size_t i = stack.size(); i-- > 0;) {
    const std::vector<SourceFrame>& frames = symbolizer_.frames_before(stack[i]);
    for (size_t j = frames.size(); j-- > 0;) {
      const SourceFrame& frame = frames[j];
      if (frame.of_system || !frame.has_source() || is_standard(frame.function)) continue;
      if (!is_lambda(frame.function)) return {bare(frame.function), found.in_lambda};
      found = {kLambda, true};
    }
  }
  return found;
}

std::string Narrator::thread_label(ThreadId thread) {
  if (thread == kNoThread) return "no thread";
  std::string name = thread_name(thread);
  return name.empty() ? fmt::format("thread {}", index(thread))
                      : fmt::format("thread {} \"{}\"", index(thread), name);
}

void Narrator::name_object(Address object, std::string_view sort) {
  auto known = places_of_objects_.find(object);
  if (known == places_of_objects_.end() || object_names_.contains(object)) return;
  auto label = labels_.find(object);
  auto local = local_names_.find(object);
  std::string name = label != labels_.end()        ? label->second
                     : local != local_names_.end() ? local->second
                                                   : name_behind_pointer(object);
  if (name.empty()) name = name_by_allocation(object);
  if (name.empty()) name = fmt::format("{} #{}", sort, ++objects_of_sort_[sort]);
  named_objects_.push_back({object, name, known->second});
  object_names_.emplace(object, name);
}

// In a heap block that a variable of the program points to; "" otherwise.
std::string Narrator::name_behind_pointer(Address object) {
  std::string name = name_behind_pointer(object, 0);
  if (name.empty() && trace_.failure.kind == FindingKind::OutOfBounds)
    name = name_behind_pointer(object, kNear);
  return name;
}

std::string Narrator::name_behind_pointer(Address object, uint64_t behind_the_end) {
  for (const TraceObject* known : pointed_at_) {
    if (object < known->block) continue;
    const uint64_t distance = value(object) - value(known->block);
    if (distance >= std::max<uint64_t>(known->block_size, 1) + behind_the_end) continue;
    std::string name = symbolizer_.pointed_at(known->pointer, distance);
    const bool whole = object == trace_.failure.object && is_about_a_block(trace_.failure.kind);
    if (size_t member = name.find("->"); whole && distance == 0 && member != std::string::npos)
      name = '*' + name.substr(0, member);
    return name;
  }
  return "";
}

// In the block that the failure is about, if nothing points to it.
std::string Narrator::name_by_allocation(Address object) {
  const bool is_it = object == trace_.failure.object;
  if (!is_it && !is_about_a_block(trace_.failure.kind)) return "";
  if (!name_behind_pointer(object).empty()) return "";
  for (const TraceEvidence& evidence : trace_.evidence) {
    if (evidence.role != EvidenceRole::Allocated) continue;
    const std::string place = brief(place_of(evidence));
    if (place.empty()) return "";
    if (is_it) return fmt::format("the block from {}", place);
    const uint64_t offset = value(object) - value(evidence.action.object);
    return offset < evidence.action.size ? fmt::format("block+{}", offset) : "";
  }
  return "";
}

// A variable of a function is called by its name, unless another has that name already.
void Narrator::place_in_frame(const TraceObject& object) {
  const LocalPlace local = symbolizer_.local_at(object.address, object.frame);
  if (local.function.empty()) return;
  const std::string function = bare(local.function);
  const uint32_t thread = index(object.frame.thread);
  if (local.variable.empty()) {
    places_of_objects_[object.address] =
        fmt::format("in the frame of `{}` (thread {})", function, thread);
    return;
  }
  const std::string place =
      fmt::format("variable `{}` of `{}` (frame of thread {})", local.variable, function, thread);
  places_of_objects_[object.address] = local_variables_[object.address] = place;
  for (const std::string& name :
       {local.variable, fmt::format("{} of thread {}", local.variable, thread)}) {
    if (!taken_names_.insert(name).second) continue;
    local_names_.emplace(object.address, name);
    return;
  }
}

void Narrator::name_objects(const Action& action) {
  if (!has_object(action.op)) return;
  const bool waits = operation(action.op).accesses == Footprint::ObjectAndMutex;
  name_object(action.object, sort_of(action.op));
  if (waits) name_object(action.second, "mutex");
}

std::string Narrator::object_name(Address object) {
  auto [entry, is_new] = object_names_.try_emplace(object);
  if (!is_new) return entry->second;
  std::string variable = symbolizer_.variable_at(object);
  if (variable.empty()) variable = name_behind_pointer(object);
  if (variable.empty()) variable = name_by_allocation(object);
  return entry->second = variable.empty() ? fmt::format("{:#x}", value(object)) : variable;
}

std::string Narrator::location(Address object) const {
  auto known = places_of_objects_.find(object);
  return known == places_of_objects_.end() ? "" : known->second;
}

std::string Narrator::local_variable(Address object) const {
  auto known = local_variables_.find(object);
  return known == local_variables_.end() ? "" : known->second;
}

std::string Narrator::description(const Action& action) {
  const Operation& row = operation(action.op);
  std::string text(row.verb);
  if (row.object == ObjectSort::Thread)
    return fmt::format("{} thread {}", text, value(action.object));
  if (row.object == ObjectSort::Descriptor) return fmt::format("{} {}", text, action.size);
  if (has_object(action.op) && action.object != kNoAddress)
    text += ' ' + object_name(action.object);
  if (row.lock == LockEffect::ReleaseSecond && action.second != kNoAddress)
    text += fmt::format(", releasing {}", object_name(action.second));
  return text;
}

std::string Narrator::description(const TraceStep& step) {
  if (step.action.op == Op::Choose) return fmt::format("chooses {}", step.choice);
  return trace_.modules.empty() && !step.remark.empty() ? step.remark : description(step.action);
}

std::string Narrator::message() {
  const std::string& text = trace_.failure.message;
  return trace_.failure.kind == FindingKind::Nondeterminism ? named(text) : text;
}

std::string Narrator::named(const std::string& text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    size_t next = text.find("0x", at);
    out += text.substr(at, next - at);
    if (next == std::string::npos) break;
    size_t end = text.find_first_not_of("0123456789abcdef", next + 2);
    std::string digits = text.substr(next + 2, end - next - 2);
    uint64_t address = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), address, 16);
    out += object_name(Address{address});
    at = std::min(end, text.size());
  }
  return out;
}

Place Narrator::birthplace(ThreadId thread) {
  for (const TraceStep& step : trace_.steps)
    if (step.action.op == Op::ThreadCreate && value(step.action.object) == index(thread))
      return place_of(step);
  return {};
}

Place Narrator::first_own(const std::vector<SourceFrame>& frames) {
  for (const SourceFrame& frame : frames)
    if (frame.has_source() && !frame.of_system) return place_in(frame);
  return {};
}

Place Narrator::place(Address pc, const std::vector<Address>& stack) {
  if (pc != kNoAddress)
    if (Place found = first_own(symbolizer_.frames_before(pc)); found.known()) return found;
  for (Address address : stack)
    if (Place found = first_own(symbolizer_.frames_before(address)); found.known()) return found;
  return {};
}

Place Narrator::place_of(const TraceStep& step) {
  if (step.action.op != Op::ThreadStart) return place(step.action.pc, step.stack);
  return first_own(symbolizer_.frames_at(step.action.pc));  // the start routine itself
}

Place Narrator::place_of(const TraceEvidence& evidence) {
  return place(evidence.action.pc, evidence.stack);
}

Place Narrator::place_of(const TraceThreadEnd& end) {
  return place(end.next.pc, end.stack);
}

bool Narrator::failure_pc_is_exact() const {
  FindingKind kind = trace_.failure.kind;
  return kind == FindingKind::Crash || kind == FindingKind::StackOverflow ||
         kind == FindingKind::Livelock;
}

std::vector<SourceFrame> Narrator::stack(const std::vector<Address>& addresses) {
  std::vector<SourceFrame> frames;
  for (Address address : addresses) {
    const std::vector<SourceFrame>& here = symbolizer_.frames_before(address);
    frames.insert(frames.end(), here.begin(), here.end());
  }
  return frames;
}

std::vector<SourceFrame> Narrator::failure_stack() {
  std::vector<Address> addresses = trace_.failure_stack;
  if (addresses.empty() && trace_.failure.pc != kNoAddress) addresses = {trace_.failure.pc};
  if (addresses.empty() || !failure_pc_is_exact()) return stack(addresses);
  // What a signal handler saw of itself stands before the place that was interrupted.
  auto interrupted = std::find(addresses.begin(), addresses.end(), trace_.failure.pc);
  if (interrupted != addresses.end()) addresses.erase(addresses.begin(), interrupted);
  std::vector<SourceFrame> frames = symbolizer_.frames_at(addresses.front());
  addresses.erase(addresses.begin());
  std::vector<SourceFrame> callers = stack(addresses);
  frames.insert(frames.end(), callers.begin(), callers.end());
  return frames;
}

Place Narrator::place_of_failure() {
  // Where the memory came from; where the loop is.
  if (trace_.failure.kind == FindingKind::Leak ||
      (trace_.failure.kind == FindingKind::Livelock && trace_.failure.pc == kNoAddress))
    for (const TraceEvidence& evidence : trace_.evidence)
      if (Place found = place(kNoAddress, evidence.stack); found.known()) return found;
  if (Address pc = trace_.failure.pc; pc != kNoAddress) {
    Place found = failure_pc_is_exact() ? first_own(symbolizer_.frames_at(pc)) : place(pc, {});
    if (found.known()) return found;
  }
  if (Place found = first_own(failure_stack()); found.known()) return found;
  ThreadId culprit = trace_.cycle.empty() ? trace_.failure.thread : trace_.cycle.front();
  for (const TraceThreadEnd& end : trace_.ends)
    if (culprit == kNoThread || end.next.thread == culprit)
      if (Place found = place_of(end); found.known()) return found;
  for (size_t i = trace_.steps.size(); i-- > 0;)
    if (Place found = place_of(trace_.steps[i]); found.known()) return found;
  return {};
}

}  // namespace heddle
