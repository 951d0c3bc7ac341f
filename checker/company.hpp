// C1 and C2: durations that were measured alone, and what the kernels that one can meet add to them.
#pragma once

#include <string>
#include <vector>

#include "certificate.hpp"
#include "task_set.hpp"

namespace checker {

/// `company D V L C TIME`: so long a kernel takes at most beside all that it can meet. Throws `Refused` unless that follows from the file,
/// the edges, the `inside`, the `window` and the `stay` statements.
void check_company(const TaskSet& set, const Certificate& certificate, std::size_t d, std::size_t v);

/// `inside D V F T`: every job of the node is over before its DAG's next release. Throws `Refused` unless its bound says so.
void check_inside(const TaskSet& set, const Certificate& certificate, const Statement& statement);

/// `stay D V A F`: every job of the node runs from A to F after its release. Throws `Refused` unless its bound, and the offset from which
/// that counts, say so.
void check_stay(const TaskSet& set, const Certificate& certificate, const Statement& statement);

/// `window D V A F`: every job of the node runs from A to F after its release, of a DAG that a clock releases. Throws `Refused` unless that
/// follows likewise.
void check_window(const TaskSet& set, const Certificate& certificate, const Statement& statement);

/// Kernels whose durations would be those alone, as `company D V`.
[[nodiscard]] std::vector<std::string> without_company(const TaskSet& set, const Certificate& certificate);

}  // namespace checker
