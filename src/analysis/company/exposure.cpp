#include "analysis/company/exposure.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <variant>

#include "rta/model/other_work.hpp"

namespace rta::analysis {
namespace {

constexpr std::size_t most_kernels = 1'000;     // each is asked about each other
constexpr std::size_t most_classes_chosen = 6;  // of which all choices are tried
constexpr int most_passes = 64;
constexpr Wide most_useful = 4'096;  // beside so many times L C1 is less, whatever the matrix

const GpuDemand* gpu_demand(const Node& node) { return std::get_if<GpuDemand>(&node.demand); }

bool any_waits(const TaskSet& task_set) {
  return std::ranges::any_of(task_set.dags(), [](const Dag& dag) { return dag.attributes().in_flight || !dag.history().empty(); });
}

/// The kernels of one class, or those without, that v can meet.
struct OfClass {
  std::optional<std::uint32_t> of_class;
  std::size_t kernels = 0;
  std::size_t on_pool = 0;  // of them on v's own SMs
  bool known = true;        // how long they are there:
  Wide here = 0;            // those on v's SMs
  Wide elsewhere = 0;
};

/// The largest entry that may be meant.
Lengthening largest_entry(const std::vector<std::vector<Lengthening>>& matrix, std::optional<std::uint32_t> victim,
                          std::optional<std::uint32_t> other) {
  Lengthening most = 0;
  for (std::size_t row = 0; row < matrix.size(); ++row) {
    if (victim && *victim != row) continue;
    for (std::size_t column = 0; column < matrix[row].size(); ++column) {
      if (!other || *other == column) most = std::max(most, matrix[row][column]);
    }
  }
  return most;
}

/// L by a choice of classes that are there for a time; all others are always there.
class Choice {
 public:
  Choice(const Interference& of, const GpuDemand& victim, std::span<const OfClass> classes, std::uint32_t for_a_time)
      : of_(of), victim_(victim), classes_(classes), for_a_time_(for_a_time) {
    Present gpu, pool;
    gpu.classes.assign(of.classes.size(), false);
    pool.classes.assign(of.classes.size(), false);
    for (std::size_t i = 0; i < classes.size(); ++i) {
      if (is_for_a_time(i)) continue;
      const OfClass& one = classes[i];
      if (one.of_class) {
        gpu.classes[*one.of_class] = one.kernels > 0;
        pool.classes[*one.of_class] = one.on_pool > 0;
      } else {
        gpu.without = one.kernels;
        pool.without = one.on_pool;
      }
    }
    other_sm_ = lengthening(of.other_sm, of.combine, victim.interference_class, gpu);
    same_sm_ = lengthening(of.same_sm, of.combine, victim.interference_class, pool);
    always_ = ceil_div(checked_mul(Wide{victim.L.count()}, Wide{other_sm_} + same_sm_), whole_time);
    L_ = victim.L.count() + always_;
    for (std::size_t i = 0; i < classes.size(); ++i) {
      if (is_for_a_time(i)) L_ = checked_add(L_, more(classes[i]));
    }
  }

  [[nodiscard]] Wide L() const { return L_; }

  [[nodiscard]] Exposure exposure() const {
    Exposure all{to_time(L_), to_time(always_), {}};
    for (std::size_t i = 0; i < classes_.size(); ++i) {
      const OfClass& one = classes_[i];
      if (is_for_a_time(i)) all.for_a_time.push_back({one.of_class, one.here + one.elsewhere, to_time(more(one))});
    }
    return all;
  }

 private:
  [[nodiscard]] bool is_for_a_time(std::size_t i) const { return i < most_classes_chosen && (for_a_time_ >> i & 1U) != 0; }

  /// What an entry adds to those that are always there.
  [[nodiscard]] Wide beyond(Lengthening entry, Lengthening always) const {
    return of_.combine == Combine::sum ? entry : std::max<Lengthening>(0, entry - always);
  }

  [[nodiscard]] Wide more(const OfClass& one) const {
    const Wide other = beyond(largest_entry(of_.other_sm, victim_.interference_class, one.of_class), other_sm_);
    const Wide same = beyond(largest_entry(of_.same_sm, victim_.interference_class, one.of_class), same_sm_);
    const Wide slowness = Wide{whole_time} + other_sm_ + same_sm_;
    return ceil_div(checked_mul(one.elsewhere, other), slowness + other) +
           ceil_div(checked_mul(one.here, other + same), slowness + other + same);
  }

  const Interference& of_;
  const GpuDemand& victim_;
  std::span<const OfClass> classes_;
  std::uint32_t for_a_time_;
  Lengthening other_sm_ = 0, same_sm_ = 0;
  Wide always_ = 0, L_ = 0;
};

/// Durations as they are, with L of blocks that are counted by it.
std::shared_ptr<const TaskSet> with_block_times(const TaskSet& by_pairs, const Exposures& exposures, const PerNode<Time>& lengths) {
  std::vector<Dag> dags;
  dags.reserve(by_pairs.dags().size());
  for (DagId d = 0; d < by_pairs.dags().size(); ++d) {
    const Dag& dag = by_pairs.dags()[d];
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    for (NodeId v = 0; v < nodes.size(); ++v) {
      if (!exposures.counts(d, v)) continue;
      auto& kernel = std::get<GpuDemand>(nodes[v].demand);
      kernel.L = lengths[d][v];
      kernel.C = Workload(checked_mul(Wide{kernel.L.count()}, Wide{kernel.H}));
    }
    dags.emplace_back(dag.name(), dag.period(), dag.deadline(), std::move(nodes), std::vector<Edge>(dag.edges().begin(), dag.edges().end()),
                      dag.attributes());
  }
  return std::make_shared<const TaskSet>(by_pairs.name(), std::vector<Pool>(by_pairs.pools().begin(), by_pairs.pools().end()),
                                         std::move(dags), by_pairs.chains(), by_pairs.requirements());
}

struct Victim {
  DagId dag = 0;
  NodeId node = 0;
  std::vector<Met> company;
};

/// Kernels of which C2 is known, with what they can meet.
std::vector<Victim> victims_of(const TaskSet& alone, const Lasting& lasting, const Windows& apart, const Exposures& exposures) {
  std::vector<Victim> victims;
  const bool clock = has_clock(alone);
  for (DagId d = 0; d < alone.dags().size(); ++d) {
    for (NodeId v = 0; v < alone.dags()[d].nodes().size(); ++v) {
      if (!exposures.counts(d, v)) continue;
      Victim victim{d, v, company_of(alone, lasting, d, v)};
      if (clock) std::erase_if(victim.company, [&](const Met& met) { return clock_keeps_apart(alone, apart, d, v, met.dag, met.node); });
      victims.push_back(std::move(victim));
    }
  }
  return victims;
}

/// Whether the durations are no shorter than these, but for the blocks of which C2 may say less.
bool others_are_as_long(const Exposures& exposures, const TaskSet& set, const TaskSet& least) {
  for (DagId d = 0; d < set.dags().size(); ++d) {
    for (NodeId v = 0; v < set.dags()[d].nodes().size(); ++v) {
      const GpuDemand* const kernel = gpu_demand(set.dags()[d].nodes()[v]);
      if (kernel == nullptr || exposures.counts(d, v)) continue;
      const auto& other = std::get<GpuDemand>(least.dags()[d].nodes()[v].demand);
      if (kernel->L < other.L || kernel->C < other.C || kernel->time < other.time) return false;
    }
  }
  return true;
}

}  // namespace

Windows stays_of(const Proof& proof) {
  Windows stays;
  const bool known = !any_waits(*proof.task_set);
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    auto& nodes = stays.emplace_back(proof.dags[d].nodes.size());
    // On threads a job may begin later.
    if (!known || proof.task_set->dags()[d].attributes().threads) continue;
    for (NodeId v = 0; v < nodes.size(); ++v) nodes[v] = window_of(proof, d, v);
  }
  return stays;
}

PerNode<Time> block_times(const TaskSet& task_set) {
  PerNode<Time> lengths;
  for (const Dag& dag : task_set.dags()) {
    auto& nodes = lengths.emplace_back(dag.nodes().size(), Time::zero());
    for (NodeId v = 0; v < nodes.size(); ++v) {
      if (const GpuDemand* const kernel = gpu_demand(dag.nodes()[v])) nodes[v] = kernel->L;
    }
  }
  return lengths;
}

bool Exposures::counts(DagId d, NodeId v) const {
  const Node& node = set_.dags()[d].nodes()[v];
  const GpuDemand* const kernel = gpu_demand(node);
  if (kernel == nullptr || !kernel->alone || !counts_by_blocks(*kernel) || kernel->time) return false;
  if (counts_other_work(*std::get<GpuPool>(set_.pools()[node.pool].resource).interference)) return false;  // these are no kernels
  return kernel->C.count() == checked_mul(Wide{kernel->L.count()}, Wide{kernel->H});
}

std::optional<Beside> Exposures::beside(const PerNode<Time>& lengths, DagId d, NodeId v, const Met& other) const {
  const auto& stay = stays_[other.dag][other.node];
  if (!stay) return std::nullopt;
  const auto& kernel = std::get<GpuDemand>(set_.dags()[other.dag].nodes()[other.node].demand);
  const Wide window = std::max<Wide>(0, Wide{stay->until.count()} - stay->from.count());
  const Wide T = set_.dags()[other.dag].period().count();
  Beside beside{ceil_div(window + lengths[d][v].count(), T), window};
  if (other.dag == d && other.node == v) beside.jobs = std::max<Wide>(0, beside.jobs - 1);  // its own is among them
  if (kernel.has_blocks) {
    const Wide one_by_one = Wide{static_cast<std::int64_t>(kernel.B)} * lengths[other.dag][other.node].count();
    beside.each = std::min(beside.each, one_by_one);
  }
  return beside;
}

std::optional<Exposure> Exposures::of(const std::vector<Met>& company, const PerNode<Time>& lengths, DagId d, NodeId v) const {
  const Node& node = set_.dags()[d].nodes()[v];
  const auto& victim = std::get<GpuDemand>(node.demand);
  const Interference& of = *std::get<GpuPool>(set_.pools()[node.pool].resource).interference;
  std::vector<OfClass> classes(of.classes.size() + 1);
  for (std::uint32_t c = 0; c < of.classes.size(); ++c) classes[c].of_class = c;
  for (const Met& met : company) {
    const auto& kernel = std::get<GpuDemand>(set_.dags()[met.dag].nodes()[met.node].demand);
    OfClass& one = classes[kernel.interference_class.value_or(of.classes.size())];
    ++one.kernels;
    if (met.same_pool) ++one.on_pool;
    if (!one.known) continue;
    const auto there = beside(lengths, d, v, met);
    if (there) (met.same_pool ? one.here : one.elsewhere) += there->jobs * there->each;
    one.known = there && one.here + one.elsewhere <= most_useful * victim.L.count();
  }
  std::erase_if(classes, [](const OfClass& one) { return one.kernels == 0; });
  const auto order = [](const OfClass& one) { return std::pair(!one.known, one.here + one.elsewhere); };
  std::ranges::stable_sort(classes, [&](const OfClass& a, const OfClass& b) { return order(a) < order(b); });
  const auto known = static_cast<std::size_t>(std::ranges::count_if(classes, &OfClass::known));
  if (known == 0) return std::nullopt;
  const std::uint32_t choices = 1U << std::min(known, most_classes_chosen);
  std::uint32_t best = 0;
  Wide least = Choice(of, victim, classes, 0).L();
  for (std::uint32_t choice = 1; choice < choices; ++choice) {
    const Wide L = Choice(of, victim, classes, choice).L();
    if (L >= least) continue;
    least = L;
    best = choice;
  }
  return Choice(of, victim, classes, best).exposure();
}

std::shared_ptr<const TaskSet> shortened(const TaskSet& alone, const Lasting& lasting, const Windows& apart, const Windows& stays,
                                         const TaskSet& by_pairs) {
  std::size_t kernels = 0;
  for (const Dag& dag : alone.dags()) {
    kernels += static_cast<std::size_t>(std::ranges::count_if(dag.nodes(), [](const Node& node) { return gpu_demand(node) != nullptr; }));
  }
  if (any_waits(alone) || kernels > most_kernels) return nullptr;
  const Exposures exposures(alone, stays);
  const std::vector<Victim> victims = victims_of(alone, lasting, apart, exposures);
  const PerNode<Time> pairs = block_times(by_pairs);
  PerNode<Time> lengths = pairs;
  for (const Victim& victim : victims)
    lengths[victim.dag][victim.node] = std::get<GpuDemand>(alone.dags()[victim.dag].nodes()[victim.node].demand).L;
  bool changed = true;
  for (int pass = 0; changed; ++pass) {
    if (pass == most_passes) return nullptr;
    changed = false;
    for (const Victim& victim : victims) {
      Time& L = lengths[victim.dag][victim.node];
      const Time most = pairs[victim.dag][victim.node];
      if (L >= most) continue;
      const auto exposure = exposures.of(victim.company, lengths, victim.dag, victim.node);
      const Time least = exposure ? std::min(most, exposure->L) : most;
      if (least <= L) continue;
      L = least;
      changed = true;
    }
  }
  return with_block_times(by_pairs, exposures, lengths);
}

bool are_long_enough(const TaskSet& alone, const Lasting& lasting, const Windows& apart, const Windows& stays, const TaskSet& by_pairs,
                     const TaskSet& set) {
  const Exposures exposures(alone, stays);
  if (!others_are_as_long(exposures, set, by_pairs)) return false;
  const PerNode<Time> lengths = block_times(set);
  const PerNode<Time> pairs = block_times(by_pairs);
  return std::ranges::all_of(victims_of(alone, lasting, apart, exposures), [&](const Victim& victim) {
    const Time L = lengths[victim.dag][victim.node];
    if (L >= pairs[victim.dag][victim.node]) return true;
    const auto exposure = exposures.of(victim.company, lengths, victim.dag, victim.node);
    return exposure && L >= exposure->L;
  });
}

}  // namespace rta::analysis
