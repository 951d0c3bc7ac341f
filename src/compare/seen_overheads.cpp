#include "rta/compare/seen_overheads.hpp"

#include <algorithm>
#include <variant>

namespace rta::compare {
namespace {

constexpr std::size_t most_stays = 2'000'000;  // jobs of nodes: those of the first part of a long trace

std::string_view said_of(const trace::Header& header, std::string_view key) {
  const auto at = std::ranges::find(header.details, key, [](const auto& detail) { return std::string_view(detail.first); });
  return at == header.details.end() ? std::string_view() : std::string_view(at->second);
}

bool is_plain(const Dag& dag) {
  const DagAttributes& attributes = dag.attributes();
  return !attributes.threads && !attributes.in_flight && attributes.after.empty() &&
         std::ranges::none_of(dag.nodes(), [](const Node& node) { return !node.stream.empty(); });
}

}  // namespace

bool SeenOverhead::quiet() const {
  constexpr std::int64_t often = 4;
  return max.count() / often <= of_99_percent.count();
}

Time SeenOverhead::proposed() const {
  constexpr std::int64_t step = 5'000;
  const std::int64_t longest = (quiet() ? max : of_99_percent).count();
  return Time((longest + longest / 4 + step) / step * step);
}

OverheadsSeen::OverheadsSeen(const TaskSet& task_set, const trace::Header& header)
    : task_set_(task_set),
      measured_(header.source == "measurement" && said_of(header, "granularity").empty()),
      on_completion_(header.release == "completion"),
      jobs_(task_set.dags().size()),
      stays_(task_set.pools().size()) {
  for (const Dag& dag : task_set.dags()) plain_.push_back(is_plain(dag));
}

OverheadsSeen::DagJob& OverheadsSeen::at(DagId d, std::uint64_t job) {
  DagJob& of = jobs_[d][job];
  if (of.parts.empty()) of.parts.resize(task_set_.dags()[d].nodes().size());
  return of;
}

void OverheadsSeen::dag(DagId d, std::uint64_t job, Time release) {
  if (!measured_ || kept_ >= most_stays) return;
  at(d, job).release = release;
  take_if_whole(d, job);
}

void OverheadsSeen::job(DagId d, NodeId v, std::uint64_t job, Time release, Time end) {
  if (!measured_ || kept_ >= most_stays) return;
  DagJob& of = at(d, job);
  if (!of.parts[v].ended) ++of.ended;
  of.parts[v].ended = true;
  of.parts[v].release = release;
  of.parts[v].end = end;
  take_if_whole(d, job);
}

void OverheadsSeen::ran(DagId d, NodeId v, std::uint64_t job, Time length) {
  if (measured_ && kept_ < most_stays) at(d, job).parts[v].ran += length;
}

void OverheadsSeen::ran(DagId d, NodeId v, std::uint64_t job, Time start, Time end) {
  if (!measured_ || kept_ >= most_stays) return;
  Part& part = at(d, job).parts[v];
  part.first = std::min(part.first.value_or(start), start);
  part.last = std::max(part.last.value_or(end), end);
}

void OverheadsSeen::take_if_whole(DagId d, std::uint64_t job) {
  const Dag& dag = task_set_.dags()[d];
  const auto found = jobs_[d].find(job);
  const DagJob& of = found->second;
  if (!of.release || of.ended < dag.nodes().size()) return;
  for (NodeId v = 0; v < dag.nodes().size(); ++v) {
    const Part& part = of.parts[v];
    Time ready = on_completion_ ? *of.release : part.release;
    for (const NodeId u : dag.predecessors(v)) ready = std::max(ready, of.parts[u].end);
    const Time length = part.first ? *part.last - *part.first : part.ran;
    const bool counts = plain_[d] && length > Time::zero() && part.end - ready >= length;
    stays_[dag.nodes()[v].pool].push_back({ready, part.end, part.end - ready - length, counts});
    ++kept_;
  }
  jobs_[d].erase(found);
}

std::vector<SeenOverhead> OverheadsSeen::seen() const {
  std::vector<SeenOverhead> out;
  for (PoolId p = 0; p < stays_.size(); ++p) {
    std::vector<Stay> stays = stays_[p];
    std::ranges::sort(stays, {}, [](const Stay& stay) { return std::pair(stay.ready, stay.end); });
    const auto* const cpu = std::get_if<CpuPool>(&task_set_.pools()[p].resource);
    const std::size_t side_by_side = cpu != nullptr ? cpu->processors : 1;
    std::vector<std::size_t> under_way;
    for (std::size_t i = 0; i < stays.size(); ++i) {
      std::erase_if(under_way, [&](std::size_t j) { return stays[j].end <= stays[i].ready; });
      const bool crowded = under_way.size() >= side_by_side;
      if (crowded) {
        stays[i].counts = false;
        for (const std::size_t j : under_way) stays[j].counts = false;
        // One that ends last stands for all that are too many: who comes before its end is crowded, too.
        const auto soonest = std::ranges::min_element(under_way, {}, [&](std::size_t j) { return stays[j].end; });
        if (stays[*soonest].end < stays[i].end) *soonest = i;
      } else {
        under_way.push_back(i);
      }
    }
    std::vector<Time> added;
    for (const Stay& stay : stays) {
      if (stay.counts) added.push_back(stay.added);
    }
    if (added.empty()) continue;
    std::ranges::sort(added);
    const auto quantile = [&](std::size_t percent) { return added[(added.size() * percent + 99) / 100 - 1]; };
    out.push_back({p, added.size(), quantile(50), quantile(99), added.back()});
  }
  return out;
}

}  // namespace rta::compare
