// A GPU in host threads: a thread per stream runs what is put into it in order; all blocks of a kernel run at once. Streams never wait for
// each other, also not for the NULL stream, unless an event says so.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "fake/block.hpp"
#include "fake/recording.hpp"

namespace fake {

inline constexpr unsigned sms = 4;
/// What a stream's first operation takes longer than others; ns.
inline std::uint64_t first_use() {
  static const char* given = std::getenv("FAKE_FIRST_USE_MS");
  return given == nullptr ? 0 : std::strtoull(given, nullptr, 10) * 1'000'000;
}
inline thread_local unsigned current_sm = 0;
/// The SMs of the kernels that this thread starts.
inline thread_local unsigned first_sm = 0, sm_count = sms;

/// Kernels that this process has launched, by which faults come at the same place of every run.
inline std::atomic<std::uint64_t> launches{0};
/// The launch that a variable of the environment names, counted from 1, was made.
inline bool reached(const char* variable) {
  const char* given = std::getenv(variable);
  return given != nullptr && launches.load() >= std::strtoull(given, nullptr, 10);
}
/// The device answers no more; what was put into streams since then never runs.
inline bool lost() {
  static const bool possible = std::getenv("FAKE_LOST_AT_LAUNCH") != nullptr;
  return possible && reached("FAKE_LOST_AT_LAUNCH");
}
inline std::uint64_t clock_jump() {
  static const bool possible = std::getenv("FAKE_CLOCK_JUMPS_AT_LAUNCH") != nullptr;
  return possible && reached("FAKE_CLOCK_JUMPS_AT_LAUNCH") ? 200'000'000 : 0;
}

/// A clock of its own: 5 s ahead of the host's.
inline std::uint64_t global_time() {
  std::this_thread::yield();
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec) + 5'000'000'000 + clock_jump();
}

/// How many of a kernel's blocks run at once: all, or as many as FAKE_BLOCKS_AT_ONCE says.
inline std::size_t blocks_at_once(std::size_t blocks) {
  static const char* given = std::getenv("FAKE_BLOCKS_AT_ONCE");
  return given == nullptr ? blocks : std::min<std::size_t>(blocks, std::strtoull(given, nullptr, 10));
}

/// The first two warps of each block, as their first threads: no kernel of a workload does anything in others.
template <class Thread>
void run_blocks(std::size_t blocks, unsigned threads_per_block, Thread run) {
  const std::size_t at_once = blocks_at_once(blocks);
  const unsigned begin = first_sm, count = sm_count;
  std::vector<std::thread> threads;
  for (std::size_t first = 0; first < at_once; ++first) {
    for (unsigned t = 0; t < std::min(threads_per_block, 64U); t += 32) {
      threads.emplace_back([=] {
        for (std::size_t b = first; b < blocks; b += at_once) {
          blockIdx.x = static_cast<unsigned>(b);
          threadIdx.x = t;
          current_sm = begin + static_cast<unsigned>(b) % count;
          run();
        }
      });
    }
  }
  for (std::thread& thread : threads) thread.join();
}

/// All threads of each block of a kernel that a program launches.
template <class Thread>
void run_grid(dim3 grid, dim3 block, Thread run) {
  const std::size_t blocks = std::size_t{grid.x} * grid.y * grid.z;
  const std::size_t at_once = std::min<std::size_t>(blocks_at_once(blocks), std::max(1U, std::thread::hardware_concurrency()));
  std::vector<std::thread> threads;
  for (std::size_t first = 0; first < at_once; ++first) {
    threads.emplace_back([=] {
      Block threads_of;
      gridDim = grid;
      blockDim = block;
      for (std::size_t b = first; b < blocks; b += at_once) {
        const auto i = static_cast<unsigned>(b);
        blockIdx = {i % grid.x, i / grid.x % grid.y, i / grid.x / grid.y};
        threads_of.run(block, run);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

class Stream {
 public:
  Stream() : thread_([this] { work(); }) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    {
      const std::lock_guard<std::mutex> guard(lock_);
      closed_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  void put(std::function<void()> operation) {
    const std::lock_guard<std::mutex> guard(lock_);
    operations_.push_back(std::move(operation));
    changed_.notify_all();
  }
  /// Its kernels run on these SMs alone. Before it is used.
  void confine(unsigned first, unsigned count) {
    const std::lock_guard<std::mutex> guard(lock_);
    first_sm_ = first;
    sm_count_ = count;
  }
  void wait() {
    std::unique_lock<std::mutex> guard(lock_);
    while (!operations_.empty() && !lost()) changed_.wait_for(guard, std::chrono::milliseconds(5));
  }
  [[nodiscard]] std::uint32_t number() const { return number_; }
  [[nodiscard]] bool idle() {
    const std::lock_guard<std::mutex> guard(lock_);
    return operations_.empty();
  }

 private:
  /// The first is the NULL stream's, which CUPTI calls 7 as a rule.
  static std::uint32_t next_number() {
    static std::atomic<std::uint32_t> next{7};
    return next.fetch_add(1);
  }
  void work() {
    std::unique_lock<std::mutex> guard(lock_);
    for (;;) {
      changed_.wait(guard, [&] { return closed_ || !operations_.empty(); });
      if (operations_.empty()) return;
      first_sm = first_sm_;
      sm_count = sm_count_;
      const std::function<void()> operation = operations_.front();
      guard.unlock();
      if (!used_) std::this_thread::sleep_for(std::chrono::nanoseconds(first_use()));
      used_ = true;
      operation();
      guard.lock();
      operations_.pop_front();  // the first one runs
      changed_.notify_all();
    }
  }
  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> operations_;
  bool closed_ = false;
  bool used_ = false;
  unsigned first_sm_ = 0, sm_count_ = sms;
  const std::uint32_t number_ = next_number();
  std::thread thread_;
};

struct Event {
  std::atomic<std::uint64_t> at{0};
  std::atomic<unsigned> asked{0};
  std::atomic<unsigned> done{0};
  const std::uint32_t number = Recording::next_number();
  void wait() const {
    while (done.load() < asked.load() && !lost()) std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
};

}  // namespace fake

using cudaStream_t = fake::Stream*;
using cudaEvent_t = fake::Event*;
inline cudaStream_t const cudaStreamLegacy = nullptr;

namespace fake {

class Device {
 public:
  /// Not destroyed: a program may end while streams are busy.
  static Device& instance() {
    static auto* device = new Device;
    return *device;
  }
  cudaStream_t make_stream() {
    const std::lock_guard<std::mutex> guard(lock_);
    streams_.push_back(std::make_unique<Stream>());
    return streams_.back().get();
  }
  void destroy_stream(cudaStream_t stream) {
    const std::lock_guard<std::mutex> guard(lock_);
    streams_.erase(std::find_if(streams_.begin(), streams_.end(), [&](const auto& s) { return s.get() == stream; }));
  }
  Stream& stream(cudaStream_t stream) { return stream == cudaStreamLegacy ? null_ : *stream; }
  void put(cudaStream_t which, std::function<void()> operation) {
    if (!lost()) stream(which).put(std::move(operation));
  }
  /// The same for an operation of which a recording tells when it ran.
  template <class Operation>
  void put_recorded(cudaStream_t which, const Activity& is, Operation operation) {
    put(which, [=] {
      Activity ran = is;
      ran.start = Recording::now();
      operation();
      ran.end = Recording::now();
      Recording::put(ran);
    });
  }
  void wait() {
    const std::lock_guard<std::mutex> guard(lock_);
    null_.wait();
    for (auto& s : streams_) s->wait();
  }
  /// 4 bytes per ns; the first word comes first and the last word last.
  static void copy(void* to, const void* from, std::size_t bytes) {
    const std::size_t first = std::min<std::size_t>(bytes, 4);
    std::memcpy(to, from, first);
    const std::uint64_t until = global_time() + bytes / 4;
    while (global_time() < until) {
    }
    std::memcpy(static_cast<char*>(to) + first, static_cast<const char*>(from) + first, bytes - first);
  }

 private:
  Device() = default;
  std::mutex lock_;
  Stream null_;
  std::vector<std::unique_ptr<Stream>> streams_;
};

}  // namespace fake
