// From the bounds of nodes to ends of DAGs, latencies of chains and the verdict. All throw `Refused` where the claim does not follow.
#pragma once

#include "certificate.hpp"

namespace checker {

/// PHI of node v: no earlier than what releases it.
void check_offset(const TaskSet& set, const Certificate& certificate, std::size_t d, std::size_t v);
void check_end(const Certificate& certificate, std::size_t d);
void check_latencies(const TaskSet& set, const Certificate& certificate, std::size_t chain);
void check_verdict(const TaskSet& set, const Certificate& certificate, const Statement& statement);

}  // namespace checker
