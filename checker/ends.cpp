#include "ends.hpp"

#include <algorithm>

#include "chains.hpp"

namespace checker {

void check_latencies(const TaskSet& set, const Certificate& certificate, std::size_t i) {
  const auto least = T13(set, certificate, set.chains[i]);
  const auto& claimed = certificate.latencies.at(i);
  for (std::size_t l = 0; l < least.size(); ++l) {
    if (claimed.at(l) < least.at(l)) throw Refused("the theorem gives no less than " + to_string(least.at(l)));
  }
}

/// docs/theory.md, "Offsets and end-to-end bounds"; docs/theory/path.md, "Segments".
void check_offset(const TaskSet& set, const Certificate& certificate, std::size_t d, std::size_t v) {
  const bool at_offsets = certificate.release == "offsets" || certificate.release == "early";
  const auto& claims = certificate.claims[d];
  const auto& of = certificate.segment[d];
  const Claim& claim = claims[v];
  if (!claim.offset) {
    need(at_offsets, "a node has no offset");
    return;
  }
  need(*claim.offset >= 0, "an offset is below 0");
  const bool from_release = certificate.release == "completion" || certificate.release == "static";
  if (from_release) need(*claim.offset == Int(0), "on completion bounds count from the DAG's release");
  for (const std::size_t u : set.dags[d].nodes[v].before) {
    need(claims[u].by != nullptr && claims[u].offset, "a predecessor has no bound");
    if (!at_offsets && of[u] == of[v]) continue;
    need(*claim.offset >= *claims[u].offset + claims[u].R, "the node is released before a predecessor has ended");
  }
  if (certificate.release != "segments") return;
  const auto first = static_cast<std::size_t>(std::find(of.begin(), of.end(), of[v]) - of.begin());
  need(claims[first].offset == claim.offset, "the nodes of a segment have different offsets");
}

void check_end(const Certificate& certificate, std::size_t d) {
  for (std::size_t v = 0; v < certificate.claims[d].size(); ++v) {
    const std::optional<Int> end = end_of(certificate, d, v);
    need(end.has_value(), "a node of the DAG has no bound");
    need(*certificate.end[d] >= *end, "a node ends later");
  }
}

void check_verdict(const TaskSet& set, const Certificate& certificate, const Statement& statement) {
  bool bounded = true;
  bool met = true;
  for (std::size_t d = 0; d < set.dags.size(); ++d) {
    bounded = bounded && certificate.end[d].has_value();
    met = met && certificate.end[d] && (!set.dags[d].D || *certificate.end[d] <= *set.dags[d].D);
    for (std::size_t v = 0; v < set.dags[d].nodes.size(); ++v) {
      const auto& D = set.dags[d].nodes[v].D;
      if (!D) continue;
      const Claim& claim = certificate.claims[d][v];
      const bool by_reach = certificate.release == "completion" && end_of(certificate, d, v).value_or(*D + 1) <= *D;
      met = met && (by_reach || (claim.by != nullptr && claim.R <= *D));
    }
  }
  for (std::size_t i = 0; i < set.chains.size(); ++i) {
    const auto& [name, stages, let, reaction, age] = set.chains[i];
    const auto found = certificate.latencies.find(i);
    const bool known = found != certificate.latencies.end();
    met = met && (!reaction || (known && found->second[0] <= *reaction)) && (!age || (known && found->second[3] <= *age));
  }
  const std::string_view follows = !bounded ? "unbounded" : met ? "schedulable" : "deadline-missed";
  need(statement.word(1) == follows, "the verdict does not follow from the ends and the deadlines");
}

}  // namespace checker
