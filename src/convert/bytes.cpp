#include "bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <system_error>

#include "notes.hpp"

namespace rta::convert {
namespace {

constexpr std::uint64_t most_unpacked = 8ULL << 30U;
// JSON packs to a twentieth; what grows by more than this, once it is large, was made to fill the memory.
constexpr std::uint64_t most_growth = 200;
constexpr std::uint64_t large = 64ULL << 20U;

// How much is read at once after `size` bytes: most files are small.
constexpr std::size_t piece_after(std::size_t size) { return std::clamp<std::size_t>(size, 1U << 14U, 1U << 20U); }

}  // namespace

// The bytes as they are in the file.
class Bytes::Raw {
 public:
  Raw(const std::filesystem::path& path, const std::string& name, Progress progress) : name_(name), progress_(std::move(progress)) {
    file_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file_ < 0) refuse(name, fmt::format("cannot be opened: {}", std::generic_category().message(errno)));
    struct stat status {};
    if (::fstat(file_, &status) == 0 && S_ISREG(status.st_mode)) size_ = static_cast<std::uint64_t>(status.st_size);
  }
  Raw(int pipe, const std::string& name, std::uint32_t patience, Progress progress)
      : name_(name), progress_(std::move(progress)), file_(pipe), owned_(false), patience_(patience) {}
  Raw(std::string_view content, const std::string& name) : name_(name), content_(content) {}
  ~Raw() {
    if (owned_ && file_ > STDERR_FILENO) ::close(file_);
  }
  Raw(const Raw&) = delete;
  Raw& operator=(const Raw&) = delete;

  [[nodiscard]] std::uint64_t taken() const { return taken_; }

  std::size_t read(char* to, std::size_t most) {
    std::size_t count = 0;
    if (file_ < 0) {
      count = std::min(most, content_.size() - static_cast<std::size_t>(taken_));
      std::copy_n(content_.begin() + static_cast<std::ptrdiff_t>(taken_), count, to);
    } else {
      if (patience_ > 0) wait();
      ssize_t got = 0;
      do {
        got = ::read(file_, to, most);
      } while (got < 0 && errno == EINTR);
      if (got < 0) refuse(name_, fmt::format("cannot be read: {}", std::generic_category().message(errno)));
      count = static_cast<std::size_t>(got);
    }
    taken_ += count;
    if (progress_)
      progress_(size_ == 0 ? fmt::format("{} MiB read", taken_ >> 20U)
                           : fmt::format("{} % read", std::min<std::uint64_t>(taken_ * 100 / size_, 100)));
    return count;
  }

 private:
  // A program that is caught in what it reads writes nothing for ever.
  void wait() const {
    pollfd pipe{file_, POLLIN, 0};
    int ready = 0;
    do {
      ready = ::poll(&pipe, 1, static_cast<int>(patience_) * 1000);
    } while (ready < 0 && errno == EINTR);
    if (ready == 0)
      refuse(name_, fmt::format("the program that reads it has printed nothing for {} s: it is taken to be damaged", patience_));
  }

  std::string name_;
  Progress progress_;
  int file_ = -1;
  bool owned_ = true;
  std::uint32_t patience_ = 0;  // s; 0: any
  std::string_view content_;
  std::uint64_t taken_ = 0;
  std::uint64_t size_ = 0;
};

class Bytes::Inflater {
 public:
  Inflater(Raw& raw, const std::string& name, std::string_view first) : raw_(raw), name_(name) {
    if (::inflateInit2(&stream_, 16 + MAX_WBITS) != Z_OK) throw std::bad_alloc();
    std::memcpy(packed_.data(), first.data(), first.size());
    stream_.next_in = packed_.data();
    stream_.avail_in = static_cast<unsigned>(first.size());
  }
  ~Inflater() { ::inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  std::size_t read(char* to, std::size_t most) {
    stream_.next_out = reinterpret_cast<unsigned char*>(to);
    const auto room = static_cast<unsigned>(std::min<std::size_t>(most, std::numeric_limits<unsigned>::max()));
    stream_.avail_out = room;
    while (stream_.avail_out == room) {
      if (stream_.avail_in == 0 && !refill()) {
        if (between_members_) return 0;
        refuse(name_, fmt::format("the gzip data is cut off at byte {}", raw_.taken()));
      }
      const int status = ::inflate(&stream_, Z_NO_FLUSH);
      between_members_ = status == Z_STREAM_END;
      if (status == Z_MEM_ERROR) throw std::bad_alloc();
      // A file may hold several gzip members, one after another.
      if (between_members_ && ::inflateReset(&stream_) != Z_OK) throw std::bad_alloc();
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
        refuse(name_, fmt::format("the gzip data is damaged at byte {}: {}", raw_.taken() - stream_.avail_in,
                                  stream_.msg != nullptr ? stream_.msg : "not what gzip writes"));
      }
    }
    const std::size_t count = room - stream_.avail_out;
    unpacked_ += count;
    if (unpacked_ > most_unpacked || (unpacked_ > large && unpacked_ / most_growth > raw_.taken())) {
      refuse(name_,
             fmt::format("the gzip data unpacks to more than {} MiB, {} times its size: it is taken for an attack; unpack it yourself if "
                         "it is none",
                         unpacked_ >> 20U, unpacked_ / std::max<std::uint64_t>(raw_.taken(), 1)));
    }
    return count;
  }

 private:
  bool refill() {
    const std::size_t count = raw_.read(reinterpret_cast<char*>(packed_.data()), packed_.size());
    stream_.next_in = packed_.data();
    stream_.avail_in = static_cast<unsigned>(count);
    return count > 0;
  }

  Raw& raw_;
  const std::string& name_;
  z_stream stream_{};
  bool between_members_ = false;
  std::uint64_t unpacked_ = 0;
  std::array<unsigned char, 65'536> packed_;
};

Bytes::Bytes(const std::filesystem::path& path, Progress progress)
    : name_(path == "-" ? "<stdin>" : path.string()), raw_(std::make_unique<Raw>(path, name_, std::move(progress))) {}
Bytes::Bytes(int pipe, std::string name, std::uint32_t patience, Progress progress)
    : name_(std::move(name)), raw_(std::make_unique<Raw>(pipe, name_, patience, std::move(progress))) {}
Bytes::Bytes(std::string_view content, std::string name) : name_(std::move(name)), raw_(std::make_unique<Raw>(content, name_)) {}
Bytes::~Bytes() = default;

std::size_t Bytes::read_unpacked(char* to, std::size_t most) { return inflater_ ? inflater_->read(to, most) : raw_->read(to, most); }

std::size_t Bytes::read(char* to, std::size_t most) {
  if (!inflater_ && raw_->taken() == 0) (void)head(2);
  if (head_taken_ < head_.size()) {
    const std::size_t count = std::min(most, head_.size() - head_taken_);
    std::memcpy(to, head_.data() + head_taken_, count);
    head_taken_ += count;
    return count;
  }
  return ended_ ? 0 : read_unpacked(to, most);
}

std::string_view Bytes::head(std::size_t most) {
  const auto fill = [&](std::size_t until) {
    for (std::size_t size = head_.size(); size < until && !ended_;) {
      head_.resize(std::min(until, size + piece_after(size)));
      const std::size_t count = read_unpacked(head_.data() + size, head_.size() - size);
      size += count;
      head_.resize(size);
      ended_ = count == 0;
    }
  };
  if (!inflater_) {
    fill(2);
    if (head_.starts_with("\x1f\x8b")) {
      inflater_ = std::make_unique<Inflater>(*raw_, name_, head_);
      head_.clear();
      ended_ = false;
    }
  }
  // One byte more tells whether the file ends.
  fill(most + 1);
  return std::string_view(head_).substr(0, most);
}

std::string Bytes::rest(std::size_t most) {
  std::string all;
  for (;;) {
    const std::size_t size = all.size();
    all.resize(size + piece_after(size));
    const std::size_t count = read(all.data() + size, all.size() - size);
    all.resize(size + count);
    if (count == 0) return all;
    if (all.size() > most) refuse(name_, fmt::format("the file is larger than {} MiB", most >> 20U));
  }
}

}  // namespace rta::convert
