#include "simulation.hpp"

#include <algorithm>
#include <utility>

namespace rta::simulate {

Simulation::Simulation(const Plan& plan, const Options& options, Observer* observer)
    : plan_(plan),
      options_(options),
      context_{plan, RunGraph(plan), options.seed, observer, {}, {}, std::vector(plan.bodies.size(), none)},
      devices_(!plan.gpus.empty() || !plan.servers.empty()),
      calls_(plan),
      streams_(context_, calls_),
      releases_(static_cast<std::uint32_t>(plan.dags.size())),
      free_dag_job_(plan.dags.size(), none),
      released_(plan.dags.size()),
      orders_(plan.orders.size()),
      threads_(plan.bodies.size()),
      under_way_(plan.dags.size()),
      held_back_(plan.dags.size()),
      scenario_(!options.jobs.empty()),
      horizon_(checked_duration(options.duration, "duration")),
      max_in_flight_(std::min(options.max_jobs_in_flight, Entry::id_mask)) {
  if (std::ranges::any_of(plan.dags, [](const PlanDag& dag) { return !dag.history.empty(); })) {
    for (const PlanDag& dag : plan.dags) past_.emplace_back(dag.history);
  }
  observation_.dags.reserve(plan.dags.size());
  for (const PlanDag& dag : plan.dags) {
    DagObservation& out = observation_.dags.emplace_back();
    out.nodes.resize(dag.nodes);
    out.node_misses.resize(dag.nodes);
  }
  for (const PlanCpu& p : plan.cpus) cpus_.emplace_back(p, context_);
  companies_.resize(plan.companies);
  for (const PlanGpu& p : plan.gpus) {
    Company* const company = p.company == none ? nullptr : &companies_[p.company];
    gpus_.emplace_back(p, options.placement, options.block_times, context_, company, static_cast<std::uint32_t>(gpus_.size()));
  }
  for (const PlanSlices& p : plan.slices) slices_.emplace_back(p, options.slices, std::span(gpus_).subspan(p.first, p.contexts));
  for (const PlanServers& p : plan.servers) servers_.emplace_back(p, context_);
  initial_.reserve(plan.nodes.size());
  for (const PlanNode& n : plan.nodes) initial_.push_back(n.predecessors);
  for (std::uint32_t d = 0; d < plan.dags.size(); ++d) {
    if (plan.dags[d].phase == never) continue;
    const std::int64_t first = plan.dags[d].phase + lateness(d, 0);
    if (scenario_ || first < horizon_) releases_.set(d, first);
  }
}

std::int64_t Simulation::next() const {
  std::int64_t least = releases_.top_key();
  if (!timers_.empty()) least = std::min(least, timers_.top().at);
  for (const auto& p : cpus_) least = std::min(least, p.next());
  if (!devices_) return least;
  for (const auto& p : gpus_) least = std::min(least, p.next());
  for (const auto& p : slices_) least = std::min(least, p.next());
  for (const auto& p : servers_) least = std::min(least, p.next());
  return least;
}

// Whether to end now; looked at only now and then.
bool Simulation::interrupted() {
  if (context_.jobs.in_use() + all_held_back_ > max_in_flight_) {
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
  for (const std::uint64_t jobs : released_) observation_.dag_jobs += jobs;
  return std::move(observation_);
}

void Simulation::step() {
  const auto done = [this](std::uint32_t job) { finish(job); };
  for (auto& p : cpus_) p.complete(now_, done);
  if (devices_) {
    for (auto& p : gpus_) p.complete(now_, done);
    for (auto& p : servers_) p.complete(now_, done);
  }
  fire();
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
  if (!devices_) return;
  for (auto& p : slices_) p.advance(now_);
  for (auto& p : gpus_) p.dispatch(now_);
  for (auto& p : servers_) p.dispatch(now_);
  if (companies_.empty()) return;
  const OtherWork work{std::ranges::any_of(servers_, &Servers::copies), std::ranges::any_of(cpus_, &Processors::busy)};
  for (auto& c : companies_) c.set_other_work(work);
  for (auto& p : gpus_) p.keep_pace(now_);
  for (auto& c : companies_) c.settle();
}

// Releases and timers of this instant, by rank.
void Simulation::fire() {
  while (true) {
    const bool timer = !timers_.empty() && timers_.top().at == now_;
    if (releases_.top_key() == now_) {
      const std::uint32_t d = releases_.top();
      if (!timer || rank(d, released_[d]) < timers_.top().rank) {
        release(d);
        continue;
      }
    }
    if (!timer) return;
    fire_timer();
  }
}

// Handles the first timer and takes it out.
void Simulation::fire_timer() {
  const Timer timer = timers_.top();
  timers_.pop();
  switch (timer.alarm) {
    case Alarm::gate: open_gates(timer.id); break;
    case Alarm::order:
      orders_[timer.id].timer = false;
      admit_in_order(timer.id);
      break;
    case Alarm::edge: predecessor_ended(timer.id, timer.node); break;
  }
}

std::int64_t Simulation::next_release(std::uint32_t d, std::uint64_t number) const {
  if (scenario_) return number + 1 < options_.jobs[d].size() ? options_.jobs[d][number + 1].release.count() : never;
  const PlanDag& dag = plan_.dags[d];
  std::int64_t separation = dag.period;
  if (dag.max_delay > 0) separation += between(draw(options_.seed, Draw::jitter, d, number), 0, dag.max_delay);
  if (dag.jitter > 0) separation += lateness(d, number + 1) - lateness(d, number);
  return !dag.once && horizon_ - now_ > separation ? now_ + separation : never;
}

const ScenarioNode& Simulation::in_scenario(std::uint32_t node, std::uint64_t number) const {
  const PlanNode& n = plan_.nodes[node];
  return options_.jobs[n.dag][number].nodes[n.index];
}

// A slot with counts of the DAG's size.
std::uint32_t Simulation::take_dag_job(std::uint32_t d) {
  if (const std::uint32_t id = free_dag_job_[d]; id != none) {
    free_dag_job_[d] = context_.dag_jobs[id].next;
    return id;
  }
  context_.dag_jobs.emplace_back();
  context_.dag_jobs.back().pending = static_cast<std::uint32_t>(pending_.size());
  pending_.resize(pending_.size() + plan_.dags[d].nodes);
  return static_cast<std::uint32_t>(context_.dag_jobs.size() - 1);
}

void Simulation::release(std::uint32_t d) {
  const PlanDag& dag = plan_.dags[d];
  const std::uint64_t number = released_[d]++;
  releases_.set(d, next_release(d, number));
  const std::uint32_t id = take_dag_job(d);
  DagJob& job = context_.dag_jobs[id];
  job = {now_, number, d, dag.nodes, job.pending, 0, dag.first_node, none, observation_.dags[d].nodes.data(), 0, 0, false, none};
  std::copy_n(initial_.begin() + dag.first_node, dag.nodes, pending_.begin() + job.pending);
  if (!dag.history.empty()) past_[d].release(id, [&](std::uint32_t to) { ++pending_[job.pending + to - job.first_node]; });
  if (dag.in_flight > 0 && under_way_[d] == dag.in_flight) {
    held_back_[d].push(id);
    ++all_held_back_;
    return;
  }
  if (dag.in_flight > 0) ++under_way_[d];
  begin(id);
}

void Simulation::begin(std::uint32_t dag_job) {
  DagJob& job = context_.dag_jobs[dag_job];
  const PlanDag& dag = plan_.dags[job.dag];
  job.begun = true;
  for (const std::uint32_t v : dag.sources) {
    if (pending_[job.pending + v - job.first_node] == 0) arrive(dag_job, v);
  }
  if (!dag.gates.empty()) open_gates(dag_job);
}

void Simulation::begin_next(std::uint32_t d) {
  if (held_back_[d].empty()) {
    --under_way_[d];
    return;
  }
  const std::uint32_t next = held_back_[d].front();
  held_back_[d].pop();
  --all_held_back_;
  DagObservation& dag = observation_.dags[d];
  const Time waited(now_ - context_.dag_jobs[next].release);
  if (waited > Time::zero()) ++dag.held_back;
  dag.longest_wait = std::max(dag.longest_wait, waited);
  begin(next);
}

// Opens the gates that are due, and sets a timer for the next.
void Simulation::open_gates(std::uint32_t dag_job) {
  const std::uint32_t d = context_.dag_jobs[dag_job].dag;
  const std::vector<Gate>& gates = plan_.dags[d].gates;
  const std::int64_t release = context_.dag_jobs[dag_job].release;
  while (context_.dag_jobs[dag_job].gate < gates.size()) {
    const Gate& gate = gates[context_.dag_jobs[dag_job].gate];
    if (release + gate.offset > now_) {
      timers_.push({release + gate.offset, rank(d, context_.dag_jobs[dag_job].number), dag_job, 0, Alarm::gate});
      return;
    }
    ++context_.dag_jobs[dag_job].gate;
    const std::uint32_t v = gate.node - plan_.dags[d].first_node;
    if (pending_[context_.dag_jobs[dag_job].pending + v] > 1) ++observation_.late_releases;
    predecessor_ended(dag_job, gate.node);
  }
}

void Simulation::predecessor_ended(std::uint32_t dag_job, std::uint32_t node) {
  const DagJob& job = context_.dag_jobs[dag_job];
  if (--pending_[job.pending + node - job.first_node] == 0) arrive(dag_job, node);
}

void Simulation::earlier_ended(std::uint32_t dag_job, std::uint32_t node) {
  const DagJob& job = context_.dag_jobs[dag_job];
  if (--pending_[job.pending + node - job.first_node] > 0 || !job.begun) return;
  ++observation_.dags[job.dag].after_earlier;
  arrive(dag_job, node);
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
  const auto rank_of = [&](const Arrival& a) { return in_scenario(a.node, context_.dag_jobs[a.dag_job].number).rank; };
  std::stable_sort(arrivals_.begin(), arrivals_.end(), [&](const Arrival& a, const Arrival& b) { return rank_of(a) < rank_of(b); });
}

// Equals by ready time come shuffled or sorted within an instant, and keep that order.
std::uint64_t Simulation::place(const RunNode& n, std::uint32_t node, std::uint64_t number) {
  const std::uint64_t sequence = context_.sequence++;
  if (n.position == Position::fixed_by_ready) return sequence;
  if (scenario_) return std::uint64_t{in_scenario(node, number).rank} << 20 | (sequence & most_rank);
  return options_.ties == Ties::random || n.position == Position::in_set ? draw(options_.seed, Draw::tie, shuffles_++) : sequence;
}

// A node of a DAG job is ready.
void Simulation::admit(std::uint32_t dag_job, std::uint32_t node) {
  const RunNode& n = context_.graph.nodes[node];
  const std::uint32_t id = context_.jobs.take();
  Job& job = context_.jobs[id];
  job.number = context_.dag_jobs[dag_job].number;
  job.node = node;
  job.dag_job = dag_job;
  job.unassigned = n.pieces;
  job.unfinished = n.pieces;
  job.ready = now_;
  job.begun = false;
  job.at_head = false;
  job.for_thread = false;
  job.keeps = false;
  job.work = n.most;
  if (scenario_) {
    const ScenarioNode& fixed = in_scenario(node, job.number);
    job.work = fixed.takes ? std::min(job.work, fixed.takes->count()) : scaled(n.most, fixed.execution);
  }
  if (n.whole && n.drawn) job.work = context_.execution(plan_.nodes[node], job, 0);
  if (n.kind == PoolKind::cpu) {
    if (n.drawn) job.work = context_.execution(plan_.nodes[node], job, 0);
    job.key = n.priority_point + (n.position == Position::after_release ? context_.dag_jobs[dag_job].release : 0);
  }
  if (n.order == none) {
    enter(id, job, n);
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
    enter(job, context_.jobs[job], context_.graph.nodes[plan.node]);
  }
}

// A job enters its stream, or its pool's queue at once.
void Simulation::enter(std::uint32_t id, Job& job, const RunNode& n) {
  // A sequential job is issued when it is ready, and then waits for the one before.
  if (n.order == none || !plan_.orders[n.order].sequential) job.ready = now_;
  if (n.in_body) {
    enter_in_body(id, job, n);
  } else if (n.spins) {
    enter_spinning(id, job, n);
  } else if (n.call && n.kind == PoolKind::cpu) {
    enter_call(id, job);
  } else if (n.kind == PoolKind::cpu) {
    enter_processors(id, job, n);
  } else {
    enter_device(id, job, n);
  }
}

void Simulation::enter_processors(std::uint32_t id, Job& job, const RunNode& n) {
  if (n.position == Position::ready || n.position == Position::in_run) {
    enter_fifo(id, job, n);
  } else {
    cpus_[n.server].enqueue(id, job.key, place(n, job.node, job.number));
  }
}

void Simulation::enter_spinning(std::uint32_t id, Job& job, const RunNode& n) {
  const Spinning spinning = plan_.nodes[job.node].spinning;
  if (n.kind != PoolKind::cpu) {
    enter_device(id, job, n);
    return;
  }
  job.keeps = spinning != Spinning::last;
  if (spinning == Spinning::first) {
    enter_processors(id, job, n);
  } else {
    cpus_[n.server].go_on(id, context_.dag_jobs[job.dag_job].processor, now_);
  }
}

// A thread that goes on with its next node stands where it stood, before all that wait.
void Simulation::enter_fifo(std::uint32_t id, Job& job, const RunNode& n) {
  DagJob& of = context_.dag_jobs[job.dag_job];
  if (n.position == Position::ready) {
    of.run_key = now_;
    of.run_place = place(n, job.node, job.number);
  }
  job.key = of.run_key;
  cpus_[n.server].enqueue(id, job.key, of.run_place);
}

// A thread stands where its job first stood; one that keeps its processor goes on there.
void Simulation::enter_in_body(std::uint32_t id, Job& job, const RunNode& n) {
  const std::uint32_t number = plan_.nodes[job.node].body;
  const PlanBody& body = plan_.bodies[number];
  Thread& thread = threads_[number];
  const bool begins = job.node == body.first;
  const bool on_cpu = n.kind == PoolKind::cpu;
  job.keeps = body.keeps && job.node != body.last;
  if (body.keeps && begins) {
    job.for_thread = !on_cpu;
    job.key = now_;
    cpus_[body.cpu].enqueue(id, job.key, place(n, job.node, job.number));
  } else if (!on_cpu) {
    thread.placed = thread.placed && !begins;
    enter_device(id, job, n);
  } else if (body.keeps) {
    cpus_[body.cpu].go_on(id, context_.kept[number], now_);
  } else {
    if (begins || !thread.placed) thread.place = place(n, job.node, job.number);
    thread.placed = true;
    cpus_[body.cpu].enqueue(id, job.key, thread.place);
  }
}

std::uint32_t Simulation::leave_body(std::uint32_t node) {
  const std::uint32_t number = plan_.nodes[node].body;
  const PlanBody& body = plan_.bodies[number];
  if (node != body.last) return none;
  if (body.keeps && context_.graph.nodes[node].kind != PoolKind::cpu) cpus_[body.cpu].let_go(context_.kept[number]);
  return plan_.nodes[body.first].order;
}

void Simulation::enter_device(std::uint32_t id, Job& job, const RunNode& n) {
  if (n.kind == PoolKind::workers) {
    servers_[n.server].enqueue(id);
    return;
  }
  if (calls_.any() && calls_.blocked()) {
    calls_.hold(id);
    return;
  }
  job.key = static_cast<std::int64_t>(context_.sequence++);
  if (calls_.any()) {
    calls_.issue(id, job.key, n.stream);
    if (n.call) calls_.make(id, job.key, plan_.nodes[job.node].call);
  }
  const bool waits = n.kind == PoolKind::engines && options_.copy_rules == CopyRules::yang2020;
  if (waits) servers_[n.server].wait(id);  // C1
  if (n.stream == stream_per_job && !streams_.every_operation()) {
    job.at_head = true;
    enter_pool(id);
  } else {
    streams_.issue(id, n.stream, [this](std::uint32_t head) { enter_pool(head); });
  }
}

void Simulation::enter_call(std::uint32_t id, Job& job) {
  if (calls_.blocked()) {
    calls_.hold(id);
    return;
  }
  job.key = static_cast<std::int64_t>(context_.sequence++);
  job.started = now_;
  calls_.make(id, job.key, plan_.nodes[job.node].call);
  settle_calls();
}

void Simulation::settle_calls() {
  while (const auto id = calls_.returned()) {
    const Job& job = context_.jobs[*id];
    if (context_.observes(Detail::block))
      context_.observer->run(context_.name(job), plan_.nodes[job.node].server, Time(job.ready), Time(now_));
    finish(*id);
  }
  if (calls_.let_go()) streams_.calls_let_go([this](std::uint32_t head) { enter_pool(head); });
  while (const auto id = calls_.next_held()) {
    Job& job = context_.jobs[*id];
    const RunNode& n = context_.graph.nodes[job.node];
    if (n.kind == PoolKind::cpu) {
      enter_call(*id, job);
    } else {
      enter_device(*id, job, n);
    }
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
void Simulation::expect_successors(const DagJob& dag_job, const RunNode& n) const {
  for (std::uint32_t e = n.first_edge; e < n.end_edge; ++e) {
    const std::uint32_t to = context_.graph.successors[e];
    if (pending_[dag_job.pending + to - dag_job.first_node] == 1) expect(&context_.graph.nodes[to]);
  }
}

void Simulation::end_edges(std::uint32_t dag_job, const RunNode& n) {
  for (std::uint32_t e = n.first_edge; e < n.end_edge; ++e) {
    const std::uint32_t to = context_.graph.successors[e];
    const std::int64_t delay = context_.graph.delays ? plan_.edges[e].delay : 0;
    if (delay == 0) {
      predecessor_ended(dag_job, to);
    } else {
      timers_.push({now_ + delay, rank(n.dag, context_.dag_jobs[dag_job].number, to), dag_job, to, Alarm::edge});
    }
  }
}

// A job has ended.
void Simulation::finish(std::uint32_t id) {
  Job& job = context_.jobs[id];
  const std::uint32_t of = job.dag_job;
  const RunNode& n = context_.graph.nodes[job.node];
  if (job.for_thread) {  // its thread has a processor
    job.for_thread = false;
    job.begun = false;
    job.ready = now_;
    enter_device(id, job, n);
    return;
  }
  DagJob& dag_job = context_.dag_jobs[of];
  expect_successors(dag_job, n);
  ++observation_.jobs;
  const std::int64_t response = std::max<std::int64_t>(0, now_ - dag_job.release - n.reference);
  Context::statistics_of(job, dag_job).add(response, dag_job.number);
  if (response > n.deadline) ++observation_.dags[n.dag].node_misses[job.node - dag_job.first_node];
  if (context_.observes(Detail::job)) context_.observer->job(context_.name(job), Time(job.ready), Time(job.started), Time(now_));

  const bool streamed =
      (n.kind == PoolKind::gpu || n.kind == PoolKind::engines) && (n.stream != stream_per_job || streams_.every_operation());
  const bool counts_for_calls = calls_.any() && n.kind != PoolKind::cpu;
  if (counts_for_calls) calls_.end(id);
  if (streamed) streams_.end(id, [this](std::uint32_t head) { enter_pool(head); });
  if (n.spins && n.kind != PoolKind::cpu && plan_.nodes[job.node].spinning == Spinning::last)
    cpus_[plan_.nodes[job.node].processors].let_go(dag_job.processor);
  const std::uint32_t order = n.in_body ? leave_body(job.node) : n.order;
  const std::uint32_t node = job.node;
  context_.jobs.give_back(id);
  if (counts_for_calls) settle_calls();
  end_edges(of, n);
  if (!past_.empty()) past_[n.dag].end(dag_job.number, node, [this](std::uint32_t later, std::uint32_t to) { earlier_ended(later, to); });
  if (order != none && plan_.orders[order].sequential) {
    orders_[order].busy = false;
    admit_in_order(order);
  }
  if (--dag_job.unfinished == 0) {
    DagObservation& dag = observation_.dags[n.dag];
    dag.response.add(now_ - dag_job.release, dag_job.number);
    if (now_ - dag_job.release > plan_.dags[n.dag].deadline) ++dag.misses;
    if (context_.observes(Detail::dag)) context_.observer->dag(n.dag, dag_job.number, Time(dag_job.release), Time(now_));
    dag_job.next = free_dag_job_[n.dag];
    free_dag_job_[n.dag] = of;
    if (plan_.dags[n.dag].in_flight > 0) begin_next(n.dag);
  }
}

}  // namespace rta::simulate
