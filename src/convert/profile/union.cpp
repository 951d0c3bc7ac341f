#include "union.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "../names.hpp"
#include "alignment.hpp"

namespace rta::convert {
namespace {

// Jobs that differ in more steps are not the same program.
constexpr std::size_t most_differences = 2000;
constexpr std::size_t most_nodes = 1'000'000;

class UnionMaker {
 public:
  UnionMaker(const OrderedProfile& ordered, const JobFamily& family, const Options& options, Keep keep)
      : profile_(ordered.profile()), family_(family), options_(options), keep_(keep) {}

  void add(const JobSteps& job, std::size_t number) {
    const std::vector<std::uint32_t> node_of = place(job, number);
    for (std::uint32_t s = 0; s < job.steps.size(); ++s) {
      const std::uint32_t node = node_of[s];
      durations_[node].push_back(job.steps[s].duration);
      UnionNode& of = nodes_[node];
      if (keep_ == Keep::occurrences) {
        const Step& step = job.steps[s];
        of.seen.push_back({static_cast<std::uint32_t>(number), step.start, step.start + step.duration});
      }
      if (++of.jobs == 1) {
        of.on_cpu = job.steps[s].on_cpu;
        of.thread = job.steps[s].thread;
        if (!of.on_cpu) of.operation = profile_.operations[job.steps[s].operation];
      } else if (!of.on_cpu) {
        widen(of.operation, profile_.operations[job.steps[s].operation]);
      }
    }
    for (const auto& [from, to] : job.edges) edges_.emplace_back(node_of[from], node_of[to]);
    compact_edges(false);
    recorded_.push_back(job.recorded);
    unclear_ += job.unclear;
    ++jobs_;
  }

  UnionGraph take() {
    compact_edges(true);
    const std::uint32_t ppm = options_.percentile.value_or(1'000'000);
    UnionGraph graph;
    std::vector<std::uint32_t> position(nodes_.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) position[order_[i]] = i;
    graph.nodes.reserve(nodes_.size());
    for (const std::uint32_t node : order_) {
      graph.nodes.push_back(std::move(nodes_[node]));
      graph.nodes.back().span = span_of(std::move(durations_[node]), ppm);
    }
    for (const auto& [from, to] : edges_) graph.edges.emplace_back(position[from], position[to]);
    std::ranges::sort(graph.edges);
    graph.recorded = span_of(recorded_, ppm).most;
    graph.recorded_of = std::move(recorded_);
    return graph;
  }

  // Throws when jobs differ and may not.
  void tell_differences(Notes& notes) const {
    std::size_t sometimes = 0;
    std::string examples;
    for (const std::uint32_t node : order_) {
      if (nodes_[node].jobs == jobs_ || nodes_[node].on_cpu) continue;
      if (++sometimes <= 4) {
        examples += fmt::format("{}'{}' in {}", examples.empty() ? "" : ", ",
                                one_line(function_name(profile_.texts[nodes_[node].operation.name]), 60), nodes_[node].jobs);
      }
    }
    if (options_.strict && (sometimes > 0 || grown_ > 0)) {
      refuse(notes.file(),
             fmt::format("--strict: the {} jobs of DAG '{}' differ: {} kernels, copies and memsets are not in all of them{}{}, {} have "
                         "another grid, block, shared memory or number of registers",
                         jobs_, family_.name, sometimes, examples.empty() ? "" : ": ", examples, grown_));
    }
    if (sometimes > 0) {
      notes.assume(fmt::format("DAG '{}': {} kernels, copies and memsets are not in all of its {} jobs ({}{}), and are taken to run in all",
                               family_.name, sometimes, jobs_, examples, sometimes > 4 ? ", …" : ""));
    }
    if (grown_ > 0) {
      notes.assume(fmt::format(
          "DAG '{}': {} times a kernel had another grid, block, shared memory or number of registers than in an earlier job; the "
          "largest of each counts",
          family_.name, grown_));
    }
    tell_unclear(notes);
  }

 private:
  void tell_unclear(Notes& notes) const {
    const auto tell = [&](std::uint64_t count, const char* what) {
      if (count > 0) notes.assume(fmt::format("DAG '{}': {} {}", family_.name, count, what));
    };
    tell(unclear_.other_job, "waits for an event of another job are left out: jobs of a DAG do not wait for one another");
    tell(unclear_.no_record, "waits of a stream for an event whose record is not in the file are taken to wait for all streams");
    tell(unclear_.contradictory, "synchronisations that returned before what they waited for had ended are left out");
    tell(unclear_.no_launch, "kernels, copies and memsets whose launch is not in the file follow their stream alone");
    tell(unclear_.graph, "kernels of CUDA graphs run one after another in the order in which they were seen");
  }

  // The node of each step; steps that no earlier job has become new nodes where they stand.
  std::vector<std::uint32_t> place(const JobSteps& job, std::size_t number) {
    std::vector<std::uint64_t> ours, theirs;
    for (const std::uint32_t node : order_) ours.push_back(likeness_[node]);
    for (const Step& step : job.steps) theirs.push_back(step.likeness);
    const auto pairs = aligned(ours, theirs, jobs_ == 0 ? theirs.size() : most_differences);
    if (!pairs) {
      refuse(profile_.file, fmt::format("jobs 1 to {} and job {} of DAG '{}' differ in more than {} steps: they are not the same program "
                                        "(--job-marker names the ranges that are jobs)",
                                        number, number + 1, family_.name, most_differences));
    }
    std::vector<std::uint32_t> node_of(theirs.size()), merged;
    std::size_t of_ours = 0, of_theirs = 0;
    const auto take_until = [&](std::size_t a, std::size_t b) {
      for (; of_ours < a; ++of_ours) merged.push_back(order_[of_ours]);
      for (; of_theirs < b; ++of_theirs) {
        node_of[of_theirs] = static_cast<std::uint32_t>(nodes_.size());
        merged.push_back(node_of[of_theirs]);
        nodes_.emplace_back();
        durations_.emplace_back();
        likeness_.push_back(theirs[of_theirs]);
      }
    };
    for (const auto& [a, b] : *pairs) {
      take_until(a, b);
      merged.push_back(order_[a]);
      node_of[b] = order_[a];
      of_ours = a + 1;
      of_theirs = b + 1;
    }
    take_until(order_.size(), theirs.size());
    order_ = std::move(merged);
    if (nodes_.size() > most_nodes) refuse(profile_.file, fmt::format("DAG '{}' has more than {} nodes", family_.name, most_nodes));
    return node_of;
  }

  void widen(GpuOperation& all, const GpuOperation& one) {
    const GpuOperation before = all;
    all.B = std::max(all.B, one.B);
    all.H = std::max(all.H, one.H);
    all.registers = std::max(all.registers, one.registers);
    all.shared_memory = std::max(all.shared_memory, one.shared_memory);
    grown_ += static_cast<std::size_t>(one.B != before.B || one.H != before.H || one.registers != before.registers ||
                                       one.shared_memory != before.shared_memory);
  }

  void compact_edges(bool always) {
    if (!always && edges_.size() < 2 * unique_edges_ + 1024) return;
    std::ranges::sort(edges_);
    edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
    unique_edges_ = edges_.size();
  }

  const Profile& profile_;
  const JobFamily& family_;
  const Options& options_;
  Keep keep_;
  std::vector<UnionNode> nodes_;
  std::vector<std::vector<std::int64_t>> durations_;  // of each node
  std::vector<std::uint64_t> likeness_;               // of each node
  std::vector<std::uint32_t> order_;                  // of nodes
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
  std::size_t unique_edges_ = 0;
  std::vector<std::int64_t> recorded_;
  Unclear unclear_;
  std::size_t jobs_ = 0, grown_ = 0;
};

}  // namespace

Span span_of(std::vector<std::int64_t> observed, std::uint32_t ppm) {
  std::ranges::sort(observed);
  const auto n = static_cast<Wide>(observed.size());
  // The smallest that at least ppm millionths do not exceed.
  const auto rank = static_cast<std::size_t>(std::max<Wide>(ceil_div(n * ppm, 1'000'000), 1));
  Span span;
  span.least = observed.front();
  span.most = observed[rank - 1];
  Wide sum = 0;
  for (std::size_t i = 0; i < rank; ++i) sum += observed[i];
  const Wide likeliest = 3 * sum / static_cast<Wide>(rank) - span.least - span.most;
  span.likeliest = static_cast<std::int64_t>(std::clamp<Wide>(likeliest, span.least, span.most));
  return span;
}

UnionGraph union_of(const OrderedProfile& ordered, const JobFamily& family, const Options& options, Notes& notes, Keep keep) {
  UnionMaker maker(ordered, family, options, keep);
  for (std::size_t j = 0; j < family.jobs.size(); ++j) maker.add(steps_of(ordered, family, family.jobs[j], options), j);
  maker.tell_differences(notes);
  return maker.take();
}

std::int64_t longest_path(const UnionGraph& graph) {
  std::vector<std::int64_t> start(graph.nodes.size(), 0);
  std::int64_t longest = 0;
  std::size_t e = 0;
  for (std::uint32_t v = 0; v < graph.nodes.size(); ++v) {
    const std::int64_t end = checked_add(start[v], graph.nodes[v].span.most);
    longest = std::max(longest, end);
    for (; e < graph.edges.size() && graph.edges[e].first == v; ++e)
      start[graph.edges[e].second] = std::max(start[graph.edges[e].second], end);
  }
  return longest;
}

}  // namespace rta::convert
