#include "timeline_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <string_view>

#include "report/parts/series_colours.hpp"
#include "report/parts/text_width.hpp"
#include "rta/report/time_text.hpp"
#include "timeline_colours.hpp"
#include "timeline_places.hpp"
#include "timeline_releases.hpp"
#include "wait_words.hpp"

namespace rta::report {
namespace {

using simulate::JobId;
using trace::WaitCause;

constexpr double lane_height = 18;
constexpr double gap = 5;                      // between rows
constexpr std::size_t most_lanes = 8;          // of a queue; what is behind is counted
constexpr std::size_t most_launch_lanes = 40;  // then names are left out
constexpr std::size_t most_job_lanes = 24;     // of whole jobs that run side by side; what is more is counted
constexpr std::size_t most_sm_rows = 32;       // of a GPU; more are folded
constexpr std::size_t most_dag_rows = 24;
constexpr std::size_t most_legend = 24;
constexpr double assumed_width = 900;  // of the whole, for labels beside marks

std::string unit_name(PoolKind kind) {
  switch (kind) {
    case PoolKind::cpu: return "CPU";
    case PoolKind::gpu: return "SM";
    case PoolKind::engines: return "engine";
    case PoolKind::workers: return "worker";
  }
  return "";
}

std::string queue_name(PoolKind kind) {
  switch (kind) {
    case PoolKind::cpu: return "ready queue";
    case PoolKind::gpu: return "EE queue";
    case PoolKind::engines: return "CE queue";
    case PoolKind::workers: return "queue";
  }
  return "";
}

// A bar that has no place in its row yet.
struct Stay {
  Time from, to;
  std::size_t job = 0;
};

class Drawer {
 public:
  Drawer(const trace::Timeline& timeline, const std::vector<trace::Waiting>& waiting, bool unfold)
      : timeline_(timeline), waiting_(waiting), unfold_(unfold), colours_(timeline.labels()) {
    for (std::size_t j = 0; j < timeline.jobs().size(); ++j) {
      const JobId id = timeline.jobs()[j].id;
      index_[{id.dag, id.node, id.job}] = j;
    }
  }

  TimelineDrawing draw() {
    set_span();
    out_.experiment = timeline_.system().experiment;
    if (timeline_.system().experiment) {
      add_launches();
    } else {
      add_dags();
    }
    add_streams();
    for (PoolId pool = 0; pool < timeline_.labels().pools.size(); ++pool) {
      add_queues(pool);
      if (timeline_.units(pool) == trace::Units::numbered) {
        add_units(pool);
      } else {
        add_jobs(pool);
      }
    }
    out_.height = y_;
    for (std::size_t i = 0; i < std::min(colours_.names().size(), most_legend); ++i) {
      out_.legend.emplace_back(colours_.names()[i], series_colour(i).fill);
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] const std::string& pool_name(PoolId pool) const { return timeline_.labels().pools[pool].name; }
  [[nodiscard]] std::string job_of(JobId id) const { return fmt::format("{}/{}/{}", id.dag, id.node, id.job); }
  [[nodiscard]] const std::string& node_name(JobId id) const { return timeline_.labels().dags[id.dag].nodes[id.node].name; }

  void set_span() {
    bool any = false;
    const auto add = [&](Time from, Time to) {
      out_.first = any ? std::min(out_.first, from) : from;
      out_.last = any ? std::max(out_.last, to) : to;
      any = true;
    };
    for (const trace::Bar& bar : timeline_.bars()) add(bar.start, bar.end);
    for (const trace::TimelineJob& job : timeline_.jobs()) add(std::max(job.release, timeline_.from()), job.end);
    if (timeline_.left_out() > 0) out_.last = std::min(out_.last, timeline_.complete_until());
    if (out_.last <= out_.first) out_.last = out_.first + Time(1);
  }
  [[nodiscard]] double place(Time at) const {
    return assumed_width * static_cast<double>((at - out_.first).count()) / static_cast<double>((out_.last - out_.first).count());
  }

  double add_row(std::string name, double height, bool queue = false) {
    const double top = y_;
    out_.rows.push_back({std::move(name), top, top + height, queue});
    y_ += height + gap;
    return top;
  }

  // Launches, each with its name beside it.
  void add_launches() {
    std::vector<std::size_t> order(timeline_.jobs().size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t j) { return std::pair(timeline_.jobs()[j].release, timeline_.jobs()[j].id.node); });
    std::vector<Stretch> stretches;
    stretches.reserve(order.size());
    for (const std::size_t j : order) {
      const trace::TimelineJob& job = timeline_.jobs()[j];
      stretches.push_back({place(job.release) - 6, place(job.release) + 8 + text_width(node_name(job.id), 10)});
    }
    const auto lanes = lanes_of(stretches, most_launch_lanes);
    if (lanes.empty()) return;
    const double top = add_row("launches", lane_height * static_cast<double>(1 + *std::ranges::max_element(lanes)));
    for (std::size_t i = 0; i < order.size(); ++i) {
      const trace::TimelineJob& job = timeline_.jobs()[order[i]];
      const std::string stream = timeline_.node(job.id).stream;
      out_.marks.push_back({MarkKind::release, job.release, top + lane_height * (static_cast<double>(lanes[i]) + 0.5),
                            colours_.of(job.id).fill,
                            fmt::format("{} launched at {} on stream {}", node_name(job.id), time_text(job.release), stream),
                            job_of(job.id), lanes[i] < most_launch_lanes ? node_name(job.id) : ""});
    }
  }

  void add_streams() {
    std::vector<std::string> names;
    std::map<std::string, std::vector<Stay>> streams;
    for (std::size_t j = 0; j < timeline_.jobs().size(); ++j) {
      const trace::TimelineJob& job = timeline_.jobs()[j];
      if (waiting_[j].queued <= job.release || timeline_.node(job.id).stream.empty()) continue;
      auto& stays = streams[timeline_.node(job.id).stream];
      if (stays.empty()) names.push_back(timeline_.node(job.id).stream);
      stays.push_back({job.release, waiting_[j].queued, j});
    }
    std::ranges::sort(names);
    for (const std::string& name : names) add_stays("stream " + name, std::move(streams[name]));
  }

  // A row of a queue. Parts for which a kernel is its head without room are told apart.
  void add_stays(std::string row, std::vector<Stay> stays) {
    const auto& jobs = timeline_.jobs();
    std::ranges::stable_sort(stays, {}, [&](const Stay& s) { return std::tuple(s.from, jobs[s.job].release, jobs[s.job].id.node); });
    std::vector<Stretch> stretches;
    stretches.reserve(stays.size());
    for (const Stay& stay : stays) {
      stretches.push_back({static_cast<double>(stay.from.count()), static_cast<double>(stay.to.count())});
    }
    const auto lanes = lanes_of(stretches, most_lanes);
    const double top = add_row(std::move(row), lane_height * static_cast<double>(1 + *std::ranges::max_element(lanes)), true);
    std::vector<Stay> behind;
    for (std::size_t i = 0; i < stays.size(); ++i) {
      if (lanes[i] == most_lanes) {
        behind.push_back(stays[i]);
        continue;
      }
      const double lane = top + lane_height * static_cast<double>(lanes[i]);
      lane_of_[stays[i].job] = lane + lane_height / 2;
      Time at = stays[i].from;
      for (const trace::Wait& wait : waiting_[stays[i].job].waits) {
        if (wait.cause != WaitCause::room || wait.from < at || wait.to > stays[i].to) continue;
        if (wait.from > at) add_stay(stays[i].job, lane, at, wait.from, BarStyle::waits);
        add_stay(stays[i].job, lane, wait.from, wait.to, BarStyle::blocked);
        at = wait.to;
      }
      if (at < stays[i].to) add_stay(stays[i].job, lane, at, stays[i].to, BarStyle::waits);
    }
    add_behind(behind, top + lane_height * most_lanes, "wait");
  }

  // Those that found no lane, where they overlap as one.
  void add_behind(const std::vector<Stay>& stays, double top, std::string_view what) {
    for (std::size_t i = 0; i < stays.size();) {
      Time to = stays[i].to;
      std::size_t end = i + 1;
      for (; end < stays.size() && stays[end].from < to; ++end) to = std::max(to, stays[end].to);
      const std::string text = fmt::format("{} more", end - i);
      out_.bars.push_back({top + 1, top + lane_height - 1, stays[i].from, to, BarStyle::waits, "#888888", "", text,
                           fmt::format("{} {}\n{} to {}", text, what, time_text(stays[i].from), time_text(to)), "", ""});
      i = end;
    }
  }

  void add_stay(std::size_t j, double top, Time from, Time to, BarStyle style) {
    const JobId id = timeline_.jobs()[j].id;
    const SeriesColour colour = colours_.of(id);
    (style == BarStyle::blocked ? out_.blocked : out_.waits) = true;
    const std::string waits = waits_text(timeline_, id, waiting_[j].waits);
    std::string tooltip = fmt::format("{} waits\n{} to {}", job_name(timeline_, id), time_text(from), time_text(to));
    std::string text = node_name(id);
    if (style == BarStyle::blocked) text += ": no room";
    out_.bars.push_back(
        {top + 1, top + lane_height - 1, from, to, style, colour.fill, "", std::move(text), std::move(tooltip), waits, job_of(id)});
  }

  void add_dags() {
    const auto& dags = timeline_.labels().dags;
    const std::size_t shown = std::min(dags.size(), most_dag_rows);
    out_.dags_left_out = dags.size() - shown;
    std::vector<double> tops;
    for (DagId d = 0; d < shown; ++d) tops.push_back(add_row(dags[d].name, 22));
    add_releases(timeline_, tops, out_);
  }

  void add_queues(PoolId pool) {
    std::map<StreamPriority, std::vector<Stay>, std::greater<>> stays;  // the most urgent first
    const PoolKind kind = timeline_.kind(pool);
    bool priorities = false;
    for (std::size_t j = 0; j < timeline_.jobs().size(); ++j) {
      const JobId id = timeline_.jobs()[j].id;
      if (timeline_.pool(id) != pool) continue;
      const StreamPriority priority = timeline_.node(id).priority;
      priorities = priorities || priority > low_priority;
      if (kind != PoolKind::cpu) {
        if (waiting_[j].left > waiting_[j].queued) stays[priority].push_back({waiting_[j].queued, waiting_[j].left, j});
        continue;
      }
      for (const trace::Wait& wait : waiting_[j].waits) {
        if (wait.cause == WaitCause::processor) stays[priority].push_back({wait.from, wait.to, j});
      }
    }
    for (auto& [priority, of_priority] : stays) {
      add_stays(fmt::format("{} {}{}", pool_name(pool), queue_name(kind), priorities ? ", " + stream_priority_text(priority) : ""),
                std::move(of_priority));
    }
  }

  void add_units(PoolId pool) {
    std::map<std::uint32_t, std::vector<std::size_t>> units;
    for (std::size_t b = 0; b < timeline_.bars().size(); ++b) {
      if (timeline_.bars()[b].pool == pool) units[timeline_.bars()[b].unit].push_back(b);
    }
    const bool sms = timeline_.kind(pool) == PoolKind::gpu;
    if (sms && units.size() > most_sm_rows && !unfold_ && !timeline_.system().experiment) {
      add_folded(pool, units.size());
      return;
    }
    const double height = !sms ? 24 : units.size() > 24 ? 18 : units.size() > 8 ? 32 : 72;
    for (auto& [unit, bars] : units) {
      std::ranges::stable_sort(bars, {}, [&](std::size_t b) { return timeline_.bars()[b].start; });
      const std::string name = fmt::format("{} {} {}", pool_name(pool), unit_name(timeline_.kind(pool)), unit);
      const double top = add_row(name, height);
      const std::uint32_t threads = timeline_.system().threads[pool];
      SmPlaces places(threads);
      for (const std::size_t b : bars) {
        const trace::Bar& bar = timeline_.bars()[b];
        std::vector<SmPlaces::Part> parts{{0, threads}};
        if (sms) parts = places.place(std::uint64_t{timeline_.node(bar.id).threads} * std::max(bar.blocks, 1U), bar.start, bar.end);
        add_bar(bar, name, top, height, parts, threads);
      }
    }
  }

  // Many SMs in one row: how many threads of them are in use, job above job.
  void add_folded(PoolId pool, std::size_t units) {
    std::map<Time, std::map<std::size_t, std::int64_t>> changes;  // threads that come and go, by a bar of their job
    std::map<std::tuple<DagId, NodeId, std::uint64_t>, std::size_t> first;
    for (std::size_t b = 0; b < timeline_.bars().size(); ++b) {
      const trace::Bar& bar = timeline_.bars()[b];
      if (bar.pool != pool || bar.end <= bar.start) continue;
      const std::size_t job = first.try_emplace({bar.id.dag, bar.id.node, bar.id.job}, b).first->second;
      const std::int64_t threads = std::int64_t{timeline_.node(bar.id).threads} * std::max(bar.blocks, 1U);
      changes[bar.start][job] += threads;
      changes[bar.end][job] -= threads;
    }
    const double height = 72;
    const std::string name = fmt::format("{}: {} SMs", pool_name(pool), units);
    const double top = add_row(name, height);
    out_.folded = true;
    const auto capacity = static_cast<double>(std::uint64_t{timeline_.system().threads[pool]} * units);
    std::map<std::size_t, std::int64_t> in_use;
    for (auto at = changes.begin(); at != changes.end() && std::next(at) != changes.end(); ++at) {
      for (const auto& [job, threads] : at->second) {
        if ((in_use[job] += threads) == 0) in_use.erase(job);
      }
      std::int64_t below = 0;
      for (const auto& [job, threads] : in_use) {
        const auto y = [&](std::int64_t part) { return top + height * (1 - std::min(1.0, static_cast<double>(part) / capacity)); };
        const JobId id = timeline_.bars()[job].id;
        const SeriesColour colour = colours_.of(id);
        out_.bars.push_back({y(below + threads), y(below), at->first, std::next(at)->first, BarStyle::runs, colour.fill, colour.text,
                             node_name(id),
                             fmt::format("{}: {} of {:.0f} threads of {}\n{} to {}", job_name(timeline_, id), threads, capacity, name,
                                         time_text(at->first), time_text(std::next(at)->first)),
                             "", job_of(id)});
        below += threads;
      }
    }
  }

  // In one row, side by side where they overlap.
  void add_jobs(PoolId pool) {
    std::vector<std::size_t> bars;
    for (std::size_t b = 0; b < timeline_.bars().size(); ++b) {
      if (timeline_.bars()[b].pool == pool) bars.push_back(b);
    }
    if (bars.empty()) return;
    std::ranges::stable_sort(bars, {}, [&](std::size_t b) { return timeline_.bars()[b].start; });
    std::vector<Stretch> stretches;
    stretches.reserve(bars.size());
    for (const std::size_t b : bars) {
      const trace::Bar& bar = timeline_.bars()[b];
      stretches.push_back({static_cast<double>(bar.start.count()), static_cast<double>(bar.end.count())});
    }
    const auto lanes = lanes_of(stretches, most_job_lanes);
    const bool single = timeline_.units(pool) == trace::Units::single;
    const double height = single && *std::ranges::max_element(lanes) == 0 ? 24 : lane_height;
    const std::string name = single ? pool_name(pool) : pool_name(pool) + " jobs";
    const double top = add_row(name, height * static_cast<double>(1 + *std::ranges::max_element(lanes)));
    out_.whole_jobs = out_.whole_jobs || !single;
    std::vector<Stay> behind;
    for (std::size_t i = 0; i < bars.size(); ++i) {
      const trace::Bar& bar = timeline_.bars()[bars[i]];
      if (lanes[i] == most_job_lanes) {
        behind.push_back({bar.start, bar.end, 0});
      } else {
        add_bar(bar, name, top + height * static_cast<double>(lanes[i]), height, {{0, 1}}, 1);
      }
    }
    add_behind(behind, top + height * most_job_lanes, "run");
  }

  // As high as its threads, from below.
  void add_bar(const trace::Bar& bar, const std::string& row, double top, double height, const std::vector<SmPlaces::Part>& parts,
               std::uint32_t threads) {
    const SeriesColour colour = colours_.of(bar.id);
    const bool copy = timeline_.kind(bar.pool) == PoolKind::engines;
    out_.copies = out_.copies || copy;
    std::string text = node_name(bar.id);
    if (timeline_.system().experiment && bar.blocks > 0) text += fmt::format(": {}", bar.block);
    std::string tooltip = job_name(timeline_, bar.id);
    if (bar.blocks == 1) tooltip += fmt::format(", block {}", bar.block);
    if (bar.blocks > 1) tooltip += fmt::format(", {} blocks", bar.blocks);
    tooltip += fmt::format("\n{} to {}, {}\n{}", time_text(bar.start), time_text(bar.end), time_text(bar.end - bar.start), row);
    std::string waits;
    const auto job = index_.find({bar.id.dag, bar.id.node, bar.id.job});
    if (job != index_.end()) {
      waits = waits_text(timeline_, bar.id, waiting_[job->second].waits);
      add_link(job->second, bar, top, colour.fill);
    }
    for (const auto& [low, high] : parts) {
      const auto y = [&](std::uint32_t part) { return top + height * (1 - static_cast<double>(part) / threads); };
      out_.bars.push_back({y(high), y(low), bar.start, bar.end, copy ? BarStyle::copies : BarStyle::runs, colour.fill, colour.text, text,
                           tooltip, waits, job_of(bar.id)});
    }
  }

  // Of an experiment: from its pool's queue to its first piece.
  void add_link(std::size_t job, const trace::Bar& bar, double top, const std::string& fill) {
    if (!timeline_.system().experiment || bar.start != timeline_.jobs()[job].start || bar.start <= waiting_[job].queued ||
        linked_.contains(job))
      return;
    const auto lane = lane_of_.find(job);
    if (lane == lane_of_.end()) return;
    linked_.insert(job);
    out_.links.push_back({bar.start, lane->second, top, fill, job_of(bar.id)});
  }

  const trace::Timeline& timeline_;
  const std::vector<trace::Waiting>& waiting_;
  bool unfold_;
  TimelineColours colours_;
  TimelineDrawing out_;
  double y_ = 0;
  std::map<std::tuple<DagId, NodeId, std::uint64_t>, std::size_t> index_;  // of jobs
  std::map<std::size_t, double> lane_of_;                                  // of jobs, the middle
  std::set<std::size_t> linked_;
};

}  // namespace

TimelineDrawing drawing_of(const trace::Timeline& timeline, const std::vector<trace::Waiting>& waiting, bool unfold) {
  return Drawer(timeline, waiting, unfold).draw();
}

}  // namespace rta::report
