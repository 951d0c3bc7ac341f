// Green contexts: P1, P2, and how many SMs they are given.
#pragma once

#include <algorithm>
#include <iterator>

#include "bench.cuh"
#include "common/green_contexts.cuh"

namespace probes {

/// A small partition and one of all other SMs.
struct TwoPartitions {
  explicit TwoPartitions(const Bench& bench)
      : contexts(checked(bench)), small(contexts.at_least(bench.sms() < 32 ? 1 : 8)), large(contexts.rest()) {}
  common::GreenContexts contexts;
  common::Partition small, large;

 private:
  static int checked(const Bench& bench) {
    const std::string fault = common::GreenContexts::fault(bench.device().index());
    if (!fault.empty()) throw NotPossible{fault};
    return bench.device().index();
  }
};

inline bool disjoint(const std::set<unsigned>& one, const std::set<unsigned>& other) {
  return std::none_of(one.begin(), one.end(), [&](unsigned sm) { return other.count(sm) > 0; });
}

inline Answer own_sms(Bench& bench, unsigned runs) {
  const TwoPartitions parts(bench);
  const cudaStream_t a = parts.contexts.stream(parts.small.context, 0);
  const cudaStream_t b = parts.contexts.stream(parts.large.context, 0);
  const cudaStream_t primary = common::new_stream(0);
  Answer answer;
  std::set<unsigned> of_a;
  std::set<unsigned> of_b;
  unsigned used = 0;
  play(runs, answer, [&](unsigned) {
    bench.forget();
    const Seen small = bench.hold(a, 4 * parts.small.sms, 50 * us);
    const Seen large = bench.hold(b, 2 * parts.large.sms, 50 * us);
    Bench::finish({a, b});
    for (const unsigned sm : small.sms()) of_a.insert(sm);
    for (const unsigned sm : large.sms()) of_b.insert(sm);
    const Seen whole = bench.hold(primary, 2 * bench.sms(), 50 * us);
    Bench::finish({primary});
    if (!disjoint(whole.sms(), of_a)) ++used;
    return disjoint(of_a, of_b) && of_a.size() <= parts.small.sms && of_b.size() <= parts.large.sms ? Outcome::agrees
                                                                                                    : Outcome::contradicts;
  });
  answer.decide();
  answer.figure("sms", json_list(std::vector<unsigned>{parts.small.sms, parts.large.sms}));
  answer.figure("sms_seen", json_list(std::vector<std::size_t>{of_a.size(), of_b.size()}));
  answer.figure("sms_of_the_small_one", json_list(of_a));
  answer.figure("runs_in_which_the_primary_context_used_them", used);
  return answer;
}

/// `streams` of each partition: in the large one a kernel runs in the first and kernels wait in all; then each of the small one gets a
/// kernel. How many of these start while the large one's queues are not empty.
inline Answer own_queue(Bench& bench, unsigned runs) {
  const TwoPartitions parts(bench);
  constexpr unsigned most_streams = 24;
  std::vector<cudaStream_t> a;
  std::vector<cudaStream_t> b;
  for (unsigned s = 0; s < most_streams; ++s) {
    a.push_back(parts.contexts.stream(parts.small.context, 0));
    b.push_back(parts.contexts.stream(parts.large.context, 0));
  }
  std::vector<std::int64_t> margins;
  const auto scene = [&](unsigned streams, unsigned& started) {
    bench.forget();
    const std::int64_t since = common::now();
    const Seen running = bench.hold(b[0], parts.large.sms, 2 * ms);
    std::vector<Seen> waiting;
    for (unsigned s = 0; s < streams; ++s) waiting.push_back(bench.hold(b[(s + 1) % most_streams], 1, 20 * us));
    Bench::pause(200 * us);
    std::vector<Seen> kernels;
    for (unsigned s = 0; s < streams; ++s) kernels.push_back(bench.hold(a[s], 1, 20 * us));
    const bool in_time = Bench::in_time(b[0], since);
    Bench::finish(a);
    Bench::finish(b);
    for (const Seen& one : waiting) {
      if (!in_time || one.first_start() < running.first_end()) return false;
    }
    started = 0;
    for (const Seen& one : kernels) {
      if (one.first_start() < running.first_end()) ++started;
      margins.push_back(running.first_end() - one.first_start());
    }
    return true;
  };
  Answer answer;
  play(runs, answer, [&](unsigned) {
    unsigned started = 0;
    if (!scene(1, started)) return Outcome::no_scene;
    return started == 1 ? Outcome::agrees : Outcome::contradicts;
  });
  if (answer.runs == 0) answer.reason = "no kernel waited in the large partition";
  answer.decide();
  answer.margin(margins);
  // With more streams than the hardware has queues for, some may wait for others.
  for (const unsigned streams : {4U, 12U, most_streams}) {
    unsigned least = streams;
    bool seen = false;
    for (unsigned i = 0; i < 3; ++i) {
      unsigned started = 0;
      if (!scene(streams, started)) continue;
      seen = true;
      least = std::min(least, started);
    }
    if (seen) answer.figure("of_" + std::to_string(streams) + "_streams_started_at_once", least);
  }
  return answer;
}

inline Answer granularity(Bench& bench, unsigned) {
  const std::string fault = common::GreenContexts::fault(bench.device().index());
  if (!fault.empty()) throw NotPossible{fault};
  const common::GreenContexts contexts(bench.device().index());
  Answer answer;
  constexpr unsigned without_co_scheduling = 1;  // CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING
  const auto list = [&](unsigned flags) {
    std::string given;
    for (const unsigned asked : {1U, 2U, 4U, 5U, 8U, 10U, 16U, 20U, 60U}) {
      if (asked > bench.sms()) continue;
      const auto is = contexts.would_give(asked, flags);
      given += (given.empty() ? "" : ", ") + std::string("{\"asked\": ") + std::to_string(asked) +
               ", \"given\": " + std::to_string(is.sms) + ", \"left\": " + std::to_string(is.left) + "}";
      if (flags == 0) answer.count(is.sms == 0 || is.sms + is.left == bench.sms() ? Outcome::agrees : Outcome::contradicts);
    }
    return "[" + given + "]";
  };
  answer.figure("splits", list(0));
  answer.figure("splits_without_co_scheduling", list(without_co_scheduling));
  answer.decide();
  return answer;
}

}  // namespace probes
