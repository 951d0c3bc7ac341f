// The processors of a pool for threads that wait: the thread that asks first gets one first, under any scheduling of the kernel.
#pragma once

#include <semaphore.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

#include "common/scheduling.hpp"

namespace workload {

using namespace common;

/// A thread as it stands in such a queue.
struct Seat {
  int thread = 0;      // its number in the kernel
  int processor = -1;  // the one that it is confined to
  sem_t granted;
  Seat() { sem_init(&granted, 0, 0); }
  ~Seat() { sem_destroy(&granted); }
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;
};

class ProcessorQueue {
 public:
  explicit ProcessorQueue(std::vector<int> processors) : processors_(processors), free_(std::move(processors)) {}
  ProcessorQueue(const ProcessorQueue&) = delete;
  ProcessorQueue& operator=(const ProcessorQueue&) = delete;

  /// Sleeps until the thread has a processor, the one that it had if that is free. `level`: its own while it has one; 0: of SCHED_OTHER.
  void take(Seat& seat, int level) {
    bool waits = false;
    {
      std::lock_guard<Lock> guard(lock_);
      waits = free_.empty();
      if (waits) {
        waiting_.push_back(&seat);
      } else {
        auto at = std::find(free_.begin(), free_.end(), seat.processor);
        if (at == free_.end()) at = free_.begin();
        const int processor = *at;
        free_.erase(at);
        confine(seat, processor);
      }
    }
    if (level > 0) set_fifo(0, level);
    if (!waits) return;
    while (sem_wait(&seat.granted) != 0 && errno == EINTR) {
    }
  }

  void give_back(Seat& seat) {
    std::lock_guard<Lock> guard(lock_);
    if (waiting_.empty()) {
      free_.push_back(seat.processor);
      return;
    }
    Seat& next = *waiting_.front();
    waiting_.pop_front();
    confine(next, seat.processor);
    sem_post(&next.granted);
  }

  [[nodiscard]] const std::vector<int>& processors() const { return processors_; }
  [[nodiscard]] std::int64_t pinning_failures() const { return unpinned_.load(); }

 private:
  void confine(Seat& seat, int processor) {
    if (seat.processor == processor) return;
    if (!pin({processor}, seat.thread).empty()) unpinned_.fetch_add(1);
    seat.processor = processor;
  }

  const std::vector<int> processors_;
  Lock lock_;
  std::vector<int> free_;
  std::deque<Seat*> waiting_;
  std::atomic<std::int64_t> unpinned_{0};
};

}  // namespace workload
