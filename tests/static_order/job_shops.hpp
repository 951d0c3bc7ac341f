// Job shops of the literature (bench/job_shops.txt) as graphs: machines are CPUs, jobs are clients whose operations follow one another.
#pragma once

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "rta/static_order/compile.hpp"
#include "rta/static_order/graph.hpp"

namespace rta::static_order {

struct JobShop {
  Graph graph;
  std::int64_t best_known = 0;  // ns; in the literature without a unit
};

inline void add_job(Graph& graph, std::istream& line, std::size_t operations) {
  const ClientId client = graph.clients.size();
  graph.clients.push_back({"job" + std::to_string(client), ""});
  for (std::size_t i = 0; i < operations; ++i) {
    std::size_t machine = 0;
    std::int64_t time = 0;
    line >> machine >> time;
    REQUIRE(!line.fail());
    Runnable operation;
    operation.name = "op" + std::to_string(i);
    operation.client = client;
    operation.wcet = Time(time);
    operation.needs.push_back({{machine}, ""});
    if (i > 0) operation.dependencies.push_back(graph.runnables.size() - 1);
    graph.runnables.push_back(std::move(operation));
  }
}

inline JobShop job_shop(const std::string& wanted) {
  std::ifstream file(std::string(RTA_SOURCE_DIR) + "/bench/job_shops.txt");
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream head(line);
    std::string name;
    std::size_t jobs = 0;
    std::size_t machines = 0;
    JobShop shop;
    if (!(head >> name >> jobs >> machines >> shop.best_known) || name != wanted) continue;
    shop.graph.name = name;
    for (std::size_t m = 0; m < machines; ++m)
      shop.graph.resources.push_back({"M" + std::to_string(m), "CPU", "", std::nullopt, ResourceKind::cpu, std::nullopt, std::nullopt});
    Hyperepoch shift;
    shift.name = "shop";
    shift.period = Time(100'000);
    Epoch all;
    all.name = "all";
    all.period = shift.period;
    shift.epochs.push_back(all);
    shop.graph.hyperepochs.push_back(shift);
    for (std::size_t j = 0; j < jobs; ++j) {
      std::getline(file, line);
      std::istringstream operations(line);
      add_job(shop.graph, operations, machines);
    }
    return shop;
  }
  FAIL("no job shop " << wanted);
  return {};
}

/// The length that a search finds, and whether it proves that none is shorter.
struct Solved {
  std::int64_t length = 0;
  std::int64_t bound = 0;
  bool proved = false;
};
inline Solved solved(const Graph& graph, const CompileOptions& options) {
  const Compilation compiled = compile(graph, options);
  const CompiledHyperepoch& shop = compiled.hyperepochs.at(0);
  return {shop.proof.length.count(), shop.objective_bound.count(), shop.ending == CompiledHyperepoch::Ending::optimal};
}

}  // namespace rta::static_order
