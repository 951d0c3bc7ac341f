// Threads of callback_isolated_executor: a task set completed by its file, and the file of a task set.
#include <doctest/doctest.h>

#include <filesystem>

#include "conversion.hpp"
#include "rta/model/error.hpp"

using namespace rta;

namespace {

class ConfigFile {
 public:
  explicit ConfigFile(const std::string& text) : path_(std::filesystem::temp_directory_path() / "rta-isolated-threads-test.yaml") {
    std::ofstream(path_) << text;
  }
  ~ConfigFile() { std::filesystem::remove(path_); }
  ConfigFile(const ConfigFile&) = delete;
  ConfigFile& operator=(const ConfigFile&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Two ROS nodes; the second has two timers, which their periods tell apart.
const std::string robot = R"(platform:
  robot: {processors: 3, scheduler: multi-threaded}
dags:
  - name: lidar.timer
    T: 100 ms
    nodes:
      lidar.timer: {on: robot, C: 12 ms, group: lidar}
      filter.points: {on: robot, C: 20 ms, group: filter}
    edges: [lidar.timer -> filter.points]
  - {name: filter.timer, T: 10 ms, nodes: {filter.timer: {on: robot, C: 1 ms, group: filter}}}
  - {name: filter.timer-2, T: 1 s, nodes: {filter.timer-2: {on: robot, C: 30 ms, group: filter}}}
)";

const std::string head = "callback_groups:\n";

std::string group(const std::string& id, const std::string& rest) { return "  - id: " + id + "\n    " + rest + "\n"; }
std::string fixed(const std::string& id, int processor, int priority) {
  return group(id, "affinity: [" + std::to_string(processor) + "]\n    policy: SCHED_FIFO\n    priority: " + std::to_string(priority));
}
std::string plain(const std::string& id) { return group(id, "affinity: ~\n    policy: SCHED_OTHER\n    priority: 0"); }
std::string reserved(const std::string& id, int processor, int runtime_us, int period_us) {
  return group(id, "affinity: [" + std::to_string(processor) + "]\n    policy: SCHED_DEADLINE\n    runtime: " + std::to_string(runtime_us) +
                       "000\n    deadline: " + std::to_string(period_us) + "000\n    period: " + std::to_string(period_us) + "000");
}

convert::Converted completed(const std::string& set, const std::string& config) {
  const ConfigFile file(config);
  convert::Options options;
  options.thread_config = file.path();
  return convert::convert_text(set, "file", options);
}

std::string completed_text(const std::string& set, const std::string& config) {
  return io::format_task_set(std::get<TaskSet>(completed(set, config).content));
}

std::string refusal(const std::string& set, const std::string& config) {
  try {
    (void)completed(set, config);
  } catch (const UserError& error) {
    return error.what();
  }
  return "completed";
}

convert::IsolatedThreads written(const std::string& set, const std::string& config) {
  const ConfigFile file(config);
  return convert::format_callback_isolated(test::converted(set), file.path());
}

std::string write_refusal(const std::string& set, const std::string& config) {
  try {
    (void)written(set, config);
  } catch (const UserError& error) {
    return error.what();
  }
  return "written";
}

}  // namespace

TEST_CASE("A thread with a processor to itself is an executor on it, and a reservation is one; waitables of ids do not count") {
  const std::string config = head + fixed("/lidar@Timer(100000000)@Waitable", 3, 80) +
                             reserved("/filter@Subscription(/points)@Timer(10000000)", 2, 6000, 10'000) +
                             plain("/filter@Timer(1000000000)");
  CHECK(completed_text(robot, config) == R"(platform:
  robot: {processors: 3, scheduler: multi-threaded, preemptive: false}
  filter-cpu2: {processors: 1, scheduler: wait-set, preemptive: false, reservation: {runtime: 6 ms, period: 10 ms}}
  cpu3: {processors: 1, scheduler: wait-set, preemptive: false}
dags:
  - name: lidar.timer
    T: 100 ms
    nodes:
      lidar.timer: {on: cpu3, C: 12 ms}
      filter.points: {on: filter-cpu2, C: 20 ms}
    edges:
      - lidar.timer -> filter.points
tasks:
  - {name: filter.timer, T: 10 ms, on: filter-cpu2, C: 1 ms}
  - {name: filter.timer-2, T: 1 s, on: robot, C: 30 ms, group: filter}
)");
  const auto result = completed(robot, config);
  CHECK(test::mentions(result.found, "SCHED_FIFO 80 on processor 3: 'lidar.timer'"));
  CHECK(test::mentions(result.assumed, "left where the task set has them: 1 node of threads that Linux schedules behind"));
}

TEST_CASE("Threads that share a processor by priority are preempted, where nobody follows their callbacks") {
  const std::string config = head + fixed("/filter@Timer(10000000)", 1, 60) + fixed("/filter@Timer(1000000000)", 1, 40);
  const auto result = completed(robot, config);
  const auto& set = std::get<TaskSet>(result.content);
  const Pool& pool = set.pools()[1];
  CHECK(pool.name == "cpu1");
  CHECK(std::get<CpuPool>(pool.resource) ==
        CpuPool{.processors = 1, .scheduler = Scheduler::fp, .preemptive = true, .equals = Equals::any});
  CHECK(std::get<CpuDemand>(set.dags()[1].nodes()[0].demand).priority == 60U);
  CHECK(std::get<CpuDemand>(set.dags()[2].nodes()[0].demand).priority == 40U);
  CHECK(test::mentions(result.assumed, "left where the task set has them: 2 nodes of no callback group of the file"));
  const std::string publishes = head + fixed("/lidar@Timer(100000000)", 1, 60) + fixed("/filter@Timer(1000000000)", 1, 40);
  CHECK(refusal(robot, publishes).find(":2:5: threads share processor 1, and 'lidar.timer' publishes") != std::string::npos);
}

TEST_CASE("Reservations of one processor have names that end with it, whose ever they are") {
  const std::string config = head + reserved("/filter@Timer(10000000)", 3, 500, 1000) + reserved("/filter@Timer(1000000000)", 3, 500, 1000);
  const auto pools = std::get<TaskSet>(completed(robot, config).content).pools();
  REQUIRE(pools.size() == 3);
  CHECK(pools[1].name == "filter-cpu3");
  CHECK(pools[2].name == "filter-2-cpu3");
}

TEST_CASE("What is left out of the file is told, and real-time threads on the same processor loudly") {
  const std::string config = head + fixed("/lidar@Timer(100000000)", 3, 80) + fixed("/other@Client(/x)", 3, 90) +
                             plain("/more@Service(/y)") +
                             "non_ros_threads:\n  - name: worker\n    affinity: [7]\n    policy: SCHED_RR\n    priority: 5\n" +
                             "rt_throttling: {runtime_us: 950000, period_us: 1000000}\n";
  const auto result = completed(robot, config);
  CHECK(test::mentions(result.assumed, "thread '/other@Client(/x)' (SCHED_FIFO) may run on processor 3, AND IS IN NO BOUND"));
  CHECK(test::mentions(result.assumed, "of the file no part of the task set: 2 callback groups, of which it has no callback"));
  CHECK(test::mentions(result.assumed, "of the file no part of the task set: 1 thread beside callback groups: 'worker'"));
  CHECK(test::mentions(result.assumed, "rt_throttling"));
  CHECK(test::mentions(result.assumed, "3 nodes of no callback group of the file"));
}

TEST_CASE("What no bound covers is refused with its place") {
  const std::string timer = "/lidar@Timer(100000000)";
  CHECK(refusal(robot, head + group(timer, "affinity: [1, 2]\n    policy: SCHED_FIFO\n    priority: 9"))
            .find(":3:15: affinity: no bound covers a thread of SCHED_FIFO that may run on 2 processors") != std::string::npos);
  CHECK(refusal(robot, head + group(timer, "policy: SCHED_FIFO\n    priority: 9")).find("may run on all processors") != std::string::npos);
  CHECK(refusal(robot,
                head + group(timer,
                             "affinity: [1]\n    policy: SCHED_DEADLINE\n    runtime: 1000000\n    deadline: 5000000\n    period: 9000000"))
            .find("deadline: bounds are of reservations whose deadline is their period") != std::string::npos);
  CHECK(refusal(robot, head + reserved(timer, 1, 600, 1000) + reserved("/filter@Timer(10000000)", 1, 500, 1000))
            .find("the reservations of processor 1 are more than all of it") != std::string::npos);
  CHECK(refusal(robot, head + reserved(timer, 1, 600, 1000) + fixed("/filter@Timer(10000000)", 1, 50))
            .find("by SCHED_DEADLINE before this thread") != std::string::npos);
  CHECK(refusal(robot, head + fixed("/elsewhere@Timer(5)", 1, 50)).find("no node of the task set is a callback of these groups") !=
        std::string::npos);
}

TEST_CASE("Files that are no such configuration are refused with the place of what is wrong") {
  const std::string timer = "/lidar@Timer(100000000)";
  CHECK(refusal(robot, head + fixed(timer, 1, 100)).find("priority: must be a whole number within 1 .. 99") != std::string::npos);
  CHECK(refusal(robot, head + fixed(timer, 1, 50) + fixed(timer + "@Waitable", 2, 50)).find("stands twice") != std::string::npos);
  CHECK(refusal(robot, head + group(timer, "policy: SCHED_FUTURE")).find("policy") != std::string::npos);
  CHECK(refusal(robot, head + group("/lidar@Alarm(5)", "policy: SCHED_OTHER\n    priority: 0")).find("id: 'Alarm(5)' is no callback") !=
        std::string::npos);
  CHECK(refusal(robot, head + group("lidar", "policy: SCHED_OTHER\n    priority: 0")).find("called after its node") != std::string::npos);
  CHECK(refusal(robot, robot).find("this is a task set, no thread configuration of callback_isolated_executor") != std::string::npos);
  CHECK(refusal(robot, head + group("\"\"", "policy: SCHED_OTHER\n    priority: 0")).find("id: empty") != std::string::npos);
  CHECK(refusal(robot, "callback_groups: []\nlimits: 5\n").find("limits") != std::string::npos);
  CHECK(test::fault_of(head + plain(timer)).find("rta convert TASKSET --thread-config FILE") != std::string::npos);
}

TEST_CASE("Two groups of which ids do not tell the callbacks apart are refused") {
  const std::string id = "/filter@Subscription(/points)";
  CHECK(refusal(robot, head + fixed(id, 1, 50) + fixed(id + "@Client(/x)", 2, 50)).find("ids do not tell them apart") != std::string::npos);
  const std::string twice = R"(platform: {robot: {processors: 1, scheduler: wait-set}}
dags:
  - {name: a.timer, T: 1 s, nodes: {a.timer: {on: robot, C: 1 ms}}}
  - {name: a.timer-2, T: 1 s, nodes: {a.timer-2: {on: robot, C: 1 ms}}}
)";
  CHECK(refusal(twice, head + fixed("/a@Timer(1000000000)", 1, 50)).find("has 2 timers 'a.timer'") != std::string::npos);
  CHECK(completed_text(twice, head + fixed("/a@Timer(1000000000)@Timer(1000000000)", 1, 50))
            .find("cpu1: {processors: 1, scheduler: wait-set") != std::string::npos);
}

TEST_CASE("A configuration that completed a task set is written again of it") {
  const std::string config = head + fixed("/lidar@Timer(100000000)", 3, 80) + reserved("/filter@Subscription(/points)", 2, 6000, 10'000) +
                             fixed("/filter@Timer(10000000)", 1, 60) + fixed("/filter@Timer(1000000000)", 1, 40);
  const std::string threads = R"yaml(callback_groups:
  - id: "/lidar@Timer(100000000)"
    affinity:
      - 3
    policy: SCHED_FIFO
    priority: 50
  - id: "/filter@Subscription(/points)"
    affinity:
      - 2
    policy: SCHED_DEADLINE
    runtime: 6000000
    deadline: 10000000
    period: 10000000
  - id: "/filter@Timer(10000000)"
    affinity:
      - 1
    policy: SCHED_FIFO
    priority: 60
  - id: "/filter@Timer(1000000000)"
    affinity:
      - 1
    policy: SCHED_FIFO
    priority: 40
)yaml";
  const std::string set = completed_text(robot, config);
  const std::string prerun = head + plain("/lidar@Timer(100000000)") + plain("/filter@Subscription(/points)") +
                             plain("/filter@Timer(10000000)") + plain("/filter@Timer(1000000000)");
  const auto result = written(set, prerun);
  CHECK(result.text == threads);
  CHECK(test::mentions(result.assumed, "any will do, as it has processor 3 to itself"));
  CHECK(completed_text(robot, result.text) == set);
  CHECK(written(set, config).text.find("priority: 80") != std::string::npos);  // what a thread has to itself stays as it is
}

TEST_CASE("What the file has beside callbacks of the task set stands as it did; processors without a number are the first that are free") {
  const std::string set =
      "platform: {perception: {processors: 1, scheduler: wait-set}}\n"
      "dags: [{name: lidar.timer, T: 100 ms, nodes: {lidar.timer: {on: perception, C: 1 ms}}}]\n";
  const std::string config = "hardware_info:\n  model_name: A \"fast\" one\n  cpu_max_mhz: 2101.0000\n" + head +
                             plain("/lidar@Timer(100000000)") +
                             group("/x@Client(/y)", "domain_id: 4\n    affinity: [0]\n    policy: SCHED_BATCH\n    nice: -3") +
                             "non_ros_threads:\n  - id: worker\n    affinity: [0]\n    policy: SCHED_RR\n    priority: 5\n";
  const auto result = written(set, config);
  CHECK(result.text == R"yaml(hardware_info:
  model_name: "A \"fast\" one"
  cpu_max_mhz: 2101.0000

callback_groups:
  - id: "/lidar@Timer(100000000)"
    affinity:
      - 0
    policy: SCHED_FIFO
    priority: 50
  - id: "/x@Client(/y)"
    domain_id: 4
    affinity:
      - 0
    policy: SCHED_BATCH
    nice: -3

non_ros_threads:
  - id: worker
    affinity:
      - 0
    policy: SCHED_RR
    priority: 5
)yaml");
  CHECK(test::mentions(result.assumed, "pool 'perception' is on processor 0, the first that no other has"));
  CHECK(test::mentions(result.assumed, "thread 'worker' (SCHED_RR) may run on a processor of the task set, AND IS IN NO BOUND"));
}

TEST_CASE("What threads of callback groups cannot be is refused") {
  const std::string both = head + plain("/a@Timer(1000)") + plain("/b@Timer(1000)");
  const auto set = [](const std::string& platform, const std::string& more = "") {
    return "platform: {" + platform + "}\ndags:\n  - {name: a.timer, T: 1 us, nodes: {a.timer: {on: p0, C: 10 ns" + more +
           "}}}\n  - {name: b.timer, T: 1 us, nodes: {b.timer: {on: p0, C: 10 ns" + more + "}}}\n";
  };
  CHECK(
      write_refusal(set("p0: {processors: 1, scheduler: wait-set}"), both).find("is an executor of one thread, and the callback groups") !=
      std::string::npos);
  CHECK(write_refusal(set("p0: {processors: 2, scheduler: FP}"), both).find("has 2 processors") != std::string::npos);
  CHECK(write_refusal(set("p0: {processors: 1, scheduler: G-EDF}"), both).find("under G-EDF") != std::string::npos);
  CHECK(write_refusal(set("p0: {processors: 1, scheduler: FP}"), head + plain("/a@Timer(1000)")).find("no callback group of") !=
        std::string::npos);
  CHECK(write_refusal(set("p0: {processors: 1, scheduler: FP}"), both) == "written");  // deadline monotonic
  const std::string one = head + plain("/a@Timer(1000)@Timer(1000)") + plain("/b@Timer(1000)");
  CHECK(write_refusal("platform: {p0: {processors: 1, scheduler: FIFO, callbacks: true}}\ndags:\n"
                      "  - {name: a.timer, T: 1 us, nodes: {a.timer: {on: p0, C: 10 ns}}}\n  - {name: a.timer-2, T: 1 us, nodes: "
                      "{a.timer-2: {on: p0, C: 10 ns}}}\n",
                      one)
            .find("picks callbacks in another order") != std::string::npos);
}
