#include "simulation.hpp"

#include <algorithm>
#include <utility>

namespace rta::simulate {

Simulation::Simulation(const Plan& plan, const Options& options, Observer* observer)
    : plan_(plan),
      options_(options),
      context_{plan, RunGraph(plan), options.seed, observer, {}, std::vector<Statistics>(plan.nodes.size())},
      streams_(context_),
      free_dag_jobs_(plan.dags.size()),
      released_(plan.dags.size()),
      orders_(plan.orders.size()),
      scenario_(!options.jobs.empty()),
      horizon_(checked_duration(options.duration, "duration")),
      max_in_flight_(std::min(options.max_jobs_in_flight, Entry::id_mask)),
      dag_statistics_(plan.dags.size()),
      node_misses_(plan.nodes.size()),
      dag_misses_(plan.dags.size()) {
  for (const PlanCpu& p : plan.cpus) cpus_.emplace_back(p, context_);
  for (const PlanGpu& p : plan.gpus) gpus_.emplace_back(p, options.placement, context_);
  for (const PlanSlices& p : plan.slices) slices_.emplace_back(p, options.slices, std::span(gpus_).subspan(p.first, p.contexts));
  for (const PlanServers& p : plan.servers) servers_.emplace_back(p, context_);
  for (const PlanNode& n : plan.nodes) initial_.push_back(n.predecessors);
  for (std::uint32_t d = 0; d < plan.dags.size(); ++d) {
    if (plan.dags[d].phase == never) continue;
    const std::int64_t first = plan.dags[d].phase + lateness(d, 0);
    if (scenario_ || first < horizon_) timers_.push({first, rank(d, 0), d, 0, Alarm::release});
  }
}

std::int64_t Simulation::next() const {
  std::int64_t least = timers_.empty() ? never : timers_.top().at;
  for (const auto& p : cpus_) least = std::min(least, p.next());
  for (const auto& p : gpus_) least = std::min(least, p.next());
  for (const auto& p : slices_) least = std::min(least, p.next());
  for (const auto& p : servers_) least = std::min(least, p.next());
  return least;
}

// Whether to end now; looked at only now and then.
bool Simulation::interrupted() {
  if (context_.jobs.in_use() > max_in_flight_) {
    observation_.ending = Ending::backlog;
    return true;
  }
  if (until_check_-- > 0) return false;
  until_check_ = 4096;
  observation_.ending = ending_of(options_.limit.cause());
  return observation_.ending != Ending::complete;
}

Observation Simulation::run() {
  while (true) {
    const std::int64_t at = next();
    if (at == never || interrupted()) break;
    // Past this, the end of a piece might not fit.
    if (at > 2 * longest) throw_overflow("simulated time");
    now_ = at;
    step();
    observation_.max_in_flight = std::max<std::uint64_t>(observation_.max_in_flight, context_.jobs.in_use());
  }
  observation_.simulated = Time(now_);
  observation_.blocks = context_.blocks;
  observation_.preemptions = context_.preemptions;
  for (std::size_t d = 0; d < plan_.dags.size(); ++d) {
    DagObservation out;
    out.response = std::move(dag_statistics_[d]);
    out.misses = dag_misses_[d];
    for (std::uint32_t v = 0; v < plan_.dags[d].nodes; ++v) {
      const std::uint32_t node = plan_.dags[d].first_node + v;
      out.nodes.push_back(std::move(context_.node_statistics[node]));
      out.node_misses.push_back(node_misses_[node]);
    }
    observation_.dags.push_back(std::move(out));
    observation_.dag_jobs += released_[d];
  }
  return std::move(observation_);
}

void Simulation::step() {
  const auto done = [this](std::uint32_t job) { finish(job); };
  for (auto& p : cpus_) p.complete(now_, done);
  for (auto& p : gpus_) p.complete(now_, done);
  for (auto& p : servers_) p.complete(now_, done);
  while (!timers_.empty() && timers_.top().at == now_) fire(timers_.top());
  if (!arrivals_.empty()) {
    if (scenario_) {
      sort_arrivals();
    } else {
      shuffle_arrivals();
    }
    for (const Arrival& a : arrivals_) admit(a.dag_job, a.node);
    arrivals_.clear();
  }
  for (auto& p : cpus_) p.dispatch(now_);
  for (auto& p : slices_) p.advance(now_);
  for (auto& p : gpus_) p.dispatch(now_);
  for (auto& p : servers_) p.dispatch(now_);
}

// Handles the first timer and takes it out.
void Simulation::fire(const Timer& first) {
  const Timer timer = first;
  if (timer.alarm == Alarm::release) {
    release(timer);
    return;
  }
  timers_.pop();
  switch (timer.alarm) {
    case Alarm::gate: open_gates(timer.id); break;
    case Alarm::order:
      orders_[timer.id].timer = false;
      admit_in_order(timer.id);
      break;
    case Alarm::edge: predecessor_ended(timer.id, timer.node); break;
    case Alarm::release: break;
  }
}

std::int64_t Simulation::next_release(std::uint32_t d, std::uint64_t number) const {
  if (scenario_) return number + 1 < options_.jobs[d].size() ? options_.jobs[d][number + 1].release.count() : never;
  const PlanDag& dag = plan_.dags[d];
  std::int64_t separation = dag.period;
  if (dag.max_delay > 0) separation += between(draw(options_.seed, Draw::jitter, d, number), 0, dag.max_delay);
  separation += lateness(d, number + 1) - lateness(d, number);
  return !dag.once && horizon_ - now_ > separation ? now_ + separation : never;
}

const ScenarioNode& Simulation::in_scenario(std::uint32_t node, std::uint64_t number) const {
  const PlanNode& n = plan_.nodes[node];
  return options_.jobs[n.dag][number].nodes[n.index];
}

void Simulation::release(const Timer& timer) {
  const std::uint32_t d = timer.id;
  const PlanDag& dag = plan_.dags[d];
  const std::uint64_t number = released_[d]++;
  if (const std::int64_t next = next_release(d, number); next != never) {
    timers_.replace_top({next, rank(d, number + 1), d, 0, Alarm::release});
  } else {
    timers_.pop();
  }

  std::uint32_t id = 0;
  if (free_dag_jobs_[d].empty()) {
    id = dag_jobs_.take();
    dag_jobs_[id].pending = static_cast<std::uint32_t>(pending_.size());
    pending_.resize(pending_.size() + dag.nodes);
  } else {
    id = free_dag_jobs_[d].back();
    free_dag_jobs_[d].pop_back();
  }
  DagJob& job = dag_jobs_[id];
  job = {now_, number, d, dag.nodes, job.pending, 0, dag.first_node};
  std::copy_n(initial_.begin() + dag.first_node, dag.nodes, pending_.begin() + job.pending);
  for (const std::uint32_t v : dag.sources) arrive(id, v);
  if (!dag.gates.empty()) open_gates(id);
}

// Opens the gates that are due, and sets a timer for the next.
void Simulation::open_gates(std::uint32_t dag_job) {
  const std::uint32_t d = dag_jobs_[dag_job].dag;
  const std::vector<Gate>& gates = plan_.dags[d].gates;
  const std::int64_t release = dag_jobs_[dag_job].release;
  while (dag_jobs_[dag_job].gate < gates.size()) {
    const Gate& gate = gates[dag_jobs_[dag_job].gate];
    if (release + gate.offset > now_) {
      timers_.push({release + gate.offset, rank(d, dag_jobs_[dag_job].number), dag_job, 0, Alarm::gate});
      return;
    }
    ++dag_jobs_[dag_job].gate;
    const std::uint32_t v = gate.node - plan_.dags[d].first_node;
    if (pending_[dag_jobs_[dag_job].pending + v] > 1) ++observation_.late_releases;
    predecessor_ended(dag_job, gate.node);
  }
}

void Simulation::predecessor_ended(std::uint32_t dag_job, std::uint32_t node) {
  const DagJob& job = dag_jobs_[dag_job];
  if (--pending_[job.pending + node - job.first_node] == 0) arrive(dag_job, node);
}

void Simulation::arrive(std::uint32_t dag_job, std::uint32_t node) {
  if (scenario_ || options_.ties == Ties::random) {
    arrivals_.push_back({dag_job, node});
  } else {
    admit(dag_job, node);
  }
}

void Simulation::shuffle_arrivals() {
  for (std::size_t i = arrivals_.size(); i > 1; --i) {
    const auto j = static_cast<std::size_t>(between(draw(options_.seed, Draw::tie, shuffles_++), 0, static_cast<std::int64_t>(i) - 1));
    std::swap(arrivals_[i - 1], arrivals_[j]);
  }
}

void Simulation::sort_arrivals() {
  const auto rank_of = [&](const Arrival& a) { return in_scenario(a.node, dag_jobs_[a.dag_job].number).rank; };
  std::stable_sort(arrivals_.begin(), arrivals_.end(), [&](const Arrival& a, const Arrival& b) { return rank_of(a) < rank_of(b); });
}

// Equals by ready time come shuffled or sorted within an instant, and keep that order.
std::uint64_t Simulation::place(const RunNode& n, std::uint32_t node, std::uint64_t number) {
  const std::uint64_t sequence = context_.sequence++;
  if (n.position == Position::fixed_by_ready) return sequence;
  if (scenario_) return std::uint64_t{in_scenario(node, number).rank} << 20 | (sequence & most_rank);
  return options_.ties == Ties::random ? draw(options_.seed, Draw::tie, shuffles_++) : sequence;
}

// A node of a DAG job is ready.
void Simulation::admit(std::uint32_t dag_job, std::uint32_t node) {
  const RunNode& n = context_.graph.nodes[node];
  const std::uint32_t id = context_.jobs.take();
  Job& job = context_.jobs[id];
  job.number = dag_jobs_[dag_job].number;
  job.node = node;
  job.dag_job = dag_job;
  job.unassigned = n.pieces;
  job.unfinished = n.pieces;
  job.ready = now_;
  job.begun = false;
  job.at_head = false;
  job.work = scenario_ ? scaled(n.most, in_scenario(node, job.number).execution) : n.most;
  if (n.kind == PoolKind::cpu) {
    if (n.drawn) job.work = context_.execution(plan_.nodes[node], job, 0);
    job.key = n.priority_point + (n.position == Position::after_release ? dag_jobs_[dag_job].release : 0);
  }
  if (n.order == none) {
    enter(id);
    return;
  }
  orders_[n.order].waiting.push_back({job.number, id});
  admit_in_order(n.order);
}

// Lets the next job of an ordered node enter if it is ready, its predecessor has ended (sequential) and its time has come (guarded).
void Simulation::admit_in_order(std::uint32_t index) {
  Order& order = orders_[index];
  const PlanOrder& plan = plan_.orders[index];
  while (!order.busy) {
    const auto at = std::find_if(order.waiting.begin(), order.waiting.end(), [&](const Waiting& w) { return w.number == order.next; });
    if (at == order.waiting.end()) return;
    if (order.earliest > now_) {
      const PlanNode& n = plan_.nodes[plan.node];
      if (!order.timer) timers_.push({order.earliest, rank(n.dag, order.next, n.index), index, 0, Alarm::order});
      order.timer = true;
      return;
    }
    const std::uint32_t job = at->job;
    *at = order.waiting.back();
    order.waiting.pop_back();
    ++order.next;
    order.earliest = now_ + plan.separation;
    order.busy = plan.sequential;
    enter(job);
  }
}

// A job enters its stream, or its pool's queue at once.
void Simulation::enter(std::uint32_t id) {
  Job& job = context_.jobs[id];
  const RunNode& n = context_.graph.nodes[job.node];
  // A sequential job is issued when it is ready, and then waits for the one before.
  if (n.order == none || !plan_.orders[n.order].sequential) job.ready = now_;
  if (n.kind == PoolKind::cpu) {
    if (n.position == Position::ready) job.key = now_;
    cpus_[n.server].enqueue(id, place(n, job.node, job.number));
    return;
  }
  if (n.kind == PoolKind::workers) {
    servers_[n.server].enqueue(id);
    return;
  }
  job.key = static_cast<std::int64_t>(context_.sequence++);
  const bool waits = n.kind == PoolKind::engines && options_.copy_rules == CopyRules::yang2020;
  if (waits) servers_[n.server].wait(id);  // C1
  if (n.stream == stream_per_job && !streams_.every_operation()) {
    job.at_head = true;
    enter_pool(id);
  } else {
    streams_.issue(id, n.stream, [this](std::uint32_t head) { enter_pool(head); });
  }
}

// An operation at the head of its stream.
void Simulation::enter_pool(std::uint32_t id) {
  const RunNode& n = context_.graph.nodes[context_.jobs[id].node];
  if (n.kind == PoolKind::gpu) {
    gpus_[n.server].enqueue(id);
  } else if (options_.copy_rules == CopyRules::yang2020) {
    servers_[n.server].advance();
  } else {
    servers_[n.server].enqueue(id);
  }
}

// Has fetched what `admit` reads of those that become ready.
void Simulation::expect_successors(const Job& job, const RunNode& n) const {
  const DagJob& dag_job = dag_jobs_[job.dag_job];
  for (std::uint32_t e = n.first_edge; e < n.end_edge; ++e) {
    const std::uint32_t to = context_.graph.successors[e];
    if (pending_[dag_job.pending + to - dag_job.first_node] == 1) expect(&context_.graph.nodes[to]);
  }
}

void Simulation::end_edges(const Job& job, const RunNode& n) {
  for (std::uint32_t e = n.first_edge; e < n.end_edge; ++e) {
    const std::uint32_t to = context_.graph.successors[e];
    const std::int64_t delay = context_.graph.delays ? plan_.edges[e].delay : 0;
    if (delay == 0) {
      predecessor_ended(job.dag_job, to);
    } else {
      timers_.push({now_ + delay, rank(n.dag, job.number, to), job.dag_job, to, Alarm::edge});
    }
  }
}

// A job has ended.
void Simulation::finish(std::uint32_t id) {
  const Job job = context_.jobs[id];
  const RunNode& n = context_.graph.nodes[job.node];
  expect_successors(job, n);
  DagJob& dag_job = dag_jobs_[job.dag_job];
  ++observation_.jobs;
  const std::int64_t response = std::max<std::int64_t>(0, now_ - dag_job.release - n.reference);
  context_.node_statistics[job.node].add(response, job.number);
  if (response > n.deadline) ++node_misses_[job.node];
  if (context_.observes(Detail::job)) context_.observer->job(context_.name(job), Time(job.ready), Time(job.started), Time(now_));

  const bool streamed =
      (n.kind == PoolKind::gpu || n.kind == PoolKind::engines) && (n.stream != stream_per_job || streams_.every_operation());
  if (streamed) streams_.end(id, [this](std::uint32_t head) { enter_pool(head); });
  context_.jobs.give_back(id);
  end_edges(job, n);
  if (n.order != none && plan_.orders[n.order].sequential) {
    orders_[n.order].busy = false;
    admit_in_order(n.order);
  }
  if (--dag_job.unfinished == 0) {
    dag_statistics_[n.dag].add(now_ - dag_job.release, job.number);
    if (now_ - dag_job.release > plan_.dags[n.dag].deadline) ++dag_misses_[n.dag];
    if (context_.observes(Detail::dag)) context_.observer->dag(n.dag, job.number, Time(dag_job.release), Time(now_));
    free_dag_jobs_[n.dag].push_back(job.dag_job);
  }
}

}  // namespace rta::simulate
