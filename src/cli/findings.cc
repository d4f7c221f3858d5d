#include "cli/findings.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>

#include "channel/finding_record.h"
#include "cli/output_file.h"
#include "cli/seal.h"
#include "report/annotate.h"
#include "report/narrator.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

bool setting_number(std::string_view text, uint64_t& number) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

Result<std::string> read_whole(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return Error{fmt::format("there is no trace file {}", path)};
  if (!fs::is_regular_file(path, error)) return Error{fmt::format("{} is not a trace file", path)};
  FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return Error{fmt::format("cannot read {}: {}", path, std::strerror(errno))};
  std::string text;
  char buffer[1 << 14];
  while (size_t got = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, got);
  std::fclose(file);
  return text;
}

}  // namespace

std::vector<Trace> collect_findings(std::string_view mailbox, std::vector<std::string>& notes) {
  std::map<uint32_t, ReadRecord> last;  // by number
  while (std::optional<ReadRecord> record = take_record(mailbox))
    last[record->head.number] = *record;
  if (!mailbox.empty())
    notes.push_back(fmt::format("what was said about findings is damaged ({} bytes left unread)",
                                mailbox.size()));
  std::vector<Trace> traces;
  for (const auto& [number, record] : last) {
    const RecordStage stage = record.head.stage;
    if (stage == RecordStage::Question || stage == RecordStage::Withdrawn) continue;
    ParseError error;
    if (std::optional<Trace> trace = parse_trace(record.trace, error))
      traces.push_back(std::move(*trace));
    else
      notes.push_back(fmt::format("the trace of finding {} is damaged (line {}: {})", number,
                                  error.line, error.message));
  }
  return traces;
}

std::optional<Trace> last_question(std::string_view mailbox) {
  std::optional<ReadRecord> last;
  while (std::optional<ReadRecord> record = take_record(mailbox)) last = record;
  ParseError ignored;
  if (!last || last->head.stage != RecordStage::Question) return std::nullopt;
  return parse_trace(last->trace, ignored);
}

namespace {

constexpr std::pair<std::string_view, Timeouts> kTimeouts[] = {
    {"explore", Timeouts::Explore}, {"last", Timeouts::Last}, {"never", Timeouts::Never}};

std::string_view name_of(Timeouts wanted) {
  for (const auto& [name, timeouts] : kTimeouts)
    if (timeouts == wanted) return name;
  return "";
}

bool timeouts_from(std::string_view wanted, Timeouts& result) {
  for (const auto& [name, timeouts] : kTimeouts) {
    if (name != wanted) continue;
    result = timeouts;
    return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> settings_of(const RunOptions& options) {
  return {options.visible == Visible::All ? "visible=all" : "visible=sync",
          options.races == Races::Off ? "races=off" : "races=report",  // exploring is in the trace
          options.volatiles == Volatiles::Relaxed ? "volatile=relaxed" : "volatile=plain",
          options.memory_errors ? "memory=report" : "memory=off",
          options.leaks ? "leaks=report" : "leaks=off",
          options.blocked_at_exit ? "blocked-at-exit=report" : "blocked-at-exit=off",
          options.isolation == Isolation::Fork ? "isolation=fork" : "isolation=reset",
          options.blocking == Blocking::Attempt ? "blocking=attempt" : "blocking=wait",
          options.sees_done_once ? "once=always" : "once=undone",
          options.equivalence == Equivalence::ReadsFrom ? "equivalence=reads-from"
                                                        : "equivalence=order",
          fmt::format("timeouts={}", name_of(options.timeouts)),
          fmt::format("early-timeouts={}", options.early_timeouts),
          fmt::format("spurious={}", options.spurious),
          fmt::format("entry={}", options.entry),
          fmt::format("max-steps={}", options.max_steps)};
}

bool apply_settings(const std::vector<std::string>& settings, RunOptions& options) {
  for (std::string_view setting : settings) {
    // The command that replays looks for functions and directories itself.
    Property ignored;
    if (property_from_setting(setting, "", ignored) || setting.starts_with(kScratchSetting) ||
        setting.starts_with(kNameSetting) || setting.starts_with(kSealSetting))
      continue;
    if (setting == "visible=all") {
      options.visible = Visible::All;
    } else if (setting == "visible=sync") {
      options.visible = Visible::Sync;
    } else if (setting == "volatile=plain" || setting == "volatile=relaxed") {
      options.volatiles = setting == "volatile=plain" ? Volatiles::Plain : Volatiles::Relaxed;
    } else if (setting == "memory=report" || setting == "memory=off") {
      options.memory_errors = setting == "memory=report";
    } else if (setting == "leaks=report" || setting == "leaks=off") {
      options.leaks = setting == "leaks=report";
    } else if (setting == "blocked-at-exit=report" || setting == "blocked-at-exit=off") {
      options.blocked_at_exit = setting == "blocked-at-exit=report";
    } else if (setting == "races=off") {
      options.races = Races::Off;
    } else if (setting == "races=report") {
      options.races = Races::Report;
    } else if (setting == "isolation=fork") {
      options.isolation = Isolation::Fork;
    } else if (setting == "isolation=reset") {
      options.isolation = Isolation::Reset;
    } else if (setting == "blocking=attempt") {
      options.blocking = Blocking::Attempt;
    } else if (setting == "blocking=wait") {
      options.blocking = Blocking::Wait;
    } else if (setting == "once=always" || setting == "once=undone") {
      options.sees_done_once = setting == "once=always";
    } else if (setting == "equivalence=reads-from") {
      options.equivalence = Equivalence::ReadsFrom;
    } else if (setting == "equivalence=order") {
      options.equivalence = Equivalence::Mazurkiewicz;
    } else if (setting.starts_with("timeouts=")) {
      if (!timeouts_from(setting.substr(9), options.timeouts)) return false;
    } else if (setting.starts_with("early-timeouts=")) {
      uint64_t number = 0;
      if (!setting_number(setting.substr(15), number) || number > UINT32_MAX) return false;
      options.early_timeouts = static_cast<uint32_t>(number);
    } else if (setting.starts_with("spurious=")) {
      uint64_t number = 0;
      if (!setting_number(setting.substr(9), number) || number > UINT32_MAX) return false;
      options.spurious = static_cast<uint32_t>(number);
    } else if (setting.starts_with("entry=")) {
      if (!setting_number(setting.substr(6), options.entry)) return false;
    } else if (!setting.starts_with("max-steps=") ||
               !setting_number(setting.substr(10), options.max_steps)) {
      return false;
    }
  }
  return true;
}

void identify(Trace& trace, const Program& program, const Target& target,
              const RunOptions& options) {
  trace.program = program.path;
  for (Module& module : trace.modules)
    if (module.path.empty()) module.path = program.path;
  trace.arguments = target.arguments;
  trace.build_id = program.identity;
  trace.tool_version = HEDDLE_VERSION;
  trace.run_settings = settings_of(options);
  for (const Property& property : target.properties)
    trace.run_settings.push_back(to_setting(property));
  for (const std::string& directory : target.scratch)
    trace.run_settings.push_back(std::string(kScratchSetting) + directory);
  if (!target.name.empty() && target.name != program.path)
    trace.run_settings.push_back(std::string(kNameSetting) + target.name);
  trace.failure.message = Narrator(trace).message();
}

std::string write_trace(Trace& trace, const std::string& directory, const std::string& name,
                        size_t number, RunResult& result) {
  std::error_code error;
  fs::create_directories(directory, error);
  fs::path path = fs::path(directory) / fmt::format("{}.{}.heddle-trace", name, number);
  std::string shown = directory == "." ? path.filename().string() : path.string();
  Result<OutputFile> file = OutputFile::open(shown);
  if (!file) {
    result.notes.push_back(file.error().message + "; choose another place with --trace-dir");
    return "";
  }
  seal(trace);
  Result<bool> written = file->write(to_text(trace, annotate(trace)));
  if (written) return shown;
  result.lost = written.error().message;
  fs::remove(shown, error);  // part of it would be of no use
  return "";
}

Result<Trace> read_trace(const std::string& path) {
  Result<std::string> text = read_whole(path);
  if (!text) return text.error();
  ParseError error;
  std::optional<Trace> trace = parse_trace(*text, error);
  if (!trace)
    return Error{fmt::format("{}:{}: {}; run heddle check again for a new trace", path, error.line,
                             error.message)};
  return std::move(*trace);
}

}  // namespace heddle
