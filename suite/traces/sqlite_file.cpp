#include "suite/traces/sqlite_file.hpp"

#include <sqlite3.h>

#include <algorithm>

#include "suite/base/durable_file.hpp"
#include "suite/base/errors.hpp"

namespace ddpbench {

void SqliteFile::Closer::operator()(sqlite3* file) const { ::sqlite3_close(file); }
void SqliteFile::Rows::Finalizer::operator()(sqlite3_stmt* statement) const { ::sqlite3_finalize(statement); }

SqliteFile::SqliteFile(const std::string& path) : path_(path) {
  open_regular_file(path);  // says why it cannot be opened
  sqlite3* file = nullptr;
  const int code = ::sqlite3_open_v2(path.c_str(), &file, SQLITE_OPEN_READONLY, nullptr);
  file_.reset(file);
  if (code != SQLITE_OK) fail();
}

void SqliteFile::fail() const {
  const int code = ::sqlite3_errcode(file_.get());
  if (code == SQLITE_NOTADB) throw UsageError(path_ + ": is no SQLite file");
  throw UsageError(path_ + ": the SQLite file cannot be read, or is not whole: " + ::sqlite3_errmsg(file_.get()));
}

SqliteFile::Rows SqliteFile::prepare(const std::string& query) const {
  Rows rows;
  rows.file_ = this;
  sqlite3_stmt* statement = nullptr;
  const int code = ::sqlite3_prepare_v2(file_.get(), query.c_str(), static_cast<int>(query.size()), &statement, nullptr);
  rows.statement_.reset(statement);
  if (code != SQLITE_OK) fail();
  return rows;
}

// The names come from this program and from the file's own schema; doubled quotes keep them names.
static std::string quoted_name(const std::string& name) {
  std::string text = "\"";
  for (const char letter : name) text += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return text + "\"";
}

bool SqliteFile::has_table(const std::string& name) const {
  auto tables = prepare("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')");
  while (tables.next()) {
    if (tables.text(0) == name) return true;
  }
  return false;
}

SqliteFile::Rows SqliteFile::rows(const std::string& table, const std::vector<std::string>& columns) const {
  std::vector<std::string> existing;
  auto described = prepare("PRAGMA table_info(" + quoted_name(table) + ")");
  constexpr int kNameColumn = 1;
  while (described.next()) existing.emplace_back(described.text(kNameColumn).value_or(""));
  std::string query;
  for (const auto& column : columns) {
    query += query.empty() ? "SELECT " : ", ";
    query += std::find(existing.begin(), existing.end(), column) != existing.end() ? quoted_name(column) : "NULL";
  }
  return prepare(query + " FROM " + quoted_name(table));
}

bool SqliteFile::Rows::next() {
  const int code = ::sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) file_->fail();
  return false;
}

std::optional<std::int64_t> SqliteFile::Rows::integer(int place) const {
  if (::sqlite3_column_type(statement_.get(), place) == SQLITE_NULL) return std::nullopt;
  return ::sqlite3_column_int64(statement_.get(), place);
}

std::optional<std::string_view> SqliteFile::Rows::text(int place) const {
  if (::sqlite3_column_type(statement_.get(), place) == SQLITE_NULL) return std::nullopt;
  const auto* const bytes = reinterpret_cast<const char*>(::sqlite3_column_text(statement_.get(), place));
  return std::string_view(bytes, static_cast<std::size_t>(::sqlite3_column_bytes(statement_.get(), place)));
}

}  // namespace ddpbench
