// The task set as plain tables: what `rta workload` writes into the generated source. All times are ns.
#pragma once

#include <cstdint>

namespace workload {

enum class PoolKind { cpu, gpu, engines, workers };

/// How the nodes of a CPU pool are ordered: by priority point, with preemption or without (a thread pool with a priority queue), first in
/// first out (a plain thread pool), or by fixed level, with preemption or without.
enum class Order { priority_point, non_preemptive, fifo, fixed, fixed_non_preemptive };

struct Pool {
  const char* name;
  PoolKind kind;
  unsigned count;  // processors, SMs, engines or workers
  Order order;
  unsigned threads_per_sm;  // GPU: G-threads
  const char* hardware;     // what is called so in the file: contexts of a GPU that processes share, and its partitions, have one name
  unsigned whole = 0;       // of a partition: SMs of the whole GPU; else 0
  bool rest = false;        // a partition that has what the others leave
};

struct Node {
  const char* name;
  unsigned pool;
  std::int64_t length;   // CPU, copy: C. GPU: L of a block. Workers: L of an item. As it is played
  std::int64_t longest;  // as the file has it: with what this machine takes beside it
  std::uint64_t blocks;  // GPU: B; workers: items of a job; else 1
  unsigned threads;      // GPU: H
  unsigned shared_memory;
  unsigned registers;        // per thread; 0: not said
  unsigned blocks_per_sm;    // GPU: of its blocks alone, as the bounds take it
  unsigned stream_priority;  // GPU: 0 is the lowest
  bool d2h;
  bool sequential;
  bool timed;                   // released at `offset` after its DAG's release, or when its last predecessor ends if that is later
  std::int64_t offset;          // after the DAG's release
  std::int64_t reference;       // its response time is counted from then, after the DAG's release
  bool guarded;                 // its jobs enter their queue in order, at least T apart
  std::int64_t priority_point;  // after the DAG's release; CPU pools ordered by priority point
  int level;                    // CPU pools ordered by fixed level: that of SCHED_FIFO; 0: none
  std::int64_t bound;           // of its response time; -1: none
  unsigned slots;               // jobs of the node that may be under way at once
  int body = -1;                // of its DAG: the one whose threads play it; -1: it starts when it is ready
};

/// Nodes that a thread plays in this order, one job at a time; it waits for each, and then takes the job that came first.
struct Body {
  const unsigned* nodes;
  unsigned node_count;
  unsigned threads;  // that do
  bool by_point;     // its thread is scheduled as the pool orders its job; else all threads queue for the pool's processors as they come
  bool spins;        // they ask whether what they wait for has ended, and keep their processor from the first node to the last
};

struct Edge {
  unsigned from;
  unsigned to;
};

/// `to` waits for `from` of the job so many before.
struct HistoryEdge {
  unsigned from;
  unsigned to;
  unsigned jobs;
};

struct Dag {
  const char* name;
  std::int64_t period;
  std::int64_t phase;  // of the first release, after the start of the run
  std::int64_t bound;  // end to end; -1: none
  const Node* nodes;
  unsigned node_count;
  const Edge* edges;
  unsigned edge_count;
  int process;  // DAGs with the same number share one where processes run them; -1: its kernels are of several
  const Body* bodies = nullptr;
  unsigned body_count = 0;
  unsigned in_flight = 0;  // jobs under way at most: one that is released then waits, in order, until one ends; 0: any number
  const HistoryEdge* history = nullptr;
  unsigned history_count = 0;
};

/// Where the analysis departed from the file: traces name it, so that they are compared with the same bounds.
struct Choice {
  const char* name;
  const char* value;
};

struct TaskSet {
  const char* name;
  const char* sha256;          // of the task-set file
  const char* content_sha256;  // of what it says
  const char* release;
  const Choice* choices;
  unsigned choice_count;
  const Pool* pools;
  unsigned pool_count;
  const Dag* dags;
  unsigned dag_count;
};

/// One job of one node.
struct Job {
  unsigned dag = 0;
  unsigned node = 0;
  std::int64_t number = 0;
  std::int64_t ready = 0;  // when it entered its pool's queue, on the monotonic clock
};

/// Whether threads play bodies.
inline bool has_bodies(const TaskSet& set) {
  for (unsigned d = 0; d < set.dag_count; ++d) {
    if (set.dags[d].body_count > 0) return true;
  }
  return false;
}

}  // namespace workload
