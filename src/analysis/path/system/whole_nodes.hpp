// A system that asks for less: each DAG as one node.
#pragma once

#include <optional>

#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// T10n's system with all work of a DAG in one node, of length G - V: V is the DAG's work, and G the least, over its nodes v, of G_v, the
/// longest path to v and all work but that of v's strict descendants. Then F = G + others(F) + earlier(F), where T10n has F_v = G_v +
/// others + earlier with the ends of all nodes, and with b or a of a node on the path. So where all these ends are no less than F, F_v is
/// no less than G_v + others(F) + earlier(F), and so on: the least solution is below all of T10n's. Nothing where some DAG uses several
/// pools, or some end is proven elsewhere, or DAGs have few nodes.
[[nodiscard]] std::optional<Ticks> with_whole_nodes(const Ticks& ticks);

/// G_v, for the class's pool sets without blocking.
[[nodiscard]] Tick length_and_rest(const Class& c, std::size_t v);

}  // namespace rta::analysis::path
