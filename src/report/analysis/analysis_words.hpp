// Phrases about an analysis that the text and the page share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/machine_checked.hpp"

namespace rta::report {

/// What a pool of that kind is counted in.
[[nodiscard]] std::string unit_of(PoolKind kind);
/// `1 processor`, `30720 G-threads`.
[[nodiscard]] std::string capacity_text(PoolKind kind, double capacity);
/// What follows the verdict's word.
[[nodiscard]] std::string verdict_sentence(const analysis::Analysis& analysis);
/// `every bound rests on machine-checked theorems`, or which do not; empty without bounds. `names`: of theorems, too.
[[nodiscard]] std::string machine_checked_in_words(const analysis::MachineChecked& checked, bool names);
/// `4 processors, G-EDF`, `tx2, 2 SMs x 2048 G-threads` ...
[[nodiscard]] std::string description(const Pool& pool, const analysis::PoolProof& proof);
[[nodiscard]] std::string outcome_text(const analysis::PolicyOutcome& outcome);
/// What a policy would give that needs more at run time than the chosen one; empty where none would give less.
[[nodiscard]] std::string forgone_in_words(const analysis::Analysis& analysis);
/// That theorems were left out beyond some limit, and which; empty where none were.
[[nodiscard]] std::string dear_theorems_in_words(const analysis::Proof& proof);
/// `a -> b -> c`.
[[nodiscard]] std::string path_text(const Dag& dag, const std::vector<NodeId>& path);
/// From the DAG's release; none on completion, and where something before the node has no bound.
[[nodiscard]] std::optional<Time> offset_of(const analysis::Proof& proof, const analysis::NodeProof& node);
/// `bounded`, `met`, `MISSED` or `no bound`.
[[nodiscard]] std::string outcome_of(const Dag& dag, const analysis::DagProof& proof);
/// In a table; `-`: there is none.
[[nodiscard]] std::string optional_bound(const std::optional<analysis::Bound>& bound, const std::optional<Time>& limit);
/// Of a bound without a deadline: `-`.
[[nodiscard]] std::string lateness_text(const Dag& dag, const std::optional<analysis::Bound>& bound);

/// The latest end of a node, from its DAG's release; none without a bound or an offset.
[[nodiscard]] std::optional<Time> ends_by(const analysis::NodeProof& node);

/// DAGs that follow one another, are equal but for their name and have the same bounds: they share a paragraph.
struct KindOfDag {
  DagId first = 0;
  DagId last = 0;
};
[[nodiscard]] std::vector<KindOfDag> kinds_of_dags(const analysis::Proof& proof);
/// What has no bound first, then the bounds that pass their deadlines most; those without a deadline last.
[[nodiscard]] std::vector<KindOfDag> worst_first(const analysis::Proof& proof);

/// Of many kinds the ten worst, in the order of the file.
struct ShownDags {
  std::vector<KindOfDag> kinds;
  std::size_t left_out = 0;  // DAGs
};
[[nodiscard]] ShownDags shown_dags(const analysis::Proof& proof, bool all);
/// `90 more DAGs, none of them worse: --all shows them`; empty where none is left out.
[[nodiscard]] std::string left_out_in_words(const ShownDags& shown);

/// `camera[0] ... camera[5]`.
[[nodiscard]] std::string shared_name(const analysis::Proof& proof, KindOfDag kind);

/// Header and a row per kind of DAG: name, bound, deadline, lateness, verdict.
[[nodiscard]] std::vector<std::vector<std::string>> dag_rows(const analysis::Proof& proof, const std::vector<KindOfDag>& kinds);
/// Header and a row per DAG that may have several jobs at once: name, how many, buffers. Copies that are equal share a row.
[[nodiscard]] std::vector<std::vector<std::string>> in_flight_rows(const analysis::Proof& proof);
/// The edges from earlier jobs (T40), the first of them.
[[nodiscard]] std::vector<std::vector<std::string>> history_rows(const analysis::Proof& proof);
/// Header and a row per node with a deadline of its own: node, bound, deadline, verdict. Copies that are equal share a row.
[[nodiscard]] std::vector<std::vector<std::string>> own_deadline_rows(const analysis::Proof& proof);

}  // namespace rta::report
