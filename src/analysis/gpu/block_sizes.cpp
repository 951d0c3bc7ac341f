#include "analysis/gpu/block_sizes.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "analysis/gpu/fifo_level.hpp"

namespace rta::analysis::fifo {
namespace {

constexpr double worth_telling = 1.001;         // of the capacity now
constexpr std::size_t most_effort = 1'000'000;  // linear programs, times the square of the number of classes

struct Load {
  double capacity = 0;        // the largest U that the least load of the best weights leaves room for
  std::vector<double> share;  // of each class in that load
};

Load least_load(std::span<const Task> tasks, const GpuPool& gpu) {
  const DemandClasses classes = [&] {
    std::vector<Amounts> demand;
    demand.reserve(tasks.size());
    for (const Task& t : tasks) demand.push_back(block_demand(t, gpu));
    return classify(demand);
  }();
  const Sm sm(sm_capacity(gpu), classes.demand);
  std::vector<double> load(classes.demand.size(), 0.0);
  double U = 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const double u = static_cast<double>(tasks[i].C.count()) * static_cast<double>(tasks[i].B) / static_cast<double>(tasks[i].T.count());
    U += u;
    load[classes.of[i]] += u / tasks[i].H;
  }
  const std::vector<double> no_lengths(load.size(), 0.0);
  const auto w = WeightProgram(sm, load, gpu.sms, no_lengths).least_load();
  Load result;
  if (!w) return result;
  for (std::size_t c = 0; c < load.size(); ++c) result.share.push_back(load[c] * (*w)[c]);
  const double least = std::accumulate(result.share.begin(), result.share.end(), 0.0);
  result.capacity = least > 0 ? U * gpu.sms / least : 0;
  return result;
}

// The task with blocks of H G-threads; none where the G-threads don't divide or a block would not fit.
std::optional<Task> with_block_size(const Task& task, std::uint32_t H, const GpuPool& gpu) {
  const Wide threads = checked_mul(static_cast<Wide>(task.B), static_cast<Wide>(task.H));
  if (threads % H != 0) return std::nullopt;
  Task other = task;
  other.B = static_cast<std::uint64_t>(threads / H);
  other.H = H;
  other.C = Workload(ceil_div(checked_mul(task.C.count(), static_cast<Wide>(H)), task.H));
  other.shared_memory =
      static_cast<std::uint64_t>(ceil_div(checked_mul(static_cast<Wide>(task.shared_memory), static_cast<Wide>(H)), task.H));
  const Task one[]{other};
  if (does_not_fit(one, gpu)) return std::nullopt;
  return other;
}

// The tasks of each node.
std::vector<std::vector<std::size_t>> copies_of_nodes(std::size_t tasks, std::span<const std::size_t> node_of) {
  std::map<std::size_t, std::vector<std::size_t>> copies;
  for (std::size_t i = 0; i < tasks; ++i) copies[node_of.empty() ? i : node_of[i]].push_back(i);
  std::vector<std::vector<std::size_t>> result;
  result.reserve(copies.size());
  for (auto& [node, own] : copies) result.push_back(std::move(own));
  return result;
}

// The number of the group; the class's groups are the last ones, from `first` on.
std::size_t group_number(std::vector<std::vector<std::size_t>>& groups, std::size_t first, std::vector<std::size_t> members) {
  const auto known = std::find(groups.begin() + static_cast<std::ptrdiff_t>(first), groups.end(), members);
  const auto number = static_cast<std::size_t>(known - groups.begin());
  if (known == groups.end()) groups.push_back(std::move(members));
  return number;
}

}  // namespace

BlockSizes better_block_sizes(std::span<const Task> given, const GpuPool& gpu, std::size_t most, std::span<const std::size_t> node_of) {
  BlockSizes result;
  result.better.resize(given.size());
  if (given.empty()) return result;
  const Kernels kernels(given, gpu);
  const std::span<const Task> tasks = kernels.tasks;
  const Load now = least_load(tasks, gpu);
  result.capacity = now.capacity;
  if (now.capacity <= 0) return result;
  // Sizes are multiples of a warp; without warps, of what all sizes and the SM have in common.
  std::uint32_t unit = gpu.allocation.warp;
  if (unit <= 1) {
    unit = gpu.sm.threads;
    for (const Task& t : tasks) unit = std::gcd(unit, t.H);
  }
  const std::uint32_t longest = std::min(gpu.sm.threads_per_block, gpu.sm.threads);
  if (longest / unit > 128) unit = (longest / 128 + unit - 1) / unit * unit;

  struct Choice {
    std::uint32_t H;
    double together;
    std::size_t group;
  };
  std::vector<std::vector<Choice>> of_class(kernels.classes.demand.size());
  std::vector<Task> changed(tasks.begin(), tasks.end());
  const std::size_t n = of_class.size();
  std::size_t programs = std::max<std::size_t>(most_effort / (n * n), 2 * longest / unit);
  const auto capacity_changed = [&] {
    if (programs > 0) --programs;
    return least_load(changed, gpu).capacity;
  };
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return now.share[a] > now.share[b]; });
  for (const std::size_t c : order) {
    if (programs < longest / unit) break;
    const std::size_t first_group = result.groups.size();
    for (std::uint64_t size = unit; size <= longest; size += unit) {
      const auto H = static_cast<std::uint32_t>(size);
      std::vector<std::size_t> members;
      for (std::size_t i = 0; i < tasks.size(); ++i) {
        if (kernels.classes.of[i] != c || tasks[i].H == H) continue;
        if (const auto other = with_block_size(tasks[i], H, gpu)) {
          changed[i] = *other;
          members.push_back(i);
        }
      }
      if (members.empty()) continue;
      const double together = capacity_changed();
      if (together > result.capacity * worth_telling) {
        of_class[c].push_back({H, together, group_number(result.groups, first_group, std::move(members))});
      }
      std::copy(tasks.begin(), tasks.end(), changed.begin());
    }
    std::stable_sort(of_class[c].begin(), of_class[c].end(), [](const Choice& a, const Choice& b) { return a.together > b.together; });
  }
  for (const std::vector<std::size_t>& copies : copies_of_nodes(tasks.size(), node_of)) {
    std::vector<BlockSize> better;
    for (const Choice& choice : of_class[kernels.classes.of[copies.front()]]) {
      if (better.size() == most) break;
      const auto other = with_block_size(tasks[copies.front()], choice.H, gpu);
      if (!other) continue;
      for (const std::size_t i : copies) changed[i] = *other;
      better.push_back({choice.H, other->B, other->shared_memory, least_load(changed, gpu).capacity, choice.together, choice.group});
      for (const std::size_t i : copies) changed[i] = tasks[i];
    }
    for (const std::size_t i : copies) result.better[i] = better;
  }
  return result;
}

}  // namespace rta::analysis::fifo
