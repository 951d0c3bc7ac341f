#include "rta/simulate/witness.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "rta/model/error.hpp"

namespace rta::simulate {
namespace {

constexpr std::size_t most_runs = 100;

struct Played {
  Time ready, start, end;
};
using Run = std::vector<std::vector<std::vector<std::optional<Played>>>>;  // DAG, job, node

class StartObserver : public Observer {
 public:
  explicit StartObserver(Run& run) : Observer(Detail::job), run_(run) {}

  void dag(DagId /*dag*/, std::uint64_t /*job*/, Time /*release*/, Time /*end*/) override {}
  void job(JobId id, Time release, Time start, Time end) override { run_[id.dag][id.job][id.node] = {release, start, end}; }
  void block(JobId /*id*/, std::uint64_t /*block*/, std::uint32_t /*sm*/, Time /*start*/, Time /*end*/) override {}
  void copy(JobId /*id*/, std::uint32_t /*engine*/, Time /*start*/, Time /*end*/) override {}
  void run(JobId /*id*/, std::uint32_t /*cpu*/, Time /*start*/, Time /*end*/) override {}

 private:
  Run& run_;
};

/// How short the execution of a piece may be; kernels stay as long as they are.
struct Shares {
  Time least, most;
};
Shares shares_of(const Node& node) {
  if (const auto* kernel = std::get_if<GpuDemand>(&node.demand)) {
    const Time whole_time = kernel->time.value_or(kernel->L);
    return {whole_time, whole_time};
  }
  const Time most = longest_piece(node);
  return {std::min(most, node.variation ? node.variation->least : Time::zero()), most};
}

class WitnessSearch {
 public:
  WitnessSearch(const TaskSet& set, const Schedule& schedule, const Options& base, const WantedStarts& wanted)
      : set_(set), schedule_(schedule), wanted_(wanted), target_(wanted.jobs.back()) {
    run_.run = base;
    run_.run.jobs.clear();
    std::size_t queues = 0;
    for (DagId d = 0; d < set.dags().size(); ++d) {
      const Dag& dag = set.dags()[d];
      require(dag.attributes().periodic && dag.attributes().phase, "starts are wanted of periodic DAGs");
      auto& jobs = run_.run.jobs.emplace_back();
      std::vector<ScenarioNode> nodes;
      for (const Node& node : dag.nodes()) {
        // A rank for those whose place does not matter.
        nodes.push_back({whole, most_rank, shares_of(node).most});
      }
      for (Time at = *dag.attributes().phase; at <= wanted.until; at += dag.nominal_period())
        jobs.push_back({at + dag.attributes().jitter, nodes});
      for (const std::size_t q : wanted.queues[d]) queues = q == no_queue ? queues : std::max(queues, q + 1);
    }
    orders_.resize(queues);
    for (std::size_t i = 0; i < wanted.jobs.size(); ++i) {
      const JobId& id = wanted.jobs[i];
      require(id.job < run_.run.jobs[id.dag].size(), "jobs that are wanted are released");
      fixed(id).rank = static_cast<std::uint32_t>(std::min<std::size_t>(i, most_rank));
      if (const std::size_t q = queue_of(id); q != no_queue) orders_[q].push_back(id);
    }
  }

  Witness find() {
    std::optional<Witness> best;
    while (true) {
      play();
      const auto& seen = played(target_);
      const Time end = seen ? seen->end - nominal(target_) : Time::zero();
      const auto wrong = first_out_of_order();
      if (!best || end > best->end) {
        best = run_;
        best->end = end;
        best->in_order = !wrong;
      }
      ++runs_;
      if (!wrong || runs_ == most_runs || ending_of(run_.run.limit.cause()) != Ending::complete || !mend(*wrong)) break;
    }
    best->runs = runs_;
    best->run.limit = {};
    return *best;
  }

 private:
  /// `o` has started where `i` was wanted.
  struct Wrong {
    JobId i, o;
  };

  [[nodiscard]] std::size_t queue_of(const JobId& id) const { return wanted_.queues[id.dag][id.node]; }
  [[nodiscard]] ScenarioJob& release_of(const JobId& id) { return run_.run.jobs[id.dag][id.job]; }
  [[nodiscard]] ScenarioNode& fixed(const JobId& id) { return release_of(id).nodes[id.node]; }
  [[nodiscard]] const std::optional<Played>& played(const JobId& id) const { return seen_[id.dag][id.job][id.node]; }
  [[nodiscard]] Time nominal(const JobId& id) const {
    const Dag& dag = set_.dags()[id.dag];
    return *dag.attributes().phase + dag.nominal_period() * static_cast<std::int64_t>(id.job);
  }

  void play() {
    seen_.assign(run_.run.jobs.size(), {});
    for (DagId d = 0; d < seen_.size(); ++d) {
      seen_[d].resize(run_.run.jobs[d].size());
      for (auto& job : seen_[d]) job.resize(set_.dags()[d].nodes().size());
    }
    StartObserver observer(seen_);
    (void)simulate(set_, schedule_, run_.run, &observer);
    started_.assign(orders_.size(), {});
    for (DagId d = 0; d < seen_.size(); ++d) {
      for (std::uint64_t n = 0; n < seen_[d].size(); ++n) {
        for (NodeId v = 0; v < seen_[d][n].size(); ++v) {
          const JobId id{d, v, n};
          if (const std::size_t q = queue_of(id); q != no_queue && q < started_.size() && seen_[d][n][v]) started_[q].push_back(id);
        }
      }
    }
    for (auto& jobs : started_) {
      std::ranges::stable_sort(jobs, {}, [&](const JobId& id) { return std::pair(played(id)->start, fixed(id).rank); });
    }
  }

  /// The earliest of all queues.
  [[nodiscard]] std::optional<Wrong> first_out_of_order() const {
    std::optional<Wrong> wrong;
    for (std::size_t q = 0; q < orders_.size(); ++q) {
      for (std::size_t x = 0; x < orders_[q].size() && x < started_[q].size(); ++x) {
        const JobId& i = orders_[q][x];
        const JobId& o = started_[q][x];
        if (i.dag == o.dag && i.node == o.node && i.job == o.job) continue;
        if (!wrong || played(o)->start < played(wrong->o)->start) wrong = Wrong{i, o};
        break;
      }
    }
    return wrong;
  }

  /// So that i comes before o. False: nothing can be sooner.
  bool mend(const Wrong& wrong) {
    const auto& i = played(wrong.i);
    const auto& o = played(wrong.o);
    if (!i) return false;
    const Time start = o->start;
    if (wanted_.by_ready[queue_of(wrong.i)]) return ready_sooner(wrong.i, i->ready - o->ready);
    if (i->ready > start) return ready_sooner(wrong.i, i->ready - start);
    // It has been passed over: it has to start before o is ready.
    const Time last = o->ready - Time(1);
    bool sooner = i->ready > last && ready_sooner(wrong.i, i->ready - last);
    if (start > o->ready) {  // both have waited for a server
      if (const auto before = freed_at(wrong.o, start)) sooner = end_sooner(*before, start - last) || sooner;
    }
    return sooner;
  }

  /// A job that ends then in the queue of `id`.
  [[nodiscard]] std::optional<JobId> freed_at(const JobId& id, Time instant) const {
    for (const JobId& other : started_[queue_of(id)]) {
      if (played(other)->start >= instant) break;
      if (played(other)->end == instant) return other;
    }
    return std::nullopt;
  }

  /// By what made it ready last.
  bool ready_sooner(const JobId& id, Time by) {
    if (by <= Time::zero()) return false;
    const Time ready = played(id)->ready;
    const Dag& dag = set_.dags()[id.dag];
    for (const NodeId u : dag.predecessors(id.node)) {
      const JobId before{id.dag, u, id.job};
      if (played(before) && played(before)->end == ready) return end_sooner(before, by);
    }
    if (dag.nodes()[id.node].sequential && id.job > 0) {
      const JobId before{id.dag, id.node, id.job - 1};
      if (played(before) && played(before)->end == ready && ready > release_of(id).release) return end_sooner(before, by);
    }
    Time& release = release_of(id).release;
    const Time first = id.job > 0 ? std::max(nominal(id), run_.run.jobs[id.dag][id.job - 1].release) : nominal(id);
    const Time less = std::min(by, release - first);
    release -= less;
    return less > Time::zero();
  }

  bool end_sooner(const JobId& id, Time by) {
    Time& takes = *fixed(id).takes;
    const Time less = std::min(by, takes - std::min(takes, shares_of(set_.dags()[id.dag].nodes()[id.node]).least));
    takes -= less;
    bool sooner = less > Time::zero();
    if (less == by) return sooner;
    const auto& seen = played(id);
    if (seen->ready == seen->start) return ready_sooner(id, by - less) || sooner;
    if (queue_of(id) == no_queue) return sooner;
    if (const auto before = freed_at(id, seen->start)) sooner = end_sooner(*before, by - less) || sooner;
    return sooner;
  }

  const TaskSet& set_;
  const Schedule& schedule_;
  const WantedStarts& wanted_;
  JobId target_;
  Witness run_;
  std::vector<std::vector<JobId>> orders_, started_;  // queue
  Run seen_;
  std::size_t runs_ = 0;
};

}  // namespace

Witness play_starts(const TaskSet& task_set, const Schedule& schedule, const Options& base, const WantedStarts& wanted) {
  require(!wanted.jobs.empty(), "some start is wanted");
  return WitnessSearch(task_set, schedule, base, wanted).find();
}

}  // namespace rta::simulate
