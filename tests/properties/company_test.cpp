// C1: schedules of kernels whose blocks slow one another down, by a simulator of their own, against bounds from durations measured alone;
// and wrong variants, which schedules exceed (docs/theory/contention.md).
#include "rta/analysis/company.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "support/random_system.hpp"
#include "support/slowed_system.hpp"

using namespace rta;
using namespace rta::test;

namespace {

/// Blocks of jobs on SMs, each as fast as its company lets it be; the company changes where a block starts or ends.
class Slowed {
 public:
  /// `at_offsets`: nodes are released at the offsets of these bounds, which all have; else when those before them have ended.
  Slowed(const SlowedSystem& system, std::uint64_t seed, const analysis::Proof* at_offsets = nullptr)
      : at_offsets_(at_offsets),
        system_(system),
        set_(*system.set),
        gpu_(std::get<GpuPool>(set_.pools()[0].resource)),
        dice_(seed),
        used_(gpu_.sms, 0) {
    for (const Dag& dag : set_.dags()) longest_.emplace_back(dag.nodes().size(), 0.0);
  }

  /// The longest response time of each node.
  PerNode<double> run() {
    constexpr std::int64_t jobs = 12;
    for (DagId d = 0; d < set_.dags().size(); ++d) {
      const std::int64_t T = set_.dags()[d].period().count();
      std::int64_t at = dice_.one_in(2) ? 0 : dice_.between(0, T);
      for (std::int64_t j = 0; j < jobs; ++j, at += T + (dice_.one_in(3) ? dice_.between(0, T / 2) : 0)) releases_.push_back({at, d});
    }
    std::ranges::stable_sort(releases_, {}, [](const auto& release) { return release.first; });
    while (!releases_.empty() || !timed_.empty() || !running_.empty()) step();
    return longest_;
  }

 private:
  struct Job {
    DagId dag = 0;
    double release = 0;
    std::vector<std::size_t> before;  // predecessors of each node that have not ended
    std::vector<std::uint64_t> left;  // its blocks that have not ended
  };
  struct Kernel {
    std::size_t job = 0;
    NodeId node = 0;
    std::uint64_t blocks = 0;  // that have not started
  };
  struct Block {
    std::size_t job = 0;
    NodeId node = 0;
    std::size_t sm = 0;
    double left = 0;  // of its time alone
  };

  [[nodiscard]] const GpuDemand& kernel(DagId d, NodeId v) const { return std::get<GpuDemand>(set_.dags()[d].nodes()[v].demand); }

  double slowness(const Block& block) const {
    std::array<bool, class_count> others{}, same{};
    for (const Block& other : running_) {
      if (other.job == block.job && other.node == block.node) continue;
      const std::size_t c = system_.of_class[jobs_[other.job].dag][other.node];
      (other.sm == block.sm ? same : others)[c] = true;
    }
    const std::size_t own = system_.of_class[jobs_[block.job].dag][block.node];
    const auto part = [&](const Matrix& matrix, const std::array<bool, class_count>& present) {
      double sum = 0, most = 0;
      for (std::size_t c = 0; c < class_count && !matrix.empty(); ++c) {
        if (!present[c]) continue;
        const double one = static_cast<double>(matrix[own][c]) / static_cast<double>(whole_time);
        sum += one;
        most = std::max(most, one);
      }
      return gpu_.interference->combine == Combine::sum ? sum : most;
    };
    return 1 + part(gpu_.interference->other_sm, others) + part(gpu_.interference->same_sm, same);
  }

  void make_ready(std::size_t job, NodeId v) { queue_.push_back({job, v, kernel(jobs_[job].dag, v).B}); }

  void start_blocks() {
    while (!queue_.empty()) {
      const auto sm = static_cast<std::size_t>(std::ranges::min_element(used_) - used_.begin());
      if (used_[sm] == system_.slots) return;
      Kernel& first = queue_.front();
      const auto L = static_cast<double>(kernel(jobs_[first.job].dag, first.node).L.count());
      running_.push_back({first.job, first.node, sm, dice_.one_in(4) ? L * static_cast<double>(dice_.between(1, 100)) / 100 : L});
      ++used_[sm];
      if (--first.blocks == 0) queue_.pop_front();
    }
  }

  void step() {
    start_blocks();
    double to = releases_.empty() ? std::numeric_limits<double>::infinity() : static_cast<double>(releases_.front().first);
    if (!timed_.empty()) to = std::min(to, timed_.begin()->first);
    std::vector<double> slow;
    for (const Block& block : running_) {
      slow.push_back(slowness(block));
      to = std::min(to, now_ + block.left * slow.back());
    }
    for (std::size_t i = 0; i < running_.size(); ++i) running_[i].left -= (to - now_) / slow[i];
    now_ = to;
    for (std::size_t i = 0; i < running_.size();) {
      if (running_[i].left > 1e-7) {
        ++i;
        continue;
      }
      const Block ended = running_[i];
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
      --used_[ended.sm];
      end_block(ended);
    }
    while (!releases_.empty() && static_cast<double>(releases_.front().first) <= now_) {
      release(releases_.front().second);
      releases_.pop_front();
    }
    while (!timed_.empty() && timed_.begin()->first <= now_) {
      make_ready(timed_.begin()->second.first, timed_.begin()->second.second);
      timed_.erase(timed_.begin());
    }
  }

  void end_block(const Block& ended) {
    Job& job = jobs_[ended.job];
    if (--job.left[ended.node] > 0) return;
    const Dag& dag = set_.dags()[job.dag];
    double& longest = longest_[job.dag][ended.node];
    longest = std::max(longest, now_ - job.release);
    for (const NodeId w : dag.successors(ended.node)) {
      if (at_offsets_ == nullptr && --job.before[w] == 0) make_ready(ended.job, w);
    }
  }

  void release(DagId d) {
    const Dag& dag = set_.dags()[d];
    Job job{d, now_, {}, {}};
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      job.before.push_back(dag.predecessors(v).size());
      job.left.push_back(kernel(d, v).B);
    }
    jobs_.push_back(std::move(job));
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      if (at_offsets_ != nullptr) {
        timed_.emplace(now_ + static_cast<double>(at_offsets_->dags[d].nodes[v].reference->count()), std::pair(jobs_.size() - 1, v));
      } else if (dag.predecessors(v).empty()) {
        make_ready(jobs_.size() - 1, v);
      }
    }
  }

  const analysis::Proof* at_offsets_;
  const SlowedSystem& system_;
  const TaskSet& set_;
  const GpuPool& gpu_;
  test::Dice dice_;
  std::deque<std::pair<std::int64_t, DagId>> releases_;
  std::multimap<double, std::pair<std::size_t, NodeId>> timed_;  // releases of nodes of jobs
  std::vector<Job> jobs_;
  std::deque<Kernel> queue_;
  std::vector<Block> running_;
  std::vector<std::size_t> used_;  // slots of each SM
  PerNode<double> longest_;
  double now_ = 0;
};

PerNode<double> slowest_seen(const SlowedSystem& system, std::uint64_t seed) {
  PerNode<double> longest = Slowed(system, seed).run();
  for (std::uint64_t more = 1; more < 6; ++more) {
    const PerNode<double> other = Slowed(system, seed + 1'000'003 * more).run();
    for (DagId d = 0; d < longest.size(); ++d) {
      for (NodeId v = 0; v < longest[d].size(); ++v) longest[d][v] = std::max(longest[d][v], other[d][v]);
    }
  }
  return longest;
}

/// Seen beyond its bound by more than what the simulator's numbers may be wrong.
std::optional<std::string> exceeded(const analysis::Proof& proof, const PerNode<double>& seen) {
  for (DagId d = 0; d < seen.size(); ++d) {
    for (NodeId v = 0; v < seen[d].size(); ++v) {
      const auto& bound = proof.dags[d].nodes[v].bound;
      const double F = bound ? static_cast<double>((*proof.dags[d].nodes[v].reference + bound->R).count()) : 0;
      if (bound && seen[d][v] > F + 0.01) return fmt::format("d{}/k{}: {} > {}", d, v, seen[d][v], F);
    }
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("no schedule of kernels that slow one another down exceeds C1") {
  std::size_t nodes = 0, close = 0, lasting = 0;
  for (std::uint64_t seed = 1; seed <= 6'000; ++seed) {
    const SlowedSystem system = slowed_system(seed);
    const analysis::Proof proof = bounds_of(system.set);
    const PerNode<double> seen = slowest_seen(system, seed);
    const auto broken = exceeded(proof, seen);
    REQUIRE_MESSAGE(!broken, "seed " << seed << ": " << broken.value_or(""));
    for (DagId d = 0; d < seen.size(); ++d) {
      for (NodeId v = 0; v < seen[d].size(); ++v) {
        const auto& bound = proof.dags[d].nodes[v].bound;
        if (!bound) continue;
        ++nodes;
        if (seen[d][v] > 0.8 * static_cast<double>(bound->R.count())) ++close;
        if (proof.company->lasting[d][v]) ++lasting;
      }
    }
  }
  CHECK(nodes > 15'000);
  CHECK(close > 1'000);
  CHECK(lasting > 500);
}

TEST_CASE("schedules exceed what would follow without some company") {
  auto variants = wrong_company;
  for (std::uint64_t seed = 1; seed <= 40'000; ++seed) {
    if (std::ranges::all_of(variants, &WrongVariant::caught)) break;
    const SlowedSystem system = slowed_system(seed);
    const PerNode<double> seen = slowest_seen(system, seed);
    for (WrongVariant& variant : variants) {
      if (!variant.caught) variant.caught = exceeded(variant.bounds(system), seen).has_value();
    }
  }
  for (const WrongVariant& variant : variants) CHECK_MESSAGE(variant.caught, std::string(variant.what));
}

TEST_CASE("a matrix of zeros changes no bound, and one that grows shortens no duration and splits no pair") {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const SlowedSystem system = slowed_system(seed);
    const auto zero = bounds_of(with_matrices(*system.set, 0, 1));
    const auto plain = bounds_of(analysis::with_company(*with_matrices(*system.set, 0, 1), analysis::all_last(*system.set)));
    const auto half = bounds_of(with_matrices(*system.set, 1, 2));
    const auto whole = bounds_of(system.set);
    for (DagId d = 0; d < zero.dags.size(); ++d) {
      for (NodeId v = 0; v < zero.dags[d].nodes.size(); ++v) {
        CHECK(zero.dags[d].nodes[v].bound == plain.dags[d].nodes[v].bound);
        CHECK(longest_piece(half.task_set->dags()[d].nodes()[v]) >= longest_piece(zero.task_set->dags()[d].nodes()[v]));
        const auto& more = whole.dags[d].nodes[v].bound;
        const auto& less = half.dags[d].nodes[v].bound;
        if (!more) continue;
        REQUIRE_MESSAGE(less, "seed " << seed << ": no bound beside less company, d" << d << "/k" << v);
        // Weights and priority points are chosen by the durations, so that a bound may move by what is between two choices.
        CHECK_MESSAGE(longest_piece(whole.task_set->dags()[d].nodes()[v]) >= longest_piece(half.task_set->dags()[d].nodes()[v]),
                      "seed " << seed);
        CHECK_MESSAGE(more->R >= less->R, "seed " << seed << ": d" << d << "/k" << v);
      }
    }
  }
}

TEST_CASE("from above: at offsets no schedule exceeds the bounds, and windows are those of the bounds") {
  std::size_t bounded = 0;
  for (std::uint64_t seed = 1; seed <= 1'500; ++seed) {
    const SlowedSystem system = slowed_system(seed);
    for (const Release release : {Release::offsets, Release::segments}) {
      const auto proof = bounds_of(system.set, release);
      const auto again = analysis::with_company(*system.set, proof.company->lasting);
      CHECK(*again == (proof.company->by_pairs ? *proof.company->by_pairs : *proof.task_set));
      for (DagId d = 0; d < proof.dags.size(); ++d) {
        for (NodeId v = 0; v < proof.dags[d].nodes.size(); ++v) {
          const auto& node = proof.dags[d].nodes[v];
          if (proof.company->lasting[d][v]) continue;
          REQUIRE(node.bound);
          CHECK(*node.reference + node.bound->R <= proof.task_set->dags()[d].period());
          ++bounded;
        }
      }
      if (release != Release::offsets || verdict_of(proof) == analysis::Verdict::unbounded) continue;
      const auto broken = exceeded(proof, Slowed(system, seed, &proof).run());
      REQUIRE_MESSAGE(!broken, "seed " << seed << ": " << broken.value_or(""));
    }
  }
  CHECK(bounded > 1'000);
}
