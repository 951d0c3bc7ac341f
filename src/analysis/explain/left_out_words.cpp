#include <fmt/format.h>

#include "rta/analysis/explain.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis {
namespace {

std::string what(const LeftOut& one) {
  switch (one.what) {
    case LeftOut::What::theorems: return names_of(one.theorems);
    case LeftOut::What::coarser: return names_of(one.theorems) + ", counting more than it need";
    case LeftOut::What::points_of_nodes: return "priority points of single nodes";
    case LeftOut::What::search: return "the rest of the search for cuts and priority points";
  }
  throw_defect("every kind of what is left out has words");
}

/// What is counted, of several.
std::string_view units(LeftOut::Limit limit) {
  switch (limit) {
    case LeftOut::Limit::nodes: return "nodes";
    case LeftOut::Limit::different_nodes: return "different nodes";
    case LeftOut::Limit::nodes_of_dag: return "nodes";
    case LeftOut::Limit::pairs: return "pairs";
    case LeftOut::Limit::tasks: return "tasks";
    case LeftOut::Limit::jobs: return "jobs in a hyperperiod";
    case LeftOut::Limit::jobs_at_once: return "jobs of a DAG at once";
    case LeftOut::Limit::pools: return "pools";
    case LeftOut::Limit::choices: return "choices of c";
    case LeftOut::Limit::units: return "units of what an SM has";
    case LeftOut::Limit::periods: return "periods of release jitter";
    case LeftOut::Limit::programs: return "linear programs";
    case LeftOut::Limit::trials: return "trials";
    case LeftOut::Limit::rounds: return "rounds";
    case LeftOut::Limit::steps: return "steps";
    case LeftOut::Limit::states: return "states";
    case LeftOut::Limit::memory: return "bytes of states";
    case LeftOut::Limit::time: return "time";
  }
  throw_defect("every limit counts something");
}

}  // namespace

std::string_view to_string(LeftOut::Limit limit) {
  switch (limit) {
    case LeftOut::Limit::nodes: return "nodes";
    case LeftOut::Limit::different_nodes: return "different-nodes";
    case LeftOut::Limit::nodes_of_dag: return "nodes-of-dag";
    case LeftOut::Limit::pairs: return "pairs";
    case LeftOut::Limit::tasks: return "tasks";
    case LeftOut::Limit::jobs: return "jobs";
    case LeftOut::Limit::jobs_at_once: return "jobs-at-once";
    case LeftOut::Limit::pools: return "pools";
    case LeftOut::Limit::choices: return "choices";
    case LeftOut::Limit::units: return "units";
    case LeftOut::Limit::periods: return "periods";
    case LeftOut::Limit::programs: return "programs";
    case LeftOut::Limit::trials: return "trials";
    case LeftOut::Limit::rounds: return "rounds";
    case LeftOut::Limit::steps: return "steps";
    case LeftOut::Limit::states: return "states";
    case LeftOut::Limit::memory: return "memory";
    case LeftOut::Limit::time: return "time";
  }
  throw_defect("every limit has a name");
}

std::string in_words(const LeftOut& one) {
  const std::string where = one.where.empty() ? "" : fmt::format(" ('{}')", one.where);
  if (one.limit == LeftOut::Limit::time) return fmt::format("{}{}: the time limit came first", what(one), where);
  if (one.found == 0) return fmt::format("{}{}: given up after {} {}", what(one), where, one.most, units(one.limit));
  return fmt::format("{}{}: {} {}, more than {}", what(one), where, one.found, units(one.limit), one.most);
}

}  // namespace rta::analysis
