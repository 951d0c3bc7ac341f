// Schedules to play, with what T15 proves of them.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "rta/model/static_schedule.hpp"

namespace rta::test {

using namespace rta::literals;

/// Sets every job's end and the length: f = max(release, latest end of a predecessor, latest start of one that it starts with) + wcet.
inline void prove(StaticHyperepoch& hyperepoch) {
  const auto before = predecessors(hyperepoch);
  std::vector<Time> start(hyperepoch.jobs.size());
  hyperepoch.length = Time::zero();
  for (std::size_t j = 0; j < hyperepoch.jobs.size(); ++j) {
    StaticJob& job = hyperepoch.jobs[j];
    start[j] = job.release;
    for (const std::size_t p : before[j]) start[j] = std::max(start[j], hyperepoch.jobs[p].end);
    for (const std::size_t p : job.after_start) start[j] = std::max(start[j], start[p]);
    job.end = start[j] + job.wcet;
    hyperepoch.length = std::max(hyperepoch.length, job.end);
  }
}

inline StaticSchedule schedule_of(std::vector<std::string> clients, std::vector<StaticHyperepoch> hyperepochs, std::uint16_t identifier) {
  StaticSchedule schedule{"schedule.yaml", std::string(64, 'a'), identifier, std::move(clients), std::move(hyperepochs)};
  for (StaticHyperepoch& hyperepoch : schedule.hyperepochs) prove(hyperepoch);
  return schedule;
}

/// A runnable of a client on a resource.
inline StaticJob job(std::size_t client, const std::string& name, std::size_t resource, Time wcet, std::vector<std::size_t> after = {}) {
  StaticJob is;
  is.steps = {StaticStep{client, name}};
  is.resources = {resource};
  is.after = std::move(after);
  is.wcet = wcet;
  return is;
}

/// Whether some slot stays empty in some frame.
inline bool has_empty_turns(const StaticSchedule& schedule) {
  return std::ranges::any_of(schedule.hyperepochs, [](const StaticHyperepoch& h) {
    return std::ranges::any_of(h.jobs,
                               [](const StaticJob& j) { return std::ranges::any_of(j.steps, [](const auto& step) { return !step; }); });
  });
}

/// How many jobs are ever played.
inline std::size_t played(const StaticSchedule& schedule) {
  std::size_t count = 0;
  for (const StaticHyperepoch& h : schedule.hyperepochs) {
    for (const StaticJob& j : h.jobs) {
      for (std::size_t s = 0; s < j.steps.size(); ++s) count += j.steps[s] && turn(h, j, s) ? 1 : 0;
    }
  }
  return count;
}

/// The example of the System Task Manager's tutorial: submit, kernel and post_process of one process on one core and one GPU, C each.
inline StaticSchedule tutorial(Time C, Time period, std::uint16_t identifier) {
  StaticHyperepoch h{"hyperepoch0", period, Time(), {}, {}, {}};
  h.resources = {
      {"CPU0", StaticResourceKind::processor}, {"iGPU", StaticResourceKind::engine}, {"CUDA_STREAMX", StaticResourceKind::stream}};
  h.epochs = {{"epoch0", period, 1}};
  StaticJob submit = job(0, "submit", 0, C);
  submit.kind = StaticKind::submitter;
  submit.resources = {0, 2};
  submit.submits = {1};
  StaticJob kernel = job(0, "kernel", 1, C, {0});
  kernel.kind = StaticKind::submittee;
  kernel.stream = 2;
  h.jobs = {submit, kernel, job(0, "post_process", 0, C, {1})};
  return schedule_of({"GpuX"}, {h}, identifier);
}

/// Two processes on two cores that hand a frame to and fro: a.first on CPU0, b.middle on CPU1, a.last on CPU0.
inline StaticSchedule relay(Time C, Time period, std::uint16_t identifier) {
  StaticHyperepoch h{"relay", period, Time(), {}, {}, {}};
  h.resources = {{"CPU0", StaticResourceKind::processor}, {"CPU1", StaticResourceKind::processor}};
  h.epochs = {{"frame", period, 1}};
  h.jobs = {job(0, "first", 0, C), job(1, "middle", 1, C, {0}), job(0, "last", 0, C, {1})};
  return schedule_of({"a", "b"}, {h}, identifier);
}

/// Whatever a schedule may hold: several epochs with frames, cores, engines, mutexes, streams of several processes, alias groups with and
/// without empty turns, runnables of no hardware, release times, frame starts.
class RandomSchedule {
 public:
  RandomSchedule(std::uint64_t seed, Time unit, std::size_t processors) : random_(seed), unit_(unit), processors_(processors) {}

  StaticSchedule operator()(std::size_t jobs, std::uint16_t identifier) {
    const std::size_t clients = 1 + draw(3);
    StaticHyperepoch h{"h", std::nullopt, Time(), {}, {}, {}};
    for (std::size_t p = 0; p < processors_; ++p) h.resources.push_back({"CPU" + std::to_string(p), StaticResourceKind::processor});
    h.resources.push_back({"GPU0", draw(2) == 0 ? StaticResourceKind::engine : StaticResourceKind::shared});
    gpu_ = processors_;
    h.resources.push_back({"lock", StaticResourceKind::mutex});
    for (std::size_t c = 0; c < clients; ++c) h.resources.push_back({"stream" + std::to_string(c), StaticResourceKind::stream});
    const std::uint32_t frames = 1 + static_cast<std::uint32_t>(draw(3));
    h.epochs = {{"slow", unit_ * 6, 1}, {"fast", unit_ * 2, frames}};
    while (h.jobs.size() < jobs) add(h, clients);
    std::vector<std::string> names;
    for (std::size_t c = 0; c < clients; ++c) names.push_back("client" + std::to_string(c));
    StaticSchedule schedule = schedule_of(names, {h}, identifier);
    StaticHyperepoch& proven = schedule.hyperepochs.front();
    if (draw(4) != 0) proven.period = std::max(proven.length + unit_, unit_ * 6);
    return schedule;
  }

 private:
  std::size_t draw(std::size_t below) { return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_); }

  std::vector<std::size_t> some_before(std::size_t j) {
    std::vector<std::size_t> before;
    for (std::size_t i = draw(3); i > 0 && j > 0; --i) before.push_back(draw(j));
    std::ranges::sort(before);
    before.erase(std::ranges::unique(before).begin(), before.end());
    return before;
  }

  void add(StaticHyperepoch& h, std::size_t clients) {
    const std::size_t j = h.jobs.size();
    const std::size_t client = draw(clients);
    StaticJob is = job(client, "r" + std::to_string(j), draw(processors_), unit_ * static_cast<std::int64_t>(draw(4)), some_before(j));
    is.epoch = draw(2);
    is.frame = static_cast<std::uint32_t>(draw(h.epochs[is.epoch].frames));
    is.release = h.epochs[is.epoch].period * is.frame;
    switch (draw(8)) {
      case 0: is.resources.push_back(gpu_ + 1); break;
      case 1: is.resources.clear(); break;
      case 2: is.release += unit_; break;
      case 3: add_group(is, clients, j); break;
      case 4:
        is.kind = StaticKind::frame_sync;
        is.steps.clear();
        is.wcet = Time::zero();
        if (draw(2) == 0) is.resources.clear();
        break;
      case 5: add_submission(h, is, client); return;
      default: break;
    }
    h.jobs.push_back(std::move(is));
  }

  void add_group(StaticJob& is, std::size_t clients, std::size_t j) {
    for (std::size_t s = 1 + draw(3); s > 0; --s) {
      if (draw(3) == 0) {
        is.steps.emplace_back(std::nullopt);
      } else {
        is.steps.emplace_back(StaticStep{draw(clients), "r" + std::to_string(j) + "_" + std::to_string(s)});
      }
    }
  }

  void add_submission(StaticHyperepoch& h, StaticJob& submitter, std::size_t client) {
    const std::size_t stream = gpu_ + 2 + client;
    const std::size_t j = h.jobs.size();
    submitter.kind = StaticKind::submitter;
    submitter.resources.push_back(stream);
    submitter.submits = {j + 1};
    StaticJob work = submitter;
    work.kind = StaticKind::submittee;
    work.steps.front()->name += "_work";
    work.resources = {gpu_};
    work.stream = stream;
    work.submits.clear();
    work.after = some_before(j);
    work.wcet = unit_ * static_cast<std::int64_t>(draw(4));
    if (draw(3) == 0) {  // both start together, and the work takes as long as both
      work.after_start = {j};
      work.wcet = std::max(work.wcet, submitter.wcet);
    } else {
      work.after.push_back(j);
    }
    h.jobs.push_back(std::move(submitter));
    h.jobs.push_back(std::move(work));
  }

  std::mt19937_64 random_;
  Time unit_;
  std::size_t processors_;
  std::size_t gpu_ = 0;
};

}  // namespace rta::test
