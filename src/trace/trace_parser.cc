// Text to trace; the format is described in trace_format.h. Every malformed line is an error with
// its number; lines with an unknown first word are skipped, for the sake of later versions.
#include <charconv>

#include "trace/trace.h"
#include "trace/trace_format.h"

namespace heddle {
namespace {

using trace_format::append_unescaped;

// Takes the first word off `text`, and the space behind it.
std::string_view take_word(std::string_view& text) {
  size_t space = text.find(' ');
  std::string_view word = text.substr(0, space);
  text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
  return word;
}

std::string_view take_line(std::string_view& text) {
  size_t newline = text.find('\n');
  std::string_view line = text.substr(0, newline);
  text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
  return line;
}

template <class Number>
bool read_number(std::string_view word, Number& number) {
  int base = 10;
  if (word.starts_with("0x")) {
    base = 16;
    word.remove_prefix(2);
  }
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number, base);
  return error == std::errc() && end == word.data() + word.size();
}

bool read_number(std::string_view word, Address& address) {
  uint64_t number = 0;
  if (!read_number(word, number)) return false;
  address = Address{number};
  return true;
}

bool read_number(std::string_view word, ThreadId& thread) {
  uint32_t number = 0;
  if (!read_number(word, number)) return false;
  thread = ThreadId{number};
  return true;
}

bool read_addresses(std::string_view word, std::vector<Address>& addresses) {
  while (!word.empty()) {
    size_t comma = word.find(',');
    Address address{};
    if (!read_number(word.substr(0, comma), address)) return false;
    addresses.push_back(address);
    word.remove_prefix(comma == std::string_view::npos ? word.size() : comma + 1);
  }
  return true;
}

// "key=value" → value, into the field of that name. Unknown keys are skipped like unknown lines.
struct Field {
  std::string_view key;
  std::string_view value;
};

Field split_field(std::string_view word) {
  size_t equals = word.find('=');
  if (equals == std::string_view::npos) return {word, {}};
  return {word.substr(0, equals), word.substr(equals + 1)};
}

bool read_order(std::string_view word, MemoryOrder& order) {
  uint8_t number = 0;
  if (!read_number(word, number) || number > static_cast<uint8_t>(MemoryOrder::SeqCst))
    return false;
  order = static_cast<MemoryOrder>(number);
  return true;
}

bool read_action_field(Field field, Action& action) {
  if (field.key == "thread") return read_number(field.value, action.thread);
  if (field.key == "object") return read_number(field.value, action.object);
  if (field.key == "second") return read_number(field.value, action.second);
  if (field.key == "pc") return read_number(field.value, action.pc);
  if (field.key == "size") return read_number(field.value, action.size);
  if (field.key == "order") return read_order(field.value, action.order);
  return true;
}

bool read_step(std::string_view rest, TraceStep& step) {
  if (size_t note = rest.find(trace_format::kNote); note != std::string_view::npos) {
    std::string_view remark = rest.substr(note + trace_format::kNote.size());
    if (!append_unescaped(step.remark, remark)) step.remark.clear();
    rest = rest.substr(0, note);
  }
  std::optional<Op> op = op_from_name(take_word(rest));
  if (!op) return false;
  step.action.op = *op;
  while (!rest.empty()) {
    Field field = split_field(take_word(rest));
    bool ok = true;
    if (field.key == "choice") {
      ok = read_number(field.value, step.choice);
    } else if (field.key == "choices") {
      ok = read_number(field.value, step.choices);
    } else if (field.key == "preempts") {
      step.preempts = true;
    } else if (field.key == "stack") {
      ok = read_addresses(field.value, step.stack);
    } else {
      ok = read_action_field(field, step.action);
    }
    if (!ok) return false;
  }
  return true;
}

bool read_pending(std::string_view rest, TraceThreadEnd& end) {
  std::optional<Op> op = op_from_name(take_word(rest));
  if (!op) return false;
  end.next.op = *op;
  while (!rest.empty()) {
    Field field = split_field(take_word(rest));
    bool ok = true;
    if (field.key == "enabled") {
      end.enabled = true;
    } else if (field.key == "waits-for") {
      ok = read_number(field.value, end.waits_for);
    } else if (field.key == "stack") {
      ok = read_addresses(field.value, end.stack);
    } else {
      ok = read_action_field(field, end.next);
    }
    if (!ok) return false;
  }
  return true;
}

bool read_failure(std::string_view rest, Failure& failure) {
  std::optional<FindingKind> kind = finding_kind_from_name(take_word(rest));
  if (!kind) return false;
  failure.kind = *kind;
  while (!rest.empty()) {
    Field field = split_field(take_word(rest));
    if (field.key == "thread" && !read_number(field.value, failure.thread)) return false;
    if (field.key == "pc" && !read_number(field.value, failure.pc)) return false;
    if (field.key == "other" && !read_number(field.value, failure.other)) return false;
    if (field.key == "object" && !read_number(field.value, failure.object)) return false;
    if (field.key == "size" && !read_number(field.value, failure.size)) return false;
    if (field.key == "knot" && !read_number(field.value, failure.knot)) return false;
    if (uint32_t status = 0; field.key == "status") {
      if (!read_number(field.value, status)) return false;
      failure.wait_status = static_cast<int32_t>(status);
    }
  }
  return true;
}

bool read_frame(std::string_view rest, TraceFrame& frame) {
  while (!rest.empty()) {
    Field field = split_field(take_word(rest));
    if (field.key == "thread" && !read_number(field.value, frame.thread)) return false;
    if (field.key == "pc" && !read_number(field.value, frame.pc)) return false;
    if (field.key == "begin" && !read_number(field.value, frame.begin)) return false;
    if (field.key == "end" && !read_number(field.value, frame.end)) return false;
  }
  return true;
}

bool read_block(std::string_view rest, TraceObject& object) {
  while (!rest.empty()) {
    Field field = split_field(take_word(rest));
    if (field.key == "begin" && !read_number(field.value, object.block)) return false;
    if (field.key == "size" && !read_number(field.value, object.block_size)) return false;
    if (field.key == "pointer" && !read_number(field.value, object.pointer)) return false;
  }
  return true;
}

bool read_evidence(std::string_view rest, TraceEvidence& evidence) {
  const std::optional<EvidenceRole> role = evidence_role_from_name(take_word(rest));
  const std::optional<Op> op = op_from_name(take_word(rest));
  if (!role || !op) return false;
  evidence.role = *role;
  evidence.action.op = *op;
  while (!rest.empty()) {
    Field field = split_field(take_word(rest));
    bool ok = true;
    if (field.key == "locks") {
      ok = read_addresses(field.value, evidence.locks);
    } else if (field.key == "step") {
      ok = read_number(field.value, evidence.step);
    } else if (field.key == "value") {
      ok = read_number(field.value, evidence.value.emplace());
    } else if (field.key == "stack") {
      ok = read_addresses(field.value, evidence.stack);
    } else {
      ok = read_action_field(field, evidence.action);
    }
    if (!ok) return false;
  }
  return true;
}

bool read_critical(std::string_view rest, CriticalSteps& critical) {
  const std::string_view word = take_word(rest);
  for (size_t i = 0; i < std::size(trace_format::kCauses); ++i)
    if (trace_format::kCauses[i] == word) critical.kind = static_cast<CauseKind>(i);
  while (!rest.empty()) {
    size_t step = 0;
    if (!read_number(take_word(rest), step) || step == 0) return false;
    critical.steps.push_back(step - 1);
  }
  return true;
}

bool read_visible(std::string_view rest, VisibleMemory& memory) {
  return read_number(take_word(rest), memory.begin) && read_number(rest, memory.size);
}

bool read_counts(std::string_view rest, Trace& trace) {
  while (!rest.empty()) {
    Field field = split_field(take_word(rest));
    if (field.key == "execution" && !read_number(field.value, trace.execution)) return false;
    if (field.key == "occurrences" && !read_number(field.value, trace.occurrences)) return false;
    if (field.key == "preemptions" && !read_number(field.value, trace.preemptions)) return false;
    if (field.key == "cut-short") trace.cut_short = true;
  }
  return true;
}

// A run "0*99999999" is short as text but not in memory: a corrupt file must not exhaust it.
bool schedule_is_sane(std::string_view text) {
  constexpr uint64_t kMostSteps = 200'000'000;
  uint64_t steps = 0;
  while (!text.empty()) {
    std::string_view word = take_word(text);
    size_t star = word.find('*');
    uint64_t run = 1;
    if (star != std::string_view::npos && !read_number(word.substr(star + 1), run)) return false;
    if (run > kMostSteps || (steps += run) > kMostSteps) return false;
  }
  return true;
}

bool read_module(std::string_view rest, Module& module) {
  constexpr std::string_view kPath = "path=";  // the last field: a path may contain spaces
  while (!rest.starts_with(kPath)) {
    if (rest.empty()) return false;
    Field field = split_field(take_word(rest));
    if (field.key == "base" && !read_number(field.value, module.base)) return false;
    if (field.key == "begin" && !read_number(field.value, module.begin)) return false;
    if (field.key == "end" && !read_number(field.value, module.end)) return false;
  }
  return append_unescaped(module.path, rest.substr(kPath.size()));
}

// A replay makes tables as long as these numbers say.
bool is_possible(const TraceThread& thread) {
  constexpr uint32_t kMostThreads = 1u << 16;
  if (index(thread.id) >= kMostThreads) return false;
  if (thread.parent == kNoThread) return true;
  return index(thread.parent) < kMostThreads && thread.birth > 0 && thread.birth < kMostThreads;
}

bool read_fields_of_thread(std::string_view rest, TraceThread& thread) {
  if (!read_number(take_word(rest), thread.id)) return false;
  while (!rest.empty()) {
    Field field = split_field(take_word(rest));
    if (field.key == "parent" && !read_number(field.value, thread.parent)) return false;
    if (field.key == "birth" && !read_number(field.value, thread.birth)) return false;
    if (field.key == "entry" && !read_number(field.value, thread.entry)) return false;
    if (field.key == "name") {  // the last field: a name may contain spaces
      std::string text(field.value);
      if (!rest.empty()) text.append(" ").append(rest);
      return append_unescaped(thread.name, text);
    }
  }
  return true;
}

bool read_thread(std::string_view rest, TraceThread& thread) {
  return read_fields_of_thread(rest, thread) && is_possible(thread);
}

bool read_object(std::string_view rest, TraceObject& object) {
  return read_number(take_word(rest), object.address) && append_unescaped(object.name, rest);
}

bool read_cycle(std::string_view rest, std::vector<ThreadId>& cycle) {
  while (!rest.empty())
    if (!read_number(take_word(rest), cycle.emplace_back())) return false;
  return true;
}

// The parser proper: one line at a time, the schedule collected over several.
struct Parser {
  Trace trace;
  std::string schedule;

  bool read_line(std::string_view key, std::string_view rest) {
    if (key == "program") return append_unescaped(trace.program, rest);
    if (key == "argument") return append_unescaped(trace.arguments.emplace_back(), rest);
    if (key == "build-id") return append_unescaped(trace.build_id, rest);
    if (key == "tool") return append_unescaped(trace.tool_version, rest);
    if (key == "setting") return append_unescaped(trace.run_settings.emplace_back(), rest);
    if (key == "failure") return read_failure(rest, trace.failure);
    if (key == "message") return append_unescaped(trace.failure.message, rest);
    if (key == "counts") return read_counts(rest, trace);
    if (key == "schedule") return read_schedule(rest);
    if (key == "module") return read_module(rest, trace.modules.emplace_back());
    if (key == "thread") return read_thread(rest, trace.threads.emplace_back());
    if (key == "step") return read_step(rest, trace.steps.emplace_back());
    if (key == "pending") return read_pending(rest, trace.ends.emplace_back());
    if (key == "cycle") return read_cycle(rest, trace.cycle);
    if (key == "critical") return read_critical(rest, trace.critical);
    if (key == "late") return read_step(rest, trace.critical.late.emplace());
    if (key == "object") return read_object(rest, trace.objects.emplace_back());
    if (key == "label")
      return !trace.objects.empty() && append_unescaped(trace.objects.back().label, rest);
    if (key == "frame")
      return !trace.objects.empty() && read_frame(rest, trace.objects.back().frame);
    if (key == "block") return !trace.objects.empty() && read_block(rest, trace.objects.back());
    if (key == "failure-stack") return read_addresses(rest, trace.failure_stack);
    if (key == "visible") return read_visible(rest, trace.visible_memory.emplace_back());
    if (key == "evidence") return read_evidence(rest, trace.evidence.emplace_back());
    if (key == "output") return append_unescaped(trace.output, rest);
    if (key == "resync") return append_unescaped(trace.resync, rest);
    return is_word(key);
  }

  bool read_schedule(std::string_view rest) {
    schedule.append(schedule.empty() ? "" : " ").append(rest);
    Schedule ignored;
    return schedule_is_sane(rest) && parse_schedule(rest, ignored);
  }

  static bool is_word(std::string_view key) {
    for (char c : key)
      if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '#')) return false;
    return true;
  }
};

std::string quoted(std::string_view text) {
  std::string out = "\"";
  trace_format::append_escaped(out, text.substr(0, 60));
  return out + (text.size() > 60 ? "…\"" : "\"");
}

bool read_header(std::string_view line, ParseError& error) {
  int version = 0;
  if (!line.starts_with(trace_format::kHeader)) {
    error = {1, "this is not a trace: the first line is not \"heddle-trace 1\""};
    return false;
  }
  if (!read_number(line.substr(trace_format::kHeader.size()), version)) {
    error = {1, "the version of the trace is not a number: " + quoted(line)};
    return false;
  }
  if (version != kTraceVersion) {
    error = {1, "the trace was written by " +
                    std::string(version < kTraceVersion ? "an older" : "a newer") +
                    " Heddle, in version " + std::to_string(version) +
                    " of the format; this one reads version " + std::to_string(kTraceVersion)};
    return false;
  }
  return true;
}

}  // namespace

std::optional<Trace> parse_trace(std::string_view text, ParseError& error) {
  if (!read_header(take_line(text), error)) return std::nullopt;
  Parser parser;
  bool ended = false;
  int number = 1;
  while (!text.empty() && !ended) {
    std::string_view line = take_line(text), rest = line;
    ++number;
    std::string_view key = take_word(rest);
    ended = key == trace_format::kEnd;
    if (!ended && !parser.read_line(key, rest)) {
      error = {number, (text.empty() ? "the trace is cut off in this line: " : "malformed line: ") +
                           quoted(line)};
      return std::nullopt;
    }
  }
  if (!ended) {
    error = {number, "the trace is cut off: there is no \"end\" line"};
    return std::nullopt;
  }
  if (!schedule_is_sane(parser.schedule) ||
      !parse_schedule(parser.schedule, parser.trace.schedule)) {
    error = {number, "the schedule is too long"};
    return std::nullopt;
  }
  return std::move(parser.trace);
}

}  // namespace heddle
