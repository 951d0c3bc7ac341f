// What the jobs of a timeline waited for, as a table of a page.
#pragma once

#include <string>
#include <vector>

#include "report/parts/page.hpp"
#include "rta/trace/waits.hpp"

namespace rta::report {

/// By release, those that waited for something that the timeline shows; the head alone where none did.
/// `of`: what the timeline is of, where a page has several.
[[nodiscard]] PageTable wait_table(const trace::Timeline& timeline, const std::vector<trace::Waiting>& waiting, const std::string& of);

}  // namespace rta::report
