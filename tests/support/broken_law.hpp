// The search for a task set that breaks a law, and the smallest one that is left of it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rta/model/error.hpp"
#include "rta/model/task_set.hpp"
#include "support/random_system.hpp"
#include "support/runs_against_bounds.hpp"

namespace rta::test {

/// What was seen above its bound under one seed, if anything.
using Law = std::function<std::optional<std::string>(const TaskSet&, std::uint64_t, Compared&)>;

struct Broken {
  std::uint64_t seed = 0;
  TaskSet task_set;
  std::string what;  // which bound, by how much, and the simulation's options
};

/// `set` with parts left out as long as the law stays broken.
inline Broken smallest(TaskSet set, std::uint64_t seed, const Law& law) {
  Compared ignored;
  std::string what = *law(set, seed, ignored);
  const auto try_instead = [&](const std::function<TaskSet()>& make) {
    try {
      TaskSet smaller = make();
      if (auto still = law(smaller, seed, ignored)) {
        what = *still;
        set = std::move(smaller);
        return true;
      }
    } catch (const Defect&) {                 // no task set
    } catch (const std::invalid_argument&) {  // none that can be analysed so
    }
    return false;
  };
  const auto with_dags = [&](std::vector<Dag> dags) {
    return TaskSet(set.name(), {set.pools().begin(), set.pools().end()}, std::move(dags));
  };
  for (bool again = true; again;) {
    again = false;
    for (DagId d = 0; d < set.dags().size() && !again; ++d) {
      again = set.dags().size() > 1 && try_instead([&] {
                std::vector<Dag> dags(set.dags().begin(), set.dags().end());
                dags.erase(dags.begin() + static_cast<std::ptrdiff_t>(d));
                return with_dags(std::move(dags));
              });
      if (again) break;  // the DAGs have moved up
      for (NodeId v = 0; v < set.dags()[d].nodes().size() && !again; ++v) {
        again = try_instead([&] {
          std::vector<Dag> dags(set.dags().begin(), set.dags().end());
          const Dag& dag = dags[d];
          std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
          nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(v));
          std::vector<Edge> edges;
          for (const Edge& e : dag.edges()) {
            if (e.from != v && e.to != v) edges.push_back({e.from - static_cast<NodeId>(e.from > v), e.to - static_cast<NodeId>(e.to > v)});
          }
          dags[d] = Dag(dag.name(), dag.period(), dag.deadline(), std::move(nodes), std::move(edges));
          return with_dags(std::move(dags));
        });
      }
    }
  }
  return {seed, set, what};
}

/// Tries systems from seed `first` on until `wanted` were compared, at most three times as many; the first that breaks the law, made small.
inline std::optional<Broken> first_broken(std::uint64_t first, std::uint64_t wanted, const Ingredients& with, const Law& law,
                                          Compared& compared) {
  for (std::uint64_t seed = first; seed < first + 4 * wanted && compared.systems < wanted; ++seed) {
    const TaskSet set = random_system(seed, with);
    if (law(set, seed, compared)) return smallest(set, seed, law);
  }
  return std::nullopt;
}

}  // namespace rta::test
