// Conversions with everything that a file may lack, so that they come as far as they can.
#include <array>
#include <optional>
#include <string>

#include "convert/job_set.hpp"
#include "read.hpp"
#include "rta/convert/convert.hpp"
#include "rta/io/task_set_file.hpp"
#include "targets.hpp"

namespace rta::fuzz {
namespace {

using convert::Kind;

convert::Options all_options() {
  convert::Options options;
  options.processors = {{"", 4}};
  options.period = Time(1'000'000'000);
  options.time_unit = Time(1'000);
  options.threads_per_block = 64;
  options.copy_engines = 2;
  options.scheduler = Scheduler::g_edf;
  options.access_size = 64;
  return options;
}

// A task set that comes of it must read back equal.
void convert_with(std::string_view content, const convert::Options& options) {
  read([&] {
    const convert::Converted converted = convert::convert_text(content, "input", options);
    (void)convert::comment_of(converted, "input");
    if (const auto* set = std::get_if<TaskSet>(&converted.content))
      expect(io::parse_task_set(io::format_task_set(*set), "again").task_set == *set, "the task set reads back equal");
  });
}

// Without what contradicts files that say it themselves.
convert::Options few_options() {
  convert::Options options = all_options();
  options.period.reset();
  options.time_unit.reset();
  options.scheduler.reset();
  options.processors.clear();
  return options;
}

template <Kind kind>
void as(std::string_view content) {
  for (convert::Options options : {all_options(), few_options()}) {
    options.from = kind;
    options.allocate = {{"*", {"Core0"}}};
    convert_with(content, options);
  }
}

// Packed or not, by what its content shows.
void any(std::string_view content) { convert_with(content, all_options()); }

// With what changes the graphs of profiles, and without.
void kineto(std::string_view content) {
  convert::Options options = all_options();
  options.from = Kind::kineto;
  convert_with(content, options);
  options.device = "h100";
  options.period.reset();
  options.fuse = Time(100'000);
  options.percentile = 900'000;
  options.blocking_streams = true;
  options.waits = convert::Waits::passive;
  options.job_markers = {"frame*", "step"};
  convert_with(content, options);
}

// Digraphs read back equal when they are written again.
void dot(std::string_view content) {
  for (convert::Options options : {all_options(), few_options()}) {
    options.from = Kind::dot;
    read([&] {
      const auto set = std::get<TaskSet>(convert::convert_text(content, "input", options).content);
      expect(std::get<TaskSet>(convert::convert_text(convert::format_dot(set), "again", few_options()).content) == set,
             "a digraph reads back equal");
    });
  }
}

// As CSV and as YAML; what follows the first NUL is the precedence file.
void job_set(std::string_view content) {
  const auto parts = split(content);
  const std::string_view jobs = parts.first, precedence = parts.second;
  convert::Options options = all_options();
  for (const bool found : {false, true}) {
    if (found) options.period.reset();
    read([&] {
      convert::Notes notes("input");
      std::optional<convert::PrecedenceText> second;
      if (!precedence.empty()) second = convert::PrecedenceText{"precedence", std::string(precedence)};
      (void)convert::draft_of(convert::read_job_rows(jobs, second, notes), options, notes);
    });
    options.from = Kind::sag;
    convert_with(jobs, options);
  }
}

}  // namespace

std::span<const Target> conversions() {
  static constexpr std::array<Target, 15> all{{
      {"any", any},
      {"kineto", kineto},
      {"nsys", as<Kind::nsys>},
      {"nsys-stats", as<Kind::nsys_stats>},
      {"trtexec", as<Kind::trtexec>},
      {"sched", as<Kind::sched>},
      {"ros2", as<Kind::ros2>},
      {"amalthea", as<Kind::amalthea>},
      {"job-set", job_set},
      {"dag-scheduling", as<Kind::dag_scheduling>},
      {"stg", as<Kind::stg>},
      {"tgff", as<Kind::tgff>},
      {"dot", dot},
      {"examiner", as<Kind::examiner>},
      {"rta-trace", as<Kind::trace>},
  }};
  return all;
}

}  // namespace rta::fuzz
