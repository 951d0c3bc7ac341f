// T36 (docs/theory/periodic.md): when the jobs of periodic DAGs have ended, by all orders in which they may start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "certificate.hpp"

namespace checker {

/// Throws `Refused` unless the pool is a GPU whose kernels run in turn, or workers with jobs of several items, but of few.
void need_to_follow(const TaskSet& set, std::size_t pool);

/// All nodes of a set. Ends that are stated by other rules, which are verified by themselves, are made use of.
class ReachableEnds {
 public:
  /// Throws `Refused` where the theorem says nothing of the set, or where that would take too long to find out.
  ReachableEnds(const TaskSet& set, const Certificate& certificate);

  /// Throws `Refused` unless no job of the node can end later than is stated.
  void check(std::size_t d, std::size_t v) const;

 private:
  using Place = std::int64_t;  // of a job, among all jobs by earliest start
  // In halves of a ns: an odd end says that the instant itself is outside.
  struct Span {
    Int from = 0, to = 0;
  };
  /// A job of the first hyperperiod; those of later ones are the same.
  struct Job {
    std::size_t dag = 0, node = 0;
    Int number, nominal, earliest, stated;  // stated: end, by other rules
    std::size_t depth = 0;
    std::optional<std::size_t> queue;  // none: nobody follows its pool
    std::vector<Place> before, after;  // how far away
  };
  struct Queue {
    std::size_t pool = 0;
    bool second = false;  // copies in the other direction
    std::size_t servers = 1;
    bool in_turn = false;  // T27: a kernel is dispatched when it is ready, and has D from when all before it have ended
  };
  struct Cut {
    Place first = 0;           // that has not been dispatched
    std::vector<Place> taken;  // after it, in increasing order
    auto operator<=>(const Cut&) const = default;
  };
  struct State {
    Cut cut;
    std::vector<std::vector<Span>> free;  // queue, server
    std::vector<Int> ended, queued;       // queue
    std::map<Place, Span> ends;           // of those that matter
  };
  struct Ready {
    Place job = 0;
    Span at;
    Int seen;  // what is below it starts no later, on its queue
  };

  void add_queues();
  void add_jobs();
  void link();
  [[nodiscard]] const Job& at(Place job) const;
  [[nodiscard]] Int begin(Place job) const;
  [[nodiscard]] const Node& node(const Job& job) const { return set_.dags[job.dag].nodes[job.node]; }
  [[nodiscard]] Int length(const Job& job) const;
  [[nodiscard]] Int least(const Job& job) const { return node(job).least * 2; }
  [[nodiscard]] std::size_t at_once(const Job& job) const;

  void explore();
  [[nodiscard]] State first_state() const;
  void follow(const State& state);
  [[nodiscard]] bool is_ahead(const Ready& o, const Ready& i) const;
  [[nodiscard]] bool stays_behind(const State& state, const Ready& i, Int& last);
  /// So many jobs are looked at, of which there is an end.
  void look(std::size_t jobs);
  [[nodiscard]] Span serve(State& after, const Ready& job, Span when);
  [[nodiscard]] Span serve_in_turn(State& after, const Ready& job, Span when) const;
  void start(const State& state, const Ready& job, Span when, const std::vector<bool>& asked);
  void end_alone(const State& state, const Ready& job);
  void note(Place job, Int end);
  void dispatch(State& state, Place job, Span end) const;
  void count(State& state, std::size_t q) const;
  void forget(State& state) const;
  void keep(State state);
  void join(State& a, const State& b) const;
  [[nodiscard]] bool contains(const State& a, const State& later) const;

  const TaskSet& set_;
  const Certificate& certificate_;
  Int H_ = 1;  // ns; all other instants are in halves
  Place N_ = 0;
  std::vector<Queue> queues_;
  std::vector<Job> jobs_;
  std::vector<std::vector<std::vector<Int>>> latest_;  // DAG, node, job
  std::vector<State> next_;
  std::map<Cut, std::vector<std::size_t>> same_cut_;  // of `next_`
  // Of the state that is followed.
  std::vector<Ready> ready_;
  std::vector<Int> first_ready_;  // queue
  std::size_t looks_;
};

}  // namespace checker
