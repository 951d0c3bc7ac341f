#include "analysis/explain/path_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

#include "analysis/explain/counted_terms.hpp"
#include "analysis/explain/path_kinds.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis {
namespace {

/// Node u of a DAG of the system: n_u jobs of `work` each. They follow from F_u and lim, the last release that counts.
struct PathTerm {
  Wide F = 0;
  Wide lim = 0;
  Wide T = 0;
  Wide n = 0;
  Wide work = 0;
};

class PathTerms {
 public:
  PathTerms(const SegmentBounds& bounds, const PathSystem::Place& place, std::size_t pool)
      : system_(bounds.system.system), F_(bounds.bounds.F), k_(place.dag), v_(place.node), pool_(pool) {
    above_ = reached(false);
    above_[v_] = true;
    below_ = reached(true);
    const path::Dag& own = system_.dags[k_];
    std::vector<Time> A(own.nodes.size(), Time::zero());
    for (const auto& [from, to] : own.edges) A[to] = std::max(A[to], F_[k_][from]);
    for (std::size_t q = 0; q < own.nodes.size(); ++q) {
      if (!above_[q] || own.nodes[q].pool != pool_) continue;
      reach_ = std::max<Wide>(reach_, (order() == path::Order::fifo ? A[q] : F_[k_][q]).count());
      waiting_.push_back(q);
    }
  }

  [[nodiscard]] path::Order order() const { return system_.pools[pool_].order; }
  [[nodiscard]] bool waits_for(std::size_t u) const { return below_[u]; }

  [[nodiscard]] PathTerm term(std::size_t d, std::size_t u) const {
    const path::Dag& dag = system_.dags[d];
    PathTerm term{F_[d][u].count(), reach_, dag.T.count(), 0, dag.nodes[u].vol};
    if (order() == path::Order::gel_by_node) {
      term.lim = last_release(dag.nodes[u].Y);
    } else if (order() != path::Order::fifo) {
      term.lim = d == k_ ? Wide{0} : std::min(reach_, Wide{system_.dags[k_].Y.count()} - dag.Y.count());
    }
    term.n = d == k_ ? own_jobs_of(term, below_[u]) : std::max<Wide>(0, ceil_div(term.F + term.lim, term.T));
    return term;
  }

  [[nodiscard]] std::vector<std::string> formula() const {
    const std::string reach = to_string(reach_);
    switch (order()) {
      case path::Order::fifo:
        return {fmt::format("  a = {} ns: the nodes of the path are ready by then; n_u = ceil((F_u + a)/T_d)", reach),
                "  of its own DAG max(1, ceil(F_u/T)) + floor(a/T), one less of what waits for it",
                "  (F_u + a)/T_d, of its own F_u/T; n_u; n_u x the work of a job:"};
      case path::Order::gel_by_node:
        return {"  n_u = max(0, ceil((F_u + lim_u)/T_d)), lim_u = max of min(F_q, Y_q - Y_u) over the nodes q that it may wait with",
                "  of its own DAG max(0, ceil((F_u + min(lim_u, -T))/T)), and where lim_u >= 0 floor(lim_u/T) and 1, but 0 of what waits "
                "for it",
                "  (F_u + lim_u)/T_d, n_u, n_u x the work of a job:"};
      default:
        return {fmt::format("  b = {} ns: the nodes of the path end by then; n_u = max(0, ceil((F_u + min(b, Y - Y_d))/T_d))", reach),
                "  of its own DAG ceil(F_u/T), one less of what waits for it",
                "  (F_u + min(b, Y - Y_d))/T_d, of its own F_u/T; n_u; n_u x the work of a job:"};
    }
  }

 private:
  [[nodiscard]] std::vector<bool> reached(bool forwards) const {
    const path::Dag& dag = system_.dags[k_];
    std::vector<std::vector<std::size_t>> next(dag.nodes.size());
    for (const auto& [from, to] : dag.edges) next[forwards ? from : to].push_back(forwards ? to : from);
    std::vector<bool> is(dag.nodes.size(), false);
    std::vector<std::size_t> open{v_};
    while (!open.empty()) {
      const std::size_t u = open.back();
      open.pop_back();
      for (const std::size_t w : next[u]) {
        if (!is[w]) open.push_back(w);
        is[w] = true;
      }
    }
    return is;
  }

  [[nodiscard]] Wide last_release(Time Y) const {
    Wide lim = std::numeric_limits<std::int64_t>::min();
    for (const std::size_t q : waiting_) {
      lim = std::max(lim, std::min<Wide>(F_[k_][q].count(), Wide{system_.dags[k_].nodes[q].Y.count()} - Y.count()));
    }
    return lim;
  }

  [[nodiscard]] Wide own_jobs_of(const PathTerm& term, bool after) const {
    const auto& [F, lim, T, n, work] = term;
    const Wide less = after ? 1 : 0;
    if (order() == path::Order::fifo) return std::max<Wide>(1, ceil_div(F, T)) + floor_div(lim, T) - less;
    if (order() != path::Order::gel_by_node) return std::max<Wide>(0, ceil_div(F, T) - less);
    const Wide since = lim < 0 ? Wide{0} : 1 - less + floor_div(lim, T);
    return since + std::max<Wide>(0, ceil_div(F + std::min<Wide>(lim, -T), T));
  }

  const path::System& system_;
  const std::vector<std::vector<Time>>& F_;
  std::size_t k_;
  std::size_t v_;
  std::size_t pool_;
  std::vector<bool> above_;
  std::vector<bool> below_;
  std::vector<std::size_t> waiting_;  // on the pool, among v and its ancestors
  Wide reach_ = 0;                    // a or b
};

std::string sum_in_words(const PathTerm& term, bool with_lim) {
  if (!with_lim) return fmt::format("{}/{}", to_string(term.F), to_string(term.T));
  return fmt::format("({} {} {})/{}", to_string(term.F), term.lim < 0 ? "-" : "+", to_string(term.lim < 0 ? -term.lim : term.lim),
                     to_string(term.T));
}

struct ListedTerms {
  std::vector<PathTerm> terms;
  TaskNames names;  // one per term
  std::vector<GroupKey> key;
  std::vector<bool> with_lim;
};

std::vector<TermLine> lines_of_terms(const ListedTerms& listed) {
  std::vector<std::size_t> all(listed.terms.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<TermLine> lines;
  for (const TaskGroup& group : grouped(all, listed.key, listed.names)) {
    const auto length = [&](std::size_t i) { return listed.terms[i].F + (listed.with_lim[i] ? listed.terms[i].lim : Wide{0}); };
    const auto [least, most] = std::ranges::minmax(group.tasks, {}, length);
    Wide work = 0;
    for (const std::size_t i : group.tasks) work = checked_add(work, listed.terms[i].work);
    const PathTerm& last = listed.terms[most];
    const std::string from = length(least) == length(most) ? "" : sum_in_words(listed.terms[least], listed.with_lim[least]) + " to ";
    const Wide product = checked_mul(last.n, work);
    lines.push_back({fmt::format("  {}: {}{}, n_u = {}, {} x {} = {}", group.name, from, sum_in_words(last, listed.with_lim[most]),
                                 to_string(last.n), to_string(last.n), to_string(work), to_string(product)),
                     product});
  }
  return lines;
}

}  // namespace

std::vector<std::string> path_terms(const TaskSet& task_set, std::span<const DagId> dags, const SegmentBounds& bounds,
                                    const PathSystem::Place& place, std::size_t pool, Wide work) {
  const path::System& system = bounds.system.system;
  const PathTerms counted(bounds, place, pool);
  PathKinds kinds(task_set, dags, bounds, place.dag);
  ListedTerms listed;
  Wide sum = 0;
  for (std::size_t d = 0; d < system.dags.size(); ++d) {
    for (std::size_t u = 0; u < system.dags[d].nodes.size(); ++u) {
      if (system.dags[d].nodes[u].pool != pool || system.dags[d].nodes[u].vol == 0) continue;
      const PathTerm term = counted.term(d, u);
      listed.terms.push_back(term);
      listed.key.emplace_back(term.n, term.T);
      listed.with_lim.push_back(d != place.dag || counted.order() == path::Order::gel_by_node);
      kinds.add(listed.names, d, u, d == place.dag && counted.waits_for(u));
      sum = checked_add(sum, checked_mul(term.n, term.work));
    }
  }
  require(sum == work, "the terms of a path are those of its bound");
  std::vector<std::string> text = counted.formula();
  std::ranges::move(shortened(lines_of_terms(listed)), std::back_inserter(text));
  return text;
}

}  // namespace rta::analysis
