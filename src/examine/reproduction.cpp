#include "rta/examine/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "rta/model/error.hpp"
#include "rta/model/footprint.hpp"
#include "rta/model/launch.hpp"
#include "rta/model/overloaded.hpp"
#include "rta/simulate/simulate.hpp"

namespace rta::examine {
namespace {

constexpr Time longest_operation{4'000'000};
constexpr Time separation{400'000};

Time longest_in(const Experiment& experiment) {
  Time longest;
  for (const Operation& o : experiment.operations()) {
    longest = std::max(longest, std::visit([](const auto& demand) { return longest_piece(demand); }, o.demand));
  }
  if (longest == Time::zero()) throw UserError("experiment '" + experiment.name() + "' takes no time");
  return longest;
}

struct Platform {
  GpuPool gpu;
  PoolId gpu_id = 0;
  std::vector<Pool> pools;  // of the device, in the experiment's order
};

Platform platform(const Experiment& experiment, const DeviceLimits& limits) {
  Platform out;
  int gpus = 0;
  int engines = 0;
  for (PoolId p = 0; p < experiment.pools().size(); ++p) {
    const Pool& pool = experiment.pools()[p];
    std::visit(overloaded{[&](const GpuPool& gpu) {
                            ++gpus;
                            out.gpu = gpu;
                            out.gpu_id = p;
                            out.pools.push_back({pool.name, gpu_pool(limits)});
                          },
                          [&](const EnginePool&) {
                            ++engines;
                            out.pools.push_back({pool.name, engine_pool(limits)});
                          },
                          // Nothing of an experiment runs on these.
                          [&](const CpuPool&) { out.pools.push_back(pool); }, [&](const WorkerPool&) { out.pools.push_back(pool); }},
               pool.resource);
  }
  if (gpus != 1 || engines > 1)
    throw UserError("experiment '" + experiment.name() + "': one GPU and at most one pool of copy engines are needed");
  return out;
}

// `count` x `to` / `from`.
std::uint64_t in_proportion(std::uint64_t count, std::uint64_t to, std::uint64_t from, bool up) {
  const Wide product = static_cast<Wide>(count) * static_cast<Wide>(to);
  return static_cast<std::uint64_t>(up ? ceil_div(product, static_cast<Wide>(from)) : floor_div(product, static_cast<Wide>(from)));
}

GpuDemand scaled_kernel(const GpuDemand& kernel, const GpuPool& from, const DeviceLimits& limits, Time L, const std::string& name) {
  const auto refuse = [&](const std::string& what) {
    throw UserError(fmt::format("'{}' cannot be scaled to {}: {}", name, limits.product, what));
  };
  GpuDemand out = kernel;
  out.B = in_proportion(kernel.B, limits.sms, from.sms, true);
  out.H = static_cast<std::uint32_t>(in_proportion(kernel.H, limits.threads_per_sm, from.sm.threads, false)) / 32 * 32;
  out.H = std::max(out.H, 32U);
  if (out.H > limits.threads_per_block)
    refuse(fmt::format("its blocks would have {} threads, and {} are allowed", out.H, limits.threads_per_block));
  out.L = L;
  out.C = Workload(static_cast<Wide>(L.count()) * out.H);
  if (kernel.shared_memory > 0) {
    if (!from.sm.shared_memory) refuse("its device has no limit of shared memory");
    const std::uint64_t share = in_proportion(kernel.shared_memory, limits.shared_per_sm, *from.sm.shared_memory, false);
    const std::uint64_t unit = gpu_pool(limits).allocation.shared_memory;
    out.shared_memory = (share - std::min(share, limits.reserved_shared_per_block)) / unit * unit;
    if (out.shared_memory > limits.shared_per_block) {
      refuse(
          fmt::format("its blocks would take {} bytes of shared memory, and {} are allowed", out.shared_memory, limits.shared_per_block));
    }
  }
  const GpuPool gpu = gpu_pool(limits);
  if (!fits(footprint(out, gpu), gpu)) refuse("its blocks would not fit on an SM");
  for (const LaunchFault& fault : launch_faults(out, gpu, limits.product)) refuse(fmt::format("{}: {}", key_of(fault.demand), fault.what));
  return out;
}

struct Event {
  std::size_t operation;
  std::string_view what;
  Time at;
};

std::vector<Event> events(const ObservedRun& run) {
  std::vector<Event> all;
  for (std::size_t i = 0; i < run.operations.size(); ++i) {
    const auto& pieces = run.operations[i].pieces;
    all.push_back({i, "issue", run.operations[i].issued.value_or(Time::zero())});
    all.push_back({i, "start", pieces.front().start});
    all.push_back({i, "start of the last block", pieces.back().start});
    all.push_back({i, "end", std::ranges::max(pieces, {}, &Piece::end).end});
  }
  return all;
}

/// Two events that come in this order, with `separation` between them.
using Pair = std::pair<std::size_t, std::size_t>;

/// The pairs that keep their order whatever small differences in execution times do.
std::vector<Pair> ordered_pairs(const Experiment& experiment, simulate::CopyRules rules) {
  constexpr std::uint64_t schedules = 32;
  std::vector<Pair> pairs;
  for (std::uint64_t seed = 0; seed < schedules; ++seed) {
    simulate::Options options;
    options.copy_rules = rules;
    options.seed = seed;
    // Ties stay in order: at random, they would also change the order of operations that one stream gets at one instant.
    if (seed > 0) options.execution = {990'000, simulate::whole};
    RunRecorder recorder(experiment);
    (void)simulate::simulate(experiment, options, &recorder);
    const std::vector<Event> all = events(recorder.take());
    const auto in_order = [&](std::size_t i, std::size_t j) { return all[i].at + separation <= all[j].at; };
    if (seed > 0) {
      std::erase_if(pairs, [&](const Pair& pair) { return !in_order(pair.first, pair.second); });
      continue;
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = 0; j < all.size(); ++j) {
        if (in_order(i, j)) pairs.emplace_back(i, j);
      }
    }
  }
  return pairs;
}

std::string in_words(const Event& event, const Experiment& experiment) {
  return fmt::format("the {} of {}", event.what, experiment.operations()[event.operation].name);
}

/// The first pair that the run has in another order.
Reading compare(const std::vector<Pair>& expected, const ObservedRun& run, const Experiment& experiment) {
  const std::vector<Event> seen = events(run);
  for (const auto& [i, j] : expected) {
    if (seen[i].at < seen[j].at) continue;
    return {false, fmt::format("{} came {:.1f} us after {}, not before it", in_words(seen[i], experiment),
                               static_cast<double>((seen[i].at - seen[j].at).count()) / 1e3, in_words(seen[j], experiment))};
  }
  return {true, fmt::format("{} pairs of instants in order", expected.size())};
}

}  // namespace

Experiment scaled(const Experiment& experiment, const DeviceLimits& limits) {
  const Platform on = platform(experiment, limits);
  const Time longest = longest_in(experiment);
  const auto time = [&](Time t) { return to_time(static_cast<Wide>(t.count()) * longest_operation.count() / longest.count()); };
  std::vector<Operation> operations(experiment.operations().begin(), experiment.operations().end());
  for (Operation& o : operations) {
    o.at = time(o.at);
    o.delay = time(o.delay);
    std::visit(overloaded{[&](GpuDemand& kernel) { kernel = scaled_kernel(kernel, on.gpu, limits, time(kernel.L), o.name); },
                          [&](CopyDemand& copy) { copy.C = time(copy.C); }, [](CallDemand&) {}},
               o.demand);
  }
  return {experiment.name(), on.pools, std::move(operations)};
}

Probe reproduction(std::string name, const Experiment& experiment, const DeviceLimits& limits) {
  Probe probe{std::move(name), "reproduction of " + experiment.name() + ", scaled to this device", scaled(experiment, limits), {}, {}};
  probe.conditions.push_back({"every operation was issued at a known instant", [](const ObservedRun& run) -> std::optional<std::string> {
                                const auto is_known = [](const ObservedOperation& o) { return o.issued.has_value(); };
                                return std::ranges::all_of(run.operations, is_known)
                                           ? std::nullopt
                                           : std::optional<std::string>("the trace does not say when operations were issued");
                              }});
  const auto predict = [&](const std::vector<Pair>& pairs, std::string variant) {
    probe.predictions.push_back({std::nullopt, std::move(variant), "operations are issued, start and end in the simulated order",
                                 [pairs, scene = probe.experiment](const ObservedRun& run) { return compare(pairs, run, scene); }});
  };
  const auto with_queue = ordered_pairs(probe.experiment, simulate::CopyRules::yang2020);
  const auto without_queue = ordered_pairs(probe.experiment, simulate::CopyRules::amert2017);
  const bool copy_rules_matter = with_queue != without_queue;
  predict(with_queue, copy_rules_matter ? "C1-C6" : "");
  if (copy_rules_matter) predict(without_queue, "C1-C4");
  return probe;
}

}  // namespace rta::examine
