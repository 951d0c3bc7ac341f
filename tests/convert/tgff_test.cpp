// Task graphs of TGFF.
#include <doctest/doctest.h>

#include "conversion.hpp"

using namespace rta;

namespace {

// Times in ms. Type 1 takes 7 on one processor and 9 on the other, which cannot run type 2; type 0 takes 0.0015 and 8e-4: 1500 ns.
const std::string graphs = R"(@HYPERPERIOD 300

@COMMUN_QUANT 0 {
# type    quantity
  0          5
}

@TASK_GRAPH 0 {
	PERIOD 300

	TASK t0_0	TYPE 1
	TASK t0_1	TYPE 2
	TASK t0_2	TYPE 0

	ARC a0_0 	FROM t0_0  TO  t0_1 TYPE 0
	ARC a0_1 	FROM t0_0  TO  t0_2 TYPE 0
	HARD_DEADLINE d0_0 ON t0_1 AT 250
	HARD_DEADLINE d0_1 ON t0_2 AT 200.5
	SOFT_DEADLINE d0_2 ON t0_2 AT 100
}

@TASK_GRAPH 1 {
	APERIODIC
	TASK t1_0	TYPE 1
}

@PE 0 {
# price      area
79.0597    0.219023
#-----------
# type version valid      exec_time
0    0       1          0.0015
1    0       1          7
2    0       1          11
}

@PE 1
{
# price
72.405
# type version valid      exec_time
0    0       1          8e-4
1    0       1          9
2    0       0          99
}

@WIRING 0 {
# max_buffer_size
491
}
)";

convert::Options options() {
  convert::Options out;
  out.processors = {{"", 2}};
  out.time_unit = Time(1'000'000);
  out.period = Time(50'000'000);
  return out;
}

}  // namespace

TEST_CASE("Graphs of TGFF are DAGs; types take the longest of all tables") {
  CHECK(convert::recognise(graphs) == convert::Kind::tgff);
  const auto converted = convert::convert_text(graphs, "two.tgff", options());
  CHECK(io::format_task_set(std::get<TaskSet>(converted.content)) == R"(platform:
  cpu: {processors: 2, scheduler: G-EDF}
dags:
  - name: TASK_GRAPH_0
    T: 300 ms
    D: 200500 us
    nodes:
      t0_0: {on: cpu, C: 9 ms}
      t0_1: {on: cpu, C: 11 ms}
      t0_2: {on: cpu, C: 1500 ns}
    edges:
      - t0_0 -> t0_1
      - t0_0 -> t0_2
  - name: TASK_GRAPH_1
    T: 50 ms
    nodes:
      t1_0: {on: cpu, C: 9 ms}
)");
  CHECK(test::mentions(converted.assumed, "C is the largest 'exec_time' of a task's type in 'PE 0', 'PE 1' (--cost [TABLE:]COLUMN)"));
  CHECK(test::mentions(converted.assumed, "DAG 'TASK_GRAPH_0': D is the least of its hard deadlines"));
  CHECK(test::mentions(converted.assumed, "statement of a graph 'SOFT_DEADLINE' IS LEFT OUT"));
  CHECK(test::mentions(converted.assumed, "type of an arc 'TYPE', 2 times IS LEFT OUT"));
  CHECK(test::mentions(converted.assumed, "table 'COMMUN_QUANT 0' IS LEFT OUT"));
  CHECK(test::mentions(converted.assumed, "table 'WIRING 0' IS LEFT OUT"));
}

TEST_CASE("--cost names the column, and the table where one counts") {
  convert::Options chosen = options();
  chosen.cost_attribute = "PE 0:exec_time";
  CHECK(std::get<CpuDemand>(test::converted(graphs, chosen).dags().front().nodes().front().demand).C == Time(7'000'000));
  chosen.cost_attribute = "PE 1:exec_time";
  CHECK(test::fault_of(graphs, chosen) == "file:12:1: no table has the column 'exec_time' with type 2");
  chosen.cost_attribute = "quantity";
  CHECK(test::fault_of(graphs, chosen) == "file:11:1: no table has the column 'quantity' with type 1");
  chosen.cost_attribute = "PE 7:exec_time";
  CHECK(test::fault_of(graphs, chosen)
            .find("file: no table has the column 'PE 7:exec_time': give --cost [TABLE:]COLUMN (there are: 'COMMUN_QUANT "
                  "0:quantity', 'PE 0:exec_time', ") == 0);
}

// 20 in one table, 100 in another that names its column otherwise, 300 in a third: the largest counts, unless --cost names a column.
TEST_CASE("Tables that name their execution times otherwise count, too") {
  const std::string text =
      "@TASK_GRAPH 0 {\n PERIOD 900\n TASK a TYPE 0\n TASK b TYPE 1\n}\n@PE 0 {\n# type exec_time time\n0 20 7000\n1 50 7000\n}\n"
      "@PE 1 {\n# type task_time\n0 100\n}\n@PE 2 {\n# type wcet\n0 300\n}\n@PE 3 {\n# type price\n0 9000\n}\n";
  const auto C_of_first = [](const TaskSet& set) { return std::get<CpuDemand>(set.dags().front().nodes().front().demand).C; };
  const auto converted = convert::convert_text(text, "file", options());
  const auto& set = std::get<TaskSet>(converted.content);
  CHECK(C_of_first(set) == Time(300'000'000));
  CHECK(std::get<CpuDemand>(set.dags().front().nodes().back().demand).C == Time(50'000'000));
  CHECK(test::mentions(converted.assumed,
                       "C is the largest 'exec_time' or 'task_time' or 'wcet' of a task's type in 'PE 0', 'PE 1', 'PE 2'"));
  CHECK(test::mentions(converted.assumed, "table 'PE 3' IS LEFT OUT"));
  convert::Options chosen = options();
  chosen.cost_attribute = "exec_time";
  CHECK(C_of_first(test::converted(text, chosen)) == Time(20'000'000));
}

TEST_CASE("Broken graphs of TGFF are refused with their line") {
  const std::string table = "@PE 0 {\n# type exec_time\n1 5\n}\n";
  const auto fault = [&](const std::string& graph) {
    convert::Options chosen = options();
    chosen.from = convert::Kind::tgff;
    return test::fault_of(graph, chosen);
  };
  CHECK(fault("@TASK_GRAPH 0 {\n TASK a TYPE 1\n" + table).find("file:3:1: statement of a graph '@PE' cannot be read") == 0);
  CHECK(fault(table + "@TASK_GRAPH 0 {\n TASK a TYPE 1\n") == "file:5:1: '}' is missing at the end of '@TASK_GRAPH 0'");
  CHECK(fault(table + "@TASK_GRAPH 0 {\n}\n") == "file:5:1: '@TASK_GRAPH 0' has no task");
  CHECK(fault("{\n") == "file:1:1: '{' begins nothing: '@NAME NUMBER' is expected before it");
  CHECK(fault("novelty\n") == "file:1:1: '@NAME NUMBER' is expected, not 'novelty'");
  CHECK(fault("@TASK_GRAPH 0 {\n TASK a\n}\n").find("file:2:1: 'TASK NAME TYPE NUMBER' is expected, not 'TASK a'") == 0);
  CHECK(fault("@TASK_GRAPH 0 {\n TASK a TYPE 1\n TASK a TYPE 1\n}\n") == "file:3:1: task 'a' is there twice");
  CHECK(fault("@TASK_GRAPH 0 {\n TASK a TYPE 1\n ARC x FROM a TO b TYPE 0\n}\n") == "file:3:1: 'b' is no task of the graph");
  CHECK(fault("@TASK_GRAPH 0 {\n PERIOD -5\n}\n") == "file:2:1: '-5' is no time of at least 0 that is not too large");
  CHECK(fault("@TASK_GRAPH 0 {\n PERIOD 30\n PERIOD 3000\n}\n") == "file:3:1: the graph has one PERIOD or APERIODIC, which is in line 2");
  CHECK(fault("@TASK_GRAPH 0 {\n APERIODIC\n PERIOD 30\n}\n") == "file:3:1: the graph has one PERIOD or APERIODIC, which is in line 2");
  CHECK(fault("@TASK_GRAPH 0 {\n PERIOD 9e99\n}\n") == "file:2:1: '9e99' is no time of at least 0 that is not too large");
  CHECK(fault("@TASK_GRAPH 0 {\n PERIOD nan\n}\n") == "file:2:1: 'nan' is no time of at least 0 that is not too large");
  CHECK(fault("@TASK_GRAPH 0 {\n NOVELTY 5\n}\n").find("file:2:1: ") == 0);
  CHECK(fault("@PE 0 {\n# type exec_time\n1 5 6\n}\n") == "file:3:1: the row has 3 numbers, the columns are type exec_time");
  CHECK(fault(table) == "file: no graph with a TASK is in the file");
  CHECK(fault("@TASK_GRAPH 0 {\n TASK a TYPE 1\n}\n").find("give --cost [TABLE:]COLUMN (there are: none;") != std::string::npos);
  CHECK(fault(table + "@TASK_GRAPH 0 {\n TASK a TYPE 1\n TASK b TYPE 1\n ARC x FROM a TO b TYPE 0\n ARC y FROM b TO a TYPE 0\n}\n")
            .find("has a cycle: ") != std::string::npos);
  CHECK(fault("@PE 0 {\n# type exec_time\n1 x\n}\n@TASK_GRAPH 0 {\n TASK a TYPE 1\n}\n") ==
        "file:3:1: 'x' is no time of at least 0 that is not too large");
  CHECK(test::fault_of("@TASK_GRAPH 0 {\n TASK a TYPE 1\n}\n" + table).find("1 graphs have no period: give --period TIME") !=
        std::string::npos);
}
