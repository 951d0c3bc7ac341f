// Latencies of dispatch, and how much runs at once: grids, and chains of kernels by the number of connections.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "child.hpp"
#include "device.cuh"
#include "interruption.hpp"
#include "intervals.hpp"
#include "samples.hpp"

namespace examine {

/// What a measure works with: a device, and records in pinned memory.
class Bench {
 public:
  Bench(int index, std::size_t records) : device_(checked(index)) {
    fix_carveout(common::spin<0>);
    fix_carveout(count_cycles);
    times_ = on_host<BlockTimes>(records);
    records_ = records;
    warm_up(device_, 200'000'000);
  }

  /// `times`: where block 0 writes.
  void launch(cudaStream_t stream, unsigned blocks, unsigned threads, std::int64_t length, BlockTimes* times) {
    common::launch(common::spin<0>, blocks, threads, 0, stream, static_cast<unsigned long long>(length), times, nullptr);
  }
  void clear() { std::fill_n(reinterpret_cast<char*>(times_), records_ * sizeof(BlockTimes), char{0}); }
  /// Brings the SMs' clocks up, and compares the device's with the host's anew: it is right to some parts in a million from then on.
  void refresh() {
    warm_up(device_, 2'000'000);
    pair_ = device_.read_clocks();
    clock_ = common::GpuClock(pair_);
  }

  [[nodiscard]] BlockTimes* times(std::size_t record) { return times_ + record; }
  /// On the host's clock.
  [[nodiscard]] Span span(std::size_t record) const {
    const volatile BlockTimes& times = times_[record];
    return {clock_.to_host(static_cast<std::int64_t>(times.start)), clock_.to_host(static_cast<std::int64_t>(times.end))};
  }
  [[nodiscard]] bool ended(std::size_t record) const { return static_cast<const volatile BlockTimes*>(times_)[record].end != 0; }
  [[nodiscard]] const common::GpuDevice& device() const { return device_; }
  [[nodiscard]] std::int64_t clock_error() const { return pair_.error; }

  [[nodiscard]] cudaStream_t stream(unsigned flags = cudaStreamNonBlocking) const {
    cudaStream_t stream = nullptr;
    CUDA_CALL(cudaStreamCreateWithFlags(&stream, flags));
    return stream;
  }

 private:
  static int checked(int index) {
    require_device(index);
    return index;
  }
  common::GpuDevice device_;
  common::ClockPair pair_;
  common::GpuClock clock_;
  BlockTimes* times_ = nullptr;
  std::size_t records_ = 0;
};

/// Threads per block so that whole blocks fill an SM.
inline unsigned filling_threads(const cudaDeviceProp& is) {
  const auto threads = static_cast<unsigned>(is.maxThreadsPerMultiProcessor);
  return threads % 1024 == 0 && threads > 1024 ? 1024 : threads / 2;
}

inline void measure_dispatch_latency(int index, unsigned repeat, Samples& samples) {
  constexpr std::size_t most_filling = 4096;
  Bench bench(index, most_filling + 1);
  const cudaStream_t a = bench.stream();
  const cudaStream_t b = bench.stream();
  cudaEvent_t event = nullptr;
  CUDA_CALL(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  const cudaDeviceProp& is = bench.device().properties();
  const unsigned H = filling_threads(is);
  const unsigned filling = static_cast<unsigned>(is.multiProcessorCount) * (static_cast<unsigned>(is.maxThreadsPerMultiProcessor) / H);
  if (filling > most_filling) fail("a device with more than " + std::to_string(most_filling) + " blocks at once is not provided for");
  for (int i = -3; i < static_cast<int>(repeat) && interrupted == 0; ++i) {  // the first three only warm up
    // The GPU is idle: from the call to the first block, and from its end to a host that looks at its memory.
    bench.refresh();
    bench.clear();
    const std::int64_t called = common::now();
    bench.launch(a, 1, 32, 20'000, bench.times(0));
    while (!bench.ended(0) && common::now() - called < 1'000'000'000) {
    }
    const std::int64_t noticed = common::now();
    CUDA_CALL(cudaDeviceSynchronize());
    const Span alone = bench.span(0);

    // From the end of a kernel to the next of its stream, and of another stream that waits for an event.
    bench.clear();
    bench.launch(a, 1, 32, 200'000, bench.times(0));
    bench.launch(a, 1, 32, 20'000, bench.times(1));
    CUDA_CALL(cudaDeviceSynchronize());
    const std::int64_t same_stream = bench.span(1).start - bench.span(0).end;
    bench.clear();
    bench.launch(a, 1, 32, 200'000, bench.times(0));
    CUDA_CALL(cudaEventRecord(event, a));
    CUDA_CALL(cudaStreamWaitEvent(b, event, 0));
    bench.launch(b, 1, 32, 20'000, bench.times(1));
    CUDA_CALL(cudaDeviceSynchronize());
    const std::int64_t other_stream = bench.span(1).start - bench.span(0).end;

    // All SMs are full and another stream's block waits for the first place that becomes free.
    bench.clear();
    bench.launch(a, filling, H, 500'000, bench.times(1));
    bench.launch(b, 1, H, 20'000, bench.times(0));
    CUDA_CALL(cudaDeviceSynchronize());
    std::int64_t first_end = INT64_MAX;
    for (unsigned f = 1; f <= filling; ++f) first_end = std::min(first_end, bench.span(f).end);
    const std::int64_t freed = bench.span(0).start - first_end;
    if (i < 0) continue;
    samples.add(Sample("dispatch_latency", static_cast<unsigned>(i))
                    .add("launch_to_start_ns", alone.start - called)
                    .add("end_to_host_ns", noticed - alone.end)
                    .add("same_stream_ns", same_stream)
                    .add("other_stream_ns", other_stream)
                    .add("freed_place_ns", freed)
                    .add("clock_error_ns", bench.clock_error())
                    .add("timer_step_ns", bench.device().timer_step()));
  }
}

/// From the start of a kernel to that of the next one in the queue, where both find room at once: kernels of one small block, each on a
/// stream of its own, all wait behind one that fills the GPU.
inline void measure_kernel_switch(int index, unsigned repeat, Samples& samples) {
  constexpr unsigned kernels = 24;  // with that of the filling one fewer streams than there are connections
  constexpr std::size_t most_filling = 4096;
  Bench bench(index, kernels + most_filling);
  std::vector<cudaStream_t> streams;
  for (unsigned s = 0; s <= kernels; ++s) streams.push_back(bench.stream());
  const cudaDeviceProp& is = bench.device().properties();
  const unsigned H = filling_threads(is);
  const unsigned filling = static_cast<unsigned>(is.multiProcessorCount) * (static_cast<unsigned>(is.maxThreadsPerMultiProcessor) / H);
  if (filling > most_filling) fail("a device with more than " + std::to_string(most_filling) + " blocks at once is not provided for");
  std::int64_t filled_ns = 2'000'000;
  for (int i = -3; i < static_cast<int>(repeat) && interrupted == 0; ++i) {  // the first three only warm up
    bench.refresh();
    bench.clear();
    bench.launch(streams[kernels], filling, H, filled_ns, bench.times(kernels));
    for (unsigned k = 0; k < kernels; ++k) bench.launch(streams[k], 1, 32, 200'000, bench.times(k));
    const std::int64_t launched = common::now();
    CUDA_CALL(cudaDeviceSynchronize());
    std::int64_t freed = INT64_MAX;
    for (unsigned f = 0; f < filling; ++f) freed = std::min(freed, bench.span(kernels + f).end);
    if (i < 0) continue;
    if (launched > freed) {  // the host was interrupted, not all kernels were waiting: once more, with more time
      if (filled_ns < 1'000'000'000) {
        filled_ns *= 2;
        --i;
      }
      continue;
    }
    std::vector<std::int64_t> starts;
    for (unsigned k = 0; k < kernels; ++k) starts.push_back(bench.span(k).start);
    std::sort(starts.begin(), starts.end());
    for (unsigned k = 1; k < kernels; ++k) {
      samples.add(Sample("kernel_switch", static_cast<unsigned>(i))
                      .add("switch_ns", starts[k] - starts[k - 1])
                      .add("timer_step_ns", bench.device().timer_step()));
    }
  }
}

/// Kernels of one small block, each on a stream of its own: how many run at once.
inline void measure_resident_grids(int index, unsigned repeat, Samples& samples) {
  constexpr unsigned kernels = 320;
  Bench bench(index, kernels);
  std::vector<cudaStream_t> streams;
  for (unsigned s = 0; s < kernels; ++s) streams.push_back(bench.stream());
  int per_sm = 0;
  CUDA_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, common::spin<0>, 32, 0));
  for (int i = -1; i < static_cast<int>(repeat) && interrupted == 0; ++i) {
    bench.refresh();
    bench.clear();
    // Longer than all launches take.
    for (unsigned k = 0; k < kernels; ++k) bench.launch(streams[k], 1, 32, 30'000'000, bench.times(k));
    CUDA_CALL(cudaDeviceSynchronize());
    if (i < 0) continue;
    std::vector<Span> spans;
    for (unsigned k = 0; k < kernels; ++k) spans.push_back(bench.span(k));
    samples.add(Sample("resident_grids", static_cast<unsigned>(i))
                    .add("kernels", std::int64_t{kernels})
                    .add("resident", std::int64_t{most_at_once(spans)})
                    .add("room_for_blocks", std::int64_t{per_sm} * bench.device().properties().multiProcessorCount));
  }
}

/// Chains of two kernels, one chain per stream, issued chain by chain: without a false dependency all first kernels run at once.
inline std::string chains_at_once(int index, unsigned repeat, unsigned connections) {
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", std::to_string(connections).c_str(), 1);
  const unsigned chains = std::min(2 * connections, 64U);
  Bench bench(index, 2 * chains);
  std::vector<cudaStream_t> streams;
  for (unsigned s = 0; s < chains; ++s) streams.push_back(bench.stream());
  Samples samples;
  for (int i = -1; i < static_cast<int>(repeat) && interrupted == 0; ++i) {
    bench.refresh();
    bench.clear();
    for (unsigned s = 0; s < chains; ++s) {
      bench.launch(streams[s], 1, 32, 10'000'000, bench.times(s));
      bench.launch(streams[s], 1, 32, 100'000, bench.times(chains + s));
    }
    CUDA_CALL(cudaDeviceSynchronize());
    if (i < 0) continue;
    std::vector<Span> firsts;
    for (unsigned s = 0; s < chains; ++s) firsts.push_back(bench.span(s));
    samples.add(Sample("connections", static_cast<unsigned>(i))
                    .add("connections", std::int64_t{connections})
                    .add("streams", std::int64_t{chains})
                    .add("concurrent", std::int64_t{most_at_once(firsts)}));
  }
  return samples.lines();
}

/// The number of connections is fixed when a process first uses CUDA: a process for each.
inline void measure_connections(int index, unsigned repeat, Samples& samples) {
  for (const unsigned connections : {1U, 2U, 4U, 8U, 16U, 32U})
    samples.add_line(text_of_child([&] { return chains_at_once(index, repeat, connections); }));
}

}  // namespace examine
