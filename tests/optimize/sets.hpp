// Small files with choices, few enough to try them all.
#pragma once

#include <array>

namespace rta {

struct SetWithChoices {
  const char* what;
  const char* text;
};

inline constexpr std::array<SetWithChoices, 10> sets_with_choices{{
    {"kernels of three DAGs on two GPUs", R"(
platform: {cpu: {processors: 2}, gpu0: {sms: 2, threads: 1024}, gpu1: {sms: 1, threads: 1024}}
tasks:
  - {name: a, on: [gpu0, gpu1], B: 4, H: 512, L: 2 ms, T: 20 ms}
  - {name: b, on: [gpu0, gpu1], B: 2, H: 1024, L: 3 ms, T: 25 ms}
  - {name: c, on: [gpu0, gpu1], B: 8, H: 256, L: 1 ms, T: 30 ms}
)"},
    {"schedulers of two pools", R"(
platform: {x: {processors: 1, scheduler: [G-EDF, FIFO, FP]}, y: {processors: 2, scheduler: [G-EDF, G-FL, FIFO, FP]}}
dags:
  - {name: a, T: 10 ms, D: 9 ms, nodes: {u: {on: x, C: 2 ms}, v: {on: y, C: 3 ms}}, edges: [u -> v]}
  - {name: b, T: 14 ms, D: 12 ms, nodes: {u: {on: y, C: 4 ms}, v: {on: x, C: 3 ms}}, edges: [u -> v]}
)"},
    {"priorities of three tasks", R"(
platform: {cpu: {processors: 1, scheduler: FP}}
tasks:
  - {name: a, on: cpu, C: 1 ms, T: 5 ms, priority: [1, 2, 3]}
  - {name: b, on: cpu, C: 2 ms, T: 9 ms, priority: [1, 2, 3]}
  - {name: c, on: cpu, C: 3 ms, T: 17 ms, priority: [1, 2, 3]}
)"},
    {"clusters", R"(
platform: {cpu: {processors: 4, clusters: [1, 2]}}
dags:
  - {name: a, T: 10 ms, nodes: {u: {on: cpu, C: 6 ms}}}
  - {name: b, T: 10 ms, nodes: {u: {on: cpu, C: 5 ms}, v: {on: cpu, C: 4 ms}}, edges: [u -> v]}
  - {name: c, T: 20 ms, nodes: {u: {on: cpu, C: 8 ms}}}
  - {name: d, T: 20 ms, nodes: {u: {on: cpu, C: 9 ms}}}
)"},
    {"block sizes", R"(
platform: {gpu: {sms: 2, threads: 2048, blocks: 16}}
tasks:
  - {name: a, on: gpu, T: 12 ms, variants: [{B: 8, H: 1024, L: 1 ms}, {B: 16, H: 512, L: 1 ms}, {B: 32, H: 256, L: 1 ms}]}
  - {name: b, on: gpu, T: 15 ms, variants: [{B: 6, H: 768, L: 2 ms}, {B: 12, H: 384, L: 2 ms}]}
  - {name: c, on: gpu, T: 18 ms, variants: [{B: 4, H: 640, L: 3 ms}, {B: 20, H: 128, L: 3 ms}]}
)"},
    {"preemption and sizes of thread pools", R"(
platform: {cpu: {processors: 2, preemptive: [true, false], scheduler: [G-EDF, FIFO]}, pool: {workers: [2, 3]}}
dags:
  - {name: a, T: 10 ms, D: 8 ms, nodes: {u: {on: cpu, C: 1 ms}, v: {on: pool, B: 3, L: 1 ms}}, edges: [u -> v]}
  - {name: b, T: 30 ms, nodes: {u: {on: cpu, C: 9 ms}, v: {on: pool, B: 5, L: 2 ms}}, edges: [u -> v]}
)"},
    {"a kernel or a CPU for each node", R"(
platform: {cpu: {processors: 2}, gpu: {sms: 1, threads: 1024}}
dags:
  - name: a
    T: 20 ms
    nodes:
      u: {variants: [{on: cpu, C: 6 ms}, {on: gpu, B: 2, H: 512, L: 2 ms}]}
      v: {variants: [{on: cpu, C: 8 ms}, {on: gpu, B: 4, H: 512, L: 2 ms}]}
      w: {variants: [{on: cpu, C: 5 ms}, {on: gpu, B: 1, H: 1024, L: 4 ms}]}
    edges: [u -> v -> w]
  - {name: b, T: 15 ms, nodes: {u: {on: gpu, B: 4, H: 256, L: 3 ms}}}
)"},
    {"a local minimum: two kernels that must both move", R"(
platform: {gpu0: {sms: 2, threads: 1024}, gpu1: {sms: 2, threads: 1024}}
dags:
  - {name: a, T: 12 ms, nodes: {u: {on: [gpu0, gpu1], B: 4, H: 1024, L: 2 ms}, v: {on: [gpu0, gpu1], B: 4, H: 1024, L: 2 ms}}, edges: [u -> v]}
  - {name: b, T: 12 ms, nodes: {u: {on: [gpu0, gpu1], B: 4, H: 1024, L: 2 ms}, v: {on: [gpu0, gpu1], B: 4, H: 1024, L: 2 ms}}, edges: [u -> v]}
)"},
    {"periods and deadlines that a customer would take", R"(
platform: {cpu: {processors: 1, scheduler: [FIFO, FP, G-EDF]}}
tasks:
  - {name: a, on: cpu, C: 3 ms, T: [8 ms, 10 ms, 12 ms]}
  - {name: b, on: cpu, C: 4 ms, T: 11 ms, D: [9 ms, 11 ms]}
)"},
    {"alternatives that do not go together", R"(
platform: {cpu: {processors: [3, 4], clusters: [1, 2]}, small: {sms: 1, threads: 512}, large: {sms: 2, threads: 1024}}
dags:
  - {name: a, T: 16 ms, nodes: {u: {on: cpu, C: 3 ms}, v: {on: [small, large], variants: [{B: 2, H: 1024, L: 1 ms}, {B: 4, H: 512, L: 2 ms}]}}, edges: [u -> v]}
  - {name: b, T: 16 ms, nodes: {u: {on: cpu, C: 7 ms}, v: {on: [small, large], B: 2, H: 512, L: 2 ms}}, edges: [u -> v]}
)"},
}};

}  // namespace rta
