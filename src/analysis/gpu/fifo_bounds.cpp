#include "rta/analysis/gpu/fifo_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/gpu/fifo_level.hpp"

namespace rta::analysis::fifo {
namespace {

constexpr int most_counts = 64;  // of T6c; every round's bounds are valid

/// Bounds of one level, in place.
class LevelBounds {
 public:
  LevelBounds(const Kernels& kernels, const Level& level, const Options& options, GpuBounds& bounds)
      : kernels_(kernels), level_(level), options_(options), bounds_(bounds), first_set_(bounds.sets.size()) {}

  /// The reason why there are none, if so.
  std::optional<Reason> prove() {
    const auto occupancy = occupancy_weights(level_.sm());
    if (occupancy) {
      bounds_.worst = level_.in_tasks(occupancy->worst);
      bounds_.capacity = static_cast<double>(occupancy->guaranteed) * kernels_.g;
      add(*occupancy);
    }
    if (const std::uint64_t units = level_.sm().coarsened(); units > 0) {
      add_left_out(bounds_.left_out, LeftOut{.what = LeftOut::What::coarser,
                                             .theorems = {!level_.only()                 ? Theorem::T7
                                                          : options_.bound == Bound::T6a ? Theorem::T6a
                                                                                         : Theorem::T6b},
                                             .limit = LeftOut::Limit::units,
                                             .most = Sm::most_units,
                                             .found = units,
                                             .where = {}});
    }
    double least = 0;
    if (options_.bound != Bound::T6a) {
      for (const Weights& weights : level_.best_weights(!options_.shared_weights, least, bounds_.left_out)) add(weights);
      if (least > 0) bounds_.capacity = std::max(bounds_.capacity, bounds_.U.approximate() / least);
    }
    if (bounds_.sets.size() == first_set_) return overloaded(occupancy, least);
    if (options_.bound == Bound::best) count();
    return std::nullopt;
  }

 private:
  void add(const Weights& weights) {
    const auto known = [&](const WeightSet& set) {
      if (set.guaranteed != weights.guaranteed) return false;
      for (std::size_t i = 0; i < kernels_.tasks.size(); ++i) {
        if (set.density[i] != weights.density[kernels_.classes.of[i]]) return false;
      }
      return true;
    };
    if (std::any_of(bounds_.sets.begin() + static_cast<std::ptrdiff_t>(first_set_), bounds_.sets.end(), known)) return;
    const bool occupancy = std::all_of(weights.density.begin(), weights.density.end(), [](Wide d) { return d == 1; });
    try {
      auto set = level_.weight_set(weights);
      if (!set) return;
      Basis basis = level_.carry(*set);
      basis.set = static_cast<std::uint32_t>(bounds_.sets.size());
      basis.theorem = !level_.only() ? Theorem::T7 : occupancy ? Theorem::T6a : Theorem::T6b;
      bounds_.sets.push_back(std::move(*set));
      improve(basis);
    } catch (const Overflow&) {
      // Weights with large numerators may leave the range where occupancy does not: do without them.
      if (occupancy) throw;
    }
  }

  // Smaller bounds from this basis, where it gives any.
  bool improve(const Basis& basis) {
    bool better = false;
    const WeightSet& set = bounds_.sets[basis.set];
    for (std::size_t k = 0; k < kernels_.tasks.size(); ++k) {
      if (!level_.bounds(k)) continue;
      const Time R = level_.bound(set, basis, k);
      if (bounds_.R[k] && *bounds_.R[k] <= R) continue;
      bounds_.R[k] = R;
      bounds_.basis[k] = basis;
      better = true;
    }
    return better;
  }

  // T6c and T6n: proven bounds limit the jobs that can be unfinished at any one time, and so the backlog. Every round's bounds are proven.
  void count() {
    const bool carry = options_.count_carry && level_.lowest();
    const bool feed_back = options_.feed_back && level_.only();
    if (!carry && !feed_back) return;
    if (std::any_of(bounds_.R.begin(), bounds_.R.end(), [](const auto& R) { return !R; })) return;
    try {
      count_rounds(carry, feed_back);
    } catch (const Overflow&) {
      // The bounds proven so far stand.
    }
  }

  void count_rounds(bool carry, bool feed_back) {
    std::vector<Wide> jobs(kernels_.tasks.size());
    for (int round = 0; round < most_counts; ++round) {
      bool fewer = round == 0;
      for (std::size_t i = 0; i < jobs.size(); ++i) {
        const Task& t = kernels_.tasks[i];
        const Wide n = ceil_div(static_cast<Wide>(bounds_.R[i]->count()) + t.J.count(), t.T.count());
        fewer = fewer || n < jobs[i];
        jobs[i] = n;
      }
      if (!fewer) return;
      for (std::size_t s = first_set_; s < bounds_.sets.size(); ++s) {
        const WeightSet& set = bounds_.sets[s];
        if (carry) {
          Basis basis = level_.counted_carry(set, jobs);
          basis.set = static_cast<std::uint32_t>(s);
          if (!level_.only()) basis.theorem = Theorem::T7;
          improve(basis);
        }
        if (feed_back) improve(backlog(set, static_cast<std::uint32_t>(s), jobs));
      }
    }
    add_left_out(bounds_.left_out, LeftOut{.what = LeftOut::What::coarser,
                                           .theorems = {feed_back ? Theorem::T6n : Theorem::T6c},
                                           .limit = LeftOut::Limit::rounds,
                                           .most = static_cast<std::size_t>(most_counts),
                                           .where = {}});
  }

  // T6n: sum_i ceil(R_i / T_i) w_i L_i B_i.
  [[nodiscard]] Basis backlog(const WeightSet& set, std::uint32_t s, std::span<const Wide> jobs) const {
    Basis basis{.theorem = Theorem::T6n, .set = s, .carry = Carry::none};
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const Wide job = checked_mul(checked_mul(set.density[i], kernels_.tasks[i].C.count()), static_cast<Wide>(kernels_.tasks[i].B));
      basis.carried = checked_add(basis.carried, checked_mul(jobs[i], job));
    }
    return basis;
  }

  [[nodiscard]] Reason overloaded(const std::optional<Weights>& occupancy, double least) const {
    if (!occupancy) return reason::NothingGuaranteed{};
    reason::KernelOverload overload;
    for (std::size_t i = 0; i < kernels_.tasks.size(); ++i) {
      if (!level_.counts(i)) continue;
      overload.U.add(checked_mul(kernels_.tasks[i].C.count(), static_cast<Wide>(kernels_.tasks[i].B)), kernels_.tasks[i].T.count());
    }
    overload.sms = kernels_.g;
    overload.guaranteed = occupancy->guaranteed;
    overload.worst = level_.in_tasks(occupancy->worst);
    if (!level_.lowest()) overload.from = level_.priority();
    overload.above = level_.next_above();
    if (least > 1) overload.best_capacity = overload.U.approximate() / least;
    return overload;
  }

  const Kernels& kernels_;
  const Level& level_;
  const Options& options_;
  GpuBounds& bounds_;
  std::size_t first_set_;
};

Result<GpuBounds> by_theorem_4_3(std::span<const Task> given, const GpuPool& gpu) {
  auto T5 = theorem_4_3(given, gpu);
  if (!T5) return T5.reason();
  GpuBounds bounds;
  if (given.empty()) return bounds;
  const Kernels kernels(given, gpu);
  const Level level(kernels, priorities_of(kernels.tasks).back());
  bounds.U = utilization(kernels.tasks);
  bounds.capacity = static_cast<double>(T5->terms.capacity);
  WeightSet set;
  set.density.assign(given.size(), 1);
  set.capacity = set.rate = T5->terms.capacity;
  set.guaranteed = set.capacity / static_cast<Wide>(gpu.sms);
  set.U = bounds.U;
  set.released = T5->terms.released.count();
  set.occupancy = true;
  if (const auto occupancy = occupancy_weights(level.sm())) set.worst = level.in_tasks(occupancy->worst);
  bounds.worst = set.worst;
  bounds.sets.push_back(std::move(set));
  bounds.R.assign(T5->R.begin(), T5->R.end());
  bounds.basis.assign(given.size(), {Theorem::T5, 0, Carry::theorem_4_3, T5->terms.carry.count()});
  return bounds;
}

}  // namespace

Result<GpuBounds> gpu_bounds(std::span<const Task> given, const GpuPool& gpu, const Options& options) {
  if (options.bound == Bound::T5) return by_theorem_4_3(given, gpu);
  if (const auto misfit = does_not_fit(given, gpu)) return *misfit;
  GpuBounds bounds;
  if (given.empty()) return bounds;
  const Kernels kernels(given, gpu);
  bounds.U = utilization(kernels.tasks);
  bounds.R.resize(given.size());
  bounds.basis.resize(given.size());
  // From the most urgent on: the lowest level counts unfinished jobs of all.
  bool some = false;
  for (const StreamPriority priority : priorities_of(kernels.tasks)) {
    const Level level(kernels, priority);
    auto none = LevelBounds(kernels, level, options, bounds).prove();
    some = some || !none;
    if (none && !bounds.reason) bounds.reason = std::move(none);
  }
  if (!some) return *std::move(bounds.reason);
  return bounds;
}

}  // namespace rta::analysis::fifo
