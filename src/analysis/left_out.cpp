#include "rta/analysis/left_out.hpp"

#include <variant>

namespace rta::analysis {

std::optional<LeftOut> left_out_by(const Reason& reason, std::vector<Theorem> theorems) {
  LeftOut one{.theorems = std::move(theorems), .where = {}};
  if (const auto* grows = std::get_if<reason::StillGrows>(&reason)) {
    one.limit = LeftOut::Limit::rounds;
    one.most = grows->rounds;
    return one;
  }
  if (!std::holds_alternative<reason::Stopped>(reason)) return std::nullopt;
  one.limit = LeftOut::Limit::time;
  return one;
}

}  // namespace rta::analysis
