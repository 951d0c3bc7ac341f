#include "analysis/path/priority/urgent.hpp"

#include <algorithm>
#include <functional>
#include <span>

#include "rta/model/error.hpp"

namespace rta::analysis::path {
namespace {

constexpr Wide largest_scale = Wide{1} << 60U;
constexpr std::int64_t longest_interval = std::int64_t{1} << 60U;  // sums of jobs within it stay in range

Wide scale_of(const Ticks& ticks, std::size_t pool) {
  Wide scale = 1;
  for (const std::size_t k : ticks.users[pool]) {
    const Wide T = ticks.classes[k].T;
    require(T > 0, "a period is positive");
    scale = scale / gcd(scale, T) * T;
    if (scale > largest_scale) return largest_scale;  // no multiple: rates are rounded up
  }
  return scale;
}

}  // namespace

UrgentPool::UrgentPool(const Ticks& ticks, std::size_t pool)
    : ticks_(ticks),
      equals_any_(ticks.system->pools[pool].equals_any),
      processors_(ticks.system->pools[pool].capacity),
      scale_(scale_of(ticks, pool)),
      full_(checked_mul<Wide>(scale_, ticks.Q)),
      use_of_(ticks.classes.size()),
      levels_of_(ticks.classes.size()) {
  for (const std::size_t k : ticks.users[pool]) {
    const Class& c = ticks.classes[k];
    use_of_[k].resize(c.size());
    for (std::uint32_t u = 0; u < c.size(); ++u) {
      if (c.pool_of[u] != ticks.local_pool[k][pool]) continue;
      uses_.push_back({k, u, c.priority[u], c.T, c.copies * c.vol[u], c.copies * ticks.whole_ns(c.e[u]), ceil_div(scale_, Wide{c.T}),
                       ticks.system->dags[c.dags.front()].J > Time::zero(), 0, 0});
    }
  }
  std::ranges::stable_sort(uses_, std::ranges::greater(), &Use::priority);
  Wide load = 0;
  for (std::size_t i = 0; i < uses_.size(); ++i) {
    if (i == 0 || uses_[i].priority != uses_[i - 1].priority) levels_.push_back({.begin = i, .load_before = load});
    load = checked_add(load, checked_mul<Wide>(uses_[i].work.count(), uses_[i].rate));
    levels_.back().end = i + 1;
    levels_.back().load = load;
    uses_[i].level = levels_.size() - 1;
    std::vector<std::size_t>& of_class = levels_of_[uses_[i].c];
    if (of_class.empty() || of_class.back() != uses_[i].level) of_class.push_back(uses_[i].level);
    use_of_[uses_[i].c][uses_[i].u] = i;
    const Class& c = ticks.classes[uses_[i].c];
    if (c.s_up[uses_[i].u] > Tick::zero()) pieces_.push_back({i, c.s_up[uses_[i].u]});
  }
  for (Level& level : levels_) {
    if (level.load > full_) break;
    const Wide servers = ceil_div(level.load, std::max<Wide>(1, full_ / processors_));
    level.servers = static_cast<std::int64_t>(std::min<Wide>(servers, processors_));
  }
  std::ranges::stable_sort(pieces_, std::ranges::greater(), &Piece::length);
}

void UrgentPool::prepare(const PerClass& F, const PerClass& A, std::optional<std::size_t> alone) {
  const bool again = alone && alone == alone_;
  alone_ = alone;
  if (again) {  // all else stays as it is
    for (const std::size_t level : levels_of_[*alone]) {
      if (!prepare(level, F, A)) return;
    }
    return;
  }
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    if (!prepare(level, F, A)) return;
  }
}

/// False where it and those above are too much.
bool UrgentPool::prepare(std::size_t at, const PerClass& F, const PerClass& A) {
  Level& level = levels_[at];
  Wide work = at > 0 ? levels_[at - 1].work : 0;
  for (std::size_t i = level.begin; i < level.end; ++i) {
    Use& use = uses_[i];
    use.A = A[use.c][use.u];
    work += use.work.count() * (scale_ + use.A * use.rate);
  }
  if (level.load > full_) return false;
  level.work = work;
  level.carry = scale_ * carry(level, F);
  return true;
}

void UrgentPool::rise(std::size_t k, const PerClass& F, const std::vector<std::int64_t>& A) {
  const std::size_t at = levels_of_[k].front();
  Level& level = levels_[at];
  if (level.load > full_) return;
  level.work = at > 0 ? levels_[at - 1].work : 0;
  for (std::size_t i = level.begin; i < level.end; ++i) {
    Use& use = uses_[i];
    use.A = A[use.u];
    level.work += use.work.count() * (scale_ + use.A * use.rate);
  }
  level.carry = scale_ * carry(level, F);
}

/// The ceil(U) - 1 longest pieces of the level and those above, where at most ceil(F_u/T_u) jobs of u may be unfinished.
Wide UrgentPool::carry(const Level& level, const PerClass& F) const {
  std::int64_t free = level.servers - 1;
  Wide sum = 0;
  for (const Piece& piece : pieces_) {
    if (free <= 0) break;
    if (piece.use >= level.end) continue;
    const Use& use = uses_[piece.use];
    const Class& c = ticks_.classes[use.c];
    const auto count = static_cast<std::int64_t>(std::min<Wide>(free, Wide{jobs_in(F[use.c][use.u], use.T)} * c.copies));
    sum += Wide{count} * piece.length.count();
    free -= count;
  }
  return sum;
}

std::optional<UrgentPool::Demand> UrgentPool::demand(std::size_t k, std::size_t v) const {
  const Level& level = level_of(k, v);
  const Wide above = equals_any_ ? level.load : level.load_before;
  if (level.load > full_ || above >= full_) return std::nullopt;
  const Class& c = ticks_.classes[k];
  Demand demand{.carry = level.carry, .work = level.work, .own = scale_ * (c.e[v] - c.s[v]).count(), .rest = full_ - above};
  const Use& own = uses_[use_of_[k][v]];
  // v's own earlier jobs came at least a period before it, however late it is; later ones overtake it if it is later than that.
  if (!equals_any_ && !own.late) demand.work -= c.vol[v].count() * (own.A * own.rate - own.A / own.T * scale_);
  if ((demand.carry + demand.work + demand.own) / demand.rest > longest_interval) return std::nullopt;
  return demand;
}

std::int64_t UrgentPool::work_of_equals(const Asked& v, std::int64_t x) const {
  if (equals_any_) return v.at_least - v.C;
  const Level& level = levels_[uses_[v.use].level];
  std::int64_t work = own_jobs(uses_[v.use], x) * v.C + (v.at_least - v.C);
  for (std::size_t i = level.begin; i < level.end; ++i) {
    const Use& use = uses_[i];
    work += ready_jobs(use, x) * (i == v.use ? use.C - v.C : use.C);
  }
  return work;
}

std::optional<std::int64_t> UrgentPool::end_of_work(const Asked& v, std::int64_t x, std::int64_t from, std::int64_t& steps) const {
  const Level& level = levels_[uses_[v.use].level];
  const std::int64_t equals = work_of_equals(v, x);
  for (std::int64_t z = from;;) {
    if (--steps < 0) return std::nullopt;
    std::int64_t work = equals;
    for (std::size_t i = 0; above(i, level); ++i) work += jobs_in(z + uses_[i].A, uses_[i].T) * uses_[i].C;
    if (work <= z) return z;
    if (work > longest_interval) return std::nullopt;
    z = work;
  }
}

/// The next x > `x` at which more jobs of equals count.
std::int64_t UrgentPool::next_start(const Asked& v, std::int64_t x) const {
  const Level& level = levels_[uses_[v.use].level];
  const Use& own = uses_[v.use];
  std::int64_t next = own.late ? next_ready(own, x) : (x / own.T + 1) * own.T;
  for (std::size_t i = level.begin; i < level.end; ++i) {
    const Use& use = uses_[i];
    if (use.C > (i == v.use ? v.C : 0)) next = std::min(next, next_ready(use, x));
  }
  return next;
}

template <class Visit>
bool UrgentPool::visit_starts(std::size_t k, std::size_t v, Visit visit) const {
  const Level& level = level_of(k, v);
  if (processors_ != 1 || level.load > full_) return false;
  const std::int64_t C = ticks_.whole_ns(ticks_.classes[k].e[v]);
  const Asked asked{.use = use_of_[k][v], .C = C, .at_least = std::max<std::int64_t>(C, 1)};
  const std::int64_t A = uses_[asked.use].A;
  std::int64_t steps = most_steps;
  std::int64_t z = 1;
  for (std::int64_t x = 0;; x = next_start(asked, x)) {
    // Where all work is done before the next job of an equal can be ready, no interval is longer.
    if (x > 0 && (equals_any_ || z + A <= x)) return true;
    const auto end = end_of_work(asked, x, z, steps);
    if (!end || !visit(x, *end)) return false;
    z = *end;
  }
}

std::optional<UrgentPool::Busy> UrgentPool::busy(std::size_t k, std::size_t v, std::int64_t below) const {
  Busy worst;
  const bool done = visit_starts(k, v, [&](std::int64_t x, std::int64_t z) {
    if (z - x > worst.length) worst = {x, z - x};
    return z - x < below;
  });
  return done ? std::optional(worst) : std::nullopt;
}

std::vector<std::int64_t> UrgentPool::ends(std::size_t k, std::size_t v) const {
  std::vector<std::int64_t> ends;
  const bool done = visit_starts(k, v, [&](std::int64_t /*x*/, std::int64_t z) {
    ends.push_back(z);
    return true;
  });
  return done ? ends : std::vector<std::int64_t>{};
}

bool UrgentPool::gives_up(std::size_t k, std::size_t v) const {
  return processors_ == 1 && level_of(k, v).load <= full_ && ends(k, v).empty();
}

std::int64_t UrgentPool::jobs(std::size_t k, std::size_t v, std::size_t c, std::size_t u, const Busy& busy, bool own) const {
  const Level& level = level_of(k, v);
  const std::size_t i = use_of_[c][u];
  if (i >= level.end) return 0;
  if (above(i, level)) return jobs_in(busy.before + busy.length + uses_[i].A, uses_[i].T);
  return own ? own_jobs(uses_[i], busy.before) : ready_jobs(uses_[i], busy.before);
}

}  // namespace rta::analysis::path
