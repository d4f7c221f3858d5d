// Trace to text; the format is described in trace_format.h.
#include <charconv>

#include "trace/trace.h"
#include "trace/trace_format.h"

namespace heddle {
namespace {

using trace_format::append_escaped;

void append_number(std::string& text, uint64_t number, int base = 10) {
  char digits[24];
  auto [end, error] = std::to_chars(digits, digits + sizeof digits, number, base);
  text.append(digits, end);
}

void append_field(std::string& text, std::string_view key, uint64_t number) {
  text.append(" ").append(key).append("=");
  append_number(text, number);
}

void append_hex(std::string& text, uint64_t number) {
  text += "0x";
  append_number(text, number, 16);
}

void append_field(std::string& text, std::string_view key, Address address) {
  if (address == kNoAddress) return;
  text.append(" ").append(key).append("=");
  append_hex(text, value(address));
}

void append_field(std::string& text, std::string_view key, ThreadId thread) {
  if (thread != kNoThread) append_field(text, key, index(thread));
}

void append_addresses(std::string& text, const std::vector<Address>& addresses) {
  for (size_t i = 0; i < addresses.size(); ++i) {
    if (i > 0) text += ',';
    append_hex(text, value(addresses[i]));
  }
}

void append_stack(std::string& text, const std::vector<Address>& stack) {
  if (stack.empty()) return;
  text += " stack=";
  append_addresses(text, stack);
}

void append_line(std::string& text, std::string_view key, std::string_view raw) {
  text.append(key).append(" ");
  append_escaped(text, raw);
  text += '\n';
}

void append_action(std::string& text, const Action& action) {
  text.append(name(action.op));
  append_field(text, "thread", action.thread);
  append_field(text, "object", action.object);
  append_field(text, "second", action.second);
  append_field(text, "pc", action.pc);
  if (action.size != 0) append_field(text, "size", uint64_t{action.size});
  if (action.order != MemoryOrder::None)
    append_field(text, "order", static_cast<uint64_t>(action.order));
}

void append_identity(std::string& text, const Trace& trace) {
  if (!trace.program.empty()) append_line(text, "program", trace.program);
  for (const std::string& argument : trace.arguments) append_line(text, "argument", argument);
  if (!trace.build_id.empty()) append_line(text, "build-id", trace.build_id);
  if (!trace.tool_version.empty()) append_line(text, "tool", trace.tool_version);
  for (const std::string& setting : trace.run_settings) append_line(text, "setting", setting);
}

void append_failure(std::string& text, const Trace& trace) {
  text.append("failure ").append(name(trace.failure.kind));
  append_field(text, "thread", trace.failure.thread);
  append_field(text, "pc", trace.failure.pc);
  append_field(text, "other", trace.failure.other);
  append_field(text, "object", trace.failure.object);
  if (trace.failure.size != 0) append_field(text, "size", uint64_t{trace.failure.size});
  if (trace.failure.knot != 0) append_field(text, "knot", trace.failure.knot);
  if (trace.failure.wait_status)
    append_field(text, "status", static_cast<uint64_t>(*trace.failure.wait_status));
  text += '\n';
  if (!trace.failure.message.empty()) append_line(text, "message", trace.failure.message);
  text += "counts";
  append_field(text, "execution", trace.execution);
  append_field(text, "occurrences", trace.occurrences);
  append_field(text, "preemptions", uint64_t{trace.preemptions});
  if (trace.cut_short) text += " cut-short";
  text += '\n';
}

// Broken into lines at a readable width.
void append_schedule(std::string& text, const Schedule& schedule) {
  constexpr size_t kWidth = 90;
  std::string all = to_string(schedule);
  std::string_view rest = all;
  while (!rest.empty()) {
    size_t cut = rest.size() <= kWidth ? std::string_view::npos : rest.find(' ', kWidth);
    text.append("schedule ").append(rest.substr(0, cut)).append("\n");
    rest.remove_prefix(cut == std::string_view::npos ? rest.size() : cut + 1);
  }
}

void append_surroundings(std::string& text, const Trace& trace) {
  for (const Module& module : trace.modules) {
    text += "module";
    append_field(text, "base", Address{module.base});
    append_field(text, "begin", Address{module.begin});
    append_field(text, "end", Address{module.end});
    text += " path=";
    append_escaped(text, module.path);
    text += '\n';
  }
  for (const TraceThread& thread : trace.threads) {
    text += "thread ";
    append_number(text, index(thread.id));
    append_field(text, "parent", thread.parent);
    append_field(text, "birth", uint64_t{thread.birth});
    append_field(text, "entry", thread.entry);
    if (!thread.name.empty()) {
      text += " name=";
      append_escaped(text, thread.name);
    }
    text += '\n';
  }
  for (const TraceObject& object : trace.objects) {
    text += "object ";
    append_hex(text, value(object.address));
    text += ' ';
    append_escaped(text, object.name);
    text += '\n';
    if (!object.label.empty()) append_line(text, "label", object.label);
    if (object.block != kNoAddress) {
      text += "block";
      append_field(text, "begin", object.block);
      append_field(text, "size", object.block_size);
      append_field(text, "pointer", object.pointer);
      text += '\n';
    }
    if (object.frame.pc == kNoAddress) continue;
    text += "frame";
    append_field(text, "thread", object.frame.thread);
    append_field(text, "pc", object.frame.pc);
    append_field(text, "begin", object.frame.begin);
    append_field(text, "end", object.frame.end);
    text += '\n';
  }
}

void append_step(std::string& text, const TraceStep& step, std::string_view note) {
  text += "step ";
  append_action(text, step.action);
  if (step.choice != 0) append_field(text, "choice", uint64_t{step.choice});
  if (step.choices != 1) append_field(text, "choices", uint64_t{step.choices});
  if (step.preempts) text += " preempts";
  append_stack(text, step.stack);
  if (!note.empty()) {
    text += trace_format::kNote;
    append_escaped(text, note);
  }
  text += '\n';
}

void append_ending(std::string& text, const Trace& trace) {
  for (const TraceThreadEnd& end : trace.ends) {
    text += "pending ";
    append_action(text, end.next);
    if (end.enabled) text += " enabled";
    append_field(text, "waits-for", end.waits_for);
    append_stack(text, end.stack);
    text += '\n';
  }
  if (!trace.cycle.empty()) {
    text += "cycle";
    for (ThreadId thread : trace.cycle) {
      text += ' ';
      append_number(text, index(thread));
    }
    text += '\n';
  }
  if (trace.critical.kind != CauseKind::None) {
    text.append("critical ")
        .append(trace_format::kCauses[static_cast<size_t>(trace.critical.kind)]);
    for (size_t step : trace.critical.steps) {
      text += ' ';
      append_number(text, step + 1);
    }
    text += '\n';
    if (trace.critical.late) {
      text += "late ";
      append_action(text, trace.critical.late->action);
      append_stack(text, trace.critical.late->stack);
      text += '\n';
    }
  }
  if (!trace.failure_stack.empty()) {
    text += "failure-stack ";
    append_addresses(text, trace.failure_stack);
    text += '\n';
  }
}

void append_evidence(std::string& text, const TraceEvidence& evidence) {
  text.append("evidence ").append(name(evidence.role)).append(" ");
  append_action(text, evidence.action);
  if (evidence.step != 0) append_field(text, "step", uint64_t{evidence.step});
  if (evidence.value) {
    text += " value=";
    append_hex(text, *evidence.value);
  }
  if (!evidence.locks.empty()) {
    text += " locks=";
    append_addresses(text, evidence.locks);
  }
  append_stack(text, evidence.stack);
  text += '\n';
}

// One text line per line of output.
void append_output(std::string& text, std::string_view output) {
  while (!output.empty()) {
    size_t newline = output.find('\n');
    size_t length = newline == std::string_view::npos ? output.size() : newline + 1;
    append_line(text, "output", output.substr(0, length));
    output.remove_prefix(length);
  }
}

}  // namespace

std::string to_text(const Trace& trace) {
  return to_text(trace, TraceNotes{});
}

std::string to_text(const Trace& trace, const TraceNotes& notes) {
  std::string text(trace_format::kHeader);
  append_number(text, kTraceVersion);
  text += '\n';
  append_identity(text, trace);
  append_failure(text, trace);
  append_schedule(text, trace.schedule);
  append_surroundings(text, trace);
  for (size_t i = 0; i < trace.steps.size(); ++i)
    append_step(text, trace.steps[i],
                i < notes.steps.size() ? notes.steps[i] : trace.steps[i].remark);
  append_ending(text, trace);
  for (const VisibleMemory& memory : trace.visible_memory) {
    text += "visible ";
    append_hex(text, value(memory.begin));
    text += ' ';
    append_number(text, memory.size);
    text += '\n';
  }
  for (const TraceEvidence& evidence : trace.evidence) append_evidence(text, evidence);
  append_output(text, trace.output);
  if (!trace.resync.empty()) append_line(text, "resync", trace.resync);
  text.append(trace_format::kEnd).append("\n");
  return text;
}

}  // namespace heddle
