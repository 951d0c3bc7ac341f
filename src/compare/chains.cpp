#include "rta/compare/chains.hpp"

namespace rta::compare {

ComparedChain compared(const Chain& chain, const simulate::SeenLatencies& seen, const std::optional<analysis::ChainLatencies>& bound) {
  const auto latency = [&](const std::optional<Time>& value, Time analysis::ChainLatencies::*of) {
    return ChainLatency{value, bound ? std::optional((*bound).*of) : std::nullopt};
  };
  using L = analysis::ChainLatencies;
  return {.chain = chain.name,
          .communication = std::string(to_string(chain.communication)),
          .reaction = latency(seen.MRT, &L::MRT),
          .reduced_reaction = latency(seen.MRRT, &L::MRRT),
          .reduced_age = latency(seen.MRDA, &L::MRDA),
          .age = latency(seen.MDA, &L::MDA),
          .reaction_limit = chain.reaction,
          .age_limit = chain.age};
}

}  // namespace rta::compare
