// What threads of Linux did, event by event.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "rta/model/quantity.hpp"
#include "sched_events.hpp"

namespace rta::convert {

enum class Doing : std::uint8_t { unknown, sleeps, ready, runs, waits };

struct ObservedThread {
  std::int64_t id = 0;
  std::string name;
  std::set<std::string, std::less<>> former;  // names
  std::int64_t priority = 0;                  // the least urgent one
  bool changed_priority = false;
  bool stopped_ready = false;  // it is ready since another one, or none, took its place
  bool half = false;           // its last wakeup was a sched_waking, whose sched_wakeup is the same one
  Doing doing = Doing::unknown;
  std::uint32_t cpu = 0;
  std::int64_t since = 0;                  // it runs, or waits
  std::optional<std::int64_t> held_since;  // its processor idles, though it is ready
  // The job at hand.
  std::int64_t ran = 0;
  std::optional<std::int64_t> release;  // the last one, unless events were lost since
  std::optional<std::int64_t> pending;  // the last wakeup while it ran
  bool open = false;
  bool cut = false;         // a part of it is not in the recording
  bool by_pending = false;  // it has not begun, and that wakeup released it
  // All jobs.
  std::int64_t held = 0;
  std::optional<std::int64_t> distance;  // of releases, the least
  std::int64_t least = 0, most = 0, longest_cut = 0, total = 0;
  Wide sum = 0;
  std::uint64_t jobs = 0;
  std::int64_t longest = 0;            // from the release of a job to its end
  std::vector<std::int64_t> releases;  // of jobs, the first of them
};

inline constexpr std::size_t most_kept_releases = 100'000;  // of a thread

class SchedThreads {
 public:
  explicit SchedThreads(const SchedEvents& events) : events_(events) {}

  void take(const SchedSwitch& event);
  void take(const SchedWakeup& wakeup);
  void take(const SchedGap& gap);
  /// From here on nothing is known of what threads do.
  void forget();

  struct Counts {
    std::uint64_t switches = 0;
    std::uint64_t torn = 0;     // that contradict what came before
    std::uint64_t waits = 0;    // in state D
    std::uint64_t unwoken = 0;  // starts without a wakeup
    std::uint64_t gaps = 0;
    std::size_t processors = 0;
  };
  [[nodiscard]] const Counts& counts() const { return counts_; }
  [[nodiscard]] const std::vector<ObservedThread>& all() const { return threads_; }

 private:
  struct Processor {
    std::int64_t last = 0;           // its last switch
    std::vector<std::size_t> ready;  // threads that stopped on it, ready
  };
  [[nodiscard]] std::int64_t now() const { return *events_.now(); }
  [[nodiscard]] ObservedThread& thread(const SchedWho& who);
  void hold(Processor& processor, std::uint32_t cpu, bool idles);
  void end_hold(ObservedThread& t) const;
  static void release(ObservedThread& t, std::int64_t time);
  static void begin_cut(ObservedThread& t);
  void count(ObservedThread& t, std::int64_t from) const;
  void start(ObservedThread& t, std::uint32_t cpu);
  void stop(ObservedThread& t, std::uint32_t cpu, std::int64_t idle_until, char state);
  static void end(ObservedThread& t, bool cut);

  const SchedEvents& events_;
  Counts counts_;
  std::optional<std::int64_t> begin_;  // since when what threads do is known, if not since the first event
  std::vector<ObservedThread> threads_;
  std::unordered_map<std::int64_t, std::size_t> index_;  // by number
  std::unordered_map<std::uint32_t, Processor> cpus_;
};

}  // namespace rta::convert
