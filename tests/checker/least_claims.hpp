// Bounds that nobody but the checker proposes: from 0 up, each as low as its rule lets it pass. What passes in the end is held against
// simulation.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mutations.hpp"

namespace rta::test {

struct Climbed {
  std::uint64_t systems = 0;
  std::uint64_t verified = 0;  // systems all of whose bounds passed in the end
  std::map<std::string, std::uint64_t> by_rule;
  std::string broken;

  [[nodiscard]] std::string text() const {
    std::string text = fmt::format("{} systems, {} verified", systems, verified);
    for (const auto& [rule, count] : by_rule) text += fmt::format(", {} {}", rule, count);
    return text;
  }
};

/// Claims for all nodes of a system, with rules of its certificate or drawn ones.
class Climb {
 public:
  Climb(const Certified& made, Dice& dice) : made_(made), set_(*made.proof.task_set), dice_(dice) {
    for (const std::string& line : lines_of_text(made.certificate.text)) {
      const auto words = words_of_line(line);
      if (words[0] == "bound") {
        rule_[{std::stoul(words[1]), std::stoul(words[2])}] = fmt::format("{}", fmt::join(words.begin() + 6, words.end(), " "));
      } else if (words[0] != "end" && words[0] != "verdict" && words[0] != "latencies") {
        head_.push_back(line);
      }
    }
    add_bases();
    for (DagId d = 0; d < set_.dags().size(); ++d) {
      for (NodeId v = 0; v < set_.dags()[d].nodes().size(); ++v) claims_.push_back(claim(d, v));
    }
  }

  /// Raises what is refused as too low until all passes; false where it cannot.
  [[nodiscard]] bool climb() {
    for (int round = 0; round < 300; ++round) {
      for (const Claim& claim : claims_) {
        if (claim.rule.empty()) return false;
      }
      const auto verdicts = checker::check(made_.file, joined_lines(lines())).verdicts;
      bool all = true;
      for (const checker::Verdict& verdict : verdicts) {
        if (verdict.verified) continue;
        all = false;
        if (!verdict.statement.starts_with("bound ") || !answer(verdict)) return false;
      }
      if (all) return true;
    }
    return false;
  }

  [[nodiscard]] std::vector<std::string> lines() const {
    std::vector<std::string> all = head_;
    const PerNode<Wide> offset = offsets();
    std::map<DagId, Wide> end;
    for (const Claim& claim : claims_) {
      const Wide from = offset[claim.d][claim.v];
      all.push_back(fmt::format("bound {} {} {} {} {} {}", claim.d, claim.v, to_string(from), to_string(claim.R), claim.Y, claim.rule));
      end[claim.d] = std::max(end[claim.d], from + claim.R);
    }
    bool met = true;
    for (const auto& [d, R] : end) {
      all.push_back(fmt::format("end {} {}", d, to_string(R)));
      met = met && (!set_.dags()[d].deadline() || R <= set_.dags()[d].deadline()->count());
    }
    for (const Claim& claim : claims_) {
      const auto& D = set_.dags()[claim.d].nodes()[claim.v].deadline;
      met = met && (!D || claim.R <= D->count());
    }
    for (const Chain& chain : set_.chains()) met = met && !chain.reaction && !chain.age;
    all.emplace_back(met ? "verdict schedulable" : "verdict deadline-missed");
    return all;
  }

  void count(Climbed& climbed) const {
    for (const Claim& claim : claims_) {
      std::string rule = claim.rule.substr(0, claim.rule.find(' '));
      if (rule == "base") rule = theorem_.at(claim.rule);
      ++climbed.by_rule[rule];
    }
  }

 private:
  struct Claim {
    DagId d = 0;
    NodeId v = 0;
    Wide R = 0;
    std::string Y, rule, otherwise;
  };

  [[nodiscard]] bool at_offsets() const { return made_.proof.release == Release::offsets; }

  /// T6n with all weights of one priority, T8 by count, and what the certificate has.
  void add_bases() {
    for (const std::string& line : std::vector(head_)) {
      const auto words = words_of_line(line);
      if (words[0] == "base") theorem_["base " + words[1]] = words[2];
      if (words[0] == "weights" && words[3] == "only") add_base(std::stoul(words[2]), "T6n", words[1]);
    }
    for (PoolId p = 0; p < set_.pools().size(); ++p) {
      const auto* workers = std::get_if<WorkerPool>(&set_.pools()[p].resource);
      if (workers != nullptr) add_base(p, "T8", fmt::format("0 {} counted", workers->workers));
      const auto* cpu = std::get_if<CpuPool>(&set_.pools()[p].resource);
      if (cpu == nullptr || cpu->scheduler == Scheduler::fp) continue;
      for (const char* theorem : cpu->preemptive ? std::vector{"T1r", "T1re", "T1c"} : std::vector{"T1b", "T1be"})
        add_base(p, theorem, fmt::format("{}", cpu->processors));
    }
  }

  void add_base(PoolId p, const std::string& theorem, const std::string& words) {
    if (!at_offsets()) return;
    const std::string rule = fmt::format("base {}", 1000 + theorem_.size());
    theorem_[rule] = theorem;
    bases_[p].push_back(rule);
    base_lines_[rule] = fmt::format("{} {} {} {}", rule, theorem, p, words);
  }

  Claim claim(DagId d, NodeId v) {
    const analysis::NodeProof& proven = made_.proof.dags[d].nodes[v];
    Claim claim{d, v, 0, proven.priority_point ? fmt::format("{}", proven.priority_point->count()) : "-", {}, {}};
    if (const auto known = rule_.find({d, v}); known != rule_.end()) claim.otherwise = known->second;
    std::vector<std::string> rules = at_offsets() ? rules_at_offsets(d, v) : rules_on_paths(d, v);
    if (!claim.otherwise.empty()) rules.push_back(claim.otherwise);
    if (!rules.empty()) claim.rule = dice_.pick(rules);
    if (claim.rule.starts_with("base ") && base_lines_.contains(claim.rule)) {
      head_.push_back(base_lines_.at(claim.rule));
      base_lines_.erase(claim.rule);
    }
    return claim;
  }

  [[nodiscard]] std::vector<std::string> rules_at_offsets(DagId d, NodeId v) {
    const auto fixed = [](const Pool& pool) {
      const auto* cpu = std::get_if<CpuPool>(&pool.resource);
      return cpu != nullptr && cpu->scheduler == Scheduler::fp;
    };
    if (std::ranges::any_of(set_.pools(), fixed)) return {};  // rules on completion, for some
    const PoolId p = set_.dags()[d].nodes()[v].pool;
    std::vector<std::string> rules = bases_[p];
    if (set_.pools()[p].kind() != PoolKind::cpu) return rules;
    const bool late = set_.dags()[d].attributes().jitter > Time::zero();
    for (const char* rule : {"T1n", "T1n", "T1bn", "T1bn"})
      rules.push_back(fmt::format("{}{}", rule, late && dice_.one_in(2) ? " late" : ""));
    return rules;
  }

  [[nodiscard]] std::vector<std::string> rules_on_paths(DagId d, NodeId v) const {
    std::vector<std::string> rules{"T10n", "T10a", "T10c", "T10p", "T10d", "T10j", "T10g",
                                   "T11",  "T11j", "T12",  "T12j", "T12d", "T14",  "T14j"};
    for (const NodeId w : set_.dags()[d].successors(v)) {
      for (int i = 0; i < 5; ++i) rules.push_back(fmt::format("before {}", w));
    }
    return rules;
  }

  /// The least that its rule allows, or another rule.
  [[nodiscard]] bool answer(const checker::Verdict& verdict) {
    const auto words = words_of_line(verdict.statement);
    Claim& claim = *std::ranges::find_if(
        claims_, [&](const Claim& other) { return other.d == std::stoul(words[1]) && other.v == std::stoul(words[2]); });
    const std::string least = "the theorem gives no less than ";
    if (const auto at = verdict.why.find(least); at != std::string::npos) {
      claim.R = whole_ns(verdict.why.substr(at + least.size()));
      return claim.R < 1'000'000;
    }
    if (verdict.why.find("the bound is below") != std::string::npos || verdict.why.find("a bound is below C") != std::string::npos) {
      claim.R += 1;
      return true;
    }
    if (!at_offsets() && claim.rule != "T10n" && claim.rule != "T14") {
      claim.rule = verdict.why.find("time slices") != std::string::npos ? "T14" : "T10n";
      return true;
    }
    if (claim.otherwise.empty() || claim.rule == claim.otherwise) return false;
    claim.rule = claim.otherwise;
    return true;
  }

  /// The least that the claims allow.
  [[nodiscard]] PerNode<Wide> offsets() const {
    PerNode<Wide> R, offset;
    for (const Dag& dag : set_.dags()) {
      R.emplace_back(dag.nodes().size());
      offset.emplace_back(dag.nodes().size());
    }
    for (const Claim& claim : claims_) R[claim.d][claim.v] = claim.R;
    if (made_.proof.release == Release::completion) return offset;
    for (DagId d = 0; d < set_.dags().size(); ++d) {
      const Dag& dag = set_.dags()[d];
      const auto segment = [&](NodeId v) { return at_offsets() ? v : made_.proof.dags[d].nodes[v].segment; };
      for (std::size_t round = 0; round < dag.nodes().size(); ++round) {
        for (NodeId v = 0; v < dag.nodes().size(); ++v) {
          for (const NodeId u : dag.predecessors(v)) {
            if (segment(u) != segment(v)) offset[d][v] = std::max(offset[d][v], offset[d][u] + R[d][u]);
          }
          for (NodeId w = 0; w < dag.nodes().size(); ++w) {
            if (segment(w) == segment(v)) offset[d][v] = offset[d][w] = std::max(offset[d][v], offset[d][w]);
          }
        }
      }
    }
    return offset;
  }

  const Certified& made_;
  const TaskSet& set_;
  Dice& dice_;
  std::vector<std::string> head_;
  std::map<std::pair<DagId, NodeId>, std::string> rule_;
  std::map<std::string, std::string> theorem_, base_lines_;  // of `base K`
  std::map<PoolId, std::vector<std::string>> bases_;
  std::vector<Claim> claims_;
};

/// Whether some pool is asked for more than it has: then no bounds exist of all of its nodes.
inline bool is_overloaded(const Certified& made) { return made.certificate.text.find("\noverload ") != std::string::npos; }

/// One system, some times.
inline void climb_claims(std::uint64_t seed, Climbed& climbed) {
  Dice dice(seed);
  const bool few = dice.one_in(2);
  const TaskSet set = few ? few_tasks(seed) : random_set(seed);
  if (!is_writable(set)) return;
  const std::string release = few ? "offsets" : dice.pick(std::vector<std::string>{"offsets", "completion", "segments"});
  const Certified made = certified(set, analysis::options_of({{"release", release}}));
  for (int time = 0; time < 4; ++time) {
    ++climbed.systems;
    Climb climb(made, dice);
    if (!climb.climb()) continue;
    ++climbed.verified;
    climb.count(climbed);
    const auto lines = climb.lines();
    std::string why = below_execution(made, lines);
    if (why.empty() && is_overloaded(made)) why = "a pool is overloaded";
    for (int again = 0; why.empty() && again < 3; ++again) why = Oracle(made, worst_seen(made.proof, dice)).fault(lines);
    if (!why.empty() && climbed.broken.empty())
      climbed.broken = fmt::format("seed {}: {}\n{}\n{}", seed, why, made.file, joined_lines(lines));
  }
}

}  // namespace rta::test
