// The jobs of a hyperperiod, and of the hyperperiods before and after it, in the order in which they may start on each pool.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "rta/analysis/periodic/job_windows.hpp"

namespace rta::analysis::periodic {

/// Number of jobs of all nodes in a hyperperiod, and its length; none where that passes what numbers hold.
struct Size {
  std::int64_t hyperperiod = 0;
  std::size_t jobs = 0;
};
[[nodiscard]] std::optional<Size> size_of(const System& system);

struct Waited {
  std::int64_t ready = 0;   // rho
  std::uint64_t aside = 0;  // i
  Wide work = 0;            // W_i(x)
  std::int64_t waiting = 0;
  std::int64_t end = 0;
};

class JobTable {
 public:
  static constexpr std::size_t most_related = 2'048;  // nodes of a DAG; in larger ones nodes after one count beside it, too
  /// No end later than `periods` after the nominal release is looked for. Throws `Overflow` where instants leave their range.
  JobTable(const System& system, const Size& size, std::int64_t periods);

  [[nodiscard]] std::size_t size() const { return node_of_.size(); }
  [[nodiscard]] std::size_t job(std::size_t d, std::size_t v, std::size_t n) const { return nodes_[first_[d] + v].first + n; }
  [[nodiscard]] std::size_t releases(std::size_t d) const { return releases_[d]; }
  [[nodiscard]] std::int64_t hyperperiod() const { return H_; }
  [[nodiscard]] std::int64_t release(std::size_t j) const { return release_[j]; }
  [[nodiscard]] std::int64_t earliest(std::size_t j) const { return earliest_[j]; }
  /// A later end does not matter: another theorem has this one, or it is so many periods after the release.
  [[nodiscard]] std::int64_t limit(std::size_t j) const { return limit_[j]; }
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  [[nodiscard]] const Node& node(std::size_t j) const { return *nodes_[node_of_[j]].node; }
  [[nodiscard]] const Pool& pool(std::size_t j) const { return system_.pools[node(j).pool]; }
  [[nodiscard]] const Dag& dag(std::size_t j) const { return system_.dags[nodes_[node_of_[j]].dag]; }
  [[nodiscard]] std::size_t dag_of(std::size_t j) const { return nodes_[node_of_[j]].dag; }
  [[nodiscard]] std::size_t node_in_dag(std::size_t j) const { return node_of_[j] - first_[dag_of(j)]; }
  [[nodiscard]] std::size_t number(std::size_t j) const { return j - nodes_[node_of_[j]].first; }
  /// In the order in which they may start.
  [[nodiscard]] std::span<const std::size_t> order() const { return order_; }

  /// The latest end of each job; an end of its own, which is no earlier, is told by `set_end`.
  [[nodiscard]] std::int64_t end(std::size_t j) const { return end_[j]; }
  void set_end(std::size_t j, std::int64_t end) {
    end_[j] = end;
    std::int64_t& longest = longest_[node(j).pool];
    longest = std::max(longest, end - earliest_[j]);
  }

  /// rho_j; `by(k)` is told of the job that may end last, or of none.
  [[nodiscard]] std::int64_t ready(std::size_t j, std::optional<std::size_t>* by = nullptr, bool* previous = nullptr) const;
  /// T35's inequality with these ends; `note(k, shift, counted, pieces, started)` is told of every job that counts.
  template <class Note>
  [[nodiscard]] Waited wait(std::size_t j, const Note& note);
  /// Calls `use(k)` for jobs whose inequality may count j, and for those that wait for it.
  template <class Use>
  void for_affected(std::size_t j, const Use& use);
  /// Looks at another job for one.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  struct NodeJobs {
    const Node* node = nullptr;
    std::size_t dag = 0;
    std::size_t first = 0;                     // job
    std::vector<std::size_t> successors = {};  // nodes of the DAG
  };
  struct Entry {
    std::int64_t at = 0;     // the earliest start, in [0, H)
    std::int64_t shift = 0;  // so much later than the job's own
    std::size_t job = 0;
  };
  enum class Relation : std::uint8_t { none, urgent, equal, later };

  void relate(std::size_t d);
  /// Whether k, shifted, is the job itself, one before or one after it.
  [[nodiscard]] bool excluded(std::size_t j, std::size_t k, std::int64_t shift) const;
  /// How k stands to j: may go first whenever it is ready, if it was ready first, or only if it has started before.
  [[nodiscard]] Relation relation(std::size_t j, std::size_t k, std::int64_t shift) const;
  /// Jobs of a pool from the first that may start at `from` on, while `use(k, shift, at)` is true.
  template <class Use>
  void scan(std::size_t pool, std::int64_t from, const Use& use);

  const System& system_;
  std::int64_t H_;
  std::vector<std::size_t> first_;     // DAG -> its first node
  std::vector<std::size_t> releases_;  // DAG -> jobs in a hyperperiod
  std::vector<NodeJobs> nodes_;
  std::vector<std::vector<std::vector<bool>>> related_;  // DAG, node, node: one before the other; empty: not known
  std::vector<std::size_t> node_of_;                     // job -> index into nodes_
  std::vector<std::int64_t> release_, earliest_, limit_, end_;
  std::vector<std::size_t> order_;
  std::vector<std::vector<Entry>> entries_;  // pool -> by earliest start
  std::vector<std::int64_t> longest_;        // pool -> the longest window
  std::uint64_t steps_ = 0;
  struct Started {
    std::int64_t counted = 0;
    std::size_t job = 0;
    std::int64_t shift = 0;
  };
  std::vector<Started> started_;  // of one inequality

  /// Lengths of pieces: their sum, and the longest of them, as many as there are servers.
  class Lengths {
   public:
    void clear(std::uint64_t servers) {
      servers_ = servers;
      total_ = 0;
      kept_ = 0;
      longest_.clear();
    }
    void add(std::int64_t length, std::uint64_t count);
    /// The least, over i below the servers, of what all but the i longest keep the other servers busy for.
    void put_into(Waited& result, bool up) const;

   private:
    struct Group {
      std::int64_t length = 0;
      std::uint64_t count = 0;
    };
    std::uint64_t servers_ = 1;
    Wide total_ = 0;
    std::uint64_t kept_ = 0;
    std::vector<Group> longest_;
  };
  Lengths lengths_;  // likewise
};

template <class Use>
void JobTable::scan(std::size_t pool, std::int64_t from, const Use& use) {
  const std::vector<Entry>& entries = entries_[pool];
  if (entries.empty()) return;
  std::int64_t round = static_cast<std::int64_t>(floor_div(from, H_));
  auto at = std::ranges::lower_bound(entries, from - round * H_, {}, &Entry::at);
  while (true) {
    if (at == entries.end()) {
      at = entries.begin();
      ++round;
    }
    ++steps_;
    if (!use(at->job, round * H_ + at->shift, round * H_ + at->at)) return;
    ++at;
  }
}

template <class Note>
Waited JobTable::wait(std::size_t j, const Note& note) {
  Waited result;
  const Node& own = node(j);
  const Pool& on = pool(j);
  const std::int64_t rho = result.ready = ready(j);
  // A piece that may be interrupted ends with its last instant; the others wait for a start.
  const std::int64_t C = on.preemptive ? std::max<std::int64_t>(1, own.C.count()) : own.C.count();
  lengths_.clear(on.servers);
  const auto add = [&](std::size_t k, std::int64_t shift, std::int64_t length, std::uint64_t pieces, bool started) {
    lengths_.add(length, pieces);
    note(k, shift, length, pieces, started);
  };
  if (own.pieces > 1) add(j, 0, own.C.count(), own.pieces - 1, false);
  const auto counted = [&](std::size_t k, std::int64_t shift) { return std::min(node(k).C.count(), end_[k] + shift - rho); };
  // Those that start by rho may, and further ones up to x, where x itself counts unless a start is over by then.
  std::int64_t x = rho;
  const auto grow = [&] {
    lengths_.put_into(result, on.preemptive);
    const Wide instant = Wide{rho} + result.waiting + (on.preemptive ? C - 1 : 0);
    if (instant > never / 4) throw_overflow("the end of a job");
    x = static_cast<std::int64_t>(instant);
  };
  started_.clear();
  bool later = false;
  const auto end_started = [&] {
    later = true;
    const std::size_t most = std::min<std::size_t>(on.servers, started_.size());
    std::ranges::partial_sort(started_, started_.begin() + static_cast<std::ptrdiff_t>(most), std::ranges::greater{}, &Started::counted);
    for (std::size_t i = 0; i < most; ++i) add(started_[i].job, started_[i].shift, started_[i].counted, 1, true);
    grow();
  };
  scan(own.pool, rho - longest_[own.pool] + 1, [&](std::size_t k, std::int64_t shift, std::int64_t at) {
    if (at > rho) {
      if (!later) end_started();
      if (on.order == Order::ready) return false;
      if (at > x) grow();
      if (at > x || x >= limit_[j]) return false;
    }
    if (end_[k] + shift <= rho || excluded(j, k, shift)) return true;
    switch (relation(j, k, shift)) {
      case Relation::none: return true;
      case Relation::later:
        if (!later && !on.preemptive) started_.push_back({counted(k, shift), k, shift});
        return true;
      case Relation::equal:
        if (later) return true;
        break;
      case Relation::urgent: break;
    }
    add(k, shift, counted(k, shift), node(k).pieces, false);
    return true;
  });
  if (!later) end_started();
  grow();
  result.end = rho + result.waiting + C;
  return result;
}

template <class Use>
void JobTable::for_affected(std::size_t j, const Use& use) {
  const NodeJobs& of = nodes_[node_of_[j]];
  for (const std::size_t w : of.successors) use(nodes_[first_[of.dag] + w].first + number(j));
  if (of.node->sequential) use(of.first + (number(j) + 1) % releases_[of.dag]);
  const std::size_t p = of.node->pool;
  if (system_.pools[p].order == Order::unknown) return;
  scan(p, earliest_[j] - longest_[p], [&](std::size_t k, std::int64_t shift, std::int64_t at) {
    if (at > end_[j]) return false;
    if (end_[k] + shift >= earliest_[j]) use(k);
    return true;
  });
}

}  // namespace rta::analysis::periodic
