#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace ddpbench {

// Reads one SQLite file and never writes it. Throws UsageError that names the file where it is no such file, or damaged.
class SqliteFile {
 public:
  explicit SqliteFile(const std::string& path);
  SqliteFile(const SqliteFile&) = delete;
  SqliteFile& operator=(const SqliteFile&) = delete;

  bool has_table(const std::string& name) const;

  // Walks over the rows of one table. Fields are found by the columns' names; one that the table lacks is NULL in every row.
  class Rows {
   public:
    bool next();
    std::optional<std::int64_t> integer(int place) const;   // of the columns that were asked for; NULL: nothing
    std::optional<std::string_view> text(int place) const;  // until the next row

   private:
    friend class SqliteFile;
    struct Finalizer {
      void operator()(sqlite3_stmt* statement) const;
    };
    const SqliteFile* file_ = nullptr;
    std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
  };
  Rows rows(const std::string& table, const std::vector<std::string>& columns) const;

 private:
  struct Closer {
    void operator()(sqlite3* file) const;
  };
  Rows prepare(const std::string& query) const;
  [[noreturn]] void fail() const;
  std::string path_;
  std::unique_ptr<sqlite3, Closer> file_;
};

}  // namespace ddpbench
