// T10, T10n, T10a, T10v, T10c, T10f, T10j, T10g, T11, T11g, T11j, T12, T12j, T12d, T12w, T12m, T14, T14j, T10p, T10d, T10w, T10m, T23,
// T24, T39: whole DAGs or segments whose nodes are released on completion.
#pragma once

#include <memory>

#include "certificate.hpp"

namespace checker {

/// The bounds of all nodes of DAGs that share pools, which are claimed together.
class Paths {
 public:
  /// No other DAG visits the pools of `dags`. Throws `Refused` where some node of these has no bound, or a GPU no weights. GPUs of
  /// which `turn` is stated need none: they are read in turn (T27) where they have none, and with `in_turn` all of them.
  Paths(const TaskSet& set, const Certificate& certificate, const std::vector<std::size_t>& dags, bool in_turn);
  ~Paths();
  Paths(const Paths&) = delete;
  Paths& operator=(const Paths&) = delete;

  /// Throws `Refused` unless the claim of node v of DAG d follows by its rule.
  void check(std::size_t d, std::size_t v);
  /// Throws `Refused` unless of the nodes of a lane of DAG d that are on one queue each is before or after the others.
  void check_lanes(std::size_t d);
  /// Likewise of the chains of its families.
  void check_families(std::size_t d);
  /// Throws `Refused` unless T10v may give out strands like this.
  void check(const GivenStrands& given);

 private:
  class Content;
  std::unique_ptr<Content> content_;
};

}  // namespace checker
