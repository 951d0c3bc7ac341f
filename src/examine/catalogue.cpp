#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "rta/model/launch.hpp"
#include "rta/simulate/simulate.hpp"
#include "stage.hpp"

namespace rta::examine {
namespace {

using Kernel = Stage::Kernel;

constexpr Time half{block_length.count() / 2};
constexpr Time twice{block_length.count() * 2};

Time gaps(std::int64_t n) { return gap * n; }

/// The device as probes see it. Blocks of a quarter of an SM's threads fill it exactly, wherever they are placed.
struct ExaminedDevice {
  const DeviceLimits& limits;
  std::uint64_t sms;
  std::uint32_t quarter;  // G-threads
  StreamPriority urgent;  // the highest stream priority

  explicit ExaminedDevice(const DeviceLimits& l)
      : limits(l), sms(l.sms), quarter(l.threads_per_sm / 4), urgent(std::max(l.priority_levels, 1U) - 1) {}

  [[nodiscard]] Kernel full(Time L, StreamPriority priority = low_priority) const { return {4 * sms, quarter, L, 0, 0, priority}; }
  [[nodiscard]] Kernel quarters(std::uint64_t B, Time L) const { return {B, quarter, L, 0, 0, low_priority}; }
};

Probe stream_order(const ExaminedDevice& device) {
  Stage stage("stream-order", "three kernels on one stream, each issued while the one before runs", device.limits);
  const Kernel small{1, 32, half, 0, 0, low_priority};
  const Named a = stage.launch("a", "S1", gaps(0), small);
  const Named b = stage.launch("b", "S1", gaps(1), small);
  const Named c = stage.launch("c", "S1", gaps(2), small);
  stage.needs(issued_while(b, a));
  stage.predicts(Rule::G1, starts_after_start(b, a));
  stage.predicts(Rule::G1, starts_after_start(c, b));
  return stage.take();
}

Probe whole_kernel(const ExaminedDevice& device) {
  Stage stage("whole-kernel", "a has one block more than fits; b follows on its stream, c on another one; both are small", device.limits);
  const Named a = stage.launch("a", "S1", gaps(0), device.quarters(4 * device.sms + 1, block_length));
  const Named b = stage.launch("b", "S1", gaps(1), device.quarters(1, half));
  const Named c = stage.launch("c", "S2", gaps(2), device.quarters(1, half));
  stage.needs(issued_while(b, a));
  stage.needs(issued_while(c, a));
  stage.predicts(Rule::G4, starts_after_end(b, a));
  stage.predicts(Rule::G3, starts_beside(c, a));
  return stage.take();
}

Probe fifo(const ExaminedDevice& device) {
  Stage stage("fifo", "a fills the GPU; b, c and d, each as large, are issued on streams of their own while it runs", device.limits);
  const Named a = stage.launch("a", "S1", gaps(0), device.full(twice));
  const Named b = stage.launch("b", "S2", gaps(1), device.full(half));
  const Named c = stage.launch("c", "S3", gaps(2), device.full(half));
  const Named d = stage.launch("d", "S4", gaps(3), device.full(half));
  for (const Named& later : {b, c, d}) stage.needs(issued_while(later, a));
  stage.needs(still_waits(b, d));
  stage.predicts(Rule::G2, starts_after_start(c, b));
  stage.predicts(Rule::G2, starts_after_start(d, c));
  return stage.take();
}

Probe head_of_stream(const ExaminedDevice& device) {
  Stage stage("head-of-stream", "b is issued before c, but behind a on its stream: c reaches the EE queue first", device.limits);
  const Named a = stage.launch("a", "S1", gaps(0), device.full(twice));
  const Named b = stage.launch("b", "S1", gaps(1), device.full(half));
  const Named c = stage.launch("c", "S2", gaps(2), device.full(half));
  stage.needs(issued_while(b, a));
  stage.needs(issued_while(c, a));
  stage.needs(still_waits(b, c));
  stage.predicts(Rule::G2, starts_after_start(b, c));
  return stage.take();
}

Probe head_of_line(const ExaminedDevice& device) {
  Stage stage("head-of-line", "a leaves room for a quarter of one SM; b needs half an SM and waits; c, issued later, would fit",
              device.limits);
  const Named a = stage.launch("a", "S1", gaps(0), device.quarters(4 * device.sms - 1, twice));
  const Named b = stage.launch("b", "S2", gaps(2), {1, 2 * device.quarter, half, 0, 0, low_priority});
  const Named c = stage.launch("c", "S3", gaps(4), device.quarters(1, half));
  stage.needs(issued_while(b, a));
  stage.needs(issued_while(c, a));
  stage.needs(still_waits(b, c));
  stage.predicts(Rule::X1, starts_after_start(c, b));
  stage.predicts(Rule::R1, starts_at_first_end(b, a));
  return stage.take();
}

// One more block per SM than `most` of `kernel` fit.
Probe limit(const ExaminedDevice& device, std::string name, std::string purpose, Rule rule, Kernel kernel, std::uint64_t most) {
  Stage stage(std::move(name), std::move(purpose), device.limits);
  kernel.B = device.sms * (most + 1);
  const Named a = stage.launch("a", "S1", gaps(0), kernel);
  stage.predicts(rule, fills(a, most, device.limits.sms));
  return stage.take();
}

Probe threads(const ExaminedDevice& device) {
  return limit(device, "threads", "more blocks of a quarter of an SM's threads than fit", Rule::R2, device.quarters(1, half), 4);
}

Probe block_slots(const ExaminedDevice& device) {
  return limit(device, "block-slots", "more blocks of one warp than SMs have slots", Rule::R_slots,
               {1, 32, block_length, 0, 0, low_priority}, device.limits.blocks_per_sm);
}

void shared_memory(const ExaminedDevice& device, Catalogue& out) {
  const DeviceLimits& limits = device.limits;
  const GpuPool pool = gpu_pool(limits);
  const std::uint64_t unit = pool.allocation.shared_memory;
  const std::uint64_t reserved = limits.reserved_shared_per_block;
  // As much as a block may have, but no more than half an SM's.
  const std::uint64_t asked =
      std::min(limits.shared_per_block, limits.shared_per_sm / 2 - std::min(limits.shared_per_sm / 2, reserved)) / unit * unit;
  if (asked == 0) {
    out.untestable.push_back({Rule::R3, "the device does not say how much shared memory it has"});
    return;
  }
  const std::uint64_t most = limits.shared_per_sm / (asked + reserved);
  if (most >= limits.blocks_per_sm || most * 64 > limits.threads_per_sm) {
    out.untestable.push_back({Rule::R3, "no block may ask for enough shared memory to run out of it first"});
    return;
  }
  out.probes.push_back(limit(device, "shared-memory", "more blocks with much shared memory than fit", Rule::R3,
                             {1, 64, half, asked, 0, low_priority}, most));
}

void registers(const ExaminedDevice& device, Catalogue& out) {
  // Above 128 registers per thread, 256 threads take more than half of 64 Ki registers, whatever the compiler makes of the limit. Where
  // a block may not have so many, 128 threads of up to 160 take more than a quarter and at most a third.
  GpuDemand kernel;
  kernel.H = 256;
  kernel.registers_per_thread = 192;
  const bool whole = launch_faults(kernel, gpu_pool(device.limits), {}).empty();
  const std::uint32_t per_thread = whole ? 192 : 160;
  const std::uint32_t H = whole ? 256 : 128;
  if (device.limits.registers_per_sm != 65536 || (whole ? 2 : 4) * H > device.limits.threads_per_sm) {
    out.untestable.push_back(
        {Rule::R_registers, fmt::format("the probe is made for SMs of 65536 registers, not {}", device.limits.registers_per_sm)});
    return;
  }
  out.probes.push_back(limit(device, "registers", "more blocks with many registers per thread than fit", Rule::R_registers,
                             {1, H, half, 0, per_thread, low_priority}, whole ? 1 : 3));
}

Probe copies_of_one_direction(const ExaminedDevice& device) {
  Stage stage("copies-one-direction", "three copies to the device on three streams, issued while the first runs", device.limits);
  const Named a = stage.copy("a", "S1", gaps(0), block_length, Direction::h2d);
  const Named b = stage.copy("b", "S2", gaps(1), block_length, Direction::h2d);
  const Named c = stage.copy("c", "S3", gaps(2), block_length, Direction::h2d);
  stage.needs(issued_while(b, a));
  stage.predicts(Rule::C_order, follows(b, a));
  stage.predicts(Rule::C_order, ends_before(b, c));
  return stage.take();
}

Probe copies_of_both_directions(const ExaminedDevice& device) {
  Stage stage("copies-both-directions", "a short copy to the host, issued while a long one to the device runs", device.limits);
  const Named in = stage.copy("in", "S1", gaps(0), twice, Direction::h2d);
  const Named out = stage.copy("out", "S2", gaps(1), half, Direction::d2h);
  stage.needs(issued_while(out, in));
  stage.predicts(Rule::C_engines, device.limits.copy_engines > 1 ? ends_before(out, in) : ends_before(in, out));
  return stage.take();
}

Probe copy_queue(const ExaminedDevice& device) {
  Stage stage("copy-queue", "copy a waits behind kernel k on its stream; copy b, on a stream of its own, is issued later", device.limits);
  const Named k = stage.launch("k", "S1", gaps(0), {1, 32, twice, 0, 0, low_priority});
  const Named a = stage.copy("a", "S1", gaps(1), half, Direction::h2d);
  const Named b = stage.copy("b", "S2", gaps(2), half, Direction::h2d);
  stage.needs(issued_while(a, k));
  stage.needs(issued_while(b, k));
  stage.predicts(Rule::C_queue, ends_before(k, b), "C1-C6");
  stage.predicts(Rule::C_queue, ends_before(b, k), "C1-C4");
  return stage.take();
}

/// Three small kernels, issued one after the other, the second of the NULL stream.
struct AroundNullStream {
  Stage stage;
  Named a, n, b;

  AroundNullStream(const ExaminedDevice& device, std::string name, std::string purpose, std::string stream_of_a, std::string stream_of_b)
      : stage(std::move(name), std::move(purpose), device.limits),
        a(stage.launch("a", std::move(stream_of_a), gaps(0), small)),
        n(stage.launch("n", std::string(null_stream), gaps(1), small)),
        b(stage.launch("b", std::move(stream_of_b), gaps(2), small)) {
    stage.needs(issued_while(n, a));
    stage.needs(issued_while(b, a));
  }

 private:
  static constexpr Kernel small{1, 32, block_length, 0, 0, low_priority};
};

Probe null_stream_probe(const ExaminedDevice& device) {
  AroundNullStream of(device, "null-stream", "n, of the NULL stream, is issued between a and b, which have streams of their own", "S1",
                      "S2");
  of.stage.predicts(Rule::N1, starts_after_end(of.n, of.a));
  of.stage.predicts(Rule::N2, starts_after_end(of.b, of.n));
  return of.stage.take();
}

Probe non_blocking(const ExaminedDevice& device) {
  const std::string prefix(non_blocking_prefix);
  AroundNullStream of(device, "non-blocking-streams", "n, of the NULL stream, is issued between a and b, which have non-blocking streams",
                      prefix + "-1", prefix + "-2");
  of.stage.predicts(Rule::N3, starts_beside(of.n, of.a));
  of.stage.predicts(Rule::N3, starts_beside(of.b, of.n));
  return of.stage.take();
}

Probe priority_overtakes(const ExaminedDevice& device) {
  Stage stage("priority-overtakes", "a fills the GPU, b waits; h, as large and of high priority, is issued last", device.limits);
  const Named a = stage.launch("a", "S1", gaps(0), device.full(twice));
  const Named b = stage.launch("b", "S2", gaps(2), device.full(half));
  const Named h = stage.launch("h", "S3", gaps(4), device.full(half, device.urgent));
  stage.needs(issued_while(b, a));
  stage.needs(issued_while(h, a));
  stage.needs(still_waits(b, h));
  stage.predicts(Rule::A1, starts_after_start(b, h));
  return stage.take();
}

/// Kernels of rising priority wait: each level has a queue of its own.
Probe priority_levels(const ExaminedDevice& device) {
  constexpr StreamPriority most = 6;  // more would be issued when a has ended
  const StreamPriority levels = std::min(device.limits.priority_levels, most);
  Stage stage("priority-levels", "a fills the GPU; a kernel as large of each stream priority is issued, the least urgent first",
              device.limits);
  const Named a = stage.launch("a", "S", gaps(0), device.full(twice));
  std::vector<Named> waiting;
  for (StreamPriority priority = 0; priority < levels; ++priority) {
    waiting.push_back(
        stage.launch(fmt::format("k{}", priority), fmt::format("S{}", priority), gaps(1 + priority), device.full(half, priority)));
    stage.needs(issued_while(waiting.back(), a));
  }
  for (StreamPriority priority = 1; priority < levels; ++priority) {
    stage.needs(still_waits(waiting[priority - 1], waiting[priority]));
    stage.predicts(Rule::A1, starts_after_start(waiting[priority - 1], waiting[priority]));
  }
  return stage.take();
}

Probe preemption(const ExaminedDevice& device) {
  Stage stage("no-preemption", "a, of low priority, fills the GPU when h, of high priority, is issued", device.limits);
  const Named a = stage.launch("a", "S1", gaps(0), device.full(twice));
  const Named h = stage.launch("h", "S2", gaps(2), device.full(half, device.urgent));
  stage.needs(issued_while(h, a));
  stage.predicts(Rule::S_preemption, starts_after_first_end(h, a));
  return stage.take();
}

Probe priority_reserves(const ExaminedDevice& device) {
  Stage stage("priority-reserves", "a leaves room for a quarter of one SM; h, of high priority, needs half an SM and waits; b would fit",
              device.limits);
  const Named a = stage.launch("a", "S1", gaps(0), device.quarters(4 * device.sms - 1, twice));
  const Named h = stage.launch("h", "S2", gaps(2), {1, 2 * device.quarter, half, 0, 0, device.urgent});
  const Named b = stage.launch("b", "S3", gaps(4), device.quarters(1, half));
  stage.needs(issued_while(h, a));
  stage.needs(issued_while(b, a));
  stage.needs(still_waits(h, b));
  stage.predicts(Rule::A2, starts_after_start(b, h));
  return stage.take();
}

// What tells policies of placement apart, without the numbers of SMs: blocks of b on a's SM, the most blocks of b on one SM, and whether
// c is on a's SM.
using PlacementSigns = std::tuple<std::uint64_t, std::uint64_t, bool>;

PlacementSigns signs_of(const ObservedRun& run) {
  const std::uint32_t of_a = run.operations[0].pieces.front().unit;
  std::map<std::uint32_t, std::uint64_t> b_on;
  std::uint64_t most = 0;
  for (const Piece& piece : run.operations[1].pieces) most = std::max(most, ++b_on[piece.unit]);
  return {b_on[of_a], most, run.operations[2].pieces.front().unit == of_a};
}

std::string in_words(const PlacementSigns& signs) {
  const auto [beside_a, most, c_beside_a] = signs;
  return fmt::format("{} of b beside a, up to {} of b on one SM, c {} a", beside_a, most, c_beside_a ? "beside" : "not beside");
}

void placement(const ExaminedDevice& device, Catalogue& out) {
  if (device.sms < 2) {
    out.untestable.push_back({Rule::S_placement, "there is only one SM"});
    return;
  }
  Stage stage("placement", "a, of one block, is long; b is one block for each other SM; c, of one block, comes when b has ended",
              device.limits);
  const Named a = stage.launch("a", "S1", gaps(0), device.quarters(1, twice));
  const Named b = stage.launch("b", "S2", gaps(1), device.quarters(device.sms - 1, half));
  const Named c = stage.launch("c", "S3", gaps(6), device.quarters(1, half));
  stage.needs(issued_while(b, a));
  stage.needs(issued_while(c, a));
  stage.needs({"c is issued when b has ended", [=](const ObservedRun& run) -> std::optional<std::string> {
                 const auto issued = run.operations[c.index].issued;
                 const bool ended =
                     issued && std::ranges::all_of(run.operations[b.index].pieces, [&](const Piece& p) { return p.end <= *issued; });
                 return ended ? std::nullopt : std::optional<std::string>("b had not ended when c was issued");
               }});
  // Policies that this probe cannot tell apart share a variant.
  const Experiment experiment = stage.experiment();
  std::map<PlacementSigns, std::string> policies;
  for (const auto policy : {simulate::Placement::most_free, simulate::Placement::round_robin, simulate::Placement::first_fit,
                            simulate::Placement::least_free}) {
    simulate::Options options;
    options.placement = policy;
    RunRecorder recorder(experiment);
    (void)simulate::simulate(experiment, options, &recorder);
    std::string& names = policies[signs_of(recorder.take())];
    names += (names.empty() ? "" : " or ") + std::string(to_string(policy));
  }
  for (const auto& [signs, names] : policies) {
    stage.predicts(Rule::S_placement,
                   {in_words(signs),
                    [expected = signs](const ObservedRun& run) {
                      const PlacementSigns seen = signs_of(run);
                      return Reading{seen == expected, in_words(seen)};
                    }},
                   names);
  }
  out.probes.push_back(stage.take());
}

}  // namespace

Catalogue catalogue(const DeviceLimits& limits) {
  const ExaminedDevice device(limits);
  Catalogue out;
  // The blocks of the probes of threads need quarters of whole warps, and halves that one block may have.
  const bool divisible =
      limits.threads_per_sm % 128 == 0 && limits.threads_per_sm / 2 <= limits.threads_per_block && limits.blocks_per_sm >= 4;
  if (divisible) {
    out.probes = {stream_order(device), whole_kernel(device), fifo(device), head_of_stream(device), head_of_line(device), threads(device)};
  } else {
    const std::string reason = fmt::format("SMs of {} threads and {} slots cannot be filled by four blocks of whole warps",
                                           limits.threads_per_sm, limits.blocks_per_sm);
    for (const Rule rule :
         {Rule::G2, Rule::G3, Rule::G4, Rule::X1, Rule::R1, Rule::R2, Rule::A1, Rule::A2, Rule::S_preemption, Rule::S_placement}) {
      out.untestable.push_back({rule, reason});
    }
    out.probes = {stream_order(device)};
  }
  if (std::uint64_t{limits.blocks_per_sm} * 32 <= limits.threads_per_sm) {
    out.probes.push_back(block_slots(device));
  } else {
    out.untestable.push_back({Rule::R_slots, "an SM's threads run out before its slots"});
  }
  shared_memory(device, out);
  registers(device, out);
  if (limits.copy_engines > 0) {
    out.probes.push_back(copies_of_one_direction(device));
    out.probes.push_back(copies_of_both_directions(device));
    out.probes.push_back(copy_queue(device));
  } else {
    for (const Rule rule : {Rule::C_order, Rule::C_engines, Rule::C_queue})
      out.untestable.push_back({rule, "the device has no copy engine"});
  }
  out.probes.push_back(null_stream_probe(device));
  out.probes.push_back(non_blocking(device));
  if (divisible && limits.priority_levels > 1) {
    out.probes.push_back(priority_overtakes(device));
    if (limits.priority_levels > 2) out.probes.push_back(priority_levels(device));
    out.probes.push_back(preemption(device));
    out.probes.push_back(priority_reserves(device));
  } else if (divisible) {
    for (const Rule rule : {Rule::A1, Rule::A2, Rule::S_preemption}) {
      out.untestable.push_back({rule, "the device has only one stream priority"});
    }
  }
  if (divisible) placement(device, out);
  return out;
}

}  // namespace rta::examine
