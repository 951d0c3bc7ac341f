#include "rta/analysis/threads/hold.hpp"

#include <algorithm>

#include "rta/model/error.hpp"

namespace rta::analysis::threads {
namespace {

/// gamma on processors, theta elsewhere.
std::vector<Wide> longest_of(const Body& body, std::span<const Pool> pools) {
  std::vector<Wide> longest(pools.size());
  Wide run = 0;
  for (std::size_t i = 0; i < body.pieces.size(); ++i) {
    const Piece& piece = body.pieces[i];
    run = queues(body, pools, i) ? piece.vol : checked_add(run, piece.vol);
    longest[piece.pool] = std::max(longest[piece.pool], run);
  }
  return longest;
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
  return piece == 0 || body.pieces[piece - 1].pool != p || !pools[p].processors;
}

Wide Holds::ahead(std::span<const Body> bodies_of, std::span<const Pool> pools, std::size_t b, std::size_t p) const {
  if (threads[p] <= pools[p].places) return 0;
  Wide work = 0;
  for (std::size_t y = 0; y < bodies_of.size(); ++y) {
    const Wide others = Wide{bodies_of[y].threads} - (y == b ? 1 : 0);
    work = checked_add(work, checked_mul(others, longest[y][p]));
  }
  return work;
}

Holds holds(std::span<const Body> bodies, std::span<const Pool> pools) {
  Holds result;
  result.threads.resize(pools.size());
  for (const Body& body : bodies) {
    require(body.T > Time::zero() && body.threads > 0, "a body has threads, and its DAG a period");
    result.longest.push_back(longest_of(body, pools));
    std::vector<bool> visited(pools.size());
    for (const Piece& piece : body.pieces) visited[piece.pool] = true;
    for (std::size_t p = 0; p < pools.size(); ++p) {
      if (visited[p]) result.threads[p] = checked_add(result.threads[p], std::uint64_t{body.threads});
    }
  }
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
