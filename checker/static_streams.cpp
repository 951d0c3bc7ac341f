// T15g: kernels that run whenever their streams let them.
#include <algorithm>

#include "static_order.hpp"

namespace checker {
namespace {

constexpr std::size_t most_states = 20'000'000;
using Bits = std::vector<bool>;

struct Kernel {
  std::size_t job = 0, pool = 0;
  Int capacity = 1;
  Int own = 0;     // w L (B - 1)
  Int volume = 0;  // w L B
  Int ready = 0;   // if nothing takes time
  Bits parallel;   // kernels that may be in its way
};

class Streams {
 public:
  Streams(const std::vector<OrderedJob>& jobs, const std::map<std::size_t, SharedGpu>& shared, const TaskSet& set) : jobs_(jobs) {
    kernel_of_.assign(jobs.size(), none);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const Node& node = set.dags[jobs[i].dag].nodes[jobs[i].node];
      const auto gpu = shared.find(node.pool);
      if (gpu == shared.end()) continue;
      need(jobs[i].weight > 0, "a kernel of streams has no weight");
      kernel_of_[i] = kernels_.size();
      const Int w_L = jobs[i].weight * node.L;
      kernels_.push_back({i, node.pool, gpu->second.capacity, w_L * (node.B - 1), w_L * node.B, 0, {}});
    }
    need((kernels_.size() + 1) * jobs.size() <= most_states && kernels_.size() * kernels_.size() <= most_states,
         "there are too many kernels to check");
    set_parallel();
    set_more();
  }

  /// The largest over all paths, by the last kernel of a path: u of those parallel to the next kernel counts unless it is parallel to the
  /// last one. In ns times the capacity of that kernel's GPU, rounded up where the GPU changes and at the end.
  std::vector<Int> ends() {
    const std::size_t columns = kernels_.size() + 1;
    constexpr Int unreached = -1;
    std::vector<Int> reach(jobs_.size() * columns, unreached);
    std::vector<Int> ends;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      Int* const own = &reach[i * columns];
      const auto extend = [&](std::size_t x, Int scaled) {
        const std::size_t y = kernel_of_[i] == none ? x : kernel_of_[i];
        own[y] = std::max(own[y], kernel_of_[i] == none ? scaled + jobs_[i].length * capacity(x) : with_kernel(y, x, scaled));
      };
      extend(kernels_.size(), jobs_[i].release);
      for (const std::size_t u : jobs_[i].before) {
        for (std::size_t x = 0; x < columns; ++x) {
          if (reach[u * columns + x] != unreached) extend(x, reach[u * columns + x]);
        }
      }
      Int end = 0;
      for (std::size_t x = 0; x < columns; ++x) {
        if (own[x] != unreached) end = std::max(end, ceil_div(own[x], capacity(x)));
      }
      ends.push_back(end);
    }
    return ends;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// Of the path's last kernel; 1 where it has none.
  [[nodiscard]] Int capacity(std::size_t x) const { return x == kernels_.size() ? Int(1) : kernels_[x].capacity; }

  /// s + sum C + sum (L_x + w_x L_x (B_x - 1)/g) + (1/g) sum w_u L_u B_u, up to kernel y, after a path whose last kernel is x.
  [[nodiscard]] Int with_kernel(std::size_t y, std::size_t x, Int scaled) const {
    const Kernel& kernel = kernels_[y];
    const bool same = x < kernels_.size() && kernels_[x].capacity == kernel.capacity;
    const Int before = same ? scaled : ceil_div(scaled, capacity(x)) * kernel.capacity;
    return before + jobs_[kernel.job].length * kernel.capacity + kernel.own + more_[y * (kernels_.size() + 1) + x];
  }

  /// Neither before nor after, on the same GPU, and each may be ready before the other's bound.
  void set_parallel() {
    const std::size_t n = kernels_.size();
    std::vector<Bits> ancestors(jobs_.size(), Bits(n, false));
    std::vector<Int> ready;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      ready.push_back(jobs_[i].release);
      for (const std::size_t u : jobs_[i].before) {
        ready[i] = std::max(ready[i], ready[u]);
        for (std::size_t k = 0; k < n; ++k) ancestors[i][k] = ancestors[i][k] || ancestors[u][k];
        if (kernel_of_[u] != none) ancestors[i][kernel_of_[u]] = true;
      }
      if (kernel_of_[i] != none) kernels_[kernel_of_[i]].ready = ready[i];
    }
    for (std::size_t a = 0; a < n; ++a) {
      kernels_[a].parallel.assign(n, false);
      for (std::size_t b = 0; b < n; ++b) {
        const bool ordered = ancestors[kernels_[a].job][b] || ancestors[kernels_[b].job][a];
        const bool meet = kernels_[b].ready < jobs_[kernels_[a].job].end && kernels_[a].ready < jobs_[kernels_[b].job].end;
        kernels_[a].parallel[b] = a != b && !ordered && meet && kernels_[a].pool == kernels_[b].pool;
      }
    }
  }

  void set_more() {
    const std::size_t n = kernels_.size();
    more_.assign(n * (n + 1), 0);
    for (std::size_t y = 0; y < n; ++y) {
      for (std::size_t u = 0; u < n; ++u) {
        if (!kernels_[y].parallel[u]) continue;
        for (std::size_t x = 0; x <= n; ++x) {
          const bool counted = x < n && kernels_[x].pool == kernels_[y].pool && kernels_[x].parallel[u];
          if (!counted) more_[y * (n + 1) + x] += kernels_[u].volume;
        }
      }
    }
  }

  const std::vector<OrderedJob>& jobs_;
  std::vector<std::size_t> kernel_of_;  // job
  std::vector<Kernel> kernels_;
  std::vector<Int> more_;  // kernel, last kernel of the path before
};

}  // namespace

std::vector<Int> T15g(const std::vector<OrderedJob>& jobs, const std::map<std::size_t, SharedGpu>& shared, const TaskSet& set) {
  for (const OrderedJob& job : jobs) need(job.fault == nullptr, "a job of the order is not as it should be");
  for (const auto& [pool, gpu] : shared) need(gpu.capacity > 0, "a capacity is above 0");
  return Streams(jobs, shared, set).ends();
}

}  // namespace checker
