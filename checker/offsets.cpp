#include "offsets.hpp"

#include "blocking.hpp"
#include "kernels.hpp"
#include "own_order.hpp"

namespace checker {

Offsets::Offsets(const TaskSet& set, const Certificate& certificate)
    : set_(set), certificate_(certificate), tasks_(set.pools.size()), late_(set.pools.size()), place_(set.dags.size()) {
  for (std::size_t d = 0; d < set.dags.size(); ++d) {
    for (std::size_t v = 0; v < set.dags[d].nodes.size(); ++v) {
      const Node& node = set.dags[d].nodes[v];
      auto& tasks = tasks_[node.pool][queue_of(node)];
      place_[d].push_back(tasks.size());
      tasks.push_back({&node, set.dags[d].T, &certificate.claims[d][v], 0, true});
      late_[node.pool][queue_of(node)].push_back({&node, set.dags[d].T + set.dags[d].J, &certificate.claims[d][v], set.dags[d].J, true});
    }
  }
  add_awaited();
}

/// docs/theory.md, "Kernels' jitter": a node that a group awaits comes up to the group's bound after its release.
void Offsets::add_awaited() {
  for (std::size_t i = 0; i < certificate_.awaited.size(); ++i) {
    const auto& [d, v, group] = certificate_.awaited[i];
    const Node& node = certificate_.fine.dags[d].nodes[v];
    const Claim& of_group = certificate_.claims[d][group];
    auto& tasks = tasks_[node.pool][queue_of(node)];
    awaited_place_.push_back(tasks.size());
    tasks.push_back({&node, set_.dags[d].T, &certificate_.awaited_claims[i], of_group.R, of_group.by != nullptr});
    Task& issuer = tasks_[set_.dags[d].nodes[group].pool][0][place_[d][group]];
    issuer.known = issuer.known && certificate_.awaited_claims[i].by != nullptr;
  }
}

std::size_t Offsets::queue_of(const Node& node) const {
  const Pool& pool = set_.pools[node.pool];
  return pool.kind == Kind::engines && pool.size > 1 && node.d2h ? 1 : 0;
}

/// docs/theory/jitter.md, "At offsets": by nominal periods and J. Where nodes are released early, or by groups, releases of a node are no
/// more than T - J apart.
const Offsets::Queues& Offsets::tasks_of(const Statement& statement, std::size_t p) const {
  if (!is_late(statement)) return tasks_[p];
  need(certificate_.release == "offsets" && !certificate_.grouped, "nominal periods are for nodes that are released at their offsets");
  return late_[p];
}

void Offsets::check_weights(const Weights& weights) const {
  const Pool& pool = set_.pools[weights.pool];
  need(pool.kind == Kind::gpu, "the pool is no GPU");
  std::vector<Task> tasks = tasks_[weights.pool][0];
  std::erase_if(tasks, [](const Task& task) { return !task.node->by_blocks(); });  // T29: the others have weights
  checker::check_weights(weights, tasks, pool);
}

/// docs/theory/cpu.md: T1 to T4 let an earlier priority point preempt; under FIFO none ever would. T1b and T3b are for jobs that are
/// released at their offsets and keep their processors. FIFO is by ready time, which is the release of what nothing comes before.
void Offsets::check_processors(std::size_t p, bool blocking) const {
  const Pool& pool = set_.pools[p];
  const auto& tasks = tasks_[p][0];
  need(pool.scheduler != "FP", "no theorem here is for fixed priorities");
  for (const Task& task : tasks) {
    need(task.claim->by != nullptr && task.claim->Y, "a task of the pool has no bound or no priority point");
    need(pool.scheduler != "FIFO" || *task.claim->Y == *tasks.front().claim->Y, "under FIFO all priority points are equal");
    need(pool.scheduler != "FIFO" || certificate_.release != "early" || task.node->before.empty(),
         "a node of a FIFO pool may be ready before its offset");
    need(pool.preemptive || blocking ||
             (pool.scheduler == "FIFO" && certificate_.release != "early" && (certificate_.grouped || !task.node->sequential)),
         "the theorem needs preemption");
  }
  need(!blocking || (certificate_.release != "early" && !certificate_.grouped), "the theorem is for no early releases, nor for groups");
}

/// docs/theory/cpu.md, T3s: no job of a sequential task ever waits for its predecessor, or that changes nothing. T3 and T4 allow for it
/// where the order is that of releases.
void Offsets::check_sequence(const std::vector<Task>& tasks, const Pool& pool, bool by_theorem) const {
  const bool in_order = in_own_order(pool) && !certificate_.grouped && certificate_.release != "early";
  for (const Task& task : tasks) {
    need(task.known, "a task of the pool rests on a bound that is not there");
    if (by_theorem || in_order) continue;
    need(!task.node->sequential || (task.claim->by != nullptr && task.claim->R + task.J <= task.T),
         "a sequential node may still run when its next job is ready");
  }
}

/// What a base promises; made once.
const BoundOf& Offsets::base(const Statement& statement) {
  const auto known = bases_.find(&statement);
  if (known != bases_.end()) return known->second;
  need(certificate_.release == "offsets" || certificate_.release == "early", "bases are for releases at offsets");
  const std::size_t p = statement.index(3, set_.pools.size());
  const Pool& pool = set_.pools[p];
  const bool two_queues = pool.kind == Kind::engines || pool.kind == Kind::workers;
  const bool by_theorem = statement.word(2) == "T3" || statement.word(2) == "T3b" || statement.word(2) == "T4";
  const bool by_release = pool.kind == Kind::cpu && pool.scheduler != "FIFO";
  need(!by_theorem || !is_late(statement), "the theorem counts releases T - J apart");
  const auto& tasks = tasks_of(statement, p)[two_queues ? statement.index(4, 2) : 0];
  check_sequence(tasks, pool, by_theorem && by_release);
  BoundOf made;
  if (pool.kind == Kind::cpu) {
    need(!tasks.empty(), "the pool has no tasks");
    check_processors(p, is_without_preemption(statement.word(2)));
    made = processors_base(tasks, pool, statement);
  } else if (pool.kind == Kind::gpu) {
    need(!tasks.empty(), "the pool has no tasks");
    made = kernels_base(tasks, pool, statement, certificate_);
  } else {
    made = items_base(tasks, pool, statement);
  }
  return bases_.emplace(&statement, std::move(made)).first->second;
}

void Offsets::check_bound(const Statement& statement, std::size_t d, std::size_t v) {
  check_rule(statement, set_.dags[d].nodes[v], place_[d][v], 6);
}

void Offsets::check_awaited(const Statement& statement) {
  std::size_t i = 0;
  while (certificate_.awaited_claims[i].by != &statement) ++i;
  const Node& node = certificate_.fine.dags[certificate_.awaited[i].dag].nodes[certificate_.awaited[i].node];
  check_rule(statement, node, awaited_place_[i], 4);
}

/// A bound of a node that is released by itself, the task at this place of its queue; its rule begins at this word.
void Offsets::check_rule(const Statement& statement, const Node& node, std::size_t place, std::size_t rule) {
  const std::size_t queue = queue_of(node);
  const Claim& claim = *tasks_[node.pool][queue][place].claim;
  Int least = 0;
  if (claim.rule == "T1n" || claim.rule == "T1bn") {
    need(set_.pools[node.pool].kind == Kind::cpu && certificate_.release != "early", "T1n is for processors, and no early releases");
    const bool blocking = is_without_preemption(claim.rule);
    const Pool& pool = set_.pools[node.pool];
    need(!blocking || !pool.preemptive || pool.scheduler == "FIFO", "T1bn is for jobs that run to their ends");
    const auto& tasks = tasks_of(statement, node.pool)[0];
    auto& made = fed_back_[{node.pool, blocking, is_late(statement)}];
    if (!made) {
      check_processors(node.pool, blocking);
      check_sequence(tasks, pool, false);
      made = blocking ? T1bn(tasks, pool) : T1n(tasks, pool);
    }
    least = made(tasks[place]);
  } else if (claim.rule == "base") {
    const auto found = certificate_.bases.find(statement.number(rule + 1));
    if (found == certificate_.bases.end()) statement.fail("no such base is stated");
    const Statement& by = *found->second;
    const bool of_queue = set_.pools[node.pool].kind == Kind::cpu || set_.pools[node.pool].kind == Kind::gpu ||
                          by.number(4) == Int(static_cast<std::int64_t>(queue));
    need(by.number(3) == Int(static_cast<std::int64_t>(node.pool)) && of_queue, "the base is of another pool or direction");
    need(!by.word(2).starts_with("T1r") || certificate_.release != "early", "T1r is for no early releases");
    const BoundOf& promised = base(by);
    least = promised(tasks_of(by, node.pool)[queue][place]);
  } else {
    statement.fail("no such rule for bounds at offsets: base, T1n, T1bn");
  }
  if (claim.R < least) throw Refused("the theorem gives no less than " + to_string(least));
  need(claim.R >= node.L, "the bound is below C (L)");  // T1n, T1bn and T6n count no job of a node with R = 0, its own neither
}

/// docs/theory/cpu.md, gpu.md: a pool that is asked for more than it has has no bound.
void Offsets::check_overload(const Statement& statement) const {
  need(!certificate_.grouped, "the load of groups rests on bounds of what they await");
  const std::size_t p = statement.index(1, set_.pools.size());
  const Pool& pool = set_.pools[p];
  if (pool.kind == Kind::gpu) {
    checker::check_overload(late_[p][0], pool, statement);
    return;
  }
  Load load;
  for (const Task& task : late_[p][statement.index(2, 2)]) load.add(task.node->L * task.node->B, task.T);
  const Int capacity = pool.kind == Kind::engines ? Int(1) : pool.size;
  need(statement.number(3) == capacity, "the pool's capacity is another");
  need(load.above(capacity), "U is not above the capacity");
}

}  // namespace checker
