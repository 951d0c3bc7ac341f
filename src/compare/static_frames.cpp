#include "static_frames.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rta/io/task_set_file.hpp"

namespace rta::compare {
namespace {

/// Of a hyperepoch: what is missing in an older frame will not come any more.
constexpr std::size_t most_pending = 64;

}  // namespace

StaticFrames::StaticFrames(const static_order::Schedule& schedule, std::string trace, std::function<void(const PlayedFrame&)> use)
    : schedule_(schedule),
      trace_(std::move(trace)),
      use_(std::move(use)),
      pending_(schedule.hyperepochs.size()),
      incomplete_(schedule.hyperepochs.size()) {
  for (std::size_t h = 0; h < schedule.hyperepochs.size(); ++h) {
    const auto& hyperepoch = schedule.hyperepochs[h];
    for (std::size_t e = 0; e < hyperepoch.epochs.size(); ++e)
      epochs_[static_order::trace_name(hyperepoch, e)] = {h, e, hyperepoch.epochs[e].frames, {}};
    auto& steps = steps_.emplace_back();
    for (std::size_t r = 0; r < hyperepoch.runnables.size(); ++r) {
      const auto& runnable = hyperepoch.runnables[r];
      steps.push_back(static_order::steps_of(hyperepoch, runnable));
      auto& runnables = epochs_[static_order::trace_name(hyperepoch, runnable.epoch)].runnables;
      for (std::size_t s = 0; s < steps.back().size(); ++s) runnables[{steps.back()[s].label(), runnable.frame}].emplace_back(r, s);
    }
  }
}

void StaticFrames::refuse(const std::string& message) const { throw io::InputError({{trace_, 0, 0, message}}); }

StaticFrames::Epoch& StaticFrames::epoch_of(const std::string& dag) {
  const auto at = epochs_.find(dag);
  if (at == epochs_.end()) refuse(fmt::format("the schedule has no epoch '{}'", dag));
  return at->second;
}

StaticFrames::Pending& StaticFrames::pending(std::size_t hyperepoch, std::uint64_t number) {
  Pending& frame = pending_[hyperepoch][number];
  if (frame.frame.jobs.empty()) {
    frame.frame.hyperepoch = hyperepoch;
    frame.frame.number = number;
    frame.frame.jobs.resize(schedule_.hyperepochs[hyperepoch].runnables.size());
  }
  return frame;
}

void StaticFrames::add(const trace::JobRecord& record) {
  const Epoch& epoch = epoch_of(record.job.dag);
  const std::uint64_t number = record.job.job / epoch.frames;
  const auto at = epoch.runnables.find({record.job.node, record.job.job % epoch.frames});
  if (at == epoch.runnables.end()) refuse(fmt::format("epoch '{}' has no runnable '{}' in that frame", record.job.dag, record.job.node));
  const auto takes = [&](const auto& is) { return steps_[epoch.hyperepoch][is.first][is.second].turn.includes(number); };
  const auto place = std::ranges::find_if(at->second, takes);
  if (place == at->second.end())
    refuse(fmt::format("job {} of '{}' in epoch '{}': it is another runnable's turn", record.job.job, record.job.node, record.job.dag));
  Pending& frame = pending(epoch.hyperepoch, number);
  auto& job = frame.frame.jobs[place->first];
  if (job) refuse(fmt::format("job {} of '{}' in epoch '{}' comes twice", record.job.job, record.job.node, record.job.dag));
  job = PlayedJob{place->second, record.job.job, record.release, record.start, record.end};
}

void StaticFrames::add(const trace::DagRecord& record) {
  const Epoch& epoch = epoch_of(record.job.dag);
  const auto& hyperepoch = schedule_.hyperepochs[epoch.hyperepoch];
  const std::uint64_t number = record.job.job / epoch.frames;
  Pending& frame = pending(epoch.hyperepoch, number);
  frame.frame.start = record.release - hyperepoch.epochs[epoch.epoch].period * static_cast<std::int64_t>(record.job.job % epoch.frames);
  ++frame.ends;
  std::uint64_t all = 0;
  for (const auto& is : hyperepoch.epochs) all += is.frames;
  if (frame.ends == all) hand_on(epoch.hyperepoch, number + 1);
  auto& waiting = pending_[epoch.hyperepoch];
  if (waiting.size() > most_pending) hand_on(epoch.hyperepoch, waiting.begin()->first + 1);
}

// Frames come in order; what has come of those before that number is all that will.
void StaticFrames::hand_on(std::size_t hyperepoch, std::uint64_t before) {
  auto& waiting = pending_[hyperepoch];
  const auto& steps = steps_[hyperepoch];
  std::uint64_t all = 0;
  for (const auto& epoch : schedule_.hyperepochs[hyperepoch].epochs) all += epoch.frames;
  while (!waiting.empty() && waiting.begin()->first < before) {
    const Pending& frame = waiting.begin()->second;
    bool whole = frame.ends == all;
    for (std::size_t r = 0; whole && r < steps.size(); ++r) {
      const auto comes = [&](const static_order::Step& step) { return step.turn.includes(frame.frame.number); };
      whole = frame.frame.jobs[r].has_value() == std::ranges::any_of(steps[r], comes);
    }
    if (whole) {
      use_(frame.frame);
    } else {
      ++incomplete_[hyperepoch];
    }
    waiting.erase(waiting.begin());
  }
}

void StaticFrames::finish() {
  for (std::size_t h = 0; h < pending_.size(); ++h) {
    if (!pending_[h].empty()) hand_on(h, pending_[h].rbegin()->first + 1);
  }
}

}  // namespace rta::compare
