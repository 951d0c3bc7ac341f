#include "analysis/explain/thread_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "analysis/explain/counted_terms.hpp"
#include "analysis/inequality/thread_inequality.hpp"

namespace rta::analysis {
namespace {

std::string counted(Wide n, const char* one) { return fmt::format("{} {}{}", to_string(n), one, n == 1 ? "" : "s"); }

class ThreadLines {
 public:
  ThreadLines(const Proof& proof, const ThreadEvidence& e, DagId d)
      : set_(*proof.task_set), e_(e), b_(e.place_of(d)), body_(e.bodies[b_]), hold_(e.holds.bodies[b_]), dag_(set_.dags()[d]) {}

  std::vector<std::string> of(const Bound& bound) {
    const std::size_t pieces = std::size_t{bound.basis.place} + 1;
    const bool whole = pieces == body_.pieces.size();
    add_rule();
    line("k = {}: {} the DAG's jobs, T = {} ns", body_.threads, body_.threads == 1 ? "one thread plays" : "so many threads play",
         body_.T.count());
    add_alone(pieces);
    const std::vector<Wide> count = visits(e_, b_, pieces);
    for (std::size_t p = 0; p < count.size(); ++p) {
      if (count[p] > 0) add_waiting(p, count[p]);
    }
    line("{} = {} ns, of all these, rounded up: by then after a job has its thread {}", whole ? "H" : "sum", bound.R.count(),
         whole ? std::string("it ends") : fmt::format("'{}' ends", dag_.nodes()[dag_.topological_order()[pieces - 1]].name));
    line("H = {} ns <= k {} = {} ns: every job has a thread at its release, for at most {} of the {} are held then", hold_.H.count(),
         jitter() > Time::zero() ? "(T - J)" : "T", to_string(checked_mul(Wide{body_.threads}, Wide{body_.T.count()})),
         to_string(hold_.before), body_.threads);
    if (whole) add_rate();
    line("R = {} ns", bound.R.count());
    return std::move(lines_);
  }

 private:
  void add_rule() {
    if (std::ranges::none_of(e_.bodies, &threads::Body::spins)) {
      line("T21h: of a thread one piece at most is ready or running, so a piece waits for one piece of every other thread at most");
      return;
    }
    line(
        "T41: of a thread one piece at most is ready or running, so a piece waits for one piece of every other thread at most, of those "
        "that "
        "spin for no more than have processors");
    if (body_.spins)
      line("it spins: it keeps its processor from its first node to the end of its last, for S = {} ns at most",
           e_.holds.kept(e_.bodies, e_.pools, b_).count());
  }

  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    lines_.push_back(fmt::format(format, std::forward<Values>(values)...));
  }
  [[nodiscard]] const std::string& name(std::size_t p) const { return e_.system.system.pools[p].name; }

  void add_alone(std::size_t pieces) {
    Time e;
    FineTime rest;
    std::vector<Wide> work(e_.pools.size());
    for (std::size_t i = 0; i < pieces; ++i) {
      const threads::Piece& piece = body_.pieces[i];
      e += piece.e;
      work[piece.pool] += piece.vol - piece.s;
    }
    for (std::size_t p = 0; p < work.size(); ++p) rest += fine_ceil(work[p], e_.pools[p].rate);
    if (rest == FineTime::zero()) {
      line("alone: {} take {} ns", counted(static_cast<Wide>(pieces), "node"), e.count());
    } else {
      line("alone: of {} the sum of e, {} ns, and of (vol - s)/cap, {} ns: {} ns", counted(static_cast<Wide>(pieces), "node"), e.count(),
           text(rest), text(fine(e) + rest));
    }
  }

  void add_waiting(std::size_t p, Wide count) {
    const threads::Pool& pool = e_.pools[p];
    if (e_.holds.threads[p] <= pool.places) {
      line("'{}': nobody waits, {} for {}", name(p), counted(Wide{pool.places}, "place"), counted(Wide{e_.holds.threads[p]}, "thread"));
      return;
    }
    const Wide ahead = e_.holds.ahead(e_.bodies, e_.pools, b_, p);
    const Wide work = checked_mul(count, ahead);
    line("'{}': {} behind {} of other threads, cap = {} per ns: {} x {}/{} = {} ns", name(p), counted(count, "time"), to_string(ahead),
         to_string(pool.rate), to_string(count), to_string(ahead), to_string(pool.rate), text(fine_ceil(work, pool.rate)));
    std::vector<TermLine> terms;
    const std::vector<Wide> of = e_.holds.others(e_.bodies, e_.pools, b_, p);
    for (std::size_t y = 0; y < e_.bodies.size(); ++y) {
      const Wide others = of[y];
      const Wide longest = e_.holds.longest[y][p];
      if (others == 0 || longest == 0) continue;
      terms.push_back({fmt::format("  {}: {} x {}", set_.dags()[e_.dag_at(y)].name(), counted(others, y == b_ ? "other thread" : "thread"),
                                   to_string(longest)),
                       checked_mul(others, longest)});
    }
    std::ranges::move(shortened(terms), std::back_inserter(lines_));
  }

  [[nodiscard]] Time jitter() const { return dag_.attributes().jitter; }

  /// The rate is rounded down.
  void add_rate() {
    const Wide of_k = Wide{hold_.H.count()} + checked_mul(Wide{body_.threads}, Wide{jitter().count()});  // k T
    const Wide tenths = of_k > 0 ? Wide{body_.threads} * 10'000'000'000 / of_k : Wide{0};
    line("largest rate: H depends on no period, so T may be {} ns: {} = {}.{} jobs per second", to_string(ceil_div(of_k, body_.threads)),
         jitter() > Time::zero() ? "1/(H/k + J)" : "k/H", to_string(tenths / 10), to_string(tenths % 10));
  }

  const TaskSet& set_;
  const ThreadEvidence& e_;
  std::size_t b_;
  const threads::Body& body_;
  const threads::Hold& hold_;
  const Dag& dag_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> thread_lines(const Proof& proof, const ThreadEvidence& evidence, const Bound& bound, DagId d) {
  return ThreadLines(proof, evidence, d).of(bound);
}

std::vector<std::string> enough_threads_lines(const Proof& proof, const PathEvidence& evidence) {
  std::vector<std::string> lines;
  for (std::size_t place = 0; place < evidence.bounds.R.size(); ++place) {
    const DagId d = evidence.dag_at(place);
    const Dag& dag = proof.task_set->dags()[d];
    const auto& k = dag.attributes().threads;
    if (!k) continue;
    lines.push_back(fmt::format("T21b: '{}' ends within F = {} ns <= k {} = {} x {} ns, so no job of it waits for a thread", dag.name(),
                                proof.dags[d].bound->R.count(), dag.attributes().jitter > Time::zero() ? "(T - J)" : "T", *k,
                                dag.period().count()));
  }
  if (!lines.empty())
    lines.emplace_back("T21b: what threads play is then ready and runs as nodes on completion are, and what holds for these holds here");
  return lines;
}

}  // namespace rta::analysis
