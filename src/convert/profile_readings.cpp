#include <array>

#include "readings.hpp"

namespace rta::convert {
namespace {

// Why something that ran on a GPU within jobs is refused.
constexpr std::string_view no_node = "what it does on the GPU, and beside what, is not known: no node can stand for it";
constexpr std::string_view two_ends = "it takes what its two ends have of engines and links, which the file does not say";
constexpr std::string_view of_the_host = "of the CPU: what threads do without CUDA counts as execution";

}  // namespace

std::span<const Reading> kineto_readings() {
  using enum Fate;
  static constexpr std::array rows{
      Reading{"category", "kernel, Kernel, gpu_memcpy, Memcpy, gpu_memset, Memset", read, "nodes on the GPU and its engines"},
      Reading{"category", "cuda_runtime, cuda_driver, Runtime, Driver", read, "calls: they end CPU nodes, launch and wait"},
      Reading{"category", "cuda_sync", read, "what calls waited for"},
      Reading{"category", "user_annotation", read, "ranges: `--job-marker`"},
      Reading{"category", "gpu_user_annotation", aside, "the same ranges, as long as the kernels that they launched, which are read"},
      Reading{"category", "cpu_op, Operator, python_function, cpu_instant_event, cuda_event, Trace, ac2g, async, fwdbwd", aside,
              "what calls and kernels say more exactly"},
      Reading{"category", "overhead", told, "times at which the recording itself held the program up: they count as execution"},
      Reading{"category", "*", told, of_the_host},
      Reading{"category with a device or stream", "*", refused, no_node},
      Reading{"field of an event of a GPU",
              "ph, cat, name, pid, tid, ts, dur, device, context, stream, correlation, registers per thread, shared memory, grid, block, "
              "cluster, priority, graph node id, cuda_sync_kind, wait_on_stream, wait_on_cuda_event_record_corr_id",
              read, "where and when it ran, and what it needs"},
      Reading{
          "field of an event of a GPU",
          "args, id, bp, s, External id, external id, queued, blocks per SM, warps per SM, est. achieved occupancy %, bytes, memory "
          "bandwidth "
          "(GB/s), kind, graph id, cbid, wait_on_cuda_event_id, cuda_event_id, hipGraphId, Ev Idx, Trace name, Trace iteration, "
          "Sequence number, Fwd thread id, Python id, Collective name, In msg nelems, Out msg nelems, Group size, dtype, In split size, "
          "Out split size, Process Group Name, Process Group Description, Process Group Ranks, Rank, Src Rank, Dst Rank, Seq, "
          "kernel_backend, kernel_hash, kernel_file, kernel_kwargs, num_warps, num_stages, stream_id",
          aside, ""},
      Reading{"field of an event of a GPU", "*", told, "what it says of times or blocks is not known"},
      Reading{"key of the file", "traceEvents, deviceProperties", read, ""},
      Reading{"key of the file",
              "schemaVersion, displayTimeUnit, baseTimeNanoseconds, baseTimeNanosecond, traceName, trace_id, cuda_runtime_version, "
              "cuda_driver_version, cupti_version, hip_runtime_version, hip_driver_version, roctracer_version, with_flops, record_shapes, "
              "profile_memory, with_stack, with_modules, "
              "distributedInfo, hasHardwareMetadata, metadata, otherData, record_shape, host_name, hostname, PT_PROFILER_JOB_NAME, "
              "PT_PROFILER_JOB_VERSION, PT_PROFILER_JOB_ATTEMPT_INDEX, systemTraceEvents, stackFrames, samples, controllerTraceDataKey, "
              "powerTraceAsString, beginningOfTime, INFO",
              aside, ""},
      Reading{"key of the file", "*", told, "what it says of times is not known"},
      Reading{"copy", "HtoD, DtoH, HtoA, AtoH", read, "copy engines, one direction each where there are two"},
      Reading{"copy", "DtoD, AtoA, AtoD, DtoA", read, "an engine of their own"},
      Reading{"copy", "PtoP", refused, two_ends},
      Reading{"copy", "*", refused, "which engine it takes is not known"},
      Reading{"synchronisation", "Event Sync, Stream Wait Event, Stream Sync, Context Sync", read, "edges"},
      Reading{"synchronisation", "*", told, "the call waits for every stream that was empty when it returned"},
      Reading{"phase of an event", "X", read, ""},
      Reading{"phase of an event", "M, s, t, f, i, I, R, C, N, O, D, P, c", aside, "names, arrows, instants and counters"},
      Reading{"phase of an event", "*", told, "events that begin and end apart: Kineto writes none of a GPU"},
      Reading{"phase of an event of a GPU", "*", refused, "kernels, copies and calls are events of phase X"},
  };
  return rows;
}

std::span<const Reading> nsys_readings() {
  using enum Fate;
  static constexpr std::array rows{
      Reading{"table with times on a GPU", "CUPTI_ACTIVITY_KIND_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET", read,
              "nodes on the GPU and its engines"},
      Reading{"table with times on a GPU", "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", read, "what calls waited for"},
      Reading{"table with times on a GPU", "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", refused,
              "it holds replays of CUDA graphs as wholes: `nsys profile --cuda-graph-trace=node` records their kernels"},
      Reading{"table with times on a GPU", "CUDA_UM_GPU_PAGE_FAULT_EVENTS", told,
              "faults hold up the kernels that meet them, which are read"},
      Reading{"table with times on a GPU",
              "CUPTI_ACTIVITY_KIND_OPENACC_DATA, CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH, CUPTI_ACTIVITY_KIND_OPENACC_OTHER", told, of_the_host},
      Reading{"table with times on a GPU", "*", refused, no_node},
      Reading{"table with times", "CUPTI_ACTIVITY_KIND_RUNTIME", read, "calls: they end CPU nodes, launch and wait"},
      Reading{"table with times", "NVTX_EVENTS", read, "ranges: `--job-marker`"},
      Reading{"table with times", "CUPTI_ACTIVITY_KIND_OVERHEAD, PROFILER_OVERHEAD", told,
              "times at which the recording itself held the program up: they count as execution"},
      Reading{"table with times", "*", told, of_the_host},
      Reading{"table without times", "StringIds, PROCESSES, TARGET_INFO_GPU, TARGET_INFO_CUDA_STREAM, CUPTI_ACTIVITY_KIND_CUDA_EVENT", read,
              "names, limits, streams and records of events"},
      Reading{"table without times", "SCHED_EVENTS, ENUM_SAMPLING_THREAD_STATE", read, "switches of threads"},
      Reading{"table without times", "DIAGNOSTIC_EVENT", read, "warnings of the profiler"},
      Reading{"table without times", "*", aside, ""},
      Reading{"table with instants",
              "COMPOSITE_EVENTS, GPU_METRICS, NET_NIC_METRIC, CUDA_GPU_MEMORY_USAGE_EVENTS, CUDA_GPU_MEMORY_POOL_EVENTS, ANALYSIS_DETAILS, "
              "TARGET_INFO_SESSION_START_TIME, PROCESS_STREAMS, ProcessStreams",
              aside, "samples, counters, and when the recording was made"},
      Reading{"table with instants", "GPU_CONTEXT_SWITCH_EVENTS", told,
              "which context had the GPU is not read: contexts that share a GPU are a difference from the recording (--slice, --switch)"},
      Reading{"table with instants", "*", told, "what it says of times is not known"},
      Reading{
          "column",
          "start, end, timestamp, deviceId, contextId, streamId, correlationId, globalPid, globalTid, demangledName, gridX, gridY, gridZ, "
          "blockX, blockY, blockZ, registersPerThread, staticSharedMemory, dynamicSharedMemory, graphNodeId, greenContextId, launchType, "
          "clusterX, clusterY, clusterZ, copyKind, srcKind, dstKind, nameId, syncType, eventId, eventSyncId, eventType, text, textId",
          read, "of kernels, copies, memsets, calls, synchronisations, events and ranges"},
      Reading{"column",
              "shortName, mangledName, cacheConfig, localMemoryPerThread, localMemoryTotal, gridId, sharedMemoryExecuted, "
              "sharedMemoryLimitConfig, qmdBulkReleaseDone, qmdPreexitDone, qmdLastCtaDone, graphId, clusterSchedulingPolicy, "
              "maxPotentialClusterSize, maxActiveClusters, sharedMemoryRequestedPercentage, tensorSizeMinusOneElements, bytes, "
              "deprecatedSrcId, srcDeviceId, srcContextId, dstDeviceId, dstContextId, migrationCause, virtualAddress, copyCount, value, "
              "memKind, eventClass, returnValue, callchainId, deprecatedSyncType, rangeId, category, color, endGlobalTid, domainId, "
              "uint64Value, int64Value, doubleValue, uint32Value, int32Value, floatValue, jsonTextId, jsonText, binaryData",
              aside, ""},
      Reading{"column", "*", told, "what it says of times or blocks is not known"},
      Reading{"kind of launch", "0, 1", read, "blocks start one by one"},
      Reading{"kind of launch", "2, 3", read, "cooperative: the kernel has the GPU for itself, which is told"},
      Reading{"kind of launch", "*", told, "how its blocks start is not known, and bounds may not cover it"},
      Reading{"kind of copy", "1, 2, 3, 4, 11, 12", read, "between host and device: copy engines, one direction each where there are two"},
      Reading{"kind of copy", "5, 6, 7, 8", read, "within a device: an engine of their own"},
      Reading{"kind of copy", "10, 13", refused, two_ends},
      Reading{"kind of copy", "*", refused, "which engine it takes is not known"},
      Reading{"kind of synchronisation", "1, 2, 3, 4", read, "edges"},
      Reading{"kind of synchronisation", "*", told, "the call waits for every stream that was empty when it returned"},
      Reading{
          "switch of threads", "preempted and waiting", read,
          "C of a CPU node is without the time in which others ran in the place of its thread: it left its processor in state `Running`"},
      Reading{"switch of threads", "*", told,
              "it does not tell a thread that others preempted from one that waited: C of a CPU node is time on the clock, which is safe"},
      Reading{"kind of NVTX event", "59, 60, 70", read, "ranges; those that do not end within the recording are told and left out"},
      Reading{"kind of NVTX event", "*", aside, "marks, names, categories and domains"},
  };
  return rows;
}

std::span<const Reading> nsys_stats_readings() {
  using enum Fate;
  static constexpr std::array rows{
      Reading{"report", "cuda_gpu_trace, gputrace", read, "kernels, copies and memsets, one by one"},
      Reading{"report", "*", told, "it sums times up, or is of the CPU: only cuda_gpu_trace says what ran when"},
      Reading{"line", "title", aside, "what nsys stats says of its work"},
      Reading{"line", "*", told, "it belongs to no table of kernels"},
      Reading{"column", "Start, Duration, GrdX, GrdY, GrdZ, BlkX, BlkY, BlkZ, Device, Ctx, Strm, Name", read,
              "nodes on the GPU and its engines; times in the unit that the header says"},
      Reading{"column", "Reg/Trd, StcSMem, DymSMem", read, "registers and shared memory; what the unit rounds away counts"},
      Reading{"column", "CorrId", read, "what one call launched together"},
      Reading{"column", "PID", read, "processes, which share a GPU in time slices"},
      Reading{"column", "GreenCtx", read, "kernels in green contexts are told"},
      Reading{"column", "Bytes, Throughput, SrcMemKd, DstMemKd, TID", aside, ""},
      Reading{"column", "*", told, "the report has no such column"},
      Reading{"copy", "HtoD, Host-to-Device, DtoH, Device-to-Host, HtoA, Host-to-Array, AtoH, Array-to-Host", read,
              "copy engines, one direction each where there are two"},
      Reading{"copy", "DtoD, Device-to-Device, AtoA, AtoD, DtoA, Array-to-Array, Array-to-Device, Device-to-Array", read,
              "an engine of their own"},
      Reading{"copy", "PtoP, Peer-to-Peer", refused, two_ends},
      Reading{"copy", "*", refused, "which engine it takes is not known"},
      Reading{"row without a grid", "[CUDA memset], [CUDA Unified Memory memset]", read, "an engine of their own"},
      Reading{"row without a grid", "*", refused, no_node},
  };
  return rows;
}

std::span<const Reading> trtexec_readings() {
  using enum Fate;
  static constexpr std::array rows{
      Reading{"key of a layer", "name, averageMs, medianMs, timeMs", read,
              "a node: the average, or the median where it is larger; no file of trtexec has the longest time of a layer"},
      Reading{"key of a layer", "count", read, "of the entry before the layers: of how many inferences `timeMs` is the sum"},
      Reading{"key of a layer", "percentage", aside, ""},
      Reading{"key of a layer", "*", told, "trtexec writes no such key"},
      Reading{"key of an inference",
              "startEnqMs, endEnqMs, startH2dMs, endH2dMs, startComputeMs, endComputeMs, startD2hMs, endD2hMs, h2dMs, computeMs, d2hMs, "
              "startInMs, endInMs, startOutMs, endOutMs, inMs, outMs",
              read, "the longest time of each part, and of the whole with its pauses"},
      Reading{"key of an inference", "latencyMs, endToEndMs", aside, "the sum of the parts, and the time between inferences"},
      Reading{"key of an inference", "*", told, "trtexec writes no such key"},
  };
  return rows;
}

std::span<const Reading> sched_readings() {
  using enum Fate;
  static constexpr std::array rows{
      Reading{"event", "sched_switch", read, "which thread runs on which processor, and why it stopped"},
      Reading{"event", "sched_waking, sched_wakeup, sched_wakeup_new", read, "releases"},
      Reading{"event",
              "sched_migrate_task, sched_stat_runtime, sched_stat_wait, sched_stat_sleep, sched_stat_blocked, sched_stat_iowait, "
              "sched_process_fork, sched_process_exec, sched_process_exit, sched_process_free, sched_process_wait, kernel_stack",
              aside, "what switches say more exactly"},
      Reading{"event",
              "irq_handler_entry, irq_handler_exit, softirq_entry, softirq_exit, softirq_raise, local_timer_entry, local_timer_exit, "
              "hrtimer_expire_entry, hrtimer_expire_exit, ipi_entry, ipi_exit, ipi_raise",
              aside, "interrupts count as execution of the thread that they interrupt"},
      Reading{"event", "*", told, "only switches and wakeups say when threads run"},
      Reading{"state", "R", read, "of a thread that another preempted: its job goes on"},
      Reading{"state", "D", read, "a wait for a page or a disk: it counts as execution"},
      Reading{"state", "S, I, T, t, X, x, Z, K, W, P, N, p", read, "the job ends"},
      Reading{"state", "*", refused, "whether the job of the thread has ended is not known"},
      Reading{"line", "comment", aside, "headers and call stacks"},
      Reading{"line", "*", told, "it is no event; `events lost` cuts off the jobs beside it"},
  };
  return rows;
}

std::span<const Reading> recording_readings() {
  using enum Fate;
  static constexpr std::array rows{
      Reading{"record", "process, device, context, stream, kernel, memcpy, memset, call, sync, event, range", read,
              "as of a profile of Nsight Systems"},
      Reading{"record", "check", read, "a check that failed is a warning"},
      Reading{"record", "mark", aside, ""},
      Reading{"record", "overhead", told, "times at which the recording itself held the program up: they count as execution"},
      Reading{"record", "*", refused, "it is no record of a recording"},
      Reading{"field of a record", "*", told, "no record of that kind has such a field"},
      Reading{"key of the header", "program, plain_run_ns, recorded_run_ns", aside, ""},
      Reading{"key of the header", "*", told, "what it says of the run is not known"},
      Reading{"kind of launch", "regular", read, "blocks start one by one"},
      Reading{"kind of launch", "cooperative", read, "the kernel has the GPU for itself, which is told"},
      Reading{"kind of launch", "*", told, "how its blocks start is not known, and bounds may not cover it"},
      Reading{"kind of synchronisation", "event, wait_event, stream, context", read, "edges"},
      Reading{"kind of synchronisation", "*", told, "the call waits for every stream that was empty when it returned"},
      Reading{"direction of a copy", "h2d, d2h", read, "copy engines, one direction each where there are two"},
      Reading{"direction of a copy", "d2d", read, "an engine of their own"},
      Reading{"direction of a copy", "p2p", refused, two_ends},
      Reading{"direction of a copy", "*", refused, "which engine it takes is not known"},
  };
  return rows;
}

}  // namespace rta::convert
