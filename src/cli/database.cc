#include "cli/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <utility>

namespace heddle {
namespace {

constexpr int kWaitMilliseconds = 10'000;  // for somebody else's transaction

}  // namespace

Result<Database> Database::open(const std::string& file, Access access) {
  const int create = access == Access::Make ? SQLITE_OPEN_CREATE : 0;
  sqlite3* handle = nullptr;
  const int status =
      sqlite3_open_v2(file.c_str(), &handle, SQLITE_OPEN_READWRITE | create, nullptr);
  Database database(file, handle);
  if (status != SQLITE_OK)
    return Error{fmt::format("cannot open {}: {}", file, sqlite3_errmsg(handle))};
  sqlite3_busy_timeout(handle, kWaitMilliseconds);
  return database;
}

Database::Database(Database&& other) noexcept
    : file_(std::move(other.file_)), handle_(std::exchange(other.handle_, nullptr)) {}

Database::~Database() {
  sqlite3_close(handle_);
}

bool Database::run(const char* statements) {
  return sqlite3_exec(handle_, statements, nullptr, nullptr, nullptr) == SQLITE_OK;
}

std::string Database::complaint() const {
  return fmt::format("{}: {}", file_, sqlite3_errmsg(handle_));
}

Query::Query(Database& database, const char* statement) {
  works_ = sqlite3_prepare_v2(database.handle_, statement, -1, &statement_, nullptr) == SQLITE_OK;
}

Query::~Query() {
  sqlite3_finalize(statement_);
}

Query& Query::with(int64_t number) {
  works_ = works_ && sqlite3_bind_int64(statement_, ++parameters_, number) == SQLITE_OK;
  return *this;
}

// The bytes stay where they are until the statement has been run.
Query& Query::with(std::string_view bytes) {
  const char* begin = bytes.empty() ? "" : bytes.data();  // null would be no value
  works_ = works_ && sqlite3_bind_blob64(statement_, ++parameters_, begin, bytes.size(),
                                         SQLITE_STATIC) == SQLITE_OK;
  return *this;
}

bool Query::next() {
  if (!works_) return false;
  const int status = sqlite3_step(statement_);
  works_ = status == SQLITE_ROW || status == SQLITE_DONE;
  return status == SQLITE_ROW;
}

bool Query::done() {
  while (next()) continue;
  if (statement_ != nullptr) sqlite3_reset(statement_);
  parameters_ = 0;
  return works_;
}

int64_t Query::number(int column) const {
  return sqlite3_column_int64(statement_, column);
}

std::string Query::bytes(int column) const {
  const void* begin = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  return begin == nullptr ? "" : std::string(static_cast<const char*>(begin), size);
}

}  // namespace heddle
