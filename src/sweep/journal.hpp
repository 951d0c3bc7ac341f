// An append-only table that survives being killed at any moment: rows go to `results.csv.part`, and a journal says up to where they count.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rta::sweep {

/// One committed chunk.
struct JournalEntry {
  std::uint64_t begin = 0;  // bytes of the table
  std::uint64_t end = 0;
  std::uint32_t checksum = 0;
};

/// A file descriptor; failures throw std::system_error that names the file.
class File {
 public:
  File(const std::filesystem::path& path, int flags);
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void append(std::string_view bytes);
  /// Up to `size` bytes from `offset`.
  [[nodiscard]] std::string read(std::uint64_t offset, std::size_t size) const;
  [[nodiscard]] std::uint64_t size() const;
  void cut(std::uint64_t size);
  void to_disk();
  /// False when another process holds the lock. It ends with the process.
  [[nodiscard]] bool lock();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  [[noreturn]] void fail() const;
  std::filesystem::path path_;
  int descriptor_;
};

/// CRC-32 of ISO 3309.
[[nodiscard]] std::uint32_t crc32(std::string_view bytes);

/// The table of one folder while it grows. Rows count once their journal line, with the checksums of both, is complete; on opening, what
/// comes after the last chunk that checks is cut off.
class Journal {
 public:
  /// Opens or starts the table; `header` is its first line. Throws std::system_error.
  Journal(const std::filesystem::path& folder, std::string_view header);

  /// Chunks that count.
  [[nodiscard]] std::uint64_t chunks() const { return chunks_; }
  void append(std::string_view rows);
  /// Forces everything to disk, now and then.
  void to_disk();
  /// All chunks are there: the table gets its name.
  void finish();

  static constexpr std::string_view table_name = "results.csv";
  static constexpr std::string_view part_name = "results.csv.part";  // until it is finished
  static constexpr std::string_view journal_name = "journal";

 private:
  void recover(std::string_view header);

  std::filesystem::path folder_;
  File table_, lines_;
  std::uint64_t chunks_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t bytes_since_sync_ = 0;
};

/// The entries of a finished table's journal; throws `UserError` when it is damaged.
[[nodiscard]] std::vector<JournalEntry> read_journal(const std::filesystem::path& folder, std::uint64_t header_size);

}  // namespace rta::sweep
