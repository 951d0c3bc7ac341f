// The task-set file as the checker understands it: read on its own, with libyaml for the syntax alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "number.hpp"

namespace checker {

/// What is wrong with a file, with its place.
struct BadInput : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Kind : std::uint8_t { cpu, gpu, engines, workers };

/// G-threads, block slots, bytes of shared memory, registers: of an SM, or of one block.
using Amounts = std::array<Int, 4>;
inline constexpr std::size_t threads = 0, slots = 1, shared_memory = 2, registers = 3;

/// By how many billionths of its time alone a block takes longer beside others; rows are of victims, columns of company.
using Factors = std::vector<std::vector<Int>>;
struct Company {
  std::vector<std::string> classes;
  Factors other_sm, same_sm;            // the latter may be empty
  bool sum = true;                      // of the classes that are there; else the worst of them
  std::vector<Int> copies, processors;  // by victims, beside what is no kernel; empty: taken to do nothing
};

struct Pool {
  std::string name;
  Kind kind = Kind::cpu;
  Int size = 1;  // processors, SMs, engines, workers
  std::string scheduler = "G-EDF";
  bool preemptive = true;
  bool callbacks = false;                         // of an executor
  Int runtime = 0, period = 0;                    // Q and P of a reservation; 0: none
  std::string equals;                             // `fifo`, `any`; empty: as usual
  bool sees_first = false;                        // all ends and releases of an instant, before it starts anything
  Int overhead = 0;                               // of workers: ns added to every item
  std::array<std::optional<Int>, 4> sm;           // none: never the limit
  bool shared = false;                            // a context of a GPU that processes share by time slices
  bool pauses = false;                            // between its slices
  Int slice = 0, switch_time = 0;                 // S, theta: of a context
  Int gap = 0;                                    // G: the longest pause between two slices
  std::string cut;                                // of a partition: its GPU
  Int launch = 0, dispatch = 0;                   // of a GPU: processor time of a launch, what each block lasts longer
  bool switches = false;                          // some blocks stand for switches between kernels
  Int warp = 1, unit = 1, reserved = 0, per = 1;  // units of G-threads, bytes, registers per warp; bytes that the system takes per block
  Int parts = 1;                                  // of the register file
  std::optional<Company> company;                 // what its blocks do to one another

  /// Fixed priorities: equals run in any order, not by ready time.
  [[nodiscard]] bool equals_any() const { return equals.empty() ? size > 1 : equals == "any"; }
  /// An executor of several threads.
  [[nodiscard]] bool multi_threaded() const { return kind == Kind::cpu && scheduler == "multi-threaded"; }
  /// An executor in a reservation.
  [[nodiscard]] bool in_reservation() const { return runtime > 0; }
  /// What follows a node may be ready before the node ends.
  [[nodiscard]] bool publishes_early() const {
    return callbacks && size == Int(1) && (scheduler == "FIFO" || (scheduler == "FP" && !preemptive));
  }
};

struct Node {
  std::string name;
  std::size_t pool = 0;
  Int C = 0;                 // ns; of a kernel: G-threads x ns of one block
  Int B = 1;                 // of a kernel: of the blocks that count, where `time` is given; else all
  Int blocks = 1;            // B of the file
  bool has_blocks = true;    // false: a kernel of which the file says its duration alone
  Int cluster = 1;           // so many blocks start together
  bool cooperative = false;  // all of them do
  std::optional<Int> time;   // of the whole kernel, alone on the GPU
  Int H = 1;
  Int least = 0;                        // ns of the shortest piece
  Int L = 0;                            // ns of the longest piece: C on processors and engines, a block, an item with its overhead
  bool alone = false;                   // of a kernel: its durations are those without company
  std::optional<std::size_t> of_class;  // of the pool's `company`
  Int shared_memory = 0, registers = 0;
  Int priority = 0;  // of the stream of a kernel
  bool d2h = false, sequential = false;
  std::string direction = "-";
  std::string group = "-";
  std::string stream;                  // of its DAG; empty: none that others share
  std::string process;                 // of a kernel: its own, or else its DAG's
  std::optional<Int> given_priority;   // its own, or else its DAG's
  Int fixed_priority = 0;              // under FP
  std::optional<Int> D;                // its own deadline, from its reference
  std::vector<std::size_t> before;     // predecessors, in increasing order
  std::vector<std::size_t> cut_after;  // those of them whose edge is cut

  /// Of a kernel: its blocks are known, and each starts as soon as it has room on some SM.
  [[nodiscard]] bool by_blocks() const { return has_blocks && cluster == Int(1) && !cooperative; }
};

/// Of a job: `to` starts after `from` of the job that was released `jobs` releases before has ended.
struct HistoryEdge {
  std::size_t from = 0, to = 0;
  Int jobs = 1;
};

struct Dag {
  std::string name;
  Int T = 1;                 // no two releases are closer: the period, less the jitter
  Int J = 0;                 // releases may be so late
  std::optional<Int> phase;  // the first release
  bool spins = false;        // its threads keep their processors while they wait
  bool periodic = false;     // and all others T apart, late by at most J
  std::optional<Int> T_max;  // two releases that follow one another are at most so far apart; none: T
  std::optional<Int> D;
  Int in_flight = 0;  // jobs under way at once, at most; 0: any number
  Int threads = 0;    // that play its jobs, node after node, and wait; 0: every node runs when it is ready
  std::vector<Node> nodes;
  std::vector<std::size_t> order;  // every node after its predecessors
  std::vector<HistoryEdge> history;
};

/// Data through DAGs that are released independently of one another.
struct Chain {
  struct Stage {
    std::size_t dag = 0;
    std::optional<std::size_t> node;  // none: the whole DAG
  };
  std::string name;
  std::vector<Stage> stages;
  bool let = false;                  // logical execution time
  std::optional<Int> reaction, age;  // limits on MRT and MDA
};

struct TaskSet {
  std::vector<Pool> pools;
  std::vector<Dag> dags;
  std::vector<Chain> chains;
};

/// Throws `BadInput` with LINE:COLUMN.
[[nodiscard]] TaskSet read_task_set(std::string_view text);

}  // namespace checker
