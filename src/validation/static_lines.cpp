#include "static_lines.hpp"

#include <algorithm>

#include "rta/static_order/graph.hpp"

namespace rta::validation {
namespace {

using static_order::ResourceKind;
using static_order::Role;
using static_order::ScheduledHyperepoch;
using static_order::ScheduledRunnable;

/// Whether a runnable starts after another has ended, through predecessors.
class Ancestry {
 public:
  explicit Ancestry(const Predecessors& predecessors) : predecessors_(predecessors), seen_(predecessors.ended.size(), 0) {}

  [[nodiscard]] bool follows(std::size_t later, std::size_t earlier) {
    ++look_;
    std::vector<std::size_t> open{later};
    while (!open.empty()) {
      const std::size_t r = open.back();
      open.pop_back();
      for (const std::size_t p : predecessors_.ended[r]) {
        if (p == earlier) return true;
        // What stands before `earlier` cannot come after it.
        if (p < earlier || seen_[p] == look_) continue;
        seen_[p] = look_;
        open.push_back(p);
      }
    }
    return false;
  }

 private:
  const Predecessors& predecessors_;
  std::vector<std::size_t> seen_;  // the look that has seen it last
  std::size_t look_ = 0;
};

/// The processor or engine that serves the runnable in an order.
std::optional<std::size_t> server(const ScheduledHyperepoch& hyperepoch, const ScheduledRunnable& runnable) {
  const auto at = std::ranges::find_if(runnable.resources, [&](std::size_t r) {
    const ResourceKind kind = static_order::kind_of_type(hyperepoch.resources[r].type);
    const bool shared = std::ranges::any_of(hyperepoch.sharing, [&](const static_order::Sharing& s) { return s.resource == r; });
    return !shared && (kind == ResourceKind::cpu || kind == ResourceKind::engine);
  });
  return at == runnable.resources.end() ? std::nullopt : std::optional(*at);
}

}  // namespace

std::vector<PlayedLine> played_lines(const ScheduledHyperepoch& hyperepoch, const Predecessors& predecessors,
                                     const std::vector<PlayedStep>& steps) {
  std::vector<PlayedLine> lines;
  Ancestry ancestry(predecessors);
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const ScheduledRunnable& runnable = hyperepoch.runnables[steps[s].runnable];
    const bool submitted = runnable.role == Role::submittee;
    const auto resource = submitted ? std::nullopt : server(hyperepoch, runnable);
    const auto stream = submitted ? runnable.stream : std::nullopt;
    const auto fits = [&](const PlayedLine& line) {
      if (line.client != steps[s].step.client || line.resource != resource || line.stream != stream) return false;
      if (resource || stream) return true;
      const std::size_t last = steps[line.steps.back()].runnable;
      return last == steps[s].runnable || ancestry.follows(steps[s].runnable, last);
    };
    auto line = std::ranges::find_if(lines, fits);
    if (line == lines.end()) line = lines.insert(lines.end(), PlayedLine{steps[s].step.client, resource, stream, {}});
    line->steps.push_back(s);
  }
  return lines;
}

}  // namespace rta::validation
