// Schedules to play, with what T15 proves of them.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "rta/static_order/schedule.hpp"
#include "rta/static_order/steps.hpp"

namespace rta::test {

using namespace rta::literals;
using static_order::Role;
using static_order::Schedule;
using static_order::ScheduledHyperepoch;
using static_order::ScheduledRunnable;

/// The runnables that each one waits for: its `after`, whoever stands before it on its resources, and in its stream.
inline std::vector<std::vector<std::size_t>> before(const ScheduledHyperepoch& hyperepoch) {
  const auto& all = hyperepoch.runnables;
  const auto shared = [&](std::size_t r) { return !hyperepoch.sharing.empty() && hyperepoch.sharing.front().resource == r; };
  std::vector<std::vector<std::size_t>> result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto& list = result.emplace_back(all[i].after);
    for (std::size_t k = 0; k < i; ++k) {
      bool earlier = all[i].stream && all[i].stream == all[k].stream;
      for (const std::size_t r : all[i].resources) earlier = earlier || (!shared(r) && std::ranges::count(all[k].resources, r) > 0);
      if (earlier) list.push_back(k);
    }
  }
  return result;
}

/// Sets every start and end and the length: f = max(release, latest end of a predecessor, latest start of one that it starts with) + wcet.
inline void prove(ScheduledHyperepoch& hyperepoch) {
  const auto predecessors = before(hyperepoch);
  hyperepoch.length = Time::zero();
  for (std::size_t i = 0; i < hyperepoch.runnables.size(); ++i) {
    ScheduledRunnable& is = hyperepoch.runnables[i];
    is.start = is.release;
    for (const std::size_t p : predecessors[i]) is.start = std::max(is.start, hyperepoch.runnables[p].end);
    for (const std::size_t p : is.after_start) is.start = std::max(is.start, hyperepoch.runnables[p].start);
    is.end = is.start + is.wcet;
    hyperepoch.length = std::max(hyperepoch.length, is.end);
  }
}

inline Schedule schedule_of(std::vector<std::string> clients, std::vector<ScheduledHyperepoch> hyperepochs, std::uint32_t identifier) {
  Schedule schedule{"graph.yaml", std::string(64, 'b'), identifier, {}, std::move(clients), std::move(hyperepochs)};
  for (ScheduledHyperepoch& hyperepoch : schedule.hyperepochs) prove(hyperepoch);
  return schedule;
}

/// A runnable of a client on a resource.
inline ScheduledRunnable runnable(const std::string& client, const std::string& name, std::size_t resource, Time wcet,
                                  std::vector<std::size_t> after = {}) {
  ScheduledRunnable is;
  is.client = client;
  is.name = name;
  is.resources = {resource};
  is.after = std::move(after);
  is.wcet = wcet;
  return is;
}

inline ScheduledHyperepoch hyperepoch(const std::string& name, Time period, std::vector<static_order::ScheduledResource> resources,
                                      std::vector<static_order::ScheduledEpoch> epochs) {
  ScheduledHyperepoch h;
  h.name = name;
  h.period = period;
  h.resources = std::move(resources);
  h.epochs = std::move(epochs);
  return h;
}

/// The example of the System Task Manager's tutorial: submit, kernel and post_process of one process on one core and one GPU, C each.
inline Schedule tutorial(Time C, Time period, std::uint32_t identifier) {
  ScheduledHyperepoch h = hyperepoch(
      "hyperepoch0", period, {{"CPU0", "CPU", {}}, {"iGPU", "GPU", {}}, {"GpuX.CUDA_STREAMX", "CUDA_STREAM", 1}}, {{"epoch0", period, 1}});
  ScheduledRunnable submit = runnable("GpuX", "submit", 0, C);
  submit.role = Role::submitter;
  submit.resources = {0, 2};
  submit.submits = {1};
  ScheduledRunnable kernel = runnable("GpuX", "kernel", 1, C, {0});
  kernel.role = Role::submittee;
  kernel.stream = 2;
  h.runnables = {submit, kernel, runnable("GpuX", "post_process", 0, C, {1})};
  return schedule_of({"GpuX"}, {h}, identifier);
}

/// Two processes on two cores that hand a frame to and fro: a.first on CPU0, b.middle on CPU1, a.last on CPU0.
inline Schedule relay(Time C, Time period, std::uint32_t identifier) {
  ScheduledHyperepoch h = hyperepoch("relay", period, {{"CPU0", "CPU", {}}, {"CPU1", "CPU", {}}}, {{"frame", period, 1}});
  h.runnables = {runnable("a", "first", 0, C), runnable("b", "middle", 1, C, {0}), runnable("a", "last", 0, C, {1})};
  return schedule_of({"a", "b"}, {h}, identifier);
}

/// Whether some slot stays empty in some frame.
inline bool has_empty_turns(const Schedule& schedule) {
  const auto& all = schedule.hyperepochs.front().runnables;
  return std::ranges::any_of(all, [](const ScheduledRunnable& r) { return std::ranges::count(r.steps, "") > 0; });
}

/// How many steps are ever played.
inline std::size_t played(const Schedule& schedule) {
  std::size_t count = 0;
  for (const auto& h : schedule.hyperepochs) {
    for (const auto& r : h.runnables) count += static_order::steps_of(h, r).size();
  }
  return count;
}

/// Whatever a schedule may hold: several epochs with frames, cores, engines, mutexes, streams of several processes, alias groups with and
/// without empty turns, runnables of no hardware, release times, frame starts.
class RandomSchedule {
 public:
  RandomSchedule(std::uint64_t seed, Time unit, std::size_t processors) : random_(seed), unit_(unit), processors_(processors) {}

  Schedule operator()(std::size_t runnables, std::uint32_t identifier) {
    const std::size_t clients = 1 + draw(3);
    ScheduledHyperepoch h = hyperepoch("h", Time(), {}, {});
    for (std::size_t p = 0; p < processors_; ++p) h.resources.push_back({"CPU" + std::to_string(p), "CPU", {}});
    gpu_ = processors_;
    h.resources.push_back({"GPU0", "GPU", {}});
    if (draw(2) == 0) h.sharing.push_back({gpu_, static_order::Sharing::By::weights, 1});
    h.resources.push_back({"lock", "LOCK", {}});
    std::vector<std::string> names;
    for (std::size_t c = 0; c < clients; ++c) {
      names.push_back("client" + std::to_string(c));
      h.resources.push_back({names.back() + ".stream", "CUDA_STREAM", gpu_});
    }
    h.epochs = {{"slow", unit_ * 6, 1}, {"fast", unit_ * 2, 1 + draw(3)}};
    while (h.runnables.size() < runnables) add(h, clients);
    Schedule schedule = schedule_of(names, {h}, identifier);
    ScheduledHyperepoch& proven = schedule.hyperepochs.front();
    proven.period = std::max(proven.length + unit_, unit_ * 6);
    return schedule;
  }

 private:
  std::size_t draw(std::size_t below) { return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_); }
  static std::string client(std::size_t number) { return "client" + std::to_string(number); }

  std::vector<std::size_t> some_before(std::size_t i) {
    std::vector<std::size_t> list;
    for (std::size_t k = draw(3); k > 0 && i > 0; --k) list.push_back(draw(i));
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
  }

  void add(ScheduledHyperepoch& h, std::size_t clients) {
    const std::size_t i = h.runnables.size();
    const std::size_t of = draw(clients);
    ScheduledRunnable is =
        runnable(client(of), "r" + std::to_string(i), draw(processors_), unit_ * static_cast<std::int64_t>(draw(4)), some_before(i));
    is.epoch = draw(2);
    is.frame = draw(h.epochs[is.epoch].frames);
    is.release = h.epochs[is.epoch].period * static_cast<std::int64_t>(is.frame);
    switch (draw(8)) {
      case 0: is.resources.push_back(gpu_ + 1); break;
      case 1: is.resources.clear(); break;
      case 2: is.release += unit_; break;
      case 3: make_slot(is, clients); break;
      case 4:
        is.role = Role::frame_sync;
        is.client.clear();
        is.wcet = Time::zero();
        if (draw(2) == 0) is.resources.clear();
        break;
      case 5: add_submission(h, is, of); return;
      case 6: is.resources = {gpu_}; break;
      default: break;
    }
    h.runnables.push_back(std::move(is));
  }

  void make_slot(ScheduledRunnable& is, std::size_t clients) {
    for (std::size_t s = 2 + draw(3); s > 0; --s)
      is.steps.push_back(draw(3) == 0 ? "" : client(draw(clients)) + "." + is.name + "_" + std::to_string(s));
    is.client.clear();
  }

  void add_submission(ScheduledHyperepoch& h, ScheduledRunnable& submitter, std::size_t of) {
    const std::size_t stream = gpu_ + 2 + of;
    const std::size_t i = h.runnables.size();
    submitter.role = Role::submitter;
    submitter.resources.push_back(stream);
    submitter.submits = {i + 1};
    ScheduledRunnable work = submitter;
    work.role = Role::submittee;
    work.name += "_work";
    work.resources = {gpu_};
    work.stream = stream;
    work.submits.clear();
    work.after = some_before(i);
    work.wcet = unit_ * static_cast<std::int64_t>(draw(4));
    if (draw(3) == 0) {  // both start together, and the work takes as long as both
      work.after_start = {i};
      work.wcet = std::max(work.wcet, submitter.wcet);
    } else {
      work.after.push_back(i);
    }
    h.runnables.push_back(std::move(submitter));
    h.runnables.push_back(std::move(work));
  }

  std::mt19937_64 random_;
  Time unit_;
  std::size_t processors_;
  std::size_t gpu_ = 0;
};

}  // namespace rta::test
