// Two nodes in a chain on one processor under G-EDF, C = 1 ms and 2 ms, T = 10 ms: T1 gives R = (1 + 2)/1 ms for both, so the
// offsets are 0 and 3 ms and the end-to-end bound is 6 ms.
#include <iostream>
#include <memory>
#include <rta/analysis/analyze.hpp>
#include <rta/io/task_set_file.hpp>

int main() {
  auto read = rta::io::parse_task_set(
      "platform:\n"
      "  cpu: {processors: 1, scheduler: G-EDF}\n"
      "dags:\n"
      "  - name: chain\n"
      "    T: 10 ms\n"
      "    nodes:\n"
      "      a: {on: cpu, C: 1 ms}\n"
      "      b: {on: cpu, C: 2 ms}\n"
      "    edges: [a -> b]\n",
      "chain.yaml");
  rta::analysis::Options options;
  options.release = rta::Release::offsets;
  options.cpu_bound = rta::analysis::CpuBound::T1;
  const auto result = rta::analysis::analyze(std::make_shared<const rta::TaskSet>(std::move(read.task_set)), options);
  const auto bound = result.proof.dags.at(0).bound;
  if (!bound || bound->R.count() != 6'000'000) {
    std::cerr << "end-to-end bound: expected 6000000 ns, got " << (bound ? std::to_string(bound->R.count()) : "none") << '\n';
    return 1;
  }
  std::cout << "end-to-end bound: " << bound->R.count() << " ns\n";
}
