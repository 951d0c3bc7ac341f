// Certificates damaged in one number or one line, and an oracle of its own for what the checker lets pass.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "checker/task_set.hpp"
#include "law.hpp"
#include "rta/analysis/chains.hpp"
#include "rta/analysis/gpu/configuration.hpp"
#include "rta/analysis/schedule_of.hpp"
#include "rta/simulate/simulate.hpp"
#include "support/bounds_against_simulation.hpp"
#include "support/random_system.hpp"

namespace rta::test {

struct Damage {
  std::uint64_t damaged = 0;
  std::uint64_t refused = 0;  // as bad input, or by a statement that is not verified
  std::uint64_t judged = 0;   // let pass, and found to be true
  std::uint64_t lower = 0;    // of these, with a bound below the one that was proven
  std::string broken;         // the first one that passed although it is false, or that crashed the checker

  [[nodiscard]] std::string text() const {
    return fmt::format("{} damaged certificates, {} refused, {} passed and are true, {} of them with a lower bound", damaged, refused,
                       judged, lower);
  }
};

inline std::vector<std::string> lines_of_text(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

inline std::vector<std::string> words_of_line(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream in(line);
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

inline std::string joined_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// One number of one line, or one line. Returns the damaged line, or what was done.
inline std::string damage(std::vector<std::string>& lines, Dice& dice) {
  const auto at = static_cast<std::size_t>(dice.between(0, static_cast<std::int64_t>(lines.size()) - 1));
  const auto other = static_cast<std::size_t>(dice.between(0, static_cast<std::int64_t>(lines.size()) - 1));
  std::vector<std::string> words = words_of_line(lines[at]);
  std::vector<std::size_t> numbers;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i].find_first_not_of("-0123456789") == std::string::npos && words[i] != "-" && words[i].size() < 19) numbers.push_back(i);
  }
  if (numbers.empty() || dice.one_in(6)) {
    const std::string line = lines[at];
    switch (dice.between(0, 3)) {
      case 0: lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at)); return "without " + line;
      case 1: lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(other), line); return "twice " + line;
      case 2: std::swap(lines[at], lines[other]); return "exchanged " + line + " | " + lines[at];
      default: lines[at] = lines[at].substr(0, lines[at].size() / 2); return "half of " + line;
    }
  }
  std::string& word = words[dice.pick(numbers)];
  const std::int64_t value = std::stoll(word);
  const std::vector<std::int64_t> changed{value - 1,     value - 1, value + 1,  value / 2,
                                          value * 2 + 1, 0,         -value - 1, 9'000'000'000'000'000'000};
  word = std::to_string(dice.pick(changed));
  lines[at] = fmt::format("{}", fmt::join(words, " "));
  return lines[at];
}

inline bool is_number(const std::string& word) { return word.find_first_not_of("0123456789/") == std::string::npos && word.front() != '/'; }

/// A time as the certificate states it, rounded up to whole ns.
inline Wide whole_ns(const std::string& word) {
  const auto slash = word.find('/');
  const Wide parts = std::stoll(word);
  if (slash == std::string::npos) return parts;
  return ceil_div(parts, Wide{std::stoll(word.substr(slash + 1))});
}

/// The word of a line that claims a response time.
inline std::optional<std::size_t> claimed_at(const std::string& kind) {
  if (kind == "bound") return 4;
  if (kind == "awaited") return 3;
  return std::nullopt;
}

/// 0, 1, half of it, one less or another number of the certificate in place of one that is claimed: mostly of one bound, or of all. Returns
/// what was done.
inline std::string understate(std::vector<std::string>& lines, Dice& dice) {
  struct Place {
    std::size_t line = 0, word = 0;
  };
  std::vector<Place> bounds, claims;
  std::vector<std::string> numbers;
  const std::set<std::string> given{"rta-certificate", "file", "pool", "dag", "node", "chain", "release", "granularity", "verdict"};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto words = words_of_line(lines[i]);
    if (given.contains(words[0])) continue;
    const auto R = claimed_at(words[0]);
    if (R) bounds.push_back({i, *R});
    for (std::size_t w = 1; w < words.size(); ++w) {
      if (!is_number(words[w])) continue;
      claims.push_back({i, w});
      numbers.push_back(words[w]);
    }
  }
  if (claims.empty()) return "nothing is claimed";
  const std::int64_t how = dice.between(0, 4);
  const std::string other = dice.pick(numbers);
  const auto change = [&](const Place& place) {
    auto words = words_of_line(lines[place.line]);
    std::string& word = words[place.word];
    const auto slash = word.find('/');
    const std::string parts = slash == std::string::npos ? "" : word.substr(slash);
    const std::int64_t value = std::stoll(word);
    const std::vector<std::string> changed{"0", "1", std::to_string(value / 2) + parts, std::to_string(value - 1) + parts, other};
    word = changed[static_cast<std::size_t>(how)];
    lines[place.line] = fmt::format("{}", fmt::join(words, " "));
  };
  if (bounds.empty() || dice.one_in(3)) {
    const Place& place = dice.pick(claims);
    change(place);
    return lines[place.line];
  }
  if (!dice.one_in(4)) {
    const Place& place = dice.pick(bounds);
    change(place);
    return lines[place.line];
  }
  std::string done = "all of";
  for (const Place& place : bounds) {
    change(place);
    done += " " + lines[place.line];
  }
  return done;
}

/// A few tasks, or short chains of nodes, on one pool of processors: some of length 0, late, sequential; often without preemption.
inline TaskSet few_tasks(std::uint64_t seed) {
  Dice dice(seed);
  CpuPool cpu{static_cast<std::uint32_t>(dice.between(1, 3)), dice.pick(std::vector{Scheduler::g_edf, Scheduler::g_fl, Scheduler::lp})};
  cpu.preemptive = dice.one_in(2);
  std::vector<Dag> dags;
  const std::int64_t count = dice.between(1, 4);
  for (std::int64_t d = 0; d < count; ++d) {
    std::vector<Node> nodes(static_cast<std::size_t>(dice.one_in(2) ? 1 : dice.between(2, 3)));
    std::vector<Edge> edges;
    std::int64_t work = 0;
    for (std::size_t v = 0; v < nodes.size(); ++v) {
      const std::int64_t C = dice.one_in(5) ? 0 : dice.between(1, 12);
      work += C;
      nodes[v].name = fmt::format("n{}", v);
      nodes[v].demand = CpuDemand{Time(C)};
      nodes[v].sequential = dice.one_in(8);
      if (dice.one_in(3)) nodes[v].deadline = Time(dice.between(1, 60));
      if (v > 0) edges.push_back({v - 1, v});
    }
    const Time T(work + dice.between(1, 2 * count * (work + 1)));
    DagAttributes attributes;
    if (dice.one_in(4)) attributes.jitter = Time(dice.between(1, T.count()));
    dags.emplace_back(fmt::format("d{}", d), T, std::nullopt, std::move(nodes), std::move(edges), attributes);
  }
  return {"few", {{"cpu", cpu}}, std::move(dags)};
}

/// The longest responses that simulation has shown, from each node's reference.
inline PerNode<Time> worst_seen(const analysis::Proof& proof, Dice& dice) {
  const TaskSet& set = *proof.task_set;
  PerNode<Time> worst;
  for (const Dag& dag : set.dags()) worst.emplace_back(dag.nodes().size());
  if (verdict_of(proof) == analysis::Verdict::unbounded) return worst;
  const Schedule schedule = schedule_of(proof);
  for (int run = 0; run < 3; ++run) {
    const auto seen = simulate::simulate(set, schedule, random_options(dice, set));
    for (DagId d = 0; d < worst.size(); ++d) {
      for (NodeId v = 0; v < worst[d].size(); ++v) {
        const auto& node = seen.dags[d].nodes[v];
        if (node.count() > 0) worst[d][v] = std::max(worst[d][v], node.max());
      }
    }
  }
  return worst;
}

/// What a certificate that passed says, judged without the checker: why it is false, if it is.
class Oracle {
 public:
  Oracle(const Certified& made, PerNode<Time> worst) : proof_(made.proof), set_(*made.proof.task_set), worst_(std::move(worst)) {
    for (const std::string& line : lines_of_text(made.certificate.text)) {
      if (is_parameter(line)) parameters_.insert(line);
      if (line.starts_with("release ")) release_ = line;
    }
  }

  [[nodiscard]] std::string fault(const std::vector<std::string>& lines) const {
    std::multiset<std::string> parameters;
    Bounds bounds;
    std::map<DagId, Wide> ends;
    std::map<std::size_t, std::vector<Time>> latencies;
    std::string verdict;
    bool same_release = false;
    for (const std::string& line : lines) {
      const auto words = words_of_line(line);
      if (is_parameter(line)) parameters.insert(line);
      same_release = same_release || line == release_;
      if (words[0] == "bound") {
        const std::optional<Wide> offset = words[3] == "-" ? std::nullopt : std::optional(Wide{std::stoll(words[3])});
        bounds[std::stoul(words[1])][std::stoul(words[2])] = {offset, whole_ns(words[4])};
      }
      if (words[0] == "latencies") {
        for (std::size_t i = 2; i < 6; ++i) latencies[std::stoul(words[1])].emplace_back(std::stoll(words[i]));
      }
      if (words[0] == "end") ends[std::stoul(words[1])] = std::stoll(words[2]);
      if (words[0] == "verdict") verdict = words[1];
      if (words[0] == "weights") {
        if (std::string why = weights_fault(words); !why.empty()) return why;
      }
      if (words[0] == "overload") {
        if (std::string why = overload_fault(words); !why.empty()) return why;
      }
    }
    if (parameters != parameters_) return "the parameters are others";
    if (!same_release) return "";  // true of another policy, perhaps: nothing was simulated for it
    bool bounded = true;
    bool met = true;
    for (DagId d = 0; d < set_.dags().size(); ++d) {
      const Dag& dag = set_.dags()[d];
      const auto& of = bounds[d];
      for (const auto& [v, bound] : of) {
        if (bound.second < worst_[d][v].count()) return fmt::format("simulation has shown more than the bound of {}/{}", d, v);
        if (!bound.first || release_ == "release completion" || release_ == "release segments" || release_ == "release static") {
          continue;
        }
        for (const NodeId u : dag.predecessors(v)) {
          const auto before = of.find(u);
          if (before == of.end() || !before->second.first || *bound.first < *before->second.first + before->second.second) {
            return "an offset is before the end of a predecessor";
          }
        }
      }
      const auto end = ends.find(d);
      bounded = bounded && end != ends.end();
      if (end == ends.end()) continue;
      if (of.size() != dag.nodes().size()) return "an end without all bounds";
      for (const auto& [v, bound] : of) {
        if (!bound.first || *bound.first + bound.second > end->second) return "a node ends after its DAG";
      }
      met = met && (!dag.deadline() || end->second <= dag.deadline()->count());
      for (const auto& [v, bound] : of) met = met && (!dag.nodes()[v].deadline || bound.second <= dag.nodes()[v].deadline->count());
    }
    const auto chains = chains_of(bounds, ends);
    for (std::size_t i = 0; i < chains.size(); ++i) {
      const auto found = latencies.find(i);
      const Chain& chain = set_.chains()[i];
      met = met && (!chain.reaction || (found != latencies.end() && found->second[0] <= *chain.reaction));
      met = met && (!chain.age || (found != latencies.end() && found->second[3] <= *chain.age));
      if (found == latencies.end()) continue;
      if (!chains[i].bound) return "a chain has latencies whose stages have no bound";
      const std::vector<Time> least{chains[i].bound->MRT, chains[i].bound->MRRT, chains[i].bound->MRDA, chains[i].bound->MDA};
      for (std::size_t l = 0; l < least.size(); ++l) {
        if (found->second[l] < least[l]) return "a chain's latency is below the sum over its stages";
      }
    }
    const std::string follows = !bounded ? "unbounded" : met ? "schedulable" : "deadline-missed";
    return verdict == follows ? "" : "the verdict does not follow";
  }

 private:
  using Bounds = std::map<DagId, std::map<NodeId, std::pair<std::optional<Wide>, Wide>>>;

  /// T13 from the bounds that are claimed.
  [[nodiscard]] std::vector<analysis::ChainProof> chains_of(const Bounds& bounds, const std::map<DagId, Wide>& ends) const {
    analysis::Proof claimed = proof_;
    for (DagId d = 0; d < claimed.dags.size(); ++d) {
      const auto end = ends.find(d);
      claimed.dags[d].bound.reset();
      if (end != ends.end()) claimed.dags[d].bound = {to_time(end->second), {}};
      for (NodeId v = 0; v < claimed.dags[d].nodes.size(); ++v) {
        analysis::NodeProof& node = claimed.dags[d].nodes[v];
        node.bound.reset();
        node.reference.reset();
        const auto of = bounds.find(d);
        if (of == bounds.end() || !of->second.contains(v)) continue;
        const auto& [offset, R] = of->second.at(v);
        node.bound = {to_time(R), {}};
        if (offset) node.reference = to_time(*offset);
      }
    }
    return analysis::prove_chains(claimed);
  }

  static bool is_parameter(const std::string& line) {
    for (const char* kind : {"file ", "pool ", "dag ", "node ", "chain "}) {
      if (line.starts_with(kind)) return true;
    }
    return false;
  }

  struct Blocks {
    analysis::fifo::DemandClasses classes;
    std::vector<bool> may_wait;  // where less urgent kernels do not count
    Utilization U;               // G-threads
  };

  /// Of kernels of the statement's level or above.
  [[nodiscard]] Blocks blocks(PoolId p, const std::string& level) const {
    const StreamPriority from = level == "only" || level == "low" ? 0
                                : level == "high"                 ? 1
                                                                  : static_cast<StreamPriority>(std::stoul(level));
    const auto& gpu = std::get<GpuPool>(set_.pools()[p].resource);
    Blocks blocks;
    std::vector<analysis::fifo::Amounts> demand;
    std::vector<bool> counts;
    for (const Dag& dag : set_.dags()) {
      for (const Node& node : dag.nodes()) {
        if (node.pool != p) continue;
        const auto& kernel = std::get<GpuDemand>(node.demand);
        demand.push_back(analysis::fifo::block_demand(kernel.H, kernel.shared_memory, kernel.registers_per_thread, gpu));
        counts.push_back(kernel.priority >= from);
        if (counts.back()) blocks.U.add(checked_mul(kernel.C.count(), static_cast<Wide>(kernel.B)), dag.period().count());
      }
    }
    blocks.classes = analysis::fifo::classify(demand);
    blocks.may_wait.assign(blocks.classes.demand.size(), false);
    for (std::size_t i = 0; i < demand.size(); ++i) {
      if (counts[i]) blocks.may_wait[blocks.classes.of[i]] = true;
    }
    return blocks;
  }

  [[nodiscard]] std::string weights_fault(const std::vector<std::string>& words) const {
    const PoolId p = std::stoul(words[2]);
    const Blocks all = blocks(p, words[3]);
    const analysis::fifo::Sm sm(std::get<GpuPool>(set_.pools()[p].resource), all.classes.demand, all.may_wait);
    std::vector<Wide> value;
    for (std::size_t c = 0; c < all.classes.demand.size(); ++c) {
      value.push_back(
          checked_mul(Wide{std::stoll(words[5 + c])}, static_cast<Wide>(all.classes.demand[c][analysis::fifo::Resource::threads])));
    }
    const auto least = sm.least_blocking<Wide>(value);
    return least && least->value < Wide{std::stoll(words[4])} ? "the weights are no weights" : "";
  }

  [[nodiscard]] std::string overload_fault(const std::vector<std::string>& words) const {
    const PoolId p = std::stoul(words[1]);
    const auto* gpu = std::get_if<GpuPool>(&set_.pools()[p].resource);
    if (gpu != nullptr) {
      const Blocks all = blocks(p, words[2]);
      const analysis::fifo::Sm sm(*gpu, all.classes.demand, all.may_wait);
      analysis::fifo::Configuration x;
      for (std::size_t c = 0; c < all.classes.demand.size(); ++c) x.push_back(std::stoull(words[3 + c]));
      if (!sm.blocking(x)) return "the configuration does not block";
      return all.U.compare(sm.used(x, analysis::fifo::Resource::threads) * Wide{gpu->sms}) > 0 ? "" : "there is no overload";
    }
    Wide capacity = 1;
    if (const auto* cpu = std::get_if<CpuPool>(&set_.pools()[p].resource)) capacity = cpu->processors;
    const auto* workers = std::get_if<WorkerPool>(&set_.pools()[p].resource);
    if (workers != nullptr) capacity = workers->workers;
    if (Wide{std::stoll(words[3])} != capacity) return "the capacity is another";
    const auto* engines = std::get_if<EnginePool>(&set_.pools()[p].resource);
    Utilization U;
    for (const Dag& dag : set_.dags()) {
      for (const Node& node : dag.nodes()) {
        if (node.pool != p) continue;
        Wide work = longest_piece(node).count();
        if (workers != nullptr) {
          work = (work + workers->dispatch_overhead.count()) * static_cast<Wide>(std::get<WorkerDemand>(node.demand).B);
        }
        const bool second = engines != nullptr && engines->engines == 2 && std::get<CopyDemand>(node.demand).direction == Direction::d2h;
        if (second == (words[2] == "1")) U.add(work, dag.period().count());
      }
    }
    return U.compare(capacity) > 0 ? "" : "there is no overload";
  }

  const analysis::Proof& proof_;
  const TaskSet& set_;
  PerNode<Time> worst_;
  std::multiset<std::string> parameters_;
  std::string release_;
};

/// Changes a system's certificate some times. `fault` says of the lines of one that the checker lets pass what is false about them.
template <class Change, class Fault>
void damage_certificate(std::uint64_t seed, const Certified& made, Dice& dice, const Change& change, const Fault& fault, Damage& damaged) {
  for (int i = 0; i < 25; ++i) {
    std::vector<std::string> lines = lines_of_text(made.certificate.text);
    const std::string done = change(lines, dice);
    const std::string text = joined_lines(lines);
    if (text == made.certificate.text) continue;
    ++damaged.damaged;
    std::string why;
    try {
      if (!first_refused(made.file, text).empty()) {
        ++damaged.refused;
        continue;
      }
      why = fault(lines);
      damaged.judged += why.empty() ? 1 : 0;
    } catch (const checker::BadInput&) {
      ++damaged.refused;
      continue;
    } catch (const std::exception& error) {
      why = fmt::format("the checker threw: {}", error.what());
    }
    if (!why.empty() && damaged.broken.empty()) damaged.broken = fmt::format("seed {}: {}: {}\n{}\n{}", seed, done, why, made.file, text);
  }
}

/// Some damaged forms of one system's certificate.
inline void damage_certificates(std::uint64_t seed, Damage& damaged) {
  Dice dice(seed);
  const TaskSet set = random_set(seed);
  const auto& given = analyses()[seed % analyses().size()];
  if (given.front().first == "granularity") return;  // nothing simulates bodies of groups here
  if (given.back().second == "node" && !has_preemptive_priorities(set)) return;
  if (!is_writable(set)) return;
  const Certified made = certified(set, analysis::options_of(given));
  const Oracle oracle(made, worst_seen(made.proof, dice));
  damage_certificate(
      seed, made, dice, damage, [&](const std::vector<std::string>& lines) { return oracle.fault(lines); }, damaged);
}

/// A node's job may take its longest piece, and on completion all of a path to it.
inline std::string below_execution(const Certified& made, const std::vector<std::string>& lines) {
  const bool grouped = made.proof.ungrouped != nullptr;
  const TaskSet& set = *made.proof.task_set;
  for (const std::string& line : lines) {
    const auto words = words_of_line(line);
    const auto R = claimed_at(words[0]);
    if (!R || (grouped && words[0] == "bound")) continue;  // what a group awaits is part of its C
    const Dag& dag = (words[0] == "awaited" ? *made.proof.ungrouped : set).dags()[std::stoul(words[1])];
    const NodeId v = std::stoul(words[2]);
    std::vector<Time> longest(dag.nodes().size());
    for (const NodeId w : dag.topological_order()) {
      for (const NodeId u : dag.predecessors(w)) longest[w] = std::max(longest[w], longest[u]);
      if (made.proof.release != Release::completion) longest[w] = {};
      longest[w] += longest_piece(dag.nodes()[w]);
    }
    if (whole_ns(words[*R]) < longest[v].count()) return "a bound is below what the node itself may take";
  }
  return "";
}

/// Whether some bound is below the one that was proven.
inline bool claims_less(const Certified& made, const std::vector<std::string>& lines) {
  std::map<std::string, Wide> proven;
  const auto each = [](const std::vector<std::string>& all, const auto& use) {
    for (const std::string& line : all) {
      const auto words = words_of_line(line);
      if (const auto R = claimed_at(words[0])) use(words[0] + " " + words[1] + " " + words[2], whole_ns(words[*R]));
    }
  };
  each(lines_of_text(made.certificate.text), [&](const std::string& of, Wide R) { proven[of] = R; });
  bool less = false;
  each(lines, [&](const std::string& of, Wide R) { less = less || R < proven[of]; });
  return less;
}

/// Some understated forms of one system's certificate. What passes with a lower bound is simulated again.
inline void understate_certificates(std::uint64_t seed, Damage& damaged) {
  Dice dice(seed);
  const TaskSet set = dice.one_in(3) ? few_tasks(seed) : random_set(seed);
  const auto& given = analyses()[seed % analyses().size()];
  if (given.back().second == "node" && !has_preemptive_priorities(set)) return;
  if (!is_writable(set)) return;
  const bool grouped = given.front().first == "granularity";
  if (grouped && !can_be_grouped(set, given)) return;
  const Certified made = certified(set, analysis::options_of(given));
  std::optional<Oracle> oracle;
  const auto fault = [&](const std::vector<std::string>& lines) {
    const bool less = claims_less(made, lines);
    damaged.lower += less ? 1 : 0;
    std::string why = below_execution(made, lines);
    if (grouped || !why.empty()) return why;
    if (!oracle) oracle.emplace(made, worst_seen(made.proof, dice));
    why = oracle->fault(lines);
    for (int again = 0; less && why.empty() && again < 3; ++again) why = Oracle(made, worst_seen(made.proof, dice)).fault(lines);
    return why;
  };
  damage_certificate(seed, made, dice, understate, fault, damaged);
}

}  // namespace rta::test
