#include "analysis/path/fitting/fitting_wait.hpp"

#include <algorithm>

#include "rta/model/quantity.hpp"

namespace rta::analysis::path {

std::int64_t FittingWait::Jobs::work(std::int64_t w) const {
  std::int64_t work = 0;
  if (fits) work = most(w).work;
  for (const auto& [C, jobs] : counted) work += std::min(C, w) * jobs;
  return copies * work;
}

std::int64_t FittingWait::Jobs::work_at_phase(std::int64_t w) const {
  if (!fits) return work(w);
  return copies * (own ? fits->others_at_phase(phase, w) : fits->at_phase(phase, w));
}

std::int64_t FittingWait::Jobs::seek(std::int64_t w) {
  if (!fits) return work(w);
  const WorkThatFits::Most worst = most(w);
  phase = worst.phase;
  return copies * worst.work;
}

std::int64_t FittingWait::room() const {
  std::int64_t sum = 0;
  for (const Jobs& of : jobs) sum += of.room(m);
  return sum;
}

std::int64_t FittingWait::work_of_others(std::int64_t w) const {
  std::int64_t sum = 0;
  for (const Jobs& of : jobs) sum += of.work(w);
  return sum;
}

std::int64_t FittingWait::work_at_phases(std::int64_t w) const {
  std::int64_t sum = 0;
  for (const Jobs& of : jobs) sum += of.work_at_phase(w);
  return sum;
}

std::int64_t FittingWait::seek_others(std::int64_t w) {
  std::int64_t sum = 0;
  for (Jobs& of : jobs) sum += of.seek(w);
  return sum;
}

void FittingWait::begin_at(const Last& last) {
  for (Jobs& of : jobs) {
    if (!of.own && of.c < last.phases.size()) of.phase = last.phases[of.c];
  }
}

void FittingWait::keep(Last& last) const {
  last.cut = less_ ? std::max<std::int64_t>(1, cut) : at_least_;
  for (const Jobs& of : jobs) {
    if (of.own) continue;
    if (last.phases.size() <= of.c) last.phases.resize(of.c + 1, 0);
    last.phases[of.c] = of.phase;
  }
}

std::int64_t FittingWait::work_of_own(std::int64_t w) const {
  std::int64_t sum = 0;
  for (const std::int64_t chain : own_chains) sum += std::min(chain, w);
  return std::min(sum, own_most);
}

/// G(w)/w never rises, and G is linear up to half a ns: all times are whole, so that what overlaps can overlap by half a ns at once.
bool FittingWait::never_waits() const { return work_of_others(1) + static_cast<std::int64_t>(own_chains.size()) < m; }

/// The waiting w has m w <= G(w): it is less than any w' with m w' > G(w'). G does not fall, so that from there on it is no less than
/// G(w')/m where it is no less than w'.
void FittingWait::try_at(std::int64_t w) {
  if (w == 1 && never_waits()) {
    less_ = Tried{};
    return cut_at(*less_);
  }
  const Tried at{w, seek_others(w), work_of_own(w)};
  if (m * w > at.work()) {
    if (!less_ || w < less_->w) less_ = at;
  } else {
    at_least_ = std::max(at_least_, at.work() / m);
    before_ = most_;
    most_ = at;
  }
  cut_at(less_.value_or(at));
}

bool FittingWait::is_longer(std::int64_t w) {
  const Tried at{w, work_at_phases(w), work_of_own(w)};
  if (m * w > at.work()) return false;
  at_least_ = std::max(at_least_, at.work() / m);
  cut_at(at);
  return true;
}

void FittingWait::cut_at(const Tried& at) {
  cut = at.w;
  others = at.others;
  own = at.own;
}

void FittingWait::step_down() {
  constexpr int most_steps = 3;
  for (int step = 0; less_ && step < most_steps; ++step) {
    const Tried last = *less_;
    if (last.work() / m + 1 >= last.w) return;
    try_at(last.work() / m + 1);
    if (less_->work() > last.work()) less_ = last;  // rounded up between kinks
    cut_at(*less_);
  }
}

std::int64_t FittingWait::meets(const Tried& a, const Tried& b) const {
  const Wide of_a = Wide{a.work()} - Wide{m} * a.w;
  const Wide of_b = Wide{b.work()} - Wide{m} * b.w;
  if (of_a == of_b) return b.w;
  const Wide meets = a.w + of_a * (Wide{b.w} - a.w) / (of_a - of_b);
  return static_cast<std::int64_t>(std::clamp<Wide>(meets, 0, Wide{2} * longest_time));
}

/// G is mostly concave.
std::int64_t FittingWait::next_up(std::int64_t step) const {
  const std::int64_t next = at_least_ + step;
  return before_ && before_->w < most_->w ? std::max(next, meets(*before_, *most_) + 1) : next;
}

void FittingWait::find() {
  std::int64_t step = 1;
  std::int64_t wide = 0;
  while (!less_ || less_->w - at_least_ > 1) {
    if (!less_) {
      try_at(next_up(step));
      step *= 4;
      continue;
    }
    const std::int64_t least = at_least_ + 1;
    const std::int64_t most = less_->w - 1;
    std::int64_t next = at_least_ + (less_->w - at_least_) / 2;
    const bool slowly = wide != 0 && less_->w - at_least_ > wide / 2;
    if (!most_) {
      next = std::min(less_->work() / m + 1, less_->w - step);
      step *= 4;
    } else if (!slowly) {
      next = meets(*most_, *less_);
    }
    wide = less_->w - at_least_;
    try_at(std::clamp(next, least, most));
  }
  cut_at(*less_);
}

}  // namespace rta::analysis::path
