#include <array>

#include "readings.hpp"

namespace rta::convert {

namespace {

constexpr std::string_view with_place = "with the places of all unknown keys and the ones that there are";
constexpr std::string_view of_the_run =
    "task_set_content_sha256, streams, scheduling, kernel, duration_ns, warmup_ns, overhead_ns, cuda, overrun, plan, connections, records, "
    "probe, run, jobs, timer_step_ns, copies_watched_by_a_block";

}  // namespace

std::span<const Reading> sag_readings() {
  using enum Fate;
  static constexpr std::array rows{
      Reading{"column", "Task ID, Job ID, Arrival min, Arrival max, Cost min, Cost max, Deadline, Priority", read,
              "a header's names decide; without one, columns stand in this order"},
      Reading{"column", "Job type", read, "0; others are refused"},
      Reading{"column", "Name", read, "DAG/node"},
      Reading{"column", "time unit, hyperperiod, processors, pool, releases", read, "what files of rta say in the header: `processors: 4`"},
      Reading{"column", "Predecessor TID, Predecessor JID, Successor TID, Successor JID", refused,
              "the constraints between jobs go with --precedence"},
      Reading{"column", "Trigger min, Trigger max, Cleanup min, Cleanup max", refused,
              "abort actions end jobs before their time, which a task set does not say"},
      Reading{"column", "*", told, "the tool does not have it"},
      Reading{"column of constraints", "Predecessor TID, Predecessor JID, Successor TID, Successor JID", read,
              "edges; `From TID` and `To TID` are the same"},
      Reading{"column of constraints", "Delay min, Delay max, Type", read, "0 and f; others are refused"},
      Reading{"column of constraints", "*", told, "the tool does not have it"},
      Reading{"row", "gang job", refused, "a job that needs several processors at once is no node of a task set"},
      Reading{"row", "conditional job", refused, "a job that is one of several branches (job type other than 0) is no node of a task set"},
      Reading{"row", "*", refused, "it is no job"},
      Reading{"constraint", "suspension", refused, "a delay between jobs is no part of a task set"},
      Reading{"constraint", "start", refused, "only constraints from end to start (f) are edges of a task set"},
      Reading{"constraint", "*", refused, "it is no constraint between jobs"},
      Reading{"key", "*", refused, "of YAML: keys are those of the columns, and `Successors`"},
  };
  return rows;
}

std::span<const Reading> dag_scheduling_readings() {
  using enum Fate;
  static constexpr std::array rows{
      Reading{"key", "tasks, id, t, d, vertices, edges, c, p, s, from, to", read, "DAGs of CPU nodes; p is the core, s its kind"},
      Reading{"key", "*", refused, with_place},
  };
  return rows;
}

std::span<const Reading> stg_readings() {
  using enum Fate;
  static constexpr std::array rows{
      Reading{"row", "task, processing time, predecessors", read, "a node and its edges; the entry and the exit, too"},
      Reading{"row", "comment", aside, "what follows `#`"},
      Reading{"row", "*", refused, "it is no task; rows with times of communication, too"},
  };
  return rows;
}

std::span<const Reading> tgff_readings() {
  using enum Fate;
  static constexpr std::array rows{
      Reading{"statement of a graph", "PERIOD, APERIODIC, TASK, ARC, HARD_DEADLINE", read,
              "a DAG; D is the least of its hard deadlines, C the largest time of the task's type in any table, or in that of --cost"},
      Reading{"statement of a graph", "SOFT_DEADLINE", told, "that it is met is not asked for"},
      Reading{"statement of a graph", "*", refused, "what it says of the graph is not known"},
      Reading{"table", "with times", read, "with the columns type and that of the times"},
      Reading{"table", "*", told, "what arcs carry, and what processors cost, is in no bound"},
      Reading{"row of a table", "*", told, "it stands before the names of columns: prices and areas are in no bound"},
      Reading{"column of a table", "type, valid", read, "rows that are not valid do not count"},
      Reading{"column of a table", "version", aside, ""},
      Reading{"column of a table", "*", told, "one column alone is the execution time (--cost)"},
      Reading{"type of an arc", "*", told, "edges take no time: what it says of communication is in no bound"},
      Reading{"statement", "HYPERPERIOD", aside, "what the periods say"},
      Reading{"statement", "*", told, "it is neither a graph nor a table"},
  };
  return rows;
}

std::span<const Reading> dot_readings() {
  using enum Fate;
  static constexpr std::string_view drawing =
      "shape, color, style, fillcolor, fontcolor, fontname, fontsize, height, width, pos, lp, bb, tooltip, penwidth, rankdir, rank, "
      "lheight, "
      "lwidth, margin, ranksep, nodesep, splines, ratio, dpi, bgcolor, fixedsize, peripheries, URL, href, constraint, dir, arrowhead, "
      "arrowtail, arrowsize, headport, tailport, minlen, ordering, concentrate, compound, overlap, layout, labelloc, labeljust, class, id, "
      "comment, charset, labelfontsize, labeldistance, labelangle, center, pad, lhead, ltail";
  static constexpr std::array rows{
      Reading{"attribute of the graph", "T, D", read, "the DAG's period and deadline"},
      Reading{"attribute of the graph", drawing, aside, ""},
      Reading{"attribute of the graph", "label, name, size", aside, ""},
      Reading{"attribute of the graph", "*", told, "of a digraph T and D are known"},
      Reading{"attribute of the node with T and no edges", "T, D", read, "the same; it is no node of the DAG"},
      Reading{"attribute of the node with T and no edges", drawing, aside, ""},
      Reading{"attribute of the node with T and no edges", "label, xlabel", aside, ""},
      Reading{"attribute of the node with T and no edges", "*", told, "of such a node T and D are known"},
      Reading{"attribute of nodes", "p, s", read, "the core, and the kind of core"},
      Reading{"attribute of nodes", "C, c, wcet, WCET", told,
              "another attribute is the execution time: what --cost names, or the first of C, c, wcet, WCET and label that all nodes have"},
      Reading{"attribute of nodes", "T, D", told,
              "periods and deadlines are the DAG's: attributes of the digraph, or of a node without edges"},
      Reading{"attribute of nodes", drawing, aside, ""},
      Reading{"attribute of nodes", "label, xlabel", aside, "unless it is the execution time"},
      Reading{"attribute of nodes", "*", told, "if it is a time, bounds do not count it"},
      Reading{"attribute of edges", drawing, aside, ""},
      Reading{"attribute of edges", "label, xlabel, headlabel, taillabel, weight, size", told,
              "edges take no time: if it is a delay or a size, it is in no bound"},
      Reading{"attribute of edges", "*", told, "edges take no time: what it says of delays or sizes is in no bound"},
      Reading{"attribute of subgraphs", drawing, aside, ""},
      Reading{"attribute of subgraphs", "label, xlabel", aside, ""},
      Reading{"attribute of subgraphs", "*", told, "a subgraph only says which nodes there are"},
      Reading{"statement", "*", refused, "with the line of what is no DOT; a graph without direction, too"},
  };
  return rows;
}

std::span<const Reading> openvx_readings() {
  using enum Fate;
  static constexpr std::array rows{
      Reading{"file", "graphs, time_unit", read, "a DAG per graph"},
      Reading{"file", "*", refused, with_place},
      Reading{"graph", "name, period, deadline, nodes", read, "without period and deadline: --period, --deadline"},
      Reading{"graph", "*", refused, with_place},
      Reading{"node", "name, kernel, target, time", read,
              "a CPU node, or a kernel by its time; without a name the last word of its kernel"},
      Reading{"node", "blocks, threads", read, "of a kernel: B, and H in whole warps"},
      Reading{"node", "inputs, outputs", read, "names of data: who reads it follows who writes it"},
      Reading{"node", "*", refused, with_place},
  };
  return rows;
}

std::span<const Reading> stm_readings() {
  using enum Fate;
  static constexpr std::array rows{
      Reading{"graph", "Resources, SOC, Hyperepochs, Clients, Runnables, Dependencies, Submits, WCET, Deadline", read,
              "a DAG per epoch, pools of CPUs and engines"},
      Reading{"graph", "mutexes, waits for the frame before", told, "bounds do not count these waits"},
      Reading{"graph", "start times, alias groups, names of processors", told, "the pool's scheduler decides"},
      Reading{"graph", "Extern", refused, "runnables of other files"},
      Reading{"graph", "*", refused, with_place},
  };
  return rows;
}

std::span<const Reading> examiner_readings() {
  using enum Fate;
  static constexpr std::array rows{
      Reading{"key",
              "benchmarks, max_iterations, sync_every_iteration, use_processes, block_count, thread_count, additional_info, release_time, "
              "stream_priority",
              read, "kernels and copies of an experiment"},
      Reading{"key", "name, comment, label, log_name, cuda_device, cpu_core, pin_cpus, do_warmup, data_size", aside, ""},
      Reading{"key", "sm_mask, mps_thread_percentage, max_time", refused,
              "the scheduling rules do not cover them, or no number of iterations is known"},
      Reading{"key", "*", told, "with a warning"},
  };
  return rows;
}

std::span<const Reading> trace_readings() {
  using enum Fate;
  static constexpr std::array rows{
      Reading{"record", "dag, job, run, block, copy", read, "the longest times, and what became ready at which end"},
      Reading{"record", "check", read, "a check that failed is a warning"},
      Reading{"record", "*", refused, "with its line"},
      Reading{"field of a record", "*", told, "no record of that kind has such a field"},
      Reading{"key of the header", "tasks, mps", read, "processes that shared the GPU without MPS are told"},
      Reading{"key of the header", of_the_run, aside, "what the machine was, and how the run went"},
      Reading{"key of the header", "*", told, "what it says of the run is not known"},
      Reading{"key of the file", "displayTimeUnit, traceEvents", read, ""},
      Reading{"key of the file", "*", told, "rta writes no such key"},
      Reading{"phase of an event", "M, X, b, e", read, "names of pools, what ran, jobs"},
      Reading{"phase of an event", "*", told, "rta writes no such events"},
      Reading{"field of an event", "ph, name, cat, id, pid, tid, ts, dur, args.job, args.block, args.name, args.sort_index", read, ""},
      Reading{"field of an event", "*", told, "rta writes no such field"},
      Reading{"name of a lane", "process_name", read, "the pool, and what it is"},
      Reading{"name of a lane", "thread_name, thread_sort_index", aside, ""},
      Reading{"name of a lane", "*", told, "rta writes no such name"},
      Reading{"category of a job", "dag, job", read, ""},
      Reading{"category of a job", "*", told, "rta writes no such jobs"},
  };
  return rows;
}

std::span<const Reading> task_set_readings() {
  using enum Fate;
  static constexpr std::array rows{
      Reading{"key", "*", refused, with_place},
  };
  return rows;
}

}  // namespace rta::convert
