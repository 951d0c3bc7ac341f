#include "analysis/explain/window_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <tuple>

#include "analysis/explain/counted_terms.hpp"

namespace rta::analysis {
namespace {

class WindowLines {
 public:
  WindowLines(const Proof& proof, const WindowEvidence& e, DagId d, NodeId v)
      : set_(*proof.task_set), e_(e), d_(d), v_(v), n_(e.windows.latest(d, v)), on_(e.system.pools[e.system.dags[d].nodes[v].pool]) {}

  std::vector<std::string> of(const Bound& bound) {
    line("T35: of each job of a hyperperiod (H = {} ns): ready at rho, then kept waiting for at most W/(m - i), W the work of all but the",
         e_.windows.hyperperiod.count());
    line(
        "i longest of the jobs whose windows, earliest start to latest end, meet [rho, x], x its latest start; the latest job of the "
        "node:");
    const periodic::Dag& dag = e_.system.dags[d_];
    line("job {}, nominally released at {} + {} x {} ns{}; instants count from there", n_, dag.phase.count(), n_, dag.T.count(),
         dag.J > Time::zero() ? fmt::format(" and up to {} ns later", dag.J.count()) : "");
    if (on_.order == periodic::Order::unknown) {
      line("R = {} ns by the other theorem on '{}', whose order is not known", bound.R.count(), pool_name());
      return std::move(lines_);
    }
    if (on_.in_turn)
      line("'{}' runs its kernels one after another (T27): each counts for the longest time that it takes alone", pool_name());
    const periodic::Wait wait = periodic::Waits(e_.system, e_.windows).of(d_, v_, n_);
    line("rho = {} ns: {}", wait.ready.count(), made_ready_by(wait));
    add_others(wait);
    const char* const rounding = on_.preemptive ? "ceil" : "floor";
    if (wait.aside > 0) line("i = {} of them, the longest, have a server each", wait.aside);
    line("W = {} ns, m - i = {}: {}(W/(m - i)) = {} ns", to_string(wait.work), on_.servers - wait.aside, rounding, wait.waiting.count());
    line("end = {} + {} + {} = {} ns{}", wait.ready.count(), wait.waiting.count(), (wait.end - wait.ready - wait.waiting).count(),
         wait.end.count(), wait.known ? ", where another theorem has less" : "");
    line("R = {} ns", bound.R.count());
    return std::move(lines_);
  }

 private:
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    lines_.push_back(fmt::format(format, std::forward<Values>(values)...));
  }
  [[nodiscard]] std::string pool_name() const { return set_.pools()[e_.pool_of[e_.system.dags[d_].nodes[v_].pool]].name; }
  [[nodiscard]] std::string name(std::size_t d, std::size_t v) const {
    return fmt::format("{}/{}", set_.dags()[d].name(), set_.dags()[d].nodes()[v].name);
  }

  [[nodiscard]] std::string made_ready_by(const periodic::Wait& wait) const {
    if (wait.after_previous) return "the job before it, for which a sequential node waits, has ended by then";
    if (wait.after) return fmt::format("'{}' has ended by then", set_.dags()[d_].nodes()[*wait.after].name);
    return "the release";
  }

  /// Equal work of one node shares a line.
  void add_others(const periodic::Wait& wait) {
    std::map<std::tuple<bool, std::size_t, std::size_t, std::int64_t>, std::pair<std::vector<std::int64_t>, std::uint64_t>> by;
    for (const periodic::Other& other : wait.others) {
      auto& [jobs, pieces] = by[{other.started, other.dag, other.node, other.counted.count()}];
      jobs.push_back(other.number);
      pieces += other.pieces;
    }
    std::vector<TermLine> terms;
    for (auto& [what, of] : by) {
      const auto& [started, d, v, counted] = what;
      auto& [jobs, pieces] = of;
      std::ranges::sort(jobs);
      const Wide work = checked_mul(Wide{counted}, static_cast<Wide>(pieces));
      const std::string which = jobs.size() == 1 ? fmt::format("job {}", jobs.front())
                                                 : fmt::format("{} jobs from {} to {}", jobs.size(), jobs.front(), jobs.back());
      terms.push_back({fmt::format("  {}, {}{}: {} x {} = {}", name(d, v), which, started ? ", less urgent and started before" : "", pieces,
                                   counted, to_string(work)),
                       work});
    }
    std::ranges::move(shortened(terms), std::back_inserter(lines_));
  }

  const TaskSet& set_;
  const WindowEvidence& e_;
  DagId d_;
  NodeId v_;
  std::size_t n_;
  const periodic::Pool& on_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> window_lines(const Proof& proof, const WindowEvidence& evidence, const Bound& bound, DagId d, NodeId v) {
  return WindowLines(proof, evidence, d, v).of(bound);
}

}  // namespace rta::analysis
