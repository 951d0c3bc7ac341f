#include "rta/io/temporary.hpp"

#include <fcntl.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigaction
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

namespace rta::io {
namespace {

// What the handler reads: no memory is allocated and no lock is taken.
enum class State : std::uint8_t { free, filling, used };
struct Slot {
  std::atomic<State> state = State::free;
  std::array<char, PATH_MAX> path{};
};
std::array<Slot, 16> slots;  // a path for which there is no room is only removed by its object

// As `rm -rf`, in a signal handler: only calls that POSIX or the kernel allow there.
void remove_all(int folder, const char* name, int depth) {  // NOLINT(misc-no-recursion): depth is bounded
  constexpr int deepest = 16;
  if (::unlinkat(folder, name, 0) == 0 || errno == ENOENT || depth > deepest) return;
  const int inside = ::openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (inside < 0) return;
  struct Entry {  // struct linux_dirent64
    std::uint64_t inode;
    std::int64_t next;
    std::uint16_t length;
    std::uint8_t type;
  };
  constexpr std::size_t name_at = offsetof(Entry, type) + 1;
  alignas(Entry) std::array<char, 4096> buffer;
  for (bool found = true; found;) {  // from the start again: removing moves what follows
    found = false;
    if (::lseek(inside, 0, SEEK_SET) < 0) break;
    const auto count = ::syscall(SYS_getdents64, inside, buffer.data(), buffer.size());
    for (std::int64_t at = 0; at < count;) {
      const char* entry = buffer.data() + at;
      std::uint16_t length = 0;
      std::memcpy(&length, entry + offsetof(Entry, length), sizeof length);
      const char* child = entry + name_at;
      if (std::strcmp(child, ".") != 0 && std::strcmp(child, "..") != 0) {
        remove_all(inside, child, depth + 1);
        found = found || ::faccessat(inside, child, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
      }
      at += length;
    }
  }
  (void)::close(inside);
  (void)::unlinkat(folder, name, AT_REMOVEDIR);
}

void remove_and_end(int signal) {
  for (Slot& slot : slots) {
    if (slot.state == State::used) remove_all(AT_FDCWD, slot.path.data(), 0);
  }
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  ::sigaction(signal, &standard, nullptr);
  ::raise(signal);  // takes effect when this handler returns
}

}  // namespace

Temporary::Temporary(std::filesystem::path path) : path_(std::move(path)), slot_(slots.size()) {
  std::error_code unknown;
  const std::string name = std::filesystem::absolute(path_, unknown).string();
  if (unknown || name.size() >= PATH_MAX) return;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    State state = State::free;
    if (!slots[i].state.compare_exchange_strong(state, State::filling)) continue;
    std::memcpy(slots[i].path.data(), name.c_str(), name.size() + 1);
    slots[i].state = State::used;
    slot_ = i;
    return;
  }
}

Temporary::~Temporary() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  if (slot_ < slots.size()) slots[slot_].state = State::free;
}

std::filesystem::path make_folder(const std::filesystem::path& prefix) {
  std::string pattern = prefix.string() + "XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) throw std::system_error(errno, std::generic_category(), prefix.string());
  return pattern;
}

void remove_temporaries_on_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = remove_and_end;
    ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace rta::io
