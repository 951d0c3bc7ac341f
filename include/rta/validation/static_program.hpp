// A compiled schedule as a program: the master, the library for its clients, and a player that stands for all of them.
#pragma once

#include <string>
#include <vector>

#include "rta/static_order/schedule.hpp"
#include "rta/validation/generated_program.hpp"

namespace rta::validation {

/// The files of the program for the schedule whose file has the content `text` and that name: a Makefile, which builds `master`, `player`
/// and `librta_static.a`, the plan, the schedule itself and the sources. Throws `UserError` as `plan_of` does.
[[nodiscard]] std::vector<GeneratedFile> static_program(const static_order::Schedule& schedule, const std::string& text,
                                                        const std::string& name);

}  // namespace rta::validation
