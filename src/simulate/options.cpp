#include "rta/simulate/options.hpp"

namespace rta::simulate {

std::string_view to_string(Placement placement) {
  switch (placement) {
    case Placement::most_free: return "most-free";
    case Placement::least_free: return "least-free";
    case Placement::first_fit: return "first-fit";
    case Placement::round_robin: return "round-robin";
    case Placement::random: return "random";
  }
  return "";
}

std::string_view to_string(CopyRules rules) { return rules == CopyRules::yang2020 ? "yang2020" : "amert2017"; }

std::string_view to_string(Streams streams) { return streams == Streams::per_job ? "per-job" : "per-task"; }

std::string_view to_string(SliceOrder order) { return order == SliceOrder::round_robin ? "round-robin" : "worst"; }

std::string_view to_string(BlockTimes times) { return times == BlockTimes::even ? "even" : "long-first"; }

std::string_view to_string(Ties ties) { return ties == Ties::in_order ? "in-order" : "random"; }

}  // namespace rta::simulate
