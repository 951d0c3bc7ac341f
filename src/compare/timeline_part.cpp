#include "timeline_part.hpp"

#include <algorithm>
#include <tuple>

namespace rta::compare {
namespace {

constexpr std::size_t most_kept = 20'000;
constexpr std::int64_t periods = 3;
constexpr Time farthest(1'000'000'000'000'000'000);  // instants beyond that are no part of a picture, and sums of them overflow

}  // namespace

void TimelinePart::keep(Earliest& earliest, const Seen& seen) const {
  if (seen.at >= earliest.until || seen.at < Time() - farthest || seen.end > farthest) return;
  if (window_ && (seen.at >= window_->to || seen.end < window_->from)) return;
  auto& kept = earliest.kept;
  kept.push_back(seen);
  if (kept.size() < 2 * most_kept) return;
  const auto first_left_out = kept.begin() + most_kept;
  std::ranges::nth_element(kept, first_left_out, {}, &Seen::at);
  earliest.until = first_left_out->at;
  std::erase_if(kept, [&](const Seen& one) { return one.at >= earliest.until; });
}

Window TimelinePart::shown() const {
  Window shown = window_.value_or(Window{farthest, farthest});
  if (!window_) {
    Time longest(1);
    for (const Dag& dag : task_set_.dags()) longest = std::max(longest, dag.period());
    for (const auto* earliest : {&dags_, &jobs_}) {
      for (const Seen& one : earliest->kept) shown.from = std::min(shown.from, one.at);
    }
    shown.to = shown.from + std::min(longest, Time(farthest.count() / periods)) * periods;
  }
  for (const auto* earliest : {&dags_, &jobs_, &pieces_}) shown.to = std::min(shown.to, earliest->until);
  return shown;
}

void TimelinePart::play(const std::vector<Seen>& pieces, trace::Timeline& timeline) {
  for (const Seen& piece : pieces) {
    if (piece.block) {
      timeline.block(piece.id, *piece.block, piece.unit, piece.start, piece.end);
    } else {
      timeline.run(piece.id, piece.unit, piece.start, piece.end);
    }
  }
}

std::optional<trace::Timeline> TimelinePart::timeline(bool stream_per_task) {
  const Window window = shown();
  const auto outside = [&](const Seen& one) { return one.at >= window.to || one.end < window.from; };
  for (auto* earliest : {&dags_, &jobs_, &pieces_}) {
    std::erase_if(earliest->kept, outside);
    std::ranges::sort(earliest->kept, {},
                      [](const Seen& s) { return std::tuple(s.at, s.start, s.id.dag, s.id.node, s.id.job, s.unit, s.block); });
  }
  if (jobs_.kept.empty()) return std::nullopt;
  trace::TimelineSystem system = trace::timeline_system(task_set_, stream_per_task);
  const auto pool = [&](simulate::JobId id) { return system.labels.dags[id.dag].nodes[id.node].pool; };
  system.units.assign(system.labels.pools.size(), trace::Units::unknown);
  for (const Seen& piece : pieces_.kept) system.units[pool(piece.id)] = trace::Units::numbered;
  std::vector<Seen> whole;
  for (const Seen& job : jobs_.kept) {
    if (system.units[pool(job.id)] == trace::Units::unknown) whole.push_back(job);
  }
  std::ranges::stable_sort(whole, {}, &Seen::start);
  trace::Timeline timeline(std::move(system), window.from, window.to, most_bars_);
  for (const Seen& dag : dags_.kept) {
    const auto deadline = task_set_.dags()[dag.id.dag].deadline();
    if (!deadline || *deadline <= farthest) timeline.dag(dag.id.dag, dag.id.job, dag.at, dag.end);
  }
  for (const Seen& job : jobs_.kept) timeline.job(job.id, job.at, job.start, job.end);
  play(pieces_.kept, timeline);
  play(whole, timeline);
  return timeline;
}

}  // namespace rta::compare
