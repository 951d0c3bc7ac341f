// Job sets of schedule_abstraction.
#include <doctest/doctest.h>

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
  CHECK(std::get<TaskSet>(result.content).dags()[0].deadline() == Time(4'000'000));
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
  CHECK(test::fault_of(header + "1, 1, 0, 0, { 1:2:3 }, , 10, 1\n", chosen).find("gang jobs") != std::string::npos);
  CHECK(test::fault_of(header + "1, 1, 0, 0, 1, 2, 10, 1, 2\n", chosen).find("conditional jobs") != std::string::npos);
  CHECK(test::fault_of(header, chosen) == "file: the job set is empty");
  CHECK(test::fault_of("Predecessor TID, Predecessor JID, Successor TID, Successor JID\n1, 1, 1, 2\n", chosen).find("with --precedence") !=
        std::string::npos);
  CHECK(test::fault_of(header + "1, 1, 0, 0, 1, 2, 10, 3\n1, 2, 10, 10, 1, 2, 20, 5\n", chosen)
            .find("file:3:1: the priorities of task 1 are neither") == 0);
  CHECK(test::fault_of("jobset:\n  - {Task ID: 1, Job ID: 1}\n", chosen).find("file:2:5: 'Arrival min' is missing") == 0);
  CHECK(test::fault_of("jobset: 5\n", chosen).find("file:1:9: jobset: a list of jobs is expected") == 0);
}
