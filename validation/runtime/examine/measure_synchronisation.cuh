// What calls do while a kernel runs (dissertation, Table 3.8): do they block other host threads, keep kernels of other streams from
// starting (implicit synchronisation), and make their caller wait?
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "measure_latency.cuh"

namespace examine {

/// A call under examination. `prepare` and `clean_up` run while the GPU is idle.
struct Call {
  std::string name;
  std::function<void()> prepare;
  std::function<void()> call;
  std::function<void()> clean_up;
};

class SynchronisationMeasure {
 public:
  explicit SynchronisationMeasure(int index) : index_(index), bench_(index, 3) {
    // Ordinary streams: what the NULL stream keeps waiting counts as well.
    callers_ = bench_.stream(cudaStreamDefault);
    others_ = bench_.stream(cudaStreamDefault);
    CUDA_CALL(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
    pinned_ = on_host<char>(bytes);
    pageable_.resize(bytes);
    device_from_ = on_device<char>(bytes);
    device_to_ = on_device<char>(bytes);
    add_calls();
  }

  void run(unsigned repeat, Samples& samples) {
    for (Call& call : calls_) {
      for (int i = -1; i < static_cast<int>(repeat) && interrupted == 0; ++i) run_once(call, i, samples);  // the first one only warms up
    }
  }

 private:
  static constexpr std::size_t bytes = 64 * 1024;
  static constexpr std::int64_t kernel = 20'000'000;
  static constexpr std::int64_t caller_calls = 3'000'000;  // after the kernel's launch
  static constexpr std::int64_t other_launches = 6'000'000;

  void add(
      const std::string& name, std::function<void()> call, std::function<void()> prepare = [] {}, std::function<void()> clean_up = [] {}) {
    calls_.push_back({name, std::move(prepare), std::move(call), std::move(clean_up)});
  }

  void add_calls() {
    add("none", [] {});
    add("cudaDeviceSynchronize", [] { CUDA_CALL(cudaDeviceSynchronize()); });
    add("cudaStreamSynchronize", [this] { CUDA_CALL(cudaStreamSynchronize(callers_)); });
    add("cudaEventSynchronize", [this] {
      CUDA_CALL(cudaEventRecord(event_, callers_));
      CUDA_CALL(cudaEventSynchronize(event_));
    });
    add(
        "cudaMalloc", [this] { CUDA_CALL(cudaMalloc(&memory_, bytes)); }, [] {}, [this] { CUDA_CALL(cudaFree(memory_)); });
    add(
        "cudaFree", [this] { CUDA_CALL(cudaFree(memory_)); }, [this] { CUDA_CALL(cudaMalloc(&memory_, bytes)); });
    add(
        "cudaMallocHost", [this] { CUDA_CALL(cudaMallocHost(&memory_, bytes)); }, [] {}, [this] { CUDA_CALL(cudaFreeHost(memory_)); });
    add(
        "cudaFreeHost", [this] { CUDA_CALL(cudaFreeHost(memory_)); }, [this] { CUDA_CALL(cudaMallocHost(&memory_, bytes)); });
    if (attribute(cudaDevAttrMemoryPoolsSupported, index_) != 0) {
      add(
          "cudaMallocAsync", [this] { CUDA_CALL(cudaMallocAsync(&memory_, bytes, callers_)); }, [] {},
          [this] { CUDA_CALL(cudaFreeAsync(memory_, callers_)); });
      add(
          "cudaFreeAsync", [this] { CUDA_CALL(cudaFreeAsync(memory_, callers_)); },
          [this] {
            CUDA_CALL(cudaMallocAsync(&memory_, bytes, callers_));
            CUDA_CALL(cudaDeviceSynchronize());
          });
    }
    add("cudaMemcpyAsync D-D", [this] { copy_async(device_to_, device_from_, cudaMemcpyDeviceToDevice); });
    add("cudaMemcpyAsync D-H", [this] { copy_async(pinned_, device_from_, cudaMemcpyDeviceToHost); });
    add("cudaMemcpyAsync H-D", [this] { copy_async(device_to_, pinned_, cudaMemcpyHostToDevice); });
    add("cudaMemcpyAsync D-H pageable", [this] { copy_async(pageable_.data(), device_from_, cudaMemcpyDeviceToHost); });
    add("cudaMemcpyAsync H-D pageable", [this] { copy_async(device_to_, pageable_.data(), cudaMemcpyHostToDevice); });
    add("cudaMemcpy D-H", [this] { CUDA_CALL(cudaMemcpy(pinned_, device_from_, bytes, cudaMemcpyDeviceToHost)); });
    add("cudaMemcpy H-D", [this] { CUDA_CALL(cudaMemcpy(device_to_, pinned_, bytes, cudaMemcpyHostToDevice)); });
    add("cudaMemset", [this] { CUDA_CALL(cudaMemset(device_to_, 0, bytes)); });
    add("cudaMemsetAsync", [this] { CUDA_CALL(cudaMemsetAsync(device_to_, 0, bytes, callers_)); });
    add("cudaMemsetAsync NULL stream", [this] { CUDA_CALL(cudaMemsetAsync(device_to_, 0, bytes, cudaStreamLegacy)); });
    add("kernel NULL stream", [this] { bench_.launch(cudaStreamLegacy, 1, 32, 1'000, bench_.times(2)); });
    // rta: allow blocking-stream only what its making does is looked at
    add(
        "cudaStreamCreate", [this] { CUDA_CALL(cudaStreamCreate(&stream_)); }, [] {}, [this] { CUDA_CALL(cudaStreamDestroy(stream_)); });
    // rta: allow blocking-stream only what its end does is looked at
    add(
        "cudaStreamDestroy", [this] { CUDA_CALL(cudaStreamDestroy(stream_)); }, [this] { CUDA_CALL(cudaStreamCreate(&stream_)); });
  }
  void copy_async(void* to, const void* from, cudaMemcpyKind kind) { CUDA_CALL(cudaMemcpyAsync(to, from, bytes, kind, callers_)); }

  /// The caller's kernel K1 runs; 3 ms later the call; 6 ms later another thread launches K2 on its own stream.
  void run_once(const Call& call, int number, Samples& samples) {
    call.prepare();
    CUDA_CALL(cudaDeviceSynchronize());
    bench_.refresh();
    bench_.clear();
    std::atomic<std::int64_t> launch_at{0};
    Span other;
    std::thread thread([&] {
      bench_.device().select();
      while (launch_at.load() == 0) std::this_thread::yield();
      wait_until(launch_at.load());
      other.start = common::now();
      bench_.launch(others_, 1, 32, 1'000'000, bench_.times(1));
      other.end = common::now();
    });
    bench_.launch(callers_, 1, 32, kernel, bench_.times(0));
    const std::int64_t launched = common::now();
    launch_at.store(launched + other_launches);
    wait_until(launched + caller_calls);
    Span caller;
    caller.start = common::now();
    call.call();
    caller.end = common::now();
    thread.join();
    CUDA_CALL(cudaDeviceSynchronize());
    call.clean_up();
    CUDA_CALL(cudaDeviceSynchronize());
    if (number < 0) return;
    const Span first = bench_.span(0);
    const Span second = bench_.span(1);
    // Held up for at least half of what K1 still had to run: nothing else here takes milliseconds.
    const std::int64_t left = first.end - other.start;
    samples.add(Sample("synchronisation", static_cast<unsigned>(number))
                    .add("call", call.name)
                    .add("blocks_other_threads", other.end - other.start > left / 2)
                    .add("synchronises_implicitly", second.start > other.start + left / 2)
                    .add("caller_waits", caller.end - caller.start > (first.end - caller.start) / 2)
                    .add("kernel_left_ns", first.end - caller.start)
                    .add("call_ns", caller.end - caller.start)
                    .add("other_call_ns", other.end - other.start)
                    .add("other_start_ns", second.start - other.start));
  }
  static void wait_until(std::int64_t instant) {
    while (common::now() < instant) {
    }
  }

  int index_;
  Bench bench_;
  cudaStream_t callers_ = nullptr;
  cudaStream_t others_ = nullptr;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t event_ = nullptr;
  void* memory_ = nullptr;
  char* pinned_ = nullptr;
  std::vector<char> pageable_;
  char* device_from_ = nullptr;
  char* device_to_ = nullptr;
  std::vector<Call> calls_;
};

}  // namespace examine
