// T39: what a queue of processors has left when a job is released, counted by the ends of nodes on other queues alone.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "processors.hpp"
#include "system.hpp"

namespace checker {

/// Of one such queue with U <= m, FIFO or preemptive GEL by DAG.
class Upstream {
 public:
  Upstream(const System& system, std::size_t queue);
  /// W less the work of v's strict descendants there, of paths to node v of job k that wait there by `limits`.
  [[nodiscard]] Int left(std::size_t k, std::size_t v, const Limits& limits);

 private:
  /// From the age `at` on f is so much more.
  struct Rise {
    Int at, work;
    bool operator==(const Rise&) const = default;
    auto operator<=>(const Rise&) const = default;
  };
  /// The first age past x is x + z: jobs from before the queue was busy do `work`.
  struct Phase {
    Int z, work;
  };
  struct User {
    std::size_t job = 0;  // the first of its kind
    Int copies, T;
    Int C = 0;
    std::vector<std::pair<Int, Int>> ends;   // phi and C of each node that has one
    std::vector<Phase> phases;               // z rises up to T, and work falls
    std::vector<std::vector<Int>> of_chain;  // largest first
  };
  /// Jobs of one DAG, or of all that are alike, as the one in question counts them.
  struct Counted {
    const User* user;
    Int copies;
    bool own;
    std::vector<Rise> rises;
    Int opens;  // no job is younger
  };
  [[nodiscard]] static Int left_from(const User& user, Int z);
  [[nodiscard]] static Int most(const Counted& of, Int x);
  [[nodiscard]] Int beyond(const std::vector<Counted>& all, Int x, Int c) const;
  [[nodiscard]] std::vector<Rise> rises(const Job& job, std::size_t v, const Limits& limits, const User& other) const;
  [[nodiscard]] Int largest(const std::vector<Counted>& all, Int c) const;

  const System& system_;
  std::size_t queue_;
  std::vector<User> users_;
  std::vector<Piece> pieces_;  // D_u
  Int ceil_U_ = 1;
  std::map<std::vector<std::vector<Rise>>, std::map<std::size_t, Int>> known_;  // rises of all, kind
};

}  // namespace checker
