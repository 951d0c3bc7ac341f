// An MPS server of the probes' own, which ends with them, and what its clients do to one another.
#pragma once

#include <dirent.h>
#include <sys/mman.h>

#include <cstring>
#include <new>
#include <optional>
#include <sstream>

#include "bench.cuh"
#include "common/machine.hpp"
#include "process.hpp"

namespace probes {

/// Its pipes are in a folder of their own: only processes that are told of it use it.
class MpsServer {
 public:
  explicit MpsServer(const std::vector<std::string>& options) {
    if (common::mps_is_active()) throw NotPossible{"another MPS server is at work here"};
    char pattern[] = "/tmp/probes-mps-XXXXXX";
    if (mkdtemp(pattern) == nullptr) throw NotPossible{"no folder for the pipes of an MPS server"};
    folder_ = pattern;
    std::vector<std::string> words{"nvidia-cuda-mps-control", "-d"};
    words.insert(words.end(), options.begin(), options.end());
    if (pipe2(lifeline_, O_CLOEXEC) != 0) throw NotPossible{"no pipe to a process"};
    std::fflush(nullptr);
    guard_ = fork();
    if (guard_ == 0) end_with_parent();
    close(lifeline_[0]);
    point_to(folder_);
    const Ran ran = run_tool(words, "");
    point_to("");
    const auto runs = [this] { return daemon_process() > 0 && kill(daemon_process(), 0) == 0; };
    for (int i = 0; ran.status == 0 && !runs() && i < 10; ++i) common::sleep_until(common::now() + 100 * ms);
    if (ran.status == 0 && runs()) return;
    end();
    throw NotPossible{ran.status == 127 ? "there is no nvidia-cuda-mps-control"
                                        : "nvidia-cuda-mps-control does not start: " + ran.text.substr(0, 400)};
  }
  MpsServer(const MpsServer&) = delete;
  MpsServer& operator=(const MpsServer&) = delete;
  ~MpsServer() { end(); }

  [[nodiscard]] const std::string& folder() const { return folder_; }
  [[nodiscard]] std::string ask(const std::string& command) const {
    point_to(folder_);
    const Ran ran = run_tool({"nvidia-cuda-mps-control"}, command);
    point_to("");
    return ran.text;
  }
  /// For this process and those that it starts; nothing: no server.
  static void point_to(const std::string& folder) {
    for (const char* name : {"CUDA_MPS_PIPE_DIRECTORY", "CUDA_MPS_LOG_DIRECTORY"}) {
      if (folder.empty()) unsetenv(name);
      if (!folder.empty()) setenv(name, folder.c_str(), 1);
    }
  }

 private:
  [[nodiscard]] pid_t daemon_process() const {
    return static_cast<pid_t>(std::strtol(common::first_line(folder_ + "/nvidia-cuda-mps-control.pid").c_str(), nullptr, 10));
  }
  void end() const {
    close(lifeline_[1]);
    for (int status = 0; guard_ > 0 && waitpid(guard_, &status, 0) < 0 && errno == EINTR;) continue;
  }
  /// A process of its own session ends the server when the other end of the pipe is closed, however that comes about.
  [[noreturn]] void end_with_parent() const {
    setsid();
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, SIG_IGN);
    interrupted.store(0);
    close(lifeline_[1]);
    char nothing = 0;
    while (read(lifeline_[0], &nothing, 1) < 0 && errno == EINTR) continue;
    const pid_t daemon = daemon_process();
    const auto runs = [daemon] { return daemon > 0 && kill(daemon, 0) == 0; };
    if (runs()) (void)ask("quit -t 2\n");
    for (int i = 0; runs() && i < 40; ++i) common::sleep_until(common::now() + 100 * ms);
    if (runs()) kill(daemon, SIGTERM);
    remove_folder();
    std::_Exit(0);
  }
  void remove_folder() const {
    if (DIR* folder = opendir(folder_.c_str()); folder != nullptr) {
      while (const dirent* entry = readdir(folder)) unlink((folder_ + "/" + entry->d_name).c_str());
      closedir(folder);
    }
    rmdir(folder_.c_str());
  }
  std::string folder_;
  int lifeline_[2] = {-1, -1};
  pid_t guard_ = 0;
};

/// Where two clients meet.
struct Meeting {
  std::atomic<unsigned> ready{0};
  std::atomic<unsigned> launched{0};  // rounds, by the one whose kernels wait
  std::atomic<unsigned> over{0};      // by the other
  std::atomic<std::int64_t> start{0};
};

class SharedMeeting {
 public:
  SharedMeeting() {
    memory_ = mmap(nullptr, sizeof(Meeting), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) throw NotPossible{"no memory for two processes to meet in"};
    meeting = new (memory_) Meeting;
  }
  SharedMeeting(const SharedMeeting&) = delete;
  SharedMeeting& operator=(const SharedMeeting&) = delete;
  ~SharedMeeting() { munmap(memory_, sizeof(Meeting)); }
  Meeting* meeting = nullptr;

 private:
  void* memory_ = nullptr;
};

/// False: not within 2 s.
template <class Ready>
bool comes(Ready ready, std::int64_t limit = 2'000 * ms) {
  const std::int64_t until = common::now() + limit;
  while (!ready()) {
    if (common::now() > until) return false;
    Bench::pause(10 * us);
  }
  return true;
}

/// The client with work: in each round a kernel fills the GPU for 2 ms and three more wait behind it, of the lowest priority. A line for
/// each: 1 the other's kernel started before any that waited, 0 not, - the scene did not come about.
inline int be_the_first(Meeting& meeting, unsigned rounds, int to) {
  Bench bench;
  const int low = bench.device().stream_priority(0);
  std::vector<cudaStream_t> streams;
  for (unsigned s = 0; s < 4; ++s) streams.push_back(common::new_stream(low));
  meeting.ready.fetch_add(1);
  if (!comes([&] { return meeting.ready.load() == 2; }, 10'000 * ms)) return 1;
  for (unsigned r = 1; r <= rounds; ++r) {
    bench.forget();
    const Seen filling = bench.hold(streams[0], bench.sms(), 2 * ms);
    std::vector<Seen> waiting;
    for (unsigned s = 1; s < streams.size(); ++s) waiting.push_back(bench.hold(streams[s], bench.sms(), 200 * us));
    Bench::pause(200 * us);
    meeting.launched.store(r);
    if (!comes([&] { return meeting.over.load() == r; })) return 1;
    Bench::finish(streams);
    std::int64_t next = waiting[0].first_start();
    for (const Seen& one : waiting) next = std::min(next, one.first_start());
    const std::int64_t start = meeting.start.load();
    const bool scene = start >= filling.first_end() && next >= filling.first_end();
    write_all(to, scene ? start < next ? "1" : "0" : "-");
  }
  return 0;
}

/// The client with one kernel of `blocks` in each round, of the highest priority or of the lowest.
inline int be_the_second(Meeting& meeting, unsigned rounds, bool urgent) {
  Bench bench;
  const cudaStream_t stream = common::new_stream(bench.device().stream_priority(urgent ? bench.device().priority_levels() - 1 : 0));
  meeting.ready.fetch_add(1);
  for (unsigned r = 1; r <= rounds; ++r) {
    if (!comes([&] { return meeting.launched.load() == r; }, 10'000 * ms)) return 1;
    bench.forget();
    const Seen kernel = bench.hold(stream, 1, 20 * us);
    Bench::finish({stream});
    meeting.start.store(kernel.first_start());
    meeting.over.store(r);
  }
  return 0;
}

/// Both clients of a server, of which the second is this process's child.
inline std::string meet(const std::string& folder, unsigned rounds, bool urgent) {
  const SharedMeeting shared;
  constexpr std::int64_t limit = 15'000 * ms;
  const Ran ran = run_process(limit, [&](int to) {
    failures_go_to(to);
    MpsServer::point_to(folder);
    const pid_t other = fork();
    if (other == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      std::_Exit(be_the_second(*shared.meeting, rounds, urgent));
    }
    const int status = be_the_first(*shared.meeting, rounds, to);
    kill(other, SIGTERM);
    waitpid(other, nullptr, 0);
    return status;
  });
  if (ran.status != 0) {
    throw NotPossible{"clients of the MPS server " + std::string(ran.in_time ? "ended early" : "did not end") +
                      (ran.text.empty() ? "" : ": " + ran.text)};
  }
  return ran.text;
}

inline Answer priorities_of_clients(unsigned runs) {
  const MpsServer server({});
  Answer answer;
  answer.wanted = runs;
  const std::string urgent = meet(server.folder(), runs, true);
  const std::string control = meet(server.folder(), runs, false);
  for (const char of : urgent) answer.count(of == '1' ? Outcome::agrees : of == '0' ? Outcome::contradicts : Outcome::no_scene);
  answer.decide();
  answer.figure("of_the_lowest_priority_it_overtook", std::count(control.begin(), control.end(), '1'));
  answer.figure("of_runs", std::count(control.begin(), control.end(), '1') + std::count(control.begin(), control.end(), '0'));
  return answer;
}

/// SMs of a client: how many the device says, and those on which its blocks ran.
inline std::string sms_of_client(const std::string& folder, const std::string& partition) {
  const Ran ran = run_process(10'000 * ms, [&](int to) {
    failures_go_to(to);
    if (!folder.empty()) MpsServer::point_to(folder);
    if (!partition.empty()) setenv("CUDA_MPS_SM_PARTITION", partition.c_str(), 1);
    Bench bench;
    if (folder.empty()) {  // who is asked for the device's name alone
      std::string name = "GPU-";
      for (int byte = 0; byte < 16; ++byte) {
        char digits[4];
        std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(bench.device().properties().uuid.bytes[byte]));
        name += std::string(byte == 4 || byte == 6 || byte == 8 || byte == 10 ? "-" : "") + digits;
      }
      write_all(to, name);
      return 0;
    }
    const cudaStream_t stream = common::new_stream(0);
    const Seen seen = bench.hold(stream, 4 * bench.sms(), 50 * us);
    Bench::finish({stream});
    std::string text = std::to_string(bench.sms());
    for (const unsigned sm : seen.sms()) text += " " + std::to_string(sm);
    write_all(to, text);
    return 0;
  });
  if (ran.status != 0) throw NotPossible{"a client ended early: " + ran.text};
  return ran.text;
}

/// What the server answers of a partition that it has made: "Partition NAME created".
inline std::string name_of_partition(const std::string& answer) {
  const std::size_t at = answer.find("Partition ");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + std::strlen("Partition ");
  return answer.substr(begin, answer.find_first_of(" \n", begin) - begin);
}

inline Answer static_partitions(unsigned runs) {
  Answer answer;
  std::string version = run_tool({"nvidia-cuda-mps-control", "-v"}, "").text;
  version.erase(std::min(version.find('\n'), version.size()));
  answer.figure("control", common::json_string(version));
  const std::string device = sms_of_client("", "");
  std::optional<MpsServer> started;
  try {
    started.emplace(std::vector<std::string>{"-S"});
  } catch (const NotPossible& reason) {
    throw NotPossible{reason.reason + " (" + version + ")"};
  }
  const MpsServer& server = *started;
  const std::string made[] = {server.ask("sm_partition add " + device + " 1\n"), server.ask("sm_partition add " + device + " 2\n")};
  answer.figure("made", "[" + common::json_string(made[0]) + ", " + common::json_string(made[1]) + "]");
  answer.figure("partitions", common::json_string(server.ask("lspart\n")));
  std::string sms;
  for (unsigned r = 0; r < std::min(runs, 3U); ++r) {
    std::set<unsigned> seen[2];
    unsigned many[2] = {};
    for (int p = 0; p < 2; ++p) {
      const std::string name = name_of_partition(made[p]);
      std::istringstream numbers(name.empty() ? "" : sms_of_client(server.folder(), name));
      numbers >> many[p];
      for (unsigned sm = 0; numbers >> sm;) seen[p].insert(sm);
    }
    if (seen[0].empty() || seen[1].empty()) break;
    sms = json_list(std::vector<unsigned>{many[0], many[1]});
    const bool apart = std::none_of(seen[0].begin(), seen[0].end(), [&](unsigned sm) { return seen[1].count(sm) > 0; });
    answer.count(apart && seen[0].size() <= many[0] && seen[1].size() <= many[1] ? Outcome::agrees : Outcome::contradicts);
  }
  if (answer.runs == 0) answer.reason = "the server makes no partitions in which clients run";
  if (!sms.empty()) answer.figure("sms", sms);
  answer.decide();
  return answer;
}

}  // namespace probes
