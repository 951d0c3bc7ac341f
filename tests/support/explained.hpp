// Explanations of bounds that were computed alone, with the numbers that their inequality has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/explain/gel_lines.hpp"
#include "analysis/explain/kernel_lines.hpp"
#include "analysis/inequality/pool_inequality.hpp"
#include "rta/analysis/evidence.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::test {

/// What the bound of task k sums up; `evidence` is of pool 0, which `tasks` tasks use.
inline analysis::PoolSum sum_of(analysis::Evidence evidence, std::size_t tasks, std::size_t k, Time R, analysis::Theorem theorem) {
  analysis::Proof proof;
  proof.pools.resize(1);
  proof.pools.front().tasks.resize(tasks);
  proof.evidence.push_back(std::move(evidence));
  const analysis::Bound bound{R, {theorem, 0, static_cast<std::uint32_t>(k)}};
  return std::get<analysis::PoolSum>(analysis::pool_inequality(proof, bound, 0).detail);
}

template <typename Tasks>
std::vector<std::string> explained(const Tasks& tasks, std::uint32_t processors, const analysis::gel::Bounds& bounds, std::size_t k,
                                   const analysis::TaskNames& names = {}) {
  const analysis::GelEvidence evidence{0, processors, {tasks.begin(), tasks.end()}, bounds};
  return analysis::gel::explain(tasks, processors, bounds, k, sum_of(evidence, tasks.size(), k, bounds.R[k], bounds.theorem[k]), names);
}

inline std::vector<std::string> explained(const std::vector<analysis::fifo::Task>& tasks, const GpuPool& gpu,
                                          const analysis::fifo::GpuBounds& bounds, std::size_t k) {
  const analysis::KernelEvidence evidence{0, gpu, tasks, bounds};
  return analysis::fifo::explain(tasks, gpu, bounds, k, sum_of(evidence, tasks.size(), k, *bounds.R[k], bounds.basis[k].theorem), {});
}

}  // namespace rta::test
