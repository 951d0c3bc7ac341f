// Short ways to write GPU tasks and pools in tests, and random ones.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "rta/analysis/gpu/fifo.hpp"

namespace rta::test {

/// (C, T, B, H) as in the literature, C per block in G-thread x time; one unit of time is `unit` ns.
inline analysis::fifo::Task kernel(Wide C, std::int64_t T, std::uint64_t B, std::uint32_t H, std::int64_t unit = 1) {
  analysis::fifo::Task t;
  t.C = Workload(C * unit);
  t.T = Time(T * unit);
  t.B = B;
  t.H = H;
  t.L = to_time(ceil_div(C * unit, H));
  return t;
}

/// The same by block length: C = L H.
inline analysis::fifo::Task kernel_of_length(std::int64_t L, std::int64_t T, std::uint64_t B, std::uint32_t H) {
  return kernel(static_cast<Wide>(L) * H, T, B, H);
}

inline GpuPool gpu_with(std::uint32_t g, std::uint32_t m = 2048, std::uint32_t slots = 32) {
  GpuPool pool;
  pool.sms = g;
  pool.sm.threads = m;
  pool.sm.threads_per_block = m;
  pool.sm.blocks = slots;
  return pool;
}

struct SmallGpu {
  std::vector<analysis::fifo::Task> tasks;
  GpuPool gpu;
};

/// One to four tasks on one to three SMs of at most 16 G-threads; slots and shared memory bind in some.
inline SmallGpu small_gpu(std::mt19937& random) {
  const auto in = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  SmallGpu s;
  const int m = in(2, 16);
  s.gpu = gpu_with(static_cast<std::uint32_t>(in(1, 3)), static_cast<std::uint32_t>(m),
                   static_cast<std::uint32_t>(in(0, 1) == 0 ? m : in(1, 6)));
  const int shared = in(0, 2) == 0 ? in(2, 12) : 0;
  if (shared > 0) s.gpu.sm.shared_memory = static_cast<std::uint64_t>(shared);
  const int n = in(1, 4);
  for (int i = 0; i < n; ++i) {
    auto t = kernel_of_length(in(0, 12), in(4, 40), static_cast<std::uint64_t>(in(1, 6)), static_cast<std::uint32_t>(in(1, m)));
    if (shared > 0) t.shared_memory = static_cast<std::uint64_t>(in(0, shared));
    s.tasks.push_back(t);
  }
  return s;
}

/// Two to four tasks whose blocks have up to two thirds of an SM's registers, which lie in two or four parts.
inline SmallGpu small_gpu_with_register_parts(std::mt19937& random) {
  const auto in = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  SmallGpu s;
  const int parts = in(0, 1) == 0 ? 2 : 4, part = in(3, 12);
  s.gpu = gpu_with(static_cast<std::uint32_t>(in(1, 2)), 16, static_cast<std::uint32_t>(in(0, 1) == 0 ? 16 : in(2, 6)));
  s.gpu.sm.registers = static_cast<std::uint64_t>(parts * part + in(0, 1));
  s.gpu.allocation.register_parts = static_cast<std::uint32_t>(parts);
  const int n = in(2, 4);
  for (int i = 0; i < n; ++i) {
    const int r = in(0, 4) == 0 ? 0 : in(1, part);
    const int most = r == 0 ? 8 : parts * (part / r);
    auto t = kernel_of_length(in(0, 12), in(4, 40), static_cast<std::uint64_t>(in(1, 6)), static_cast<std::uint32_t>(in(1, most)));
    t.registers_per_thread = static_cast<std::uint32_t>(r);
    if (t.H > s.gpu.sm.threads) t.H = s.gpu.sm.threads;
    t.C = Workload(static_cast<Wide>(t.L.count()) * t.H);
    s.tasks.push_back(t);
  }
  return s;
}

}  // namespace rta::test
