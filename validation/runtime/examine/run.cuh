// The main part of `examine`.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "child.hpp"
#include "cuda_gpu.cuh"
#include "interruption.hpp"
#include "measure_latency.cuh"
#include "measure_processes.cuh"
#include "measure_synchronisation.cuh"
#include "nvml.hpp"
#include "options.hpp"
#include "player.hpp"
#include "samples.hpp"
#include "settings.hpp"

namespace examine {

inline void run_measure(const Options& options, const std::string& mps_folder, Samples& samples) {
  const std::string& name = options.measure;
  const auto here = [&](void (*measure)(int, unsigned, Samples&)) { measure(options.device, options.repeat, samples); };
  if (name == "dispatch_latency") here(measure_dispatch_latency);
  if (name == "kernel_switch") here(measure_kernel_switch);
  if (name == "resident_grids") here(measure_resident_grids);
  if (name == "connections") here(measure_connections);
  if (name == "synchronisation") SynchronisationMeasure(options.device).run(options.repeat, samples);
  if (name == "processes") measure_processes(options.device, options.repeat, mps_folder, samples);
  if (name == "process_preemption") measure_process_preemption(options.device, options.repeat, mps_folder, samples);
  if (interrupted != 0) fail("interrupted");
}

inline int run_action(const Options& options, const std::string& bus, const std::string& mps_folder) {
  if (options.action == Action::probe) {
    make_folder(options.output);
    const Nvml nvml(bus);
    Player(
        *options.probe, options.output, [&] { return std::make_unique<CudaGpu>(options.device); }, [&] { return nvml.observe(); })
        .play(options.repeat);
  } else {
    Samples samples;
    run_measure(options, mps_folder, samples);
    samples.write(options.output);
  }
  return 0;
}

/// The exit status.
inline int run(const Examination& examination, int argc, char** argv) {
  const Options options = parse_options(examination, argc, argv);
  if (options.action == Action::list) {
    for (unsigned p = 0; p < examination.probe_count; ++p) std::printf("%s\n", examination.probes[p].name);
    return 0;
  }
  end_on_signals();
  // Before CUDA starts: as many hardware queues as there can be, and no kernel that is loaded at its first launch.
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  if (options.action == Action::limits) {
    std::printf("%s\n", limits_text(options.device).c_str());
    return std::fflush(stdout) == 0 ? 0 : 2;
  }
  const std::string bus = text_of_child([&] {
    require_device(options.device);
    return bus_of(options.device);
  });
  if (!options.allow_settings) return run_action(options, bus, "");
  const bool two_processes = options.measure == "processes" || options.measure == "process_preemption";
  return under_settings(bus, two_processes && !common::mps_is_active(),
                        [&](const std::string& mps_folder) { return run_action(options, bus, mps_folder); });
}

}  // namespace examine
