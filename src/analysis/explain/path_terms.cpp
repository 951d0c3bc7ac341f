#include "analysis/explain/path_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "analysis/explain/counted_terms.hpp"
#include "analysis/explain/path_kinds.hpp"

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

std::vector<std::string> formula(path::Order order, Wide last) {
  const std::string reach = to_string(last);
  switch (order) {
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

std::vector<std::string> path_terms(const TaskSet& task_set, std::span<const DagId> dags, const SegmentBounds& bounds, std::size_t own,
                                    const path::Waiting& wait) {
  const path::System& system = bounds.system.system;
  const path::Order order = system.pools[wait.pool].order;
  PathKinds kinds(task_set, dags, bounds, own);
  ListedTerms listed;
  for (const path::CountedJobs& jobs : wait.jobs) {
    const path::Dag& dag = system.dags[jobs.dag];
    for (const auto& [u, lim, n, waits] : jobs.nodes) {
      listed.terms.push_back({bounds.bounds.F[jobs.dag][u].count(), lim, dag.T.count(), n, dag.nodes[u].vol});
      listed.key.emplace_back(n, dag.T.count());
      listed.with_lim.push_back(jobs.dag != own || order == path::Order::gel_by_node);
      kinds.add(listed.names, jobs.dag, u, waits);
    }
  }
  std::vector<std::string> text = formula(order, wait.reach);
  std::ranges::move(shortened(lines_of_terms(listed)), std::back_inserter(text));
  return text;
}

}  // namespace rta::analysis
