#include "convert/hand_over.hpp"

#include <doctest/doctest.h>

#include "conversion.hpp"
#include "rta/model/fixed_priority.hpp"

using namespace rta;
using convert::Draft;

namespace {

Draft one_dag() {
  Draft draft;
  convert::DraftPool cpu;
  cpu.pool = {"cpu", CpuPool{2, Scheduler::g_edf, true}};
  draft.pools = {cpu};
  convert::DraftDag dag;
  dag.name = "d";
  dag.T = Time(100);
  for (const char* name : {"a", "b", "c"}) {
    convert::DraftNode node;
    node.node.name = name;
    node.node.demand = CpuDemand{Time(1)};
    dag.add(node);
  }
  dag.own.resize(3);
  dag.edges = {{0, 1, false}, {1, 2, false}, {0, 1, false}};
  draft.dags = {dag};
  return draft;
}

std::string fault(Draft draft) {
  convert::Notes notes("f");
  try {
    (void)convert::hand_over(std::move(draft), {}, notes);
  } catch (const io::InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("Every fact that a task set cannot say is told") {
  Draft draft = one_dag();
  draft.dags[0].T_max = Time(200);
  draft.dags[0].phase = Time(5);
  draft.dags[0].jitter = Time(7);
  draft.dags[0].priority = 3;
  draft.dags[0].own[1].priority = 9;
  draft.dags[0].process = "p";
  draft.dags[0].own[2].process = "q";
  draft.chains = {{"brake", {"d/a", "d/c"}, false, Time(900), std::nullopt},
                  {"brake", {"d"}, true, std::nullopt, Time(800)},
                  {"lost", {"d/a", "e"}, false, std::nullopt, std::nullopt},
                  {"backwards", {"d/c", "d/a"}, false, std::nullopt, std::nullopt}};
  convert::Notes notes("f");
  const TaskSet set = convert::hand_over(draft, {}, notes);
  CHECK(set.dags()[0].edges().size() == 2);            // an edge that is there twice counts once
  CHECK(set.dags()[0].longest_period() == Time(207));  // T_max and the jitter
  CHECK(set.chains() == std::vector<Chain>{{"brake", {{0, 0}, {0, 2}}, Communication::registers, Time(900), std::nullopt},
                                           {"brake-2", {{0, {}}}, Communication::let, std::nullopt, Time(800)}});
  const auto told = notes.take_assumed();
  for (const char* fact : {"the priority 3 is left out: 'b: 9'", "processes ('p', 'q') are not told apart",
                           "chain 'lost' (d/a -> e) is left out: 'e' is no DAG or node of the task set",
                           "chain 'backwards' (d/c -> d/a) is left out: no path leads from stage 'd/c' to stage 'd/a'"}) {
    CAPTURE(fact);
    CHECK(test::mentions(told, fact));
  }
  CHECK(told.size() == 4);
  CHECK(set.dags()[0].attributes().phase == Time(5));
  CHECK(set.dags()[0].attributes().jitter == Time(7));
}

TEST_CASE("A pool of fixed priorities becomes FP with the priorities of its nodes") {
  Draft draft = one_dag();
  draft.pools[0].fixed_priority = true;
  draft.dags[0].priority = 3;
  draft.dags[0].own[1].priority = 9;
  convert::Notes notes("f");
  const TaskSet set = convert::hand_over(draft, {}, notes);
  CHECK(notes.take_assumed().empty());
  const auto& cpu = std::get<CpuPool>(set.pools()[0].resource);
  CHECK(cpu.scheduler == Scheduler::fp);
  CHECK(cpu.equals == usual_equals(cpu.processors));
  CHECK(fixed_priorities(set).of == PerNode<FixedPriority>{{3, 9, 3}});
}

TEST_CASE("A pool on which not all nodes have a priority that a task set can say is not under FP") {
  for (const std::int64_t wrong : {std::int64_t{-1}, std::int64_t{1'000'001}}) {
    Draft draft = one_dag();
    draft.pools[0].fixed_priority = true;
    for (convert::DraftOwn& n : draft.dags[0].own) n.priority = 5;
    draft.dags[0].own[2].priority = wrong;
    convert::Notes notes("f");
    const TaskSet set = convert::hand_over(draft, {}, notes);
    CHECK(std::get<CpuPool>(set.pools()[0].resource).scheduler == Scheduler::g_edf);
    const auto told = notes.take_assumed();
    CHECK(test::mentions(told, "pool 'cpu' has fixed priorities, but the file gives not all of its nodes one from 0 to 1000000"));
    CHECK(test::mentions(told, "DAG 'd': the priority of nodes is left out: 'a: 5', 'b: 5'"));
  }
}

TEST_CASE("What is missing is asked for before anything else is said") {
  convert::Notes notes("f");
  notes.miss("one");
  notes.miss("two");
  notes.miss("one");
  CHECK_THROWS_WITH_AS((void)convert::hand_over({}, {}, notes), "f: one\nf: two", io::InputError);
}

TEST_CASE("Drafts that no task set can be are refused by DAG and node") {
  CHECK(fault({}) == "f: there is nothing in it that a DAG could be made of");
  Draft draft = one_dag();
  draft.dags[0].edges.push_back({2, 0, false});
  CHECK(fault(draft) == "f: DAG 'd' has a cycle: a -> b -> c -> a");
  draft = one_dag();
  draft.dags[0].nodes.clear();
  draft.dags[0].edges.clear();
  CHECK(fault(draft) == "f: DAG 'd' has no node");
  draft = one_dag();
  draft.dags[0].T = Time(0);
  CHECK(fault(draft) == "f: DAG 'd': its period must be positive");
  draft = one_dag();
  draft.dags[0].D = Time(-1);
  CHECK(fault(draft) == "f: DAG 'd': its deadline must be positive");
}

TEST_CASE("A long cycle is shown by its beginning") {
  Draft draft = one_dag();
  convert::DraftDag& dag = draft.dags[0];
  dag.edges.clear();
  while (dag.nodes.size() < 20) {
    dag.nodes.push_back(dag.nodes.front());
    dag.nodes.back().name = "n" + std::to_string(dag.nodes.size());
  }
  for (NodeId v = 0; v < 20; ++v) dag.edges.push_back({v, (v + 1) % 20, false});
  CHECK(fault(draft).find("(20 nodes)") != std::string::npos);
}

TEST_CASE("The CPU part alone: nodes elsewhere go, and what they joined stays joined") {
  Draft draft = one_dag();
  convert::DraftPool copy;
  copy.pool = {"copy", EnginePool{1}};
  draft.pools.push_back(copy);
  draft.dags[0].nodes[1].pool = 1;
  draft.dags[0].nodes[1].demand = CopyDemand{Time(1), std::nullopt};
  convert::Options options;
  options.cpu_only = true;
  convert::Notes notes("f");
  const TaskSet set = convert::hand_over(draft, options, notes);
  CHECK(set.pools().size() == 1);
  CHECK(test::edges_of(set.dags()[0]) == "a -> c\n");
}

namespace {

// a and c on a GPU that the processes p and q share, b on the CPU.
Draft two_processes(std::optional<Time> slice, std::optional<Time> switching) {
  Draft draft = one_dag();
  convert::DraftPool gpu;
  gpu.pool = {"gpu", GpuPool{}};
  gpu.sharing = convert::Sharing{slice, switching};
  draft.pools.push_back(gpu);
  draft.dags[0].process = "q";
  draft.dags[0].own[2].process = "p p";
  for (const std::size_t v : {0, 2}) {
    draft.dags[0].nodes[v].pool = 1;
    draft.dags[0].nodes[v].demand = GpuDemand{.B = 1, .H = 32, .C = Workload(320), .L = Time(10)};
  }
  return draft;
}

}  // namespace

TEST_CASE("Processes that share a GPU by time slices have a context each, where slice and switch are known") {
  convert::Options options;
  for (const bool told : {false, true}) {
    // From the file, or from the command line, which goes before the file.
    if (told) options.slice = Time(50);
    if (told) options.switching = Time(7);
    convert::Notes notes("f");
    const TaskSet set =
        convert::hand_over(two_processes(told ? Time(1) : Time(50), told ? std::nullopt : std::optional(Time(7))), options, notes);
    REQUIRE(set.pools().size() == 3);
    CHECK(set.pools()[1].name == "gpu/p_p");
    CHECK(set.pools()[2].name == "gpu/q");
    CHECK(std::get<GpuPool>(set.pools()[2].resource).sharing == Sharing{"gpu", "q", Time(50), Time(7), 2});
    CHECK(set.dags()[0].nodes()[0].pool == 2);
    CHECK(set.dags()[0].nodes()[1].pool == 0);
    CHECK(set.dags()[0].nodes()[2].pool == 1);
    CHECK(notes.take_assumed() == std::vector<std::string>{"processes share pool 'gpu' in time slices of 50 ns, with 7 ns for a switch"});
    CHECK(io::parse_task_set(io::format_task_set(set), "again.yaml").task_set == set);
  }
}

TEST_CASE("Processes are one where slice or switch is not known, and that is told") {
  convert::Notes notes("f");
  const TaskSet set = convert::hand_over(two_processes(Time(50), std::nullopt), {}, notes);
  CHECK(set.pools().size() == 2);
  auto told = notes.take_assumed();
  CHECK(test::mentions(told,
                       "processes share pool 'gpu' in time slices of 50 ns: it holds as if they were one process, as what a switch "
                       "takes is not said (--switch; rta examine measures both)"));
  CHECK(test::mentions(told, "processes ('q', 'p p') are not told apart"));
  (void)convert::hand_over(two_processes(std::nullopt, std::nullopt), {}, notes);
  told = notes.take_assumed();
  CHECK(test::mentions(told,
                       "processes share pool 'gpu' in time slices: it holds as if they were one process, as how long slices are is not "
                       "said (--slice, --switch; rta examine measures both)"));
}

TEST_CASE("Slices are refused where no GPU is shared") {
  convert::Options options;
  options.slice = Time(5);
  convert::Notes notes("f");
  CHECK_THROWS_WITH_AS((void)convert::hand_over(one_dag(), options, notes),
                       "f: --slice and --switch are of a GPU that processes share; here none does", io::InputError);
}
