// Whether a schedule's times are a schedule of a graph, by looking at intervals alone: shares nothing with the code that makes or proves
// them.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "rta/static_order/graph.hpp"
#include "rta/static_order/schedule.hpp"

namespace rta::static_order {

class NaiveChecker {
 public:
  NaiveChecker(const Graph& graph, HyperepochId id, const ScheduledHyperepoch& schedule, Submittee submittee)
      : graph_(graph), id_(id), hyperepoch_(graph.hyperepochs[id]), schedule_(schedule), submittee_(submittee) {}

  /// What is wrong, in words.
  std::vector<std::string> run() {
    by_streams_ = std::ranges::any_of(schedule_.sharing, [](const Sharing& s) { return s.by == Sharing::By::streams; });
    for (std::size_t i = 0; i < schedule_.runnables.size(); ++i) index(i);
    for (RunnableId r = 0; r < graph_.runnables.size(); ++r) {
      if (graph_.runnables[r].hyperepoch == id_) check_runnable(r);
    }
    check_resources();
    check_frames();
    return std::move(wrong_);
  }

 private:
  void fail(const std::string& what) { wrong_.push_back(what); }

  // Every runnable that the entry stands for.
  void index(std::size_t i) {
    const ScheduledRunnable& s = schedule_.runnables[i];
    if (s.start + s.wcet != s.end && !by_streams_) fail(s.name + ": end is not start + wcet");
    if (s.start < s.release && !by_streams_) fail(s.name + " starts before its release");
    for (RunnableId r = 0; r < graph_.runnables.size(); ++r) {
      const Runnable& runnable = graph_.runnables[r];
      const std::string name = graph_.clients[runnable.client].name + "." + runnable.name;
      if (runnable.epoch != s.epoch || s.role == Role::frame_sync) continue;
      if (name == s.full_name() || std::ranges::find(s.steps, name) != s.steps.end()) {
        if (!entry_.emplace(std::pair(r, s.frame), i).second) fail(name + " is there twice");
      }
    }
  }

  [[nodiscard]] const ScheduledRunnable* entry(RunnableId r, std::uint64_t frame) const {
    const auto at = entry_.find({r, frame});
    return at == entry_.end() ? nullptr : &schedule_.runnables[at->second];
  }

  void check_runnable(RunnableId r) {
    const Runnable& runnable = graph_.runnables[r];
    const Epoch& epoch = hyperepoch_.epochs[runnable.epoch];
    for (std::uint64_t k = 0; k < epoch.frames; ++k) {
      const ScheduledRunnable* s = entry(r, k);
      if (s == nullptr) {
        fail(runnable.name + " is missing");
        continue;
      }
      const Time frame = epoch.period * static_cast<std::int64_t>(k);
      if (s->release < frame + runnable.start_time) fail(runnable.name + " is released too early");
      if (!runnable.blocks && s->wcet < runnable.wcet) fail(runnable.name + " has too little time");
      if (runnable.deadline && (!s->deadline || *s->deadline > frame + *runnable.deadline)) fail(runnable.name + " has a later deadline");
      for (const RunnableId before : runnable.dependencies) {
        const bool overlaps = submittee_ == Submittee::overlap && graph_.runnables[before].submits == r;
        if (!overlaps) before_in_time(before, *s, k);
      }
      for (const RunnableId before : runnable.previous) {
        if (k > 0) before_in_time(before, *s, k - 1);
      }
      check_submittee(runnable, *s, k);
      check_needs(runnable, *s);
    }
  }

  void before_in_time(RunnableId before, const ScheduledRunnable& after, std::uint64_t frame) {
    const ScheduledRunnable* first = entry(before, frame);
    if (first == nullptr) return;
    if (first->end > after.start && !by_streams_) fail(after.name + " starts before " + first->name + " has ended");
    if (first->end > after.end) fail(after.name + " ends before " + first->name);
  }

  void check_submittee(const Runnable& runnable, const ScheduledRunnable& s, std::uint64_t frame) {
    if (!runnable.submits) return;
    const ScheduledRunnable* kernel = entry(*runnable.submits, frame);
    if (kernel == nullptr) return;
    const Time earliest = submittee_ == Submittee::after ? s.end : s.start;
    if (kernel->start < earliest && !by_streams_) fail(kernel->name + " starts before it is submitted");
    if (submittee_ == Submittee::overlap && kernel->wcet < s.wcet) fail(kernel->name + " is shorter than its submitter");
  }

  void check_needs(const Runnable& runnable, const ScheduledRunnable& s) {
    for (const ResourceNeed& need : runnable.needs) {
      const auto has = [&](ResourceId id) {
        return std::ranges::any_of(s.resources, [&](std::size_t r) { return schedule_.resources[r].name == full_name(graph_, id); });
      };
      if (std::ranges::none_of(need.any_of, has)) fail(runnable.name + " lacks a resource");
    }
  }

  // One time line per resource; submittees of a stream in the order of their submitters.
  void check_resources() {
    for (std::size_t r = 0; r < schedule_.resources.size(); ++r) {
      if (std::ranges::any_of(schedule_.sharing, [&](const Sharing& s) { return s.resource == r; }) || by_streams_) continue;
      std::vector<const ScheduledRunnable*> on, carried;
      for (const ScheduledRunnable& s : schedule_.runnables) {
        if (std::ranges::find(s.resources, r) != s.resources.end()) on.push_back(&s);
        if (s.stream == r) carried.push_back(&s);
      }
      check_line(on);
      check_line(carried);
      for (const ScheduledRunnable* a : on) {
        for (const ScheduledRunnable* b : on) {
          if (a->submits.empty() || b->submits.empty() || !schedule_.resources[r].serves || a->end > b->start || a == b ||
              a->start == b->start)
            continue;
          if (schedule_.runnables[a->submits[0]].end > schedule_.runnables[b->submits[0]].start)
            fail(a->name + " and " + b->name + " are submitted in another order than they run");
        }
      }
    }
  }

  void check_line(std::vector<const ScheduledRunnable*> on) {
    std::ranges::sort(on, {}, [](const ScheduledRunnable* s) { return std::pair(s->start, s->end); });
    for (std::size_t i = 0; i + 1 < on.size(); ++i) {
      if (on[i]->end > on[i + 1]->start) fail(on[i]->name + " and " + on[i + 1]->name + " overlap");
    }
  }

  void check_frames() {
    for (const ScheduledRunnable& a : schedule_.runnables) {
      for (const ScheduledRunnable& b : schedule_.runnables) {
        if (a.epoch == b.epoch && a.frame < b.frame && !hyperepoch_.epochs[a.epoch].overlap && a.end > b.start && !by_streams_)
          fail(b.name + " starts before the frame before has ended");
      }
    }
  }

  const Graph& graph_;
  HyperepochId id_;
  const Hyperepoch& hyperepoch_;
  const ScheduledHyperepoch& schedule_;
  Submittee submittee_;
  bool by_streams_ = false;
  std::map<std::pair<RunnableId, std::uint64_t>, std::size_t> entry_;
  std::vector<std::string> wrong_;
};

inline std::string naive_faults(const Graph& graph, HyperepochId id, const ScheduledHyperepoch& schedule, Submittee submittee) {
  std::string text;
  for (const std::string& fault : NaiveChecker(graph, id, schedule, submittee).run()) text += fault + "\n";
  return text;
}

}  // namespace rta::static_order
