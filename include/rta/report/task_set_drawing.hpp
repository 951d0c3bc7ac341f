// Task sets as pictures: Graphviz's DOT, and a page around a picture.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rta/analysis/proof.hpp"
#include "rta/model/task_set.hpp"

namespace rta::report {

/// The DAGs of a task set: nodes in the colours of their pools, with what they ask for. With a `proof` of that task set also their bounds,
/// slack (deadline minus bound) beside every deadline, and the critical path of each DAG bold; null: without.
/// Of more than 60 nodes those that are alike share one, DAGs that are equal but for their name are drawn once, and of many kinds of DAGs
/// the worst (without a proof, the first); the picture says so. `Apart::all` draws each for itself.
enum class Apart : std::uint8_t { as_read, all };
[[nodiscard]] std::string dot(const TaskSet& task_set, const analysis::Proof* proof, Apart apart = Apart::as_read);

/// One DAG alone, from the top down and without the legend of the pools.
[[nodiscard]] std::string dot(const TaskSet& task_set, const analysis::Proof* proof, DagId d);

/// A page with one picture, an SVG file as Graphviz writes it.
[[nodiscard]] std::string picture_page(const std::string& title, const std::string& caption, std::string_view svg);

}  // namespace rta::report
