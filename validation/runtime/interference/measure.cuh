// One block with a fixed amount of work, beside blocks on other SMs or on its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "blocks.cuh"
#include "common/cuda_memory.cuh"
#include "common/gpu_device.cuh"
#include "common/launch.cuh"
#include "examine/interruption.hpp"
#include "examine/output_file.hpp"

namespace interference {

struct Summary {
  std::int64_t median, p99, max;
  std::size_t samples;
};

inline Summary summary_of(std::vector<std::int64_t> took) {
  std::sort(took.begin(), took.end());
  return {took[took.size() / 2], took[(took.size() * 99 + 99) / 100 - 1], took.back(), took.size()};
}

/// A part cannot go on, for this reason; the cases before are known.
struct NotPossible {
  std::string reason;
};

/// Where a block is measured: on an SM that it has alone, or beside others on one SM.
enum class Place { own_sm, shared_sm };

class Interference {
 public:
  explicit Interference(const GpuDevice& device)
      : device_(device),
        sms_(static_cast<unsigned>(device.properties().multiProcessorCount)),
        shared_memory_(device.properties().sharedMemPerBlockOptin),
        threads_of_place_(static_cast<unsigned>(device.properties().maxThreadsPerMultiProcessor) / places),
        victim_(device.service_stream()) {
    int cache = 0;
    CUDA_CALL(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, device.index()));
    const std::size_t words = std::max<std::size_t>(static_cast<std::size_t>(cache), std::size_t{1} << 16) / sizeof(unsigned);
    cached_ = {on_device<unsigned>(words / 4), words / 4};
    large_ = {on_device<unsigned>(8 * words), 8 * words};
    times_ = on_host<BlockTimes>(1);
    stop_ = on_host<unsigned>(1);
    present_ = on_host<unsigned>(places * sms_);
    ended_ = on_device<unsigned>(std::size_t{words_of_line} * places * sms_);
    roles_ = on_device<unsigned>(places * sms_);
    begun_ = on_device<unsigned>(places * sms_);
    arrived_ = on_device<unsigned>(1);
    done_ = on_device<unsigned>(1);
    CUDA_CALL(cudaStreamCreateWithFlags(&beside_, cudaStreamNonBlocking));
    // So much shared memory that an SM holds one block.
    const auto all = static_cast<int>(shared_memory_);
    CUDA_CALL(cudaFuncSetAttribute(disturb, cudaFuncAttributeMaxDynamicSharedMemorySize, all));
    CUDA_CALL(cudaFuncSetAttribute(work_once, cudaFuncAttributeMaxDynamicSharedMemorySize, all));
    // An SM is divided between its memory and its cache in one way at a time: kernels that ask for others wait until it is empty.
    fix_carveout(disturb);
    fix_carveout(work_once);
    fix_carveout(work_on_one_sm);
    for (const Place place : {Place::own_sm, Place::shared_sm}) {
      for (const Work work : works) rounds(place, work) = rounds_of_a_millisecond(place, work);
    }
  }

  [[nodiscard]] unsigned others() const { return sms_ - 1; }
  [[nodiscard]] unsigned threads_of_place() const { return threads_of_place_; }
  [[nodiscard]] std::size_t level_2_bytes() const { return 4 * cached_.count * sizeof(unsigned); }
  void set_repetitions(unsigned repetitions) { repetitions_ = repetitions; }
  /// From now on: no case begins later.
  void set_limit(std::int64_t ns) { until_ = now() + ns; }
  /// From now on blocks that have an SM of their own are launched into `victim`, and their company into `beside`.
  void set_streams(cudaStream_t victim, cudaStream_t beside) {
    victim_ = victim;
    beside_ = beside;
  }

  /// Of a block with `work`, with what goes on anyway.
  Summary measure(Place place, Work work) {
    require_time();
    return measured(place, work);
  }
  /// Beside `blocks` of these classes on other SMs.
  Summary beside(Work work, const Classes& classes, unsigned blocks) {
    require_time();
    if (!begin({classes, cached_, large_, blocks, threads, 0, every_sm, ++disturbances_, limit}, shared_memory_))
      gpu_failed("the blocks beside did not start within 2 s: something else holds SMs");
    const Summary found = measured(Place::own_sm, work);
    end();
    return found;
  }
  /// Beside blocks of these classes in all other places of the SM; on other SMs as many only hold their places. False: they did not start
  /// at once, or not evenly.
  /// So few blocks go on through all of their data, which else would stay in the cache of level 2.
  bool on_same_sm(Work work, const Classes& classes, Summary& found) {
    require_time();
    CUDA_CALL(cudaMemsetAsync(arrived_, 0, sizeof *arrived_, beside_));
    const unsigned blocks = (places - 1) * sms_;
    const bool there = begin({classes, cached_, large_, blocks, threads_of_place_, 64 * stride, sm_, ++disturbances_, limit}, 0) &&
                       std::count(present_, present_ + blocks, 2U) == places - 1;
    if (there) found = measured(Place::shared_sm, work);
    end();
    return there;
  }

 private:
  // For longer than any case takes: at most 8 blocks of `most`, of which the last begins after a second.
  static constexpr unsigned limit = 30'000;            // ms
  static constexpr std::int64_t most = 3'000'000'000;  // of a block that takes a millisecond alone; ns

  unsigned& rounds(Place place, Work work) { return rounds_[place == Place::own_sm ? 0 : 1][static_cast<unsigned>(work)]; }
  [[nodiscard]] Data data_of(Work work) const { return work == Work::dram ? large_ : cached_; }

  Summary measured(Place place, Work work) {
    constexpr std::int64_t long_enough = 1'000'000'000;  // where a block takes many times as long, for fewer repetitions
    constexpr unsigned fewest = 5;
    std::vector<std::int64_t> took;
    const std::int64_t until = now() + long_enough;
    for (unsigned i = 0; i < repetitions_ + 3 && (took.size() < fewest || now() < until); ++i) {
      const std::int64_t ns = once(place, work, rounds(place, work));
      if (i >= 3) took.push_back(ns);  // the first bring clocks and caches up
    }
    return summary_of(std::move(took));
  }

  std::int64_t once(Place place, Work work, unsigned rounds) {
    const bool shares = place == Place::shared_sm;
    const unsigned of_block = shares ? threads_of_place_ : threads;
    // DRAM: what the last time left in the cache of level 2 is not read again.
    const std::size_t first_line = work == Work::dram ? line_ : 0;
    line_ += std::size_t{rounds} * stride;
    const cudaStream_t stream = shares ? device_.service_stream() : victim_;
    volatile BlockTimes* const times = times_;
    times->end = 0;
    if (shares) {
      launch(work_on_one_sm, sms_, of_block, 0, stream, work, data_of(work), first_line, rounds, sm_, done_, ++time_, times_);
    } else {
      launch(work_once, 1, of_block, shared_memory_, stream, work, data_of(work), first_line, rounds, times_);
    }
    wait_for(stream);
    if (times->end == 0) gpu_failed("no block of " + std::to_string(sms_) + " was placed on SM " + std::to_string(sm_));
    if (!shares) sm_ = times->sm;
    return static_cast<std::int64_t>(times->end - times->start);
  }
  void require_time() const {
    if (examine::interrupted != 0) examine::fail("interrupted");
    if (now() > until_) throw NotPossible{"the time of this part was up: its other cases are left out"};
  }
  /// Until what was launched there has ended. What does not, for lack of room or because others let it do nothing, is given up.
  void wait_for(cudaStream_t stream) {
    const std::int64_t until = now() + most;
    for (;;) {
      const cudaError_t status = cudaStreamQuery(stream);
      if (status == cudaSuccess) return;
      if (status != cudaErrorNotReady) CUDA_CALL(status);
      if (now() > until) break;
    }
    end();
    CUDA_CALL(cudaStreamSynchronize(stream));
    throw NotPossible{"a block of a millisecond did not end within 3 s beside others"};
  }
  unsigned rounds_of_a_millisecond(Place place, Work work) {
    constexpr unsigned trial = 256;
    once(place, work, trial);
    const std::int64_t took = std::max<std::int64_t>(once(place, work, trial), 1);
    return static_cast<unsigned>(std::max<std::int64_t>(1'000'000 * trial / took, 16));
  }

  /// False: not all blocks have started within 2 s.
  bool begin(const Disturbance& is, std::size_t shared_memory) {
    *static_cast<volatile unsigned*>(stop_) = 0;
    volatile unsigned* const present = present_;
    for (unsigned b = 0; b < is.blocks; ++b) present[b] = 0;
    if (is.blocks > 0)
      launch(disturb, is.blocks, is.threads, shared_memory, beside_, is, stop_, present_, ended_, roles_, begun_, arrived_);
    const std::int64_t until = now() + 2'000'000'000;
    for (unsigned b = 0; b < is.blocks; ++b) {
      while (present[b] == 0) {
        if (now() > until) return false;
      }
    }
    return true;
  }
  void end() {
    *static_cast<volatile unsigned*>(stop_) = 1;
    CUDA_CALL(cudaStreamSynchronize(beside_));
  }

  const GpuDevice& device_;
  unsigned repetitions_ = 1;
  unsigned sms_;
  std::size_t shared_memory_;
  unsigned threads_of_place_;
  Data cached_{};
  Data large_{};
  unsigned rounds_[2][work_count] = {};
  unsigned sm_ = 0;  // where the last block that had one of its own was
  BlockTimes* times_ = nullptr;
  unsigned* stop_ = nullptr;
  unsigned* present_ = nullptr;
  unsigned* ended_ = nullptr;  // block -> the disturbance in which it last ended
  unsigned* roles_ = nullptr;
  unsigned* begun_ = nullptr;
  unsigned* arrived_ = nullptr;
  unsigned* done_ = nullptr;
  unsigned disturbances_ = 0;
  unsigned time_ = 0;
  std::int64_t until_ = INT64_MAX;
  std::size_t line_ = 0;
  cudaStream_t victim_ = nullptr;
  cudaStream_t beside_ = nullptr;
};

}  // namespace interference
