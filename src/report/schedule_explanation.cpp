// --explain: T15 and T15g with their numbers.
#include <fmt/format.h>

#include <algorithm>

#include "rta/report/time_text.hpp"
#include "schedule_words.hpp"

namespace rta::report {
namespace {

using static_order::Decision;
using static_order::HyperepochProof;
using static_order::ScheduledHyperepoch;
using static_order::ScheduledRunnable;

constexpr std::size_t most_links = 40;

std::string digits(Time time) { return fmt::format("{}", time.count()); }

void add_chain(const ScheduledHyperepoch& hyperepoch, const HyperepochProof& proof, const std::vector<std::size_t>& path,
               std::vector<std::string>& lines) {
  std::string text = "  path:";
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (i >= most_links) {
      text += fmt::format(" ... ({} in all)", path.size());
      break;
    }
    text += fmt::format("{} {} ({})", i == 0 ? "" : " ->", runnable_name(hyperepoch, path[i]), time_text(proof.runnables[path[i]].end));
  }
  lines.push_back(std::move(text));
}

// T15: one maximum and one sum.
void explain_order(const ScheduledHyperepoch& hyperepoch, const HyperepochProof& proof, std::size_t id, std::vector<std::string>& lines) {
  const ScheduledRunnable& r = hyperepoch.runnables[id];
  lines.emplace_back("  T15: f = max(release, f of all that it waits for) + C");
  std::string terms = digits(r.release);
  for (const Decision& decision : predecessors(hyperepoch, id)) {
    const auto& before = proof.runnables[decision.predecessor];
    const bool start = decision.by == Decision::By::submitter_start;
    const Time at = start ? before.start : before.end;
    const bool decides = at == proof.runnables[id].start && decision.predecessor == proof.runnables[id].decision.predecessor;
    lines.push_back(fmt::format("    {} ({}): {} {}{}", runnable_name(hyperepoch, decision.predecessor),
                                decision_text(hyperepoch, decision), start ? "starts by" : "ends by", time_text(at),
                                decides ? ", which decides" : ""));
    terms += ", " + digits(at);
  }
  lines.push_back(fmt::format("  f = max({}) + {} = {} ns", terms, digits(r.wcet), digits(proof.runnables[id].end)));
  if (r.weight > 0) {
    lines.push_back(
        fmt::format("  C is the longest time of one block: its {} blocks of weight {} find room at once (T15w)", r.blocks, r.weight));
  }
  std::vector<std::size_t> path{id};
  while (proof.runnables[path.back()].decision.by != Decision::By::release)
    path.push_back(proof.runnables[path.back()].decision.predecessor);
  std::ranges::reverse(path);
  add_chain(hyperepoch, proof, path, lines);
}

// T15g: one sum along a path.
void explain_streams(const ScheduledHyperepoch& hyperepoch, const HyperepochProof& proof, std::size_t id, std::vector<std::string>& lines) {
  const static_order::FreePath path = free_path(hyperepoch, id);
  lines.emplace_back(
      "  T15g: F = s + sum of C + sum over kernels of (L + w L (B - 1)/g) + (1/g) sum over parallel kernels of w L B, along a path");
  lines.push_back(
      fmt::format("  s = {}, sum of C = {}, sum of L = {} ns", digits(path.release), digits(path.others), digits(path.kernels)));
  lines.push_back(fmt::format("  sum of w L (B - 1) = {}, of {} parallel kernels w L B = {}, capacity {}", to_string(path.own),
                              path.parallel.size(), to_string(path.parallel_volume), to_string(path.capacity)));
  lines.push_back(fmt::format("  F = {} + {} + {} + ({} + {})/{} <= {} ns", digits(path.release), digits(path.others), digits(path.kernels),
                              to_string(path.own), to_string(path.parallel_volume), to_string(path.capacity), digits(path.end)));
  add_chain(hyperepoch, proof, path.runnables, lines);
}

}  // namespace

std::vector<std::string> explanation(const ScheduledHyperepoch& hyperepoch, const HyperepochProof& proof, std::size_t id) {
  std::vector<std::string> lines{fmt::format("{} ends by {}", runnable_name(hyperepoch, id), time_text(proof.runnables[id].end))};
  const bool streams = std::ranges::any_of(hyperepoch.sharing, [](const auto& s) { return s.by == static_order::Sharing::By::streams; });
  if (streams) {
    explain_streams(hyperepoch, proof, id, lines);
  } else {
    explain_order(hyperepoch, proof, id, lines);
  }
  return lines;
}

}  // namespace rta::report
