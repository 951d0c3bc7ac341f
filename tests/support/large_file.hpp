// Task-set files of any size, all DAGs and nodes different.
#pragma once

#include <string>

namespace rta::test {

/// A file of `dags` chains of `nodes` nodes each, alternately on a CPU pool and a GPU.
inline std::string large_file(int dags, int nodes) {
  std::string text = "platform:\n  cpu: {processors: 64, scheduler: G-EDF}\n  gpu: {device: h100}\ndags:\n";
  for (int d = 0; d < dags; ++d) {
    text += "  - name: dag" + std::to_string(d) + "\n    T: " + std::to_string(100 + d % 100) + " ms\n    D: 200 ms\n    nodes:\n";
    std::string edges = "    edges:\n";
    for (int n = 0; n < nodes; ++n) {
      const std::string number = std::to_string(n);
      if (n % 2 == 0) {
        text += "      node" + number + ": {on: cpu, C: 1." + std::to_string(10 + n + d % 50) + " ms}\n";
      } else {
        text += "      node" + number + ": {on: gpu, B: " + std::to_string(10 + n) + ", H: 256, L: " + std::to_string(100 + d) + " us}\n";
      }
      if (n > 0) edges += "      - node" + std::to_string(n - 1) + " -> node" + number + "\n";
    }
    text += edges;
  }
  return text;
}

}  // namespace rta::test
