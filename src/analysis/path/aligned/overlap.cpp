#include "analysis/path/aligned/overlap.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace rta::analysis::path {
namespace {

constexpr std::size_t most_ways = 64;
constexpr std::int64_t most_losing_jobs = 3;  // of a DAG that lose several strands each

/// The processors, and what dividing a time by their number may round off from m - 1 jobs.
struct Processors {
  std::int64_t m = 1;
  Tick rounding;
};

/// Whether `a` is never less than `b`: each tick of E takes off at most (m - 1)/m of one.
bool covers(const Way& a, const Way& b, const Processors& cpu) {
  const Wide longer = Wide{a.length.count()} - b.length.count();
  if (a.before <= b.before) return longer >= 0;
  return Wide{cpu.m} * (longer - cpu.rounding.count()) >= Wide{cpu.m - 1} * (Wide{a.before.count()} - b.before.count());
}

void add(std::vector<Way>& ways, const Way& way, const Processors& cpu) {
  if (std::ranges::any_of(ways, [&](const Way& other) { return covers(other, way, cpu); })) return;
  std::erase_if(ways, [&](const Way& other) { return covers(way, other, cpu); });
  ways.push_back(way);
  if (ways.size() <= most_ways) return;
  Way safe = way;
  for (const Way& other : ways) safe = {std::max(safe.length, other.length), std::min(safe.before, other.before)};
  ways.assign(1, safe);
}

/// Paths by what they have visited: the processors alone, the FIFO pool alone, both.
struct Visited {
  std::vector<Way> cpu;
  std::vector<Way> queue;
  std::vector<Way> both;
};

std::vector<Visited> visited_by_paths(const Class& c, std::size_t cpu, const Processors& processors) {
  const std::vector<Tick> length = static_lengths(c);
  std::vector<Visited> of(c.size());
  for (const std::uint32_t v : c.order) {
    Visited& here = of[v];
    const bool on_cpu = c.pool_of[v] == cpu;
    const auto extend = [&](std::vector<Way>& to, const std::vector<Way>& from, Tick e) {
      for (const Way& way : from) add(to, {way.length + length[v], way.before + e}, processors);
    };
    if (c.predecessors(v).empty()) (on_cpu ? here.cpu : here.queue).push_back({length[v], on_cpu ? c.e[v] : Tick::zero()});
    for (const std::uint32_t w : c.predecessors(v)) {
      extend(here.both, of[w].both, Tick::zero());
      extend(on_cpu ? here.both : here.queue, of[w].queue, Tick::zero());
      extend(on_cpu ? here.cpu : here.both, of[w].cpu, on_cpu ? c.e[v] : Tick::zero());
    }
  }
  return of;
}

struct Pools {
  std::size_t cpu = 0;  // local pools
  std::size_t queue = 0;
  Processors processors;
};

/// Nothing where T10v does not apply.
std::optional<Pools> pools_of(const Ticks& ticks, std::size_t k) {
  const Class& c = ticks.classes[k];
  if (c.pools.size() != 2) return std::nullopt;
  const auto pool = [&](std::size_t local) -> const Pool& { return ticks.system->pools[c.pools[local]]; };
  const std::size_t cpu = pool(0).order == Order::gel ? 0 : 1;
  if (pool(cpu).order != Order::gel || pool(1 - cpu).order != Order::fifo || pool(cpu).unit != 1) return std::nullopt;
  const std::int64_t m = pool(cpu).capacity;
  return Pools{cpu, 1 - cpu, {.m = m, .rounding = Tick(ticks.Q % m == 0 ? 0 : m)}};
}

/// GC.
Tick longest_on(const Class& c, std::size_t local) {
  std::vector<Tick> sum(c.size());
  for (const std::uint32_t v : c.order) {
    for (const std::uint32_t w : c.predecessors(v)) sum[v] = std::max(sum[v], sum[w]);
    if (c.pool_of[v] == local) sum[v] += c.e[v];
  }
  return *std::ranges::max_element(sum);
}

/// The classes whose jobs may lose work, those with most work on the FIFO pool first.
std::vector<std::size_t> losers(const Ticks& ticks, std::size_t k, std::size_t cpu, std::size_t queue) {
  std::vector<std::size_t> classes;
  for (const std::size_t d : ticks.users[queue]) {
    const Class& c = ticks.classes[d];
    const bool elsewhere = std::ranges::any_of(c.pools, [&](std::size_t p) { return p != cpu && p != queue; });
    if (!elsewhere && c.copies > (d == k ? 1 : 0)) classes.push_back(d);
  }
  std::ranges::sort(classes, {}, [&](std::size_t d) {
    const Class& c = ticks.classes[d];
    return std::pair(-c.total[ticks.local_pool[d][queue]], c.dags.front());
  });
  return classes;
}

/// One strand each of as many jobs as there may be, given out in turns.
std::vector<Overlap::Share> one_each(const Ticks& ticks, std::size_t k, const std::vector<std::size_t>& turns, std::int64_t left) {
  std::vector<Overlap::Share> shares(ticks.classes.size());
  for (std::int64_t round = 1; left > 0 && !turns.empty(); ++round) {
    for (const std::size_t d : turns) {
      const std::int64_t copies = ticks.classes[d].copies - (d == k ? 1 : 0);
      if (round > 1 && left < copies) return shares;
      shares[d].jobs = round;
      shares[d].copies = std::min(copies, left);
      left -= shares[d].copies;
      if (left == 0) return shares;
    }
  }
  return shares;
}

/// Ways to give out `left` = m - 1 strands: to many jobs, or several to each of fewer.
std::vector<std::vector<Overlap::Share>> choices_of(const Ticks& ticks, std::size_t k, const std::vector<std::size_t>& turns,
                                                    std::int64_t left) {
  std::vector<std::vector<Overlap::Share>> choices{one_each(ticks, k, turns, left)};
  std::int64_t dags = 0;
  for (const std::size_t d : turns) dags += ticks.classes[d].copies - (d == k ? 1 : 0);
  for (std::int64_t jobs = 1; jobs <= most_losing_jobs && dags > 0; ++jobs) {
    const std::int64_t strands = left / (dags * jobs);
    if (strands < 2) break;
    for (const std::int64_t each : {strands, strands - 1}) {  // with fewer given, the others' work on the queue excuses fewer
      if (each < 2) continue;
      auto& shares = choices.emplace_back(ticks.classes.size());
      for (const std::size_t d : turns) shares[d] = {ticks.classes[d].copies - (d == k ? 1 : 0), jobs, each};
    }
  }
  return choices;
}

}  // namespace

std::optional<Overlap> overlap_of(const Ticks& ticks, std::size_t k) {
  const auto pools = pools_of(ticks, k);
  if (!pools) return std::nullopt;
  const Class& c = ticks.classes[k];
  Overlap overlap;
  overlap.cpu = c.pools[pools->cpu];
  overlap.queue = c.pools[pools->queue];
  for (Visited& visited : visited_by_paths(c, pools->cpu, pools->processors)) overlap.ways.push_back(std::move(visited.both));
  const std::vector<std::size_t> turns = losers(ticks, k, overlap.cpu, overlap.queue);
  overlap.GC.resize(ticks.classes.size());
  for (const std::size_t d : turns) overlap.GC[d] = longest_on(ticks.classes[d], ticks.local_pool[d][overlap.queue]);
  overlap.choices = choices_of(ticks, k, turns, std::int64_t{ticks.system->pools[overlap.cpu].capacity} - 1);
  return overlap;
}

std::vector<std::size_t> path_of(const Ticks& ticks, std::size_t k, std::size_t v, const Way& way) {
  const auto pools = pools_of(ticks, k);
  if (!pools) return {};
  const Class& c = ticks.classes[k];
  const std::vector<Tick> length = static_lengths(c);
  const std::vector<Visited> of = visited_by_paths(c, pools->cpu, pools->processors);
  std::vector<std::size_t> path{v};
  std::vector<Way> Visited::*visited = &Visited::both;
  for (Way left = way; !c.predecessors(path.back()).empty();) {
    const std::size_t at = path.back();
    const bool on_cpu = c.pool_of[at] == pools->cpu;
    const auto step_back = [&](std::vector<Way> Visited::*before) {
      const Way rest{left.length - length[at], left.before - (before == &Visited::cpu && on_cpu ? c.e[at] : Tick::zero())};
      const auto& from = c.predecessors(at);
      const auto w = std::ranges::find_if(from, [&](std::uint32_t u) {
        return std::ranges::any_of(of[u].*before, [&](const Way& x) { return x.length == rest.length && x.before == rest.before; });
      });
      if (w == from.end()) return false;
      path.push_back(*w);
      left = rest;
      visited = before;
      return true;
    };
    const bool both = visited == &Visited::both;
    const bool found = both ? step_back(&Visited::both) || step_back(on_cpu ? &Visited::queue : &Visited::cpu) : step_back(visited);
    if (!found) return {};
  }
  std::ranges::reverse(path);
  return path;
}

}  // namespace rta::analysis::path
