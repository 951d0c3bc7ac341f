// Which keys of a result are compared, and what they mean (docs/formats.md has them all).
#pragma once

#include <array>
#include <string_view>

#include "rta/diff/result.hpp"

namespace rta::diff {

struct Property {
  std::string_view key;
  Meaning meaning = Meaning::fact;
  bool needed = false;
};

inline constexpr std::array<Property, 8> analysis_dag{{{"response_bound_ns", Meaning::bound, true},
                                                       {"meets_deadline", Meaning::good, true},
                                                       {"deadline_ns"},
                                                       {"period_ns"},
                                                       {"jitter_ns"},
                                                       {"release"},
                                                       {"theorem"},
                                                       {"critical_path"}}};
inline constexpr std::array<Property, 9> analysis_node{{{"response_bound_ns", Meaning::bound, true},
                                                        {"meets_deadline", Meaning::good},
                                                        {"deadline_ns"},
                                                        {"offset_ns"},
                                                        {"pool"},
                                                        {"theorem"},
                                                        {"priority_point_ns"},
                                                        {"priority"},
                                                        {"segment"}}};
inline constexpr std::array<Property, 10> analysis_chain{{{"reaction_time_ns", Meaning::bound, true},
                                                          {"reduced_reaction_time_ns", Meaning::bound},
                                                          {"data_age_ns", Meaning::bound, true},
                                                          {"reduced_data_age_ns", Meaning::bound},
                                                          {"meets_limits", Meaning::good, true},
                                                          {"reaction_limit_ns"},
                                                          {"age_limit_ns"},
                                                          {"communication"},
                                                          {"theorem"},
                                                          {"reason"}}};
inline constexpr std::array<Property, 7> analysis_pool{
    {{"kind"}, {"theorem"}, {"utilization"}, {"capacity"}, {"bounded", Meaning::good}, {"priorities"}, {"worst_blocking_configuration"}}};
// Their bounds are those of the DAGs, nodes and chains that are required, and count there.
inline constexpr std::array<Property, 4> analysis_requirement{{{"holds", Meaning::good, true}, {"bound_ns"}, {"limit_ns"}, {"theorem"}}};
// Policies that were not chosen: their bounds are no one's guarantee.
inline constexpr std::array<Property, 3> analysis_policy{{{"verdict"}, {"largest_response_bound_ns"}, {"reason"}}};

inline constexpr std::array<Property, 8> simulated_responses{{{"response_bound_ns", Meaning::bound, true},
                                                              {"above_bound", Meaning::bad, true},
                                                              {"missed_deadline", Meaning::bad},
                                                              {"misses"},
                                                              {"observed_max_ns"},
                                                              {"deadline_ns"},
                                                              {"pool"},
                                                              {"theorem"}}};
inline constexpr std::array<Property, 13> simulated_chain{{{"reaction_time_bound_ns", Meaning::bound, true},
                                                           {"reduced_reaction_time_bound_ns", Meaning::bound},
                                                           {"data_age_bound_ns", Meaning::bound, true},
                                                           {"reduced_data_age_bound_ns", Meaning::bound},
                                                           {"above_bound", Meaning::bad, true},
                                                           {"missed_limit", Meaning::bad},
                                                           {"observed_reaction_time_ns"},
                                                           {"observed_reduced_reaction_time_ns"},
                                                           {"observed_data_age_ns"},
                                                           {"observed_reduced_data_age_ns"},
                                                           {"reaction_limit_ns"},
                                                           {"age_limit_ns"},
                                                           {"communication"}}};
inline constexpr std::array<Property, 6> simulated_operation{{{"stream"}, {"pool"}, {"issued_ns"}, {"start_ns"}, {"end_ns"}, {"blocks"}}};

}  // namespace rta::diff
