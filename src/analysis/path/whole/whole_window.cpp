// T10d: the shares of the first job and the last where what the first has left bounds its work.
#include "analysis/path/whole/whole_window.hpp"

namespace rta::analysis::path {

/// As long as the window is short.
bool FirstJob::is_narrow(const WholeWindow& window) {
  // Of what grows with time the rates are processors, or nodes that run at once.
  Wide rate = window.job->m();
  for (const WorkLeft::Step& step : window.left->last) rate = std::max(rate, Wide{step.height});
  const Wide largest =
      (rate + 1) * (rate + 1) * (Wide{window.job->V()} + window.left->V + window.most_jobs * Wide{window.T} + window.F + window.E);
  return largest < Wide{1} << 56U;
}

void FirstJob::set(const WholeWindow& window) {
  E_ = window.E;
  F_ = window.F;
  wide_.reset();
  narrow_.reset();
  if (is_narrow(window)) {
    narrow_.emplace(*window.job, *window.left, E_ - 2 * F_, 2 * F_);
  } else {
    wide_.emplace(*window.job, *window.left, Wide{E_} - 2 * Wide{F_}, 2 * Wide{F_});
  }
}

FirstJob::Shares FirstJob::shares(const WholeWindow& window, std::int64_t both, std::int64_t latest) const {
  const std::int64_t end = 2 * std::min(window.L, window.F);
  if (narrow_) {
    const auto most = narrow_->most(*window.job, 2 * both, latest, end);
    return {most.first, most.work};
  }
  const auto most = wide_->most(*window.job, 2 * Wide{both}, latest, end);
  return {static_cast<std::int64_t>(most.first), static_cast<std::int64_t>(most.work)};
}

}  // namespace rta::analysis::path
