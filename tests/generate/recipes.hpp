// Recipes for tests.
#pragma once

#include "rta/generate/recipe.hpp"

/// 10 DAGs of 10 nodes, half of them kernels, on 16 processors and a GPU of 80 SMs: 8 processors' and 40 % of the G-threads' work.
inline rta::generate::Recipe hundred_nodes() {
  using namespace rta;
  using namespace rta::generate;
  using namespace rta::literals;
  GpuPool gpu;
  gpu.sms = 80;
  gpu.sm = {2048, 1024, 32, 96 * 1024, 65536};
  Recipe recipe;
  recipe.pools = {{"cpu", CpuPool{16, Scheduler::g_edf}}, {"gpu", gpu}};
  recipe.cpu = 0;
  recipe.gpu = 1;
  recipe.dags = {10, 10};
  recipe.nodes = {10, 10};
  recipe.periods = LogUniform{10_ms, 100_ms, 1_us};
  recipe.deadline = Fraction{1, 1};
  recipe.shapes = Choice<Shape>({{LayerByLayer{{3, 5}, {1, 2}}, 1}});
  recipe.gpu_share = {1, 2};
  recipe.cpu_work = {Fraction{8, 1}, Split::rand_fixed_sum, Fraction{1, 1}, {}};
  recipe.gpu_work = {Fraction{65'536, 1}, Split::proportional, {}, LogUniform{50_us, 2_ms}};
  recipe.kernels.B = Choice<Range>({{{16, 64}, 2}, {{128, 128}, 1}});
  recipe.kernels.H = Choice<std::uint32_t>({{128, 1}, {256, 2}, {512, 1}});
  recipe.kernels.shared_memory = Choice<std::uint64_t>({{0, 1}});
  recipe.kernels.registers = Choice<std::uint32_t>({{32, 1}});
  return recipe;
}
