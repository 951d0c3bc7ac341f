// `dags:` and `tasks:` of a task-set file.
#pragma once

#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "contexts.hpp"
#include "edge_reader.hpp"
#include "node_reader.hpp"
#include "parted_yaml.hpp"

namespace rta::io {

/// Bounds the memory that a short file with many copies can ask for.
inline constexpr std::uint64_t most_nodes = 1'000'000;

class DagReader {
 public:
  DagReader(const PlatformReader& platform, const Unit* time_unit, KernelTimes& kernels, Contexts& contexts, Diagnostics& out)
      : platform_(platform),
        nodes_(platform, time_unit, &kernels),
        time_unit_(time_unit),
        kernels_(kernels),
        contexts_(contexts),
        out_(out) {}
  ~DagReader();
  DagReader(const DagReader&) = delete;
  DagReader& operator=(const DagReader&) = delete;

  /// Reads the list of `dags` or `tasks`.
  void read(const Value& list, NodeForm form);
  /// Reads the entries in `yaml.parts()`, on all cores. False: a part cannot be read so, and what was read so far means nothing.
  [[nodiscard]] bool read_parts(const PartedYaml& yaml, NodeForm form);
  /// Reports pools under FP on which some nodes have a priority and some have none.
  void check_priorities();
  /// All DAGs in file order, copies one by one, on the pools of the contexts. Requires that nothing was reported and that these are split.
  [[nodiscard]] std::vector<Dag> take();
  /// Those of all DAGs and nodes, in file order. To be asked before `take`.
  [[nodiscard]] std::vector<Requirement> requirements() const;
  /// Periodic DAGs have rates whose periods are no whole ns.
  [[nodiscard]] bool has_periodic_rates() const;
  /// T of each DAG, copies one by one. To be asked before `take`.
  [[nodiscard]] std::vector<ExactTime> periods() const;

 private:
  struct Process {
    std::string_view name;
    Mark at;
  };
  // A DAG and its copies.
  struct Family {
    std::string name;
    std::uint64_t copies = 1;  // 1: the DAG has the name as written
    Time T;
    ExactTime exact_T;
    std::optional<Time> D;
    DagAttributes attributes;
    Process process;  // of nodes that have none of their own
    std::vector<Node> nodes;
    std::vector<std::string_view> processes;  // of each
    std::vector<Edge> edges;
    std::vector<std::pair<std::optional<NodeId>, std::string>> requirements;  // of the DAG or a node of it
  };

  /// The first and the last of the nodes that one is read as.
  struct Span {
    NodeId first = 0, last = 0;
  };

  void read_dag(const Value& value);
  void read_task(const Value& value);
  /// What DAGs and tasks have in common: name, copies, T, D.
  [[nodiscard]] Family read_family(const Fields& fields);
  void read_periodic(const Fields& fields, Family& family);
  void read_nodes(const Fields& fields, Family& family);
  /// Adds the edges of streams, or reports why there are none.
  void order_by_streams(const Fields& nodes, std::span<const Span> spans, Family& family);
  /// One node, or those that it is split into.
  void read_node(const Fields& node, const Value& key, Family& family);
  void read_split(const Fields& node, const Value& key, Family& family);
  static void note_requirements(const Fields& fields, std::optional<NodeId> node, Family& family);
  static void warn_of_overlap(const Fields& fields, const Family& family);
  void keep(const Fields& fields, Family family);
  /// Adds a DAG and its copies to `dags`.
  void take(Family& family, std::vector<Dag>& dags) const;

  // The first node of a pool under FP with a priority, and the first without.
  struct FirstNode {
    Mark at;
    std::string_view name;
  };
  struct FirstNodes {
    std::optional<FirstNode> with, without;
  };
  /// Of the family's last node.
  void note_process(const Fields& node, Mark at, Family& family);
  void check_threads(const Fields& fields, const Family& family);
  /// How they wait; after the nodes and `threads`.
  void read_wait(const Fields& fields, Family& family);
  void note_priority(const Node& node, FirstNode at, const DagAttributes& attributes);

  struct Part;
  /// Takes what was read of later entries without a fault, as if it had been read here. False, and nothing is taken: here a fault would
  /// have been found.
  [[nodiscard]] bool take_over(Part& part);

  const PlatformReader& platform_;
  NodeReader nodes_;
  const Unit* time_unit_;
  KernelTimes& kernels_;
  Contexts& contexts_;
  Diagnostics& out_;
  std::vector<Family> families_;
  std::unordered_map<std::string, std::uint32_t> lines_;  // of each DAG's name
  std::map<PoolId, FirstNodes> priorities_;
  std::uint64_t node_count_ = 0;
  std::vector<YamlTexts> texts_;  // in which names of parts stand
};

}  // namespace rta::io
