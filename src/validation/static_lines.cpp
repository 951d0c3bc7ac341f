#include "static_lines.hpp"

#include <algorithm>

namespace rta::validation {
namespace {

/// Whether a job comes after another through predecessors.
class Ancestry {
 public:
  explicit Ancestry(const StaticHyperepoch& hyperepoch) : predecessors_(predecessors(hyperepoch)), seen_(hyperepoch.jobs.size(), 0) {}

  [[nodiscard]] bool follows(std::size_t later, std::size_t earlier) {
    ++look_;
    std::vector<std::size_t> open{later};
    while (!open.empty()) {
      const std::size_t j = open.back();
      open.pop_back();
      for (const std::size_t p : predecessors_[j]) {
        if (p == earlier) return true;
        // What stands before `earlier` in the list cannot come after it.
        if (p < earlier || seen_[p] == look_) continue;
        seen_[p] = look_;
        open.push_back(p);
      }
    }
    return false;
  }

 private:
  std::vector<std::vector<std::size_t>> predecessors_;
  std::vector<std::size_t> seen_;  // the look that has seen it last
  std::size_t look_ = 0;
};

/// The processor or engine that serves the job in an order.
std::optional<std::size_t> server(const StaticHyperepoch& hyperepoch, const StaticJob& job) {
  const auto at = std::ranges::find_if(job.resources, [&](std::size_t r) {
    const StaticResourceKind kind = hyperepoch.resources[r].kind;
    return kind == StaticResourceKind::processor || kind == StaticResourceKind::engine;
  });
  return at == job.resources.end() ? std::nullopt : std::optional(*at);
}

}  // namespace

std::vector<PlayedLine> played_lines(const StaticHyperepoch& hyperepoch, const std::vector<PlayedStep>& steps) {
  std::vector<PlayedLine> lines;
  Ancestry ancestry(hyperepoch);
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const StaticJob& job = hyperepoch.jobs[steps[s].job];
    const std::size_t client = job.steps[steps[s].step]->client;
    const bool submitted = job.kind == StaticKind::submittee;
    const auto resource = submitted ? std::nullopt : server(hyperepoch, job);
    const auto stream = submitted ? job.stream : std::nullopt;
    const auto fits = [&](const PlayedLine& line) {
      if (line.client != client || line.resource != resource || line.stream != stream) return false;
      if (resource || stream) return true;
      const std::size_t last = steps[line.steps.back()].job;
      return last == steps[s].job || ancestry.follows(steps[s].job, last);
    };
    auto line = std::ranges::find_if(lines, fits);
    if (line == lines.end()) line = lines.insert(lines.end(), PlayedLine{client, resource, stream, {}});
    line->steps.push_back(s);
  }
  return lines;
}

}  // namespace rta::validation
