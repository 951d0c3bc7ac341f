#include "analysis/gpu/block_sizes.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "analysis/gpu/fifo_level.hpp"
#include "rta/model/launch.hpp"

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
  const Sm sm(gpu, classes.demand);
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
  GpuDemand demand;
  demand.H = H;
  demand.shared_memory = other.shared_memory;
  demand.registers_per_thread = other.registers_per_thread;
  return launch_faults(demand, gpu, {}).empty() ? std::optional(other) : std::nullopt;
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

/// Sizes are multiples of a warp; without warps, of what all sizes and the SM have in common; at most 128 different ones.
std::uint32_t unit_of_sizes(std::span<const Task> tasks, const GpuPool& gpu, std::uint32_t longest) {
  std::uint32_t unit = gpu.allocation.warp;
  if (unit <= 1) {
    unit = gpu.sm.threads;
    for (const Task& t : tasks) unit = std::gcd(unit, t.H);
  }
  return longest / unit > 128 ? (longest / 128 + unit - 1) / unit * unit : unit;
}

/// Tries sizes for the tasks of one class together, and keeps those that are worth telling.
class SizeSearch {
 public:
  SizeSearch(const Kernels& kernels, const GpuPool& gpu, const Load& now, BlockSizes& result)
      : kernels_(kernels),
        gpu_(gpu),
        now_(now),
        result_(result),
        changed_(kernels.tasks),
        longest_(std::min(gpu.sm.threads_per_block, gpu.sm.threads)),
        unit_(unit_of_sizes(kernels.tasks, gpu, longest_)),
        of_class_(kernels.classes.demand.size()) {}

  /// Classes that load the pool most come first, as long as the effort allows.
  void try_classes() {
    const std::size_t n = of_class_.size();
    std::size_t programs = std::max<std::size_t>(most_effort / (n * n), 2 * longest_ / unit_);
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return now_.share[a] > now_.share[b]; });
    for (const std::size_t c : order) {
      if (programs < longest_ / unit_) return;
      programs -= std::min(programs, try_sizes(c));
    }
  }

  /// The best sizes for copies of one node.
  std::vector<BlockSize> better(const std::vector<std::size_t>& copies, std::size_t most) {
    std::vector<BlockSize> better;
    for (const Choice& choice : of_class_[kernels_.classes.of[copies.front()]]) {
      if (better.size() == most) break;
      const auto other = with_block_size(kernels_.tasks[copies.front()], choice.H, gpu_);
      if (!other) continue;
      for (const std::size_t i : copies) changed_[i] = *other;
      better.push_back({.H = choice.H,
                        .B = other->B,
                        .shared_memory = other->shared_memory,
                        .capacity_alone = least_load(changed_, gpu_).capacity,
                        .capacity_together = choice.together,
                        .group = choice.group});
      for (const std::size_t i : copies) changed_[i] = kernels_.tasks[i];
    }
    return better;
  }

 private:
  struct Choice {
    std::uint32_t H;
    double together;
    std::size_t group;
  };

  /// Returns how many linear programs that took.
  std::size_t try_sizes(std::size_t c) {
    std::size_t programs = 0;
    const std::size_t first_group = result_.groups.size();
    for (std::uint64_t size = unit_; size <= longest_; size += unit_) {
      const auto H = static_cast<std::uint32_t>(size);
      std::vector<std::size_t> members;
      for (std::size_t i = 0; i < kernels_.tasks.size(); ++i) {
        if (kernels_.classes.of[i] != c || kernels_.tasks[i].H == H) continue;
        if (const auto other = with_block_size(kernels_.tasks[i], H, gpu_)) {
          changed_[i] = *other;
          members.push_back(i);
        }
      }
      if (members.empty()) continue;
      ++programs;
      const double together = least_load(changed_, gpu_).capacity;
      if (together > result_.capacity * worth_telling) {
        of_class_[c].push_back({H, together, group_number(result_.groups, first_group, std::move(members))});
      }
      changed_ = kernels_.tasks;
    }
    std::stable_sort(of_class_[c].begin(), of_class_[c].end(), [](const Choice& a, const Choice& b) { return a.together > b.together; });
    return programs;
  }

  const Kernels& kernels_;
  const GpuPool& gpu_;
  const Load& now_;
  BlockSizes& result_;
  std::vector<Task> changed_;
  std::uint32_t longest_, unit_;  // the largest size, and what all are multiples of
  std::vector<std::vector<Choice>> of_class_;
};

}  // namespace

BlockSizes better_block_sizes(std::span<const Task> given, const GpuPool& gpu, std::size_t most, std::span<const std::size_t> node_of) {
  BlockSizes result;
  result.better.resize(given.size());
  if (given.empty()) return result;
  const Kernels kernels(given, gpu);
  const Load now = least_load(kernels.tasks, gpu);
  result.capacity = now.capacity;
  if (now.capacity <= 0) return result;
  SizeSearch search(kernels, gpu, now, result);
  search.try_classes();
  for (const std::vector<std::size_t>& copies : copies_of_nodes(kernels.tasks.size(), node_of)) {
    const std::vector<BlockSize> better = search.better(copies, most);
    for (const std::size_t i : copies) result.better[i] = better;
  }
  return result;
}

}  // namespace rta::analysis::fifo
