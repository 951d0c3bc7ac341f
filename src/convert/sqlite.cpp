#include "sqlite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <set>
#include <string>
#include <system_error>

#include "names.hpp"
#include "notes.hpp"

namespace rta::convert {
namespace {

// Only plain reading is allowed: whatever else the schema of a strange file would run is refused.
int authorize(void* /*context*/, int action, const char* /*a*/, const char* /*b*/, const char* /*c*/, const char* /*d*/) {
  return action == SQLITE_SELECT || action == SQLITE_READ ? SQLITE_OK : SQLITE_DENY;
}

// The path as a URI that opens without locks and journals, so that files in folders without permission to write can be read.
std::string uri_of(const std::filesystem::path& path) {
  std::string uri = "file:";
  for (const char c : path.string()) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || c == '/' ||
                       c == '.' || c == '-' || c == '_';
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri + "?immutable=1";
}

std::string identifier(std::string_view name) {
  std::string quoted(1, '"');
  for (const char c : name) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

// SQLite reads a file that was cut short as if the rest were empty: what the header says of its length has to be there.
bool is_cut(std::string_view header, std::uint64_t size) {
  constexpr std::size_t least = 100;
  if (header.size() < least || !header.starts_with("SQLite format 3")) return false;  // SQLite says what it is not
  const auto number = [&](std::size_t at, std::size_t bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value = value << 8U | static_cast<unsigned char>(header[at + i]);
    return value;
  };
  const std::uint64_t page = number(16, 2) == 1 ? 65'536 : number(16, 2);
  const bool known = number(24, 4) == number(92, 4);  // else whoever wrote last did not keep the number of pages
  return size % std::max<std::uint64_t>(page, 1) != 0 || (known && size < page * number(28, 4));
}

}  // namespace

Database::Database(const std::filesystem::path& path) : name_(path.string()) {
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  std::string header(100, '\0');
  std::ifstream(path, std::ios::binary).read(header.data(), static_cast<std::streamsize>(header.size()));
  if (!unknown && is_cut(header, size)) fail("the database is cut short");
  sqlite3* opened = nullptr;
  const int status = sqlite3_open_v2(uri_of(path).c_str(), &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  handle_.reset(opened);
  if (status != SQLITE_OK) fail(fmt::format("cannot be opened: {}", sqlite3_errstr(status)));
  prepare_for_strangers();
}

Database::Database(std::string_view content, std::string name) : name_(std::move(name)) {
  if (is_cut(content.substr(0, 100), content.size())) fail("the database is cut short");
  sqlite3* opened = nullptr;
  const int status = sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  handle_.reset(opened);
  if (status != SQLITE_OK) fail(fmt::format("cannot be opened: {}", sqlite3_errstr(status)));
  const auto size = static_cast<sqlite3_int64>(content.size());
  // Not written to: SQLITE_DESERIALIZE_READONLY.
  auto* bytes = reinterpret_cast<unsigned char*>(const_cast<char*>(content.data()));
  if (sqlite3_deserialize(opened, "main", bytes, size, size, SQLITE_DESERIALIZE_READONLY) != SQLITE_OK) fail("is no SQLite database");
  prepare_for_strangers();
}

void Database::prepare_for_strangers() {
  sqlite3* const db = handle_.get();
  (void)sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  (void)sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  (void)sqlite3_exec(db, "PRAGMA cell_size_check=ON", nullptr, nullptr, nullptr);
  (void)sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1 << 24);
  (void)sqlite3_limit(db, SQLITE_LIMIT_VDBE_OP, 100'000);
  (void)sqlite3_set_authorizer(db, authorize, nullptr);
}

void Database::fail(const std::string& message) const { refuse(name_, message); }

bool Database::has(const std::string& table) const {
  Rows rows(*this, "sqlite_schema", {"type", "name", "sql"});
  while (rows.next()) {
    if (rows.text(0) != "table" || rows.text(1) != table) continue;
    if (!rows.text(2).starts_with("CREATE TABLE")) fail(fmt::format("table {}: is no plain table", table));
    return true;
  }
  return false;
}

std::vector<std::string> Database::tables() const {
  std::vector<std::string> names;
  Rows rows(*this, "sqlite_schema", {"type", "name", "sql"});
  while (rows.next()) {
    if (rows.text(0) == "table" && rows.text(2).starts_with("CREATE TABLE")) names.emplace_back(rows.text(1));
  }
  return names;
}

std::vector<std::string> Database::columns(const std::string& table) const {
  sqlite3_stmt* prepared = nullptr;
  const std::string sql = "SELECT * FROM " + identifier(table);
  const int status = sqlite3_prepare_v2(handle(), sql.c_str(), static_cast<int>(sql.size()), &prepared, nullptr);
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(prepared, sqlite3_finalize);
  if (status != SQLITE_OK) fail(fmt::format("table {}: {}", one_line(table, 60), one_line(sqlite3_errmsg(handle()), 200)));
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(sqlite3_column_count(prepared)));
  for (int i = 0; i < sqlite3_column_count(prepared); ++i) names.emplace_back(sqlite3_column_name(prepared, i));
  return names;
}

Rows::Rows(const Database& database, const std::string& table, const std::vector<std::string>& columns)
    : database_(database), table_(table) {
  const auto prepare = [&](const std::string& sql) {
    sqlite3_stmt* prepared = nullptr;
    if (sqlite3_prepare_v2(database.handle(), sql.c_str(), static_cast<int>(sql.size()), &prepared, nullptr) != SQLITE_OK) {
      database.fail(fmt::format("table {}: {}", table, one_line(sqlite3_errmsg(database.handle()), 200)));
    }
    statement_.reset(prepared);
  };
  prepare("SELECT * FROM " + identifier(table));
  std::set<std::string, std::less<>> known;
  for (int i = 0; i < sqlite3_column_count(statement_.get()); ++i) known.insert(sqlite3_column_name(statement_.get(), i));
  std::string wanted;
  for (const std::string& column : columns) {
    const bool optional = column.starts_with('?');
    const std::string name = column.substr(optional ? 1 : 0);
    if (!known.contains(name) && !optional) database.fail(fmt::format("table {}: its column {} is missing", table, name));
    wanted += (wanted.empty() ? "" : ", ") + (known.contains(name) ? identifier(name) : std::string("NULL"));
  }
  prepare("SELECT " + wanted + " FROM " + identifier(table));
}

bool Rows::next() {
  const int status = sqlite3_step(statement_.get());
  if (status == SQLITE_ROW) {
    ++row_;
    return true;
  }
  if (status != SQLITE_DONE)
    database_.fail(fmt::format("table {}, after row {}: {}", table_, row_, one_line(sqlite3_errmsg(database_.handle()), 200)));
  return false;
}

std::optional<std::int64_t> Rows::integer(int column) const {
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_INTEGER) return std::nullopt;
  return sqlite3_column_int64(statement_.get(), column);
}

std::string_view Rows::text(int column) const {
  const auto* const text = sqlite3_column_text(statement_.get(), column);
  if (text == nullptr) return {};
  return {reinterpret_cast<const char*>(text), static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

io::Diagnostic Rows::fault(const std::string& message) const {
  return {database_.name(), 0, 0, fmt::format("table {}, row {}: {}", table_, row_, message)};
}

void Rows::fail(const std::string& message) const { throw io::InputError({fault(message)}); }

}  // namespace rta::convert
