#include "analysis/path/whole/work_within.hpp"

#include "rta/model/quantity.hpp"

namespace rta::analysis::path {
namespace {

/// Where the flatter line b begins to be the less.
WorkWithin::Corner meeting(const WorkWithin::Line& a, const WorkWithin::Line& b) { return {b.at_0 - a.at_0, a.rate - b.rate}; }

}  // namespace

void WorkWithin::set(std::int64_t V, std::span<const std::int64_t> families, std::int64_t m) {
  V_ = V;
  lines_.clear();
  corners_.clear();
  boost::container::small_vector<Line, 16> flatter;
  for (std::size_t i = families.size(); i > 0; --i) {
    if (static_cast<std::int64_t>(i) < m) flatter.push_back({static_cast<std::int64_t>(i), 2 * (V - families[i - 1])});
  }
  flatter.push_back({0, 2 * V});
  lines_.push_back({m, 0});
  for (std::size_t at = 0; at < flatter.size();) {
    std::size_t next = at;
    Corner least = meeting(lines_.back(), flatter[at]);
    for (std::size_t i = at + 1; i < flatter.size(); ++i) {
      const Corner here = meeting(lines_.back(), flatter[i]);
      if (Wide{here.t} * least.of > Wide{least.t} * here.of) continue;
      next = i;
      least = here;
    }
    corners_.push_back(least);
    lines_.push_back(flatter[next]);
    at = next + 1;
  }
}

}  // namespace rta::analysis::path
