#include "rta/generate/recipe.hpp"

#include <algorithm>
#include <limits>

#include "rta/model/footprint.hpp"
#include "rta/model/launch.hpp"
#include "rta/model/overloaded.hpp"

namespace rta::generate {
namespace {

constexpr std::int64_t longest_time = std::int64_t{1} << 47;  // ns, 39 hours
constexpr std::uint32_t most_dags = 10'000;
constexpr std::uint32_t most_nodes = 4'096;  // of one DAG
constexpr std::uint64_t most_nodes_in_all = 100'000;
constexpr std::int64_t most_utilization = (std::int64_t{1} << 19) - 1;
constexpr std::uint32_t most_blocks = 1U << 20;

void require(bool holds, const std::string& parameter, const std::string& why) {
  if (!holds) throw RecipeError(parameter, why);
}

void check_probability(const Fraction& p, const std::string& parameter) {
  require(p.denominator > 0 && p.numerator >= 0 && p.numerator <= p.denominator, parameter, "must be between 0 and 1 (0 % and 100 %)");
}

void check_range(const Range& r, std::uint32_t least, std::uint32_t most, const std::string& parameter) {
  require(r.low >= least && r.low <= r.high && r.high <= most, parameter,
          "must be a number or a range `low .. high` within " + std::to_string(least) + " .. " + std::to_string(most));
}

void check_time(Time t, const std::string& parameter) {
  require(t > Time::zero() && t.count() < longest_time, parameter, "must be positive and below 39 hours");
}

void check_log_uniform(const LogUniform& range, const std::string& parameter) {
  check_time(range.low, parameter);
  check_time(range.high, parameter);
  check_time(range.granularity, parameter);
  require(range.low <= range.high, parameter, "the range is empty: its start is after its end");
  const Wide unit = range.granularity.count();
  require(ceil_div(range.low.count(), unit) <= range.high.count() / unit, parameter, "the range holds no multiple of the granularity");
}

template <class T>
void check_choice(const Choice<T>& choice, const std::string& parameter) {
  const bool some = std::any_of(choice.values().begin(), choice.values().end(), [](const auto& v) { return v.weight > 0; });
  require(some, parameter, "needs at least one value with a positive weight");
}

void check_periods(const Periods& periods) {
  const std::string parameter = "random.periods";
  std::visit(overloaded{[&](const LogUniform& range) { check_log_uniform(range, parameter); },
                        [&](const Harmonic& harmonic) {
                          check_time(harmonic.base, parameter);
                          require(harmonic.factor >= 2 && harmonic.levels >= 1, parameter,
                                  "needs a factor of at least 2 and at least 1 level");
                          Wide T = harmonic.base.count();
                          for (std::uint32_t k = 1; k < harmonic.levels; ++k) {
                            T *= harmonic.factor;
                            require(T < longest_time, parameter, "the longest period must stay below 39 hours; ask for fewer levels");
                          }
                        },
                        [&](const Choice<Time>& list) {
                          check_choice(list, parameter);
                          for (const auto& v : list.values()) check_time(v.value, parameter);
                        }},
             periods);
}

void check_shapes(const Choice<Shape>& shapes) {
  const std::string parameter = "random.shape";
  check_choice(shapes, parameter);
  for (const auto& [shape, weight] : shapes.values()) {
    std::visit(overloaded{[](const Chain&) {},
                          [&](const LayerByLayer& layers) {
                            check_range(layers.layers, 1, most_nodes, parameter + ".layers");
                            check_probability(layers.p, parameter + ".p");
                          },
                          [&](const ErdosRenyi& random) { check_probability(random.p, parameter + ".p"); },
                          [&](const ForkJoin& nested) {
                            check_range(nested.branches, 2, most_nodes, parameter + ".branches");
                            require(nested.depth >= 1 && nested.depth <= 32, parameter + ".depth", "must be within 1 .. 32");
                            check_probability(nested.nesting, parameter + ".nesting");
                          },
                          [&](const SeriesParallel& random) { check_probability(random.series, parameter + ".series"); }},
               shape);
  }
}

void check_kernels(const Kernels& kernels, const GpuPool& gpu) {
  check_choice(kernels.B, "random.gpu.B");
  for (const auto& v : kernels.B.values()) check_range(v.value, 1, most_blocks, "random.gpu.B");
  check_choice(kernels.H, "random.gpu.H");
  check_choice(kernels.shared_memory, "random.gpu.shared_memory");
  check_choice(kernels.registers, "random.gpu.registers");
  for (const auto& h : kernels.H.values()) {
    require(h.value >= 1, "random.gpu.H", "must be at least 1");
    for (const auto& s : kernels.shared_memory.values()) {
      for (const auto& r : kernels.registers.values()) {
        GpuDemand kernel;
        kernel.H = h.value;
        kernel.shared_memory = s.value;
        kernel.registers_per_thread = r.value;
        for (const LaunchFault& fault : launch_faults(kernel, gpu, "the GPU")) {
          throw RecipeError("random.gpu." + std::string(key_of(fault.demand)), fault.what);
        }
      }
    }
  }
}

// The extremes of the periods and of k = B H: what bounds the utilization of one node.
struct Extremes {
  double T_min = 0, T_max = 0;
  double k_min = 1, k_max = 1;
};

Extremes extremes(const Recipe& recipe, bool on_gpu) {
  Extremes e;
  const auto ns = [](Time t) { return static_cast<double>(t.count()); };
  std::visit(overloaded{[&](const LogUniform& range) {
                          e.T_min = ns(range.low);
                          e.T_max = ns(range.high);
                        },
                        [&](const Harmonic& harmonic) {
                          e.T_min = e.T_max = ns(harmonic.base);
                          for (std::uint32_t k = 1; k < harmonic.levels; ++k) e.T_max *= harmonic.factor;
                        },
                        [&](const Choice<Time>& list) {
                          e.T_min = std::numeric_limits<double>::infinity();
                          for (const auto& v : list.values()) {
                            e.T_min = std::min(e.T_min, ns(v.value));
                            e.T_max = std::max(e.T_max, ns(v.value));
                          }
                        }},
             recipe.periods);
  if (!on_gpu) return e;
  double B_min = std::numeric_limits<double>::infinity(), B_max = 0, H_min = B_min, H_max = 0;
  for (const auto& v : recipe.kernels.B.values()) {
    B_min = std::min<double>(B_min, v.value.low);
    B_max = std::max<double>(B_max, v.value.high);
  }
  const auto& gpu = std::get<GpuPool>(recipe.pools[*recipe.gpu].resource);
  for (const auto& v : recipe.kernels.H.values()) {
    const auto H = static_cast<double>(footprint(v.value, 0, 0, gpu).threads);
    H_min = std::min(H_min, H);
    H_max = std::max(H_max, H);
  }
  e.k_min = B_min * H_min;
  e.k_max = B_max * H_max;
  return e;
}

std::uint64_t kernels_among(std::uint64_t nodes, const Fraction& share) {
  const auto den = static_cast<std::uint64_t>(share.denominator);
  return (2 * nodes * static_cast<std::uint64_t>(share.numerator) + den) / (2 * den);
}

std::string decimal(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

void check_work(const Recipe& recipe, const Work& work, bool on_gpu) {
  const std::string key = on_gpu ? "random.gpu" : "random.cpu";
  const std::string length_key = key + (on_gpu ? ".L" : ".C");
  if (work.length) check_log_uniform(*work.length, length_key);
  require(work.utilization || work.length, key + ".utilization", "is missing (or give lengths)");
  require(work.length || work.split != Split::proportional, length_key, "is missing: `split: proportional` scales drawn lengths");
  const bool limits = work.split == Split::drs || work.split == Split::proportional;
  require(!work.utilization || !work.length || limits, length_key, "needs `split: proportional` or `split: DRS`");
  if (work.largest) require(work.largest->denominator > 0 && work.largest->numerator > 0, key + ".largest", "must be positive");
  if (!work.utilization) return;
  const Fraction& U = *work.utilization;
  require(U.denominator > 0 && U.numerator >= 0 && U.numerator / U.denominator < most_utilization, key + ".utilization",
          "must be within 0 .. " + std::to_string(most_utilization));

  const std::uint64_t least_nodes = std::uint64_t{recipe.dags.low} * recipe.nodes.low;
  const std::uint64_t most = std::uint64_t{recipe.dags.high} * recipe.nodes.high;
  const std::uint64_t few =
      on_gpu ? kernels_among(least_nodes, recipe.gpu_share) : least_nodes - kernels_among(least_nodes, recipe.gpu_share);
  const std::uint64_t many = on_gpu ? kernels_among(most, recipe.gpu_share) : most - kernels_among(most, recipe.gpu_share);
  const std::string asked = "out of reach: " + decimal(U.approximate()) + " asked, but ";
  if (work.largest) {
    // Exact: all nodes at their largest is reachable.
    const Wide reach = checked_mul<Wide>(checked_mul<Wide>(static_cast<Wide>(many), work.largest->numerator), U.denominator);
    require(reach >= checked_mul<Wide>(U.numerator, work.largest->denominator), key + ".utilization",
            asked + "at most " + std::to_string(many) + " nodes of at most " + decimal(work.largest->approximate()) + " each");
  }
  require(many > 0 || U.numerator == 0, key + ".utilization", asked + "there is no such node");
  if (many == 0) return;
  const Extremes e = extremes(recipe, on_gpu);
  const bool ranged = work.split == Split::drs && work.length;
  const double low = ranged ? static_cast<double>(work.length->low.count()) : 1;
  const double least = static_cast<double>(few) * e.k_min * low / e.T_max;
  require(least <= U.approximate() * (1 + 1e-9), key + ".utilization",
          asked + "at least " + std::to_string(few) + " nodes of at least " + decimal(e.k_min * low / e.T_max) + " each");
  if (!ranged) return;
  const double largest = e.k_max * static_cast<double>(work.length->high.count()) / e.T_min;
  require(static_cast<double>(many) * largest >= U.approximate() * (1 - 1e-9), key + ".utilization",
          asked + "at most " + std::to_string(many) + " nodes of at most " + decimal(largest) + " each (" + length_key + ")");
}

}  // namespace

void check(const Recipe& recipe) {
  require(recipe.cpu < recipe.pools.size() && recipe.pools[recipe.cpu].kind() == PoolKind::cpu, "platform", "needs a CPU pool");
  check_range(recipe.dags, 1, most_dags, "random.dags");
  check_range(recipe.nodes, 1, most_nodes, "random.nodes");
  require(std::uint64_t{recipe.dags.high} * recipe.nodes.high <= most_nodes_in_all, "random.nodes",
          "more than " + std::to_string(most_nodes_in_all) + " nodes in one task set");
  check_periods(recipe.periods);
  if (recipe.deadline) {
    const Fraction& D = *recipe.deadline;
    require(D.denominator > 0 && D.numerator > 0 && D.numerator / D.denominator <= 1000, "random.deadline",
            "must be a positive multiple of T, at most 1000");
  }
  const Fraction& J = recipe.jitter;
  require(J.denominator > 0 && J.numerator >= 0 && J.numerator < J.denominator, "random.jitter",
          "must be a share of T, from 0 to below 100 %");
  check_probability(recipe.cpu_least, "random.cpu.min");
  check_shapes(recipe.shapes);
  if (recipe.group_size) check_range(*recipe.group_size, 1, most_nodes, "random.group_size");
  check_probability(recipe.grouped, "random.grouped");
  require(recipe.group_size || recipe.grouped == Fraction{1, 1}, "random.grouped", "needs groups: give `group_size`");
  require(recipe.split_overhead >= Time::zero() && recipe.split_overhead.count() < longest_time, "random.split_overhead",
          "must not be negative, and below 39 hours");
  check_probability(recipe.gpu_share, "random.gpu.share");
  const bool kernels = recipe.gpu_share.numerator > 0;
  require(!kernels || (recipe.gpu && *recipe.gpu < recipe.pools.size() && recipe.pools[*recipe.gpu].kind() == PoolKind::gpu),
          "random.gpu.share", "the platform has no GPU");
  const bool shared = recipe.gpu && std::get<GpuPool>(recipe.pools[*recipe.gpu].resource).sharing;
  require(!recipe.process_per_dag || shared, "random.processes", "processes need a GPU that they share: sharing: {slice: …, switch: …}");
  if (kernels) check_kernels(recipe.kernels, std::get<GpuPool>(recipe.pools[*recipe.gpu].resource));
  if (recipe.gpu_share.numerator < recipe.gpu_share.denominator) check_work(recipe, recipe.cpu_work, false);
  if (kernels) check_work(recipe, recipe.gpu_work, true);
}

}  // namespace rta::generate
