// A file that has its name only when it is whole.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace examine {

/// Ends the program with status 2.
[[noreturn]] inline void fail(const std::string& what) {
  std::fprintf(stderr, "examine: %s\n", what.c_str());
  std::exit(2);
}

class OutputFile {
 public:
  explicit OutputFile(const std::string& path) : path_(path), partial_(path + ".XXXXXX.part") {
    const int made = mkostemps(partial_.data(), 5, O_CLOEXEC);
    if (made < 0) fail(path_ + ": cannot be written: " + std::strerror(errno));
    const mode_t mask = umask(0);
    umask(mask);
    (void)fchmod(made, 0666 & ~mask);
    file_ = fdopen(made, "w");
    if (file_ == nullptr) fail(path_ + ": cannot be written: " + std::strerror(errno));
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() {
    if (file_ == nullptr) return;
    std::fclose(file_);
    std::remove(partial_.c_str());
  }

  [[nodiscard]] std::FILE* stream() const { return file_; }
  /// Gives the file its name. `problem`: what went wrong while it was written; else empty.
  void finish(const std::string& problem = "") {
    std::string why = problem;
    if (why.empty() && std::fflush(file_) != 0) why = std::strerror(errno);
    if (std::fclose(file_) != 0 && why.empty()) why = std::strerror(errno);
    file_ = nullptr;
    if (why.empty() && std::rename(partial_.c_str(), path_.c_str()) != 0) why = std::strerror(errno);
    if (why.empty()) return;
    std::remove(partial_.c_str());
    fail(path_ + ": cannot be written: " + why);
  }

 private:
  std::string path_;
  std::string partial_;
  std::FILE* file_ = nullptr;
};

/// Makes the folder, and those above it, where they are not there.
inline void make_folder(const std::string& path) {
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string part = path.substr(0, slash);
    if (mkdir(part.c_str(), 0777) != 0 && errno != EEXIST) fail(part + ": cannot be made: " + std::strerror(errno));
    if (slash == std::string::npos) return;
  }
}

}  // namespace examine
