// Hand-written traces and the task set that they are of.
#pragma once

#include <memory>
#include <sstream>
#include <string>

#include "rta/compare/comparison.hpp"
#include "support/build.hpp"

namespace rta::test {

/// DAG `cam`, T = 10 ms: `grab` (CPU, C = 1 ms) -> `blur` (GPU, B = 2, H = 32, L = 2 ms).
inline std::shared_ptr<const TaskSet> camera() {
  return task_set({cpu_pool(2), gpu_pool(2, 64)},
                  {Dag("cam", 10_ms, 20_ms, {cpu_node("grab", 1_ms), gpu_node("blur", 2, 32, 2_ms)}, {{0, 1}})});
}

/// `grab` within 3 ms of its release, `blur` within 4 ms of its offset 3 ms, the DAG within 7 ms.
inline compare::Bounds camera_bounds() { return {{{0_ms, 3_ms}}, {{3_ms, 4_ms}}, {7_ms}}; }

inline const std::string digest(64, 'a');

inline std::string header(const std::string& more = "") {
  return R"({"schema": 1, "kind": "trace", "source": "measurement", "task_set": "cam.yaml", "task_set_sha256": ")" + digest +
         R"(", "release": "offsets")" + more + "}\n";
}
inline std::string node_job(const std::string& node, int job, long long release, long long start, long long end) {
  return R"({"t": "job", "dag": "cam", "node": ")" + node + R"(", "job": )" + std::to_string(job) + R"(, "release_ns": )" +
         std::to_string(release) + R"(, "start_ns": )" + std::to_string(start) + R"(, "end_ns": )" + std::to_string(end) + "}\n";
}
inline std::string dag_job(int job, long long release, long long end) {
  return R"({"t": "dag", "dag": "cam", "job": )" + std::to_string(job) + R"(, "release_ns": )" + std::to_string(release) +
         R"(, "end_ns": )" + std::to_string(end) + "}\n";
}
inline std::string end_line(bool complete = true, int lost = 0) {
  return std::string(R"({"t": "end", "complete": )") + (complete ? "true" : "false") + R"(, "lost_records": )" + std::to_string(lost) +
         "}\n";
}

inline compare::Comparison compared(const std::string& text, const compare::Bounds& bounds = camera_bounds()) {
  std::istringstream in(text);
  trace::Reader reader(in, "t.jsonl");
  const auto set = camera();
  return compare::compare(*set, bounds, digest, reader, "t.jsonl");
}

}  // namespace rta::test
