// A GPU in threads: one per stream, which runs its operations in the order in which they were issued; all else runs at once.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "common/clock.hpp"
#include "examine/gpu.hpp"

namespace examine {

class FakeGpu final : public Gpu {
 public:
  static constexpr unsigned sms = 4;

  ~FakeGpu() override {
    for (auto& stream : streams_) {
      {
        const std::lock_guard<std::mutex> guard(stream->lock);
        stream->closed = true;
      }
      stream->more.notify_all();
      stream->thread.join();
    }
  }

  void prepare(const Probe& probe, const std::vector<bool>&) override {
    probe_ = &probe;
    spans_ = std::make_unique<Ran[]>(probe.operation_count);
    for (unsigned s = 0; s < probe.stream_count; ++s) {
      streams_.push_back(std::make_unique<Stream>());
      Stream* stream = streams_.back().get();
      stream->thread = std::thread([this, stream] { work(*stream); });
    }
  }
  void arm() override {
    for (unsigned o = 0; o < probe_->operation_count; ++o) spans_[o].end.store(0);
  }
  void issue(unsigned operation) override {
    Stream& stream = *streams_[probe_->operations[operation].stream];
    {
      const std::lock_guard<std::mutex> guard(stream.lock);
      stream.operations.push_back(operation);
    }
    stream.more.notify_all();
  }
  bool ended(unsigned operation) override { return spans_[operation].end.load() != 0; }
  void settle() override {
    for (auto& stream : streams_) {
      std::unique_lock<std::mutex> guard(stream->lock);
      stream->more.wait(guard, [&] { return stream->operations.empty(); });
    }
  }
  /// Block b is on SM b mod 4.
  BlockSpan block(unsigned operation, std::uint64_t number) override {
    return {spans_[operation].start, spans_[operation].end.load(), static_cast<unsigned>(number % sms)};
  }
  Span copy(unsigned operation) override { return {spans_[operation].start, spans_[operation].end.load()}; }
  [[nodiscard]] Surroundings surroundings() const override { return {700, 0, 1'000'000, 1'000'000}; }
  [[nodiscard]] common::HeaderFields description() const override { return {{"device", "\"a \\\"fake\\\" GPU\""}, {"driver", "\"none\""}}; }
  [[nodiscard]] std::string mismatch() const override { return ""; }

 private:
  struct Ran {
    std::int64_t start = 0;
    std::atomic<std::int64_t> end{0};
  };
  struct Stream {
    std::mutex lock;
    std::condition_variable more;
    std::deque<unsigned> operations;  // the first one runs
    bool closed = false;
    std::thread thread;
  };
  void work(Stream& stream) {
    std::unique_lock<std::mutex> guard(stream.lock);
    for (;;) {
      stream.more.wait(guard, [&] { return stream.closed || !stream.operations.empty(); });
      if (stream.operations.empty()) return;
      const unsigned operation = stream.operations.front();
      guard.unlock();
      spans_[operation].start = common::now();
      common::sleep_until(spans_[operation].start + probe_->operations[operation].length);
      spans_[operation].end.store(common::now());
      guard.lock();
      stream.operations.pop_front();
      stream.more.notify_all();
    }
  }

  const Probe* probe_ = nullptr;
  std::unique_ptr<Ran[]> spans_;
  std::vector<std::unique_ptr<Stream>> streams_;
};

}  // namespace examine
