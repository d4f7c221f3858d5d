#include "cli/session_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/exit_status.h"
#include "cli/run.h"
#include "report/run_result.h"
#include "report/text_report.h"
#include "report/text_style.h"

namespace heddle {
namespace {

constexpr const char* kPhases[] = {"not begun", "divided", "in one process"};

uint64_t executions(const Session& session) {
  if (session.outcome()) return session.outcome()->executions;
  const uint64_t all = session.total("executions");
  return all - std::min(all, session.total("apart"));
}

double seconds_of(const Session& session) {
  return 1e-3 * static_cast<double>(session.total("milliseconds"));
}

std::string state(const Session& session) {
  if (session.outcome())
    return fmt::format("ended: {} ({})", session.outcome()->verdict, session.outcome()->reason);
  const std::string file = file_word(session.file());
  switch (session.phase()) {
    case SessionPhase::Begun:
      return fmt::format("nothing is done yet; heddle resume {} begins", file);
    case SessionPhase::Shared:
      return fmt::format("not ended; heddle resume {} goes on", file);
    case SessionPhase::Alone:
      break;
  }
  return fmt::format("cannot be divided any more; heddle resume {} makes it in one process", file);
}

}  // namespace

std::string session_text(Session& session) {
  const SessionHead& head = session.head();
  return fmt::format(
      "program:    {}\nstrategy:   {}\nexecutions: {} so far\nitems:      {} open\n"
      "time:       {:.1f} s\nsearch:     {}\n",
      head.program, head.strategy, grouped(executions(session)), grouped(session.item_count()),
      seconds_of(session), state(session));
}

std::string session_json(Session& session) {
  const SessionHead& head = session.head();
  nlohmann::ordered_json json{{"program", head.program},
                              {"strategy", head.strategy},
                              {"executions", executions(session)},
                              {"items", session.item_count()},
                              {"seconds", seconds_of(session)},
                              {"search", kPhases[static_cast<size_t>(session.phase())]},
                              {"verdict", nullptr},
                              {"end_reason", nullptr}};
  if (session.outcome()) {
    json["verdict"] = session.outcome()->verdict;
    json["end_reason"] = session.outcome()->reason;
  }
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

int session_exit_status(const Session& session) {
  if (session.outcome())
    for (const Verdict verdict : {Verdict::Pass, Verdict::Fail})
      if (session.outcome()->verdict == name(verdict)) return exit_status(verdict);
  return kExitUnknown;
}

}  // namespace heddle
