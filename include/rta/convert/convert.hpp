// Files of other tools as task sets.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rta/convert/kind.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/model/experiment.hpp"
#include "rta/model/task_set.hpp"
#include "rta/static_order/graph.hpp"
#include "rta/trace/reader.hpp"

namespace rta::convert {

/// How a thread waits for the GPU: it keeps its processor (CUDA's default), or gives it away.
enum class Waits : std::uint8_t { active, passive };

/// What an executor of ROS 2 is, by the class of rclcpp.
enum class ExecutorKind : std::uint8_t { single_threaded, static_single_threaded, events, multi_threaded };
struct ChosenExecutor {
  std::string name;  // of its pool
  ExecutorKind kind = ExecutorKind::single_threaded;
  std::optional<std::uint32_t> threads = {};
};

/// Releases of ROS 2 by which executors pick callbacks.
enum class Distribution : std::uint8_t { humble, iron, jazzy, rolling };

/// What files do not say. A member is named like the option of `rta convert` that sets it.
struct Options {
  std::optional<Kind> from;
  std::optional<std::string> device;                              // a built-in device
  std::vector<std::pair<std::string, std::uint32_t>> processors;  // of CPU pools by name; "": of the CPU pool that has no other entry
  std::vector<std::pair<std::string, std::vector<std::string>>> allocate;  // units of tasks; "*": of every other task
  std::optional<std::uint32_t> copy_engines;                               // 1 or 2
  std::optional<std::uint64_t> copy_rate;                                  // bytes per second
  std::optional<std::uint64_t> access_size;                                // bytes of one access to memory
  std::optional<Scheduler> scheduler;                                      // of CPU pools
  std::optional<Time> period, deadline;
  std::optional<Time> time_unit;                           // of plain numbers
  std::optional<std::filesystem::path> precedence;         // of a job set
  std::optional<std::filesystem::path> architecture = {};  // of a trace of ROS 2, CARET's
  std::vector<std::string> job_markers;                    // ranges that are jobs
  std::vector<std::string> threads;                        // of Linux: names, patterns or numbers
  std::optional<std::uint32_t> gpu;                        // of a profile's GPUs this one only
  std::optional<std::uint32_t> percentile;                 // in millionths; none: the maximum
  std::optional<Time> fuse;                                // kernels shorter than this
  std::optional<Time> dispatch_latency;                    // added to the time of every kernel
  std::optional<Time> slice, switching;                    // of GPUs that processes share by time slices
  std::optional<std::uint32_t> threads_per_block;          // H of kernels whose file has none
  std::string cost_attribute;                              // of a digraph's nodes
  Waits waits = Waits::active;
  bool strict = false;
  bool blocking_streams = false;
  bool cpu_only = false;
  /// SMs of each green context, by its number in the profile.
  std::map<std::int64_t, std::uint32_t> green_contexts = {};
  /// Kernels have their longest times beside no other, where there are such; what company does to them is this.
  std::optional<Interference> alone = {};
  // Of a trace of ROS 2.
  std::vector<std::string> left_out_topics = {};            // names or patterns: their messages are no edges
  std::vector<ChosenExecutor> executors = {};               // where the trace does not say their type
  std::optional<Distribution> distribution = {};            // where the trace does not say its version of rcl
  std::optional<std::filesystem::path> thread_config = {};  // of a task set, callback_isolated_executor's
};

/// When a kernel of a job ran.
struct RecordedKernel {
  NodeId node = 0;
  Time start, end;
};

/// Of a trace of ROS 2: how long messages took from their publication to the start of the callbacks that took them.
struct Messages {
  Time least, most;
  bool any = true;                     // of the DAG
  std::optional<Time> preempted = {};  // a job of one of its callbacks, the longest time: no part of C
};

/// What a profile or recording shows of a DAG: the model is held against it.
struct RecordedDag {
  std::string dag;
  Time length;                                   // of the longest job, whatever a percentile leaves out
  Time kernels;                                  // their times in the busiest job, added up
  Time busy;                                     // how long kernels ran in the busiest job, those at once counted once
  Time busy_at_most;                             // so where each kernel takes what counts for it
  std::optional<Time> with_others;               // of a thread: how long the longest job lasted with what preempted it; `length` is without
  std::optional<Messages> messages;              // of ROS 2: `lengths` have them, a model has not
  std::vector<Time> releases;                    // of jobs, in order, from the first of the recording on
  std::vector<Time> lengths;                     // of these jobs, of a trace: others that are in it ran beside them
  std::vector<std::vector<RecordedKernel>> ran;  // by these jobs, of a trace; none: more than are kept
  std::vector<std::vector<std::uint32_t>> streams;  // nodes: kernels that follow one another in a stream
};

/// Kernels, copies and memsets that no job launched and that ran beside jobs; and kernels before the first and after the last job that
/// took longer than any of their name in a job.
struct Beside {
  std::size_t count = 0;
  Time time;
  std::size_t unlike = 0;
  std::vector<std::string> unlike_names;  // with what they took
};

struct Converted {
  Kind kind = Kind::task_set;
  std::variant<TaskSet, Experiment> content;
  std::vector<std::string> found;    // what the file says, in short
  std::vector<std::string> assumed;  // what it does not say, or what a task set cannot say
  std::vector<io::Diagnostic> warnings;
  std::optional<static_order::Graph> graph = {};  // of Kind::stm: as it was read
  std::vector<RecordedDag> recorded = {};         // of profiles, recordings, traces and threads, unless with --cpu-only
  Beside beside = {};                             // of profiles and recordings
  std::vector<std::string> taking_turns = {};     // a sentence per GPU that served contexts in slices of which the length is not known
  std::vector<std::string> without_effect = {};   // a sentence per option that changes nothing of what was read
};

/// Told from time to time how far reading has come, e.g. `45 % read`.
using Progress = std::function<void(const std::string& how_far)>;

/// Reads a file; `-` is standard input. Throws `io::InputError` with everything that is wrong or missing (then with the option's name).
[[nodiscard]] Converted convert(const std::filesystem::path& path, const Options& options, const Progress& progress = {});
/// The same from memory; `name` stands for the file in messages.
[[nodiscard]] Converted convert_text(std::string_view content, const std::string& name, const Options& options);

/// What `rta record` saw of a program, as jobs of the task set that `convert` makes of it with the same options: by its names of DAGs and
/// nodes. A job is released when it begins, a node when all that it waits for has ended.
struct RecordedJobs {
  trace::Header header;
  std::vector<trace::Record> records;  // jobs of nodes before that of their DAG
  bool complete = false;
  std::uint64_t lost_records = 0;
};
/// Throws `io::InputError` for what is no recording, or where no jobs are found in it; `name` stands for the file in messages.
[[nodiscard]] RecordedJobs recorded_jobs(trace::Reader& reader, const std::string& name, const Options& options);

/// The task set as a digraph of Graphviz, a cluster per DAG: `convert` reads it back equal. Throws `UserError` when it cannot be written.
[[nodiscard]] std::string format_dot(const TaskSet& task_set);

/// The graph that `rta compile` makes of the task set, as a file of the System Task Manager. Throws `UserError` when the format cannot say
/// it: frames that may overlap (no D, or D > T), blocks on SMs, several pools of several processors.
[[nodiscard]] std::string format_stm(const TaskSet& task_set);

struct IsolatedThreads {
  std::string text;  // YAML
  std::vector<std::string> assumed;
  std::vector<io::Diagnostic> warnings;
};
/// The threads of callback_isolated_executor as the task set has their callbacks: their processors, priorities and reservations.
/// `thread_config` is such a file, as its prerun writes it: which callback groups there are. Throws `UserError` for what threads cannot be.
[[nodiscard]] IsolatedThreads format_callback_isolated(const TaskSet& task_set, const std::filesystem::path& thread_config);

struct JobSet {
  std::string jobs;        // CSV
  std::string precedence;  // CSV; empty: no job waits for another
  std::vector<std::string> assumed;
};
/// The jobs of one hyperperiod for schedule_abstraction, in ns: `convert` reads it back equal where the pool is non-preemptive G-EDF.
/// Throws `UserError` when it cannot be written: pools other than one CPU pool, more than a million jobs.
[[nodiscard]] JobSet format_job_set(const TaskSet& task_set);

/// The comment at the head of a converted file, line by line: where it is from, what was found, what was assumed.
[[nodiscard]] std::vector<std::string> comment_of(const Converted& converted, const std::string& name);

}  // namespace rta::convert
