#include "rta/generate/generator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "lengths.hpp"
#include "rta/model/footprint.hpp"
#include "rta/model/overloaded.hpp"
#include "rta/model/time_slices.hpp"

namespace rta::generate {
namespace {

constexpr std::uint32_t most_attempts = 1000;

void draw_periods(Stream stream, const Periods& periods, std::vector<RandomSet::Dag>& dags) {
  std::visit(overloaded{[&](const LogUniform& range) {
                          draw_log_uniform(stream, range, dags.size(), [&](std::size_t d, Time T) { dags[d].T = T; });
                        },
                        [&](const Harmonic& harmonic) {
                          for (RandomSet::Dag& dag : dags) {
                            dag.T = harmonic.base;
                            for (std::uint64_t k = stream.below(harmonic.levels); k > 0; --k) dag.T = dag.T * harmonic.factor;
                          }
                        },
                        [&](const Choice<Time>& list) {
                          for (RandomSet::Dag& dag : dags) dag.T = list.draw(stream);
                        }},
             periods);
}

// So much of a period, rounded down.
Time part_of(Time T, const Fraction& share) {
  std::int64_t product = 0;
  if (share.denominator == 1 && !__builtin_mul_overflow(T.count(), share.numerator, &product)) return Time(product);
  return to_time(floor_div(static_cast<Wide>(T.count()) * share.numerator, share.denominator));
}

}  // namespace

Generator::Generator(Recipe recipe) : recipe_(std::move(recipe)), lengths_(std::make_unique<LengthDrawer>()) { check(recipe_); }
Generator::~Generator() = default;
Generator::Generator(Generator&&) noexcept = default;
Generator& Generator::operator=(Generator&&) noexcept = default;

void Generator::draw(const SetId& id, RandomSet& set) {
  const char* missed = "";
  for (std::uint32_t attempt = 0; attempt < most_attempts; ++attempt) {
    draw_structure(id, attempt, set);
    draw_kernels(id, attempt, set);
    draw_groups(id, attempt, set);
    undo_groups(id, attempt, set);
    if (!lengths_->draw(Stream(id, Stage::cpu_utilization, attempt), recipe_.cpu_work, false, set)) {
      missed = "random.cpu.utilization";
    } else if (!lengths_->draw(Stream(id, Stage::gpu_utilization, attempt), recipe_.gpu_work, true, set)) {
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
  Stream shapes(id, Stage::shapes, attempt);
  set.dags.resize(sizes.between(recipe_.dags.low, recipe_.dags.high));
  draw_periods(Stream(id, Stage::periods, attempt), recipe_.periods, set.dags);
  Stream phases(id, Stage::phases, attempt);
  for (RandomSet::Dag& dag : set.dags) {
    if (recipe_.deadline) dag.D = std::max(Time(1), part_of(dag.T, *recipe_.deadline));
    dag.jitter = part_of(dag.T, recipe_.jitter);
    if (recipe_.phases == Phases::random)
      dag.phase = Time(static_cast<std::int64_t>(phases.below(static_cast<std::uint64_t>(dag.T.count()))));
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
  const auto& gpu = std::get<GpuPool>(recipe_.pools[*recipe_.gpu].resource);
  Stream pools(id, Stage::pools, attempt);
  Stream blocks(id, Stage::blocks, attempt);
  // Selection sampling: every subset of that size is as likely as any other (Knuth, TAOCP 2, 3.4.2, algorithm S).
  std::uint64_t left = n;
  for (RandomSet::Node& node : set.nodes) {
    if (pools.below(left--) >= kernels) continue;
    --kernels;
    const Range& B = recipe_.kernels.B.draw(blocks);
    node.B = blocks.between(B.low, B.high);
    node.H = static_cast<std::uint32_t>(footprint(recipe_.kernels.H.draw(blocks), 0, 0, gpu).threads);
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

// Those that are not kept. Which groups there are does not depend on how many are kept.
void Generator::undo_groups(const SetId& id, std::uint32_t attempt, RandomSet& set) {
  if (!recipe_.group_size || recipe_.grouped == Fraction{1, 1}) return;
  Stream stream(id, Stage::grouped, attempt);
  for (const RandomSet::Dag& dag : set.dags) {
    std::uint32_t last = 0;
    bool kept = false;
    for (std::uint32_t v = dag.first_node; v < dag.end_node; ++v) {
      std::uint32_t& group = set.nodes[v].group;
      if (group != last) kept = stream.chance(recipe_.grouped);
      last = group;
      if (!kept) group = 0;
    }
  }
}

void add_split_overhead(const Recipe& recipe, Grain grain, RandomSet& set) {
  if (grain == Grain::monolithic) return;
  for (RandomSet::Node& node : set.nodes) {
    if (!node.on_gpu() && (grain == Grain::fine || node.group == 0)) node.length += recipe.split_overhead;
  }
}

namespace {

/// The platform with a context for each DAG that has kernels, in the order of their names; `gpu_of` gets each DAG's.
std::vector<Pool> with_contexts(const Recipe& recipe, const RandomSet& set, std::vector<PoolId>& gpu_of, PoolId& cpu) {
  std::map<std::string, std::size_t> processes;
  for (std::size_t d = 0; d < set.dags.size(); ++d) {
    const auto nodes = set.nodes_of(set.dags[d]);
    if (std::ranges::any_of(nodes, [](const RandomSet::Node& node) { return node.on_gpu(); })) processes.emplace(fmt::format("d{}", d), d);
  }
  if (processes.empty()) return recipe.pools;
  std::vector<Pool> pools;
  for (PoolId p = 0; p < recipe.pools.size(); ++p) {
    if (p == recipe.cpu) cpu = pools.size();
    if (p != *recipe.gpu) {
      pools.push_back(recipe.pools[p]);
      continue;
    }
    for (const auto& [process, d] : processes) {
      gpu_of[d] = pools.size();
      Pool& context = pools.emplace_back(recipe.pools[p]);
      Sharing& sharing = *std::get<GpuPool>(context.resource).sharing;
      sharing.process = process;
      sharing.contexts = static_cast<std::uint32_t>(processes.size());
      context.name = context_name(sharing.gpu, process);
    }
  }
  return pools;
}

}  // namespace

TaskSet to_task_set(const Recipe& recipe, const RandomSet& set, std::string name, Clock clock) {
  std::vector<PoolId> gpu_of(set.dags.size(), recipe.gpu.value_or(0));
  PoolId cpu = recipe.cpu;
  std::vector<Pool> pools = recipe.process_per_dag ? with_contexts(recipe, set, gpu_of, cpu) : recipe.pools;
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
        node.pool = cpu;
        node.demand = CpuDemand{drawn.length};
        if (recipe.cpu_least.numerator > 0) node.variation = Variation{part_of(drawn.length, recipe.cpu_least), std::nullopt};
        node.sequential = recipe.sequential;
        continue;
      }
      node.pool = gpu_of[d];
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
    DagAttributes attributes;
    attributes.jitter = dag.jitter;
    if (recipe.phases != Phases::unknown && clock == Clock::as_drawn) {
      attributes.phase = dag.phase;
      attributes.periodic = true;
    }
    dags.emplace_back(fmt::format("d{}", d), dag.T - dag.jitter, dag.D, std::move(nodes), std::move(edges), attributes);
  }
  return {std::move(name), std::move(pools), std::move(dags)};
}

}  // namespace rta::generate
