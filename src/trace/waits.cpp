#include "rta/trace/waits.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

namespace rta::trace {
namespace {

using simulate::JobId;
using Key = std::tuple<DagId, NodeId, std::uint64_t>;

constexpr std::size_t most_jobs = 4'000;  // whose reasons are looked for
constexpr std::size_t most_heads = 8;     // of queues, that one job waits for one after the other
constexpr std::size_t most_running = 64;  // that are named for one wait

Key key(JobId id) { return {id.dag, id.node, id.job}; }

// When a job's pieces started.
struct Pieces {
  std::size_t last = 0;  // rank of the last: what came first at one instant
  std::uint32_t unit = 0;
  std::vector<std::size_t> bars;  // by start
};

// What happened on one pool.
struct PoolPieces {
  std::vector<std::size_t> bars;  // by start
  std::vector<Time> latest_end;   // of the bars up to each
  std::vector<std::size_t> jobs;  // by release
};

class Reasons {
 public:
  explicit Reasons(const Timeline& timeline) : timeline_(timeline), pools_(timeline.labels().pools.size()), found_(timeline.jobs().size()) {
    const auto& bars = timeline.bars();
    std::vector<std::size_t> by_start(bars.size());
    std::iota(by_start.begin(), by_start.end(), std::size_t{0});
    std::ranges::stable_sort(by_start, {}, [&](std::size_t b) { return bars[b].start; });
    for (std::size_t rank = 0; rank < by_start.size(); ++rank) {
      const std::size_t bar = by_start[rank];
      Pieces& pieces = pieces_[key(bars[bar].id)];
      pieces.last = rank;
      pieces.unit = bars[bar].unit;
      pieces.bars.push_back(bar);
      PoolPieces& pool = pools_[bars[bar].pool];
      pool.latest_end.push_back(pool.bars.empty() ? bars[bar].end : std::max(pool.latest_end.back(), bars[bar].end));
      pool.bars.push_back(bar);
    }
    jobs_.resize(timeline.jobs().size());
    std::iota(jobs_.begin(), jobs_.end(), std::size_t{0});
    std::ranges::stable_sort(jobs_, {}, [&](std::size_t j) {
      const TimelineJob& job = timeline.jobs()[j];
      return std::tuple(job.release, key(job.id));
    });
    for (const std::size_t j : jobs_) pools_[pool_of(j)].jobs.push_back(j);
  }

  std::vector<Waiting> find() {
    for (const std::size_t j : jobs_) {
      const TimelineJob& job = timeline_.jobs()[j];
      found_[j].queued = job.release;
      const Pieces* pieces = pieces_of(job.id);
      const bool cpu = timeline_.kind(timeline_.pool(job.id)) == PoolKind::cpu;
      found_[j].left = pieces == nullptr || cpu ? job.start : std::max(job.start, timeline_.bars()[pieces->bars.back()].start);
    }
    wait_for_calls();
    wait_for_streams();
    wait_for_previous();
    for (std::size_t i = 0; i < std::min(jobs_.size(), most_jobs); ++i) {
      const std::size_t j = jobs_[i];
      if (pieces_of(timeline_.jobs()[j].id) == nullptr || call_of(j) != nullptr) continue;
      if (timeline_.kind(timeline_.pool(timeline_.jobs()[j].id)) == PoolKind::cpu) {
        wait_for_processors(j);
      } else {
        wait_in_queue(j);
      }
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] PoolId pool_of(std::size_t j) const { return timeline_.pool(timeline_.jobs()[j].id); }
  [[nodiscard]] bool is_copy(std::size_t j) const { return timeline_.kind(pool_of(j)) == PoolKind::engines; }
  [[nodiscard]] const Pieces* pieces_of(JobId id) const {
    const auto at = pieces_.find(key(id));
    return at == pieces_.end() ? nullptr : &at->second;
  }

  void wait_until(std::size_t j, Time until, WaitCause cause, JobId of) {
    const Time to = std::min(until, timeline_.jobs()[j].start);
    if (to <= found_[j].queued) return;
    add(j, {found_[j].queued, to, cause, {of}});
    found_[j].queued = to;
  }

  [[nodiscard]] const GpuCall* call_of(std::size_t j) const { return timeline_.node(timeline_.jobs()[j].id).call; }
  [[nodiscard]] bool is_blocking(std::size_t j) const {
    const TimelineNode& node = timeline_.node(timeline_.jobs()[j].id);
    return node.by_memcpy || (node.call != nullptr && node.call->blocks_callers);
  }

  // One such call is under way at a time; those that came meanwhile go on in their order.
  void wait_for_calls() {
    std::optional<std::size_t> open;
    for (const std::size_t j : jobs_) {
      const TimelineJob& job = timeline_.jobs()[j];
      if (open) wait_until(j, timeline_.jobs()[*open].end, WaitCause::call, timeline_.jobs()[*open].id);
      if (is_blocking(j) && (!open || job.end > timeline_.jobs()[*open].end)) open = j;
    }
  }

  // Rules G1, N1 and N2: the last to end of those that were issued before, in the order of their issue.
  void wait_for_streams() {
    struct Last {
      Time end;
      std::optional<JobId> id;
      void add(const TimelineJob& job) {
        if (!id || job.end >= end) *this = {job.end, job.id};
      }
      bool operator<(const Last& other) const { return other.id && (!id || end < other.end); }
    };
    std::map<std::string, Last> streams;
    Last of_null, of_blocking, of_all;
    Last held, held_blocking;  // what operations that are issued later wait for
    for (const std::size_t j : jobs_) {
      const TimelineJob& job = timeline_.jobs()[j];
      if (const GpuCall* const call = call_of(j); call != nullptr) {
        if (call->holds == HeldStreams::all) held = of_all;
        if (call->holds == HeldStreams::blocking) held_blocking = std::max(of_null, of_blocking);
        continue;
      }
      const std::string& stream = timeline_.node(job.id).stream;
      if (stream.empty()) continue;
      Last before = streams[stream];
      const bool is_null = timeline_.system().experiment && stream == null_stream;
      const bool blocking = !is_null && !stream.starts_with(non_blocking_prefix);
      const bool non_blocking = !is_null && !blocking;
      for (const Last* other :
           {is_null ? &of_blocking : nullptr, blocking ? &of_null : nullptr, &held, non_blocking ? nullptr : &held_blocking}) {
        if (other != nullptr && other->id && (!before.id || other->end > before.end)) before = *other;
      }
      if (before.id) wait_until(j, before.end, WaitCause::stream, *before.id);
      streams[stream].add(job);
      if (is_null) of_null.add(job);
      if (blocking) of_blocking.add(job);
      of_all.add(job);
    }
  }

  void wait_for_previous() {
    std::map<Key, std::size_t> sequential;
    for (const std::size_t j : jobs_) {
      const JobId id = timeline_.jobs()[j].id;
      if (timeline_.node(id).sequential) sequential.emplace(key(id), j);
    }
    for (const auto& [which, j] : sequential) {
      const auto& [dag, node, number] = which;
      const auto before = number == 0 ? sequential.end() : sequential.find({dag, node, number - 1});
      if (before == sequential.end()) continue;
      const TimelineJob& previous = timeline_.jobs()[before->second];
      wait_until(j, previous.end, WaitCause::previous, previous.id);
    }
  }

  // Those that run on a pool, or on that unit of it, at an instant, each once, by start.
  [[nodiscard]] std::vector<JobId> running(PoolId pool, std::optional<std::uint32_t> unit, Time at) const {
    std::vector<JobId> out;
    std::set<Key> seen;
    const PoolPieces& pieces = pools_[pool];
    const auto first = std::ranges::upper_bound(pieces.latest_end, at);
    for (auto i = static_cast<std::size_t>(first - pieces.latest_end.begin()); i < pieces.bars.size(); ++i) {
      const Bar& bar = timeline_.bars()[pieces.bars[i]];
      if (bar.start > at || out.size() >= most_running) break;
      if (bar.end > at && (!unit || bar.unit == *unit) && seen.insert(key(bar.id)).second) out.push_back(bar.id);
    }
    return out;
  }

  // Together with the last where that says the same.
  void add(std::size_t j, Wait wait) {
    auto& waits = found_[j].waits;
    const auto keys = [](const Wait& w) {
      std::vector<Key> all;
      all.reserve(w.of.size());
      for (const JobId id : w.of) all.push_back(key(id));
      return all;
    };
    if (!waits.empty() && waits.back().to == wait.from && waits.back().cause == wait.cause && keys(waits.back()) == keys(wait)) {
      waits.back().to = wait.to;
    } else {
      waits.push_back(std::move(wait));
    }
  }

  void add_running(std::size_t j, Time from, Time to, WaitCause cause) {
    const JobId id = timeline_.jobs()[j].id;
    const auto unit = cause == WaitCause::engine ? std::optional(pieces_of(id)->unit) : std::nullopt;
    std::vector<JobId> of = running(pool_of(j), unit, from);
    if (cause != WaitCause::room) std::erase_if(of, [&](JobId other) { return key(other) == key(id); });
    if (!of.empty()) add(j, {from, to, cause, std::move(of)});
  }

  void wait_for_processors(std::size_t j) {
    const TimelineJob& job = timeline_.jobs()[j];
    Time at = found_[j].queued;
    for (const std::size_t b : pieces_of(job.id)->bars) {
      const Bar& run = timeline_.bars()[b];
      if (run.start > at) add_running(j, at, run.start, WaitCause::processor);
      at = std::max(at, run.end);
    }
  }

  [[nodiscard]] WaitCause unit_cause(PoolId pool) const {
    switch (timeline_.kind(pool)) {
      case PoolKind::engines: return WaitCause::engine;
      case PoolKind::workers: return WaitCause::worker;
      case PoolKind::gpu: return WaitCause::room;
      case PoolKind::cpu: break;
    }
    return WaitCause::processor;
  }

  // Since when it was in the way of others. Copies take their place when they are issued (C1).
  [[nodiscard]] Time in_line(std::size_t j) const { return is_copy(j) ? timeline_.jobs()[j].release : found_[j].queued; }

  // Those of its pool that were in line while it was queued, and left before it.
  [[nodiscard]] std::vector<std::size_t> ahead_of(std::size_t j) const {
    const Pieces& own = *pieces_of(timeline_.jobs()[j].id);
    std::vector<std::pair<std::size_t, std::size_t>> ranked;
    for (const std::size_t k : pools_[pool_of(j)].jobs) {
      if (timeline_.jobs()[k].release >= found_[j].left) break;
      if (k == j || in_line(k) >= found_[j].left || found_[k].left <= found_[j].queued) continue;
      const Pieces* pieces = pieces_of(timeline_.jobs()[k].id);
      if (pieces == nullptr || pieces->last >= own.last || (is_copy(j) && pieces->unit != own.unit)) continue;
      ranked.emplace_back(pieces->last, k);
    }
    std::ranges::sort(ranked);
    std::vector<std::size_t> out;
    out.reserve(ranked.size());
    for (const auto& [last, k] : ranked) out.push_back(k);
    return out;
  }

  void wait_in_queue(std::size_t j) {
    const std::vector<std::size_t> ahead = ahead_of(j);
    const Time left = found_[j].left;
    Time at = found_[j].queued;
    for (std::size_t heads = 0; at < left && heads < most_heads; ++heads) {
      Time until = left;
      std::optional<std::size_t> head;
      for (const std::size_t k : ahead) {
        if (found_[k].left <= at) continue;
        if (in_line(k) <= at) {
          until = std::min(until, found_[k].left);
          head = k;
          break;
        }
        until = std::min(until, in_line(k));
      }
      if (head) {
        add(j, {at, until, WaitCause::queue, {timeline_.jobs()[*head].id}});
      } else {
        add_running(j, at, until, unit_cause(pool_of(j)));
      }
      at = until;
    }
  }

  const Timeline& timeline_;
  std::map<Key, Pieces> pieces_;
  std::vector<PoolPieces> pools_;
  std::vector<std::size_t> jobs_;  // by release
  std::vector<Waiting> found_;
};

}  // namespace

std::vector<Waiting> waiting(const Timeline& timeline) { return Reasons(timeline).find(); }

std::string_view to_string(WaitCause cause) {
  switch (cause) {
    case WaitCause::stream: return "stream";
    case WaitCause::previous: return "previous";
    case WaitCause::queue: return "queue";
    case WaitCause::room: return "room";
    case WaitCause::engine: return "engine";
    case WaitCause::call: return "call";
    case WaitCause::processor: return "processor";
    case WaitCause::worker: return "worker";
  }
  return "";
}

}  // namespace rta::trace
