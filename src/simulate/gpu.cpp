#include "gpu.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "rta/model/error.hpp"

namespace rta::simulate {

Gpu::Gpu(const PlanGpu& plan, Placement placement, BlockTimes block_times, Context& context, Company* company, std::uint32_t number)
    : context_(&context),
      placement_(placement),
      block_times_(block_times),
      queues_(plan.queues),
      is_changed_(plan.sms),
      company_(company),
      number_(number),
      interference_(plan.interference),
      parts_(plan.register_parts) {
  constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
  const SmResources& r = plan.sm;
  Sm sm{r.threads, r.blocks, r.shared_memory.value_or(unlimited)};
  for (std::uint32_t part = 0; part < parts_; ++part) sm.registers[part] = r.registers.value_or(unlimited) / parts_;
  sms_.assign(plan.sms, sm);
}

// R1-R3: how many blocks an SM can hold.
std::uint32_t Gpu::fit(const Sm& sm, const BlockDemand& demand) const {
  if (sm.threads < demand.threads) return 0;
  std::uint64_t n = std::min(sm.threads / demand.threads, sm.slots);
  if (demand.shared_memory > 0) n = std::min(n, sm.shared_memory / demand.shared_memory);
  if (demand.warps > 0) {
    std::uint64_t warps = 0;
    for (std::uint32_t part = 0; part < parts_; ++part) warps += sm.registers[part] / demand.registers_per_warp;
    n = std::min(n, warps / demand.warps);
  }
  return static_cast<std::uint32_t>(n);
}

// Frees the resources of a chain of groups; the number of blocks in it.
std::uint32_t Gpu::release(std::uint32_t group, const BlockDemand& demand) {
  std::uint32_t blocks = 0;
  while (group != none) {
    const Group g = groups_[group];
    Sm& sm = sms_[g.sm];
    sm.threads += g.blocks * demand.threads;
    sm.slots += g.blocks;
    sm.shared_memory += g.blocks * demand.shared_memory;
    for (std::uint32_t part = 0; part < parts_; ++part) sm.registers[part] += g.warps[part] * demand.registers_per_warp;
    if (!is_changed_[g.sm]) {
      is_changed_[g.sm] = true;
      changed_.push_back(g.sm);
    }
    blocks += g.blocks;
    if (company_ != nullptr) company_->end(g.job, g.sm, g.blocks);
    groups_.give_back(group);
    group = g.next;
  }
  return blocks;
}

// The SMs with room, by index, and the number of blocks that they can hold.
std::uint64_t Gpu::find_candidates(const BlockDemand& demand, bool all) {
  candidates_.clear();
  std::uint64_t room = 0;
  const auto look = [&](std::uint32_t sm) {
    const std::uint32_t n = fit(sms_[sm], demand);
    if (n == 0) return;
    candidates_.push_back({sm, n, 0, {}});
    room += n;
  };
  if (all) {
    for (std::uint32_t sm = 0; sm < sms_.size(); ++sm) look(sm);
  } else {
    std::sort(changed_.begin(), changed_.end());
    for (const std::uint32_t sm : changed_) look(sm);
  }
  return room;
}

void Gpu::dispatch(std::int64_t now) {
  if (!serving_) return;
  while (true) {
    const auto head = head_queue();
    if (head == queues_.end()) break;
    Fifo& queue = queues_[static_cast<std::size_t>(head - queues_.begin())];
    const std::uint32_t id = queue.front();  // X1
    Job& job = context_->jobs[id];
    const PlanNode& node = context_->plan.nodes[job.node];
    // A head that fitted nowhere fits only where blocks have ended since.
    const std::uint64_t room = find_candidates(node.demand, id != blocked_);
    const bool left = room > 0 && assign(id, job, room, now) < room;
    if (job.unassigned > 0) {
      if (left) continue;  // for the next wave, whose blocks take another time
      blocked_ = id;
      break;
    }
    queue.pop();  // G3
    blocked_ = none;
  }
  // Without a blocked head the next one looks at all SMs.
  for (const std::uint32_t sm : changed_) is_changed_[sm] = false;
  changed_.clear();
}

std::uint32_t Gpu::assign(std::uint32_t id, Job& job, std::uint64_t room, std::int64_t now) {
  const PlanNode& node = context_->plan.nodes[job.node];
  auto blocks = static_cast<std::uint32_t>(std::min<std::uint64_t>(job.unassigned, room));
  std::uint32_t piece = node.pieces - job.unassigned;
  std::int64_t length = job.work;
  if (node.wave > 0) {
    blocks = std::min(blocks, node.wave - piece % node.wave);
    length = block_time(node, block_times_, job.work, piece / node.wave);
  }
  if (piece == 0) job.started = now;
  job.unassigned -= blocks;
  context_->blocks += blocks;
  const bool observed = context_->observes(Detail::block);
  if ((node.wave == 0 && node.least < node.most) || (observed && ends_are_open())) {
    assign_one_by_one(id, blocks, piece, length, now);
    return blocks;
  }
  // When all SMs are filled, which block goes where makes no difference to when blocks end.
  if (blocks == room && !observed && placement_ != Placement::random && placement_ != Placement::round_robin) {
    for (Candidate& c : candidates_) {
      c.placed = c.fit;
      occupy(c, node.demand, c.fit);
    }
  } else if (observed) {
    place(node.demand, blocks, [&](Candidate& c) {
      ++c.placed;
      context_->observer->block(context_->name(job), piece++, c.sm, Time(now), Time(now + length));
    });
  } else {
    place(node.demand, blocks, [](Candidate& c) { ++c.placed; });
  }
  start_together(id, length, now);
  return blocks;
}

void Gpu::assign_one_by_one(std::uint32_t id, std::uint32_t blocks, std::uint32_t piece, std::int64_t length, std::int64_t now) {
  const Job& job = context_->jobs[id];
  const PlanNode& node = context_->plan.nodes[job.node];
  const bool observed = context_->observes(Detail::block);
  const bool varies = node.wave == 0 && node.least < node.most;
  const std::uint64_t family = varies ? context_->execution_family(job) : 0;
  place(node.demand, blocks, [&](Candidate& c) {
    const std::int64_t lasts = varies ? Context::execution(node, family, piece) : length;
    if (observed && !ends_are_open()) context_->observer->block(context_->name(job), piece, c.sm, Time(now), Time(now + lasts));
    const std::uint32_t group = start_one(id, c, lasts, now);
    if (observed && ends_are_open()) {
      begun_.resize(groups_.size());
      begun_[group] = {piece, now};
    }
    ++piece;
  });
}

void Gpu::tell_end(std::uint32_t group, std::int64_t now) {
  const Group& g = groups_[group];
  const Begun& begun = begun_[group];
  context_->observer->block(context_->name(context_->jobs[g.job]), begun.piece, g.sm, Time(begun.at), Time(now));
}

std::uint32_t Gpu::start_one(std::uint32_t id, Candidate& on, std::int64_t length, std::int64_t now) {
  const std::uint32_t group = groups_.take();
  groups_[group] = {id, on.sm, 1, none, std::exchange(on.warps, {})};
  set_end(group, length, now);
  return group;
}

void Gpu::set_end(std::uint32_t group, std::int64_t length, std::int64_t now) {
  if (company_ == nullptr) {
    ends_.push(Entry(now + length - paused_, context_->sequence++, group));
    return;
  }
  const Group& g = groups_[group];
  const PlanNode& node = context_->plan.nodes[context_->jobs[g.job].node];
  company_->start(g.job, node, number_, g.sm, g.blocks);
  paced_.push_back({group, context_->sequence++, Pace(length, node.rounds_up)});
}

std::uint32_t Gpu::take_ended(std::int64_t now) {
  std::uint32_t group = none;
  if (company_ == nullptr) {
    group = ends_.top().id();
    ends_.pop();
    return group;
  }
  const auto ends_first = [](const Paced& a, const Paced& b) {
    return std::pair(a.pace.end(), a.sequence) < std::pair(b.pace.end(), b.sequence);
  };
  const auto at = std::ranges::min_element(paced_, ends_first);
  require(at != paced_.end() && at->pace.end() == now, "a block ends now");
  group = at->group;
  *at = paced_.back();
  paced_.pop_back();
  find_next_paced();
  return group;
}

void Gpu::find_next_paced() {
  next_paced_ = never;
  for (const Paced& one : paced_) next_paced_ = std::min(next_paced_, one.pace.end());
}

void Gpu::keep_pace(std::int64_t now) {
  if (company_ == nullptr || !company_->changed()) return;
  for (Paced& one : paced_) {
    const Group& g = groups_[one.group];
    const PlanNode& node = context_->plan.nodes[context_->jobs[g.job].node];
    one.pace.change(company_->more(g.job, node, *interference_, number_, g.sm), now);
  }
  find_next_paced();
}

void Gpu::start_together(std::uint32_t id, std::int64_t length, std::int64_t now) {
  std::uint32_t first = none;
  for (const Candidate& c : candidates_) {
    if (c.placed == 0) continue;
    const std::uint32_t group = groups_.take();
    groups_[group] = {id, c.sm, c.placed, first, c.warps};
    first = group;
    // Company may differ from SM to SM.
    if (company_ != nullptr) set_end(std::exchange(first, none), length, now);
  }
  if (company_ == nullptr) set_end(first, length, now);
}

void Gpu::occupy(Candidate& c, const BlockDemand& demand, std::uint32_t blocks) {
  Sm& sm = sms_[c.sm];
  sm.threads -= blocks * demand.threads;
  sm.slots -= blocks;
  sm.shared_memory -= blocks * demand.shared_memory;
  for (std::uint64_t warps = std::uint64_t{blocks} * demand.warps; warps > 0;) {
    const std::size_t part = parts_ == 1 ? 0 : choose_part(sm, demand.registers_per_warp);
    const std::uint64_t now = parts_ == 1 ? warps : 1;
    sm.registers[part] -= now * demand.registers_per_warp;
    c.warps[part] += static_cast<std::uint32_t>(now);
    warps -= now;
  }
}

// Which part of the register file a warp gets is not known either: it follows the placement of blocks, as the SM stands.
std::size_t Gpu::choose_part(Sm& sm, std::uint64_t registers) {
  std::array<std::size_t, most_register_parts> able{};
  std::size_t count = 0;
  for (std::uint32_t part = 0; part < parts_; ++part) {
    if (sm.registers[part] >= registers) able[count++] = part;
  }
  const auto end = able.begin() + static_cast<std::ptrdiff_t>(count);
  const auto free = [&](std::size_t part) { return sm.registers[part]; };
  switch (placement_) {
    case Placement::most_free: return *std::ranges::max_element(able.begin(), end, {}, free);
    case Placement::least_free: return *std::ranges::min_element(able.begin(), end, {}, free);
    case Placement::first_fit: return able.front();
    case Placement::round_robin: {
      const auto next = std::find_if(able.begin(), end, [&](std::size_t part) { return part >= sm.next_part; });
      const std::size_t part = next == end ? able.front() : *next;
      sm.next_part = static_cast<std::uint32_t>(part) + 1;
      return part;
    }
    case Placement::random:
      return able[static_cast<std::size_t>(
          between(draw(context_->seed, Draw::part, part_draws_++), 0, static_cast<std::int64_t>(count) - 1))];
  }
  throw_defect("every placement has a part for a warp");
}

// Assigns `blocks` blocks one by one, which fit on the candidates.
template <class Start>
void Gpu::place(const BlockDemand& demand, std::uint32_t blocks, Start&& start) {
  const auto put = [&](Candidate& c) {
    occupy(c, demand, 1);
    --c.fit;
    start(c);
  };
  switch (placement_) {
    case Placement::most_free: place_most_free(demand, blocks, put); return;
    case Placement::least_free:
      // The SM that got a block stays the one with the least room.
      order_.clear();
      for (std::uint32_t i = 0; i < candidates_.size(); ++i) order_.push_back(std::uint64_t{sms_[candidates_[i].sm].threads} << 32 | i);
      std::sort(order_.begin(), order_.end());
      for (const std::uint64_t key : order_) {
        Candidate& c = candidates_[static_cast<std::uint32_t>(key)];
        for (; blocks > 0 && c.fit > 0; --blocks) put(c);
      }
      return;
    case Placement::first_fit:
      for (Candidate& c : candidates_) {
        for (; blocks > 0 && c.fit > 0; --blocks) put(c);
      }
      return;
    case Placement::round_robin: {
      std::size_t at = 0;
      while (at < candidates_.size() && candidates_[at].sm < after_) ++at;
      for (; blocks > 0; ++at) {
        Candidate& c = candidates_[at % candidates_.size()];
        if (c.fit == 0) continue;
        put(c);
        --blocks;
        after_ = c.sm + 1;
      }
      return;
    }
    case Placement::random: {
      order_.clear();
      for (std::uint32_t i = 0; i < candidates_.size(); ++i) order_.push_back(i);
      for (; blocks > 0; --blocks) {
        const auto last = static_cast<std::int64_t>(order_.size()) - 1;
        const auto pick = static_cast<std::size_t>(between(draw(context_->seed, Draw::placement, draws_++), 0, last));
        Candidate& c = candidates_[order_[pick]];
        put(c);
        if (c.fit == 0) {
          order_[pick] = order_.back();
          order_.pop_back();
        }
      }
      return;
    }
  }
}

// SMs by (most free G-threads, lowest index). Blocks go to SMs in that order, so SMs that got one come again in that order too: a sorted
// list and a FIFO, merged, take the place of a heap.
template <class Start>
void Gpu::place_most_free(const BlockDemand& demand, std::uint32_t blocks, Start&& put) {
  const auto key = [&](std::uint32_t i) { return std::uint64_t{sms_[candidates_[i].sm].threads} << 32 | (none - i); };
  order_.clear();
  for (std::uint32_t i = 0; i < candidates_.size(); ++i) order_.push_back(key(i));
  if (!std::is_sorted(order_.begin(), order_.end(), std::greater<>())) std::sort(order_.begin(), order_.end(), std::greater<>());
  again_.clear();
  std::size_t first = 0, second = 0;
  for (; blocks > 0; --blocks) {
    const bool from_again = second < again_.size() && (first == order_.size() || again_[second] > order_[first]);
    const std::uint64_t item = from_again ? again_[second++] : order_[first++];
    Candidate& c = candidates_[none - static_cast<std::uint32_t>(item)];
    put(c);
    if (c.fit > 0) again_.push_back(item - (std::uint64_t{demand.threads} << 32));
  }
}

}  // namespace rta::simulate
