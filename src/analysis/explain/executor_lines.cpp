#include "analysis/explain/executor_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "analysis/explain/counted_terms.hpp"

namespace rta::analysis {
namespace {

using executors::Counted;

class ExecutorLines {
 public:
  ExecutorLines(const Proof& proof, const ExecutorEvidence& e, DagId d) : set_(*proof.task_set), e_(e), d_(e.place_of(d)) {}

  std::vector<std::string> of(const Bound& bound, NodeId v) {
    const executors::Derivation derivation = executors::derivation(e_.system.system, e_.bounds, d_, v);
    if (derivation.carrier == executors::Carrier::successor)
      line("it ends before '{}', which follows it, does; that ends as follows", name(d_, derivation.node));
    if (derivation.local) {
      add_visit(derivation);
    } else {
      add_path(derivation);
    }
    line("R = {} ns, rounded up", bound.R.count());
    return std::move(lines_);
  }

 private:
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    lines_.push_back(fmt::format(format, std::forward<Values>(values)...));
  }
  [[nodiscard]] const path::Node& node(std::size_t d, std::size_t v) const { return e_.system.system.dags[d].nodes[v]; }
  [[nodiscard]] const std::string& name(std::size_t d, std::size_t v) const { return set_.dags()[e_.dag_at(d)].nodes()[v].name; }
  [[nodiscard]] std::string full_name(std::size_t d, std::size_t v) const {
    const Dag& dag = set_.dags()[e_.dag_at(d)];
    return dag.nodes().size() == 1 ? dag.name() : fmt::format("{}/{}", dag.name(), dag.nodes()[v].name);
  }
  [[nodiscard]] std::string names(const std::vector<std::size_t>& path) const {
    std::string text;
    for (const std::size_t v : path) text += (text.empty() ? "" : " -> ") + name(d_, v);
    return text;
  }

  /// `threads`: of several, by whose number counts that which is not whole. `least`: no callback counts less.
  void add_counts(const std::vector<Counted>& counts, std::uint32_t threads = 0, Wide least = 0) {
    std::vector<TermLine> terms;
    terms.reserve(counts.size());
    for (const Counted& u : counts) {
      const Wide vol = std::max(node(u.dag, u.node).vol, least);
      const std::string by = threads > 1 && !u.whole ? fmt::format("/{}", threads) : "";
      terms.push_back({fmt::format("  {}: {} x {}{}", full_name(u.dag, u.node), to_string(u.n), to_string(vol), by),
                       checked_mul(u.n, u.whole ? vol * std::max<Wide>(threads, 1) : vol)});
    }
    std::ranges::move(shortened(terms), std::back_inserter(lines_));
  }

  void add_path(const executors::Derivation& derivation) {
    const auto by_windows = [](const executors::Visited& visited) { return visited.windows > 0; };
    const auto by_threads = [](const executors::Visited& visited) { return visited.threads > 0; };
    const bool windows = std::ranges::any_of(derivation.by_path.pools, by_windows);
    if (std::ranges::any_of(derivation.by_path.pools, by_threads)) {
      line(
          "T20: while a callback is ready and does not run, either all m threads of its executor run some, or one of its own group runs: "
          "work of that group counts in full, the rest by 1/m");
    }
    if (windows) {
      line(
          "T19: between two polls, a window, an executor runs each node once at most; what runs while the path is there was ready at one "
          "of so many polls");
    } else if (std::ranges::none_of(derivation.by_path.pools, by_threads)) {
      line("T19, which is T10n here: a callback may publish before it ends, so that work is counted node by node, not by chains");
    }
    const auto reserved = [](const executors::Visited& visited) { return visited.reserved.has_value(); };
    if (std::ranges::any_of(derivation.by_path.pools, reserved)) {
      line(
          "T22: a reservation of Q every P gives a thread that has something to do Y of its processor within Y + (P - Q)(ceil(Y/Q) + 1); "
          "in "
          "n visits it is held back (P - Q)(2n - 1 + ceil(Y/Q))");
    }
    line("path: {}", names(derivation.path));
    if (derivation.by_path.elsewhere > Time::zero())
      line("its nodes on other pools than wait sets and reservations take {} ns themselves", derivation.by_path.elsewhere.count());
    for (const executors::Visited& visited : derivation.by_path.pools) {
      const path::Pool& pool = e_.system.system.pools[visited.pool];
      if (visited.windows > 0) {
        line(
            "'{}': M = {} windows of W = {} ns at most; jobs released up to lim = {} ns after this one; the path's own nodes among them, "
            "{} ns in all:",
            pool.name, to_string(visited.windows), visited.window.count(), visited.lim.count(), text(visited.length));
      } else if (visited.reserved) {
        line("'{}': what runs while the path is there, its own nodes among it{}, {} ns in all with what it is held back:", pool.name,
             visited.blocking > FineTime::zero() ? fmt::format(", and {} ns of what had started before", text(visited.blocking)) : "",
             text(visited.length));
      } else if (visited.threads > 0) {
        line("'{}': waiting for {} threads, jobs released up to lim = {} ns after this one, {} ns in all:", pool.name, visited.threads,
             visited.lim.count(), text(visited.length));
      } else {
        line("'{}': waiting for {} per ns, less {} of last pieces{}, {} ns in all:", pool.name, to_string(Wide{pool.capacity} * pool.unit),
             to_string(visited.last_pieces),
             visited.blocking > FineTime::zero() ? fmt::format(", and {} ns for what had started before", text(visited.blocking)) : "",
             text(visited.length));
      }
      add_counts(visited.counts, visited.threads, visited.reserved ? 1 : 0);
      if (visited.reserved) {
        line("  Y = {} ns in n = {} visits; held back {} ns, as Q = {} ns and P = {} ns", text(visited.reserved->work),
             to_string(visited.reserved->visits), text(visited.reserved->gaps), visited.reserved->runtime.count(),
             visited.reserved->period.count());
      }
    }
  }

  void add_visit(const executors::Derivation& derivation) {
    const executors::LocalSum& sum = derivation.by_visit;
    const std::size_t v = derivation.node;
    line("T19j: the executor became busy x before the visit ({}) began; what came before that runs before it, later jobs once a window",
         names(derivation.path));
    line("the visit begins by A = {} ns after the release; of all x the worst is x = {} ns, with M = {} windows from then on",
         sum.ready.count(), sum.x.count(), to_string(sum.windows));
    line("'{}' starts S = {} ns after the executor became busy:", name(d_, v), sum.start.count());
    add_counts(sum.counts, 0, sum.reserved ? 1 : 0);
    if (sum.reserved) {
      line("T22: it has executed Y = {} ns with '{}' itself, and ends E = Y + {} ns after it became busy, as Q = {} ns and P = {} ns",
           text(sum.reserved->work), name(d_, v), text(sum.reserved->gaps), sum.reserved->runtime.count(), sum.reserved->period.count());
      line("A + E - x = {} + {} - {} ns", sum.ready.count(), sum.end.count(), sum.x.count());
      return;
    }
    line("A + S - x + C = {} + {} - {} + {} ns", sum.ready.count(), sum.start.count(), sum.x.count(), node(d_, v).e.count());
  }

  const TaskSet& set_;
  const ExecutorEvidence& e_;
  DagId d_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> executor_lines(const Proof& proof, const ExecutorEvidence& evidence, const Bound& bound, DagId d, NodeId v) {
  return ExecutorLines(proof, evidence, d).of(bound, v);
}

}  // namespace rta::analysis
