// Persistent threads: one kernel whose N resident workers take items from one FIFO for as long as the program runs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/gpu_clock.cuh"
#include "common/spin.cuh"

namespace workload {

using namespace common;

/// One item of a job. Written by the host, read once by the feeder, as two words of 16 bytes.
struct alignas(32) WorkItem {
  unsigned slot;
  unsigned index;
  unsigned items;  // of its job
  unsigned reserved;
  unsigned long long length;
};
static_assert(sizeof(WorkItem) == 2 * sizeof(uint4), "the feeder copies two words");

/// The FIFO between host and workers. `*_host` lie in pinned host memory, the rest on the device.
struct WorkQueue {
  WorkItem* items_host;
  volatile unsigned long long* written_host;  // items that the host has put in
  volatile unsigned* stop_host;
  volatile unsigned* present_host;  // workers that are resident
  volatile unsigned* done_host;     // per slot: jobs done
  WorkItem* items;
  BlockTimes** times;             // per slot: records, in host memory
  unsigned long long* published;  // items that workers may take
  unsigned long long* taken;      // tickets
  unsigned* left;                 // per slot: items of its job not yet done
  unsigned* done;                 // per slot: jobs done
  unsigned* stopped;              // set by the feeder when it ends
  unsigned capacity;              // of both rings, in items
};

__device__ inline void pause_briefly() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  __nanosleep(100);
#endif
}

/// Brings items from host memory to the device, in order, so that only one warp reads over the bus while workers wait: an item per lane, up
/// to a warp's worth at a time, so that many items take little longer than one.
__device__ inline void feed(const WorkQueue& queue) {
  constexpr unsigned all_lanes = 0xffffffffU;
  const auto width = static_cast<unsigned>(warpSize);
  const unsigned lane = threadIdx.x % 32;
  unsigned long long next = 0;
  for (;;) {
    const unsigned long long end = __shfl_sync(all_lanes, lane == 0 ? *queue.written_host : 0ULL, 0);
    if (next == end) {
      if (__shfl_sync(all_lanes, lane == 0 ? *queue.stop_host : 0U, 0) != 0) break;
      pause_briefly();
      continue;
    }
    __threadfence_system();
    while (next != end) {
      const unsigned batch = end - next < width ? static_cast<unsigned>(end - next) : width;
      if (lane < batch) {
        const auto at = static_cast<std::size_t>((next + lane) % queue.capacity);
        // slot, index, items; length. From host memory, whatever an earlier round left in a cache.
        const uint4 head = __ldcv(reinterpret_cast<const uint4*>(queue.items_host + at));
        const uint4 rest = __ldcv(reinterpret_cast<const uint4*>(queue.items_host + at) + 1);
        reinterpret_cast<uint4*>(queue.items + at)[0] = head;
        reinterpret_cast<uint4*>(queue.items + at)[1] = rest;
        if (head.y == 0) atomicExch(&queue.left[head.x], head.z);
      }
      next += batch;
      __syncwarp();
      __threadfence();
      if (lane == 0) *static_cast<volatile unsigned long long*>(queue.published) = next;
    }
  }
  if (lane == 0) *static_cast<volatile unsigned*>(queue.stopped) = 1;
}

/// Two warps per block: the first works, the second of block 0 feeds. Whoever has the lowest ticket gets the oldest item.
static __global__ void work_for_ever(WorkQueue queue, unsigned long long margin) {
  if (threadIdx.x >= 32 && blockIdx.x == 0) feed(queue);
  if (threadIdx.x != 0) return;
  queue.present_host[blockIdx.x] = 1;
  for (;;) {
    const unsigned long long ticket = atomicAdd(queue.taken, 1ULL);
    while (*static_cast<volatile unsigned long long*>(queue.published) <= ticket) {
      if (*static_cast<volatile unsigned*>(queue.stopped) != 0) return;
      pause_briefly();
    }
    __threadfence();
    const std::uint64_t start = global_time();
    const volatile WorkItem* item = &queue.items[ticket % queue.capacity];
    const unsigned slot = item->slot;
    const unsigned index = item->index;
    const unsigned long long length = item->length > margin ? item->length - margin : 0;
    std::uint64_t end = global_time();
    while (end - start < length) end = global_time();
    write_times(queue.times[slot][index], start, end);
    __threadfence_system();
    if (atomicSub(&queue.left[slot], 1U) == 1U) {
      queue.done_host[slot] = atomicAdd(&queue.done[slot], 1U) + 1U;
      __threadfence_system();
    }
  }
}

}  // namespace workload
