#include "rta/generate/generator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rta::generate {
namespace {

constexpr std::uint32_t most_attempts = 1000;
constexpr std::size_t most_discards = 1000;
constexpr std::size_t most_tables = 64;

std::uint64_t whole(Time t) { return static_cast<std::uint64_t>(t.count()); }

Time draw_log_uniform(Stream& stream, const LogUniform& range) {
  const std::uint64_t unit = whole(range.granularity);
  const std::uint64_t low = (whole(range.low) + unit - 1) / unit;
  return Time(static_cast<std::int64_t>(unit * stream.log_uniform(low, whole(range.high) / unit)));
}

Time draw_period(Stream& stream, const Periods& periods) {
  if (const auto* range = std::get_if<LogUniform>(&periods)) return draw_log_uniform(stream, *range);
  if (const auto* harmonic = std::get_if<Harmonic>(&periods)) {
    Time T = harmonic->base;
    for (std::uint64_t k = stream.below(harmonic->levels); k > 0; --k) T = T * harmonic->factor;
    return T;
  }
  return std::get<Choice<Time>>(periods).draw(stream);
}

// Largest whole length with k length / T <= limit.
std::int64_t longest(const Fraction& limit, std::int64_t k, std::int64_t T) {
  const Wide ns =
      floor_div(checked_mul<Wide>(static_cast<Wide>(limit.numerator), T), checked_mul<Wide>(static_cast<Wide>(k), limit.denominator));
  return static_cast<std::int64_t>(std::min<Wide>(ns, T * Wide{1'000'000}));
}

}  // namespace

Generator::Generator(Recipe recipe) : recipe_(std::move(recipe)) { check(recipe_); }

void Generator::draw(const SetId& id, RandomSet& set) {
  const char* missed = "";
  for (std::uint32_t attempt = 0; attempt < most_attempts; ++attempt) {
    draw_structure(id, attempt, set);
    draw_kernels(id, attempt, set);
    draw_groups(id, attempt, set);
    if (!draw_lengths(Stream(id, Stage::cpu_utilization, attempt), recipe_.cpu_work, false, set)) {
      missed = "random.cpu.utilization";
    } else if (!draw_lengths(Stream(id, Stage::gpu_utilization, attempt), recipe_.gpu_work, true, set)) {
      missed = "random.gpu.utilization";
    } else {
      return;
    }
  }
  throw RecipeError(missed, "out of reach of " + std::to_string(most_attempts) +
                                " random draws of the sizes; ask for less, allow larger nodes or longer lengths, or use `split: DRS`");
}

void Generator::draw_structure(const SetId& id, std::uint32_t attempt, RandomSet& set) {
  set.dags.clear();
  set.nodes.clear();
  set.edges.clear();
  Stream sizes(id, Stage::sizes, attempt);
  Stream periods(id, Stage::periods, attempt);
  Stream shapes(id, Stage::shapes, attempt);
  const std::uint64_t dags = sizes.between(recipe_.dags.low, recipe_.dags.high);
  for (std::uint64_t d = 0; d < dags; ++d) {
    RandomSet::Dag& dag = set.dags.emplace_back();
    dag.T = draw_period(periods, recipe_.periods);
    if (recipe_.deadline) {
      dag.D = to_time(
          std::max<Wide>(1, floor_div(static_cast<Wide>(dag.T.count()) * recipe_.deadline->numerator, recipe_.deadline->denominator)));
    }
    const auto n = static_cast<std::uint32_t>(sizes.between(recipe_.nodes.low, recipe_.nodes.high));
    dag.first_node = static_cast<std::uint32_t>(set.nodes.size());
    dag.first_edge = static_cast<std::uint32_t>(set.edges.size());
    set.nodes.resize(set.nodes.size() + n);
    shapes_.draw(shapes, recipe_.shapes.draw(shapes), n, set.edges);
    dag.end_node = static_cast<std::uint32_t>(set.nodes.size());
    dag.end_edge = static_cast<std::uint32_t>(set.edges.size());
  }
}

void Generator::draw_kernels(const SetId& id, std::uint32_t attempt, RandomSet& set) {
  const std::uint64_t n = set.nodes.size();
  const Fraction& share = recipe_.gpu_share;
  const auto den = static_cast<std::uint64_t>(share.denominator);
  std::uint64_t kernels = recipe_.gpu ? (2 * n * static_cast<std::uint64_t>(share.numerator) + den) / (2 * den) : 0;
  if (kernels == 0) return;
  std::uint32_t warp = 1;
  if (const auto* gpu = std::get_if<GpuPool>(&recipe_.pools[*recipe_.gpu].resource)) warp = gpu->allocation.warp;
  Stream pools(id, Stage::pools, attempt);
  Stream blocks(id, Stage::blocks, attempt);
  // Selection sampling: every subset of that size is as likely as any other (Knuth, TAOCP 2, 3.4.2, algorithm S).
  std::uint64_t left = n;
  for (RandomSet::Node& node : set.nodes) {
    if (pools.below(left--) >= kernels) continue;
    --kernels;
    const Range& B = recipe_.kernels.B.draw(blocks);
    node.B = blocks.between(B.low, B.high);
    const std::uint32_t H = recipe_.kernels.H.draw(blocks);
    node.H = (H + warp - 1) / warp * warp;
    node.shared_memory = recipe_.kernels.shared_memory.draw(blocks);
    node.registers_per_thread = recipe_.kernels.registers.draw(blocks);
  }
}

// Consecutive nodes make groups that cannot depend on each other in a cycle. A group needs a CPU node: without one it goes on, and at the
// end it joins the group before. A DAG of kernels alone has no group.
void Generator::draw_groups(const SetId& id, std::uint32_t attempt, RandomSet& set) {
  if (!recipe_.group_size) return;
  Stream stream(id, Stage::groups, attempt);
  for (const RandomSet::Dag& dag : set.dags) {
    std::uint32_t group = 1;
    std::uint32_t start = dag.first_node;
    bool has_cpu_node = false;
    auto size = stream.between(recipe_.group_size->low, recipe_.group_size->high);
    for (std::uint32_t v = dag.first_node; v < dag.end_node; ++v) {
      set.nodes[v].group = group;
      has_cpu_node = has_cpu_node || !set.nodes[v].on_gpu();
      if (v + 1 - start < size || !has_cpu_node || v + 1 == dag.end_node) continue;
      ++group;
      start = v + 1;
      has_cpu_node = false;
      size = stream.between(recipe_.group_size->low, recipe_.group_size->high);
    }
    if (has_cpu_node) continue;
    for (std::uint32_t v = start; v < dag.end_node; ++v) set.nodes[v].group = group - 1;
  }
}

bool Generator::draw_lengths(Stream stream, const Work& work, bool on_gpu, RandomSet& set) {
  loads_.clear();
  load_nodes_.clear();
  for (const RandomSet::Dag& dag : set.dags) {
    for (std::uint32_t v = dag.first_node; v < dag.end_node; ++v) {
      const RandomSet::Node& node = set.nodes[v];
      if (node.on_gpu() != on_gpu) continue;
      Load& load = loads_.emplace_back();
      load_nodes_.push_back(v);
      load.k = on_gpu ? static_cast<std::int64_t>(node.B * node.H) : 1;
      load.T = dag.T.count();
    }
  }
  if (!work.utilization) {
    for (std::size_t i = 0; i < loads_.size(); ++i) set.nodes[load_nodes_[i]].length = draw_log_uniform(stream, *work.length);
    return true;
  }

  const Fraction& total = *work.utilization;
  const Fraction largest = work.largest && work.largest->approximate() < total.approximate() ? *work.largest : total;
  for (Load& load : loads_) {
    load.high = longest(largest, load.k, load.T);
    if (work.length && work.split == Split::drs) {
      load.low = work.length->low.count();
      load.high = std::min(load.high, work.length->high.count());
    }
    if (load.high < load.low) return false;
  }
  if (!split(stream, work)) return false;
  if (!make_total_exact(loads_, total, loads_.empty() ? 0 : stream.below(loads_.size()))) return false;
  for (std::size_t i = 0; i < loads_.size(); ++i) set.nodes[load_nodes_[i]].length = Time(loads_[i].x);
  return true;
}

// The lengths that the split asks for, rounded down.
bool Generator::split(Stream& stream, const Work& work) {
  const std::size_t n = loads_.size();
  if (n == 0) return true;
  const double total = work.utilization->approximate();
  const double largest = work.largest ? std::min(work.largest->approximate(), total) : total;
  share_.resize(n);
  if (work.split == Split::proportional) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto drawn = static_cast<double>(draw_log_uniform(stream, *work.length).count());
      share_[i] = drawn * static_cast<double>(loads_[i].k) / static_cast<double>(loads_[i].T);
      sum += share_[i];
    }
    for (double& u : share_) u *= total / sum;
    if (std::any_of(share_.begin(), share_.end(), [&](double u) { return u > largest * (1 + 1e-9); })) return false;
  } else if (work.split == Split::drs) {
    lower_.resize(n);
    upper_.resize(n);
    double least = 0;
    double most = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double step = static_cast<double>(loads_[i].k) / static_cast<double>(loads_[i].T);
      least += lower_[i] = static_cast<double>(loads_[i].low) * step;
      most += upper_[i] = static_cast<double>(loads_[i].high) * step;
    }
    // Just outside, the exact total decides.
    if (total < least * (1 - 1e-9) || total > most + 1e-9 * most + static_cast<double>(n) * 1e-3) return false;
    bounded_.draw(stream, total, lower_, upper_, share_);
  } else if (work.split == Split::uunifast_discard) {
    if (!draw_spacings_discard(stream, total, largest, most_discards, share_)) return false;
  } else {
    const double sum = largest > 0 ? total / largest : 0;
    if (sum > static_cast<double>(n)) return false;
    table(n, sum).draw(stream, share_);
    for (double& u : share_) u *= largest;
  }
  for (std::size_t i = 0; i < n; ++i) {
    Load& load = loads_[i];
    const double ns = std::floor(share_[i] * static_cast<double>(load.T) / static_cast<double>(load.k));
    load.x = std::clamp(static_cast<std::int64_t>(ns), load.low, load.high);
  }
  return true;
}

const RandFixedSum& Generator::table(std::size_t n, double sum) {
  for (const RandFixedSum& t : tables_) {
    if (t.size() == n && t.sum() == sum) return t;
  }
  if (tables_.size() == most_tables) tables_.erase(tables_.begin());
  return tables_.emplace_back(n, sum);
}

TaskSet to_task_set(const Recipe& recipe, const RandomSet& set, std::string name) {
  std::vector<Dag> dags;
  dags.reserve(set.dags.size());
  for (std::size_t d = 0; d < set.dags.size(); ++d) {
    const RandomSet::Dag& dag = set.dags[d];
    std::vector<rta::Node> nodes;
    nodes.reserve(dag.end_node - dag.first_node);
    for (const RandomSet::Node& drawn : set.nodes_of(dag)) {
      rta::Node& node = nodes.emplace_back();
      node.name = fmt::format("v{}", nodes.size() - 1);
      if (drawn.group > 0) node.group = fmt::format("g{}", drawn.group);
      if (!drawn.on_gpu()) {
        node.pool = recipe.cpu;
        node.demand = CpuDemand{drawn.length};
        continue;
      }
      node.pool = *recipe.gpu;
      GpuDemand kernel;
      kernel.B = drawn.B;
      kernel.H = drawn.H;
      kernel.L = drawn.length;
      kernel.C = Workload(static_cast<Wide>(drawn.H) * drawn.length.count());
      kernel.shared_memory = drawn.shared_memory;
      kernel.registers_per_thread = drawn.registers_per_thread;
      node.demand = kernel;
    }
    std::vector<rta::Edge> edges;
    for (const Edge& e : set.edges_of(dag)) edges.push_back({e.from, e.to, false});
    dags.emplace_back(fmt::format("d{}", d), dag.T, dag.D, std::move(nodes), std::move(edges));
  }
  return {std::move(name), recipe.pools, std::move(dags)};
}

}  // namespace rta::generate
