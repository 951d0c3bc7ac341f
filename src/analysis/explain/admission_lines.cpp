#include "analysis/explain/admission_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "analysis/explain/counted_terms.hpp"
#include "analysis/inequality/admission_inequality.hpp"
#include "rta/analysis/history.hpp"

namespace rta::analysis {
namespace {

/// H + J <= N T, in numbers.
std::string in_time(std::string_view symbol, Time length, const Dag& dag, Wide jobs) {
  const bool late = dag.attributes().jitter > Time::zero();
  return fmt::format("{} = {} ns <= N {} = {} x {}{} ns", symbol, length.count(), late ? "T - J" : "T", to_string(jobs),
                     dag.nominal_period().count(), late ? fmt::format(" - {}", dag.attributes().jitter.count()) : "");
}

class AdmissionLines {
 public:
  AdmissionLines(const Proof& proof, const AdmissionEvidence& e, DagId d)
      : set_(*proof.task_set), e_(e), k_(e.place_of(d)), hold_(e.holds.dags[k_]), dag_(set_.dags()[d]) {}

  std::vector<std::string> of(const Bound& bound, const Inequality& inequality) {
    line("T38: of each DAG N jobs at most are under way, and of one job what is ahead in a FIFO is nodes none of which is before another");
    for (const std::size_t q : inequality.path) add(q);
    line("R = {} ns, the sum, rounded up, from the admission of the job", bound.R.count());
    line("{}: every job is admitted at its release", in_time("H", hold_.H, dag_, hold_.jobs));
    return std::move(lines_);
  }

 private:
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    lines_.push_back(fmt::format(format, std::forward<Values>(values)...));
  }

  void add(std::size_t q) {
    const admission::Node& node = e_.of[k_].nodes[q];
    const admission::Pool& pool = e_.pools[node.pool];
    const std::string& name = dag_.nodes()[q].name;
    const std::string& on = e_.system.system.pools[node.pool].name;
    const Wide rest = checked_sub(node.vol, node.s);
    const admission::Front ahead = e_.holds.ahead(e_.of, k_, q);
    if (!e_.holds.waits(e_.of, e_.pools, k_, q)) {
      line("{} on '{}': does not wait, of {} places at most {} are taken: e = {} ns", name, on, pool.places, to_string(ahead.nodes),
           node.e.count());
      return;
    }
    line("{} on '{}': e = {} ns, and behind {} + own {} (vol - s), cap = {} per ns: {} ns", name, on, node.e.count(), to_string(ahead.work),
         to_string(rest), to_string(pool.rate), text(fine_ceil(checked_add(ahead.work, rest), pool.rate)));
    std::vector<TermLine> terms;
    for (std::size_t e = 0; e < e_.of.size(); ++e) {
      const Wide jobs = e_.holds.dags[e].jobs - (e == k_ ? 1 : 0);
      const Wide front = e_.holds.dags[e].fronts[node.pool].work;
      if (jobs > 0 && front > 0)
        terms.push_back({fmt::format("  {}: {}{} x {}", set_.dags()[e_.dag_at(e)].name(), to_string(jobs),
                                     e == k_ ? " other jobs" : " jobs", to_string(front)),
                         checked_mul(jobs, front)});
    }
    const Wide beside = hold_.beside[q].work;
    if (beside > 0) terms.push_back({fmt::format("  {}: beside it in its job {}", dag_.name(), to_string(beside)), beside});
    std::ranges::move(shortened(terms), std::back_inserter(lines_));
  }

  const TaskSet& set_;
  const AdmissionEvidence& e_;
  std::size_t k_;
  const admission::Hold& hold_;
  const Dag& dag_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> admission_lines(const Proof& proof, const AdmissionEvidence& evidence, const Bound& bound, DagId d, NodeId v) {
  return AdmissionLines(proof, evidence, d).of(bound, admission_inequality(evidence, bound, d, v));
}

std::vector<std::string> never_waits_lines(const Proof& proof) {
  std::vector<std::string> lines;
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    const Dag& dag = proof.task_set->dags()[d];
    const auto& bound = proof.dags[d].bound;
    if (!dag.attributes().in_flight || !bound || bound->basis.theorem == Theorem::T38) continue;
    lines.push_back(fmt::format("T38 (a): '{}' has a limit of jobs under way, and {}: no job of it ever waits to be admitted", dag.name(),
                                in_time("R", bound->R, dag, Wide{*dag.attributes().in_flight})));
  }
  return lines;
}

std::vector<std::string> never_delays_lines(const Proof& proof) {
  std::vector<std::string> lines;
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    const Dag& dag = proof.task_set->dags()[d];
    for (const HistoryEdge& edge : dag.history()) {
      const HistoryMargin margin = history_margin(proof, d, edge);
      if (!proof.dags[d].bound || !margin.never_delays()) continue;
      const std::string_view stream = stream_of(dag, edge);
      const std::string what = fmt::format("T40: '{}': {} after {} of {} before{}", dag.name(), dag.nodes()[edge.to].name,
                                           dag.nodes()[edge.from].name, edge.jobs == 1 ? "the job" : fmt::format("{} jobs", edge.jobs),
                                           stream.empty() ? "" : fmt::format(" (stream '{}')", stream));
      if (margin.alone) {
        lines.push_back(fmt::format("{}: never delays, as a job is admitted when all before have ended (in_flight: 1)", what));
        continue;
      }
      const bool late = dag.attributes().jitter > Time::zero();
      const bool at_offset = margin.ready > Time::zero();
      lines.push_back(fmt::format("{}: never delays, as F = {} ns <= k {}{} = {} x {}{}{} ns", what, margin.F->count(),
                                  late ? "T - J" : "T", at_offset ? " + offset" : "", edge.jobs, dag.nominal_period().count(),
                                  late ? fmt::format(" - {}", dag.attributes().jitter.count()) : "",
                                  at_offset ? fmt::format(" + {}", margin.ready.count()) : ""));
    }
  }
  return lines;
}

}  // namespace rta::analysis
