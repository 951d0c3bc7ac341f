// A probe's operations on a CUDA device. Nothing but kernels and copies goes into the streams: kernels record their blocks in pinned
// memory, and copies are seen to begin and to end by their first and last words, so no event stands between two operations.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "calling_threads.cuh"
#include "device.cuh"
#include "gpu.hpp"

namespace examine {

class CudaGpu final : public Gpu {
 public:
  explicit CudaGpu(int index) {
    require_device(index);
    device_ = std::make_unique<common::GpuDevice>(index);
  }

  void prepare(const Probe& probe, const std::vector<bool>& own) override {
    probe_ = &probe;
    own_ = own;
    cycles_ = on_host<unsigned long long>(2);
    seed_ = on_device<unsigned>(common::most_seed_words);
    fix_carveout(watch_arrivals);
    fix_carveout(count_cycles);
    fix_carveout(common::spin<0>);
    make_streams();
    for (unsigned o = 0; o < probe.operation_count; ++o) {
      kernels_.emplace_back();
      copies_.emplace_back();
      if (own[o] && probe.operations[o].kind == OperationKind::kernel) prepare_kernel(o);
    }
    prepare_copies();
    calls_ = std::make_unique<CallingThreads>(*device_, probe, own, streams_);
    // Each stream gets its hardware queue, for kernels and for copies, and each kernel is loaded, before anything is observed.
    warm_up(*device_, 1'000'000);
    for (unsigned o = 0; o < probe.operation_count; ++o) {
      if (!own[o] || probe.operations[o].kind == OperationKind::call) continue;
      if (probe.operations[o].kind != OperationKind::kernel) {
        issue_copy(o);
      } else if (launchable(o)) {
        launch(o, 1'000);
      }
    }
    CUDA_CALL(cudaDeviceSynchronize());
    if (!mismatch_.empty() && !all_launchable()) fail(mismatch_);
  }

  void arm() override {
    warm_up(*device_, armed_ ? 5'000'000 : 200'000'000);
    armed_ = true;
    calls_->arm();
    surroundings_ = {};
    surroundings_.khz_before = measure_khz(*device_, cycles_);
    before_ = device_->read_clocks();
    for (Kernel& kernel : kernels_) {
      kernel.ended = 0;
      std::fill_n(reinterpret_cast<char*>(kernel.times), kernel.times == nullptr ? 0 : kernel.blocks * sizeof(BlockTimes), char{0});
    }
    arm_copies();
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }

  // rta: job
  void issue(unsigned o) override {
    const Operation& operation = probe_->operations[o];
    if (operation.kind == OperationKind::kernel) {
      launch(o, operation.length);
    } else if (operation.kind == OperationKind::call) {
      calls_->make(o);
    } else {
      issue_copy(o);
    }
  }

  bool ended(unsigned o) override {
    if (probe_->operations[o].kind == OperationKind::kernel) {
      Kernel& kernel = kernels_[o];
      const volatile BlockTimes* times = kernel.times;
      while (kernel.ended < kernel.blocks && times[kernel.ended].end != 0) ++kernel.ended;
      return kernel.ended == kernel.blocks;
    }
    if (probe_->operations[o].kind == OperationKind::call) return calls_->returned(o);
    Copy& copy = copies_[o];
    if (probe_->operations[o].kind == OperationKind::copy_in)
      return static_cast<const volatile ArrivalTimes*>(arrival_times_)[copy.arrival].end != 0;
    const volatile unsigned* words = copy.to;
    if (copy.seen.start == 0 && words[0] == tag_) copy.seen.start = common::now();
    if (copy.seen.start != 0 && copy.seen.end == 0 && words[copy.words - 1] == tag_) copy.seen.end = common::now();
    return copy.seen.end != 0;
  }

  void settle() override {
    if (stop_ != nullptr) *static_cast<volatile unsigned*>(stop_) = 1;
    CUDA_CALL(cudaDeviceSynchronize());
    if (!armed_) return;
    surroundings_.khz_after = measure_khz(*device_, cycles_);
    const common::ClockPair after = device_->read_clocks();
    clock_ = common::GpuClock(before_, after);  // between the two readings it is as exact as they are
    surroundings_.clock_error = std::max(before_.error, after.error);
    // Clocks differ by some parts in a million; more than the readings and 200 of those explain is a jump.
    const std::int64_t apart = std::abs((after.host - before_.host) - (after.gpu - before_.gpu));
    surroundings_.drift = std::max<std::int64_t>(0, apart - before_.error - after.error - (after.host - before_.host) / 5000);
  }

  BlockSpan block(unsigned o, std::uint64_t number) override {
    const volatile BlockTimes& times = kernels_[o].times[number];
    return {clock_.to_host(static_cast<std::int64_t>(times.start)), clock_.to_host(static_cast<std::int64_t>(times.end)), times.sm};
  }
  Span copy(unsigned o) override {
    if (probe_->operations[o].kind == OperationKind::call) return calls_->span(o);
    if (probe_->operations[o].kind == OperationKind::copy_out) return copies_[o].seen;
    const volatile ArrivalTimes& times = arrival_times_[copies_[o].arrival];
    return {clock_.to_host(static_cast<std::int64_t>(times.start)), clock_.to_host(static_cast<std::int64_t>(times.end))};
  }
  [[nodiscard]] Surroundings surroundings() const override { return surroundings_; }

  [[nodiscard]] common::HeaderFields description() const override {
    common::HeaderFields fields;
    fields.emplace_back("device", common::json_string(device_->properties().name));
    fields.emplace_back("driver", common::json_string(driver_version()));
    fields.emplace_back("cuda", common::json_string(runtime_version()));
    const char* connections = std::getenv("CUDA_DEVICE_MAX_CONNECTIONS");
    fields.emplace_back("connections", connections == nullptr ? "null" : common::json_string(connections));
    fields.emplace_back("timer_step_ns", std::to_string(device_->timer_step()));
    fields.emplace_back("copies_watched_by_a_block", arrivals_ > 0 ? "true" : "false");
    return fields;
  }
  [[nodiscard]] std::string mismatch() const override { return mismatch_; }

 private:
  struct Kernel {
    common::SpinKernel kernel{nullptr, 0};
    BlockTimes* times = nullptr;
    std::uint64_t blocks = 0;
    std::uint64_t ended = 0;  // the first that many have
    int per_sm = 0;
  };
  struct Copy {
    unsigned* to = nullptr;
    std::size_t words = 0;
    unsigned arrival = 0;  // copies to the device
    Span seen;             // copies from it
  };

  void make_streams() {
    for (unsigned s = 0; s < probe_->stream_count; ++s) {
      streams_.push_back(nullptr);
      bool used = false;
      for (unsigned o = 0; o < probe_->operation_count; ++o) used = used || (own_[o] && probe_->operations[o].stream == s);
      if (!used) continue;
      const Stream& stream = probe_->streams[s];
      if (stream.is_null) {
        streams_.back() = cudaStreamLegacy;
      } else {
        CUDA_CALL(cudaStreamCreateWithPriority(&streams_.back(), stream.blocking ? cudaStreamDefault : cudaStreamNonBlocking,
                                               device_->stream_priority(stream.priority)));
      }
    }
  }

  void complain(unsigned o, const std::string& what) {
    mismatch_ += (mismatch_.empty() ? "" : "; ") + std::string(probe_->operations[o].name) + ": " + what;
  }

  void prepare_kernel(unsigned o) {
    const Operation& operation = probe_->operations[o];
    Kernel& kernel = kernels_[o];
    kernel.kernel = common::spin_kernel_with(operation.registers, spin_kernels());
    kernel.blocks = operation.blocks;
    kernel.times = on_host<BlockTimes>(operation.blocks);
    if (operation.registers != 0 &&
        common::allocated_registers(static_cast<unsigned>(kernel.kernel.registers)) != common::allocated_registers(operation.registers))
      complain(o, std::to_string(kernel.kernel.registers) + " registers per thread instead of " + std::to_string(operation.registers));
    fix_carveout(kernel.kernel.function);
    const std::size_t most = device_->properties().sharedMemPerBlockOptin;
    if (operation.shared_memory > 48 * 1024 && operation.shared_memory <= most)
      CUDA_CALL(cudaFuncSetAttribute(kernel.kernel.function, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(most)));
    const cudaError_t status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&kernel.per_sm, kernel.kernel.function,
                                                                             static_cast<int>(operation.threads), operation.shared_memory);
    if (status != cudaSuccess || kernel.per_sm == 0) {
      cudaGetLastError();  // an error that was looked at must not show at the next launch
      kernel.per_sm = 0;
      complain(o, "a block of " + std::to_string(operation.threads) + " threads and " + std::to_string(operation.shared_memory) +
                      " bytes of shared memory does not fit on an SM of this device");
    }
  }
  [[nodiscard]] bool launchable(unsigned o) const { return kernels_[o].per_sm > 0; }
  [[nodiscard]] bool all_launchable() const {
    for (unsigned o = 0; o < probe_->operation_count; ++o) {
      if (own_[o] && probe_->operations[o].kind == OperationKind::kernel && !launchable(o)) return false;
    }
    return true;
  }

  /// The timer advances in steps, so a block that stops at L may have run one step longer: L is asked for less one step.
  void launch(unsigned o, std::int64_t length) {
    const Operation& operation = probe_->operations[o];
    auto spin_for = static_cast<unsigned long long>(std::max<std::int64_t>(0, length - device_->timer_step()));
    common::launch(kernels_[o].kernel.function, operation.blocks, operation.threads, operation.shared_memory, streams_[operation.stream],
                   spin_for, kernels_[o].times, seed_);
  }

  void issue_copy(unsigned o) {
    const Operation& operation = probe_->operations[o];
    const Copy& copy = copies_[o];
    const std::size_t bytes = copy.words * sizeof(unsigned);
    if (operation.kind == OperationKind::copy_in) {
      CUDA_CALL(cudaMemcpyAsync(copy.to, source_on_host_, bytes, cudaMemcpyHostToDevice, streams_[operation.stream]));
    } else {
      CUDA_CALL(cudaMemcpyAsync(copy.to, source_on_device_, bytes, cudaMemcpyDeviceToHost, streams_[operation.stream]));
    }
  }

  /// Bytes per ns between pinned memory and the device, from two sizes, so that what every copy costs does not count.
  double copy_rate(cudaMemcpyKind kind, void* host, void* device) {
    constexpr std::size_t small = std::size_t{4} << 20;
    cudaEvent_t started = nullptr;
    cudaEvent_t ended = nullptr;
    CUDA_CALL(cudaEventCreate(&started));
    CUDA_CALL(cudaEventCreate(&ended));
    const auto least_ns = [&](std::size_t bytes) {
      double least = 1e18;
      for (int i = 0; i < 6; ++i) {
        CUDA_CALL(cudaEventRecord(started, device_->service_stream()));
        CUDA_CALL(kind == cudaMemcpyHostToDevice ? cudaMemcpyAsync(device, host, bytes, kind, device_->service_stream())
                                                 : cudaMemcpyAsync(host, device, bytes, kind, device_->service_stream()));
        CUDA_CALL(cudaEventRecord(ended, device_->service_stream()));
        CUDA_CALL(cudaStreamSynchronize(device_->service_stream()));
        float ms = 0;
        CUDA_CALL(cudaEventElapsedTime(&ms, started, ended));
        least = std::min(least, static_cast<double>(ms) * 1e6);
      }
      return least;
    };
    const double one = least_ns(small);
    const double four = least_ns(4 * small);
    CUDA_CALL(cudaEventDestroy(started));
    CUDA_CALL(cudaEventDestroy(ended));
    // Where others disturbed the small copies, the difference says nothing; the large copy's own rate is at most too low.
    const double difference = four - one;
    return difference > four / 2 ? static_cast<double>(3 * small) / difference : static_cast<double>(4 * small) / four;
  }

  [[nodiscard]] bool is_copy(unsigned o) const {
    return probe_->operations[o].kind == OperationKind::copy_in || probe_->operations[o].kind == OperationKind::copy_out;
  }

  void prepare_copies() {
    bool any = false;
    for (unsigned o = 0; o < probe_->operation_count; ++o) any = any || (own_[o] && is_copy(o));
    if (!any) return;
    constexpr std::size_t calibration = std::size_t{16} << 20;
    void* host = on_host<char>(calibration);
    void* device = on_device<char>(calibration);
    const double in = copy_rate(cudaMemcpyHostToDevice, host, device);
    const double out = copy_rate(cudaMemcpyDeviceToHost, host, device);
    CUDA_CALL(cudaFreeHost(host));
    CUDA_CALL(cudaFree(device));
    std::size_t most_in = 0;
    std::size_t most_out = 0;
    std::size_t all = 0;
    for (unsigned o = 0; o < probe_->operation_count; ++o) {
      const Operation& operation = probe_->operations[o];
      if (!own_[o] || !is_copy(o)) continue;
      const bool is_in = operation.kind == OperationKind::copy_in;
      Copy& copy = copies_[o];
      copy.words = std::max<std::size_t>(1024, static_cast<std::size_t>(static_cast<double>(operation.length) * (is_in ? in : out)) / 4);
      all += copy.words * sizeof(unsigned);
      std::size_t& most = is_in ? most_in : most_out;
      most = std::max(most, copy.words);
    }
    constexpr std::size_t allowed = std::size_t{4} << 30;
    if (all > allowed)
      fail("probe '" + std::string(probe_->name) + "': its copies need " + std::to_string(all >> 20) +
           " MiB here (4096 allowed): shorten them");
    source_on_host_ = on_host<unsigned>(most_in);
    source_on_device_ = on_device<unsigned>(most_out);
    std::vector<Arrival> arrivals;
    for (unsigned o = 0; o < probe_->operation_count; ++o) {
      Copy& copy = copies_[o];
      if (copy.words == 0) continue;
      if (probe_->operations[o].kind == OperationKind::copy_in) {
        copy.to = on_device<unsigned>(copy.words);
        copy.arrival = static_cast<unsigned>(arrivals.size());
        arrivals.push_back({copy.to, copy.to + copy.words - 1});
      } else {
        copy.to = on_host<unsigned>(copy.words);
      }
    }
    arrivals_ = static_cast<unsigned>(arrivals.size());
    if (arrivals_ == 0) return;
    arrivals_on_device_ = on_device<Arrival>(arrivals.size());
    CUDA_CALL(cudaMemcpy(arrivals_on_device_, arrivals.data(), arrivals.size() * sizeof(Arrival), cudaMemcpyHostToDevice));
    arrival_times_ = on_host<ArrivalTimes>(arrivals.size());
    watching_ = on_host<unsigned>(1);
    stop_ = on_host<unsigned>(1);
    CUDA_CALL(cudaStreamCreateWithFlags(&watch_stream_, cudaStreamNonBlocking));
  }

  /// Sources get a tag that no destination has yet. Copies to the device are watched by a resident thread.
  void arm_copies() {
    ++tag_;
    for (unsigned o = 0; o < probe_->operation_count; ++o) {
      Copy& copy = copies_[o];
      if (copy.words == 0) continue;
      copy.seen = {};
      for (const std::size_t word : {std::size_t{0}, copy.words - 1}) {
        if (probe_->operations[o].kind == OperationKind::copy_in) {
          source_on_host_[word] = tag_;
        } else {
          CUDA_CALL(cudaMemcpy(source_on_device_ + word, &tag_, sizeof tag_, cudaMemcpyHostToDevice));
        }
      }
    }
    if (arrivals_ == 0) return;
    std::fill_n(reinterpret_cast<char*>(arrival_times_), arrivals_ * sizeof(ArrivalTimes), char{0});
    *static_cast<volatile unsigned*>(watching_) = 0;
    *static_cast<volatile unsigned*>(stop_) = 0;
    CUDA_CALL(cudaDeviceSynchronize());
    constexpr unsigned long long limit = 60'000'000'000ULL;
    common::launch(watch_arrivals, 1, 1, 0, watch_stream_, arrivals_on_device_, arrivals_, tag_, arrival_times_, watching_, stop_, limit);
    const std::int64_t until = common::now() + 2'000'000'000;
    while (*static_cast<volatile unsigned*>(watching_) == 0) {
      if (common::now() > until) fail("the thread that watches copies did not start within 2 s");
    }
  }

  const Probe* probe_ = nullptr;
  std::vector<bool> own_;
  std::unique_ptr<common::GpuDevice> device_;
  std::vector<cudaStream_t> streams_;
  std::vector<Kernel> kernels_;
  std::vector<Copy> copies_;
  std::unique_ptr<CallingThreads> calls_;
  unsigned* seed_ = nullptr;
  unsigned long long* cycles_ = nullptr;
  bool armed_ = false;
  common::ClockPair before_;  // a run
  common::GpuClock clock_;
  Surroundings surroundings_;
  std::string mismatch_;

  unsigned tag_ = 0;
  unsigned* source_on_host_ = nullptr;
  unsigned* source_on_device_ = nullptr;
  unsigned arrivals_ = 0;
  Arrival* arrivals_on_device_ = nullptr;
  ArrivalTimes* arrival_times_ = nullptr;
  unsigned* watching_ = nullptr;
  unsigned* stop_ = nullptr;
  cudaStream_t watch_stream_ = nullptr;
};

}  // namespace examine
