// A file of SQLite's. Nothing else knows SQLite.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace heddle {

class Database {
 public:
  enum class Access : uint8_t { Make, Write };
  static Result<Database> open(const std::string& file, Access access);

  Database(Database&& other) noexcept;
  Database& operator=(Database&&) = delete;
  ~Database();

  // One or more statements without values; false if one does not work.
  bool run(const char* statements);
  // Why the last one did not work.
  std::string complaint() const;

 private:
  friend class Query;
  Database(std::string file, sqlite3* handle) : file_(std::move(file)), handle_(handle) {}

  std::string file_;
  sqlite3* handle_;
};

// A statement with values, and its rows.
class Query {
 public:
  Query(Database& database, const char* statement);
  ~Query();
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  // The value of the next parameter.
  Query& with(int64_t number);
  Query& with(std::string_view bytes);

  bool next();  // goes to the next row; false: there is none, or something does not work
  bool done();  // for statements without rows, which may be used again then
  bool works() const { return works_; }

  // Of the row.
  int64_t number(int column) const;
  std::string bytes(int column) const;

 private:
  sqlite3_stmt* statement_ = nullptr;
  int parameters_ = 0;
  bool works_ = true;
};

}  // namespace heddle
