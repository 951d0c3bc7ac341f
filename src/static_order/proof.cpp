#include "rta/static_order/proof.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "free_kernels.hpp"
#include "waiting.hpp"

namespace rta::static_order {
namespace {

using By = Decision::By;

class Prover {
 public:
  Prover(const ScheduledHyperepoch& hyperepoch, const Waiting& waiting) : hyperepoch_(hyperepoch), waiting_(waiting) {
    by_streams_ = std::ranges::any_of(hyperepoch.sharing, [](const Sharing& s) { return s.by == Sharing::By::streams; });
  }

  HyperepochProof run() {
    proof_.runnables.resize(hyperepoch_.runnables.size());
    if (by_streams_) {
      ends_of_free_kernels();
    } else {
      latest_ends();
      find_slack();
      find_scale();
    }
    summarize();
    return std::move(proof_);
  }

 private:
  // T15: f_v = max(s_v, max f over predecessors) + C_v
  void latest_ends() {
    for (const std::size_t i : waiting_.order) {
      const ScheduledRunnable& r = hyperepoch_.runnables[i];
      RunnableProof& proof = proof_.runnables[i];
      proof.start = r.release;
      for (const Decision& decision : waiting_.before[i]) {
        const Time at = proof_.runnables[decision.predecessor].start + lag_of(hyperepoch_, decision);
        if (at <= proof.start) continue;
        proof.start = at;
        proof.decision = decision;
      }
      proof.end = proof.start + r.wcet;
    }
  }

  void ends_of_free_kernels() {
    const FreeKernels kernels = free_kernels(hyperepoch_, waiting_);
    for (std::size_t i = 0; i < proof_.runnables.size(); ++i) {
      RunnableProof& proof = proof_.runnables[i];
      proof.end = kernels.end[i];
      proof.start = proof.end - hyperepoch_.runnables[i].wcet;
      proof.decision = kernels.decision[i];
    }
  }

  // What is left between the longest path through a runnable and the due time at the path's end.
  void find_slack() {
    constexpr Time ever(std::numeric_limits<std::int64_t>::max());
    std::vector<Time> latest_end(proof_.runnables.size());          // so that nothing is late
    std::vector<Time> latest_start(proof_.runnables.size(), ever);  // as far as it matters to those that follow its start
    for (std::size_t i = 0; i < latest_end.size(); ++i) latest_end[i] = due_of(hyperepoch_, hyperepoch_.runnables[i]);
    for (std::size_t k = waiting_.order.size(); k-- > 0;) {
      const std::size_t i = waiting_.order[k];
      const Time wcet = hyperepoch_.runnables[i].wcet;
      RunnableProof& proof = proof_.runnables[i];
      proof.slack = latest_end[i] - proof.end;
      const Time latest = std::min(latest_end[i] - wcet, latest_start[i]);
      for (const Decision& decision : waiting_.before[i]) {
        Time& bound = decision.by == By::submitter_start ? latest_start[decision.predecessor] : latest_end[decision.predecessor];
        bound = std::min(bound, latest);
      }
    }
    // A submittee that starts with its submitter is as long as that.
    for (std::size_t i = 0; i < proof_.runnables.size(); ++i) {
      for (const std::size_t submitter : hyperepoch_.runnables[i].after_start) {
        const Time longest = hyperepoch_.runnables[i].wcet + *proof_.runnables[i].slack;
        Time& slack = *proof_.runnables[submitter].slack;
        slack = std::min(slack, longest - hyperepoch_.runnables[submitter].wcet);
      }
    }
  }

  // Dinkelbach: the path that is late at one scale gives the next one, until none is.
  void find_scale() {
    std::optional<Scale> scale;
    for (std::size_t i = 0; i < hyperepoch_.runnables.size(); ++i) {
      const ScheduledRunnable& r = hyperepoch_.runnables[i];
      if (r.wcet == Time::zero()) continue;
      const Scale alone{std::max((due_of(hyperepoch_, r) - r.release).count(), std::int64_t{0}), r.wcet.count()};
      if (!scale || alone.numerator * scale->denominator < scale->numerator * alone.denominator) scale = alone;
    }
    if (!scale) return;
    while (lower(*scale)) {
    }
    proof_.scale = scale;
  }

  // Whether some path is late at this scale; then it becomes that at which the path is just in time.
  bool lower(Scale& scale) const {
    struct Path {
      Wide release = 0;
      Wide work = 0;
      [[nodiscard]] Wide at(const Scale& s) const {
        return checked_add(checked_mul(release, s.denominator), checked_mul(work, s.numerator));
      }
    };
    std::vector<Path> start(hyperepoch_.runnables.size());
    Wide worst = 0;
    std::optional<Scale> next;
    for (const std::size_t i : waiting_.order) {
      const ScheduledRunnable& r = hyperepoch_.runnables[i];
      Path& path = start[i];
      path = {r.release.count(), 0};
      for (const Decision& decision : waiting_.before[i]) {
        Path before = start[decision.predecessor];
        before.work += lag_of(hyperepoch_, decision).count();
        if (before.at(scale) > path.at(scale)) path = before;
      }
      const Path end{path.release, path.work + r.wcet.count()};
      const Wide room = static_cast<Wide>(due_of(hyperepoch_, r).count()) - end.release;
      const Wide late = end.at(scale) - checked_mul(static_cast<Wide>(due_of(hyperepoch_, r).count()), scale.denominator);
      if (late <= worst) continue;
      worst = late;
      next = end.work > 0 ? Scale{std::max<Wide>(room, 0), end.work} : Scale{0, 1};
    }
    if (!next || (scale.numerator == 0)) return false;
    scale = *next;
    return true;
  }

  void summarize() {
    std::map<std::pair<std::size_t, std::uint64_t>, FrameProof> frames;
    std::size_t last = 0;
    proof_.lateness = Time(std::numeric_limits<std::int64_t>::min());
    for (std::size_t i = 0; i < proof_.runnables.size(); ++i) {
      const ScheduledRunnable& r = hyperepoch_.runnables[i];
      const Time end = proof_.runnables[i].end;
      FrameProof& frame = frames[{r.epoch, r.frame}];
      frame.epoch = r.epoch;
      frame.frame = r.frame;
      frame.start = hyperepoch_.epochs[r.epoch].period * static_cast<std::int64_t>(r.frame);
      frame.end = std::max(frame.end, end);
      if (end > proof_.length) {
        proof_.length = end;
        last = i;
      }
      const Time late = end - due_of(hyperepoch_, r);
      if (late > proof_.lateness) {
        proof_.lateness = late;
        proof_.latest = i;
      }
    }
    for (const auto& [key, frame] : frames) proof_.frames.push_back(frame);
    if (by_streams_) {
      proof_.critical_path = free_path(hyperepoch_, last).runnables;
      return;
    }
    for (std::size_t at = last; !proof_.runnables.empty();) {
      proof_.critical_path.push_back(at);
      if (proof_.runnables[at].decision.by == By::release) break;
      at = proof_.runnables[at].decision.predecessor;
    }
    std::ranges::reverse(proof_.critical_path);
  }

  const ScheduledHyperepoch& hyperepoch_;
  const Waiting& waiting_;
  HyperepochProof proof_;
  bool by_streams_ = false;
};

}  // namespace

std::optional<HyperepochProof> prove(const ScheduledHyperepoch& hyperepoch, Cycle& cycle) {
  const Waiting waiting = waiting_of(hyperepoch);
  cycle.clear();
  if (waiting.order.size() < hyperepoch.runnables.size()) {
    cycle = cycle_of(waiting);
    return std::nullopt;
  }
  return Prover(hyperepoch, waiting).run();
}

std::vector<Decision> predecessors(const ScheduledHyperepoch& hyperepoch, std::size_t runnable) {
  return waiting_of(hyperepoch).before[runnable];
}

}  // namespace rta::static_order
