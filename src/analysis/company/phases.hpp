// Rule 5 of C1: kernels of DAGs that one clock releases never meet where their windows never do (docs/theory/contention.md).
#pragma once

#include <memory>
#include <optional>

#include "rta/analysis/company.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

/// When the jobs of a node run, after the releases of theirs: none starts before, or ends after.
struct Window {
  Time from;
  Time until;
  bool operator==(const Window&) const = default;
};
/// None: not known, or of a DAG that no clock releases.
using Windows = PerNode<std::optional<Window>>;

/// By its bound; none where it has none.
[[nodiscard]] std::optional<Window> window_of(const Proof& proof, DagId d, NodeId v);

[[nodiscard]] Windows no_windows(const TaskSet& task_set);
/// Of what lasts no time.
[[nodiscard]] Windows empty_windows(const TaskSet& task_set);
/// By the bounds of the proof.
[[nodiscard]] Windows windows_of(const Proof& proof);
/// The least that has both.
[[nodiscard]] Windows hull(const Windows& some, const Windows& others);

/// Whether DAGs of different phases or periods may keep kernels apart: there are two that one clock releases, and no job waits to begin.
[[nodiscard]] bool has_clock(const TaskSet& task_set);

/// Whether jobs of u of DAG d and of v of DAG e, another, never run at once.
[[nodiscard]] bool clock_keeps_apart(const TaskSet& task_set, const Windows& windows, DagId d, NodeId u, DagId e, NodeId v);
/// Whether all kernels that `some` keep apart are kept apart by `others`.
[[nodiscard]] bool keep_what_is_apart(const TaskSet& task_set, const Windows& some, const Windows& others);

/// L(S) as `with_company`, without the pairs that the windows keep apart.
[[nodiscard]] std::shared_ptr<const TaskSet> with_company(const TaskSet& task_set, const Lasting& lasting, const Windows& windows);

/// C1's durations of a proof in company; those of its task set may be shorter (C2).
[[nodiscard]] const TaskSet& by_pairs(const Proof& proof);

/// Those by which a proof in company has left pairs out; `no_windows` where it has left out none.
[[nodiscard]] Windows counted_windows(const Proof& proof);

}  // namespace rta::analysis
