#include "rta/analysis/pool_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>

#include "rta/analysis/fifo.hpp"
#include "rta/analysis/gel.hpp"
#include "rta/analysis/gel_sequential.hpp"

namespace rta::analysis {
namespace {

/// The theorems know tasks by number (`task #3`); people know nodes by name.
std::string with_names(std::string_view text, std::span<const PoolNode> nodes) {
  constexpr std::string_view mark = "task #";
  std::string out;
  for (std::size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark)) {
    out += text.substr(0, at);
    text.remove_prefix(at + mark.size());
    std::size_t k = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), k);
    out += error == std::errc() && k < nodes.size() ? "node '" + nodes[k].node->name + "'" : std::string(mark);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return out + std::string(text);
}

PoolResult no_bound(PoolBound summary, std::span<const PoolNode> nodes, std::string_view reason) {
  summary.bounded = false;
  summary.explanation = with_names(reason, nodes);
  return {std::move(summary), {}, {}, {}};
}

Time deadline_of(const PoolNode& node) { return node.node->deadline.value_or(node.T); }

std::optional<Time> largest_lateness(std::span<const PoolNode> nodes, std::span<const Time> R) {
  std::optional<Time> largest;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const Time lateness = R[k] - deadline_of(nodes[k]);
    if (!largest || lateness > *largest) largest = lateness;
  }
  return largest;
}

/// T3s: the first sequential node whose job may have to wait for its predecessor, if any.
std::optional<std::size_t> first_that_waits(std::span<const PoolNode> nodes, std::span<const Time> R) {
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (nodes[k].node->sequential && R[k] + nodes[k].J > nodes[k].T) return k;
  }
  return std::nullopt;
}

void set_bounds(PoolResult& result, std::span<const PoolNode> nodes, std::vector<Time> R, const std::string& theorem) {
  result.summary.bounded = true;
  result.summary.theorem = theorem;
  result.summary.largest_lateness = largest_lateness(nodes, R);
  result.theorem.assign(nodes.size(), theorem);
  result.R = std::move(R);
}

std::string over_one(std::span<const PoolNode> nodes, std::span<const gel::Task> tasks) {
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (nodes[k].node->sequential && tasks[k].C > tasks[k].T) {
      return fmt::format("node '{}' is sequential and needs C = {} ns every T = {} ns: its utilization is above 1", nodes[k].node->name,
                         tasks[k].C.count(), tasks[k].T.count());
    }
  }
  return {};
}

}  // namespace

PoolResult cpu_pool_bounds(const Pool& pool, std::span<const PoolNode> nodes, CpuBound choice) {
  const auto& cpu = std::get<CpuPool>(pool.resource);
  const auto m = cpu.processors;
  auto tasks = std::make_shared<std::vector<gel::Task>>();
  tasks->reserve(nodes.size());
  for (const PoolNode& node : nodes) tasks->push_back({std::get<CpuDemand>(node.node->demand).C, node.T, node.Y});

  PoolResult result;
  result.summary.utilization = gel::utilization(*tasks).approximate();
  result.summary.capacity = m;
  const auto sequential = static_cast<std::size_t>(std::ranges::count_if(nodes, [](const PoolNode& n) { return n.node->sequential; }));
  const bool all_sequential = sequential == nodes.size();

  if (choice == CpuBound::T3 || choice == CpuBound::T4) {
    if (!all_sequential) {
      return no_bound(result.summary, nodes,
                      fmt::format("{} bounds pools whose nodes are all sequential; {} of {} are", choice == CpuBound::T3 ? "T3" : "T4",
                                  sequential, nodes.size()));
    }
  }
  if (choice == CpuBound::T4) {
    const bool implicit = std::ranges::all_of(nodes, [](const PoolNode& n) { return n.Y == n.T; });
    if (!implicit) return no_bound(result.summary, nodes, "T4 is for G-EDF with implicit deadlines (Y = T for every node)");
    const auto bounds = gel_sequential::devi_anderson_bounds(*tasks, m);
    const std::string heavy = over_one(nodes, *tasks);
    if (!bounds) return no_bound(result.summary, nodes, heavy.empty() ? bounds.reason() : heavy);
    set_bounds(result, nodes, bounds->R, "T4");
    result.summary.explanation = fmt::format("U <= m = {} and no node's utilization is above 1 (T4)", m);
    result.explain = [tasks, m, b = *bounds](std::size_t k) { return gel_sequential::explain_devi_anderson(*tasks, m, b, k); };
    return result;
  }

  if (choice != CpuBound::T3) {
    const auto bounds = gel::response_bounds(*tasks, m);
    if (!bounds) return no_bound(result.summary, nodes, bounds.reason());
    const auto waits = first_that_waits(nodes, bounds->R);
    if (!waits) {
      set_bounds(result, nodes, bounds->R, "T1");
      result.summary.explanation = fmt::format("U <= m = {} (T1)", m);
      if (sequential > 0) result.summary.explanation += "; no sequential node's job waits for its predecessor: R <= T for each (T3s)";
      result.explain = [tasks, m, b = *bounds](std::size_t k) { return gel::explain(*tasks, m, b, k); };
      return result;
    }
    if (choice == CpuBound::T1 || !all_sequential) {
      std::string reason = over_one(nodes, *tasks);
      if (reason.empty()) {
        const PoolNode& node = nodes[*waits];
        reason = fmt::format(
            "node '{}' is sequential, and its T1 bound of {} ns exceeds its period of {} ns: a job may wait for its predecessor (T3s does "
            "not "
            "apply){}",
            node.node->name, bounds->R[*waits].count(), node.T.count(),
            all_sequential ? "" : "; T3 needs all nodes of the pool to be sequential");
      }
      return no_bound(result.summary, nodes, reason);
    }
  }

  const auto bounds = gel_sequential::response_bounds(*tasks, m);
  if (!bounds) {
    const std::string heavy = over_one(nodes, *tasks);
    return no_bound(result.summary, nodes, heavy.empty() ? bounds.reason() : heavy);
  }
  set_bounds(result, nodes, bounds->R, "T3");
  result.summary.explanation = fmt::format("U <= m = {} and no node's utilization is above 1 (T3)", m);
  result.explain = [tasks, m, b = *bounds](std::size_t k) { return gel_sequential::explain(*tasks, m, b, k); };
  return result;
}

PoolResult gpu_pool_bounds(const Pool& pool, std::span<const PoolNode> nodes) {
  const auto& gpu = std::get<GpuPool>(pool.resource);
  auto tasks = std::make_shared<std::vector<fifo::Task>>();
  tasks->reserve(nodes.size());
  bool high = false;
  bool low = false;
  for (const PoolNode& node : nodes) {
    const auto& d = std::get<GpuDemand>(node.node->demand);
    (d.priority == Priority::high ? high : low) = true;
    tasks->push_back({node.T, d.B, d.H, d.C, d.L, d.shared_memory, d.registers_per_thread, node.J});
  }

  PoolResult result;
  result.summary.utilization = fifo::utilization(*tasks).approximate();
  if (high && low) return no_bound(result.summary, nodes, "T5 knows one priority; this pool has kernels of high and of low priority");

  const auto bounds = fifo::theorem_4_3(*tasks, gpu);
  if (!bounds) return no_bound(result.summary, nodes, bounds.reason());
  const auto& terms = bounds->terms;
  result.summary.capacity = static_cast<double>(terms.capacity);
  if (const auto waits = first_that_waits(nodes, bounds->R)) {
    const PoolNode& node = nodes[*waits];
    return no_bound(result.summary, nodes,
                    fmt::format("node '{}' is sequential, and its bound of {} ns{} exceeds its period of {} ns: kernels may wait for their "
                                "predecessors, and then response times can grow without bound (Theorem 4.1)",
                                node.node->name, bounds->R[*waits].count(),
                                node.J > Time::zero() ? fmt::format(" plus jitter of {} ns", node.J.count()) : "", node.T.count()));
  }
  set_bounds(result, nodes, bounds->R, "T5");
  result.summary.explanation = fmt::format("U <= g (m - H_max + h) = {} x ({} - {} + {}) = {} G-threads (T5)", gpu.sms, gpu.sm.threads,
                                           terms.H_max, terms.h, rta::to_string(terms.capacity));
  result.explain = [tasks, gpu, b = *bounds](std::size_t k) { return fifo::explain(*tasks, gpu, b, k); };
  return result;
}

PoolResult queue_pool_bounds(const Pool& pool, std::span<const PoolNode> nodes) {
  return no_bound({}, nodes, fmt::format("no theorem for pools of {} is available", to_string(pool.kind())));
}

PoolResult pool_bounds(const Pool& pool, std::span<const PoolNode> nodes, const Options& options) {
  switch (pool.kind()) {
    case PoolKind::cpu: return cpu_pool_bounds(pool, nodes, options.cpu_bound);
    case PoolKind::gpu: return gpu_pool_bounds(pool, nodes);
    case PoolKind::engines:
    case PoolKind::workers: break;
  }
  return queue_pool_bounds(pool, nodes);
}

}  // namespace rta::analysis
