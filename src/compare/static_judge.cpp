#include "static_judge.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rta/static_order/graph.hpp"

namespace rta::compare {
namespace {

using static_order::Decision;
using static_order::ScheduledHyperepoch;
using static_order::ScheduledRunnable;

/// Clocks of two processors may differ by so much.
constexpr Time clock_difference(1000);

void add(Observed& observed, Time value) {
  observed.sorted.push_back(value);
  observed.sum += value.count();
}

}  // namespace

StaticJudge::StaticJudge(const static_order::Schedule& schedule, bool skips, StaticComparison& result)
    : schedule_(schedule),
      skips_(skips),
      result_(result),
      first_start_(schedule.hyperepochs.size()),
      last_start_(schedule.hyperepochs.size()) {
  result.hyperepochs.resize(schedule.hyperepochs.size());
  for (std::size_t h = 0; h < schedule.hyperepochs.size(); ++h) {
    const ScheduledHyperepoch& hyperepoch = schedule.hyperepochs[h];
    waiting_.push_back(static_order::waiting_of(hyperepoch));
    result.windows.emplace_back(hyperepoch.runnables.size());
    auto& numbers = resource_.emplace_back();
    for (std::size_t r = 0; r < hyperepoch.resources.size(); ++r) {
      const auto kind = static_order::kind_of_type(hyperepoch.resources[r].type);
      numbers.emplace_back();
      if (kind != static_order::ResourceKind::cpu && kind != static_order::ResourceKind::engine) continue;
      numbers.back() = result.resources.size();
      Wide work = 0;
      for (const ScheduledRunnable& runnable : hyperepoch.runnables) {
        if (std::ranges::find(runnable.resources, r) != runnable.resources.end()) work += runnable.wcet.count();
      }
      const auto planned =
          hyperepoch.period > Time::zero() ? static_cast<std::uint64_t>(ceil_div(work * 1'000'000, hyperepoch.period.count())) : 0;
      result.resources.push_back({h, hyperepoch.resources[r].name, planned, 0});
    }
  }
  busy_.resize(result.resources.size());
}

void StaticJudge::prepare(const StaticFrames& frames) {
  for (std::size_t h = 0; h < schedule_.hyperepochs.size(); ++h) {
    const ScheduledHyperepoch& hyperepoch = schedule_.hyperepochs[h];
    std::map<std::pair<std::size_t, std::string>, std::size_t> rows;
    auto& row_of_runnable = row_.emplace_back();
    for (std::size_t r = 0; r < hyperepoch.runnables.size(); ++r) {
      const ScheduledRunnable& runnable = hyperepoch.runnables[r];
      auto& row_of_step = row_of_runnable.emplace_back();
      for (const static_order::Step& step : frames.steps(h)[r]) {
        const auto [at, is_new] = rows.try_emplace({runnable.epoch, step.label()}, result_.runnables.size());
        if (is_new) {
          PlayedRunnable& row = result_.runnables.emplace_back();
          row.hyperepoch = h;
          row.epoch = static_order::trace_name(hyperepoch, runnable.epoch);
          row.name = step.label();
        }
        row_of_step.push_back(at->second);
        longest_.resize(result_.runnables.size());
        result_.runnables[at->second].wcet = std::max(result_.runnables[at->second].wcet, runnable.wcet);
      }
    }
  }
}

bool StaticJudge::runs_freely(std::size_t hyperepoch, std::size_t runnable) const {
  const ScheduledHyperepoch& h = schedule_.hyperepochs[hyperepoch];
  return std::ranges::any_of(h.sharing, [&](const static_order::Sharing& sharing) {
    const auto& resources = h.runnables[runnable].resources;
    return sharing.by == static_order::Sharing::By::streams && std::ranges::find(resources, sharing.resource) != resources.end();
  });
}

StaticJudge::Path StaticJudge::before(const PlayedFrame& frame, std::size_t runnable, const std::vector<Path>& paths) const {
  const ScheduledRunnable& is = schedule_.hyperepochs[frame.hyperepoch].runnables[runnable];
  Path path{Time::zero(), Time::zero(), Time::zero(), frame.start + is.release};
  for (const Decision& decision : waiting_[frame.hyperepoch].before[runnable]) {
    const Path& of = paths[decision.predecessor];
    const auto& job = frame.jobs[decision.predecessor];
    const bool start = decision.by == Decision::By::submitter_start && job;
    path.wake_ups = std::max(path.wake_ups, of.wake_ups);
    path.delays = std::max(path.delays, start ? of.delays_to_start : of.delays);
    path.passed = std::max(path.passed, start ? job->start : of.passed);
  }
  path.delays_to_start = path.delays;
  return path;
}

void StaticJudge::judge(const PlayedFrame& frame) {
  std::vector<Path> paths(frame.jobs.size());
  for (const std::size_t r : waiting_[frame.hyperepoch].order) {
    const Path path = before(frame, r, paths);
    if (frame.jobs[r]) {
      judge_job(frame, r, path, paths);
    } else {
      paths[r] = path;
    }
  }
  judge_frame(frame);
}

void StaticJudge::judge_job(const PlayedFrame& frame, std::size_t runnable, const Path& before, std::vector<Path>& paths) {
  const ScheduledRunnable& is = schedule_.hyperepochs[frame.hyperepoch].runnables[runnable];
  const PlayedJob& job = *frame.jobs[runnable];
  const std::size_t number = row_[frame.hyperepoch][runnable][job.step];
  PlayedRunnable& row = result_.runnables[number];
  const Time execution = job.end - job.start;
  const Time wake_up = std::max(Time::zero(), job.start - job.release);
  if (row.execution.sorted.empty() || execution > longest_[number]) {
    row.worst_job = job.number;
    longest_[number] = execution;
  }
  add(row.execution, execution);
  add(row.wake_up, wake_up);
  if (execution > is.wcet && !runs_freely(frame.hyperepoch, runnable)) {
    ++row.over;
    ++result_.over;
  }
  if (job.start < before.passed - clock_difference) ++result_.early;
  const Time from_start = job.start - frame.start;
  const auto [at, is_new] = starts_.try_emplace({number, is.frame}, Starts{from_start, from_start});
  at->second.least = std::min(at->second.least, from_start);
  at->second.most = std::max(at->second.most, from_start);
  const Time end = job.end - frame.start;
  auto& window = result_.windows[frame.hyperepoch][runnable];
  window = window ? PlayedWindow{std::min(window->earliest_start, from_start), std::max(window->latest_end, end)}
                  : PlayedWindow{from_start, end};
  if (!row.slack || is.end - end < *row.slack) {
    row.slack = is.end - end;
    row.latest = end;
    row.proven = is.end;
  }
  const Time excess = std::max(Time::zero(), execution - is.wcet);
  paths[runnable] = {before.wake_ups + wake_up, before.delays + wake_up, before.delays + wake_up + excess, job.end};
  if (end > is.end + paths[runnable].wake_ups) {
    ++row.late;
    ++result_.late;
    keep_late(frame, runnable, paths[runnable]);
  }
  for (const std::size_t r : is.resources) {
    if (resource_[frame.hyperepoch][r]) busy_[*resource_[frame.hyperepoch][r]] += execution.count();
  }
  if (result_.timeline.size() < static_timeline_length)
    result_.timeline.push_back({number, frame.hyperepoch, frame.number, runnable, frame.start, job.start, job.end});
}

void StaticJudge::keep_late(const PlayedFrame& frame, std::size_t runnable, const Path& path) {
  const ScheduledRunnable& is = schedule_.hyperepochs[frame.hyperepoch].runnables[runnable];
  const PlayedJob& job = *frame.jobs[runnable];
  const PlayedRunnable& row = result_.runnables[row_[frame.hyperepoch][runnable][job.step]];
  const auto lateness = [](const LateJob& late) { return late.end - late.proven - late.wake_ups; };
  LateJob late{row.epoch, row.name, job.number, job.end - frame.start, is.end, path.wake_ups, path.delays, {}};
  if (late.explained()) {
    late.reasons = reasons(frame, runnable);
  } else {
    ++result_.unexplained;
    late.reasons.emplace_back(
        "nothing in the trace explains it: the times of the schedule are not proven, or it was played in another order");
  }
  result_.late_jobs.push_back(std::move(late));
  std::ranges::stable_sort(result_.late_jobs, std::greater<>(), lateness);
  if (result_.late_jobs.size() > most_late_jobs) result_.late_jobs.pop_back();
}

// What came before it, through whatever it waited for, and took longer than it may.
std::vector<std::string> StaticJudge::reasons(const PlayedFrame& frame, std::size_t runnable) const {
  const ScheduledHyperepoch& hyperepoch = schedule_.hyperepochs[frame.hyperepoch];
  std::vector<std::string> found;
  std::vector<bool> seen(frame.jobs.size(), false);
  std::vector<std::size_t> open{runnable};
  while (!open.empty()) {
    const std::size_t r = open.back();
    open.pop_back();
    if (seen[r]) continue;
    seen[r] = true;
    const auto& job = frame.jobs[r];
    if (job && job->end - job->start > hyperepoch.runnables[r].wcet && found.size() < 5) {
      found.push_back(fmt::format("'{}' took {} ns, {} ns more than its WCET", result_.runnables[row_[frame.hyperepoch][r][job->step]].name,
                                  (job->end - job->start).count(), (job->end - job->start - hyperepoch.runnables[r].wcet).count()));
    }
    for (const Decision& decision : waiting_[frame.hyperepoch].before[r]) open.push_back(decision.predecessor);
  }
  if (found.empty())
    found.emplace_back("nothing in the trace explains it: the schedule's times are not those of T15, or it was not played as it says");
  return found;
}

void StaticJudge::judge_frame(const PlayedFrame& frame) {
  const ScheduledHyperepoch& hyperepoch = schedule_.hyperepochs[frame.hyperepoch];
  PlayedHyperepoch& row = result_.hyperepochs[frame.hyperepoch];
  Time end = frame.start;
  for (const auto& job : frame.jobs) {
    if (job) end = std::max(end, job->end);
  }
  ++row.frames;
  add(row.length, end - frame.start);
  if (end - frame.start > hyperepoch.length) ++row.longer;
  auto& last = last_start_[frame.hyperepoch];
  if (last && skips_ && hyperepoch.period > Time::zero() && frame.start > *last) {
    const auto periods = (frame.start - *last).count() / hyperepoch.period.count();
    row.skipped += static_cast<std::uint64_t>(std::max<std::int64_t>(periods, 1) - 1);
  }
  last = frame.start;
  if (!first_start_[frame.hyperepoch]) first_start_[frame.hyperepoch] = frame.start;
}

void StaticJudge::finish() {
  for (std::size_t h = 0; h < schedule_.hyperepochs.size(); ++h) {
    if (!first_start_[h]) continue;
    const auto& lengths = result_.hyperepochs[h].length.sorted;
    result_.hyperepochs[h].observed = *last_start_[h] - *first_start_[h] + std::max(schedule_.hyperepochs[h].period, lengths.back());
  }
  for (std::size_t r = 0; r < result_.resources.size(); ++r) {
    PlayedResource& resource = result_.resources[r];
    const Time observed = result_.hyperepochs[resource.hyperepoch].observed;
    if (observed > Time::zero()) resource.busy = static_cast<std::uint64_t>(busy_[r] * 1'000'000 / observed.count());
  }
  for (const auto& [key, starts] : starts_) {
    PlayedRunnable& row = result_.runnables[key.first];
    row.start_jitter = std::max(row.start_jitter, starts.most - starts.least);
  }
  for (PlayedRunnable& row : result_.runnables) {
    std::ranges::sort(row.execution.sorted);
    std::ranges::sort(row.wake_up.sorted);
  }
  for (PlayedHyperepoch& row : result_.hyperepochs) std::ranges::sort(row.length.sorted);
}

}  // namespace rta::compare
