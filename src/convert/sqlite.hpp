// SQLite databases that somebody else wrote, read with suspicion.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rta/convert/convert.hpp"

namespace rta::convert {

/// A database that is only read: no SQL of the file runs (views, triggers and functions are refused), and a damaged page ends the reading.
/// Each function throws `io::InputError` naming the table.
class Database {
 public:
  explicit Database(const std::filesystem::path& path);
  /// From memory; `content` must outlive this.
  Database(std::string_view content, std::string name);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool has(const std::string& table) const;
  /// The names of all plain tables.
  [[nodiscard]] std::vector<std::string> tables() const;
  [[nodiscard]] std::vector<std::string> columns(const std::string& table) const;
  [[nodiscard]] sqlite3* handle() const { return handle_.get(); }
  [[noreturn]] void fail(const std::string& message) const;

 private:
  void prepare_for_strangers();

  struct Close {
    void operator()(sqlite3* handle) const { (void)sqlite3_close_v2(handle); }
  };
  std::string name_;
  std::unique_ptr<sqlite3, Close> handle_;
};

/// The rows of a table, with the columns in the order in which they were asked for.
class Rows {
 public:
  /// Columns that the table lacks are NULL in every row if their name begins with `?` (an older or newer schema), otherwise an error.
  Rows(const Database& database, const std::string& table, const std::vector<std::string>& columns);

  [[nodiscard]] bool next();
  [[nodiscard]] std::optional<std::int64_t> integer(int column) const;
  [[nodiscard]] std::int64_t integer_or(int column, std::int64_t standard) const { return integer(column).value_or(standard); }
  [[nodiscard]] std::string_view text(int column) const;
  /// A message about this row.
  [[noreturn]] void fail(const std::string& message) const;
  [[nodiscard]] io::Diagnostic fault(const std::string& message) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { (void)sqlite3_finalize(statement); }
  };
  const Database& database_;
  std::string table_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  std::uint64_t row_ = 0;
};

}  // namespace rta::convert
