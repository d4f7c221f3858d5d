// A search that outlives its processes: what --session=FILE keeps, in a file of SQLite's.
//
// The items of a divided search (explore/divisible.h) and the sums over what is done are in it.
// What came of a share replaces the share in one transaction; so whoever is killed, whenever, the
// file tells of a part of the search that is done and of the rest, and nothing is lost or counted
// twice.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/database.h"
#include "cli/file_descriptor.h"
#include "cli/result.h"
#include "strategies/division_bytes.h"
#include "strategies/work_pool.h"

namespace heddle {

// Which search it is. All of it must be the same when it goes on.
struct SessionHead {
  std::string heddle;   // version and build
  std::string program;  // its path
  std::string build;    // its build id
  std::string strategy;
  std::string name;                      // what reports call the program
  std::string folder;                    // where the command was given
  std::vector<std::string> words;        // of the command, behind "check"
  std::vector<std::string> environment;  // of the program
  std::string files;                     // a fingerprint of what the words refer to
};

enum class SessionPhase : uint8_t {
  Begun,   // nothing is known yet
  Shared,  // it is divided: there are items
  Alone,   // it cannot be, and one process does all of it
};

// Executions and the like, by name.
using SessionTotals = std::map<std::string, uint64_t>;

struct SessionLibrary {
  std::string path;
  std::string build;
};

// What a process needs to go on with a divided search.
struct SessionRest {
  std::vector<ThreadName> names;
  std::vector<WorkItem> items;
  std::vector<std::string> notes;  // for the stems, in order
};

struct SessionOutcome {
  std::string verdict;
  std::string reason;
  uint64_t executions = 0;
};

// In place of a share of the items: what came of it.
struct SessionStep {
  const WorkPool::Share& share;
  const std::vector<WorkItem>& added;
  const std::string& notes;
  const SessionTotals& totals;
};

class Session {
 public:
  // There must be no such file yet. It is complete from the moment that it has its name.
  static Result<Session> create(const std::string& file, const SessionHead& head);
  // To go on with it: nobody else may meanwhile.
  static Result<Session> open(const std::string& file);
  // To look at it.
  static Result<Session> look(const std::string& file);

  const std::string& file() const { return file_; }
  const SessionHead& head() const { return head_; }
  SessionPhase phase() const { return phase_; }
  const std::optional<SessionOutcome>& outcome() const { return outcome_; }
  const SessionTotals& totals() const { return totals_; }
  const std::vector<SessionLibrary>& libraries() const { return libraries_; }
  uint64_t total(const std::string& name) const;
  uint64_t item_count();

  Result<SessionRest> rest();

  // The search has been divided for the first time, as the step says, whose share is empty.
  Result<bool> begin(const std::vector<ThreadName>& names, const SessionStep& step,
                     const std::vector<SessionLibrary>& libraries);
  Result<bool> take(const SessionStep& step);
  // One process makes the whole search.
  Result<bool> go_alone();
  Result<bool> end(const SessionOutcome& outcome);

 private:
  Session(std::string file, Database database, FileDescriptor lock)
      : file_(std::move(file)), lock_(std::move(lock)), database_(std::move(database)) {}

  bool read();
  bool read_head();
  bool write_step(const SessionStep& step);
  bool write_phase(SessionPhase phase);
  template <class Action>
  Result<bool> in_one_transaction(Action action);

  std::string file_;
  FileDescriptor lock_;  // ends with the process
  Database database_;
  SessionHead head_;
  SessionPhase phase_ = SessionPhase::Begun;
  std::optional<SessionOutcome> outcome_;
  SessionTotals totals_;
  std::vector<SessionLibrary> libraries_;
};

}  // namespace heddle
