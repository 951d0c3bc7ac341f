// Launches that are more than a kernel in a stream: graphs with branches, programmatic dependent launches, cooperative launches.
#pragma once

#include <algorithm>
#include <string>

#include "bench.cuh"

namespace probes {

/// For calls that a device or driver may lack.
inline void require_possible(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  throw NotPossible{std::string(what) + ": " + cudaGetErrorString(status)};
}

/// A graph: a kernel, two behind it that do not depend on one another, one behind both.
class Branches {
 public:
  Branches(Bench& bench, unsigned blocks, std::int64_t length) : stream_(common::new_stream(0)), other_(common::new_stream(0)) {
    cudaEvent_t fork = nullptr;
    cudaEvent_t join = nullptr;
    CUDA_CALL(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CUDA_CALL(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    require_possible(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "graphs");
    first = bench.hold(stream_, 1, 20 * us);
    CUDA_CALL(cudaEventRecord(fork, stream_));
    CUDA_CALL(cudaStreamWaitEvent(other_, fork, 0));
    one = bench.hold(stream_, blocks, length);
    two = bench.hold(other_, blocks, length);
    CUDA_CALL(cudaEventRecord(join, other_));
    CUDA_CALL(cudaStreamWaitEvent(stream_, join, 0));
    last = bench.hold(stream_, 1, 20 * us);
    cudaGraph_t graph = nullptr;
    CUDA_CALL(cudaStreamEndCapture(stream_, &graph));
    CUDA_CALL(cudaGraphInstantiateWithFlags(&executable_, graph, 0));
  }
  void run() const {
    CUDA_CALL(cudaGraphLaunch(executable_, stream_));
    Bench::finish({stream_});
  }
  Seen first, one, two, last;

 private:
  cudaStream_t stream_;
  cudaStream_t other_;
  cudaGraphExec_t executable_ = nullptr;
};

inline Answer graph_branches(Bench& bench, unsigned runs) {
  bench.forget();
  Branches small(bench, 1, 300 * us);
  Branches full(bench, 2 * bench.sms(), 50 * us);
  Answer answer;
  small.run();
  full.run();
  unsigned together = 0;
  unsigned waits = 0;
  std::vector<std::int64_t> gaps;
  play(runs, answer, [&](unsigned) {
    small.run();
    const bool at_once = std::max(small.one.first_start(), small.two.first_start()) < std::min(small.one.last_end(), small.two.last_end());
    const bool waited = small.last.first_start() >= std::max(small.one.last_end(), small.two.last_end()) &&
                        std::min(small.one.first_start(), small.two.first_start()) >= small.first.last_end();
    if (at_once) ++together;
    if (waited) ++waits;
    gaps.push_back(small.last.first_start() - std::max(small.one.last_end(), small.two.last_end()));
    return at_once && waited ? Outcome::agrees : Outcome::contradicts;
  });
  unsigned captured_first = 0;
  unsigned whole = 0;
  for (unsigned r = 0; r < runs; ++r) {
    full.run();
    const bool in_order = full.one.first_start() < full.two.first_start();
    if (in_order) ++captured_first;
    const Seen& before = in_order ? full.one : full.two;
    const Seen& after = in_order ? full.two : full.one;
    if (after.first_start() >= before.last_start()) ++whole;
  }
  answer.decide();
  answer.figure("branches_at_once", together);
  answer.figure("what_follows_waited_for_both", waits);
  answer.figure("end_to_what_follows_ns", median(gaps));
  answer.figure("branches_that_fill_the_gpu_the_first_captured_started_first", captured_first);
  answer.figure("branches_that_fill_the_gpu_one_after_the_other", whole);
  return answer;
}

/// Tells that the next kernel may start, where it was launched so, at its begin or, by itself, at its end.
static __global__ void hold_and_let_follow(unsigned long long length, bool at_begin, BlockTimes* times) {
  const std::uint64_t start = common::global_time();
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  if (at_begin) asm volatile("griddepcontrol.launch_dependents;");
#else
  (void)at_begin;
#endif
  if (threadIdx.x == 0) {
    std::uint64_t end = common::global_time();
    while (end - start < length) end = common::global_time();
    common::write_times(times[blockIdx.x], start, end);
  }
  __syncthreads();
}

inline Answer dependent_launch(Bench& bench, unsigned runs) {
  if (bench.device().properties().major < 9) throw NotPossible{"programmatic dependent launch came with compute capability 9.0"};
  const cudaStream_t stream = common::new_stream(0);
  const auto* kernel = reinterpret_cast<const void*>(static_cast<common::SpinFunction>(common::spin<0>));
  // How much earlier than the first one's end the second one started; ns.
  const auto scene = [&](bool attribute, bool at_begin) {
    bench.forget();
    BlockTimes* const times = bench.records(1);
    const Seen first(times, 1);
    common::launch(hold_and_let_follow, 1, Bench::threads, 0, stream, static_cast<unsigned long long>(ms), at_begin, times);
    BlockTimes* after = bench.records(1);
    const Seen second(after, 1);
    auto length = static_cast<unsigned long long>(20 * us);
    const unsigned* seed = nullptr;
    void* arguments[] = {&length, &after, &seed};
    cudaLaunchAttribute allowed{};
    allowed.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    allowed.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t launch{};
    launch.gridDim = dim3(1);
    launch.blockDim = dim3(Bench::threads);
    launch.stream = stream;
    launch.attrs = &allowed;
    launch.numAttrs = attribute ? 1 : 0;
    const cudaError_t status = cudaLaunchKernelExC(&launch, kernel, arguments);
    Bench::finish({stream});
    require_possible(status, "launches with attributes");
    return first.last_end() - second.first_start();
  };
  Answer answer;
  std::vector<std::int64_t> early;
  std::vector<std::int64_t> at_end;
  std::vector<std::int64_t> plain;
  (void)scene(true, true);
  play(runs, answer, [&](unsigned) {
    early.push_back(scene(true, true));
    at_end.push_back(scene(true, false));
    plain.push_back(scene(false, true));
    return early.back() > 0 && plain.back() <= 0 ? Outcome::agrees : Outcome::contradicts;
  });
  answer.decide();
  answer.figure("second_started_before_the_first_ended_ns", median(early));
  answer.figure("without_a_trigger_ns", median(at_end));
  answer.figure("without_the_attribute_ns", median(plain));
  return answer;
}

/// One SM is held for 2 ms; a cooperative kernel of a block for each SM is launched, and a small kernel behind it.
inline Answer cooperative_launch(Bench& bench, unsigned runs) {
  if (bench.attribute(cudaDevAttrCooperativeLaunch) == 0) throw NotPossible{"the device takes no cooperative launches"};
  const cudaStream_t holder = common::new_stream(0);
  const cudaStream_t stream = common::new_stream(0);
  const cudaStream_t behind = common::new_stream(0);
  const auto* kernel = reinterpret_cast<const void*>(static_cast<common::SpinFunction>(common::spin<0>));
  Answer answer;
  std::vector<std::int64_t> margins;
  unsigned behind_waits = 0;
  unsigned plain_starts = 0;
  play(runs, answer, [&](unsigned) {
    bench.forget();
    const std::int64_t since = common::now();
    const Seen held = bench.hold(holder, 1, 2 * ms);
    Bench::pause(200 * us);
    BlockTimes* times = bench.records(bench.sms());
    const Seen all(times, bench.sms());
    auto length = static_cast<unsigned long long>(20 * us);
    const unsigned* seed = nullptr;
    void* arguments[] = {&length, &times, &seed};
    require_possible(cudaLaunchCooperativeKernel(kernel, dim3(bench.sms()), dim3(Bench::threads), arguments, bench.whole_sm(), stream),
                     "cooperative launches");
    Bench::pause(50 * us);
    const Seen one = bench.hold(behind, 1, 20 * us);
    const bool in_time = Bench::in_time(holder, since);
    Bench::finish({holder, stream, behind});
    if (!in_time) return Outcome::no_scene;
    if (one.first_start() >= all.first_start()) ++behind_waits;
    margins.push_back(all.first_start() - held.last_end());
    return all.first_start() >= held.last_end() ? Outcome::agrees : Outcome::contradicts;
  });
  for (unsigned r = 0; r < runs; ++r) {
    bench.forget();
    const Seen held = bench.hold(holder, 1, 2 * ms);
    Bench::pause(200 * us);
    const Seen all = bench.hold(stream, bench.sms(), 20 * us);
    Bench::finish({holder, stream});
    if (all.first_start() < held.last_end()) ++plain_starts;
  }
  answer.decide();
  answer.margin(margins);
  answer.figure("a_kernel_behind_waited_for_it", behind_waits);
  answer.figure("runs_in_which_a_plain_kernel_started_at_once", plain_starts);
  return answer;
}

}  // namespace probes
