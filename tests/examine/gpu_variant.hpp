// An independent, naive simulation of a GPU, block by block, in which rules can be broken one at a time and times are noisy.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "rta/examine/observed_run.hpp"
#include "rta/model/experiment.hpp"
#include "rta/simulate/options.hpp"

namespace variant {

using rta::Time;

struct Rules {
  bool first_in_first_out = true;      // G2; else the last in first
  bool leaves_when_dispatched = true;  // G3
  bool stream_waits_for_end = true;    // G4; else only until all blocks have started
  bool stream_in_order = true;         // G1; else the last issued first
  bool head_of_line = true;            // X1
  bool at_once = true;                 // R1; else blocks start 150 us late
  bool threads = true, slots = true, shared_memory = true, registers = true;
  bool copies_one_at_a_time = true;                     // C-order
  std::optional<std::uint32_t> engines = std::nullopt;  // C-engines; none: as the platform says
  bool waiting_queue = true;                            // C-queue: C1-C6
  bool null_waits = true;                               // N1
  bool null_is_awaited = true;                          // N2
  bool non_blocking = true;                             // N3
  bool priorities = true;                               // A1
  bool levels = true;                                   // A1: a queue per priority; else one for all above the lowest
  bool high_reserves = true;                            // A2
  bool preemption = false;                              // S-preemption
  rta::simulate::Placement placement = rta::simulate::Placement::most_free;
};

/// Upper ends of uniform distributions, ns.
struct Noise {
  std::int64_t issue = 30'000, dispatch = 6'000, length = 4'000;
};

class Gpu {
 public:
  Gpu(const rta::Experiment& experiment, const Rules& rules, const Noise& noise, std::uint64_t seed)
      : e_(experiment), rules_(rules), noise_(noise), random_(seed), ops_(experiment.operations().size()) {
    for (const rta::Pool& pool : e_.pools()) {
      if (const auto* gpu = std::get_if<rta::GpuPool>(&pool.resource)) pool_ = *gpu;
      if (const auto* engines = std::get_if<rta::EnginePool>(&pool.resource)) engines_ = rules_.engines.value_or(engines->engines);
    }
    sms_.resize(pool_.sms);
  }

  rta::examine::ObservedRun run() {
    rta::examine::ObservedRun out;
    out.operations.resize(ops_.size());
    std::int64_t issue = 0;
    for (std::size_t i = 0; i < ops_.size(); ++i) {
      issue = std::max(issue, e_.operations()[i].at.count()) + draw(noise_.issue);
      ops_[i].issued_at = issue;
      ops_[i].unassigned = ops_[i].unfinished = kernel(i) != nullptr ? kernel(i)->B : 1;
    }
    for (std::int64_t now = next(-1); now != never; now = next(now)) step(now);
    for (std::size_t i = 0; i < ops_.size(); ++i) {
      out.operations[i].issued = Time(ops_[i].issued_at);
      out.operations[i].pieces = ops_[i].pieces;
      std::ranges::sort(out.operations[i].pieces, {}, [](const auto& p) { return std::pair(p.start, p.block); });
      out.records += ops_[i].pieces.size();
    }
    return out;
  }

 private:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  struct Op {
    std::int64_t issued_at = 0;
    bool issued = false, queued = false, left_stream = false;
    std::uint64_t unassigned = 0, unfinished = 0;
    std::uint64_t entered = 0;  // order of entering its queue
    std::vector<rta::examine::Piece> pieces;
  };
  struct Block {
    std::size_t op;
    std::uint32_t sm;
    std::int64_t end;
  };
  struct Sm {
    std::uint64_t threads = 0, slots = 0, shared_memory = 0, registers = 0;  // in use
  };

  const rta::GpuDemand* kernel(std::size_t i) const { return std::get_if<rta::GpuDemand>(&e_.operations()[i].demand); }
  bool is_null(std::size_t i) const { return e_.operations()[i].stream == rta::null_stream; }
  bool is_non_blocking(std::size_t i) const { return e_.operations()[i].stream.starts_with(rta::non_blocking_prefix); }
  bool is_high(std::size_t i) const { return rules_.priorities && kernel(i) != nullptr && kernel(i)->priority > rta::low_priority; }
  rta::StreamPriority level(std::size_t i) const {
    if (!rules_.priorities || kernel(i) == nullptr) return rta::low_priority;
    return rules_.levels ? kernel(i)->priority : std::min(kernel(i)->priority, rta::high_priority);
  }
  std::int64_t draw(std::int64_t most) { return most == 0 ? 0 : std::uniform_int_distribution<std::int64_t>(0, most)(random_); }

  std::int64_t next(std::int64_t now) const {
    std::int64_t at = never;
    const auto consider = [&](std::int64_t t) {
      if (t > now) at = std::min(at, t);
    };
    for (const Op& op : ops_) consider(op.issued_at);
    for (const Block& b : running_) consider(b.end);
    for (const Block& c : copying_) consider(c.end);
    return at;
  }

  // Its predecessors in its stream no longer hold it up.
  bool is_head(std::size_t i) const {
    for (std::size_t j = 0; j < ops_.size(); ++j) {
      if (j == i || !ops_[j].issued || ops_[j].left_stream || e_.operations()[j].stream != e_.operations()[i].stream) continue;
      if (rules_.stream_in_order ? j < i : j > i || ops_[j].queued) return false;
    }
    return true;
  }
  bool may_enter(std::size_t i) const {
    for (std::size_t j = 0; j < i; ++j) {
      if (!ops_[j].issued || ops_[j].left_stream || is_null(i) == is_null(j)) continue;
      if (rules_.non_blocking && (is_non_blocking(i) || is_non_blocking(j))) continue;
      if (is_null(i) ? rules_.null_waits : rules_.null_is_awaited) return false;
    }
    return true;
  }

  void step(std::int64_t now) {
    const auto ended = [&](const Block& b) {
      if (b.end > now) return false;
      --ops_[b.op].unfinished;
      if (const auto* k = kernel(b.op)) {
        const Sm uses = need(*k);
        Sm& sm = sms_[b.sm];
        sm.threads -= uses.threads;
        sm.slots -= uses.slots;
        sm.shared_memory -= uses.shared_memory;
        sm.registers -= uses.registers;
      }
      return true;
    };
    std::erase_if(running_, ended);
    std::erase_if(copying_, ended);
    for (Op& op : ops_) {
      if (op.issued_at <= now) op.issued = true;
    }
    // One thing may let another happen at the same instant.
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < ops_.size(); ++i) {
        Op& op = ops_[i];
        if (op.queued && !op.left_stream &&
            (rules_.stream_waits_for_end || kernel(i) == nullptr ? op.unfinished == 0 : op.unassigned == 0)) {
          op.left_stream = true;
          changed = true;
        }
      }
      for (std::size_t i = 0; i < ops_.size(); ++i) {
        Op& op = ops_[i];
        if (op.issued && !op.queued && is_head(i) && may_enter(i)) {
          op.queued = true;
          op.entered = ++entered_;
          changed = true;
        }
      }
      changed |= copy(now);
      changed |= dispatch(now);
    }
  }

  std::uint32_t engine_of(std::size_t i) const {
    return engines_ > 1 && std::get<rta::CopyDemand>(e_.operations()[i].demand).direction == rta::Direction::d2h ? 1 : 0;
  }
  bool copy(std::int64_t now) {
    bool changed = false;
    for (std::uint32_t engine = 0; engine < engines_; ++engine) {
      std::vector<std::size_t> waiting;
      for (std::size_t i = 0; i < ops_.size(); ++i) {
        if (kernel(i) == nullptr && ops_[i].issued && ops_[i].unassigned > 0 && engine_of(i) == engine) waiting.push_back(i);
      }
      // Without the waiting queue, only copies at the head of their stream stand in line.
      if (!rules_.waiting_queue) {
        std::erase_if(waiting, [&](std::size_t i) { return !ops_[i].queued; });
        std::ranges::sort(waiting, {}, [&](std::size_t i) { return ops_[i].entered; });
      }
      for (const std::size_t i : waiting) {
        const bool busy = std::ranges::any_of(copying_, [&](const Block& c) { return c.sm == engine; });
        if (!ops_[i].queued || (busy && rules_.copies_one_at_a_time)) break;
        const std::int64_t start = now + draw(noise_.dispatch);
        const std::int64_t end = start + std::get<rta::CopyDemand>(e_.operations()[i].demand).C.count() + draw(noise_.length);
        ops_[i].unassigned = 0;
        ops_[i].pieces.push_back({0, engine, Time(start), Time(end)});
        copying_.push_back({i, engine, end});
        changed = true;
      }
    }
    return changed;
  }

  Sm need(const rta::GpuDemand& k) const {
    const auto up = [](std::uint64_t n, std::uint64_t unit) { return (n + unit - 1) / unit * unit; };
    const rta::Allocation& a = pool_.allocation;
    const std::uint64_t shared = k.shared_memory + a.reserved_shared_memory;
    return {up(k.H, a.warp), 1, shared == 0 ? 0 : up(shared, a.shared_memory),
            up(k.H, a.warp) / a.warp * up(std::uint64_t{k.registers_per_thread} * a.warp, a.registers_per_warp)};
  }
  bool fits(std::size_t i, std::uint32_t s) const {
    Sm used = sms_[s];
    if (rules_.preemption && is_high(i)) {
      for (const Block& b : running_) {
        if (b.sm == s && !is_high(b.op)) used.threads -= need(*kernel(b.op)).threads;
      }
    }
    const Sm n = need(*kernel(i));
    const rta::SmResources& r = pool_.sm;
    return (!rules_.threads || used.threads + n.threads <= r.threads) && (!rules_.slots || used.slots < r.blocks) &&
           (!rules_.shared_memory || !r.shared_memory || used.shared_memory + n.shared_memory <= *r.shared_memory) &&
           (!rules_.registers || !r.registers || used.registers + n.registers <= *r.registers);
  }
  std::optional<std::uint32_t> place(std::size_t i) {
    using rta::simulate::Placement;
    std::vector<std::uint32_t> with_room;
    for (std::uint32_t s = 0; s < sms_.size(); ++s) {
      if (fits(i, s)) with_room.push_back(s);
    }
    if (with_room.empty()) return std::nullopt;
    const auto used = [&](std::uint32_t s) { return sms_[s].threads; };
    switch (rules_.placement) {
      case Placement::most_free: return *std::ranges::min_element(with_room, {}, used);
      case Placement::least_free: return *std::ranges::max_element(with_room, {}, used);
      case Placement::first_fit: return with_room.front();
      case Placement::random: return with_room[static_cast<std::size_t>(draw(static_cast<std::int64_t>(with_room.size()) - 1))];
      case Placement::round_robin: break;
    }
    const auto at = std::ranges::find_if(with_room, [&](std::uint32_t s) { return s >= after_; });
    const std::uint32_t s = at == with_room.end() ? with_room.front() : *at;
    after_ = s + 1;
    return s;
  }
  bool assign(std::size_t i, std::int64_t now) {
    const rta::GpuDemand& k = *kernel(i);
    bool changed = false;
    for (; ops_[i].unassigned > 0; --ops_[i].unassigned) {
      const auto s = place(i);
      if (!s) break;
      const Sm n = need(k);
      Sm& sm = sms_[*s];
      sm.threads += n.threads;
      sm.slots += n.slots;
      sm.shared_memory += n.shared_memory;
      sm.registers += n.registers;
      const std::int64_t start = now + draw(noise_.dispatch) + (rules_.at_once ? 0 : 150'000);
      const std::int64_t end = start + k.L.count() + draw(noise_.length);
      ops_[i].pieces.push_back({k.B - ops_[i].unassigned, *s, Time(start), Time(end)});
      running_.push_back({i, *s, end});
      changed = true;
    }
    return changed;
  }
  bool is_in_ee_queue(std::size_t i) const {
    return kernel(i) != nullptr && ops_[i].queued && (rules_.leaves_when_dispatched ? ops_[i].unassigned > 0 : ops_[i].unfinished > 0);
  }
  bool dispatch(std::int64_t now) {
    bool changed = false;
    std::set<rta::StreamPriority, std::greater<>> levels;
    for (std::size_t i = 0; i < ops_.size(); ++i) levels.insert(level(i));
    for (const rta::StreamPriority priority : levels) {
      std::vector<std::size_t> queue;
      for (std::size_t i = 0; i < ops_.size(); ++i) {
        if (is_in_ee_queue(i) && level(i) == priority) queue.push_back(i);
      }
      std::ranges::sort(queue, {}, [&](std::size_t i) {
        return rules_.first_in_first_out ? static_cast<std::int64_t>(ops_[i].entered) : -static_cast<std::int64_t>(ops_[i].entered);
      });
      for (const std::size_t i : queue) {
        changed |= assign(i, now);
        if (is_in_ee_queue(i) && rules_.head_of_line) break;
      }
      const auto waits = [&](std::size_t i) { return is_in_ee_queue(i); };
      if (rules_.high_reserves && std::ranges::any_of(queue, waits)) break;
    }
    return changed;
  }

  const rta::Experiment& e_;
  Rules rules_;
  Noise noise_;
  std::mt19937_64 random_;
  rta::GpuPool pool_;
  std::uint32_t engines_ = 1;
  std::vector<Op> ops_;
  std::vector<Sm> sms_;
  std::vector<Block> running_, copying_;  // of a copy, `sm` is its engine
  std::uint64_t entered_ = 0;
  std::uint32_t after_ = 0;
};

inline rta::examine::ObservedRun play(const rta::Experiment& experiment, const Rules& rules, std::uint64_t seed, const Noise& noise = {}) {
  return Gpu(experiment, rules, noise, seed).run();
}

}  // namespace variant
