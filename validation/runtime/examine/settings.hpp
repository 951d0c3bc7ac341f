// With --allow-settings: application clocks at their highest and an MPS server of its own while the examination runs. A process that does
// nothing else keeps what was found, and puts it back however the examination ends.
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include "common/clock.hpp"
#include "interruption.hpp"
#include "nvml.hpp"
#include "output_file.hpp"

namespace examine {

/// Runs a program with `input` as its standard input; its exit status, -1: it could not be run.
inline int run_program(const char* program, const char* argument, const std::string& input) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    close(ends[1]);
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    setpgid(0, 0);  // Ctrl-C is for the examination, which ends this itself
    execlp(program, program, argument, static_cast<char*>(nullptr));
    std::_Exit(127);
  }
  close(ends[0]);
  if (child > 0 && !input.empty() && write(ends[1], input.data(), input.size()) < 0) std::perror("examine: write");
  close(ends[1]);
  int status = -1;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) != 127 ? WEXITSTATUS(status) : -1;
}

class Settings {
 public:
  /// `with_mps`: a server whose pipes are in a folder of their own, so that only processes that are told of it use it.
  Settings(const std::string& bus, bool with_mps) : bus_(bus) {
    const Nvml nvml(bus);
    clocks_changed_ = nvml.application_clocks(found_) && nvml.default_clocks(default_) && nvml.highest_clocks(wanted_) &&
                      nvml.set_application_clocks(wanted_);
    if (!clocks_changed_) std::fprintf(stderr, "examine: the clocks stay as they are: this device or this user may not fix them\n");
    if (with_mps) start_mps();
  }
  Settings(const Settings&) = delete;
  Settings& operator=(const Settings&) = delete;
  ~Settings() {
    if (clocks_changed_) put_clocks_back();
    if (mps_folder_.empty()) return;
    point_to_mps();
    run_program("nvidia-cuda-mps-control", nullptr, "quit -t 2\n");
    remove_mps_folder();
  }

  /// Empty: there is none.
  [[nodiscard]] const std::string& mps_folder() const { return mps_folder_; }

 private:
  void put_clocks_back() const {
    const Nvml nvml(bus_);
    Nvml::Clocks now;
    if (nvml.application_clocks(now) && !(now == wanted_)) return;  // somebody else has changed them since
    // Fixing the default is not the same as having fixed nothing.
    const bool done = found_ == default_ ? nvml.reset_application_clocks() : nvml.set_application_clocks(found_);
    if (!done) std::fprintf(stderr, "examine: the clocks could not be put back; try nvidia-smi -ac %u,%u\n", found_.memory, found_.sm);
  }

  void point_to_mps() const {
    setenv("CUDA_MPS_PIPE_DIRECTORY", mps_folder_.c_str(), 1);
    setenv("CUDA_MPS_LOG_DIRECTORY", mps_folder_.c_str(), 1);
  }
  void start_mps() {
    char pattern[] = "/tmp/examine-mps-XXXXXX";
    if (mkdtemp(pattern) == nullptr) return;
    mps_folder_ = pattern;
    point_to_mps();
    const int status = run_program("nvidia-cuda-mps-control", "-d", "");
    unsetenv("CUDA_MPS_PIPE_DIRECTORY");
    unsetenv("CUDA_MPS_LOG_DIRECTORY");
    if (status == 0) return;
    std::fprintf(stderr, "examine: no MPS server could be started (nvidia-cuda-mps-control -d)\n");
    remove_mps_folder();
  }
  /// It holds the server's pipes and logs, no folders.
  void remove_mps_folder() {
    if (DIR* folder = opendir(mps_folder_.c_str()); folder != nullptr) {
      while (const dirent* entry = readdir(folder)) unlink((mps_folder_ + "/" + entry->d_name).c_str());
      closedir(folder);
    }
    rmdir(mps_folder_.c_str());
    mps_folder_.clear();
  }

  std::string bus_;
  bool clocks_changed_ = false;
  Nvml::Clocks found_;
  Nvml::Clocks default_;
  Nvml::Clocks wanted_;
  std::string mps_folder_;
};

/// Runs `work` (given the folder of the MPS server) in a child, under settings that end with it. The exit status.
inline int under_settings(const std::string& bus, bool with_mps, const std::function<int(const std::string&)>& work) {
  const Settings settings(bus, with_mps);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) return 2;
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    const int status = work(settings.mps_folder());
    std::fflush(nullptr);
    std::_Exit(status);
  }
  int status = 0;
  bool told = false;
  for (;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) break;
    if (interrupted != 0 && !told) {
      kill(child, SIGTERM);
      told = true;
    }
    common::sleep_until(common::now() + 5'000'000);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

}  // namespace examine
