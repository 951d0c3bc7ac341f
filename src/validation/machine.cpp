#include "rta/validation/machine.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <system_error>
#include <thread>

#include "gpu_findings.hpp"

namespace rta::validation {
namespace {

namespace fs = std::filesystem;

/// Tries a policy on a thread of its own, so that this program's scheduling stays as it is. 0, or errno.
template <class Try>
int on_a_thread(Try attempt) {
  int error = 0;
  std::thread([&] {
    if (attempt() != 0) error = errno;
  }).join();
  return error;
}

int try_fifo() {
  return on_a_thread([] {
    sched_param parameter{};
    parameter.sched_priority = 98;
    return sched_setscheduler(0, SCHED_FIFO, &parameter);
  });
}

int try_deadline() {
  struct Attributes {  // struct sched_attr of the kernel
    std::uint32_t size, policy;
    std::uint64_t flags;
    std::int32_t nice;
    std::uint32_t priority;
    std::uint64_t runtime, deadline, period;
  };
  return on_a_thread([] {
    Attributes attributes{sizeof(Attributes), 6, 0, 0, 0, 1'000'000, 10'000'000, 10'000'000};
    return static_cast<int>(syscall(SYS_sched_setattr, 0, &attributes, 0U));
  });
}

std::string reason(int error) { return std::generic_category().message(error); }

Finding policy(const std::string& name, int error) {
  if (error == 0) return {name, Severity::good, "the kernel grants it", ""};
  return {name, Severity::doubtful,
          fmt::format("the kernel refuses it ({}); jobs run in another order than the task set says", reason(error)),
          "run as root, or allow it: setcap cap_sys_nice+ep ./workload, or 'rtprio 99' in /etc/security/limits.conf"};
}

Finding throttling() {
  const std::string runtime = first_line("/proc/sys/kernel/sched_rt_runtime_us");
  const std::string period = first_line("/proc/sys/kernel/sched_rt_period_us");
  if (runtime.empty()) return {"real-time throttling", Severity::note, "the kernel does not tell", ""};
  if (runtime == "-1" || runtime == period) return {"real-time throttling", Severity::good, "off", ""};
  return {"real-time throttling", Severity::note,
          fmt::format("SCHED_FIFO and SCHED_DEADLINE together get {} us of every {} us of a processor; a pool near 100 % is held back",
                      runtime, period),
          "sysctl kernel.sched_rt_runtime_us=-1"};
}

Finding locked_memory() {
  rlimit limit{};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  if (geteuid() == 0 || limit.rlim_cur == RLIM_INFINITY) return {"locked memory", Severity::good, "unlimited", ""};
  return {"locked memory", Severity::doubtful, fmt::format("limited to {} KiB: pages may be fetched while jobs run", limit.rlim_cur / 1024),
          "ulimit -l unlimited, or run as root"};
}

Finding governor() {
  std::set<std::string> governors;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/sys/devices/system/cpu/cpufreq", ignored)) {
    const std::string name = first_line(entry.path() / "scaling_governor");
    if (!name.empty()) governors.insert(name);
  }
  if (governors.empty()) return {"processor clock", Severity::note, "the kernel does not control it here (a virtual machine, say)", ""};
  if (governors == std::set<std::string>{"performance"}) return {"processor clock", Severity::good, "governor performance", ""};
  return {"processor clock", Severity::doubtful, fmt::format("governor {}: it changes while jobs run", *governors.begin()),
          "cpupower frequency-set -g performance"};
}

Finding hardware_threads() {
  if (first_line("/sys/devices/system/cpu/smt/active") != "1")
    return {"hardware multi-threading", Severity::good, "off: a processor is a core", ""};
  return {"hardware multi-threading", Severity::doubtful, "on: two processors share a core, so C depends on what the other one runs",
          "echo off > /sys/devices/system/cpu/smt/control"};
}

Finding preemption() {
  if (first_line("/sys/kernel/realtime") == "1") return {"kernel", Severity::good, "PREEMPT_RT", ""};
  std::ifstream file("/proc/version");
  std::string version;
  std::getline(file, version);
  return {"kernel", Severity::note, version.find("PREEMPT") != std::string::npos ? "preemptible, not PREEMPT_RT" : "not PREEMPT_RT", ""};
}

Finding load() {
  std::ifstream file("/proc/loadavg");
  double jobs = 0;
  file >> jobs;
  if (jobs < 0.5) return {"other load", Severity::good, fmt::format("{:.2f} processes ready on average over the last minute", jobs), ""};
  return {"other load", Severity::note, fmt::format("{:.2f} processes ready on average over the last minute", jobs),
          "stop other programs while measuring"};
}

}  // namespace

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::good: return "good";
    case Severity::note: return "note";
    case Severity::doubtful: return "doubtful";
    case Severity::missing: return "missing";
  }
  return "";
}

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::vector<Finding> examine_machine() {
  std::vector<Finding> findings;
  findings.push_back(policy("SCHED_DEADLINE", try_deadline()));
  findings.push_back(policy("SCHED_FIFO", try_fifo()));
  findings.push_back(throttling());
  findings.push_back(locked_memory());
  findings.push_back(preemption());
  findings.push_back(governor());
  findings.push_back(hardware_threads());
  findings.push_back(load());
  add_gpu_findings(findings);
  return findings;
}

bool is_fit(const std::vector<Finding>& findings) {
  return std::ranges::none_of(findings, [](const Finding& f) { return f.severity >= Severity::doubtful; });
}

}  // namespace rta::validation
