#include "report/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
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
  std::string place = brief(narrator.place_of(evidence));
  return place.empty() ? "" : " at " + place;
}

// Where a function has no name, the file that it is in has one.
std::string frame_line(size_t number, const SourceFrame& frame) {
  std::string line = fmt::format("  #{:<2} ", number);
  if (!frame.function.empty())
    line += frame.function;
  else
    line += frame.module.empty() ? "??" : "in " + frame.module;
  if (frame.has_source())
    line +=
        fmt::format(" at {}:{}", std::filesystem::path(frame.file).filename().string(), frame.line);
  return line + (frame.inlined ? " (inlined)\n" : "\n");
}

// The C++ library calls abort on behalf of a program that has broken one of its rules.
bool destroys_running_thread(Narrator& narrator) {
  if (narrator.trace().failure.kind != FindingKind::Abort) return false;
  const std::vector<SourceFrame> frames = narrator.failure_stack();
  return std::any_of(frames.begin(), frames.end(), [](const SourceFrame& frame) {
    return frame.function.starts_with("std::thread::~thread");
  });
}

}  // namespace

std::string evidence_line(Narrator& narrator, const TraceEvidence& evidence) {
  const Action& action = evidence.action;
  std::string who = narrator.thread_label(action.thread), at = where(narrator, evidence);
  switch (evidence.role) {
    case EvidenceRole::LaterAccess:
      return fmt::format("{} {} {}{}, {}", who, verb(action.op), bytes(action.size), at,
                         locks(narrator, evidence));
    case EvidenceRole::EarlierAccess:
      return fmt::format("before that, {} {} {}{}, {}", who, past(action.op), bytes(action.size),
                         at, locks(narrator, evidence));
    case EvidenceRole::Loop:
      return fmt::format("{} repeats for ever: {}{}", who, narrator.description(action), at);
    case EvidenceRole::BadAccess:
      return fmt::format("{} {} {}{}, {}", who, verb(action.op),
                         narrator.object_name(action.object), at, locks(narrator, evidence));
    case EvidenceRole::BadFree:
      return fmt::format("{} frees {}{}, {}", who, narrator.object_name(action.object), at,
                         locks(narrator, evidence));
    case EvidenceRole::Allocated:
    case EvidenceRole::Freed:
      break;
  }
  return fmt::format("the block of {} was {} by {}{}", bytes(action.size), name(evidence.role), who,
                     at);
}

std::string stack_lines(const std::vector<SourceFrame>& frames, size_t most,
                        const TextStyle& style) {
  auto own = [](const SourceFrame& frame) { return !frame.of_system; };
  const bool folds = !style.full && std::any_of(frames.begin(), frames.end(), own);
  std::string out;
  size_t shown = 0;
  for (size_t i = 0; i < frames.size(); ++i) {
    size_t end = i;
    while (folds && end < frames.size() && frames[end].of_system) ++end;
    if (end > i + 1) {
      out += painted(fmt::format("  … {} frames of libraries (--full shows them)\n", end - i),
                     Paint::Faint, style);
      i = end - 1;
      continue;
    }
    if (shown++ == most) return out + fmt::format("  … and {} more\n", frames.size() - i);
    out += frame_line(i, frames[i]);
  }
  return out;
}

std::string failure_message(Narrator& narrator) {
  const Failure& failure = narrator.trace().failure;
  std::string message = failure.message;
  if (destroys_running_thread(narrator))
    return "a std::thread is destroyed that was neither joined nor detached (std::terminate)";
  constexpr std::string_view kAt = " at 0x";
  const size_t at = message.find(kAt);
  if (failure.object == kNoAddress || at == std::string::npos) return message;
  const size_t digits = at + kAt.size();
  const size_t end =
      std::min(message.find_first_not_of("0123456789abcdef", digits), message.size());
  uint64_t address = 0;
  std::from_chars(message.data() + digits, message.data() + end, address, 16);
  const std::string name = narrator.object_name(Address{address});
  if (name.starts_with("0x")) return message;
  if (narrator.is_unnamed_block(Address{address})) return message.erase(at, end - at);
  if (const std::string local = narrator.local_variable(Address{address}); !local.empty())
    return message.replace(at, end - at, " of " + local);
  return message.replace(at, end - at, fmt::format(" ({})", name));
}

std::string evidence_report(Narrator& narrator, const TextStyle& style) {
  constexpr size_t kMostFrames = 16;
  std::string out;
  for (const TraceEvidence& evidence : narrator.trace().evidence)
    if (evidence.role != EvidenceRole::Loop && !info(evidence.role).is_bad)
      out += '\n' + painted(evidence_line(narrator, evidence) + ':', Paint::Strong, style) + '\n' +
             stack_lines(narrator.stack(evidence.stack), kMostFrames, style);
  return out;
}

// One line per thread: what it does in each round, and where.
std::string loop_report(Narrator& narrator, const TextStyle& style) {
  std::string out;
  ThreadId last = kNoThread;
  for (const TraceEvidence& evidence : narrator.trace().evidence) {
    if (evidence.role != EvidenceRole::Loop) continue;
    if (out.empty()) out = '\n' + painted("repeated for ever:", Paint::Strong, style);
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
