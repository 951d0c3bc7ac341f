// Records of what happened: every thread has its own ring, one background thread turns them into lines. No lock, no allocation.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "common/record.hpp"

namespace workload {

using namespace common;

/// A ring with one writer and one reader. A record that finds no room is counted as lost, never waited for.
class Ring {
 public:
  explicit Ring(std::size_t capacity) : records_(capacity) {}

  void push(const Record& record) {
    const std::uint64_t at = written_.load(std::memory_order_relaxed);
    if (at - read_.load(std::memory_order_acquire) == records_.size()) {
      lost_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    records_[at % records_.size()] = record;
    written_.store(at + 1, std::memory_order_release);
  }

  template <class Take>
  void drain(Take take) {
    const std::uint64_t end = written_.load(std::memory_order_acquire);
    for (std::uint64_t at = read_.load(std::memory_order_relaxed); at != end; ++at) {
      take(records_[at % records_.size()]);
      read_.store(at + 1, std::memory_order_release);
    }
  }

  [[nodiscard]] std::uint64_t lost() const { return lost_.load(); }

 private:
  std::vector<Record> records_;
  std::atomic<std::uint64_t> written_{0};
  std::atomic<std::uint64_t> read_{0};
  std::atomic<std::uint64_t> lost_{0};
};

/// The rings of all threads. Rings are made at start-up, before jobs run.
class Recorder {
 public:
  /// `keep_all`: rings hold the whole run, for a trace that is written after it.
  explicit Recorder(bool keep_all) : keep_all_(keep_all) {}

  /// `whole_run` records are expected in all; `burst` between two visits of the writer.
  Ring& add_ring(std::size_t burst, std::size_t whole_run) {
    std::lock_guard<std::mutex> guard(lock_);
    rings_.push_back(std::make_unique<Ring>(keep_all_ ? whole_run + 16 : burst));
    return *rings_.back();
  }
  template <class Take>
  void drain(Take take) {
    std::lock_guard<std::mutex> guard(lock_);
    for (auto& ring : rings_) ring->drain(take);
  }
  [[nodiscard]] std::uint64_t lost() {
    std::lock_guard<std::mutex> guard(lock_);
    std::uint64_t sum = 0;
    for (auto& ring : rings_) sum += ring->lost();
    return sum;
  }

 private:
  bool keep_all_;
  std::mutex lock_;
  std::vector<std::unique_ptr<Ring>> rings_;
};

}  // namespace workload
