// What processes that run parts of one task set share.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "priority_order.hpp"
#include "status.hpp"

namespace workload {

/// The start that all processes agree on.
struct Shared {
  std::atomic<int> ready{0};
  std::atomic<std::int64_t> start{0};  // 0: not yet
  std::atomic<std::int64_t> finished{0};
};

class SharedMemory {
 public:
  explicit SharedMemory(unsigned pools) : bytes_(sizeof(Shared) + 64 + pools * sizeof(PriorityOrder)) {
    memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) {
      std::perror("workload: mmap");
      std::exit(could_not_run);
    }
    shared = new (memory_) Shared;
    orders = reinterpret_cast<PriorityOrder*>(static_cast<char*>(memory_) + (sizeof(Shared) + 63) / 64 * 64);
    for (unsigned p = 0; p < pools; ++p) new (orders + p) PriorityOrder;
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory() { munmap(memory_, bytes_); }

  Shared* shared = nullptr;
  PriorityOrder* orders = nullptr;

 private:
  std::size_t bytes_;
  void* memory_ = nullptr;
};

}  // namespace workload
