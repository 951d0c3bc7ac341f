#include "clang.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill, sigprocmask
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <istream>
#include <limits>
#include <memory>
#include <mutex>
#include <sstream>
#include <streambuf>
#include <utility>

#include "ast_reader.hpp"
#include "process/temporary.hpp"
#include "rta/lint/lint.hpp"

namespace rta::lint {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds longest_run{600};
constexpr rlim_t most_memory = rlim_t{4} << 30U;  // bytes

/// What most sources include: read before them, so that they need not read it again.
constexpr std::string_view common_headers = R"(#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <functional>
#include <future>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <queue>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>
#if __has_include(<cuda_runtime.h>)
#include <cuda_runtime.h>
#endif
#if __has_include(<cuda.h>)
#include <cuda.h>
#endif
#if __has_include(<cuda_fp16.h>)
#include <cuda_fp16.h>
#endif
#if __has_include(<cooperative_groups.h>)
#include <cooperative_groups.h>
#endif
)";

/// CUDA's own headers must not see it, where clang reads C++; what the program leaves to nvcc is read then, too.
constexpr std::string_view as_nvcc = "#define __CUDACC__ 1\n#define __NVCC__ 1\n";

/// The folder of CUDA's headers: that of nvcc, or the usual ones.
std::string cuda_include() {
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* const home = std::getenv(name);
    if (home != nullptr && fs::exists(fs::path(home) / "include/cuda_runtime.h")) return (fs::path(home) / "include").string();
  }
  if (fs::exists("/usr/local/cuda/include/cuda_runtime.h")) return "/usr/local/cuda/include";
  return {};
}

/// Of the flags, those that say what is compiled; nvcc's others mean nothing to clang.
std::vector<std::string> understood(const std::vector<std::string>& flags) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    for (const std::string_view option : {"-isystem", "-iquote", "-include", "-I", "-D", "-U"}) {
      if (!flags[i].starts_with(option)) continue;
      kept.push_back(flags[i]);
      if (flags[i].size() == option.size() && i + 1 < flags.size()) kept.push_back(flags[++i]);
      break;
    }
    if (flags[i].starts_with("-std=")) kept.push_back(flags[i]);
  }
  return kept;
}

bool says_standard(const std::vector<std::string>& flags) {
  return std::ranges::any_of(flags, [](const std::string& flag) { return flag.starts_with("-std="); });
}

/// A child process that reads `input` and writes to a pipe. It ends with this object.
class Child {
 public:
  Child(const std::vector<std::string>& words, std::string_view input) {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    std::array<int, 2> in{}, out{};
    if (pipe2(in.data(), O_CLOEXEC) != 0) return;
    if (pipe2(out.data(), O_CLOEXEC) != 0) {
      close(in[0]);
      close(in[1]);
      return;
    }
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    number_ = fork();
    if (number_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      const rlimit memory{most_memory, most_memory};
      setrlimit(RLIMIT_AS, &memory);
      const rlimit time{static_cast<rlim_t>(longest_run.count()), static_cast<rlim_t>(longest_run.count())};
      setrlimit(RLIMIT_CPU, &time);
      dup2(in[0], STDIN_FILENO);
      dup2(out[1], STDOUT_FILENO);
      if (nothing >= 0) dup2(nothing, STDERR_FILENO);
      execvp(arguments.front(), arguments.data());
      _exit(127);
    }
    if (nothing >= 0) close(nothing);
    close(out[1]);
    // Less than a pipe holds: this never waits. With the end that is read still open here, no signal comes of a child that is gone.
    if (write(in[1], input.data(), input.size()) < 0) errno = 0;
    close(in[0]);
    close(in[1]);
    if (number_ < 0) {
      close(out[0]);
    } else {
      output_ = out[0];
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { (void)end(true); }

  [[nodiscard]] int output() const { return output_; }
  /// Its exit status, or -1 where a signal ended it or it never ran.
  int end(bool by_force) {
    if (output_ >= 0) close(std::exchange(output_, -1));
    if (number_ <= 0) return -1;
    if (by_force) kill(number_, SIGKILL);
    int status = 0;
    while (waitpid(number_, &status, 0) < 0 && errno == EINTR) {
    }
    number_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t number_ = -1;
  int output_ = -1;
};

/// What can be read from a descriptor until a time has come.
class TimedBuffer final : public std::streambuf {
 public:
  TimedBuffer(int descriptor, Clock::time_point end) : descriptor_(descriptor), end_(end) {}
  [[nodiscard]] bool timed_out() const { return timed_out_; }

 protected:
  int_type underflow() override {
    for (;;) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now()).count();
      pollfd waiting{descriptor_, POLLIN, 0};
      const int ready = left > 0 ? poll(&waiting, 1, static_cast<int>(left)) : 0;
      if (ready < 0 && errno == EINTR) continue;
      if (ready <= 0) {
        timed_out_ = true;
        return traits_type::eof();
      }
      const ssize_t count = read(descriptor_, buffer_.data(), buffer_.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return traits_type::eof();
      setg(buffer_.data(), buffer_.data(), buffer_.data() + count);
      return traits_type::to_int_type(*gptr());
    }
  }

 private:
  int descriptor_;
  Clock::time_point end_;
  bool timed_out_ = false;
  std::array<char, 1U << 16U> buffer_{};
};

/// A path as a string of an #include, or empty where it cannot stand there.
std::string included(const std::string& file) {
  std::error_code unknown;
  std::string path = fs::absolute(file, unknown).string();
  if (unknown || path.find_first_of("\"\n\\") != std::string::npos) return {};
  return path;
}

/// The common headers, compiled by a command, until the program ends or another command asks.
struct CompiledHeaders {
  explicit CompiledHeaders(const std::vector<std::string>& words)
      : command(words), folder([] { return process::make_folder(fs::temp_directory_path() / "rta-lint-"); }) {
    const std::string source = (folder.path() / "common.hpp").string();
    const std::string compiled = (folder.path() / "common.pch").string();
    std::ofstream(source) << common_headers;
    std::vector<std::string> all = words;
    all.insert(all.end(), {"-Xclang", "-emit-pch", "-Xclang", "-o", "-Xclang", compiled, source});
    Child child(all, "");
    if (child.output() < 0) return;
    TimedBuffer buffer(child.output(), Clock::now() + longest_run);
    std::istream(&buffer).ignore(std::numeric_limits<std::streamsize>::max());
    if (child.end(buffer.timed_out()) == 0) path = compiled;
  }
  std::vector<std::string> command;
  process::Temporary folder;
  std::string path;  // empty: they are read anew each time
};

std::mutex compiling;

/// Called with `compiling` held.
const std::string& compiled_headers(const std::vector<std::string>& command) {
  static std::unique_ptr<CompiledHeaders> last;
  if (last == nullptr || last->command != command) last = std::make_unique<CompiledHeaders>(command);
  return last->path;
}

}  // namespace

Clang::Clang(std::string program, const std::vector<std::string>& flags)
    : program_(std::move(program)), flags_(understood(flags)), system_{"/usr/include/", "/usr/lib/", "/usr/local/lib/"} {
  if (!says_standard(flags_)) flags_.emplace_back("-std=c++17");
  if (const std::string cuda = cuda_include(); !cuda.empty()) {
    flags_.push_back("-isystem" + cuda);
    system_.push_back(cuda + "/");
  }
}

std::vector<std::string> Clang::command() const {
  std::vector<std::string> words{program_, "-x", "c++", "-fsyntax-only", "-ferror-limit=0", "-Wno-everything"};
  words.insert(words.end(), flags_.begin(), flags_.end());
  return words;
}

ClangAnswer Clang::ask(const std::string& file) {
  ClangAnswer answer;
  const std::string path = included(file);
  if (path.empty()) {
    answer.remark = "clang was not asked: no #include can name the file";
    return answer;
  }
  const std::lock_guard one_at_a_time(compiling);
  const std::string headers = compiled_headers(command());
  std::vector<std::string> words = command();
  if (!headers.empty()) words.insert(words.end(), {"-Xclang", "-include-pch", "-Xclang", headers});
  words.insert(words.end(), {"-Xclang", "-ast-dump=json", "-"});
  Child child(words, fmt::format("{}{}#include \"{}\"\n", headers.empty() ? common_headers : "", as_nvcc, path));
  if (child.output() < 0) {
    answer.remark = "clang was not asked: it could not be started";
    return answer;
  }
  TimedBuffer buffer(child.output(), Clock::now() + longest_run);
  std::istream in(&buffer);
  AstReading reading = read_ast(in, system_);
  if (!reading.whole) {
    const int status = child.end(true);
    answer.remark = buffer.timed_out()
                        ? fmt::format("clang was ended after {} s; only the source's text was looked at", longest_run.count())
                    : status == 127 ? fmt::format("clang was not asked: '{}' cannot be run", program_)
                                    : "clang printed no syntax tree; only the source's text was looked at";
    return answer;
  }
  answer.ast = std::move(reading.ast);
  (void)child.end(false);
  return answer;
}

bool default_stream_is_per_thread(const std::vector<std::string>& flags) {
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i] == "--default-stream=per-thread" || flags[i] == "-default-stream=per-thread") return true;
    if ((flags[i] == "--default-stream" || flags[i] == "-default-stream") && i + 1 < flags.size() && flags[i + 1] == "per-thread")
      return true;
    if (flags[i].starts_with("-DCUDA_API_PER_THREAD_DEFAULT_STREAM")) return true;
  }
  return false;
}

std::string find_clang() {
  if (const char* const chosen = std::getenv("RTA_CLANG"); chosen != nullptr) return chosen;
  const char* const path = std::getenv("PATH");
  if (path == nullptr) return {};
  std::vector<std::string> names;
  constexpr int newest = 25;
  constexpr int oldest = 11;
  for (int version = newest; version >= oldest; --version) names.push_back(fmt::format("clang++-{}", version));
  names.emplace_back("clang++");
  for (const std::string& name : names) {
    std::istringstream folders(path);
    for (std::string folder; std::getline(folders, folder, ':');) {
      const fs::path candidate = fs::path(folder) / name;
      if (!folder.empty() && access(candidate.c_str(), X_OK) == 0) return candidate.string();
    }
  }
  return {};
}

}  // namespace rta::lint
