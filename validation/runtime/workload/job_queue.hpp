// A queue of jobs that threads sleep on. Its memory grows only when more jobs wait than ever before.
#pragma once

#include <semaphore.h>

#include <cerrno>
#include <cstdint>
#include <mutex>
#include <vector>

#include "common/scheduling.hpp"
#include "table.hpp"

namespace workload {

using namespace common;

class JobQueue {
 public:
  JobQueue() { sem_init(&available_, 0, 0); }
  ~JobQueue() { sem_destroy(&available_); }
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  /// Behind the jobs with the same key or a lesser one: one key for all makes a FIFO.
  void put(const Job& job, std::int64_t key = 0) {
    {
      std::lock_guard<Lock> guard(lock_);
      if (count_ == jobs_.size()) grow();
      std::size_t place = count_++;
      for (; place > 0 && at(place - 1).key > key; --place) at(place) = at(place - 1);
      at(place) = {job, key};
    }
    sem_post(&available_);
  }

  /// Sleeps until there is a job; false after `close`, at once.
  bool take(Job& job) {
    while (sem_wait(&available_) != 0 && errno == EINTR) {
    }
    std::lock_guard<Lock> guard(lock_);
    if (closed_) {
      sem_post(&available_);  // for the next thread
      return false;
    }
    job = jobs_[first_].job;
    first_ = (first_ + 1) % jobs_.size();
    --count_;
    return true;
  }

  void close() {
    {
      std::lock_guard<Lock> guard(lock_);
      closed_ = true;
    }
    sem_post(&available_);
  }

 private:
  struct Queued {
    Job job;
    std::int64_t key = 0;
  };

  Queued& at(std::size_t place) { return jobs_[(first_ + place) % jobs_.size()]; }

  void grow() {
    std::vector<Queued> larger(jobs_.size() * 2);
    for (std::size_t i = 0; i < count_; ++i) larger[i] = at(i);
    jobs_.swap(larger);
    first_ = 0;
  }

  Lock lock_;
  sem_t available_;
  std::vector<Queued> jobs_ = std::vector<Queued>(16);  // a ring
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  bool closed_ = false;
};

}  // namespace workload
