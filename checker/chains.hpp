// T13: how soon chains react, and how old their data gets.
#pragma once

#include <array>
#include <cstddef>
#include <set>

#include "certificate.hpp"

namespace checker {

/// The least bounds on MRT, MRRT, MRDA and MDA that follow from the bounds of the certificate. Throws `Refused` where a stage has none, or
/// under LET ends too late. `set` as analysed, with groups as nodes where `grouped`.
[[nodiscard]] std::array<Int, 4> T13(const TaskSet& set, const Certificate& certificate, const Chain& chain);

/// Adds the processors on which MRT or MRRT rest on a stage of several nodes that outranks the next one.
void outranking_on(const TaskSet& set, const Certificate& certificate, const Chain& chain, std::set<std::size_t>& pools);

}  // namespace checker
