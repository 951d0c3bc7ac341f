// What this machine adds to nodes, and what measuring costs on its GPU: latencies of timers, threads, launches and persistent threads, the
// price of recording a block. Prints JSON.
// With --device: what the GPU is, alone. With --quick: few repetitions, to try whether it runs at all.
// Build: nvcc -std=c++17 -O2 -arch=native -Xcompiler -pthread -Ivalidation/runtime -o overheads validation/overheads.cu
#include <semaphore.h>

#include <algorithm>
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "common/cuda_memory.cuh"
#include "common/gpu_device.cuh"
#include "common/spin.cuh"
#include "common/trace_file.hpp"
#include "workload/persistent_threads.cuh"

namespace {

using namespace workload;

struct Extent {
  int repetitions = 500;
  int least_of = 20;
  unsigned waves = 200;      // of blocks, one after another on each place
  unsigned long_waves = 20;  // of longer ones
};
constexpr Extent quick{20, 3, 2, 2};

struct Distribution {
  std::vector<std::int64_t> values;
  void print(const char* name, bool last = false) {
    std::sort(values.begin(), values.end());
    const auto at = [&](double share) { return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))]; };
    std::printf("  \"%s\": {\"median\": %" PRId64 ", \"p99\": %" PRId64 ", \"max\": %" PRId64 "}%s\n", name, at(0.5), at(0.99),
                values.back(), last ? "" : ",");
  }
};

void spin_blocks(unsigned blocks, std::int64_t length, BlockTimes* times, const unsigned* seed, cudaStream_t stream) {
  launch(spin<0>, blocks, 256, 0, stream, static_cast<unsigned long long>(length), times, seed);
}

/// How late a sleeping thread wakes by the clock, and how late one that another thread wakes.
void measure_wake_ups(int repetitions, Distribution& timer, Distribution& thread) {
  constexpr std::int64_t pause = 5'000'000;  // processors that have nothing to do sleep, as between jobs
  tight_timers();
  sem_t woken;
  sem_t answered;
  sem_init(&woken, 0, 0);
  sem_init(&answered, 0, 0);
  std::int64_t at = 0;
  std::thread sleeper([&] {
    for (int i = 0; i < repetitions; ++i) {
      while (sem_wait(&woken) != 0) continue;
      at = now();
      sem_post(&answered);
    }
  });
  for (int i = 0; i < repetitions; ++i) {
    const std::int64_t due = now() + pause;
    sleep_until(due);
    const std::int64_t called = now();
    timer.values.push_back(called - due);
    sem_post(&woken);
    while (sem_wait(&answered) != 0) continue;
    thread.values.push_back(at - called);
  }
  sleeper.join();
  sem_destroy(&woken);
  sem_destroy(&answered);
}

/// From the launch to the block's first instruction, and from its end to the waiting thread.
void measure_launches(const GpuDevice& device, cudaStream_t stream, const unsigned* seed, int repetitions, Distribution& launch,
                      Distribution& notice) {
  BlockTimes* times = on_host<BlockTimes>(1);
  cudaEvent_t ended = nullptr;
  CUDA_CALL(cudaEventCreateWithFlags(&ended, cudaEventBlockingSync | cudaEventDisableTiming));
  for (int i = -10; i < repetitions; ++i) {
    sleep_until(now() + 200'000);
    const std::int64_t before = now();
    spin_blocks(1, 20'000, times, seed, stream);
    CUDA_CALL(cudaEventRecord(ended, stream));
    CUDA_CALL(cudaEventSynchronize(ended));
    const std::int64_t after = now();
    if (i < 0) continue;
    const volatile BlockTimes* record = times;
    launch.values.push_back(device.clock().to_host(static_cast<std::int64_t>(record->start)) - before);
    notice.values.push_back(after - device.clock().to_host(static_cast<std::int64_t>(record->end)));
  }
}

/// Host time of one kernel, from launch to end; the least of some.
std::int64_t least_time(int least_of, unsigned blocks, std::int64_t length, BlockTimes* times, const unsigned* seed, cudaStream_t stream) {
  std::int64_t least = INT64_MAX;
  for (int i = 0; i < least_of; ++i) {
    const std::int64_t before = now();
    spin_blocks(blocks, length, times, seed, stream);
    cudaError_t status = cudaErrorNotReady;
    while (status == cudaErrorNotReady) status = cudaStreamQuery(stream);
    CUDA_CALL(status);
    least = std::min(least, now() - before);
  }
  return least;
}

/// From the host's write of an item to its first instruction in a resident worker.
void measure_persistent(const GpuDevice& device, unsigned workers, int repetitions, Distribution& dispatch) {
  WorkQueue queue{};
  queue.capacity = 1024;
  queue.items_host = on_host<WorkItem>(queue.capacity);
  queue.written_host = on_host<unsigned long long>(1);
  queue.stop_host = on_host<unsigned>(1);
  queue.present_host = on_host<unsigned>(workers);
  queue.done_host = on_host<unsigned>(1);
  BlockTimes* times = on_host<BlockTimes>(1);
  queue.items = on_device<WorkItem>(queue.capacity);
  queue.published = on_device<unsigned long long>(1);
  queue.taken = on_device<unsigned long long>(1);
  queue.left = on_device<unsigned>(1);
  queue.done = on_device<unsigned>(1);
  queue.stopped = on_device<unsigned>(1);
  queue.times = on_device<BlockTimes*>(1);
  CUDA_CALL(cudaMemcpy(queue.times, &times, sizeof times, cudaMemcpyHostToDevice));
  cudaStream_t stream = nullptr;
  CUDA_CALL(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CUDA_CALL(cudaDeviceSynchronize());
  launch(work_for_ever, workers, 64, 0, stream, queue, 0ULL);
  sleep_until(now() + 100'000'000);
  for (int i = -10; i < repetitions; ++i) {
    const unsigned done = queue.done_host[0];
    const unsigned long long at = *queue.written_host;
    WorkItem& item = queue.items_host[at % queue.capacity];
    item.slot = 0;
    item.index = 0;
    item.items = 1;
    item.length = 20'000;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const std::int64_t before = now();
    *queue.written_host = at + 1;
    while (queue.done_host[0] == done) {
      if (now() - before > 2'000'000'000) gpu_failed("persistent threads did not answer within 2 s");
    }
    const volatile BlockTimes* record = times;
    if (i >= 0) dispatch.values.push_back(device.clock().to_host(static_cast<std::int64_t>(record->start)) - before);
  }
  *queue.stop_host = 1;
  CUDA_CALL(cudaStreamSynchronize(stream));
}

void print_device(const GpuDevice& device) {
  int slots = 0;
  CUDA_CALL(cudaDeviceGetAttribute(&slots, cudaDevAttrMaxBlocksPerMultiprocessor, device.index()));
  std::printf("  \"device\": %s, \"sms\": %d, \"threads_per_sm\": %d, \"blocks_per_sm\": %d", json_string(device.properties().name).c_str(),
              device.properties().multiProcessorCount, device.properties().maxThreadsPerMultiProcessor, slots);
}

int measure(const Extent& extent) {
  GpuDevice device(0);
  device.compare_clocks();
  device.set_clock();
  const cudaStream_t stream = device.service_stream();
  const unsigned* seed = on_device<unsigned>(most_seed_words);
  CUDA_CALL(cudaDeviceSynchronize());

  Distribution timer;
  Distribution thread;
  measure_wake_ups(extent.repetitions, timer, thread);
  Distribution launch;
  Distribution notice;
  measure_launches(device, stream, seed, extent.repetitions, launch, notice);

  int per_sm = 0;
  CUDA_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, spin<0>, 256, 0));
  const auto resident = static_cast<unsigned>(per_sm * device.properties().multiProcessorCount);
  const unsigned blocks = resident * extent.waves;
  const unsigned longer = resident * extent.long_waves;
  BlockTimes* times = on_host<BlockTimes>(std::max(blocks, longer));
  // Blocks of some length: without, this would measure how fast the bus takes records, which no task set asks of it.
  constexpr std::int64_t short_length = 20'000;
  const std::int64_t bare = least_time(extent.least_of, blocks, short_length, nullptr, seed, stream);
  const std::int64_t recorded = least_time(extent.least_of, blocks, short_length, times, seed, stream);
  constexpr std::int64_t length = 100'000;
  const std::int64_t bare_length = least_time(extent.least_of, longer, length, nullptr, seed, stream) / extent.long_waves;
  const std::int64_t recorded_length = least_time(extent.least_of, longer, length, times, seed, stream) / extent.long_waves;

  Distribution dispatch;
  measure_persistent(device, static_cast<unsigned>(device.properties().multiProcessorCount), extent.repetitions, dispatch);

  const GpuClock clock = device.clock();
  const std::int64_t drift = device.end_clock(false);
  if (drift > clock.tolerance(now())) {
    std::fprintf(stderr, "the clocks of GPU and host moved apart by %" PRId64 " ns meanwhile: nothing of this can be used\n", drift);
    return 2;
  }
  std::printf("{\n");
  print_device(device);
  std::printf(",\n  \"clock_error_ns\": %" PRId64 ", \"clock_drift_ns\": %" PRId64 ",\n", clock.error(), drift);
  timer.print("timer_to_thread_ns");
  thread.print("thread_to_thread_ns");
  launch.print("kernel_launch_to_start_ns");
  notice.print("kernel_end_to_host_ns");
  dispatch.print("persistent_dispatch_ns");
  std::printf("  \"record_cost_per_block_ns\": %.1f,\n", static_cast<double>(recorded - bare) / extent.waves);
  std::printf("  \"effect_of_recording_on_L_percent\": %.3f\n}\n",
              100.0 * static_cast<double>(recorded_length - bare_length) / static_cast<double>(bare_length));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  const std::string option = argc == 2 ? argv[1] : "";
  if (argc > 2 || (argc == 2 && option != "--device" && option != "--quick")) {
    std::fprintf(stderr, "Usage: overheads [--device | --quick]\n");
    return 2;
  }
  if (option != "--device") return measure(option == "--quick" ? quick : Extent{});
  const GpuDevice device(0);
  std::printf("{\n");
  print_device(device);
  std::printf("\n}\n");
  return 0;
}
