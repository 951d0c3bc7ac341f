// A proof for people: its bounds with the numbers put in, its reasons as sentences.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rta/analysis/proof.hpp"
#include "rta/analysis/task_names.hpp"

namespace rta::analysis {

/// The derivation of one bound, line by line, for a reader with a pocket calculator.
struct Explanation {
  std::string node;  // `dag`, or `dag/node`
  std::vector<std::string> lines;
};

/// `wanted` is a DAG, `dag/node`, or a node, which is then that of the first DAG that has one. A DAG of one node is that node. Throws
/// `UserError` for other names.
[[nodiscard]] Explanation explain(const Proof& proof, std::string_view wanted);

/// What the tasks of a pool are called.
[[nodiscard]] TaskNames task_names(const Proof& proof, PoolId p);
/// One sentence.
[[nodiscard]] std::string in_words(const Proof& proof, const NoBound& none);
/// Why the pool's nodes have bounds, or why some have none; one sentence that a reader can check by hand.
[[nodiscard]] std::string pool_in_words(const Proof& proof, PoolId p);
/// A GPU's blocking configuration with the fewest G-threads in use; empty where there is none.
[[nodiscard]] std::string worst_configuration_in_words(const Proof& proof, PoolId p);
/// `T10w, T10m: 610 nodes, more than 400`.
[[nodiscard]] std::string in_words(const LeftOut& left_out);
/// Its limit in results.
[[nodiscard]] std::string_view to_string(LeftOut::Limit limit);
/// `T1, T1n`.
[[nodiscard]] std::string names_of(const std::vector<Theorem>& theorems);
/// What the bounds need at run time: `release on completion, G-EDF by DAG`.
[[nodiscard]] std::string needs_in_words(const Proof& proof);

}  // namespace rta::analysis
