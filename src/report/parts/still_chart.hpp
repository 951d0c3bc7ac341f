// Charts that stand still: for paper, and for who lets no page run scripts.
#pragma once

#include <string>
#include <string_view>

namespace rta::report {

/// A chart's specification as SVG, as it is before anybody zooms or points: what of Vega our charts use. Colours follow the page's style.
/// No element has an id, and paths and texts are all that there is.
[[nodiscard]] std::string still_chart(std::string_view specification);

}  // namespace rta::report
