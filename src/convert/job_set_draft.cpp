#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>

#include "../io/yaml_text.hpp"
#include "job_set.hpp"
#include "names.hpp"
#include "pools.hpp"

namespace rta::convert {
namespace {

class DraftMaker {
 public:
  DraftMaker(const JobRows& rows, const Options& options, Notes& notes) : rows_(rows), jobs_(rows.jobs), options_(options), notes_(notes) {}

  Draft make() {
    draft_.name = std::filesystem::path(notes_.file()).filename().string();
    unit_ = completed(rows_.unit, options_.time_unit, "time-unit", io::time_text, notes_);
    cycle_ = completed(rows_.hyperperiod, options_.period, "period", io::time_text, notes_);
    if (!unit_) notes_.miss("the file does not say in which unit its times are: give --time-unit ns, us, ms or s");
    decide_priorities();
    make_pool();
    notes_.throw_if_missing();
    join();
    note_spans();
    for (const Group& group : groups_) make_dag(group);
    tell_releases();
    notes_.throw_if_missing();
    if (options_.period && !cycle_used_)
      notes_.assume("--period: the jobs of every task show its period, which the hyperperiod does not change");
    return std::move(draft_);
  }

 private:
  enum class Order { deadline, fixed };

  // Jobs that precedence joins, by task, and the constraints between them.
  struct Component {
    std::vector<std::size_t> jobs;
    std::vector<std::pair<std::size_t, std::size_t>> edges;  // positions in `jobs`
  };
  // Components that are alike, by arrival.
  struct Group {
    std::vector<Component> components;
  };

  [[nodiscard]] Time time(Wide units) const { return to_time(units * unit_->count()); }
  [[nodiscard]] static std::string job_name(const JobRow& job) { return fmt::format("T{}J{}", job.task, job.job); }

  void decide_priorities() {
    const bool deadlines = std::ranges::all_of(jobs_, [](const JobRow& job) { return job.priority == job.deadline; });
    order_ = deadlines ? Order::deadline : Order::fixed;
    if (deadlines) {
      notes_.found("priorities are the deadlines: G-EDF");
      if (options_.scheduler && *options_.scheduler != Scheduler::g_edf)
        notes_.assume(fmt::format("--scheduler {}, while the priorities of the file are G-EDF", to_string(*options_.scheduler)));
      return;
    }
    std::map<std::uint64_t, Wide> of_task;
    std::set<Wide> all;
    for (const JobRow& job : jobs_) {
      const auto [at, fresh] = of_task.emplace(job.task, job.priority);
      if (at->second != job.priority && !options_.scheduler) {
        refuse(notes_.file(),
               fmt::format("the priorities of task {} are neither the same for all of its jobs (fixed priorities) nor the deadlines of all "
                           "jobs (EDF): "
                           "give --scheduler NAME",
                           job.task),
               job.line, 1);
      }
      all.insert(job.priority);
    }
    // The smallest number is the most urgent there, the largest here.
    std::int64_t rank = static_cast<std::int64_t>(all.size());
    for (const Wide priority : all) rank_[priority] = rank--;
    notes_.found(fmt::format("{} fixed priorities, one per task: the smallest number of the file is priority {}, the most urgent",
                             all.size(), all.size()));
  }

  void make_pool() {
    const auto processors = completed(
        rows_.processors, processors_of(options_, rows_.pool, notes_), "processors", [](std::uint32_t n) { return n; }, notes_);
    if (!processors) notes_.miss("the file does not say how many processors there are: give --processors N");
    notes_.uses("scheduler");
    DraftPool pool;
    pool.pool = {rows_.pool, CpuPool{processors.value_or(1), options_.scheduler.value_or(Scheduler::g_edf), false}};
    pool.fixed_priority = order_ == Order::fixed;
    draft_.pools.push_back(std::move(pool));
    notes_.found("jobs are not preempted");
  }

  // Components of the precedence relation, without the order of jobs of one task.
  void join() {
    std::vector<std::size_t> leader(jobs_.size());
    std::iota(leader.begin(), leader.end(), std::size_t{0});
    const auto find = [&](std::size_t job) {
      while (leader[job] != job) job = leader[job] = leader[leader[job]];
      return job;
    };
    std::vector<const Precedence*> within;
    for (const Precedence& p : rows_.precedence) {
      const JobRow &from = jobs_[p.from], &to = jobs_[p.to];
      if (from.task == to.task && from.arrival_min < to.arrival_min) {
        sequential_.insert(from.task);
        continue;
      }
      if (from.arrival_min != to.arrival_min || from.arrival_max != to.arrival_max) {
        refuse(
            rows_.precedence_file.empty() ? notes_.file() : rows_.precedence_file,
            fmt::format("{} and {} arrive at different times: the nodes of a DAG are released with the DAG", job_name(from), job_name(to)),
            p.line, 1);
      }
      within.push_back(&p);
      leader[find(p.from)] = find(p.to);
    }
    std::map<std::size_t, std::vector<std::size_t>> members;  // by the first of them in the file
    std::vector<std::size_t> first(jobs_.size(), jobs_.size());
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      std::size_t& of = first[find(j)];
      of = std::min(of, j);
      members[of].push_back(j);
    }
    std::map<std::size_t, Component> components;
    for (auto& [from, jobs] : members) {
      std::ranges::sort(jobs, {}, [&](std::size_t j) { return std::pair(jobs_[j].task, jobs_[j].job); });
      components[from].jobs = std::move(jobs);
    }
    std::vector<std::size_t> position(jobs_.size());
    for (const auto& [from, component] : components) {
      for (std::size_t i = 0; i < component.jobs.size(); ++i) position[component.jobs[i]] = i;
    }
    for (const Precedence* p : within) components[first[find(p->from)]].edges.emplace_back(position[p->from], position[p->to]);
    group(components);
  }

  void group(std::map<std::size_t, Component>& components) {
    using Shape = std::pair<std::vector<std::uint64_t>, std::vector<std::pair<std::size_t, std::size_t>>>;
    std::map<Shape, std::size_t> group_of;
    for (auto& [first, component] : components) {
      Shape shape;
      for (const std::size_t j : component.jobs) shape.first.push_back(jobs_[j].task);
      shape.second = component.edges;
      std::ranges::sort(shape.second);
      const auto [at, fresh] = group_of.emplace(std::move(shape), groups_.size());
      if (fresh) groups_.emplace_back();
      groups_[at->second].components.push_back(std::move(component));
    }
    for (Group& g : groups_) {
      std::ranges::stable_sort(g.components, {}, [&](const Component& c) { return jobs_[c.jobs.front()].arrival_min; });
    }
  }

  /// How long the jobs of each task are, at their distance: all the same, or the file is no hyperperiod.
  void note_spans() {
    for (const Group& group : groups_) {
      const auto arrival = [&](std::size_t i) { return jobs_[group.components[i].jobs.front()].arrival_min; };
      const std::size_t n = group.components.size();
      if (n < 2) continue;
      const Wide distance = arrival(1) - arrival(0);
      bool regular = true;
      for (std::size_t i = 2; i < n; ++i) regular = regular && arrival(i) - arrival(i - 1) == distance;
      if (regular) spans_.insert(distance * static_cast<Wide>(n));
    }
  }

  void tell_releases() {
    if (rows_.sporadic) return;
    const bool all = std::ranges::all_of(draft_.dags, &DraftDag::periodic);
    if (all)
      notes_.assume(
          "releases go on as they are in the file, by one clock: each DAG's at phase + n T (periodic), with the jitter of their arrivals");
    if (!all && std::ranges::any_of(draft_.dags, &DraftDag::periodic)) notes_.assume("of periodic releases use is made where all DAGs are");
  }

  void make_dag(const Group& group) {
    const Component& shape = group.components.front();
    DraftDag dag;
    const JobRow& head = jobs_[shape.jobs.front()];
    const std::size_t slash = head.name.rfind('/');
    dag.name = dag_names_.unique(head.name.empty() ? fmt::format("T{}", head.task) : one_word(head.name.substr(0, slash), "dag"));
    set_releases(group, dag);
    Wide deadline = 0;
    std::vector<Wide> deadlines;
    UniqueNames names;
    bool same_priority = true;
    for (std::size_t i = 0; i < shape.jobs.size(); ++i) {
      DraftNode node;
      const JobRow& first = jobs_[shape.jobs[i]];
      const std::size_t at = first.name.rfind('/');
      node.node.name = names.unique(first.name.empty() ? fmt::format("T{}", first.task)
                                                       : one_word(first.name.substr(at == std::string::npos ? 0 : at + 1), "node"));
      // Deadlines of the file are instants, those of a task set count from the release: the latest one has the shortest.
      Wide most = 0, least = first.cost_min, relative = first.deadline - first.arrival_max;
      bool costs_differ = false;
      for (const Component& component : group.components) {
        const JobRow& job = jobs_[component.jobs[i]];
        costs_differ = costs_differ || job.cost_max != first.cost_max || job.cost_min != first.cost_min;
        most = std::max(most, job.cost_max);
        least = std::min(least, job.cost_min);
        relative = std::min(relative, job.deadline - job.arrival_max);
      }
      if (costs_differ)
        notes_.assume(
            fmt::format("DAG '{}': costs of node '{}' differ from job to job; the largest range counts", dag.name, node.node.name));
      node.node.demand = CpuDemand{time(most)};
      if (least < most) node.node.variation = Variation{time(least), std::nullopt};
      node.node.sequential = sequential_.contains(first.task);
      if (order_ == Order::fixed) node.priority = rank_[first.priority];
      same_priority = same_priority && node.priority == (dag.nodes.empty() ? node.priority : dag.own_of(0).priority);
      deadline = std::max(deadline, relative);
      deadlines.push_back(relative);
      dag.add(std::move(node));
    }
    dag.D = time(deadline);
    for (std::size_t i = 0; i < deadlines.size(); ++i) {
      if (deadlines[i] < deadline) dag.nodes[i].deadline = time(deadlines[i]);
    }
    if (same_priority) {
      dag.priority = dag.own_of(0).priority;
      for (DraftOwn& of : dag.own) of.priority.reset();
    }
    for (const auto& [from, to] : shape.edges) dag.edges.push_back({from, to, false});
    draft_.dags.push_back(std::move(dag));
  }

  void set_releases(const Group& group, DraftDag& dag) {
    std::vector<Wide> arrivals;
    Wide jitter = 0;
    for (const Component& component : group.components) {
      const JobRow& job = jobs_[component.jobs.front()];
      arrivals.push_back(job.arrival_min);
      jitter = std::max(jitter, job.arrival_max - job.arrival_min);
    }
    std::optional<Wide> least, most;
    const auto add = [&](Wide distance) {
      least = std::min(least.value_or(distance), distance);
      most = std::max(most.value_or(distance), distance);
    };
    for (std::size_t i = 1; i < arrivals.size(); ++i) add(arrivals[i] - arrivals[i - 1]);
    // From the last job to the first one of the next hyperperiod, which may be closer than those within it.
    if (least && cycle_) {
      const std::uint64_t task = jobs_[group.components.front().jobs.front()].task;
      const Wide span = arrivals.back() - arrivals.front();
      const Wide around = cycle_->count() / unit_->count() - span;
      if (around < 0) {
        refuse(notes_.file(), fmt::format("the jobs of task {} arrive over {}, more than the hyperperiod of {}{}", task,
                                          io::time_text(time(span)), io::time_text(*cycle_), options_.period ? " (--period)" : ""));
      }
      cycle_used_ = cycle_used_ || (around > 0 && (around < *least || around > *most));
      if (around > 0) add(around);
    }
    if (least) {
      if (*least <= 0)
        refuse(notes_.file(),
               fmt::format("task {} has two jobs that arrive at one time", jobs_[group.components.front().jobs.front()].task));
      dag.T = time(*least);
      if (*least != *most) {
        notes_.assume(fmt::format("DAG '{}': its jobs arrive at different distances; T is the least", dag.name));
        dag.T_max = time(*most);
      }
    } else if (cycle_) {
      dag.T = *cycle_;
      cycle_used_ = true;
    } else {
      notes_.miss(fmt::format("task {} has one job only, which tells no period: give --period TIME, the hyperperiod",
                              jobs_[group.components.front().jobs.front()].task));
      dag.T = Time(1);
    }
    dag.periodic = !rows_.sporadic && are_periodic(dag, arrivals.size(), least == most);
    if (arrivals.front() > 0 || dag.periodic) dag.phase = time(arrivals.front());
    if (jitter == 0) return;
    dag.jitter = time(jitter);
    notes_.assume(fmt::format(
        "DAG '{}': its deadline counts from the release: it is the one of the latest arrival, which leaves the least time", dag.name));
    if (order_ == Order::deadline) {
      notes_.assume(
          "jobs with release jitter are ordered by their release and the least D, while the job set orders them by the instants of their "
          "deadlines");
    }
  }

  /// Whether jobs at phase + n T are those of the file; why not is told.
  bool are_periodic(const DraftDag& dag, std::size_t jobs, bool regular) {
    if (!regular) {
      notes_.assume(fmt::format("DAG '{}' is not periodic: its jobs arrive at different distances", dag.name));
    } else if (!cycle_ && spans_.size() > 1) {
      notes_.assume(fmt::format(
          "DAG '{}' is not periodic: its {} jobs, {} apart, are those of {}, and others' of {} (--period: the hyperperiod)", dag.name, jobs,
          io::time_text(dag.T), io::time_text(dag.T * static_cast<std::int64_t>(jobs)),
          io::time_text(time(dag.T * static_cast<std::int64_t>(jobs) == time(*spans_.begin()) ? *spans_.rbegin() : *spans_.begin()))));
    } else {
      return true;
    }
    return false;
  }

  const JobRows& rows_;
  const std::vector<JobRow>& jobs_;
  const Options& options_;
  Notes& notes_;
  Draft draft_;
  std::optional<Time> unit_, cycle_;  // cycle: the hyperperiod
  bool cycle_used_ = false;
  std::set<Wide> spans_;
  Order order_ = Order::deadline;
  std::map<Wide, std::int64_t> rank_;
  std::set<std::uint64_t> sequential_;  // tasks whose jobs wait for one another
  std::vector<Group> groups_;
  UniqueNames dag_names_;
};

}  // namespace

Draft draft_of(const JobRows& rows, const Options& options, Notes& notes) { return DraftMaker(rows, options, notes).make(); }

}  // namespace rta::convert
