#include "pool_bounds.hpp"

#include <algorithm>
#include <charconv>
#include <set>

namespace rta::analysis {

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

std::optional<std::size_t> first_that_waits(std::span<const PoolNode> nodes, std::span<const std::optional<Time>> R) {
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (nodes[k].node->sequential && (!R[k] || *R[k] + nodes[k].J > nodes[k].T)) return k;
  }
  return std::nullopt;
}

void set_bounds(PoolResult& result, std::span<const PoolNode> nodes, std::vector<std::optional<Time>> R, std::vector<std::string> theorem) {
  PoolBound& summary = result.summary;
  summary.bounded = true;
  std::set<std::string> used;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (!R[k]) {
      summary.bounded = false;
      continue;
    }
    used.insert(theorem[k]);
    const Time lateness = *R[k] - nodes[k].node->deadline.value_or(nodes[k].T);
    if (!summary.largest_lateness || lateness > *summary.largest_lateness) summary.largest_lateness = lateness;
  }
  for (const std::string& name : used) summary.theorem += (summary.theorem.empty() ? "" : ", ") + name;
  result.R = std::move(R);
  result.theorem = std::move(theorem);
}

PoolResult pool_bounds(const Pool& pool, std::span<const PoolNode> nodes, const Options& options) {
  switch (pool.kind()) {
    case PoolKind::cpu: return cpu_pool_bounds(pool, nodes, options);
    case PoolKind::gpu: return gpu_pool_bounds(pool, nodes, options);
    case PoolKind::engines: return engine_pool_bounds(pool, nodes, options);
    case PoolKind::workers: return worker_pool_bounds(pool, nodes, options);
  }
  return {};
}

}  // namespace rta::analysis
