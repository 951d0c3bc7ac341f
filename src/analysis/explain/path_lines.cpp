#include "analysis/explain/path_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>
#include <variant>

#include "analysis/explain/late_lines.hpp"
#include "analysis/explain/path_terms.hpp"
#include "analysis/explain/path_words.hpp"
#include "analysis/explain/visit_lines.hpp"
#include "analysis/path/critical_path.hpp"
#include "analysis/path/derivation/carrier.hpp"
#include "analysis/path/system/started.hpp"
#include "rta/analysis/path/derivations.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis {
namespace {

class PathLines {
 public:
  PathLines(const TaskSet& task_set, std::span<const DagId> dags, const SegmentBounds& bounds, std::size_t d)
      : task_set_(task_set),
        dags_(dags),
        dag_(task_set.dags()[dags.empty() ? d : dags[d]]),
        bounds_(bounds),
        derivations_(derivations_of(bounds)) {}

  std::vector<std::string> of(DagId d, NodeId v) const {
    const auto& place = bounds_.system.place[d][v];
    const std::size_t segment = bounds_.segments[d][v];
    if (bounds_.bounds.support.empty()) return lines_of(derivations_.of(place.dag), place, d, segment, bounds_.R[d]);
    const Time F = bounds_.bounds.F[place.dag][place.node];
    const PathSystem::Place by = carrier(bounds_, place);
    std::vector<std::string> all;
    if (by.node != place.node)
      all.push_back(fmt::format("it ends before '{}' does, which ends by {} ns:", name(d, segment, by.node), F.count()));
    const auto own = lines_of(derivations_.of(by.dag, by.node), by, d, segment, F);
    all.insert(all.end(), own.begin(), own.end());
    const Time offset = bounds_.offset[d][segment];
    const Time R = bounds_.F[d][v] - offset;
    if (bounds_.unit > 1) tell_unit(all, F, R);
    if (bounds_.offset[d].size() > 1) {
      all.push_back(fmt::format("segment {}: released {} ns after the DAG, so '{}' ends by {} + {} = {} ns", segment, offset.count(),
                                dag_.nodes()[v].name, offset.count(), R.count(), bounds_.F[d][v].count()));
    }
    return all;
  }

 private:
  /// The lines of an inequality say ns for its unit of time.
  void tell_unit(std::vector<std::string>& lines, Time F, Time R) const {
    const std::string unit = fmt::format(" ns/{}", bounds_.unit);
    for (std::string& line : lines) {
      for (std::size_t at = line.find(" ns"); at != std::string::npos; at = line.find(" ns", at + unit.size())) {
        const bool word = at + 3 == line.size() || !std::isalnum(static_cast<unsigned char>(line[at + 3]));
        if (word) line.replace(at, 3, unit);
      }
    }
    lines.insert(lines.begin(), fmt::format("all times in 1/{} ns, since ends rounded up to whole ns let a job more count:", bounds_.unit));
    lines.push_back(fmt::format("{}/{} = {} ns, rounded up", F.count(), bounds_.unit, R.count()));
  }

  [[nodiscard]] const std::string& name(DagId d, std::size_t segment, std::size_t node) const {
    return dag_.nodes()[nodes_of_segment(bounds_, d, segment)[node]].name;
  }

  [[nodiscard]] std::vector<std::string> lines_of(const Inequality& of, const PathSystem::Place& place, DagId d, std::size_t segment,
                                                  Time bound) const {
    if (const auto* sum = std::get_if<path::CountedSum>(&of.detail)) return sum_lines(of, *sum, place, bound);
    if (const auto* sum = std::get_if<path::SporadicSum>(&of.detail)) return late_lines(task_set_, dags_, bounds_, place, of, *sum, bound);
    if (const auto* sum = std::get_if<path::VisitSum>(&of.detail)) return visit_lines(bounds_.system.system, place, of, *sum, bound);
    if (const auto* sum = std::get_if<path::AlignedSum>(&of.detail)) return aligned_lines(of, *sum, d, segment, bound);
    if (const auto* sum = std::get_if<path::FittingSum>(&of.detail)) return fitting_lines(of, *sum, place, bound);
    if (const auto* sum = std::get_if<path::FamilySum>(&of.detail)) return family_lines(of, *sum, place, bound);
    return {fmt::format("proven on its pool alone: {} ns", bound.count())};
  }

  [[nodiscard]] std::string path_in_words(const std::vector<std::size_t>& path, DagId d, std::size_t segment) const {
    const auto nodes = nodes_of_segment(bounds_, d, segment);
    std::string words;
    for (const std::size_t v : path) words += (words.empty() ? "" : " -> ") + dag_.nodes()[nodes[v]].name;
    return words;
  }

  [[nodiscard]] std::vector<std::string> aligned_lines(const Inequality& of, const path::AlignedSum& derivation, DagId d,
                                                       std::size_t segment, Time bound) const {
    std::vector<std::string> all{
        fmt::format(
            "{}: F >= sum of e over the path{} - its last pieces s/capacity{} + own jobs + per other DAG the most work/capacity of one "
            "release pattern",
            to_string(of.theorem),
            derivation.upstream.empty() ? "" : " + per pool named below what it has left/capacity at the release; of other pools",
            derivation.blocking > FineTime::zero() ? " + blocking" : ""),
        fmt::format("path {}: execution {} ns, last pieces {} ns", path_in_words(of.path, d, segment), derivation.execution.count(),
                    text(derivation.last_pieces)),
        fmt::format("own jobs: {} ns", text(derivation.own))};
    if (derivation.at_once) {
      all.emplace_back(derivation.in_full
                           ? "on FIFO pools no last pieces, and of the job itself and of others, where less, what can be ready at once"
                           : "on FIFO pools of other jobs, where less, what can be ready at once");
    }
    if (!derivation.before && derivation.upstream.empty())
      all.emplace_back("on FIFO pools as many nodes of each chain of a job count as a path has there");
    if (derivation.started) all.emplace_back("non-preemptive pools: what may have started before is counted, so nothing blocks");
    if (derivation.before) {
      all.push_back(fmt::format("E = {} ns of execution before the first node on the FIFO pool: meanwhile other jobs' critical paths run",
                                derivation.before->count()));
    }
    std::string sum = fmt::format("{} - {}", derivation.execution.count(), text(derivation.last_pieces));
    for (const path::Upstream& on : derivation.upstream) {
      const path::Pool& pool = bounds_.system.system.pools[on.pool];
      all.push_back(fmt::format("pool {} ({}):", pool.name, order_in_words(pool)));
      add_backlog(on.left, all, "of what ran just before it was busy, with all that then follows it there");
      all.push_back(fmt::format("  waiting: all that is left, less {}/{} of last pieces = {} ns", rta::to_string(on.last_pieces),
                                capacity_in_words(pool), text(on.length)));
      sum += " + " + text(on.length);
    }
    if (derivation.blocking > FineTime::zero()) sum += " + " + text(derivation.blocking);
    sum += " + " + text(derivation.own);
    for (const path::AlignedJobs& jobs : derivation.others) {
      all.push_back(fmt::format("  {}: {} ns ({})", bounds_.system.system.dags[jobs.dag].name, text(jobs.work), counted_in_words(jobs)));
      if (jobs.overlapped) all.push_back(overlapped_in_words(*jobs.overlapped));
      sum += " + " + text(jobs.work);
    }
    if (derivation.least_unit) sum += " + 1";
    all.push_back(
        fmt::format("F = {} = {} {} {} ns, rounded up", sum, text(of.total), ceil_to_time(of.total) < bound ? "<=" : "=", bound.count()));
    return all;
  }

  static std::string overlapped_in_words(const path::AlignedJobs::Overlapped& of) {
    std::string words = fmt::format("    {} of its jobs, {} of each, lose up to (E - {})/m", of.jobs,
                                    of.strands == 1 ? "one strand" : fmt::format("{} strands", of.strands), of.GC.count());
    if (of.strands > 1 && of.F_R) {
      words += fmt::format("; strands but the first (E - {} - {})/m, unless released {} ns before", of.GC.count(), of.C_R.count(),
                           of.F_R->count());
    }
    return words + ": GC and C_R in ns";
  }

  [[nodiscard]] std::string counted_in_words(const path::AlignedJobs& jobs) const {
    std::string words;
    for (const auto& job : jobs.jobs) words += (words.empty() ? "" : "; ") + job_in_words(job);
    for (const auto& on : jobs.together) {
      const std::string& pool = bounds_.system.system.pools[on.pool].name;
      words += words.empty() ? "" : "; ";
      words += on.at_once ? fmt::format("ready on {} while the path's nodes there wait: {}", pool, text(on.work))
                          : fmt::format("{} of each chain of nodes of all its jobs on {} by T30: {}", on.turns, pool, text(on.work));
    }
    return words.empty() ? "jobs counted node by node" : words;
  }

  static std::string job_in_words(const path::AlignedJobs::Job& job) {
    const std::int64_t x = job.before.count();
    const std::string when = x == 0 ? "with it" : x > 0 ? fmt::format("{} ns before", x) : fmt::format("{} ns after", -x);
    if (job.saved == FineTime::zero()) return fmt::format("released {}: {}", when, text(job.work));
    return fmt::format("released {}: {} - {}", when, text(job.work + job.saved), text(job.saved));
  }

  /// T14: what the path loses between slices.
  static std::string add_gaps(const path::Gaps& gaps, Time slice, std::vector<std::string>& all) {
    const std::string count = gaps.whole
                                  ? fmt::format("{} + floor({}/{})", rta::to_string(gaps.stretches), text(gaps.busy), slice.count())
                                  : fmt::format("{} - 1 + ceil({}/{})", rta::to_string(gaps.stretches), text(gaps.busy), slice.count());
    const Wide length = checked_mul(gaps.count, Wide{gaps.gap.count()});
    all.push_back(fmt::format("  slices of {} ns, {} ns of execution and waiting in {} kernel{}: ({}) x {} ns of gaps = {} ns",
                              slice.count(), text(gaps.busy), rta::to_string(gaps.stretches), gaps.stretches == 1 ? "" : "s", count,
                              gaps.gap.count(), rta::to_string(length)));
    return " + " + rta::to_string(length);
  }

  void add_backlog(const path::Backlog& backlog, std::vector<std::string>& all, std::string_view carried) const {
    for (const path::Backlog::Part& part : backlog.parts) {
      all.push_back(fmt::format("  {}: left {} ns of jobs from before the pool was busy, {} ns of those since",
                                bounds_.system.system.dags[part.dag].name, text(part.left), text(part.released)));
    }
    if (backlog.carry > FineTime::zero()) {
      all.push_back(fmt::format("  left {} ns {}", text(backlog.carry), carried));
    }
    if (backlog.worked_off > FineTime::zero()) {
      all.push_back(fmt::format("  less {} ns, as {} processors were busy with that for {} ns{} before the release",
                                text(backlog.worked_off), rta::to_string(backlog.processors), backlog.busy.count(),
                                backlog.longer ? " or longer" : ""));
    }
    if (backlog.after > FineTime::zero())
      all.push_back(fmt::format("  less {} ns of own nodes that wait for the last one", text(backlog.after)));
  }

  /// Whether n_u of each node follows from F_u by T10n's formulas.
  [[nodiscard]] bool counted_by_node(const path::Pool& pool) const {
    return !bounds_.bounds.support.empty() && !path::by_fixed_priority(pool.order) && !path::has_release_jitter(bounds_.system.system);
  }

  /// The jobs that a path waits for on a pool; `parallel`: by T10p or T10d.
  void add_jobs(const path::Waiting& wait, const PathSystem::Place& place, bool parallel, std::vector<std::string>& all) const {
    if (wait.jobs.empty()) return;
    const path::System& system = bounds_.system.system;
    if (counted_by_node(system.pools[wait.pool]) && !parallel) {
      std::ranges::move(path_terms(task_set_, dags_, bounds_, place.dag, wait), std::back_inserter(all));
      return;
    }
    for (const path::CountedJobs& jobs : wait.jobs) {
      if (jobs.work == 0) continue;
      const std::string counted = jobs.whole ? whole_in_words(*jobs.whole) : jobs_in_words(jobs);
      all.push_back(fmt::format("  {}: {}, work {}", system.dags[jobs.dag].name, counted, rta::to_string(jobs.work)));
    }
  }

  /// T10d without preemption.
  static void add_started(const path::Waiting& wait, const path::Pool& pool, std::vector<std::string>& all) {
    const bool by_points = !path::by_fixed_priority(pool.order);
    all.push_back(fmt::format("  the longest pieces {} that have started before the path's nodes are ready{}: blocking {} ns",
                              by_points ? "with later points" : "of less urgent work",
                              by_points ? ", of each DAG no more than fits beside the work above" : "", text(wait.blocking)));
    if (wait.blocked.empty()) return;
    all.push_back(fmt::format("  j = {} of {} processors: of the work of each other DAG what j of them can do counts",
                              rta::to_string(wait.capacity), pool.capacity));
  }

  /// T11g.
  void add_blocked(const path::Waiting& wait, DagId d, std::size_t segment, std::vector<std::string>& all) const {
    for (const path::Blocked& blocked : wait.blocked) {
      all.push_back(fmt::format("  blocks of less urgent kernels that are there when {} becomes ready: what an SM holds, or all, {} ns",
                                path_in_words({blocked.node}, d, segment), text(blocked.length)));
    }
  }

  [[nodiscard]] std::vector<std::string> fitting_lines(const Inequality& of, const path::FittingSum& derivation,
                                                       const PathSystem::Place& place, Time bound) const {
    const DagId d = bounds_.system.dag_of[place.dag];
    const std::size_t segment = bounds_.system.segment_of[place.dag];
    std::vector<std::string> all{
        fmt::format("{}: F = sum of e over the path + per pool the work/capacity that fits beside the path within F",
                    to_string(of.theorem)),
        fmt::format("path {}: execution {} ns{}", path_in_words(of.path, d, segment), derivation.execution.count(),
                    derivation.least_unit ? ", and the least unit of time, as the last node has length 0" : "")};
    std::string sum = fmt::format("{}", derivation.execution.count());
    for (const path::FittingPool& on : derivation.pools) {
      const path::Pool& pool = bounds_.system.system.pools[on.pool];
      all.push_back(fmt::format("pool {} ({}){}:", pool.name, order_in_words(pool),
                                on.cut ? fmt::format(", each piece cut at the waiting, {} ns", text(*on.cut)) : std::string()));
      for (const path::FittingPool::Jobs& jobs : on.jobs) all.push_back(fitting_jobs_in_words(jobs));
      if (on.own > FineTime::zero()) all.push_back(fmt::format("  own nodes that are parallel to the path: {} ns", text(on.own)));
      all.push_back(fmt::format("  waiting {} ns", text(on.waiting)));
      sum += " + " + text(on.waiting);
    }
    all.push_back(
        fmt::format("F = {} = {} {} {} ns, rounded up", sum, text(of.total), ceil_to_time(of.total) < bound ? "<=" : "=", bound.count()));
    return all;
  }

  [[nodiscard]] std::string fitting_jobs_in_words(const path::FittingPool::Jobs& jobs) const {
    const path::Dag& dag = bounds_.system.system.dags[jobs.dag];
    std::string releases = "jobs counted node by node";
    if (jobs.first && dag.J == Time::zero()) {
      releases = fmt::format("released {} ns after it, and every T before and after that", jobs.first->count());
    } else if (jobs.first) {
      releases = fmt::format("nominally released {} ns after it, and every T before and after that, each up to {} ns late",
                             jobs.first->count(), dag.J.count());
    }
    return fmt::format("  {}: {} ns ({})", dag.name, text(jobs.work), releases);
  }

  [[nodiscard]] std::vector<std::string> family_lines(const Inequality& of, const path::FamilySum& derivation,
                                                      const PathSystem::Place& place, Time bound) const {
    const DagId d = bounds_.system.dag_of[place.dag];
    const std::size_t segment = bounds_.system.segment_of[place.dag];
    const path::Pool& pool = bounds_.system.system.pools[derivation.pool];
    std::vector<std::string> all{
        fmt::format("{}: F = the longest path L + (work of the job itself beside j + 1 disjoint chains + work of other jobs that fits "
                    "within F)/(m - j)",
                    to_string(of.theorem)),
        fmt::format("longest path {}: L = {} ns{}", path_in_words(of.path, d, segment), derivation.longest.count(),
                    derivation.least_unit ? ", and the least unit of time, as the last node has length 0" : ""),
        fmt::format("pool {} ({}): m = {}, j + 1 = {}, m - j = {}", pool.name, order_in_words(pool), pool.capacity,
                    derivation.chains.size(), derivation.free)};
    for (const auto& chain : derivation.chains) all.push_back("  chain " + path_in_words(chain, d, segment));
    all.push_back(fmt::format("  beside the chains: {} ns{}, over m - j: {} ns", derivation.beside.count(),
                              derivation.longer > Time::zero()
                                  ? fmt::format(", and {} ns by which another path is longer", derivation.longer.count())
                                  : std::string(),
                              text(derivation.own)));
    std::string sum = fmt::format("{} + {}", derivation.longest.count(), text(derivation.own));
    for (const path::FittingPool::Jobs& jobs : derivation.jobs) {
      all.push_back(fitting_jobs_in_words(jobs));
      sum += " + " + text(jobs.work);
    }
    all.push_back(
        fmt::format("F = {} = {} {} {} ns, rounded up", sum, text(of.total), ceil_to_time(of.total) < bound ? "<=" : "=", bound.count()));
    return all;
  }

  [[nodiscard]] std::vector<std::string> sum_lines(const Inequality& of, const path::CountedSum& derivation, const PathSystem::Place& place,
                                                   Time bound) const {
    const DagId d = bounds_.system.dag_of[place.dag];
    const std::size_t segment = bounds_.system.segment_of[place.dag];
    const char* const left = of.theorem == Theorem::T10 ? "R" : "F";
    const bool by_whole_dags = of.theorem == Theorem::T10d || of.theorem == Theorem::T12d;
    const bool parallel = of.theorem == Theorem::T10p || by_whole_dags;
    const path::System& system = bounds_.system.system;
    std::vector<std::string> all{
        fmt::format("{}: {} >= sum of e over the path + per pool (work of the counted jobs - last pieces s of the path)/capacity{}",
                    to_string(of.theorem), left, of.theorem == Theorem::T14 ? " + gaps between slices" : ""),
        fmt::format("path {}: execution {} ns", path_in_words(of.path, d, segment), derivation.execution.count())};
    if (parallel)
      all.emplace_back("of the job itself: the path's nodes, and the nodes on their pools that are parallel to one of them there");
    std::string sum = fmt::format("{}", derivation.execution.count());
    for (const path::Waiting& wait : derivation.waits) {
      const path::Pool& pool = system.pools[wait.pool];
      Wide work = 0;
      all.push_back(fmt::format("pool {} ({}):", pool.name, order_in_words(pool)));
      for (const path::CountedJobs& jobs : wait.jobs) {
        work = checked_add(work, jobs.work);
      }
      add_jobs(wait, place, parallel, all);
      if (wait.backlog) add_backlog(*wait.backlog, all, "of the DAGs that are wholly on it, together: the longest chains");
      if (pool.order == path::Order::fixed_kernels) add_blocked(wait, d, segment, all);
      std::string capacity = capacity_in_words(pool);
      if (by_whole_dags && path::runs_to_end(pool.order)) {
        add_started(wait, pool, all);
        capacity = rta::to_string(wait.capacity);
      }
      if (wait.backlog) {
        all.push_back(fmt::format("  waiting: all that is left, less {}/{} of last pieces = {} ns", rta::to_string(wait.last_pieces),
                                  capacity, text(wait.length)));
        sum += " + " + text(wait.length);
        continue;
      }
      all.push_back(fmt::format("  waiting ({} - {})/{}{} = {} ns", rta::to_string(work), rta::to_string(wait.last_pieces), capacity,
                                wait.blocking > FineTime::zero() ? " + blocking " + text(wait.blocking) : std::string(),
                                text(wait.length)));
      sum += " + " + text(wait.length);
      if (wait.gaps) sum += add_gaps(*wait.gaps, pool.slices->slice, all);
    }
    all.push_back(fmt::format("{} = {} {} {} ns, rounded up", left, sum, ceil_to_time(of.total) < bound ? "<=" : "=", bound.count()));
    if (by_whole_dags && system.dags[place.dag].nodes[place.node].e == Time::zero())
      all.emplace_back("and the least unit of time, as the last node has length 0");
    return all;
  }

  const TaskSet& task_set_;
  std::span<const DagId> dags_;  // of the task set, for each of the bounds; none: the same ones
  const Dag& dag_;
  const SegmentBounds& bounds_;
  path::Derivations derivations_;
};

}  // namespace

std::vector<std::string> path_lines(const TaskSet& task_set, std::span<const DagId> dags, const SegmentBounds& bounds, std::size_t d,
                                    NodeId v) {
  return PathLines(task_set, dags, bounds, d).of(d, v);
}

}  // namespace rta::analysis
