// T10a and T10v: which releases of one DAG put most into the windows of a path.
#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <functional>
#include <limits>
#include <optional>

#include "analysis/path/aligned/aligned.hpp"

namespace rta::analysis::path {
namespace {

using Firsts = boost::container::small_vector<std::int64_t, 4>;

/// A release that may be one of a best sequence, with the most that sequences ending in it hold.
struct Candidate {
  std::int64_t x = 0;
  Tick best;
  std::size_t before = 0;  // the candidate before it, plus 1; 0: none
  Counted job;
};

/// T10v: what is left of a job's `work` on the FIFO pool, whichever j of its strands have some of it executed while the path waits there.
/// Work of the others may have kept those from running while the path executed.
Tick overlapped_work(Tick work, std::int64_t x, const Early& early) {
  boost::container::small_vector<Tick, 16> parts;
  for (const EndsOnPool& part : early.strands->parts) parts.push_back(part.after(x));
  std::ranges::sort(parts, std::greater());
  const Tick further = x >= early.strands->F_R ? early.less : early.further;
  const std::int64_t most_strands = std::min(early.count, static_cast<std::int64_t>(parts.size()));
  const auto loss = [&](std::int64_t j) { return j == 0 ? Tick::zero() : early.less + (j - 1) * further; };
  Tick most = std::max(Tick::zero(), work - loss(most_strands));
  Tick sum;
  for (std::int64_t j = 0; j < most_strands; ++j) {
    const Wide instead = ceil_div(Wide{(work - sum).count()} * (early.given - early.count + j), Wide{early.m});
    most = std::max(most, sum + Tick::narrow(instead) - loss(j));
    sum += parts[static_cast<std::size_t>(j)];
  }
  return std::min(work, most);
}

Counted count(std::span<const Window> windows, std::int64_t x, const Early& early) {
  Counted job{x, {}, {}};
  for (const Window& window : windows) {
    if (x < window.first) continue;
    const Tick work = window.ends->after(x, window.turns);
    job.work += work;
    if (window.queue && x >= early.from && x < early.to) job.saved = work - overlapped_work(work, x, early);
  }
  job.work -= job.saved;
  return job;
}

std::int64_t end_of(std::span<const Window> windows) {
  std::int64_t end = std::numeric_limits<std::int64_t>::min();
  for (const Window& window : windows) end = std::max(end, window.ends->last());
  return end;
}

/// From where on a job counts more than just before: work only falls as x rises in between.
Firsts left_ends(std::span<const Window> windows, const Early& early) {
  Firsts ends;
  for (const Window& window : windows) ends.push_back(window.first);
  if (early.less > Tick::zero()) ends.push_back(early.to);
  return ends;
}

std::int64_t number_of(const Firsts& firsts, std::int64_t end, std::int64_t T) {
  std::int64_t number = 0;
  for (const std::int64_t first : firsts) number += jobs_in(end - first, T);
  return number;
}

/// The most that releases at least T apart put into the windows.
Tick most_of(std::span<const Window> windows, std::int64_t T, const Early& early, const Firsts& firsts) {
  struct Release {
    std::int64_t x = 0;
    Tick best;  // of sequences that end in it
  };
  boost::container::small_vector<Release, 16> releases;
  const std::int64_t end = end_of(windows);
  for (const std::int64_t first : firsts) {
    for (std::int64_t x = first; x < end; x += T) releases.push_back({x, {}});
  }
  std::ranges::sort(releases, {}, &Release::x);
  auto far = releases.begin();  // releases before it are at least T away
  Tick of_far;
  Tick most;
  for (Release& here : releases) {
    for (; far->x <= here.x - T; ++far) of_far = std::max(of_far, far->best);
    here.best = of_far + count(windows, here.x, early).work;
    most = std::max(most, here.best);
  }
  return most;
}

}  // namespace

std::int64_t number_of_candidates(std::span<const Window> windows, std::int64_t T, const Early& early) {
  return number_of(left_ends(windows, early), end_of(windows), T);
}

Tick most_aligned(std::span<const Window> windows, std::int64_t T, const Early& early, std::vector<Counted>* jobs) {
  const std::int64_t end = end_of(windows);
  const auto firsts = left_ends(windows, early);
  const std::int64_t number = number_of(firsts, end, T);
  if (number > most_candidates) {
    Wide sum = 0;
    for (const Window& window : windows) sum += window.ends->one_by_one(window.first, T);
    return to_tick(sum);
  }

  if (firsts.size() == 1 && jobs == nullptr) {  // as early and as dense as they can be
    Tick sum;
    for (std::int64_t x = firsts.front(); x < end; x += T) sum += windows.front().ends->after(x, windows.front().turns);
    return sum;
  }
  if (jobs == nullptr) return most_of(windows, T, early, firsts);
  boost::container::small_vector<Candidate, 16> candidates;
  candidates.reserve(static_cast<std::size_t>(number));
  for (const std::int64_t first : firsts) {
    for (std::int64_t x = first; x < end; x += T) candidates.push_back({x, {}, 0, {}});
  }
  std::ranges::sort(candidates, {}, &Candidate::x);
  std::size_t far = 0;   // candidates before it are at least T away
  std::size_t most = 0;  // the best of these, plus 1
  std::size_t best = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    Candidate& here = candidates[i];
    for (; far < i && candidates[far].x <= here.x - T; ++far) {
      if (most == 0 || candidates[far].best > candidates[most - 1].best) most = far + 1;
    }
    here.job = count(windows, here.x, early);
    here.before = most;
    here.best = here.job.work + (most == 0 ? Tick::zero() : candidates[most - 1].best);
    if (best == 0 || here.best > candidates[best - 1].best) best = i + 1;
  }
  for (std::size_t i = best; i != 0; i = candidates[i - 1].before) {
    if (candidates[i - 1].job.work + candidates[i - 1].job.saved > Tick::zero()) jobs->push_back(candidates[i - 1].job);
  }
  std::ranges::reverse(*jobs);
  return best == 0 ? Tick::zero() : candidates[best - 1].best;
}

namespace {

constexpr std::size_t most_chosen = 3;  // FIFO pools of which each may be chosen; of more all or none

/// The windows that are not of `chosen`, which names places in `limited`.
[[nodiscard]] boost::container::small_vector<Window, 4> without(std::span<const Window> windows, std::span<const Together> limited,
                                                                std::uint64_t chosen) {
  boost::container::small_vector<Window, 4> rest;
  for (const Window& window : windows) {
    bool left_out = false;
    for (std::size_t i = 0; i < limited.size(); ++i) left_out = left_out || ((chosen >> i & 1) != 0 && limited[i].local == window.local);
    if (!left_out) rest.push_back(window);
  }
  return rest;
}

}  // namespace

Tick least_aligned(std::span<const Window> windows, std::int64_t T, std::vector<Counted>* jobs, std::vector<Together>* together) {
  boost::container::small_vector<Together, 4> limited;
  const auto queues = static_cast<std::size_t>(std::ranges::count_if(windows, [](const Window& w) { return w.turns != SIZE_MAX; }));
  for (const Window& window : windows) {
    if (window.turns == SIZE_MAX) continue;
    // Where each may be chosen what gains nothing may be left out; else that would not be monotone.
    if (queues <= most_chosen && !window.ends->some_chain_ends_within(T)) continue;
    const std::int64_t releases = jobs_in(window.ends->last() - window.first, T);
    if (releases < 2 || window.ends->longest_chain() * static_cast<std::size_t>(releases) <= window.turns) continue;
    limited.push_back({window.local, window.turns, window.ends->after_all(window.first, T, window.turns)});
  }
  if (limited.empty()) return most_aligned(windows, T, {}, jobs);
  const bool each = queues <= most_chosen;
  const std::uint64_t all = each ? (std::uint64_t{1} << limited.size()) - 1 : ~std::uint64_t{0};
  std::uint64_t best = 0;
  std::optional<Tick> least;
  for (std::uint64_t chosen = windows.size() == 1 ? all : 0;; chosen = each ? chosen + 1 : all) {
    const auto rest = without(windows, {limited.data(), limited.size()}, chosen);
    Tick sum = rest.empty() ? Tick::zero() : most_aligned({rest.data(), rest.size()}, T, {});
    for (std::size_t i = 0; i < limited.size(); ++i) sum += (chosen >> i & 1) != 0 ? limited[i].work : Tick::zero();
    if (!least || sum < *least) {
      least = sum;
      best = chosen;
    }
    if (chosen == all) break;
  }
  const auto rest = without(windows, {limited.data(), limited.size()}, best);
  if (jobs != nullptr && !rest.empty()) static_cast<void>(most_aligned({rest.data(), rest.size()}, T, {}, jobs));
  for (std::size_t i = 0; together != nullptr && i < limited.size(); ++i) {
    if ((best >> i & 1) != 0) together->push_back(limited[i]);
  }
  return *least;
}

Tick work_at_once(std::span<const Window> windows, std::int64_t T, std::vector<Counted>* jobs, std::vector<Together>* together) {
  boost::container::small_vector<Window, 4> rest;
  Tick sum;
  for (const Window& window : windows) {
    if (window.turns == SIZE_MAX) {
      rest.push_back(window);
      continue;
    }
    const Tick in_turns = window.ends->after_all(window.first, T, window.turns);
    sum += std::min(in_turns, window.most);
    if (together != nullptr) together->push_back({window.local, window.turns, std::min(in_turns, window.most), window.most < in_turns});
  }
  return rest.empty() ? sum : sum + most_aligned({rest.data(), rest.size()}, T, {}, jobs);
}

}  // namespace rta::analysis::path
