#include "journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <boost/crc.hpp>
#include <cerrno>
#include <charconv>
#include <optional>
#include <system_error>

#include "rta/model/error.hpp"

namespace rta::sweep {
namespace {

constexpr std::uint64_t sync_interval = std::uint64_t{16} << 20;  // bytes

// A journal line: number of the chunk, end of its rows in the table, CRC of the rows, CRC of the line so far.
std::string line_of(std::uint64_t chunk, std::uint64_t end, std::uint32_t rows) {
  std::string line = fmt::format("{} {} {:08x} ", chunk, end, rows);
  line += fmt::format("{:08x}\n", crc32(line));
  return line;
}

struct Line {
  std::uint64_t chunk = 0;
  std::uint64_t end = 0;
  std::uint32_t rows = 0;
};

std::optional<Line> parse_line(std::string_view text) {
  Line line;
  const auto number = [&](auto& value, int base) {
    const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{}) return false;
    text.remove_prefix(static_cast<std::size_t>(at - text.data()));
    if (!text.empty()) text.remove_prefix(1);
    return true;
  };
  if (!number(line.chunk, 10) || !number(line.end, 10) || !number(line.rows, 16)) return std::nullopt;
  return line;
}

// Every complete line in turn, until `use` says stop or one does not check.
template <class Use>
std::uint64_t for_each_line(const std::string& text, Use use) {
  std::size_t at = 0;
  std::uint64_t chunk = 0;
  while (true) {
    const std::size_t newline = text.find('\n', at);
    if (newline == std::string::npos) return at;
    const std::string_view whole = std::string_view(text).substr(at, newline + 1 - at);
    const auto line = parse_line(whole);
    if (!line || line->chunk != chunk || line_of(line->chunk, line->end, line->rows) != whole || !use(*line)) return at;
    ++chunk;
    at = newline + 1;
  }
}

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
  boost::crc_32_type crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

File::File(const std::filesystem::path& path, int flags) : path_(path), descriptor_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) fail();
}

File::~File() { ::close(descriptor_); }

void File::fail() const { throw std::system_error(errno, std::generic_category(), path_.string()); }

void File::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ::ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      fail();
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string File::read(std::uint64_t offset, std::size_t size) const {
  std::string bytes(size, '\0');
  std::size_t have = 0;
  while (have < size) {
    const ::ssize_t got = ::pread(descriptor_, bytes.data() + have, size - have, static_cast<::off_t>(offset + have));
    if (got < 0) {
      if (errno == EINTR) continue;
      fail();
    }
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  bytes.resize(have);
  return bytes;
}

std::uint64_t File::size() const {
  struct ::stat status {};
  if (::fstat(descriptor_, &status) != 0) fail();
  return static_cast<std::uint64_t>(status.st_size);
}

void File::cut(std::uint64_t size) {
  if (::ftruncate(descriptor_, static_cast<::off_t>(size)) != 0) fail();
}

void File::to_disk() {
  if (::fdatasync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) fail();
}

bool File::lock() {
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return true;
  if (errno == EWOULDBLOCK) return false;
  fail();
}

Journal::Journal(const std::filesystem::path& folder, std::string_view header)
    : folder_(folder), table_(folder / part_name, O_RDWR | O_CREAT | O_APPEND), lines_(folder / journal_name, O_RDWR | O_CREAT | O_APPEND) {
  recover(header);
}

void Journal::recover(std::string_view header) {
  const std::uint64_t table_size = table_.size();
  std::uint64_t lines_end = 0;
  if (table_.read(0, header.size()) == header) {
    end_ = header.size();
    const std::string lines = lines_.read(0, lines_.size());
    lines_end = for_each_line(lines, [&](const Line& line) {
      if (line.end < end_ || line.end > table_size || crc32(table_.read(end_, line.end - end_)) != line.rows) return false;
      end_ = line.end;
      ++chunks_;
      return true;
    });
  }
  lines_.cut(lines_end);
  table_.cut(end_);
  if (end_ == 0) {
    table_.append(header);
    end_ = header.size();
  }
}

void Journal::append(std::string_view rows) {
  table_.append(rows);
  lines_.append(line_of(chunks_, end_ + rows.size(), crc32(rows)));
  ++chunks_;
  end_ += rows.size();
  bytes_since_sync_ += rows.size();
  if (bytes_since_sync_ >= sync_interval) to_disk();
}

void Journal::to_disk() {
  table_.to_disk();
  lines_.to_disk();
  bytes_since_sync_ = 0;
}

void Journal::finish() {
  to_disk();
  std::filesystem::rename(folder_ / part_name, folder_ / table_name);
}

std::vector<JournalEntry> read_journal(const std::filesystem::path& folder, std::uint64_t header_size) {
  const File file(folder / Journal::journal_name, O_RDONLY);
  const std::string text = file.read(0, file.size());
  std::vector<JournalEntry> entries;
  std::uint64_t begin = header_size;
  const std::uint64_t read = for_each_line(text, [&](const Line& line) {
    entries.push_back({begin, line.end, line.rows});
    begin = line.end;
    return true;
  });
  if (read != text.size()) throw UserError(file.path().string() + ": damaged after " + std::to_string(entries.size()) + " chunks");
  return entries;
}

}  // namespace rta::sweep
