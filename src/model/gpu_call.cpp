#include "rta/model/gpu_call.hpp"

#include <algorithm>
#include <array>

namespace rta {
namespace {

// Table 3.8, and `calls` of validation/profiles/h200.yaml, which agree. The dissertation leaves open whether cudaMalloc and cudaMallocHost
// hold others up; the H200 did not.
constexpr std::array<GpuCall, 16> known_calls{{
    {.name = "cudaDeviceSynchronize", .awaits = Awaited::device},
    {.name = "cudaEventSynchronize", .awaits = Awaited::stream},
    {.name = "cudaFree", .awaits = Awaited::device, .holds = HeldStreams::all, .blocks_callers = true},
    {.name = "cudaFreeAsync"},
    {.name = "cudaFreeHost", .awaits = Awaited::device, .holds = HeldStreams::all, .blocks_callers = true},
    {.name = "cudaMalloc"},
    {.name = "cudaMallocAsync"},
    {.name = "cudaMallocHost"},
    {.name = "cudaMemcpy", .awaits = Awaited::device, .holds = HeldStreams::blocking, .blocks_callers = true, .copies = true},
    {.name = "cudaMemset", .holds = HeldStreams::blocking},
    {.name = "cudaMemsetAsync"},
    {.name = "cudaStreamCreate"},
    {.name = "cudaStreamDestroy"},
    {.name = "cudaStreamSynchronize", .awaits = Awaited::stream},
    {.name = "cuCtxSynchronize", .awaits = Awaited::device},
    {.name = "cuStreamSynchronize", .awaits = Awaited::stream},
}};

}  // namespace

std::span<const GpuCall> gpu_calls() { return known_calls; }

const GpuCall* gpu_call(std::string_view name) {
  const auto at = std::ranges::find(known_calls, name, &GpuCall::name);
  return at == known_calls.end() ? nullptr : &*at;
}

}  // namespace rta
