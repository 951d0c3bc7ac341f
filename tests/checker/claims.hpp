// Certificates written by hand: bounds as docs/theory has them, each verified as it stands there and refused 1 ns lower.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "certified.hpp"

namespace rta::test {

inline constexpr const char* verdict = "verdict schedulable\n";

/// `head` and bounds `bound D V PHI R Y RULE`, with R of the DAGs of one node as their ends.
struct Claimed {
  int R;
  std::string Y, rule;
};

inline std::string of_single_nodes(const std::string& head, const std::vector<Claimed>& claims) {
  std::string text = head;
  for (std::size_t d = 0; d < claims.size(); ++d) {
    text += "bound " + std::to_string(d) + " 0 0 " + std::to_string(claims[d].R) + " " + claims[d].Y + " " + claims[d].rule + "\n";
    text += "end " + std::to_string(d) + " " + std::to_string(claims[d].R) + "\n";
  }
  return text + verdict;
}

/// Each claim is verified, and refused when it is 1 ns lower while the others stay.
inline void check_least(const std::string& file, const std::string& head, const std::vector<Claimed>& claims) {
  CHECK(first_refused(file, by_hand(file, of_single_nodes(head, claims))) == "");
  for (std::size_t i = 0; i < claims.size(); ++i) {
    auto lower = claims;
    --lower[i].R;
    CAPTURE(i);
    CHECK(first_refused(file, by_hand(file, of_single_nodes(head, lower))).find("the theorem gives no less than") != std::string::npos);
  }
}

inline std::string processors(int m, const std::string& scheduler, const std::vector<std::pair<int, int>>& C_T,
                              const std::string& more = "") {
  std::string file = "platform: {cpu: {processors: " + std::to_string(m) + ", scheduler: " + scheduler + "}}\ntime_unit: ns\ntasks:\n";
  for (std::size_t i = 0; i < C_T.size(); ++i) {
    file += "  - {name: t" + std::to_string(i) + ", on: cpu, C: " + std::to_string(C_T[i].first) + ", T: " + std::to_string(C_T[i].second) +
            more + "}\n";
  }
  return file;
}

/// One bound a node: DAG, node, R, Y, rule.
struct OfNode {
  int d, v, R;
  std::string Y, rule;
};

inline std::string on_completion(const std::string& head, const std::vector<OfNode>& bounds) {
  std::string text = "release completion\n" + head;
  std::map<int, int> end;
  for (const OfNode& b : bounds) {
    text += fmt::format("bound {} {} 0 {} {} {}\n", b.d, b.v, b.R, b.Y, b.rule);
    end[b.d] = std::max(end[b.d], b.R);
  }
  for (const auto& [d, R] : end) text += fmt::format("end {} {}\n", d, R);
  return text + verdict;
}

/// Each bound is verified, and refused when it is 1 ns lower while the others stay.
inline void check_each(const std::string& file, const std::string& head, const std::vector<OfNode>& bounds) {
  CHECK(first_refused(file, by_hand(file, on_completion(head, bounds))) == "");
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    auto lower = bounds;
    --lower[i].R;
    CAPTURE(i);
    CHECK(first_refused(file, by_hand(file, on_completion(head, lower))) != "");
  }
}

}  // namespace rta::test
