// What the theorems on whole DAGs share: of each kind of job, paths and what they may be kept waiting by.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "aligned.hpp"
#include "backlog.hpp"
#include "parallel.hpp"
#include "path.hpp"
#include "system.hpp"
#include "upstream.hpp"
#include "urgent.hpp"
#include "whole.hpp"

namespace checker {

class Paths::Content {
 public:
  Content(const TaskSet& of, const Certificate& certificate, const std::vector<std::size_t>& dags, bool in_turn);
  [[nodiscard]] Int least(std::size_t k, std::size_t v, std::string_view rule);
  [[nodiscard]] std::size_t job_of(std::size_t d, std::size_t segment) const;
  /// (6) with the z that the claim gives, else (5).
  [[nodiscard]] Int T11j(std::size_t k, std::size_t v);
  /// T10j, T10g or T11j, whichever the node's pool asks for, where releases are late.
  [[nodiscard]] Int T12j(std::size_t k, std::size_t v);
  /// With the cuts that the claim gives; `late`: T12w.
  [[nodiscard]] Int T10w(std::size_t k, std::size_t v, bool late);
  /// Likewise.
  [[nodiscard]] Int T39(std::size_t k, std::size_t v);
  /// With the chains that the claim gives, of DAG d; `late`: T12m.
  [[nodiscard]] Int T10m(std::size_t d, std::size_t k, std::size_t v, bool late);
  void check(std::size_t k, const std::vector<Share>& shares) const;
  void check_lanes(std::size_t k) const;
  void check_families(std::size_t k) const;

  const TaskSet& set;
  const Certificate& certificate;
  System system;

 private:
  using Given = std::vector<std::tuple<std::size_t, Int, Int, Int>>;  // kind, FROM, jobs, strands of each
  struct Aligned;
  /// A path's waiting in one of its slots.
  struct Waiting {
    const Slot& slot;
    std::size_t queue;
    Order order;
    const Limits& limits;
    /// lim_u; none: nothing of it counts.
    [[nodiscard]] std::optional<Int> until(Int key_of_u) const { return slot.has(key_of_u) ? lim(order, limits, key_of_u) : std::nullopt; }
    [[nodiscard]] std::optional<Int> until(const Item& u) const { return u.queue == queue && u.vol > 0 ? until(u.key) : std::nullopt; }
  };

  [[nodiscard]] Int blocked(std::size_t k, std::size_t v) const;
  [[nodiscard]] Int blocks_there(std::size_t k, std::size_t v) const;
  void add(std::vector<Way>& ways, Way added, const std::optional<Overlap>& overlap) const;
  [[nodiscard]] Limit limit_of(const Job& job, std::size_t q, const std::optional<Int>& last) const;
  void set_limits(std::size_t k);
  [[nodiscard]] Limits limits_beside(std::size_t k, std::size_t v) const;
  /// Of local queues `in_full` nodes add e in place of e - s/cap.
  [[nodiscard]] std::vector<std::vector<Way>> ways_of(std::size_t k, bool blocked, const std::vector<bool>& in_full = {}) const;
  [[nodiscard]] Waiting waiting_at(std::size_t k, std::size_t v, std::size_t slot) const;
  [[nodiscard]] Int waiting(std::size_t k, std::size_t v, std::size_t slot, bool with_itself = true) const;
  [[nodiscard]] std::optional<Int> carried(std::size_t k, std::size_t v, std::size_t local);
  /// The longest way to v, with what it waits for in each slot that it pays for, in the grid.
  [[nodiscard]] Int longest(std::size_t k, std::size_t v, const std::function<Int(std::size_t slot)>& wait) const;
  [[nodiscard]] bool has_slices_before(std::size_t k, std::size_t v) const;
  [[nodiscard]] Int T10n(std::size_t k, std::size_t v, bool with_carried);
  [[nodiscard]] Int late_releases(std::size_t k, std::size_t v, std::size_t slot, bool with_itself) const;
  [[nodiscard]] Int T12(std::size_t k, std::size_t v) const;
  [[nodiscard]] Int T14(std::size_t k, std::size_t v) const;
  struct Asked;
  [[nodiscard]] const Parallel& parallel(std::size_t k, std::optional<std::size_t> only);
  void need_parallel(const Job& job) const;
  [[nodiscard]] Int T10p(std::size_t k, std::size_t v);
  void need_started(const Job& job) const;
  struct WholeOf;
  [[nodiscard]] Int window(std::size_t k, std::size_t v) const;
  /// T10d's I: beside a job in a window of so many ns.
  struct Beside {
    const Job& job;
    Waiting wait;
    Int L, processors;
    bool late;               // T12d
    bool of_urgent = false;  // what jobs have left by their age is asked of more urgent DAGs alone
  };
  [[nodiscard]] Int whole(const Beside& beside);
  [[nodiscard]] Int whole(std::size_t k, std::size_t v, std::size_t slot, Int processors, bool late);
  [[nodiscard]] std::optional<Left> left(std::size_t kind, bool late);
  struct Pieces;
  [[nodiscard]] Pieces started(std::size_t k, std::size_t v, std::size_t local, Int processors) const;
  [[nodiscard]] Int most_pieces(const Job& job, std::size_t v, std::size_t local) const;
  [[nodiscard]] std::optional<Int> on_fewer(std::size_t k, std::size_t v, Int enough);
  [[nodiscard]] Int T10d(std::size_t k, std::size_t v, bool late);
  [[nodiscard]] Int within_cuts(std::size_t k, std::size_t v, bool late);
  [[nodiscard]] Int beside_chains(std::size_t d, std::size_t k, std::size_t v, bool late);
  [[nodiscard]] Int work_of_all_jobs(const Asked& of, Int w) const;
  [[nodiscard]] bool fits(std::size_t queue) const;
  [[nodiscard]] Int work_of_jobs(const Asked& of, std::size_t kind, bool own, Int w) const;
  [[nodiscard]] Int work_of_job(const Asked& of, Int w, bool at_all);
  [[nodiscard]] std::pair<Int, Int> fitting(const Asked& of, Int cut);
  [[nodiscard]] std::vector<Way> ways_of_waiting(std::size_t k, std::size_t v) const;
  [[nodiscard]] Int earlier(const Job& job, std::size_t u) const;
  [[nodiscard]] std::size_t turns(const Aligned& of, std::size_t local) const;
  [[nodiscard]] Int waits_of(const Aligned& of, std::uint64_t mask) const;
  /// What the node's own DAG has on a queue: the job itself, and its others.
  struct OwnJobs {
    Int itself = 0, others = 0;
  };
  /// T10f: what is executed on a FIFO queue while paths wait there, at most: of all (of its own DAG: other) jobs of each; of the job
  /// itself.
  struct AtOnceOnPaths {
    std::vector<Int> jobs;
    Int itself = 0;
  };
  struct UnderWay {
    std::size_t queues = 0;
    std::vector<std::optional<AtOnceOnPaths>> at;  // item * queues + local queue
    std::vector<std::vector<Way>> ways;
    [[nodiscard]] const AtOnceOnPaths* on(std::size_t v, std::size_t local) const {
      const auto& of = at[v * queues + local];
      return of ? &*of : nullptr;
    }
  };
  [[nodiscard]] const UnderWay& under_way(std::size_t k);
  [[nodiscard]] std::size_t another(std::size_t kind, std::size_t k) const;
  [[nodiscard]] Int T10f(std::size_t k, std::size_t v);
  [[nodiscard]] OwnJobs in_turns(const Aligned& of, std::size_t local, std::size_t turns, Int later) const;
  [[nodiscard]] Int own(const Aligned& of, std::size_t slot) const;
  [[nodiscard]] std::vector<Window> windows(const Aligned& of, std::uint64_t mask, std::size_t kind) const;
  [[nodiscard]] Int interference(const Aligned& of, std::uint64_t mask, std::size_t kind) const;
  [[nodiscard]] Int saved(const Aligned& of, const Way& way, const Given& given);
  [[nodiscard]] Int T10a(std::size_t k, std::size_t v, bool started, const std::vector<Given>& given);
  [[nodiscard]] std::vector<Given> given_to(std::size_t k) const;
  [[nodiscard]] const Strands& strands(std::size_t kind, std::size_t queue);

  std::vector<std::map<std::size_t, Ends>> ends_;       // kind, queue
  std::vector<std::vector<Limits>> limits_;             // kind -> item * queues + local queue
  std::vector<std::vector<Int>> ready_;                 // likewise: the largest A_q
  std::vector<std::vector<std::size_t>> visits_;        // likewise: the most nodes of a path to the item
  std::vector<std::vector<std::vector<Way>>> ways_;     // kind, item -> of the paths that end in it
  std::vector<std::vector<std::vector<Way>>> started_;  // likewise without Blk; empty where that is no choice
  std::map<std::size_t, Backlog> backlogs_;             // queue
  mutable std::map<std::pair<std::size_t, std::vector<Int>>, Int>
      on_an_sm_;                                                      // queue, largest block of each class -> the most that one holds
  std::map<std::size_t, Upstream> upstream_;                          // queue
  std::map<std::size_t, Urgent> urgent_;                              // likewise
  std::optional<System> nominal_;                                     // T12j's
  std::map<std::pair<std::size_t, bool>, std::optional<Left>> left_;  // kind, T12d
  std::map<std::size_t, UnderWay> under_way_;                         // job
  std::map<std::size_t, Urgent> late_;                                // of nominal_, by queue
  std::map<std::pair<std::size_t, std::size_t>, Strands> strands_;
  std::map<std::pair<std::size_t, std::optional<std::size_t>>, Parallel> parallel_;             // kind, local queue
  std::map<std::tuple<std::size_t, std::size_t, std::string, std::vector<Given>>, Int> known_;  // equal claims follow alike
};

/// What T10w and T10m are asked of: paths to v on a local queue, whose least urgent node there has this priority.
struct Paths::Content::Asked {
  std::size_t k, v, local;
  Int least_priority;
  bool late;                       // T12w, T12m: nominal releases are T + J apart, each up to J late; else releases are T apart
  const Limits* limits = nullptr;  // in place of those of v and what is before it
};

}  // namespace checker
