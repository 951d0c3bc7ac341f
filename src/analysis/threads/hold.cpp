#include "rta/analysis/threads/hold.hpp"

#include <algorithm>

#include "rta/model/error.hpp"

namespace rta::analysis::threads {
namespace {

/// gamma on processors, theta elsewhere; on those that a thread keeps while it spins nothing yet.
std::vector<Wide> longest_of(const Body& body, std::span<const Pool> pools) {
  std::vector<Wide> longest(pools.size());
  Wide run = 0;
  for (std::size_t i = 0; i < body.pieces.size(); ++i) {
    const Piece& piece = body.pieces[i];
    if (body.spins && pools[piece.pool].processors) continue;
    run = queues(body, pools, i) ? piece.vol : checked_add(run, piece.vol);
    longest[piece.pool] = std::max(longest[piece.pool], run);
  }
  return longest;
}

/// As long as a job that has its processor: its pieces, and on the pools that are none of processors what is ahead of them.
Time kept_by(std::span<const Body> bodies, std::span<const Pool> pools, const Holds& holds, std::size_t b) {
  std::vector<Wide> work(pools.size());
  FineTime sum;
  for (const Piece& piece : bodies[b].pieces) {
    sum += fine(piece.e);
    work[piece.pool] = checked_add(work[piece.pool], checked_sub(piece.vol, piece.s));
    if (!pools[piece.pool].processors) work[piece.pool] = checked_add(work[piece.pool], holds.ahead(bodies, pools, b, piece.pool));
  }
  for (std::size_t p = 0; p < pools.size(); ++p) sum += fine_ceil(work[p], pools[p].rate);
  return ceil_to_time(sum);
}

/// Units of work per ns.
Wide of_one_processor(const Pool& pool) { return pool.rate / static_cast<Wide>(pool.places); }

/// T41: what threads that spin are to others on their processors.
void keep_processors(std::span<const Body> bodies, std::span<const Pool> pools, Holds& holds) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (!bodies[b].spins) continue;
    const std::size_t p = bodies[b].pieces.front().pool;
    holds.longest[b][p] = checked_mul(Wide{kept_by(bodies, pools, holds, b).count()}, of_one_processor(pools[p]));
  }
}

/// That it has one pool of processors to spin on, from its first piece on.
void check_spinning(const Body& body, std::span<const Pool> pools) {
  require(!body.pieces.empty(), "a thread that spins has pieces");
  const std::size_t p = body.pieces.front().pool;
  require(pools[p].processors && pools[p].places > 0 && pools[p].rate % static_cast<Wide>(pools[p].places) == 0,
          "a thread that spins has processors to spin on");
  require(std::ranges::all_of(body.pieces, [&](const Piece& piece) { return piece.pool == p || !pools[piece.pool].processors; }),
          "a thread spins on one pool");
}

/// H, piece by piece: sum of e + sum over the pools of (vol - s of its pieces + how often it queues times what is ahead)/rate.
std::vector<Time> ends_of(std::span<const Body> bodies, std::span<const Pool> pools, const Holds& holds, std::size_t b) {
  const Body& body = bodies[b];
  std::vector<Time> ends;
  ends.reserve(body.pieces.size());
  std::vector<Wide> work(pools.size());
  Time alone;
  for (std::size_t i = 0; i < body.pieces.size(); ++i) {
    const Piece& piece = body.pieces[i];
    alone += piece.e;
    Wide& here = work[piece.pool];
    here = checked_add(here, checked_sub(piece.vol, piece.s));
    if (queues(body, pools, i)) here = checked_add(here, holds.ahead(bodies, pools, b, piece.pool));
    FineTime sum = fine(alone);
    for (std::size_t p = 0; p < pools.size(); ++p) sum += fine_ceil(work[p], pools[p].rate);
    ends.push_back(ceil_to_time(sum));
  }
  return ends;
}

}  // namespace

bool queues(const Body& body, std::span<const Pool> pools, std::size_t piece) {
  const std::size_t p = body.pieces[piece].pool;
  if (body.spins && piece > 0 && pools[p].processors) return false;
  return piece == 0 || body.pieces[piece - 1].pool != p || !pools[p].processors;
}

Time Holds::kept(std::span<const Body> bodies_of, std::span<const Pool> pools, std::size_t b) const {
  const std::size_t p = bodies_of[b].pieces.front().pool;
  return Time(static_cast<std::int64_t>(longest[b][p] / of_one_processor(pools[p])));
}

std::vector<Wide> Holds::others(std::span<const Body> bodies_of, std::span<const Pool> pools, std::size_t b, std::size_t p) const {
  std::vector<Wide> count(bodies_of.size());
  if (threads[p] <= pools[p].places) return count;
  std::vector<std::size_t> spinning;  // that wait for pieces here, by the length of these
  std::vector<Wide> free(pools.size());
  for (std::size_t c = 0; c < pools.size(); ++c) free[c] = static_cast<Wide>(pools[c].places);
  if (bodies_of[b].spins) --free[bodies_of[b].pieces.front().pool];
  for (std::size_t y = 0; y < bodies_of.size(); ++y) {
    if (bodies_of[y].spins && !pools[p].processors) {
      spinning.push_back(y);
    } else {
      count[y] = Wide{bodies_of[y].threads} - (y == b ? 1 : 0);
    }
  }
  std::ranges::stable_sort(spinning, [&](std::size_t x, std::size_t y) { return longest[x][p] > longest[y][p]; });
  for (const std::size_t y : spinning) {
    Wide& processors = free[bodies_of[y].pieces.front().pool];
    count[y] = std::min(Wide{bodies_of[y].threads} - (y == b ? 1 : 0), processors);
    processors -= count[y];
  }
  return count;
}

Wide Holds::ahead(std::span<const Body> bodies_of, std::span<const Pool> pools, std::size_t b, std::size_t p) const {
  const std::vector<Wide> count = others(bodies_of, pools, b, p);
  Wide work = 0;
  for (std::size_t y = 0; y < count.size(); ++y) work = checked_add(work, checked_mul(count[y], longest[y][p]));
  return work;
}

Holds holds(std::span<const Body> bodies, std::span<const Pool> pools) {
  Holds result;
  result.threads.resize(pools.size());
  for (const Body& body : bodies) {
    require(body.T > Time::zero() && body.threads > 0, "a body has threads, and its DAG a period");
    if (body.spins) check_spinning(body, pools);
    result.longest.push_back(longest_of(body, pools));
    std::vector<bool> visited(pools.size());
    for (const Piece& piece : body.pieces) visited[piece.pool] = true;
    for (std::size_t p = 0; p < pools.size(); ++p) {
      if (visited[p]) result.threads[p] = checked_add(result.threads[p], std::uint64_t{body.threads});
    }
  }
  keep_processors(bodies, pools, result);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = bodies[b];
    Hold& hold = result.bodies.emplace_back();
    hold.ends = ends_of(bodies, pools, result, b);
    hold.H = hold.ends.empty() ? Time::zero() : hold.ends.back();
    hold.A = Time::zero();
    for (const std::size_t u : body.after) {
      require(u < b, "bodies stand after those before them");
      const Hold& first = result.bodies[u];
      hold.overtaken = hold.overtaken || first.overtaken || bodies[u].threads > 1;
      hold.A = hold.A && first.F ? std::optional(std::max(*hold.A, *first.F)) : std::nullopt;
    }
    if (!hold.A) continue;
    hold.before = std::max<Wide>(ceil_div(hold.H.count(), body.T.count()) - 1, 0);
    if (hold.overtaken) hold.before += floor_div(hold.A->count(), body.T.count());
    if (hold.before < body.threads) hold.F = *hold.A + hold.H;
  }
  return result;
}

}  // namespace rta::analysis::threads
