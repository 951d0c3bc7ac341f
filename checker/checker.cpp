#include "checker.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_set>

#include "blocking.hpp"
#include "certificate.hpp"
#include "ends.hpp"
#include "hard.hpp"
#include "kernels.hpp"
#include "parameters.hpp"
#include "path.hpp"
#include "processors.hpp"
#include "sha256.hpp"
#include "static_order.hpp"

namespace checker {
namespace {

class Checker {
 public:
  Checker(const TaskSet& set, const Certificate& certificate, std::string_view file) : set_(set), certificate_(certificate), file_(file) {
    for (std::string& line : lines_of(certificate.grouped ? certificate.fine : set)) parameters_.insert(std::move(line));
    tasks_.resize(set.pools.size());
    late_.resize(set.pools.size());
    place_.resize(set.dags.size());
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

  Outcome run() {
    Outcome outcome;
    for (const Statement& statement : certificate_.statements) {
      Verdict verdict{statement.line, std::string(statement.text), true, {}};
      try {
        check(statement);
      } catch (const Refused& refused) {
        verdict.verified = false;
        verdict.why = refused.what();
      } catch (const OutOfRange& error) {
        verdict.verified = false;
        verdict.why = error.what();
      } catch (const std::invalid_argument& error) {
        statement.fail(error.what());
      }
      outcome.verdicts.push_back(std::move(verdict));
    }
    for (const std::string& line : parameters_) outcome.verdicts.push_back({0, line, false, "the certificate does not state this"});
    for (const std::string_view line : certificate_.assumptions) outcome.assumptions.emplace_back(line);
    return outcome;
  }

 private:
  /// docs/theory.md, "Kernels' jitter": a node that a group awaits comes up to the group's bound after its release.
  void add_awaited() {
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

  [[nodiscard]] std::size_t queue_of(const Node& node) const {
    const Pool& pool = set_.pools[node.pool];
    return pool.kind == Kind::engines && pool.size > 1 && node.d2h ? 1 : 0;
  }

  /// docs/theory/jitter.md, "At offsets": by nominal periods and J. Where nodes are released early, or by groups, releases of a node are no
  /// more than T - J apart.
  static bool is_late(const Statement& statement) { return statement.words.back() == "late"; }
  [[nodiscard]] const std::array<std::vector<Task>, 2>& tasks_of(const Statement& statement, std::size_t p) const {
    if (!is_late(statement)) return tasks_[p];
    need(certificate_.release == "offsets" && !certificate_.grouped, "nominal periods are for nodes that are released at their offsets");
    return late_[p];
  }

  [[nodiscard]] bool at_offsets() const { return certificate_.release == "offsets" || certificate_.release == "early"; }

  void check(const Statement& statement) {
    const std::string_view kind = statement.word(0);
    if (kind == "file") {
      need(certificate_.sha256 == file_, "the certificate is about another file");
    } else if (kind == "pool" || kind == "dag" || kind == "node" || kind == "chain") {
      need(parameters_.erase(std::string(statement.text)) == 1, "the file does not say so, or this was stated before");
    } else if (kind == "segments") {
      need(certificate_.release == "segments", "there are no segments");
    } else if (kind == "lanes") {
      const bool whole_paths = certificate_.release == "completion" || certificate_.release == "segments";
      need(whole_paths, "lanes are for release on completion and on segments");
      paths(statement.index(1, set_.dags.size())).check_lanes(statement.index(1, set_.dags.size()));
    } else if (kind == "family") {
      need(certificate_.release == "completion", "families of chains are for release on completion");
      paths(statement.index(1, set_.dags.size())).check_families(statement.index(1, set_.dags.size()));
    } else if (kind == "strands") {
      need(!at_offsets(), "strands are for releases on completion");
      const auto same = [&](const GivenStrands& given) { return given.by == &statement; };
      paths(statement.index(1, set_.dags.size())).check(*std::find_if(certificate_.strands.begin(), certificate_.strands.end(), same));
    } else if (kind == "weights") {
      const Weights& weights = certificate_.weights.at(statement.number(1));
      check_weights(weights, tasks_[weights.pool][0], gpu(weights.pool));
    } else if (kind == "counted") {
      need(certificate_.counted.at(statement.index(1, set_.pools.size()))->pool == statement.index(1, set_.pools.size()),
           "the weights are of another GPU");
    } else if (kind == "base") {
      static_cast<void>(base(statement));
    } else if (kind == "order") {
      static_order().check_order();
    } else if (kind == "shared") {
      static_order().check_shared(statement);
    } else if (kind == "job") {
      static_order().check_job(statement);
    } else if (kind == "bound") {
      bound(statement, statement.index(1, set_.dags.size()));
    } else if (kind == "granularity") {
      need(certificate_.release == "offsets", "groups are released at offsets");
    } else if (kind == "awaited") {
      awaited(statement);
    } else if (kind == "latencies") {
      check_latencies(set_, certificate_, statement.index(1, set_.chains.size()));
    } else if (kind == "end") {
      check_end(certificate_, statement.index(1, set_.dags.size()));
    } else if (kind == "overload") {
      overload(statement);
    } else if (kind == "verdict") {
      check_verdict(set_, certificate_, statement);
    }
  }

  StaticOrder& static_order() {
    if (!order_) order_.emplace(set_, certificate_);
    return *order_;
  }

  const Pool& gpu(std::size_t p) const {
    need(set_.pools[p].kind == Kind::gpu, "the pool is no GPU");
    return set_.pools[p];
  }

  /// docs/theory/cpu.md: T1 to T4 let an earlier priority point preempt; under FIFO none ever would. T1b and T3b are for jobs that are
  /// released at their offsets and keep their processors.
  void check_processors(std::size_t p, bool blocking) const {
    const Pool& pool = set_.pools[p];
    const auto& tasks = tasks_[p][0];
    need(pool.scheduler != "FP", "no theorem here is for fixed priorities");
    for (const Task& task : tasks) {
      need(task.claim->by != nullptr && task.claim->Y, "a task of the pool has no bound or no priority point");
      need(pool.scheduler != "FIFO" || *task.claim->Y == *tasks.front().claim->Y, "under FIFO all priority points are equal");
      need(pool.preemptive || blocking || (pool.scheduler == "FIFO" && certificate_.release != "early" && !task.node->sequential),
           "the theorem needs preemption");
    }
    need(!blocking || (certificate_.release != "early" && !certificate_.grouped), "the theorem is for no early releases, nor for groups");
  }

  /// docs/theory/cpu.md, T3s: no job of a sequential task ever waits for its predecessor. T3 and T4 allow for it.
  static void check_sequence(const std::vector<Task>& tasks, bool by_theorem) {
    for (const Task& task : tasks) {
      need(task.known, "a task of the pool rests on a bound that is not there");
      if (by_theorem) continue;
      need(!task.node->sequential || (task.claim->by != nullptr && task.claim->R + task.J <= task.T),
           "a sequential node may still run when its next job is ready");
    }
  }

  /// What a base promises; made once.
  const BoundOf& base(const Statement& statement) {
    const auto known = bases_.find(&statement);
    if (known != bases_.end()) return known->second;
    need(at_offsets(), "bases are for releases at offsets");
    const std::size_t p = statement.index(3, set_.pools.size());
    const Pool& pool = set_.pools[p];
    const bool two_queues = pool.kind == Kind::engines || pool.kind == Kind::workers;
    const bool by_theorem = statement.word(2) == "T3" || statement.word(2) == "T3b" || statement.word(2) == "T4";
    need(!by_theorem || !is_late(statement), "the theorem counts releases T - J apart");
    const auto& tasks = tasks_of(statement, p)[two_queues ? statement.index(4, 2) : 0];
    check_sequence(tasks, by_theorem);
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

  /// Whether one of the DAGs of paths(d) visits a pool under fixed priorities.
  bool beside_fixed_priorities(std::size_t d) {
    if (certificate_.grouped) return false;
    set_components();
    return under_fp_.count(component_[d]) > 0;
  }

  /// DAGs that share pools, or that share them with others that do.
  void set_components() {
    if (!component_.empty()) return;
    component_.resize(set_.dags.size());
    std::vector<std::size_t> root(set_.pools.size());
    for (std::size_t p = 0; p < root.size(); ++p) root[p] = p;
    const auto find = [&](std::size_t p) {
      while (root[p] != p) p = root[p] = root[root[p]];
      return p;
    };
    for (const Dag& dag : set_.dags) {
      for (const Node& node : dag.nodes) root[find(node.pool)] = find(dag.nodes.front().pool);
    }
    for (std::size_t e = 0; e < set_.dags.size(); ++e) {
      component_[e] = find(set_.dags[e].nodes.front().pool);
      for (const Node& node : set_.dags[e].nodes) {
        if (set_.pools[node.pool].kind == Kind::cpu && set_.pools[node.pool].scheduler == "FP") under_fp_.insert(component_[e]);
      }
    }
  }

  /// Of the DAG's component.
  Paths& paths(std::size_t d) {
    need(!certificate_.grouped, "groups are released at offsets");
    set_components();
    std::unique_ptr<Paths>& made = paths_[component_[d]];
    if (!made) {
      std::vector<std::size_t> dags;
      for (std::size_t e = 0; e < set_.dags.size(); ++e) {
        if (component_[e] == component_[d]) dags.push_back(e);
      }
      made = std::make_unique<Paths>(set_, certificate_, dags);
    }
    return *made;
  }

  void bound(const Statement& statement, std::size_t d) {
    const std::size_t v = statement.index(2, set_.dags[d].nodes.size());
    check_offset(set_, certificate_, d, v);
    const Claim& claim = certificate_.claims[d][v];
    if (claim.rule == "uncertified") throw Refused("this kind of bound has no certificate yet");
    if (certificate_.release == "static") {
      if (!StaticOrder::has_rule(claim.rule)) statement.fail("no such rule for bounds of a static order: T15, T15w, T15g");
      static_order().check_bound(d, v);
      return;
    }
    if (Hard::has_rule(claim.rule)) {
      const std::size_t p = set_.dags[d].nodes[v].pool;
      auto& hard = hard_[p];
      if (!hard) hard.emplace(set_, certificate_, p);
      hard->check(claim);
      return;
    }
    // Under fixed priorities a node that is released at its offset is a segment of its own.
    const bool node_by_node = certificate_.release == "offsets" && beside_fixed_priorities(d);
    if (!at_offsets() || node_by_node) {
      paths(d).check(d, v);
      return;
    }
    const Node& node = set_.dags[d].nodes[v];
    at_offsets_bound(statement, node, place_[d][v], 6);
  }

  void awaited(const Statement& statement) {
    std::size_t i = 0;
    while (certificate_.awaited_claims[i].by != &statement) ++i;
    const Node& node = certificate_.fine.dags[certificate_.awaited[i].dag].nodes[certificate_.awaited[i].node];
    at_offsets_bound(statement, node, awaited_place_[i], 4);
  }

  /// A bound of a node that is released by itself, the task at this place of its queue; its rule begins at this word.
  void at_offsets_bound(const Statement& statement, const Node& node, std::size_t place, std::size_t rule) {
    const std::size_t queue = queue_of(node);
    const Claim& claim = *tasks_[node.pool][queue][place].claim;
    Int least = 0;
    if (claim.rule == "T1n" || claim.rule == "T1bn") {
      need(set_.pools[node.pool].kind == Kind::cpu && certificate_.release != "early", "T1n is for processors, and no early releases");
      const bool blocking = is_without_preemption(claim.rule);
      const auto& tasks = tasks_of(statement, node.pool)[0];
      auto& made = fed_back_[{node.pool, blocking, is_late(statement)}];
      if (!made) {
        check_processors(node.pool, blocking);
        check_sequence(tasks, false);
        made = blocking ? T1bn(tasks, set_.pools[node.pool]) : T1n(tasks, set_.pools[node.pool]);
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
  }

  /// docs/theory/cpu.md, gpu.md: a pool that is asked for more than it has has no bound.
  void overload(const Statement& statement) const {
    need(!certificate_.grouped, "the load of groups rests on bounds of what they await");
    const std::size_t p = statement.index(1, set_.pools.size());
    const Pool& pool = set_.pools[p];
    if (pool.kind == Kind::gpu) {
      check_overload(late_[p][0], pool, statement);
      return;
    }
    Load load;
    for (const Task& task : late_[p][statement.index(2, 2)]) load.add(task.node->L * task.node->B, task.T);
    const Int capacity = pool.kind == Kind::engines ? Int(1) : pool.size;
    need(statement.number(3) == capacity, "the pool's capacity is another");
    need(load.above(capacity), "U is not above the capacity");
  }

  const TaskSet& set_;
  const Certificate& certificate_;
  std::string_view file_;  // its SHA-256
  std::unordered_set<std::string> parameters_;
  std::vector<std::array<std::vector<Task>, 2>> tasks_;  // pool, queue
  std::vector<std::array<std::vector<Task>, 2>> late_;   // the same by nominal releases, without what groups await
  std::vector<std::vector<std::size_t>> place_;          // DAG, node -> its place there
  std::vector<std::size_t> awaited_place_;               // likewise, of what groups await
  std::map<const Statement*, BoundOf> bases_;
  std::map<std::tuple<std::size_t, bool, bool>, BoundOf> fed_back_;  // pool, without preemption, late
  std::map<std::size_t, std::optional<Hard>> hard_;                  // pool
  std::optional<StaticOrder> order_;
  std::vector<std::size_t> component_;  // DAG -> one of its component's pools
  std::set<std::size_t> under_fp_;      // components with a pool under fixed priorities
  std::map<std::size_t, std::unique_ptr<Paths>> paths_;
};

}  // namespace

std::size_t Outcome::refused() const {
  return static_cast<std::size_t>(std::count_if(verdicts.begin(), verdicts.end(), [](const Verdict& v) { return !v.verified; }));
}

Outcome check(std::string_view task_set, std::string_view certificate) {
  const auto reading = [](const char* what, const auto& read) {
    try {
      return read();
    } catch (const BadInput& error) {
      throw BadInput(std::string(what) + ":" + error.what());
    } catch (const OutOfRange& error) {
      throw BadInput(std::string(what) + ": " + error.what());
    }
  };
  TaskSet set = reading("task set", [&] { return read_task_set(task_set); });
  return reading("certificate", [&] {
    const auto read = std::make_unique<Certificate>(certificate, set);
    return Checker(set, *read, sha256(task_set)).run();
  });
}

}  // namespace checker
