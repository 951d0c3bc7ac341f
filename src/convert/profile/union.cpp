#include "union.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "../names.hpp"
#include "alignment.hpp"

namespace rta::convert {
namespace {

// Jobs that differ in more steps are not the same program.
constexpr std::size_t most_differences = 2000;
constexpr std::size_t most_nodes = 1'000'000;

// Which of so many, by size, is the smallest that at least ppm millionths do not exceed; from 1.
std::size_t rank_of(std::size_t count, std::uint32_t ppm) {
  return static_cast<std::size_t>(std::max<Wide>(ceil_div(static_cast<Wide>(count) * ppm, 1'000'000), 1));
}

class UnionMaker {
 public:
  UnionMaker(const OrderedProfile& ordered, const JobFamily& family, const Options& options, Keep keep, const std::vector<bool>& alone)
      : profile_(ordered.profile()), family_(family), options_(options), keep_(keep), alone_(alone) {}

  void add(const JobSteps& job, std::size_t number) {
    const std::vector<std::uint32_t> node_of = place(job, number);
    if (keep_ == Keep::occurrences) seen_.resize(nodes_.size());
    if (family_.jobs.size() == 1) durations_.reserve(job.steps.size());
    for (std::uint32_t s = 0; s < job.steps.size(); ++s) {
      const std::uint32_t node = node_of[s];
      const Step& step = job.steps[s];
      Node& of = nodes_[node];
      if (step.timed) {
        durations_.push_back({step.duration, node});
        ++of.durations;
        if (!step.on_cpu && !alone_.empty() && alone_[step.operation]) of.alone = std::max(of.alone, step.duration);
      }
      const Occurrence occurrence{static_cast<std::uint32_t>(number), step.start, step.start + step.duration};
      if (keep_ == Keep::occurrences && step.timed) seen_[node].push_back(occurrence);
      if (step.launch != 0 && step.timed) {
        if (node >= together_.size()) together_.resize(nodes_.size());
        together_[node].push_back({occurrence, step.launch});
      }
      if (++of.jobs == 1) {
        of.on_cpu = step.on_cpu;
        of.thread = step.thread;
        of.operation = step.operation;
      } else if (!of.on_cpu) {
        widen(of, profile_.operations[step.operation]);
      }
    }
    for (const auto& [from, to] : job.edges) edges_.emplace_back(node_of[from], node_of[to]);
    join_groups(job, node_of);
    compact_edges(false);
    recorded_.push_back(job.recorded);
    preempted_ = std::max(preempted_, job.preempted);
    busy_.push_back(busy_of(job));
    unclear_ += job.unclear;
    ++jobs_;
  }

  UnionGraph take() {
    order_launches();
    compact_edges(true);
    likeness_ = {};
    together_ = {};
    const std::uint32_t ppm = options_.percentile.value_or(1'000'000);
    UnionGraph graph;
    graph.profile = &profile_;
    std::vector<std::uint32_t> position(nodes_.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) position[order_[i]] = i;
    std::vector<std::int64_t> durations = durations_by(position);
    graph.nodes.reserve(nodes_.size());
    std::span<std::int64_t> left = durations;
    for (const std::uint32_t node : order_) {
      const Node& of = nodes_[node];
      if (of.durations == 0) {
        const std::uint32_t name = profile_.operations[of.operation].name;
        refuse(profile_.file, fmt::format("DAG '{}': '{}' has times that cannot be true in every job: nothing tells how long it lasts",
                                          family_.name, one_line(profile_.texts[name], 60)));
      }
      graph.trimmed = graph.trimmed || rank_of(of.durations, ppm) < of.durations;
      graph.nodes.push_back({.span = span_of(left.first(of.durations), ppm),
                             .thread = of.thread,
                             .operation = of.operation,
                             .widened = of.widened,
                             .jobs = of.jobs,
                             .fused = 1,
                             .alone = of.alone,
                             .on_cpu = of.on_cpu,
                             .together = group_[node] != no_index});
      left = left.subspan(of.durations);
      if (keep_ == Keep::occurrences) graph.seen.push_back(std::move(seen_[node]));
    }
    graph.widened = std::move(widened_);
    for (auto& [from, to] : edges_) {
      from = position[from];
      to = position[to];
    }
    graph.edges = std::move(edges_);
    std::ranges::sort(graph.edges);
    graph.recorded_of = recorded_;
    graph.recorded = span_of(recorded_, ppm).most;
    graph.busy_of = std::move(busy_);
    return graph;
  }

  // Throws when jobs differ and may not.
  void tell_differences(Notes& notes) const {
    std::size_t sometimes = 0;
    std::string examples;
    for (const std::uint32_t node : order_) {
      if (nodes_[node].jobs == jobs_ || nodes_[node].on_cpu) continue;
      if (++sometimes <= 4) {
        const std::uint32_t name = profile_.operations[nodes_[node].operation].name;
        examples +=
            fmt::format("{}'{}' in {}", examples.empty() ? "" : ", ", one_line(function_name(profile_.texts[name]), 60), nodes_[node].jobs);
      }
    }
    if (options_.strict && (sometimes > 0 || grown_ > 0)) {
      refuse(notes.file(),
             fmt::format("--strict: the {} jobs of DAG '{}' differ: {} kernels, copies and memsets are not in all of them{}{}, {} have "
                         "another grid, block, shared memory or number of registers",
                         jobs_, family_.name, sometimes, examples.empty() ? "" : ": ", examples, grown_));
    }
    if (options_.strict) notes.found(fmt::format("--strict: the {} jobs of DAG '{}' do not differ", jobs_, family_.name));
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
    if (preempted_ > 0) {
      notes.assume(
          fmt::format("DAG '{}': others ran in the place of its threads for up to {} of a job (SCHED_EVENTS), which counts neither as "
                      "execution nor as time that the job took",
                      family_.name, io::time_text(Time(preempted_))));
    }
    const auto tell = [&](std::uint64_t count, const char* what) {
      if (count > 0) notes.assume(fmt::format("DAG '{}': {} {}", family_.name, count, what));
    };
    tell(unclear_.other_job, "waits for an event of another job are left out: jobs of a DAG do not wait for one another");
    tell(unclear_.no_record, "waits of a stream for an event whose record is not in the file are taken to wait for all streams");
    tell(unclear_.contradictory, "synchronisations that returned before what they waited for had ended are left out");
    tell(unclear_.no_launch, "kernels, copies and memsets whose launch is not in the file follow their stream alone");
    tell(unclear_.assumed_launch,
         "kernels, copies and memsets whose launch is not in the file are taken to be launched by the thread that launches others of "
         "their stream, before the next of these, and where the thread was in no other call when they began");
    tell(unclear_.late_record, "waits for an event that was recorded again later are taken to wait for all that its stream had been given");
    tell(unclear_.graph,
         "kernels, copies and memsets of CUDA graphs: what they wait for is not recorded, and each follows those of its launch that had "
         "always ended when it began");
  }

  // The node of each step; steps that no earlier job has become new nodes where they stand.
  std::vector<std::uint32_t> place(const JobSteps& job, std::size_t number) {
    std::vector<std::uint64_t> ours, theirs;
    for (const std::uint32_t node : order_) ours.push_back(likeness_[node]);
    for (const Step& step : job.steps) theirs.push_back(step.likeness);
    const auto pairs = jobs_ == 0 ? std::vector<std::pair<std::uint32_t, std::uint32_t>>() : aligned(ours, theirs, most_differences);
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
        group_.push_back(no_index);
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

  [[nodiscard]] Busy busy_of(const JobSteps& job) const {
    std::map<std::int64_t, std::vector<std::pair<std::int64_t, std::int64_t>>> by_device;
    Busy busy;
    for (const Step& step : job.steps) {
      if (step.on_cpu || !step.timed || profile_.operations[step.operation].kind != GpuOperation::Kind::kernel) continue;
      by_device[profile_.operations[step.operation].device].emplace_back(step.start, step.start + step.duration);
      busy.sum = checked_add(busy.sum, step.duration);
    }
    for (auto& [device, all] : by_device) {
      std::ranges::sort(all);
      std::int64_t until = std::numeric_limits<std::int64_t>::min();
      for (const auto& [start, end] : all) {
        if (end > until) busy.once += end - std::max(start, until);
        until = std::max(until, end);
      }
    }
    return busy;
  }

  // Nodes that one call launched together in some job are a group.
  void join_groups(const JobSteps& job, const std::vector<std::uint32_t>& node_of) {
    std::map<std::uint32_t, std::uint32_t> group_of;  // by launch
    for (std::uint32_t s = 0; s < job.steps.size(); ++s) {
      const std::uint32_t launch = job.steps[s].launch;
      if (launch == 0) continue;
      std::uint32_t& own = group_[node_of[s]];
      const auto [at, fresh] = group_of.emplace(launch, own);
      if (at->second == no_index) at->second = own != no_index ? own : groups_++;
      if (own == no_index) own = at->second;
    }
  }

  // What was observed of each node, those of the node at each position together.
  [[nodiscard]] std::vector<std::int64_t> durations_by(const std::vector<std::uint32_t>& position) {
    std::vector<std::size_t> next(nodes_.size() + 1);
    for (const Duration& d : durations_) ++next[position[d.node] + 1];
    for (std::size_t i = 0; i < nodes_.size(); ++i) next[i + 1] += next[i];
    std::vector<std::int64_t> sorted(durations_.size());
    for (const Duration& d : durations_) sorted[next[position[d.node]]++] = d.length;
    durations_ = {};
    return sorted;
  }

  // In every job in which one call launched both, `a` had ended when `b` began, and there is such a job.
  [[nodiscard]] bool always_before(std::uint32_t a, std::uint32_t b) const {
    if (std::max(a, b) >= together_.size()) return false;
    bool any = false;
    auto first = together_[a].begin();
    for (const auto& [second, launch] : together_[b]) {
      while (first != together_[a].end() && first->first.job < second.job) ++first;
      if (first == together_[a].end()) break;
      if (first->first.job != second.job || first->second != launch) continue;
      if (first->first.end > second.start) return false;
      any = true;
    }
    return any;
  }

  // Edges between what was launched together. A group falls into chains in which each had always ended when the next one began; a node
  // follows the last such one of each chain.
  void order_launches() {
    std::vector<std::uint32_t> position(nodes_.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) position[order_[i]] = i;
    std::map<std::uint32_t, std::vector<std::vector<std::uint32_t>>> chains;  // by group
    for (const std::uint32_t node : order_) {
      if (group_[node] == no_index) continue;
      auto& all = chains[group_[node]];
      std::vector<std::uint32_t> before;
      std::vector<std::uint32_t>* own = nullptr;
      for (auto& chain : all) {
        const auto last = std::find_if(chain.rbegin(), chain.rend(), [&](std::uint32_t one) { return always_before(one, node); });
        if (last == chain.rend()) continue;
        if (own == nullptr && last == chain.rbegin()) own = &chain;
        before.push_back(*last);
      }
      for (const std::uint32_t one : before) {
        const bool implied =
            std::ranges::any_of(before, [&](std::uint32_t later) { return position[one] < position[later] && always_before(one, later); });
        if (!implied) edges_.emplace_back(one, node);
      }
      if (own == nullptr) own = &all.emplace_back();
      own->push_back(node);
    }
  }

  struct Node {
    std::uint32_t thread = 0;
    std::uint32_t operation = no_index;
    std::uint32_t widened = no_index;
    std::uint32_t jobs = 0;
    std::uint32_t durations = 0;
    std::int64_t alone = -1;
    bool on_cpu = false;
  };
  struct Duration {
    std::int64_t length;
    std::uint32_t node;
  };

  void widen(Node& node, const GpuOperation& one) {
    const GpuOperation& before = node.widened == no_index ? profile_.operations[node.operation] : widened_[node.widened];
    if (one.B == before.B && one.H == before.H && one.registers == before.registers && one.shared_memory == before.shared_memory) return;
    ++grown_;
    if (node.widened == no_index) {
      node.widened = static_cast<std::uint32_t>(widened_.size());
      widened_.push_back(before);
    }
    GpuOperation& all = widened_[node.widened];
    all.B = std::max(all.B, one.B);
    all.H = std::max(all.H, one.H);
    all.registers = std::max(all.registers, one.registers);
    all.shared_memory = std::max(all.shared_memory, one.shared_memory);
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
  const std::vector<bool>& alone_;
  std::vector<Node> nodes_;
  std::vector<GpuOperation> widened_;
  std::vector<Duration> durations_;
  std::vector<std::vector<Occurrence>> seen_;                                // of each node
  std::vector<std::uint64_t> likeness_;                                      // of each node
  std::vector<std::uint32_t> group_;                                         // of each node that was launched together with others
  std::vector<std::vector<std::pair<Occurrence, std::uint32_t>>> together_;  // of each of those: when, and by which launch of the job
  std::uint32_t groups_ = 0;
  std::vector<std::uint32_t> order_;  // of nodes
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
  std::size_t unique_edges_ = 0;
  std::vector<std::int64_t> recorded_;
  std::int64_t preempted_ = 0;  // of the job that was longest
  std::vector<Busy> busy_;
  Unclear unclear_;
  std::size_t jobs_ = 0, grown_ = 0;
};

}  // namespace

Span span_of(std::span<std::int64_t> observed, std::uint32_t ppm) {
  std::ranges::sort(observed);
  const std::size_t rank = rank_of(observed.size(), ppm);
  Span span;
  span.least = observed.front();
  span.most = observed[rank - 1];
  Wide sum = 0;
  for (std::size_t i = 0; i < rank; ++i) sum += observed[i];
  const Wide likeliest = 3 * sum / static_cast<Wide>(rank) - span.least - span.most;
  span.likeliest = static_cast<std::int64_t>(std::clamp<Wide>(likeliest, span.least, span.most));
  return span;
}

std::vector<bool> ran_alone(const Profile& profile) {
  struct Ran {
    std::int64_t start, end;
    std::uint32_t operation;  // or no_index
  };
  std::map<std::int64_t, std::vector<Ran>> devices;
  for (std::uint32_t o = 0; o < profile.operations.size(); ++o) {
    const GpuOperation& one = profile.operations[o];
    if (one.kind != GpuOperation::Kind::kernel) continue;
    if (!one.timed) {
      refuse(profile.file, fmt::format("--alone: '{}' has times that cannot be true: nothing tells what ran beside it",
                                       one_line(profile.texts[one.name], 60)));
    }
    devices[one.device].push_back({one.start, std::max(one.end, one.start + 1), o});
  }
  for (const Unread& one : profile.unread) {
    for (auto& [device, ran] : devices) {
      if (!one.device || *one.device == device) ran.push_back({one.start, std::max(one.end, one.start + 1), no_index});
    }
  }
  std::vector<bool> alone(profile.operations.size(), false);
  for (auto& [device, ran] : devices) {
    std::ranges::sort(ran, {}, &Ran::start);
    std::int64_t before = std::numeric_limits<std::int64_t>::min();  // the last end of those that began earlier
    for (std::size_t i = 0; i < ran.size(); ++i) {
      const bool beside_later = i + 1 < ran.size() && ran[i + 1].start < ran[i].end;
      if (ran[i].operation != no_index) alone[ran[i].operation] = before <= ran[i].start && !beside_later;
      before = std::max(before, ran[i].end);
    }
  }
  return alone;
}

UnionGraph union_of(const OrderedProfile& ordered, const JobFamily& family, const Options& options, Notes& notes, Keep keep,
                    const std::vector<bool>& alone) {
  UnionMaker maker(ordered, family, options, keep, alone);
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
