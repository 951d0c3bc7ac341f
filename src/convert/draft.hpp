// A task set as other tools know it: with all that a TaskSet holds, and with what it does not hold.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rta/convert/convert.hpp"
#include "rta/model/task_set.hpp"

namespace rta::convert {

/// Processes take turns on a GPU.
struct Sharing {
  std::optional<Time> slice;
  std::optional<Time> switching;
};

struct DraftPool {
  Pool pool;
  bool fixed_priority = false;     // a CPU pool that runs the most urgent priority first
  std::optional<Sharing> sharing;  // of a GPU
};

struct DraftNode {
  Node node;
  std::optional<std::int64_t> priority;  // larger is more urgent
  std::string process;
};

/// What a `Node` does not say of itself.
struct DraftOwn {
  std::optional<std::int64_t> priority;
  std::string process;
};

struct DraftDag {
  std::string name;
  Time T;
  std::optional<Time> D;
  std::optional<Time> T_max, jitter, phase;
  bool periodic = false;                 // releases are at phase + n T, by one clock
  std::optional<std::int64_t> priority;  // larger is more urgent
  std::string process;
  std::vector<Node> nodes;    // as the task set takes them, for there may be a million
  std::vector<DraftOwn> own;  // of the first nodes; those behind have nothing of their own
  std::vector<Edge> edges;

  void add(DraftNode node) {
    if (node.priority || !node.process.empty()) {
      own.resize(nodes.size());
      own.push_back({node.priority, std::move(node.process)});
    }
    nodes.push_back(std::move(node.node));
  }
  [[nodiscard]] const DraftOwn& own_of(NodeId v) const {
    static const DraftOwn nothing;
    return v < own.size() ? own[v] : nothing;
  }
};

struct DraftChain {
  std::string name;
  std::vector<std::string> stages;  // DAG or DAG/node
  bool let = false;                 // data is handed over at deadlines; otherwise by registers
  std::optional<Time> reaction, age;
};

struct Draft {
  std::string name;
  std::vector<DraftPool> pools;
  std::vector<DraftDag> dags;
  std::vector<DraftChain> chains;
  std::vector<RecordedDag> recorded;
  Beside beside;
  std::vector<std::string> taking_turns;
};

}  // namespace rta::convert
