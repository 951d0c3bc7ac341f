// Random sets of kernels that copies and CPU nodes slow down, too; bounds by C1, and wrong variants of it, which schedules exceed.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "rta/model/other_work.hpp"
#include "support/slowed_played.hpp"

namespace rta::test {

/// That of `slowed_system`, where after some kernels come copies and CPU nodes, and some follow nothing or nothing follows them.
inline std::shared_ptr<const TaskSet> other_work_set(std::uint64_t seed) {
  const auto slowed = slowed_system(seed).set;
  Dice dice(seed * 7 + 3);
  std::vector<Pool> pools(slowed->pools().begin(), slowed->pools().end());
  OtherWorkColumns columns;
  for (std::size_t c = 0; c < class_count; ++c) {
    columns.copies.push_back(dice.one_in(4) ? 0 : dice.between(0, 200) * (whole_time / 100));
    columns.cpus.push_back(dice.one_in(4) ? 0 : dice.between(0, 200) * (whole_time / 100));
  }
  add_other_work_columns(*std::get<GpuPool>(pools.front().resource).interference, columns);
  CpuPool cpu;
  cpu.processors = static_cast<std::uint32_t>(dice.between(1, 2));
  cpu.scheduler = Scheduler::fifo;
  pools.push_back({"cpu", cpu});
  pools.push_back({"copy", EnginePool{static_cast<std::uint32_t>(dice.between(1, 2))}});
  std::vector<Dag> dags;
  for (const Dag& dag : slowed->dags()) {
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    std::vector<Edge> edges(dag.edges().begin(), dag.edges().end());
    const std::size_t kernels = nodes.size();
    std::int64_t longer = 0;
    for (std::size_t v = 0; v < kernels; ++v) {
      if (dice.one_in(3)) continue;
      const Time C(dice.between(1'000, 8'000));
      longer += C.count();
      Node node;
      node.name = fmt::format("w{}", v);
      node.pool = dice.one_in(2) ? 1 : 2;
      if (node.pool == 1) {
        node.demand = CpuDemand{C};
      } else {
        node.demand = CopyDemand{C, dice.one_in(2) ? Direction::h2d : Direction::d2h};
      }
      const NodeId w = nodes.size();
      nodes.push_back(node);
      // Before a kernel or after it.
      if (!dice.one_in(4)) edges.push_back(dice.one_in(2) ? Edge{w, v, false} : Edge{v, w, false});
    }
    dags.emplace_back(dag.name(), dag.period() + Time(longer * dice.between(0, 12) / 10), dag.deadline(), std::move(nodes),
                      std::move(edges));
  }
  return std::make_shared<const TaskSet>("beside", std::move(pools), std::move(dags));
}

/// The set with other columns: each as `change` makes it of its copies and CPU entries.
template <class Change>
std::shared_ptr<const TaskSet> with_columns(const TaskSet& set, Change&& change) {
  std::vector<Pool> pools(set.pools().begin(), set.pools().end());
  for (auto& row : std::get<GpuPool>(pools.front().resource).interference->other_sm) change(row[class_count], row[class_count + 1]);
  return std::make_shared<const TaskSet>(set.name(), std::move(pools), std::vector<Dag>(set.dags().begin(), set.dags().end()));
}

inline analysis::Proof without_copies(const TaskSet& set) {
  return bounds_of(with_columns(set, [](Lengthening& copies, Lengthening&) { copies = 0; }));
}
inline analysis::Proof without_cpu_nodes(const TaskSet& set) {
  return bounds_of(with_columns(set, [](Lengthening&, Lengthening& cpus) { cpus = 0; }));
}
/// The worst of both columns in place of their sum.
inline analysis::Proof worst_of_both(const TaskSet& set) {
  return bounds_of(with_columns(set, [](Lengthening& copies, Lengthening& cpus) { (copies > cpus ? cpus : copies) = 0; }));
}
/// As if nothing of a job lasted beyond the next release.
inline analysis::Proof of_other_jobs_never(const TaskSet& set) { return bounds_of(analysis::with_company(set, none_last(set))); }

struct WrongColumns {
  const char* what;
  analysis::Proof (*bounds)(const TaskSet&);
  bool caught;
};
inline constexpr std::array<WrongColumns, 4> wrong_columns{{{"copies left out", without_copies, false},
                                                            {"CPU nodes left out", without_cpu_nodes, false},
                                                            {"the worst of both columns", worst_of_both, false},
                                                            {"nothing of two jobs meets", of_other_jobs_never, false}}};

}  // namespace rta::test
