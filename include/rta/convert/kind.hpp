// The kinds of files that become task sets.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace rta::convert {

enum class Kind : std::uint8_t {
  kineto,
  nsys,
  nsys_stats,
  trtexec,
  sched,
  ros2,
  amalthea,
  sag,
  dag_scheduling,
  stg,
  tgff,
  dot,
  openvx,
  stm,
  examiner,
  trace,
  recording,
  task_set
};

struct KindName {
  Kind kind;
  std::string_view name;  // of `--from`
  std::string_view text;  // what it is
};
inline constexpr std::array<KindName, 18> kinds{{
    {Kind::kineto, "kineto", "a profile of PyTorch (Kineto)"},
    {Kind::nsys, "nsys", "a profile of Nsight Systems (SQLite)"},
    {Kind::nsys_stats, "nsys-stats", "a trace that nsys stats printed"},
    {Kind::trtexec, "trtexec", "an export of trtexec"},
    {Kind::sched, "sched", "a trace of Linux's scheduler"},
    {Kind::ros2, "ros2", "a trace of ROS 2"},
    {Kind::amalthea, "amalthea", "a model of Amalthea"},
    {Kind::sag, "sag", "a job set of schedule_abstraction"},
    {Kind::dag_scheduling, "dag-scheduling", "a task set of DAG-scheduling"},
    {Kind::stg, "stg", "a Standard Task Graph"},
    {Kind::tgff, "tgff", "task graphs of TGFF"},
    {Kind::dot, "dot", "a Graphviz digraph"},
    {Kind::openvx, "openvx", "a list of OpenVX nodes"},
    {Kind::stm, "stm", "a graph of System Task Manager"},
    {Kind::examiner, "examiner", "a configuration of the cuda_scheduling_examiner"},
    {Kind::trace, "trace", "a trace of rta"},
    {Kind::recording, "recording", "a recording of rta record"},
    {Kind::task_set, "task-set", "a task set or an experiment of rta"},
}};

[[nodiscard]] constexpr const KindName& name_of(Kind kind) { return kinds[static_cast<std::size_t>(kind)]; }

/// The kind of a file that begins with `head` (unpacked). Nothing when it is none of them.
[[nodiscard]] std::optional<Kind> recognise(std::string_view head);

}  // namespace rta::convert
