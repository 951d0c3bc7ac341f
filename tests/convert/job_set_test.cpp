// Job sets of schedule_abstraction.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "conversion.hpp"

using namespace rta;

namespace {

const std::string header = "Task ID, Job ID, Arrival min, Arrival max, Cost min, Cost max, Deadline, Priority\n";

convert::Options options() {
  convert::Options out;
  out.processors = {{"", 2}};
  out.time_unit = Time(1'000'000);
  return out;
}

}  // namespace

TEST_CASE("Jobs of a task at equal distances are one DAG; priorities that are the deadlines are G-EDF") {
  // The example of the RTSS 2017 paper's tool: periods 10, 30 and 60.
  convert::Options chosen = options();
  const auto with_two = convert::convert_text(header +
                                                  "1, 1, 0, 0, 1, 2, 10, 10\n1, 2, 10, 10, 1, 2, 20, 20\n1, 3, 20, 20, 1, 2, 30, 30\n"
                                                  "2, 4, 0, 0, 7, 8, 30, 30\n2, 5, 30, 30, 7, 7, 60, 60\n",
                                              "fig1a.csv", chosen);
  CHECK(io::format_task_set(std::get<TaskSet>(with_two.content)) == R"(platform:
  cpu: {processors: 2, scheduler: G-EDF, preemptive: false}
dags:
  - name: T1
    T: 10 ms
    D: 10 ms
    nodes:
      T1: {on: cpu, C: {max: 2 ms, min: 1 ms}}
  - name: T2
    T: 30 ms
    D: 30 ms
    nodes:
      T2: {on: cpu, C: {max: 8 ms, min: 7 ms}}
)");
  CHECK(test::mentions(with_two.assumed, "costs of node 'T2' differ from job to job"));
}

TEST_CASE("What a job set does not say is asked for") {
  CHECK(test::fault_of(header + "3, 9, 0, 0, 3, 13, 60, 60\n") ==
        "file: the file does not say in which unit its times are: give --time-unit ns, us, ms or s\n"
        "file: the file does not say how many processors there are: give --processors N");
  CHECK(test::fault_of(header + "3, 9, 0, 0, 3, 13, 60, 60\n", options()) ==
        "file: task 3 has one job only, which tells no period: give --period TIME, the hyperperiod");
}

TEST_CASE("Fixed priorities make a pool under FP; phases and jitter are kept") {
  convert::Options chosen = options();
  chosen.period = Time(100'000'000);
  const auto result = convert::convert_text(header + "1, 1, 5, 7, 2, 4, 9, 1\n2, 1, 0, 0, 10, 15, 20, 2\n", "j.csv", chosen);
  CHECK(std::get<CpuPool>(std::get<TaskSet>(result.content).pools()[0].resource).scheduler == Scheduler::fp);
  CHECK(std::get<TaskSet>(result.content).dags()[0].attributes().priority == 2);  // the smaller number of the file is the more urgent
  CHECK(std::get<TaskSet>(result.content).dags()[1].attributes().priority == 1);
  const Dag& late = std::get<TaskSet>(result.content).dags()[0];
  CHECK(late.attributes().phase == Time(5'000'000));
  CHECK(late.attributes().jitter == Time(2'000'000));
  CHECK(late.nominal_period() == Time(100'000'000));
  CHECK(std::get<TaskSet>(result.content).dags()[0].deadline() == Time(2'000'000));
}

TEST_CASE("Precedence joins jobs of one arrival to DAGs, and jobs of one task to sequential ones") {
  const std::string yaml = R"(jobset:
  - {Task ID: 1, Job ID: 1, Arrival min: 0, Arrival max: 0, Cost min: 1, Cost max: 2, Deadline: 10, Priority: 10, Successors: [[2, 1], {Task ID: 1, Job ID: 2}]}
  - {Task ID: 2, Job ID: 1, Arrival min: 0, Arrival max: 0, Cost min: 3, Cost max: 3, Deadline: 10, Priority: 10}
  - {Task ID: 1, Job ID: 2, Arrival min: 10, Arrival max: 10, Cost min: 1, Cost max: 2, Deadline: 20, Priority: 20, Successors: [[2, 2]]}
  - {Task ID: 2, Job ID: 2, Arrival min: 10, Arrival max: 10, Cost min: 3, Cost max: 3, Deadline: 20, Priority: 20}
)";
  const TaskSet set = test::converted(yaml, options());
  REQUIRE(set.dags().size() == 1);
  CHECK(test::edges_of(set.dags().front()) == "T1 -> T2\n");
  CHECK(set.dags().front().period() == Time(10'000'000));
  CHECK(test::node_of(set.dags().front(), "T1").sequential);
  CHECK_FALSE(test::node_of(set.dags().front(), "T2").sequential);
}

TEST_CASE("Job sets that are no task sets, and broken ones, are refused with their line") {
  const convert::Options chosen = options();
  CHECK(test::fault_of(header + "1, 1, 0, 0\n", chosen).find("file:2:1: 4 columns are too few for a job") == 0);
  CHECK(test::fault_of(header + "1, 1, 0, 0, 1, 2, x, 1\n", chosen) == "file:2:1: deadline: 'x' is no whole number of at most 63 bits");
  CHECK(test::fault_of(header + "1, 1, 0, 0, 1, 2, 1.5, 1\n", chosen).find("file:2:1: deadline: '1.5'") == 0);
  CHECK(test::fault_of(header + "1, 1, 0, 0, 1, 2, 99999999999999999999, 1\n", chosen).find("no whole number of at most 63 bits") !=
        std::string::npos);
  CHECK(test::fault_of(header + "\n1, 1, 5, 3, 1, 2, 10, 1\n", chosen) == "file:3:1: arrivals: 0 <= min <= max is needed");
  CHECK(test::fault_of(header + "1, 1, 0, 0, 3, 2, 10, 1\n", chosen) == "file:2:1: costs: 0 <= min <= max is needed");
  CHECK(test::fault_of(header + "1, 1, 0, 0, 1, 2, 10, 1\n1, 1, 0, 0, 1, 2, 10, 1\n", chosen) ==
        "file:3:1: job 1 of task 1 is there twice");
  CHECK(test::fault_of(header + "1, 1, 0, 0, { 1:2:3 }, , 10, 1\n", chosen).find("gang job") != std::string::npos);
  CHECK(test::fault_of(header + "1, 1, 0, 0, 1, 2, 10, 1, 2\n", chosen).find("conditional job") != std::string::npos);
  CHECK(test::fault_of(header, chosen) == "file: the job set is empty");
  CHECK(
      test::fault_of("Predecessor TID, Predecessor JID, Successor TID, Successor JID\n1, 1, 1, 2\n", chosen).find("go with --precedence") !=
      std::string::npos);
  CHECK(test::fault_of(header + "1, 1, 0, 0, 1, 2, 10, 3\n1, 2, 10, 10, 1, 2, 20, 5\n", chosen)
            .find("file:3:1: the priorities of task 1 are neither") == 0);
  CHECK(test::fault_of("jobset:\n  - {Task ID: 1, Job ID: 1}\n", chosen).find("file:2:5: 'Arrival min' is missing") == 0);
  CHECK(test::fault_of("jobset: 5\n", chosen).find("file:1:9: jobset: a list of jobs is expected") == 0);
}

TEST_CASE("Deadlines of a job set are instants: with release jitter the latest arrival has the shortest") {
  // It arrives at 10 at the latest and must end at 12: D = 2 ms, less than its 8 ms of execution.
  const std::string rows = "1, 1, 0, 10, 8, 8, 12, 12\n1, 2, 100, 110, 8, 8, 112, 112\n";
  const auto result = convert::convert_text(header + rows, "j.csv", options());
  const Dag& dag = std::get<TaskSet>(result.content).dags().front();
  CHECK(dag.deadline() == Time(2'000'000));
  CHECK(dag.attributes().jitter == Time(10'000'000));
  CHECK(dag.nominal_period() == Time(100'000'000));
  CHECK(test::mentions(result.assumed, "it is the one of the latest arrival"));
  CHECK(test::fault_of(header + "1, 1, 0, 12, 8, 8, 12, 12\n", options()).find("file:2:1: the deadline is not after the latest arrival") ==
        0);
  // And back: 100 + 10 + 2.
  CHECK(convert::format_job_set(std::get<TaskSet>(result.content))
            .jobs.find("\n1, 1, 0, 10000000, 8000000, 8000000, 12000000, 12000000, 0") != std::string::npos);
}

TEST_CASE("--period is for tasks with one job, as the hyperperiod; it leaves the others' periods") {
  convert::Options chosen = options();
  const std::string rows =
      "1, 1, 0, 0, 12, 12, 20, 20\n1, 2, 10, 10, 12, 12, 30, 30\n1, 3, 20, 20, 12, 12, 40, 40\n2, 1, 0, 0, 1, 1, 60, 60\n";
  chosen.period = Time(60'000'000);
  const TaskSet set = test::converted(header + rows, chosen);
  CHECK(set.dags()[0].period() == Time(10'000'000));
  CHECK(set.dags()[1].period() == Time(60'000'000));
  // The last job at 20, the first of the next hyperperiod at 25: 5 apart.
  chosen.period = Time(25'000'000);
  const auto close = convert::convert_text(header + rows, "j", chosen);
  CHECK(std::get<TaskSet>(close.content).dags()[0].period() == Time(5'000'000));
  CHECK(std::get<TaskSet>(close.content).dags()[0].attributes().T_max == Time(10'000'000));
  CHECK(test::mentions(close.assumed, "its jobs arrive at different distances; T is the least"));
  // Task 1 arrives over 20 ms.
  chosen.period = Time(15'000'000);
  CHECK(test::fault_of(header + rows, chosen) ==
        "file: the jobs of task 1 arrive over 20 ms, more than the hyperperiod of 15 ms (--period)");
  const auto shown = convert::convert_text(header + "1, 1, 0, 0, 1, 1, 20, 20\n1, 2, 10, 10, 1, 1, 30, 30\n", "j", [&] {
    chosen.period = Time(20'000'000);
    return chosen;
  }());
  CHECK(test::mentions(shown.assumed, "--period: the jobs of every task show its period"));
}

TEST_CASE("Options do not change what the header of a job set says") {
  const std::string said =
      "Task ID, Job ID, Arrival min, Arrival max, Cost min, Cost max, Deadline, Priority, Job type, Name, time unit: us, hyperperiod: 60 "
      "ms, "
      "processors: 4, pool: cpu\n1, 1, 0, 0, 1, 2, 10, 10, 0, a/a\n";
  convert::Options chosen;
  CHECK(test::converted(said, chosen).dags().front().period() == Time(60'000'000));
  chosen.processors = {{"", 2}};
  CHECK(test::fault_of(said, chosen).find("--processors 2 contradicts the file, which says 4") != std::string::npos);
  chosen.processors = {{"", 4}};
  chosen.time_unit = Time(1);
  CHECK(test::fault_of(said, chosen).find("--time-unit 1 ns contradicts the file, which says 1 us") != std::string::npos);
  chosen.time_unit.reset();
  chosen.period = Time(50'000'000);
  CHECK(test::fault_of(said, chosen).find("--period 50 ms contradicts the file, which says 60 ms") != std::string::npos);
  chosen.period.reset();
  chosen.scheduler = Scheduler::fifo;
  CHECK(test::mentions(convert::convert_text(said, "j", chosen).assumed, "--scheduler FIFO, while the priorities of the file are G-EDF"));
}

TEST_CASE("A header's names decide where columns stand; without a header no job is lost") {
  const TaskSet named = test::converted(
      "Priority, Deadline, Cost max, Cost min, Arrival max, Arrival min, Job ID, Task ID, Colour\n10, 10, 3, 1, 0, 0, 1, 7, red\n"
      "20, 20, 2, 2, 10, 10, 2, 7, red\n",
      options());
  const Node& node = test::node_of(named.dags().front(), "T7");
  CHECK(longest_piece(node) == Time(3'000'000));
  CHECK(node.variation->least == Time(1'000'000));
  CHECK(test::mentions(
      convert::convert_text(
          header.substr(0, header.size() - 1) + ", Colour\n1, 1, 0, 0, 1, 3, 9, 9, red\n1, 2, 10, 10, 1, 3, 19, 19, red\n", "j", options())
          .assumed,
      "column 'Colour' IS LEFT OUT"));
  const auto bare =
      convert::convert_text("1, 1, 0, 0, 1, 2, 10, 10\n1, 2, 10, 10, 1, 2, 20, 20\n1, 3, 20, 20, 1, 2, 30, 30\n", "j", options());
  CHECK(std::get<TaskSet>(bare.content).dags().front().period() == Time(10'000'000));
  CHECK(test::mentions(bare.assumed, "no header names the columns; their order is Task ID, Job ID"));
  CHECK(test::fault_of("id, job, wcet, bcet, amax, amin, prio, dl\n1, 1, 0, 0, 1, 2, 10, 10\n", options())
            .find("file:1:1: the header names no column of a job set; these are Task ID, Job ID") == 0);
  CHECK(test::fault_of("Task ID, Job ID, Arrival min, Arrival max, Cost min, Cost max, Due, Priority\n1, 1, 0, 0, 1, 2, 10, 10\n",
                       options()) == "file:1:1: the header has no column 'Deadline'");
  CHECK(test::fault_of(header + "1, 1, 0, 0, 1, 2, 10, 10, 1\n", options()).find("file:2:1: row 'conditional job' cannot be read: ") == 0);
  CHECK(test::fault_of("Task ID, Job ID, Trigger min, Trigger max, Cleanup min, Cleanup max\n1, 1, 0, 0, 1, 2\n", options())
            .find("column 'Trigger min' cannot be read: abort actions") != std::string::npos);
}

namespace {

// Two jobs, of which the second waits for the first; `order` heads the constraints.
std::string edges_with(const std::string& order, const std::string& row) {
  const std::string jobs = "1, 1, 0, 0, 1, 1, 10, 10\n2, 1, 0, 0, 2, 2, 20, 20\n";
  const auto path = std::filesystem::temp_directory_path() / fmt::format("rta-order-{}.csv", ::getpid());
  std::ofstream(path) << order << "\n" << row << "\n";
  convert::Options chosen = options();
  chosen.period = Time(100'000'000);
  chosen.precedence = path;
  std::string out;
  try {
    const auto result = convert::convert_text(header + jobs, "file", chosen);
    out = test::edges_of(std::get<TaskSet>(result.content).dags().front());
    for (const std::string& sentence : result.assumed) out += sentence.find("LEFT OUT") == std::string::npos ? "" : sentence;
  } catch (const UserError& error) {
    out = error.what();
  }
  std::filesystem::remove(path);
  return out;
}

}  // namespace

TEST_CASE("The names of a header decide where the columns of constraints stand, whatever the tool calls them") {
  CHECK(edges_with("Predecessor TID, Predecessor JID, Successor TID, Successor JID", "1, 1, 2, 1") == "T1 -> T2\n");
  CHECK(edges_with("Successor TID, Successor JID, Predecessor TID, Predecessor JID", "2, 1, 1, 1") == "T1 -> T2\n");
  CHECK(edges_with("To TID, To JID, From TID, From JID", "2, 1, 1, 1") == "T1 -> T2\n");
  CHECK(edges_with("Delay max, From TID, From JID, To TID, To JID", "0, 1, 1, 2, 1") == "T1 -> T2\n");
  CHECK(edges_with("Delay max, From TID, From JID, To TID, To JID", "5, 1, 1, 2, 1").find("suspension: a delay between jobs") !=
        std::string::npos);
  CHECK(edges_with("From TID, From JID, To TID, To JID, novelty", "1, 1, 2, 1, 9").find("column of constraints 'novelty' IS LEFT OUT") !=
        std::string::npos);
  CHECK(edges_with("From TID, From JID, From TID, To JID", "1, 1, 2, 1").find("'Predecessor TID' is there twice") != std::string::npos);
}

TEST_CASE("Cells behind the last column that has a name are refused, and so are successors that are no list") {
  CHECK(
      test::fault_of(header + "1, 1, 0, 0, 1, 2, 10, 10, 0, 7\n", options()).find("file:2:1: '7' is in column 10, which no header names") ==
      0);
  CHECK(test::fault_of(
            "jobset:\n  - {Task ID: 1, Job ID: 1, Arrival min: 0, Arrival max: 0, Cost min: 1, Cost max: 2, Deadline: 10, Priority: "
            "10, Successors: 2}\n",
            options())
            .find("Successors: a list is expected") != std::string::npos);
}

// Task 1 comes at 2 and 12, up to 3 later; task 2 once in 20. All of it again 20 later.
TEST_CASE("Jobs T apart are those of periodic DAGs: phase, jitter and least costs are kept") {
  convert::Options chosen = options();
  chosen.period = Time(20'000'000);
  const auto result =
      convert::convert_text(header + "1, 1, 2, 5, 1, 2, 11, 1\n1, 2, 12, 14, 1, 2, 21, 1\n2, 1, 0, 0, 3, 4, 20, 2\n", "j.csv", chosen);
  CHECK(io::format_task_set(std::get<TaskSet>(result.content)) == R"(platform:
  cpu: {processors: 2, scheduler: FP, preemptive: false}
dags:
  - name: T1
    T: 10 ms
    jitter: 3 ms
    phase: 2 ms
    periodic: true
    D: 6 ms
    priority: 2
    nodes:
      T1: {on: cpu, C: {max: 2 ms, min: 1 ms}}
  - name: T2
    T: 20 ms
    phase: 0 ns
    periodic: true
    D: 20 ms
    priority: 1
    nodes:
      T2: {on: cpu, C: {max: 4 ms, min: 3 ms}}
)");
  CHECK(test::mentions(result.assumed, "releases go on as they are in the file, by one clock"));
}

TEST_CASE("Why a job set is not periodic is told") {
  const std::string apart = "1, 1, 0, 0, 1, 1, 9, 1\n1, 2, 10, 10, 1, 1, 19, 1\n1, 3, 25, 25, 1, 1, 34, 1\n";
  const auto uneven = convert::convert_text(header + apart, "j", options());
  CHECK_FALSE(std::get<TaskSet>(uneven.content).dags()[0].attributes().periodic);
  CHECK(test::mentions(uneven.assumed, "DAG 'T1' is not periodic: its jobs arrive at different distances"));
  // Three jobs of 10 make 30, two of 30 make 60.
  const std::string part =
      "1, 1, 0, 0, 1, 1, 9, 1\n1, 2, 10, 10, 1, 1, 19, 1\n1, 3, 20, 20, 1, 1, 29, 1\n"
      "2, 1, 0, 0, 1, 1, 9, 2\n2, 2, 30, 30, 1, 1, 39, 2\n";
  const auto some = convert::convert_text(header + part, "j", options());
  CHECK(test::mentions(some.assumed, "DAG 'T1' is not periodic: its 3 jobs, 10 ms apart, are those of 30 ms, and others' of 60 ms"));
  CHECK(test::mentions(some.assumed, "DAG 'T2' is not periodic: its 2 jobs, 30 ms apart, are those of 60 ms, and others' of 30 ms"));
  CHECK_FALSE(std::get<TaskSet>(some.content).dags()[0].attributes().periodic);
  // With the hyperperiod: 60 from the last job of task 1 at 20 to the next at 60 are 40.
  convert::Options chosen = options();
  chosen.period = Time(60'000'000);
  const auto known = convert::convert_text(header + part, "j", chosen);
  CHECK_FALSE(std::get<TaskSet>(known.content).dags()[0].attributes().periodic);
  CHECK(std::get<TaskSet>(known.content).dags()[1].attributes().periodic);
  CHECK(test::mentions(known.assumed, "of periodic releases use is made where all DAGs are"));
}

TEST_CASE("Job sets of periodic DAGs read back equal, and of others stay sporadic") {
  const std::string text = R"(platform: {cpu: {processors: 2, scheduler: G-EDF, preemptive: false}}
dags:
  - {name: a, T: 10 ms, D: 10 ms, jitter: 1 ms, phase: 0 ms, PERIODIC nodes: {u: {on: cpu, C: {max: 2 ms, min: 1 ms}}}}
  - {name: b, T: 20 ms, D: 20 ms, phase: 3 ms, PERIODIC nodes: {u: {on: cpu, C: 4 ms}, v: {on: cpu, C: 1 ms}}, edges: [u -> v]}
)";
  const auto set_with = [&](const std::string& periodic) {
    std::string all = text;
    for (std::size_t at = all.find("PERIODIC"); at != std::string::npos; at = all.find("PERIODIC")) all.replace(at, 8, periodic);
    return io::parse_task_set(all, "s.yaml").task_set;
  };
  const auto again = [](const convert::JobSet& jobs) {
    const auto path = std::filesystem::temp_directory_path() / fmt::format("rta-periodic-{}.prec.csv", getpid());
    std::ofstream(path) << jobs.precedence;
    convert::Options options;
    options.precedence = path;
    const TaskSet read = test::converted(jobs.jobs, options);
    std::filesystem::remove(path);
    return read;
  };
  const TaskSet periodic = set_with("periodic: true,");
  const convert::JobSet jobs = convert::format_job_set(periodic);
  CHECK(jobs.jobs.find("releases:") == std::string::npos);
  CHECK_FALSE(test::mentions(jobs.assumed, "periodic"));
  CHECK(again(jobs).dags()[0].attributes() == periodic.dags()[0].attributes());
  CHECK(again(jobs).dags()[1].attributes() == periodic.dags()[1].attributes());
  const convert::JobSet others = convert::format_job_set(set_with(""));
  CHECK(others.jobs.find("releases: sporadic\n") != std::string::npos);
  CHECK_FALSE(again(others).dags()[0].attributes().periodic);
  CHECK(again(others).dags()[1].attributes().phase == Time(3'000'000));
}
