// What a trace of ROS 2 shows: nodes, topics, callbacks and their jobs, executors and their threads.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "events.hpp"
#include "rta/model/quantity.hpp"

namespace rta::convert {

using Ros2Id = std::uint32_t;  // index into one of the lists below
inline constexpr Ros2Id unknown_id = std::numeric_limits<Ros2Id>::max();

enum class Ros2Owner : std::uint8_t { unknown, timer, subscription, service, client };

struct Ros2Process {
  std::string host;
  std::int64_t id = 0;
  std::string name;
};
struct Ros2Node {
  std::string name;  // with its namespace
};
struct Ros2Publisher {
  std::string topic;  // empty: not in the trace
};
struct Ros2Subscription {
  Ros2Id process = 0;
  std::string topic;  // empty: not in the trace
  Ros2Id node = unknown_id;
  std::size_t depth = 1;
};
struct Ros2Timer {
  std::optional<std::int64_t> period;
  Ros2Id node = unknown_id;
};
struct Ros2Service {
  std::string name;
  Ros2Id node = unknown_id;
};
struct Ros2Group {
  Ros2Id executor = unknown_id;
  Ros2Id collector = unknown_id;  // of entities, by which the executor has it
  std::string type;               // `mutually_exclusive` or `reentrant`; empty: not in the trace
};
struct Ros2Executor {
  Ros2Id process = 0;
  std::string type;  // `single_threaded_executor`, …; empty: not in the trace
};

/// Messages of one topic that a job of a callback published, at most.
struct Ros2Output {
  std::size_t within = 0;  // for subscriptions of its own process
  std::size_t beyond = 0;  // for the others
};

struct Ros2Callback {
  Ros2Id process = 0;
  std::uint64_t address = 0;
  Ros2Owner owner = Ros2Owner::unknown;
  Ros2Id owned_by = unknown_id;
  std::string symbol;
  // Its jobs.
  std::uint64_t jobs = 0;  // whole ones
  std::int64_t least = 0, most = 0, longest_cut = 0;
  Wide sum = 0;
  std::int64_t most_wall = 0;                                     // from start to end
  std::int64_t most_preempted = 0;                                // of one job
  std::int64_t waited = 0;                                        // in all, for others than the processor
  std::uint64_t starts = 0;                                       // also of jobs that are cut off
  std::uint64_t nested = 0;                                       // began while another callback ran on the same thread
  std::uint64_t twice = 0;                                        // began for the second time between two polls
  std::optional<std::int64_t> first_start, last_start, distance;  // of starts, the least
  std::map<std::string, Ros2Output> outputs;                      // by topic
  std::vector<Ros2Id> threads;
  // Jobs that no callback of the trace released.
  std::uint64_t released_outside = 0;
  std::optional<std::int64_t> last_outside, distance_outside;  // of their starts, the least
  std::optional<std::int64_t> last_stamp;
  // Where it ran last.
  Ros2Id last_thread = unknown_id;
  std::uint64_t last_poll = 0;
  std::size_t kept_roots = 0;
};

struct Ros2Thread {
  Ros2Id host = 0;
  std::int64_t id = 0;
  std::uint64_t polls = 0;
};

/// From the start of a callback that no other released to the end of the last one that it led to.
struct Ros2Root {
  Ros2Id callback = 0;
  std::int64_t start = 0, end = 0;
  bool cut = false;
};

/// Of a name of `--leave-out-topic`, or a pattern of the shell.
[[nodiscard]] bool topic_fits(const std::string& one, const std::string& topic);

class Ros2System {
 public:
  /// Messages on topics that `left_out` names, also by patterns of the shell, release nobody.
  Ros2System(Ros2Events& events, const std::vector<std::string>& left_out) : events_(events), left_out_(left_out) {}

  void take(const Ros2Event& event);
  /// What is open is cut off.
  void finish();
  [[nodiscard]] bool leaves_out(const std::string& topic) const;

  std::vector<Ros2Process> processes;
  std::vector<Ros2Node> nodes;
  std::vector<Ros2Publisher> publishers;
  std::vector<Ros2Subscription> subscriptions;
  std::vector<Ros2Timer> timers;
  std::vector<Ros2Service> services;
  std::vector<Ros2Group> groups;
  std::vector<Ros2Executor> executors;
  std::vector<Ros2Callback> callbacks;
  std::vector<Ros2Thread> threads;
  std::vector<Ros2Root> roots;  // the first of each callback
  /// The group of what owns callbacks.
  std::map<std::pair<Ros2Owner, Ros2Id>, Ros2Id> group_of;
  std::optional<std::int64_t> rcl_major;
  bool exact_links = false;         // publications and takes have the same stamps
  std::uint64_t switches = 0;       // of Linux's scheduler
  std::uint64_t switches_seen = 0;  // of threads with callbacks
  std::uint64_t torn = 0;           // events that contradict what came before
  std::uint64_t ran_while_off = 0;  // events of threads that Linux's scheduler had taken off their processors
  std::uint64_t begun_before = 0;   // ends of jobs whose start is not in the trace
  std::uint64_t cut_jobs = 0;
  std::uint64_t messages = 0;  // that were followed from publication to start
  std::int64_t least_delay = 0, most_delay = 0;
  Wide sum_of_delays = 0;

 private:
  enum class Kind_ : std::uint8_t { node, publisher, subscription, object, timer, service, client, callback, group, executor, collector };
  struct Key {
    Ros2Id process;
    Kind_ kind;
    std::uint64_t handle;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      std::uint64_t h = key.handle * 0x9E3779B97F4A7C15ULL;
      h ^= (std::uint64_t{key.process} << 8U | static_cast<std::uint64_t>(key.kind)) * 0xC2B2AE3D27D4EB4FULL;
      return h ^ (h >> 29U);
    }
  };
  struct Published {
    Ros2Id publisher = 0;
    std::size_t between = 0, within = 0;  // processes
  };
  struct Job {
    Ros2Id callback = 0;
    Ros2Id root = unknown_id;
    std::int64_t start = 0;
    std::int64_t ready = 0, asleep = 0;  // of its thread until then
    bool around = false;                 // another one began meanwhile
    std::vector<Published> published;
  };
  /// Of a message, on its way.
  struct Publication {
    bool by_callback = false;
    Ros2Id root = unknown_id;
    std::int64_t time = 0;
  };
  enum class Doing_ : std::uint8_t { unknown, runs, ready, asleep };
  struct ThreadState {
    std::vector<Job> open;
    std::uint64_t gaps = 0;  // as of the first open job
    Doing_ doing = Doing_::unknown;
    std::int64_t since = 0, ready = 0, asleep = 0;
    std::optional<std::int64_t> taken_stamp;  // what the next callback takes
    std::optional<std::uint64_t> written;     // the last message that was published
    Publication publication;                  // of that message
  };

  [[nodiscard]] static Key key(Ros2Id process, Kind_ kind, std::int64_t handle) {
    return {process, kind, static_cast<std::uint64_t>(handle)};
  }
  template <class Thing>
  Ros2Id known(std::vector<Thing>& all, const Key& key);
  template <class Thing>
  Ros2Id anew(std::vector<Thing>& all, const Key& key);
  Ros2Id host_of(std::string_view name);
  Ros2Id process_of(const Ros2Event& event);
  Ros2Id thread_at(Ros2Id host, std::int64_t id);
  Ros2Id thread_of(const Ros2Event& event);
  Ros2Id callback_of(Ros2Id process, std::int64_t address);
  void owned(Ros2Id process, std::int64_t address, Ros2Owner owner, Ros2Id by);

  bool take_initialisation(std::string_view name, Ros2Id process);
  bool take_structure(std::string_view name, Ros2Id process);
  void take_switch(Ros2Id host);
  void take_wakeup(Ros2Id host);
  void change(ThreadState& t, Doing_ doing) const;
  void start(Ros2Id process, Ros2Id thread, bool within);
  void end(Ros2Id process, Ros2Id thread);
  void publish(Ros2Id process, Ros2Id thread, bool within);
  void stamp(Ros2Id thread, std::int64_t message, std::int64_t time);
  std::optional<Publication> released_by(const Ros2Callback& c, ThreadState& t, bool within);
  void cut(Job& job, Ros2Id thread);
  /// A job that no callback released.
  void count_outside(Ros2Callback& c, std::int64_t start, std::optional<std::int64_t> stamp);
  void count_waiting(std::int64_t until);

  Ros2Events& events_;
  const std::vector<std::string>& left_out_;
  std::unordered_map<Key, Ros2Id, KeyHash> index_;
  std::map<std::string, Ros2Id, std::less<>> hosts_;
  std::map<std::pair<Ros2Id, std::int64_t>, Ros2Id> process_index_, thread_index_;
  std::vector<ThreadState> states_;  // of threads
  struct Link {
    Ros2Id to = unknown_id;
  };
  std::vector<Link> objects_;                                              // of rclcpp: their subscriptions
  std::vector<Link> collectors_;                                           // of entities: their executors
  std::unordered_map<std::string, std::vector<Ros2Id>> subscriptions_of_;  // topics
  std::unordered_map<std::int64_t, Publication> by_stamp_;
  std::deque<std::int64_t> stamps_;  // of these, in order
  /// A job whose message may yet be found: a publication may say its stamp after the message has been taken.
  struct Waiting {
    std::int64_t stamp = 0, start = 0;
    Ros2Id callback = 0, root = unknown_id;
  };
  std::deque<Waiting> waiting_;
  struct Queues {
    std::deque<Publication> between, within;
  };
  std::vector<Queues> queues_;  // of subscriptions, where links are not exact
};

}  // namespace rta::convert
