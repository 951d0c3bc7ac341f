#include "free_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/dynamic_bitset.hpp>

#include "rta/model/error.hpp"

namespace rta::static_order {
namespace {

using Bits = boost::dynamic_bitset<>;

constexpr std::size_t most_states = 20'000'000;
constexpr Wide unreached = -1;

class Paths {
 public:
  Paths(const ScheduledHyperepoch& hyperepoch, const Waiting& waiting) : hyperepoch_(hyperepoch), waiting_(waiting) {
    const std::size_t n = hyperepoch.runnables.size();
    kernel_of_.assign(n, none);
    for (const Sharing& sharing : hyperepoch.sharing) {
      if (sharing.by != Sharing::By::streams) continue;
      for (std::size_t i = 0; i < n; ++i) {
        const auto& resources = hyperepoch.runnables[i].resources;
        if (std::ranges::find(resources, sharing.resource) == resources.end()) continue;
        kernel_of_[i] = kernels_.size();
        kernels_.push_back({i, sharing.resource, sharing.capacity});
      }
    }
    if ((kernels_.size() + 1) * n > most_states || n * n / 8 > most_states * 8)
      throw UserError(fmt::format("{} kernels among {} runnables are too many to share a GPU by streams", kernels_.size(), n));
    find_parallel();
    find_releases();
  }

  FreeKernels run() {
    FreeKernels result = pass();
    // Kernels whose times do not meet leave the sums; shorter sums may part more of them.
    constexpr int most_passes = 16;
    for (int i = 0; i < most_passes; ++i) {
      if (!part(result.end)) break;
      result = pass();
    }
    return result;
  }

  // The path that decides a runnable's end, after `run`.
  [[nodiscard]] FreePath path_to(std::size_t id, Time end) const {
    const std::size_t last = kernels_.size();
    FreePath path;
    path.end = end;
    std::size_t column = last_column_[id];
    for (std::size_t at = id; at != none;) {
      path.runnables.push_back(at);
      const Back back = back_[at * (last + 1) + column];
      at = back.id;
      column = back.column;
    }
    std::ranges::reverse(path.runnables);
    path.release = hyperepoch_.runnables[path.runnables.front()].release;
    Bits parallel(kernels_.size());
    for (const std::size_t at : path.runnables) {
      const ScheduledRunnable& r = hyperepoch_.runnables[at];
      const std::size_t k = kernel_of_[at];
      if (k == none) {
        path.others += r.wcet;
        continue;
      }
      path.kernels += r.wcet;
      path.own = checked_add(path.own, static_cast<Wide>(r.weight) * r.wcet.count() * (static_cast<Wide>(r.blocks) - 1));
      path.capacity = kernels_[k].capacity;
      parallel |= parallel_[k];
    }
    path.parallel_volume = volume(parallel);
    for (std::size_t k = parallel.find_first(); k != Bits::npos; k = parallel.find_next(k)) path.parallel.push_back(kernels_[k].id);
    return path;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  struct Kernel {
    std::size_t id;
    std::size_t resource;
    Wide capacity;
  };

  // Neither before nor after, on the same GPU.
  void find_parallel() {
    const std::size_t n = hyperepoch_.runnables.size();
    std::vector<Bits> ancestors(n, Bits(kernels_.size()));
    for (const std::size_t i : waiting_.order) {
      for (const Decision& decision : waiting_.before[i]) {
        ancestors[i] |= ancestors[decision.predecessor];
        if (kernel_of_[decision.predecessor] != none) ancestors[i].set(kernel_of_[decision.predecessor]);
      }
    }
    parallel_.assign(kernels_.size(), Bits(kernels_.size()));
    for (std::size_t a = 0; a < kernels_.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const bool ordered = ancestors[kernels_[a].id].test(b) || ancestors[kernels_[b].id].test(a);
        if (ordered || kernels_[a].resource != kernels_[b].resource) continue;
        parallel_[a].set(b);
        parallel_[b].set(a);
      }
    }
  }

  // The earliest that each kernel can be ready, if nothing takes time.
  void find_releases() {
    std::vector<Time> ready(hyperepoch_.runnables.size());
    for (const std::size_t i : waiting_.order) {
      ready[i] = hyperepoch_.runnables[i].release;
      for (const Decision& decision : waiting_.before[i]) ready[i] = std::max(ready[i], ready[decision.predecessor]);
    }
    for (const Kernel& kernel : kernels_) ready_.push_back(ready[kernel.id]);
  }

  bool part(const std::vector<Time>& end) {
    bool changed = false;
    for (std::size_t a = 0; a < kernels_.size(); ++a) {
      for (std::size_t b = parallel_[a].find_first(); b != Bits::npos; b = parallel_[a].find_next(b)) {
        if (ready_[b] < end[kernels_[a].id] && ready_[a] < end[kernels_[b].id]) continue;
        parallel_[a].reset(b);
        parallel_[b].reset(a);
        changed = true;
      }
    }
    return changed;
  }

  // w L B, in units of the capacity.
  [[nodiscard]] Wide volume(std::size_t kernel) const {
    const ScheduledRunnable& r = hyperepoch_.runnables[kernels_[kernel].id];
    return checked_mul(checked_mul(static_cast<Wide>(r.weight), static_cast<Wide>(r.wcet.count())), static_cast<Wide>(r.blocks));
  }

  [[nodiscard]] Wide volume(const Bits& kernels) const {
    Wide sum = 0;
    for (std::size_t k = kernels.find_first(); k != Bits::npos; k = kernels.find_next(k)) sum = checked_add(sum, volume(k));
    return sum;
  }

  // Times of a path are whole ns and, per GPU, a share of its capacity: rounded up where the GPU changes and at the end.
  FreeKernels pass() {
    const std::size_t n = hyperepoch_.runnables.size();
    const std::size_t last = kernels_.size();  // column of paths without a kernel
    FreeKernels result{std::vector<Time>(n), std::vector<Decision>(n)};
    last_column_.assign(n, last);
    std::vector<Wide> reach(n * (last + 1), unreached);
    back_.assign(n * (last + 1), Back{});
    std::vector<Wide> more(kernels_.size() * (kernels_.size() + 1));
    for (std::size_t y = 0; y < kernels_.size(); ++y) {
      for (std::size_t x = 0; x < kernels_.size(); ++x) {
        const bool same = kernels_[x].resource == kernels_[y].resource;
        more[y * (last + 1) + x] = volume(same ? parallel_[y] - parallel_[x] : parallel_[y]);
      }
      more[y * (last + 1) + last] = volume(parallel_[y]);
    }
    for (const std::size_t i : waiting_.order) {
      const ScheduledRunnable& r = hyperepoch_.runnables[i];
      const std::size_t y = kernel_of_[i];
      Wide best = unreached;
      // Paths are followed in ns times the capacity of the GPU of their last kernel.
      const auto extend = [&](std::size_t x, Wide scaled, const Decision& from) {
        const Back back{from.by == Decision::By::release ? none : from.predecessor, x};
        const Wide unit = x == last ? 1 : kernels_[x].capacity;
        Wide value = 0;
        std::size_t column = x;
        if (y == none) {
          value = checked_add(scaled, checked_mul(static_cast<Wide>(r.wcet.count()), unit));
        } else {
          const Wide capacity = kernels_[y].capacity;
          const Wide before = x != last && unit == capacity ? scaled : checked_mul(ceil_div(scaled, unit), capacity);
          const Wide own =
              checked_mul(checked_mul(static_cast<Wide>(r.weight), static_cast<Wide>(r.wcet.count())), static_cast<Wide>(r.blocks) - 1);
          const Wide length = checked_mul(static_cast<Wide>(r.wcet.count()), capacity);
          value = checked_add(checked_add(before, length), checked_add(own, more[y * (last + 1) + x]));
          column = y;
        }
        const std::size_t state = i * (last + 1) + column;
        if (value > reach[state]) {
          reach[state] = value;
          back_[state] = back;
        }
        const Wide end = ceil_div(value, column == last ? 1 : kernels_[column].capacity);
        if (end <= best) return;
        best = end;
        result.decision[i] = from;
        last_column_[i] = column;
      };
      extend(last, static_cast<Wide>(r.release.count()), {Decision::By::release, 0, 0});
      for (const Decision& decision : waiting_.before[i]) {
        Decision path = decision;
        path.by = Decision::By::path;
        for (std::size_t x = 0; x <= last; ++x) {
          const Wide scaled = reach[decision.predecessor * (last + 1) + x];
          if (scaled != unreached) extend(x, scaled, path);
        }
      }
      result.end[i] = to_time(best);
    }
    return result;
  }

  struct Back {  // where a path to a state came from
    std::size_t id = none;
    std::size_t column = 0;
  };
  const ScheduledHyperepoch& hyperepoch_;
  const Waiting& waiting_;
  std::vector<Back> back_;
  std::vector<std::size_t> last_column_;
  std::vector<std::size_t> kernel_of_;
  std::vector<Kernel> kernels_;
  std::vector<Bits> parallel_;
  std::vector<Time> ready_;
};

}  // namespace

FreeKernels free_kernels(const ScheduledHyperepoch& hyperepoch, const Waiting& waiting) {
  for (const auto& before : waiting.before) {
    for (const Decision& decision : before)
      require(decision.by != Decision::By::submitter_start, "submittees that overlap do not share a GPU by streams");
  }
  return Paths(hyperepoch, waiting).run();
}

FreePath free_path(const ScheduledHyperepoch& hyperepoch, std::size_t runnable) {
  const Waiting waiting = waiting_of(hyperepoch);
  Paths paths(hyperepoch, waiting);
  const FreeKernels kernels = paths.run();
  return paths.path_to(runnable, kernels.end[runnable]);
}

}  // namespace rta::static_order
