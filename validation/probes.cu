// How a GPU runs what the model leaves to be confirmed: green contexts (P1, P2), clusters (P3), graphs, dependent and cooperative launches,
// and with --allow-settings clients of an MPS server, which is the probes' own and ends with them. Prints JSON; what this device cannot do
// is said. Each probe is a process of its own with a limit of time. PROBE...: these alone. With --quick: three runs each. Build: nvcc
// -std=c++17 -O2 -arch=native -Xcompiler -pthread -Ivalidation/runtime -o probes validation/probes.cu
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "probes/bench.cuh"
#include "probes/clusters.cuh"
#include "probes/launches.cuh"
#include "probes/mps.cuh"
#include "probes/partitions.cuh"
#include "probes/process.hpp"

namespace {

using namespace probes;

struct Probe {
  const char* name;
  const char* question;
  std::function<Answer(unsigned)> ask;
  bool changes_settings;
};

/// A probe on the device.
template <class Ask>
std::function<Answer(unsigned)> on_bench(Ask ask) {
  return [ask](unsigned runs) {
    Bench bench;
    return ask(bench, runs);
  };
}

const std::vector<Probe>& all_probes() {
  static const std::vector<Probe> all{
      {"P1", "do blocks of a green context run on its SMs alone?", on_bench(own_sms), false},
      {"P2", "does a green context's kernel start while another's queue is not empty?", on_bench(own_queue), false},
      {"green-contexts", "do the SMs that are given and those that are left make up the device?", on_bench(granularity), false},
      {"cluster-limits", "are as many clusters resident at once as the driver says?", on_bench(cluster_limits), false},
      {"P3", "does a cluster start as soon as a GPC has room for it, and only then?", on_bench(cluster_start), false},
      {"cluster-queue", "does a block for which there is room wait behind a cluster that waits?", on_bench(cluster_queue), false},
      {"cluster-delay", "do clusters that wait start as early with long blocks behind them as without?", on_bench(cluster_delay), false},
      {"graph-branches", "do branches of a graph run at once, and does what follows wait for both?", on_bench(graph_branches), false},
      {"dependent-launch", "does a kernel start while the one before it runs where it was launched so, and only there?",
       on_bench(dependent_launch), false},
      {"cooperative-launch", "does a cooperative kernel wait until there is room for all of its blocks?", on_bench(cooperative_launch),
       false},
      {"mps-priorities", "does an urgent kernel of an MPS client overtake kernels that wait in another?", priorities_of_clients, true},
      {"mps-partitions", "do clients in static partitions of MPS run on SMs of their own?", static_partitions, true},
  };
  return all;
}

Answer not_possible(const std::string& reason) {
  Answer answer;
  answer.text = "not possible here";
  answer.reason = reason;
  return answer;
}

/// Its line.
std::string answer_of(const Probe& probe, unsigned runs) {
  const auto line = [&](const Answer& answer) { return answer.json(probe.name, probe.question); };
  const auto ask = [&] {
    try {
      return line(probe.ask(runs));
    } catch (const NotPossible& reason) {
      return line(not_possible(reason.reason));
    }
  };
  // Their server has to be ended whatever becomes of clients, which are processes of their own.
  if (probe.changes_settings) return ask();
  constexpr std::int64_t limit = 10'000 * ms;
  const Ran ran = run_process(limit, [&](int to) {
    failures_go_to(to);
    write_all(to, ask());
    return 0;
  });
  if (ran.status == 0) return ran.text;
  Answer failed = not_possible(!ran.in_time ? "it did not end within 10 s" : ran.text.empty() ? "it ended early" : ran.text);
  failed.text = "did not";
  return line(failed);
}

}  // namespace

int main(int argc, char** argv) {
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
  bool quick = false;
  bool allow_settings = false;
  std::vector<std::string> asked;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto& all = all_probes();
    if (word == "--quick") {
      quick = true;
    } else if (word == "--allow-settings") {
      allow_settings = true;
    } else if (std::any_of(all.begin(), all.end(), [&](const Probe& probe) { return word == probe.name; })) {
      asked.push_back(word);
    } else {
      std::fprintf(stderr, "Usage: probes [--quick] [--allow-settings] [PROBE]...\nProbes:");
      for (const Probe& probe : all) std::fprintf(stderr, " %s", probe.name);
      std::fprintf(stderr, "\n");
      return 2;
    }
  }
  const auto end = [](int signal) { interrupted.store(signal); };
  std::signal(SIGINT, end);
  std::signal(SIGTERM, end);
  std::string lines;
  for (const Probe& probe : all_probes()) {
    if (!asked.empty() && std::find(asked.begin(), asked.end(), probe.name) == asked.end()) continue;
    const std::string line = probe.changes_settings && !allow_settings
                                 ? not_possible("--allow-settings starts an MPS server").json(probe.name, probe.question)
                                 : answer_of(probe, quick ? 3 : runs_of_a_rule);
    if (interrupted.load() != 0) return 2;
    lines += (lines.empty() ? "    " : ",\n    ") + line;
  }
  std::printf("{\n  \"runs\": %u,\n  \"probes\": [\n%s\n  ]\n}\n", quick ? 3 : runs_of_a_rule, lines.c_str());
  return 0;
}
