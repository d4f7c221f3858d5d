#include "report/evidence.h"

#include <fmt/format.h>

#include <filesystem>

namespace heddle {
namespace {

std::string bytes(uint32_t size) {
  return fmt::format("{} byte{}", size, size == 1 ? "" : "s");
}

std::string_view past(Op op) {
  switch (op) {
    case Op::Read:
      return "read";
    case Op::Write:
      return "wrote";
    case Op::AtomicLoad:
      return "atomically loaded";
    default:
      return "atomically changed";
  }
}

std::string locks(Narrator& narrator, const TraceEvidence& evidence) {
  if (evidence.locks.empty()) return "holding no lock";
  std::string names;
  for (Address lock : evidence.locks)
    names += (names.empty() ? "" : " and ") + narrator.object_name(lock);
  return "holding " + names;
}

std::string where(Narrator& narrator, const TraceEvidence& evidence) {
  TraceStep step;
  step.action.pc = evidence.action.pc;
  step.action.op = Op::Read;
  step.stack = evidence.stack;
  std::string place = brief(narrator.place_of(step));
  return place.empty() ? "" : " at " + place;
}

}  // namespace

std::string evidence_line(Narrator& narrator, const TraceEvidence& evidence) {
  const Action& action = evidence.action;
  std::string who = narrator.thread_label(action.thread), at = where(narrator, evidence);
  if (evidence.role == "later-access")
    return fmt::format("{} {} {}{}, {}", who, verb(action.op), bytes(action.size), at,
                       locks(narrator, evidence));
  if (evidence.role == "earlier-access")
    return fmt::format("before that, {} {} {}{}, {}", who, past(action.op), bytes(action.size), at,
                       locks(narrator, evidence));
  if (evidence.role == "loop")
    return fmt::format("{} goes round and round: {}{}", who, narrator.description(action), at);
  return fmt::format("the block of {} was {} by {}{}", bytes(action.size), evidence.role, who, at);
}

std::string stack_lines(const std::vector<SourceFrame>& frames, size_t most) {
  std::string out;
  for (size_t i = 0; i < frames.size() && i < most; ++i) {
    const SourceFrame& frame = frames[i];
    out += fmt::format("  #{:<2} {}", i, frame.function.empty() ? "??" : frame.function);
    if (frame.has_source())
      out += fmt::format(" at {}:{}", std::filesystem::path(frame.file).filename().string(),
                         frame.line);
    out += frame.inlined ? " (inlined)\n" : "\n";
  }
  if (frames.size() > most) out += fmt::format("  … and {} more\n", frames.size() - most);
  return out;
}

std::string failure_message(Narrator& narrator) {
  const Failure& failure = narrator.trace().failure;
  std::string message = failure.message;
  if (failure.object == kNoAddress) return message;
  std::string address = fmt::format("{:#x}", value(failure.object));
  std::string name = narrator.object_name(failure.object);
  size_t at = message.find(" at " + address);
  if (name == address || at == std::string::npos) return message;
  const std::string where = narrator.location(failure.object);
  const bool of_frame = where.starts_with("variable `");
  return message.replace(at, 4 + address.size(),
                         of_frame ? " of " + where : fmt::format(" ({})", name));
}

std::string evidence_report(Narrator& narrator, const TextStyle& style) {
  constexpr size_t kMostFrames = 16;
  std::string out;
  for (const TraceEvidence& evidence : narrator.trace().evidence)
    if (evidence.role != "loop")
      out += '\n' + painted(evidence_line(narrator, evidence) + ':', Paint::Strong, style) + '\n' +
             stack_lines(narrator.stack(evidence.stack), kMostFrames);
  return out;
}

// One line per thread: what it does in each round, and where.
std::string loop_report(Narrator& narrator, const TextStyle& style) {
  std::string out;
  ThreadId last = kNoThread;
  for (const TraceEvidence& evidence : narrator.trace().evidence) {
    if (evidence.role != "loop") continue;
    if (out.empty()) out = '\n' + painted("going round and round:", Paint::Strong, style);
    if (evidence.action.thread == last)
      out += ',';
    else
      out += fmt::format("\n  {}", narrator.thread_label(evidence.action.thread));
    last = evidence.action.thread;
    out += ' ' + narrator.description(evidence.action) + where(narrator, evidence);
  }
  return out.empty() ? out : out + '\n';
}

}  // namespace heddle
