// Plays a probe run by run, from this process or from one per stream, and writes a trace of each run.
#pragma once

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/machine.hpp"
#include "common/scheduling.hpp"
#include "disturbance.hpp"
#include "interruption.hpp"
#include "issuer.hpp"
#include "probe_trace.hpp"
#include "run_memory.hpp"

namespace examine {

using MakeGpu = std::function<std::unique_ptr<Gpu>()>;
using Observe = std::function<Observation()>;

class Player {
 public:
  /// `observe` must not need the device to be used by this process.
  Player(const Probe& probe, std::string folder, MakeGpu make, Observe observe)
      : probe_(probe),
        folder_(std::move(folder)),
        make_(std::move(make)),
        observe_(std::move(observe)),
        parts_(probe.processes ? probe.stream_count : 1),
        memory_(probe, parts_) {}

  /// Writes `runs` traces. Ends the program with status 2 when a run does not end or the program is interrupted.
  void play(unsigned runs) {
    at_first_ = observe_();
    if (probe_.processes) {
      play_processes(runs);
    } else {
      play_here(runs);
    }
  }

 private:
  static constexpr std::int64_t lead = 2'000'000;          // from the decision to the start
  static constexpr std::int64_t longest = 30'000'000'000;  // after the last instant that is known beforehand

  [[nodiscard]] std::vector<bool> own(unsigned part) const {
    std::vector<bool> own(probe_.operation_count);
    for (unsigned o = 0; o < probe_.operation_count; ++o) own[o] = !probe_.processes || probe_.operations[o].stream == part;
    return own;
  }
  [[nodiscard]] std::int64_t give_up(std::int64_t start) const {
    std::int64_t last = 0;
    for (unsigned o = 0; o < probe_.operation_count; ++o) last = std::max(last, probe_.operations[o].at);
    return start + last + longest;
  }

  void prepare(Gpu& gpu, unsigned part) {
    gpu.prepare(probe_, own(part));
    put_text(memory_.reports[part].description, fields_as_text(gpu.description()));
    put_text(memory_.reports[part].mismatch, gpu.mismatch());
  }
  void conclude(Gpu& gpu, unsigned part) {
    gpu.settle();
    if (memory_.reports[part].ending == Ending::all_ended) memory_.collect(gpu, own(part));
    memory_.reports[part].surroundings = gpu.surroundings();
  }

  void play_here(unsigned runs) {
    const std::unique_ptr<Gpu> gpu = make_();
    prepare(*gpu, 0);
    Issuer issuer(probe_, own(0));
    for (unsigned run = 0; run < runs && interrupted == 0; ++run) {
      memory_.clear();
      gpu->arm();
      const Observation before = observe_();  // not earlier: an idle GPU has reasons of its own for low clocks
      const std::int64_t start = common::now() + lead;
      {
        const RaisedPriority raised(parts_);
        memory_.reports[0].ending = issuer.run(start, give_up(start), memory_.progress, *gpu, interrupted);
      }
      if (memory_.reports[0].ending == Ending::timed_out) give_up_now();
      const Observation after = observe_();
      conclude(*gpu, 0);
      write(run, start, before, after);
    }
    if (interrupted != 0) fail("interrupted");
  }

  /// One after the other, so that no process's preparations disturb another's: the clocks are read in them.
  template <class Ready>
  static void wait_until(Ready ready) {
    while (!ready() && interrupted == 0) common::sleep_until(common::now() + 50'000);
  }

  [[noreturn]] void be_part(unsigned part, unsigned runs) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const std::unique_ptr<Gpu> gpu = make_();
    RunMemory::Meeting& meeting = *memory_.meeting;
    wait_until([&] { return meeting.ready.load() == part; });
    prepare(*gpu, part);
    meeting.ready.fetch_add(1);
    Issuer issuer(probe_, own(part));
    for (unsigned run = 1; run <= runs && interrupted == 0; ++run) {
      wait_until([&] { return meeting.ready.load() == run * parts_ + part; });
      gpu->arm();
      meeting.ready.fetch_add(1);
      wait_until([&] { return meeting.run.load() == run; });
      if (interrupted != 0) break;
      const std::int64_t start = meeting.start.load();
      {
        const RaisedPriority raised(parts_);
        memory_.reports[part].ending = issuer.run(start, give_up(start), memory_.progress, *gpu, interrupted);
      }
      if (memory_.reports[part].ending != Ending::all_ended) break;
      wait_until([&] { return meeting.finished.load() == (run - 1) * parts_ + part; });
      conclude(*gpu, part);
      meeting.finished.fetch_add(1);
    }
    const bool timed_out = memory_.reports[part].ending == Ending::timed_out;
    if (timed_out) give_up_now();
    gpu->settle();
    std::fflush(nullptr);
    std::_Exit(interrupted != 0 ? 2 : 0);
  }

  void play_processes(unsigned runs) {
    std::fflush(nullptr);
    for (unsigned part = 0; part < parts_; ++part) {
      const pid_t child = fork();
      if (child == 0) be_part(part, runs);
      if (child < 0) {
        stop_children();
        fail("no process could be started");
      }
      children_.push_back(child);
    }
    RunMemory::Meeting& meeting = *memory_.meeting;
    for (unsigned run = 1; run <= runs; ++run) {
      attend([&] { return meeting.ready.load() == (run + 1) * parts_; });
      const Observation before = observe_();
      memory_.clear();
      const std::int64_t start = common::now() + lead;
      meeting.start.store(start);
      meeting.run.store(run);
      attend([&] { return all_ended(); });
      const Observation after = observe_();
      attend([&] { return meeting.finished.load() == run * parts_; });
      write(run - 1, start, before, after);
    }
    wait_for_children();
  }

  [[nodiscard]] bool all_ended() const {
    for (unsigned o = 0; o < probe_.operation_count; ++o) {
      if (memory_.progress[o].ended.load() == 0) return false;
    }
    return true;
  }

  /// Waits, as long as all parts live.
  template <class Ready>
  void attend(Ready ready) {
    while (!ready()) {
      // One that has done its part ends by itself.
      if (some_child_failed() || interrupted != 0) {
        stop_children();
        fail(interrupted != 0 ? "interrupted" : "a process of probe '" + std::string(probe_.name) + "' ended early");
      }
      common::sleep_until(common::now() + 200'000);
    }
  }
  bool some_child_failed() {
    bool failed = false;
    for (pid_t& child : children_) {
      int status = 0;
      if (child == 0 || waitpid(child, &status, WNOHANG) != child) continue;
      child = 0;
      failed = failed || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    }
    return failed;
  }
  void stop_children() {
    for (const pid_t child : children_) {
      if (child != 0) kill(child, SIGTERM);
    }
    wait_for_children();
  }
  void wait_for_children() {
    for (pid_t& child : children_) {
      while (child != 0 && waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
      }
      child = 0;
    }
  }

  /// Operations still run: nothing of them may be taken down.
  [[noreturn]] void give_up_now() const {
    std::fprintf(stderr, "examine: probe '%s': operations had not ended %.0f s after they were issued\n", probe_.name,
                 static_cast<double>(longest) / 1e9);
    std::fflush(nullptr);
    std::_Exit(2);
  }

  /// The largest lateness of an issue. The one before, which takes its time, excuses 20 us.
  [[nodiscard]] Check check_issue_times(std::int64_t start) const {
    std::int64_t latest = 0;
    std::string which;
    for (unsigned part = 0; part < parts_; ++part) {
      const std::vector<bool> mine = own(part);
      std::vector<unsigned> order;
      for (unsigned o = 0; o < probe_.operation_count; ++o) {
        if (mine[o]) order.push_back(o);
      }
      std::sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return issued(a) < issued(b); });
      std::int64_t previous = INT64_MIN / 2;
      for (const unsigned o : order) {
        std::int64_t due = start + probe_.operations[o].at;
        for (unsigned a = 0; a < probe_.operations[o].after_count; ++a)
          due = std::max(due, memory_.progress[probe_.operations[o].after[a]].ended.load() + probe_.operations[o].delay);
        const std::int64_t late = issued(o) - std::max(due, previous + 20'000);
        if (late > latest) {
          latest = late;
          which = probe_.operations[o].name;
        }
        previous = issued(o);
      }
    }
    return check_issues(latest, which);
  }
  [[nodiscard]] std::int64_t issued(unsigned operation) const { return memory_.progress[operation].issued.load(); }

  void write(unsigned run, std::int64_t start, const Observation& before, const Observation& after) {
    Checks checks;
    common::HeaderFields header;
    std::int64_t error = 0;
    for (unsigned part = 0; part < parts_; ++part) {
      const PartReport& report = memory_.reports[part];
      if (report.ending != Ending::all_ended) return;  // interrupted: there is nothing whole to be written
      if (part == 0) header = fields_from_text(report.description);
      error = std::max(error, report.surroundings.clock_error + report.surroundings.drift);
      if (report.mismatch[0] != '\0') checks.push_back({"device", Outcome::failed, report.mismatch});
      // Parts see the same device and the same clock; only one of them sees it alone.
      if (part == 0) checks.push_back(check_clock(report.surroundings));
      checks.push_back(check_conversion(report.surroundings));
    }
    checks.push_back(check_issue_times(start));
    checks.push_back(check_others(at_first_, before, after, parts_));
    checks.push_back(check_throttling(before, after, memory_.reports[0].surroundings));
    header.emplace_back("clock_error_ns", std::to_string(error));
    header.emplace_back("started", common::json_string(common::utc_now()));
    header.emplace_back("kernel", common::json_string(common::kernel_name()));
    header.emplace_back("probe", common::json_string(probe_.name));
    header.emplace_back("run", std::to_string(run));
    header.emplace_back("tasks", common::json_string(probe_.processes ? "processes" : "threads"));
    header.emplace_back("mps", common::mps_is_active() ? "true" : "false");
    write_trace(trace_name(folder_, probe_, run), probe_, memory_, start, header, checks);
  }

  /// Above other threads while operations are issued, where the kernel allows it. Not when `parts` leave no processor to anything else:
  /// they do not sleep.
  class RaisedPriority {
   public:
    explicit RaisedPriority(unsigned parts)
        : raised_(parts + 1 < common::allowed_processors().size() && common::set_fifo(0, common::launch_level).empty()) {
      common::tight_timers();
    }
    RaisedPriority(const RaisedPriority&) = delete;
    RaisedPriority& operator=(const RaisedPriority&) = delete;
    ~RaisedPriority() {
      if (raised_) common::set_other(0);
    }

   private:
    bool raised_;
  };

  const Probe& probe_;
  std::string folder_;
  MakeGpu make_;
  Observe observe_;
  unsigned parts_;
  RunMemory memory_;
  Observation at_first_;
  std::vector<pid_t> children_;  // 0: has ended
};

}  // namespace examine
