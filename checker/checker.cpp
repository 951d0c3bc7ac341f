#include "checker.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

#include "admission.hpp"
#include "assumed.hpp"
#include "certificate.hpp"
#include "company.hpp"
#include "ends.hpp"
#include "executors.hpp"
#include "hard.hpp"
#include "job_windows.hpp"
#include "offsets.hpp"
#include "parameters.hpp"
#include "path.hpp"
#include "reachable_ends.hpp"
#include "sha256.hpp"
#include "static_order.hpp"
#include "threads.hpp"

namespace checker {
namespace {

class Checker {
 public:
  Checker(const TaskSet& set, const Certificate& certificate, std::string_view file)
      : set_(set), certificate_(certificate), file_(file), offsets_(set, certificate) {
    const TaskSet& given = certificate.grouped ? certificate.fine : set;
    for (std::string& line : lines_of(given)) parameters_.insert(std::move(line));
    has_limits_ =
        std::any_of(given.dags.begin(), given.dags.end(), [](const Dag& dag) { return dag.in_flight > 0 || !dag.history.empty(); });
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
    for (const std::string& line : without_company(set_, certificate_))
      outcome.verdicts.push_back({0, line, false, "the certificate does not say how long this kernel takes beside its company"});
    outcome.assumptions = assumed(set_, certificate_);
    return outcome;
  }

 private:
  [[nodiscard]] bool at_offsets() const { return certificate_.release == "offsets" || certificate_.release == "early"; }

  void check(const Statement& statement) {
    const std::string_view kind = statement.word(0);
    if (kind == "file") {
      need(certificate_.sha256 == file_, "the certificate is about another file");
    } else if (kind == "pool" || kind == "dag" || kind == "node" || kind == "after" || kind == "chain") {
      need(parameters_.erase(std::string(statement.text)) == 1, "the file does not say so, or this was stated before");
    } else if (kind == "company") {
      const std::size_t d = statement.index(1, set_.dags.size());
      check_company(set_, certificate_, d, statement.index(2, set_.dags[d].nodes.size()));
    } else if (kind == "inside") {
      check_inside(set_, certificate_, statement);
    } else if (kind == "window") {
      check_window(set_, certificate_, statement);
    } else if (kind == "stay") {
      check_stay(set_, certificate_, statement);
    } else if (kind == "segments") {
      need(certificate_.release == "segments", "there are no segments");
    } else if (kind == "lanes") {
      const bool whole_paths = certificate_.release == "completion" || certificate_.release == "segments";
      need(whole_paths, "lanes are for release on completion and on segments");
      paths(statement.index(1, set_.dags.size()), false).check_lanes(statement.index(1, set_.dags.size()));
    } else if (kind == "family") {
      need(certificate_.release == "completion", "families of chains are for release on completion");
      paths(statement.index(1, set_.dags.size()), false).check_families(statement.index(1, set_.dags.size()));
    } else if (kind == "windows") {
      const std::size_t d = statement.index(1, set_.dags.size());
      job_windows().check_ends(d, statement.index(2, set_.dags[d].nodes.size()));
    } else if (kind == "reached") {
      const std::size_t d = statement.index(1, set_.dags.size());
      reachable_ends().check(d, statement.index(2, set_.dags[d].nodes.size()));
    } else if (kind == "follow") {
      need_to_follow(set_, statement.index(1, set_.pools.size()));
    } else if (kind == "point") {
      const std::size_t d = statement.index(1, set_.dags.size());
      need(certificate_.claims[d][statement.index(2, certificate_.claims[d].size())].by == nullptr, "the bound of the node says its point");
    } else if (kind == "strands") {
      need(!at_offsets(), "strands are for releases on completion");
      const auto same = [&](const GivenStrands& given) { return given.by == &statement; };
      paths(statement.index(1, set_.dags.size()), false)
          .check(*std::find_if(certificate_.strands.begin(), certificate_.strands.end(), same));
    } else if (kind == "weights") {
      offsets_.check_weights(certificate_.weights.at(statement.number(1)));
    } else if (kind == "counted") {
      need(certificate_.counted.at(statement.index(1, set_.pools.size()))->pool == statement.index(1, set_.pools.size()),
           "the weights are of another GPU");
    } else if (kind == "turn") {
      const std::size_t p = statement.index(1, set_.pools.size());
      need(set_.pools[p].kind == Kind::gpu, "kernels are served in turn on a GPU");
    } else if (kind == "turns") {
      need(!at_offsets() || beside_fixed_priorities(statement.index(1, set_.dags.size())), "turns are for releases on completion");
    } else if (kind == "base") {
      offsets_.check_base(statement);
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
      offsets_.check_awaited(statement);
    } else if (kind == "latencies") {
      check_latencies(set_, certificate_, statement.index(1, set_.chains.size()));
    } else if (kind == "end") {
      check_end(certificate_, statement.index(1, set_.dags.size()));
    } else if (kind == "overload") {
      offsets_.check_overload(statement);
    } else if (kind == "verdict") {
      check_verdict(set_, certificate_, statement);
    }
  }

  JobWindows& job_windows() {
    if (!windows_) windows_.emplace(set_, certificate_);
    return *windows_;
  }

  /// Ends that could not be found once are not looked for again.
  ReachableEnds& reachable_ends() {
    if (!not_reached_.empty()) throw Refused(not_reached_);
    set_components();
    need(with_executors_.empty(), "T36 is not for sets with executors");
    need(on_threads_.empty(), "T36 is not for DAGs on threads");
    need(!has_limits_, "T36 is not for sets with limits of jobs under way or edges from earlier jobs");
    need(certificate_.alone.empty(), "T36 is not for kernels in company");
    try {
      if (!reached_) reached_.emplace(set_, certificate_);
    } catch (const Refused& refused) {
      not_reached_ = refused.what();
      throw;
    }
    return *reached_;
  }

  StaticOrder& static_order() {
    if (!order_) order_.emplace(set_, certificate_);
    return *order_;
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
      const auto& claims = certificate_.claims[e];
      has_bounds_.push_back(std::all_of(claims.begin(), claims.end(), [](const Claim& claim) { return claim.by != nullptr; }));
      component_[e] = find(set_.dags[e].nodes.front().pool);
      for (const Node& node : set_.dags[e].nodes) {
        if (set_.pools[node.pool].kind == Kind::cpu && set_.pools[node.pool].scheduler == "FP") under_fp_.insert(component_[e]);
      }
      for (const Node& node : set_.dags[e].nodes) {
        if (set_.pools[node.pool].scheduler == "wait-set" || set_.pools[node.pool].multi_threaded() ||
            set_.pools[node.pool].in_reservation())
          with_executors_.insert(component_[e]);
        for (const std::size_t u : node.before) {
          if (set_.pools[set_.dags[e].nodes[u].pool].publishes_early()) with_executors_.insert(component_[e]);
        }
      }
      if (set_.dags[e].threads > 0) on_threads_.insert(component_[e]);
    }
  }

  [[nodiscard]] std::vector<std::size_t> beside(std::size_t d) const {
    std::vector<std::size_t> dags;
    for (std::size_t e = 0; e < set_.dags.size(); ++e) {
      if (component_[e] == component_[d]) dags.push_back(e);
    }
    return dags;
  }

  /// T37: of the DAG's component those with bounds, where they need no others.
  [[nodiscard]] std::vector<std::size_t> bounded_beside(std::size_t d) const {
    std::vector<std::size_t> dags = beside(d);
    if (certificate_.release != "completion") return dags;
    const auto first_without = std::stable_partition(dags.begin(), dags.end(), [&](std::size_t e) { return has_bounds_[e]; });
    if (first_without == dags.end()) return dags;
    need(with_executors_.count(component_[d]) == 0 && on_threads_.count(component_[d]) == 0 && certificate_.alone.empty(),
         "beside executors, threads and company a DAG needs the bounds of all that share pools with it");
    std::vector<std::optional<Int>> lowest(set_.pools.size());  // priority of a node with a bound
    for (auto e = dags.begin(); e != first_without; ++e) {
      for (const Node& node : set_.dags[*e].nodes) {
        auto& low = lowest[node.pool];
        low = std::min(low.value_or(node.fixed_priority), node.fixed_priority);
      }
    }
    for (auto e = first_without; e != dags.end(); ++e) {
      for (const Node& node : set_.dags[*e].nodes) {
        const Pool& pool = set_.pools[node.pool];
        const bool spares = pool.kind == Kind::cpu && pool.scheduler == "FP" && pool.preemptive;
        if (!lowest[node.pool] || (spares && node.fixed_priority < *lowest[node.pool])) continue;
        throw Refused("'" + set_.dags[*e].name + "' has no bound, and may go first on '" + pool.name + "'");
      }
    }
    dags.erase(first_without, dags.end());
    return dags;
  }

  /// Of the DAG's component. `in_turn`: all GPUs are read so that may be; else those without weights alone.
  Paths& paths(std::size_t d, bool in_turn) {
    need(!certificate_.grouped, "groups are released at offsets");
    set_components();
    need(certificate_.release != "completion" || has_bounds_[d], "some node of the DAG has no bound");
    if (const auto refused = need_more_.find(component_[d]); refused != need_more_.end()) throw Refused(refused->second);
    std::unique_ptr<Paths>& made = paths_[{component_[d], in_turn}];
    if (made) return *made;
    std::vector<std::size_t> dags;
    try {
      dags = bounded_beside(d);
    } catch (const Refused& refused) {
      need_more_.emplace(component_[d], refused.what());
      throw;
    }
    made = std::make_unique<Paths>(set_, certificate_, dags, in_turn);
    return *made;
  }

  /// T38 (a), T40. Company is counted for all DAGs together, and T35 is of all jobs of the set.
  void need_no_waiting_beside(std::size_t d, std::string_view rule) {
    set_components();
    const bool all = rule == "T35" || !certificate_.alone.empty();
    const auto [known, fresh] = waiting_.try_emplace(all ? set_.pools.size() : component_[d]);
    if (fresh) known->second = why_some_may_wait(d, all);
    if (!known->second.empty()) throw Refused(known->second);
  }
  [[nodiscard]] std::string why_some_may_wait(std::size_t d, bool all) const {
    std::vector<std::size_t> dags = beside(d);
    if (all) {
      dags.resize(set_.dags.size());
      std::iota(dags.begin(), dags.end(), std::size_t{0});
    }
    const auto has_T38 = [](const Claim& claim) { return claim.rule == "T38"; };
    try {
      for (const std::size_t e : dags) {
        const auto& claims = certificate_.claims[e];
        need(std::none_of(claims.begin(), claims.end(), has_T38), "T38 needs it of all DAGs that share pools");
      }
      need_no_waiting(set_, certificate_, dags);
    } catch (const Refused& refused) {
      return refused.what();
    }
    return {};
  }

  Admission& admission(std::size_t d) {
    set_components();
    std::unique_ptr<Admission>& made = admissions_[component_[d]];
    if (!made) made = std::make_unique<Admission>(set_, certificate_, beside(d));
    return *made;
  }

  Threads& threads(std::size_t d) {
    std::unique_ptr<Threads>& made = threads_[component_[d]];
    if (!made) made = std::make_unique<Threads>(set_, certificate_, beside(d));
    return *made;
  }

  Executors& executors(std::size_t d) {
    std::unique_ptr<Executors>& made = executors_[component_[d]];
    if (!made) made = std::make_unique<Executors>(set_, certificate_, beside(d));
    return *made;
  }

  /// Whether the DAG shares pools with an executor. Of a set with one no bound is for another release than on completion.
  bool is_beside_executors(std::size_t d) {
    const auto is_executor = [](const Pool& pool) {
      return pool.kind == Kind::cpu && (pool.scheduler == "wait-set" || pool.multi_threaded() || pool.publishes_early());
    };
    if (std::none_of(set_.pools.begin(), set_.pools.end(), is_executor)) return false;
    set_components();
    if (with_executors_.empty()) return false;
    need(certificate_.release == "completion" && !certificate_.grouped, "beside executors bounds are on completion alone");
    return with_executors_.count(component_[d]) > 0;
  }

  void bound(const Statement& statement, std::size_t d) {
    const std::size_t v = statement.index(2, set_.dags[d].nodes.size());
    check_offset(set_, certificate_, d, v);
    const Claim& claim = certificate_.claims[d][v];
    if (claim.rule == "uncertified") throw Refused("this kind of bound has no certificate yet");
    if (claim.rule == "T38") {
      need(!certificate_.grouped && certificate_.alone.empty(), "T38 is not for groups, nor for kernels in company");
      need_whole(claim);
      admission(d).check(d, v);
      return;
    }
    if (has_limits_) {
      need(!certificate_.grouped && certificate_.release != "static",
           "groups and static orders are for DAGs without a limit of jobs under way and edges from earlier jobs");
      need_no_waiting_beside(d, claim.rule);
    }
    if (is_beside_executors(d)) {
      need_whole(claim);
      executors(d).check(d, v);
      return;
    }
    need(claim.rule != "T19" && claim.rule != "T19j" && claim.rule != "T20" && claim.rule != "T22",
         "T19, T19j, T20 and T22 are for DAGs that share pools with executors");
    need(claim.rule != "T35" || with_executors_.empty(), "T35 is not for sets with executors");
    if (std::any_of(set_.dags.begin(), set_.dags.end(), [](const Dag& dag) { return dag.threads > 0; })) {
      need(certificate_.release == "completion" && !certificate_.grouped, "DAGs on threads have bounds on completion alone");
      set_components();
      if (on_threads_.count(component_[d]) > 0) {
        if (claim.rule == "T21h" || claim.rule == "T41") {
          need_whole(claim);
          need(claim.rule == "T41" || !threads(d).spin(), "T21h is not for threads that spin, nor for those beside them");
          threads(d).check(d, v);
        } else {
          need_enough_threads(set_, certificate_, beside(d), claim.rule);
          paths(d, claim.in_turn).check(d, v);
        }
        return;
      }
    }
    need(claim.rule != "T21h", "T21h is for DAGs on threads");
    need(claim.rule != "T41", "T41 is for DAGs on threads");
    if (certificate_.release == "static") {
      if (!StaticOrder::has_rule(claim.rule)) statement.fail("no such rule for bounds of a static order: T15, T15w, T15g");
      need_whole(claim);
      static_order().check_bound(d, v);
      return;
    }
    if (claim.rule == "T35") {
      need_whole(claim);
      job_windows().check_bound(d, v);
      return;
    }
    if (Hard::has_rule(claim.rule)) {
      need_whole(claim);
      const std::size_t p = set_.dags[d].nodes[v].pool;
      auto& hard = hard_[p];
      if (!hard) hard.emplace(set_, certificate_, p);
      hard->check(claim);
      return;
    }
    // Under fixed priorities a node that is released at its offset is a segment of its own.
    const bool node_by_node = certificate_.release == "offsets" && beside_fixed_priorities(d);
    if (!at_offsets() || node_by_node) {
      paths(d, claim.in_turn).check(d, v);
      return;
    }
    need_whole(claim);
    offsets_.check_bound(statement, d, v);
  }

  static void need_whole(const Claim& claim) {
    need(claim.unit == Int(1), "a fraction of a ns is for the rules on completion and on segments");
  }

  const TaskSet& set_;
  const Certificate& certificate_;
  std::string_view file_;  // its SHA-256
  std::unordered_set<std::string> parameters_;
  Offsets offsets_;
  std::map<std::size_t, std::optional<Hard>> hard_;  // pool
  std::optional<StaticOrder> order_;
  std::optional<JobWindows> windows_;
  std::optional<ReachableEnds> reached_;
  std::string not_reached_;
  std::vector<std::size_t> component_;                                    // DAG -> one of its component's pools
  std::set<std::size_t> under_fp_;                                        // components with a pool under fixed priorities
  std::set<std::size_t> with_executors_;                                  // components with an executor
  std::map<std::size_t, std::unique_ptr<Executors>> executors_;           // component
  bool has_limits_ = false;                                               // of jobs under way, or edges from earlier jobs
  std::map<std::size_t, std::string> waiting_;                            // component, or number of pools for all: why some job may wait
  std::map<std::size_t, std::unique_ptr<Admission>> admissions_;          // component
  std::set<std::size_t> on_threads_;                                      // components with a DAG on threads
  std::map<std::size_t, std::unique_ptr<Threads>> threads_;               // component
  std::map<std::pair<std::size_t, bool>, std::unique_ptr<Paths>> paths_;  // component, whether GPUs are read in turn
  std::vector<bool> has_bounds_;                                          // DAG
  std::map<std::size_t, std::string> need_more_;                          // components whose bounds stand together: why
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
  if (task_set.starts_with("rta-certificate ")) throw BadInput("the first file is a certificate: the task set comes first");
  TaskSet set = reading("task set", [&] { return read_task_set(task_set); });
  return reading("certificate", [&] {
    const auto read = std::make_unique<Certificate>(certificate, set);
    return Checker(set, *read, sha256(task_set)).run();
  });
}

}  // namespace checker
