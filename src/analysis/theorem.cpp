#include "rta/analysis/theorem.hpp"

#include <array>

namespace rta::analysis {
namespace {

using enum Theorem;

constexpr std::array entries{
    TheoremEntry{none, "", "no bound", ""},
    TheoremEntry{sum, "offsets", "the bounds along a path, each from its node's offset", ""},
    TheoremEntry{T1, "T1", "GEL on identical processors", "theory/cpu.md"},
    TheoremEntry{T1e, "T1e", "T1 with the exact demand", "theory/cpu.md"},
    TheoremEntry{T1c, "T1c", "T1 with the carry-in counted by jobs", "theory/cpu.md"},
    TheoremEntry{T1ec, "T1e+T1c", "T1 with both", "theory/cpu.md"},
    TheoremEntry{T1r, "T1r", "T1c with what is released by the job's own release in place of its priority point", "theory/cpu.md"},
    TheoremEntry{T1re, "T1re", "T1r with the exact demand", "theory/cpu.md"},
    TheoremEntry{T1n, "T1n", "jobs counted from proven bounds", "theory/cpu.md"},
    TheoremEntry{T1b, "T1b", "T1r without preemption", "theory/cpu.md"},
    TheoremEntry{T1be, "T1be", "T1re without preemption", "theory/cpu.md"},
    TheoremEntry{T1bn, "T1bn", "T1n without preemption", "theory/cpu.md"},
    TheoremEntry{T3, "T3", "sequential tasks under GEL (compliant vector)", "theory/cpu.md"},
    TheoremEntry{T3b, "T3b", "T3 without preemption", "theory/cpu.md"},
    TheoremEntry{T4, "T4", "sequential tasks under G-EDF (Devi and Anderson)", "theory/cpu.md"},
    TheoremEntry{T5, "T5", "kernels behind one FIFO, G-threads only (Theorem 4.3)", "theory/gpu.md"},
    TheoremEntry{T6a, "T6a", "kernels over every resource of an SM, weighted by occupancy", "theory/gpu.md"},
    TheoremEntry{T6b, "T6b", "the same with chosen weights", "theory/gpu.md"},
    TheoremEntry{T6c, "T6c", "the same with the carry-in counted by jobs", "theory/gpu.md"},
    TheoremEntry{T6n, "T6n", "the same with the backlog counted from proven bounds", "theory/gpu.md"},
    TheoremEntry{T7, "T7", "kernels of several stream priorities", "theory/gpu.md"},
    TheoremEntry{T8, "T8", "items or copies behind one FIFO", "theory/gpu.md"},
    TheoremEntry{T10, "T10", "whole DAGs released on completion", "theory/path.md"},
    TheoremEntry{T10n, "T10n", "T10 node by node", "theory/path.md"},
    TheoremEntry{T10p, "T10p", "T10n with no more of the own job than what is parallel to the path", "theory/path.md"},
    TheoremEntry{T10d, "T10d", "T10p with no more work of a DAG than fits beside the path, the DAG taken as a whole", "theory/path.md"},
    TheoremEntry{T10w, "T10w", "T10p with no more work of other jobs than fits beside the path", "theory/path.md"},
    TheoremEntry{T10m, "T10m", "many long paths of one DAG on one pool", "theory/path.md"},
    TheoremEntry{T10a, "T10a", "T10n with one release pattern per DAG for all pools", "theory/path.md"},
    TheoremEntry{T10v, "T10v", "T10a, where other jobs run on the processors while the path does", "theory/path.md"},
    TheoremEntry{T10c, "T10c", "T10n with what a GEL pool has left when the job is released, up to full load", "theory/path.md"},
    TheoremEntry{T10f, "T10f", "T10a with FIFO pools, where jobs overlap: what of them can be ready at once, along a path",
                 "theory/path.md"},
    TheoremEntry{T10j, "T10j", "a node behind a FIFO as a sporadic task with jitter, up to full load", "theory/path.md"},
    TheoremEntry{T10g, "T10g", "the same under GEL", "theory/path.md"},
    TheoremEntry{T11, "T11", "T10n with CPU pools under fixed priorities", "theory/fixed-priority.md"},
    TheoremEntry{T11g, "T11g", "T10n and T11 with kernels of several stream priorities", "theory/fixed-priority.md"},
    TheoremEntry{T11j, "T11j", "a node under fixed priorities as a sporadic task with jitter, up to full load", "theory/fixed-priority.md"},
    TheoremEntry{T12, "T12", "T10n and T11 with release jitter", "theory/jitter.md"},
    TheoremEntry{T12j, "T12j", "T10j, T10g and T11j with release jitter", "theory/jitter.md"},
    TheoremEntry{T12d, "T12d", "T10d with release jitter", "theory/jitter.md"},
    TheoremEntry{T12w, "T12w", "T10w with release jitter", "theory/jitter.md"},
    TheoremEntry{T12m, "T12m", "T10m with release jitter", "theory/jitter.md"},
    TheoremEntry{T14, "T14", "T10n and T11 with GPUs that processes share by time slices", "theory/time-slices.md"},
    TheoremEntry{T14j, "T14j", "a kernel of a time-sliced GPU as a sporadic task with jitter", "theory/time-slices.md"},
    TheoremEntry{T15, "T15", "the longest path of a static order", "theory/static.md"},
    TheoremEntry{T15g, "T15g", "T15 with kernels that start when they are ready", "theory/static.md"},
    TheoremEntry{T15w, "T15w", "T15 with kernels for whose blocks there is always room", "theory/static.md"},
    TheoremEntry{T16, "T16", "sporadic tasks with D <= T: what runs in a window before a job ends", "theory/hard.md"},
    TheoremEntry{T17, "T17", "sporadic tasks with D <= T under GEL: their density", "theory/hard.md"},
    TheoremEntry{T18, "T18", "sporadic tasks with D <= T under GEL: their load at every length of time", "theory/hard.md"},
    TheoremEntry{T19, "T19", "executors under the wait-set rule: the windows in which work counts, along a path", "theory/executors.md"},
    TheoremEntry{T19j, "T19j", "a node of such an executor, from when it became busy", "theory/executors.md"},
    TheoremEntry{T20, "T20", "executors of several threads: what shares a group counts in full, the rest by 1/m", "theory/executors.md"},
    TheoremEntry{T21h, "T21h", "threads that wait for their kernels: how long one may hold a job", "theory/threads.md"},
    TheoremEntry{T22, "T22", "executors in reservations: what they are held back beside the work that is counted", "theory/executors.md"},
    TheoremEntry{T23, "T23", "a node behind a FIFO, where jobs overlap: what is ready when it is", "theory/path.md"},
    TheoremEntry{T24, "T24", "a node on processors with preemption: how many nodes run at once while it waits", "theory/path.md"},
    TheoremEntry{T27, "T27", "kernels one after another, each of its duration alone", "theory/serial.md"},
    TheoremEntry{T35, "T35", "periodic DAGs: each job of a hyperperiod, by the jobs whose windows meet its own", "theory/periodic.md"},
    TheoremEntry{T36, "T36", "periodic DAGs: each job of a hyperperiod, by all orders in which jobs may start", "theory/periodic.md"},
    TheoremEntry{T38, "T38", "a limited number of jobs under way of each DAG: what of them can be ready at once", "theory/in-flight.md"},
    TheoremEntry{T39, "T39", "what a pool has left when the path is released, counted by the ends of nodes on other pools",
                 "theory/upstream.md"},
    TheoremEntry{T41, "T41", "threads that spin while they wait for their kernels: T21h with processors that are kept",
                 "theory/threads.md"},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].theorem != static_cast<Theorem>(i)) return false;
  }
  return entries.back().theorem == T41;
}
static_assert(in_order());

}  // namespace

std::span<const TheoremEntry> theorems() { return entries; }

std::string_view to_string(Theorem theorem) { return entries[static_cast<std::size_t>(theorem)].name; }

}  // namespace rta::analysis
