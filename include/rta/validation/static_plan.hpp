// A compiled schedule as the tables that the run time plays (validation/runtime/static/plan.h).
#pragma once

#include <string>

#include "rta/static_order/schedule.hpp"

namespace rta::validation {

/// The bytes of the plan of a schedule whose file has that name and SHA-256 (64 hexadecimal digits). Each runnable starts as soon as its
/// predecessors have ended and its release has come, in every frame exactly as the schedule says: a frame-sync and a slot that stays empty
/// are replaced by what they wait for. Throws `UserError`, naming the runnable, where the schedule asks for what cannot be played: a
/// runnable that stands before what it waits for, a submitter with several submittees (their ends could not be told apart), a submittee
/// that is in no stream of its submitter's process, or more of anything than a plan holds.
[[nodiscard]] std::string plan_of(const static_order::Schedule& schedule, const std::string& file, const std::string& sha256);

}  // namespace rta::validation
