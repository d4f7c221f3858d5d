#include "cli/session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "strategies/item_bytes.h"

namespace heddle {
namespace {

constexpr int64_t kApplication = 0x48445331;  // "HDS1"
constexpr const char* kTables = R"(
  PRAGMA application_id = 0x48445331;
  BEGIN;
  CREATE TABLE session (key TEXT PRIMARY KEY, value BLOB NOT NULL);
  CREATE TABLE items (number INTEGER PRIMARY KEY, bound INTEGER NOT NULL, bytes BLOB NOT NULL);
  CREATE TABLE notes (number INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
  CREATE TABLE totals (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
  CREATE TABLE libraries (path TEXT PRIMARY KEY, build TEXT NOT NULL);
)";

struct HeadRow {
  const char* key;
  std::string SessionHead::*text;
};
constexpr HeadRow kTexts[] = {
    {"heddle", &SessionHead::heddle}, {"program", &SessionHead::program},
    {"build", &SessionHead::build},   {"strategy", &SessionHead::strategy},
    {"name", &SessionHead::name},     {"folder", &SessionHead::folder},
    {"files", &SessionHead::files},
};
struct ListRow {
  const char* key;
  std::vector<std::string> SessionHead::*list;
};
constexpr ListRow kLists[] = {{"words", &SessionHead::words},
                              {"environment", &SessionHead::environment}};

std::string bytes_of(const std::vector<std::string>& list) {
  BytesOut out;
  out.number(list.size());
  for (const std::string& text : list) {
    out.number(text.size());
    out.append(text);
  }
  return out.take();
}

bool read_list(std::string_view bytes, std::vector<std::string>& list) {
  BytesIn in(bytes);
  for (uint64_t left = in.count(); left > 0; --left) list.push_back(in.text());
  return in.done() && !in.damaged();
}

bool put(Database& database, const char* key, std::string_view value) {
  return Query(database, "INSERT OR REPLACE INTO session VALUES (CAST(? AS TEXT), ?)")
      .with(std::string_view(key))
      .with(value)
      .done();
}

bool get(Database& database, const char* key, std::string& value) {
  Query query(database, "SELECT value FROM session WHERE key = CAST(? AS TEXT)");
  if (!query.with(std::string_view(key)).next()) return false;
  value = query.bytes(0);
  return true;
}

bool fill(Database& database, const SessionHead& head) {
  bool works = database.run(kTables);
  for (const HeadRow& row : kTexts) works = works && put(database, row.key, head.*row.text);
  for (const ListRow& row : kLists)
    works = works && put(database, row.key, bytes_of(head.*row.list));
  const char none = static_cast<char>(SessionPhase::Begun);
  return works && put(database, "phase", {&none, 1}) && database.run("COMMIT");
}

Error taken(const std::string& file) {
  return Error{
      fmt::format("{} is there already; heddle resume {} goes on with a session, and a new "
                  "one needs a new file",
                  file, file)};
}

Error no_session(const std::string& file) {
  return Error{fmt::format("{} is no session of heddle check --session, or it is damaged", file)};
}

// Not through SQLite's own locks: they do not last, and whoever looks at the file needs some.
Result<FileDescriptor> lock(const std::string& file) {
  FileDescriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor.valid())
    return Error{fmt::format("cannot open {}: {}", file, std::strerror(errno))};
  // A process that was being started when its parent was killed has it for a moment.
  constexpr int kTries = 100;
  constexpr useconds_t kPause = 20'000;
  for (int tries = 0; flock(descriptor.get(), LOCK_EX | LOCK_NB) != 0; ++tries) {
    if (errno != EWOULDBLOCK || tries == kTries)
      return Error{fmt::format("{} belongs to a search that is going on", file)};
    usleep(kPause);
  }
  return descriptor;
}

}  // namespace

Result<Session> Session::create(const std::string& file, const SessionHead& head) {
  if (access(file.c_str(), F_OK) == 0) return taken(file);
  const std::string draft = fmt::format("{}.{}", file, getpid());
  // It holds the program's environment: nobody else's business.
  const FileDescriptor made(::open(draft.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600));
  if (!made.valid()) return Error{fmt::format("cannot write {}: {}", file, std::strerror(errno))};
  std::string complaint;
  {
    Result<Database> database = Database::open(draft, Database::Access::Make);
    if (!database)
      complaint = database.error().message;
    else if (!fill(*database, head))
      complaint = "cannot write " + database->complaint();
  }
  const bool named = complaint.empty() && link(draft.c_str(), file.c_str()) == 0;
  const int why = errno;
  unlink(draft.c_str());
  if (!complaint.empty()) return Error{complaint};
  if (!named && why == EEXIST) return taken(file);
  if (!named) return Error{fmt::format("cannot write {}: {}", file, std::strerror(why))};
  return open(file);
}

Result<Session> Session::open(const std::string& file) {
  Result<FileDescriptor> held = lock(file);
  if (!held) return held.error();
  Result<Database> database = Database::open(file, Database::Access::Write);
  if (!database) return database.error();
  Session session(file, std::move(*database), std::move(*held));
  if (!session.read()) return no_session(file);
  if (!session.database_.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL"))
    return Error{"cannot write " + session.database_.complaint()};
  return session;
}

Result<Session> Session::look(const std::string& file) {
  Result<Database> database = Database::open(file, Database::Access::Write);
  if (!database) return database.error();
  Session session(file, std::move(*database), FileDescriptor(-1));
  if (!session.read()) return no_session(file);
  return session;
}

// All of it as it was at one time.
bool Session::read() {
  if (!database_.run("BEGIN")) return false;
  const bool works = read_head();
  return database_.run("COMMIT") && works;
}

bool Session::read_head() {
  Query application(database_, "PRAGMA application_id");
  if (!application.next() || application.number(0) != kApplication) return false;
  Query check(database_, "PRAGMA quick_check");
  if (!check.next() || check.bytes(0) != "ok") return false;
  std::string text;
  for (const HeadRow& row : kTexts)
    if (!get(database_, row.key, head_.*row.text)) return false;
  for (const ListRow& row : kLists)
    if (!get(database_, row.key, text) || !read_list(text, head_.*row.list)) return false;
  if (!get(database_, "phase", text) || text.size() != 1) return false;
  if (text[0] < 0 || text[0] > static_cast<char>(SessionPhase::Alone)) return false;
  phase_ = static_cast<SessionPhase>(text[0]);

  Query totals(database_, "SELECT name, value FROM totals");
  while (totals.next()) totals_[totals.bytes(0)] = static_cast<uint64_t>(totals.number(1));
  Query libraries(database_, "SELECT path, build FROM libraries");
  while (libraries.next()) libraries_.push_back({libraries.bytes(0), libraries.bytes(1)});
  SessionOutcome outcome;
  if (get(database_, "verdict", outcome.verdict) && get(database_, "reason", outcome.reason) &&
      get(database_, "executions", text)) {
    outcome.executions = BytesIn(text).number();
    outcome_ = std::move(outcome);
  }
  return totals.works() && libraries.works();
}

uint64_t Session::total(const std::string& name) const {
  const auto found = totals_.find(name);
  return found == totals_.end() ? 0 : found->second;
}

uint64_t Session::item_count() {
  Query query(database_, "SELECT count(*) FROM items");
  return query.next() ? static_cast<uint64_t>(query.number(0)) : 0;
}

Result<SessionRest> Session::rest() {
  SessionRest rest;
  std::string names;
  DivisionMessage message;
  if (!get(database_, "names", names) || !from_bytes(names, message)) return no_session(file_);
  rest.names = std::move(message.names);
  Query items(database_, "SELECT number, bound, bytes FROM items ORDER BY number");
  while (items.next())
    rest.items.push_back({static_cast<uint32_t>(items.number(1)), items.bytes(2),
                          static_cast<uint64_t>(items.number(0))});
  Query notes(database_, "SELECT bytes FROM notes ORDER BY number");
  while (notes.next()) rest.notes.push_back(notes.bytes(0));
  if (!items.works() || !notes.works()) return no_session(file_);
  return rest;
}

template <class Action>
Result<bool> Session::in_one_transaction(Action action) {
  if (database_.run("BEGIN IMMEDIATE") && action() && database_.run("COMMIT")) return true;
  Error error{"cannot write " + database_.complaint()};
  database_.run("ROLLBACK");
  return error;
}

bool Session::write_step(const SessionStep& step) {
  Query remove(database_, "DELETE FROM items WHERE number = ?");
  for (const WorkItem& item : step.share)
    if (!remove.with(static_cast<int64_t>(item.number)).done()) return false;
  Query insert(database_, "INSERT INTO items VALUES (?, ?, ?)");
  for (const WorkItem& item : step.added)
    if (!insert.with(static_cast<int64_t>(item.number))
             .with(static_cast<int64_t>(item.bound))
             .with(std::string_view(item.bytes))
             .done())
      return false;
  if (!step.notes.empty() && !Query(database_, "INSERT INTO notes (bytes) VALUES (?)")
                                  .with(std::string_view(step.notes))
                                  .done())
    return false;
  Query total(database_, "INSERT OR REPLACE INTO totals VALUES (CAST(? AS TEXT), ?)");
  for (const auto& [name, value] : step.totals)
    if (!total.with(std::string_view(name)).with(static_cast<int64_t>(value)).done()) return false;
  return true;
}

bool Session::write_phase(SessionPhase phase) {
  phase_ = phase;
  const char byte = static_cast<char>(phase);
  return put(database_, "phase", {&byte, 1});
}

Result<bool> Session::begin(const std::vector<ThreadName>& names, const SessionStep& step,
                            const std::vector<SessionLibrary>& libraries) {
  return in_one_transaction([&] {
    for (const SessionLibrary& library : libraries)
      if (!Query(database_,
                 "INSERT OR REPLACE INTO libraries VALUES (CAST(? AS TEXT), CAST(? AS TEXT))")
               .with(std::string_view(library.path))
               .with(std::string_view(library.build))
               .done())
        return false;
    return write_step(step) && put(database_, "names", to_bytes({names, {}})) &&
           write_phase(SessionPhase::Shared);
  });
}

Result<bool> Session::take(const SessionStep& step) {
  return in_one_transaction([&] { return write_step(step); });
}

Result<bool> Session::go_alone() {
  return in_one_transaction([&] {
    return database_.run("DELETE FROM items; DELETE FROM notes; DELETE FROM totals") &&
           write_phase(SessionPhase::Alone);
  });
}

Result<bool> Session::end(const SessionOutcome& outcome) {
  BytesOut executions;
  executions.number(outcome.executions);
  return in_one_transaction([&] {
    outcome_ = outcome;
    return put(database_, "verdict", outcome.verdict) && put(database_, "reason", outcome.reason) &&
           put(database_, "executions", executions.take());
  });
}

}  // namespace heddle
