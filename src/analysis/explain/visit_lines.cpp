#include "analysis/explain/visit_lines.hpp"

#include <fmt/format.h>

#include "analysis/explain/path_words.hpp"

namespace rta::analysis {
namespace {

constexpr std::size_t most_pieces_told = 20;

/// (b).
void add_pieces(const path::VisitSum& sum, std::uint32_t processors, std::vector<std::string>& all) {
  if (sum.pieces.size() < processors) {
    all.push_back(fmt::format("w = 0 ns: no more than {} of {} processors run what is ready then", sum.pieces.size(), processors));
    return;
  }
  std::string pieces;
  for (std::size_t i = 0; i < sum.pieces.size() && i < most_pieces_told; ++i) pieces += fmt::format(" {}", sum.pieces[i].count());
  if (sum.pieces.size() > most_pieces_told) pieces += " ...";
  all.push_back(fmt::format("pieces that may be ready then, longest first, ns:{}", pieces));
  all.push_back(fmt::format("w = {} ns: {} on some processor of {}, beside the {} longest", sum.waiting.count(),
                            sum.most == 1 ? "one more" : fmt::format("{} more", sum.most), processors, sum.longest));
}

}  // namespace

std::vector<std::string> visit_lines(const path::System& system, const PathSystem::Place& place, const Inequality& of,
                                     const path::VisitSum& sum, Time bound) {
  using By = path::VisitSum::By;
  const path::Pool& pool = system.pools[system.dags[place.dag].nodes[place.node].pool];
  const bool running = sum.by == By::running;
  std::vector<std::string> all{
      running ? fmt::format("T24: F = A + w + e, w: while it waits m processors of pool {} ({}) run what goes before it, a node of each "
                            "chain of a job at once",
                            pool.name, order_in_words(pool))
              : fmt::format(
                    "T23: F = A + w + e, w: what goes before it on pool {} ({}) is ready and unfinished when it is ready itself, a node of "
                    "each chain of a job",
                    pool.name, order_in_words(pool)),
      fmt::format("A = {} ns: its predecessors end by then", sum.ready.count())};
  if (sum.by == By::pieces) add_pieces(sum, pool.capacity, all);
  if (running) all.push_back(fmt::format("w = {} ns: no more than this work/m within w, m = {}", sum.waiting.count(), pool.capacity));
  if (sum.by == By::work || sum.by == By::waves) {
    all.push_back(sum.by == By::work
                      ? fmt::format("w = {} ns: no more than the work/capacity of these nodes within w, capacity {}", sum.waiting.count(),
                                    capacity_in_words(pool))
                      : fmt::format("w = {} ns: each of these nodes alone on the pool, one after the other", sum.waiting.count()));
  }
  for (const path::VisitSum::Jobs& jobs : sum.jobs) {
    const std::string nodes = fmt::format("{} node{}", rta::to_string(jobs.fronts), jobs.fronts == 1 ? "" : "s");
    all.push_back(fmt::format("  {}: {} at once, {} ns{}", system.dags[jobs.dag].name, nodes, text(jobs.work),
                              sum.by == By::pieces ? " in all" : ""));
  }
  if (sum.rest > FineTime::zero()) all.push_back(fmt::format("  itself, before its last: {} ns", text(sum.rest)));
  all.push_back(fmt::format("F = {} + {} + {} {} {} ns", sum.ready.count(), sum.waiting.count(), sum.own.count(),
                            ceil_to_time(of.total) < bound ? "<=" : "=", bound.count()));
  return all;
}

}  // namespace rta::analysis
