#include "rta/validation/examination.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <set>

#include "examination_texts.hpp"
#include "nvcc_settings_text.hpp"
#include "rta/model/error.hpp"
#include "rta/model/overloaded.hpp"

namespace rta::validation {
namespace {

constexpr std::uint64_t most_recorded_blocks = 1U << 22U;
constexpr std::size_t most_operations = 1024;
constexpr std::size_t most_copies = 64;  // bits of the word in which the device keeps what it has seen of them
constexpr std::size_t most_streams = 256;
constexpr std::size_t most_processes = 16;
constexpr Time longest_operation{1'000'000'000};
constexpr Time longest_wait{10'000'000'000};

// Adds `subject` to what is wrong.
[[noreturn]] void refuse(std::string_view subject, std::string_view what) { throw UserError(fmt::format("{}: {}", subject, what)); }

void check_name(const std::string& name) {
  const bool fits = !name.empty() && name.front() != '.' && name.front() != '-' && std::ranges::all_of(name, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-';
  });
  // A byte that is no ASCII is never alphanumeric in the C locale, which programs start in.
  if (!fits)
    refuse(fmt::format("probe {}", cpp_literal(name)),
           "a name has letters, digits, '.', '_' and '-' only, and begins with neither '.' nor '-'");
}

struct Stream {
  std::string name;
  std::optional<StreamPriority> priority;  // of its kernels
};

// A probe's streams in the order of their first operations.
std::vector<Stream> streams_of(const ProbeProgram& probe) {
  std::vector<Stream> streams;
  for (const Operation& operation : probe.experiment.operations()) {
    if (operation.stream.empty()) continue;  // a call that waits for no stream
    auto at = std::ranges::find(streams, operation.stream, &Stream::name);
    if (at == streams.end()) at = streams.insert(streams.end(), {operation.stream, std::nullopt});
    const auto* kernel = std::get_if<GpuDemand>(&operation.demand);
    if (kernel == nullptr) continue;
    const std::string subject = fmt::format("probe '{}', operation '{}'", probe.name, operation.name);
    if (at->priority && *at->priority != kernel->priority)
      refuse(subject, fmt::format("stream '{}' has kernels of another priority: priorities are streams', not kernels'", operation.stream));
    if (operation.stream == null_stream && kernel->priority > low_priority) refuse(subject, "the NULL stream has no high priority");
    at->priority = kernel->priority;
  }
  return streams;
}

void check_operation(const Operation& operation, ProcessLayout layout, const std::string& subject) {
  const auto at_most = [&](std::uint64_t value, std::uint64_t most, std::string_view what) {
    if (value > most) refuse(subject, fmt::format("CUDA has no {} of {} (at most {})", what, value, most));
  };
  if (operation.at > longest_wait || operation.delay > longest_wait)
    refuse(subject, fmt::format("it is issued more than {} s after the start", longest_wait.count() / 1'000'000'000));
  std::visit(overloaded{[&](const GpuDemand& kernel) {
                          at_most(kernel.B, std::numeric_limits<std::int32_t>::max(), "kernels with a number of blocks");
                          at_most(kernel.H, 1024, "blocks with a number of threads");
                          at_most(kernel.shared_memory, std::numeric_limits<std::int32_t>::max(), "blocks with an amount of shared memory");
                          at_most(kernel.registers_per_thread, 255, "threads with a number of registers");
                        },
                        [&](const CopyDemand&) {
                          if (layout == ProcessLayout::processes)
                            refuse(subject, "copies are not probed in processes: the thread that watches them would take its turns");
                          if (operation.by_memcpy)
                            refuse(subject, "copies by cudaMemcpy are not probed: use a copy on a stream, and a call such as cudaFree");
                        },
                        [&](const CallDemand&) {
                          if (layout == ProcessLayout::processes) refuse(subject, "calls are not probed in processes");
                        }},
             operation.demand);
  const Time length = std::visit([](const auto& demand) { return longest_piece(demand); }, operation.demand);
  if (length > longest_operation) refuse(subject, fmt::format("it takes {} ns (at most {} ns)", length.count(), longest_operation.count()));
}

void check(const ProbeProgram& probe, const std::vector<Stream>& streams) {
  const std::string subject = fmt::format("probe '{}'", probe.name);
  const auto operations = probe.experiment.operations();
  const auto at_most = [&](std::size_t value, std::size_t most, std::string_view what) {
    if (value > most) refuse(subject, fmt::format("{} {} (at most {})", value, what, most));
  };
  at_most(operations.size(), most_operations, "operations");
  if (probe.layout == ProcessLayout::processes) {
    at_most(streams.size(), most_processes, "streams, each a process");
  } else {
    at_most(streams.size(), most_streams, "streams");
  }
  std::optional<PoolId> gpu;
  std::uint64_t blocks = 0;
  std::size_t copies = 0;
  for (const Operation& operation : operations) {
    const std::string its = fmt::format("{}, operation '{}'", subject, operation.name);
    check_operation(operation, probe.layout, its);
    std::visit(overloaded{[&](const GpuDemand& kernel) {
                            if (gpu && *gpu != operation.pool) refuse(its, "it is on another GPU than the others: a probe examines one");
                            gpu = operation.pool;
                            blocks += kernel.B;  // no overflow: at most 1024 times 2^31
                          },
                          [&](const CopyDemand&) { ++copies; }, [](const CallDemand&) {}},
               operation.demand);
  }
  at_most(copies, most_copies, "copies");
  at_most(blocks, most_recorded_blocks, "blocks to be recorded");
}

// The number of a call's thread.
unsigned thread_of(const Experiment& experiment, std::size_t o) {
  const auto before = experiment.operations().first(o);
  return static_cast<unsigned>(
      std::ranges::count_if(before, [](const Operation& other) { return std::holds_alternative<CallDemand>(other.demand); }));
}

std::string operation_row(const ProbeProgram& probe, const std::vector<Stream>& streams, std::size_t o, const std::string& after) {
  const Operation& operation = probe.experiment.operations()[o];
  const auto stream = operation.stream.empty() ? 0 : std::ranges::find(streams, operation.stream, &Stream::name) - streams.begin();
  struct Columns {
    std::string_view kind;
    unsigned engine = 0;
    GpuDemand demand;
    std::string call = "nullptr";
  };
  const Columns columns = std::visit(
      overloaded{[](const GpuDemand& kernel) {
                   return Columns{"kernel", 0, kernel};
                 },
                 [&](const CopyDemand& copy) {
                   const bool out = copy.direction == Direction::d2h;
                   const bool second = out && std::get<EnginePool>(probe.experiment.pools()[operation.pool].resource).engines > 1;
                   Columns of_copy{out ? "copy_out" : "copy_in", second ? 1U : 0U, {}};
                   of_copy.demand.H = 0;
                   of_copy.demand.L = copy.C;
                   return of_copy;
                 },
                 [&](const CallDemand& made) {
                   Columns of_call{"call", thread_of(probe.experiment, o), {}, cpp_literal(std::string(made.call->name))};
                   of_call.demand.H = 0;
                   return of_call;
                 }},
      operation.demand);
  const GpuDemand& demand = columns.demand;
  return fmt::format("    {{{}, OperationKind::{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}},\n", cpp_literal(operation.name),
                     columns.kind, stream, columns.engine, operation.at.count(), operation.delay.count(), after, operation.after.size(),
                     demand.L.count(), demand.B, demand.H, demand.shared_memory, demand.registers_per_thread, columns.call);
}

std::string tables(const ProbeProgram& probe, std::size_t number) {
  const std::vector<Stream> streams = streams_of(probe);
  check(probe, streams);
  std::string out = fmt::format("const Stream streams_{}[] = {{\n", number);
  for (const Stream& stream : streams) {
    out += fmt::format("    {{{}, {}, {}, {}}},\n", cpp_literal(stream.name), stream.name == null_stream,
                       probe.streams == StreamKind::blocking, stream.priority.value_or(low_priority));
  }
  out += "};\n";
  std::string rows;
  const auto operations = probe.experiment.operations();
  for (std::size_t o = 0; o < operations.size(); ++o) {
    std::string after = "nullptr";
    if (!operations[o].after.empty()) {
      after = fmt::format("after_{}_{}", number, o);
      out += fmt::format("const unsigned {}[] = {{{}}};\n", after, fmt::join(operations[o].after, ", "));
    }
    rows += operation_row(probe, streams, o, after);
  }
  out += fmt::format("const Operation operations_{}[] = {{\n{}}};\n\n", number, rows);
  return out;
}

std::string probes_source(std::span<const ProbeProgram> probes) {
  std::string out(texts::probes_head);
  std::string rows;
  for (std::size_t p = 0; p < probes.size(); ++p) {
    const ProbeProgram& probe = probes[p];
    out += tables(probe, p);
    rows += fmt::format("    {{{}, {}, {}, streams_{}, sizeof streams_{} / sizeof(Stream), operations_{}, {}}},\n", cpp_literal(probe.name),
                        cpp_literal(probe.experiment.name()), probe.layout == ProcessLayout::processes, p, p, p,
                        probe.experiment.operations().size());
  }
  if (!rows.empty()) out += "const Probe probes[] = {\n" + rows + "};\n\n";
  out += fmt::format("}}  // namespace\n\nconst Examination generated = {{{}, {}}};\n\n}}  // namespace examine\n",
                     probes.empty() ? "nullptr" : "probes", probes.size());
  return out;
}

}  // namespace

std::span<const std::string_view> measures() {
  static constexpr std::array<std::string_view, 7> names{"dispatch_latency", "kernel_switch", "resident_grids",    "connections",
                                                         "synchronisation",  "processes",     "process_preemption"};
  return names;
}

std::vector<GeneratedFile> examination_source(std::span<const ProbeProgram> probes) {
  std::set<std::string_view> names;
  std::string list = probes.empty() ? "" : "\nProbes:\n\n";
  for (const ProbeProgram& probe : probes) {
    check_name(probe.name);
    if (!names.insert(probe.name).second) refuse(fmt::format("probe '{}'", probe.name), "another one has this name");
    list += fmt::format("- {}: {} operations{}\n", probe.name, probe.experiment.operations().size(),
                        probe.layout == ProcessLayout::processes ? ", a process per stream" : "");
  }
  std::vector<GeneratedFile> files;
  files.push_back({"examine.cu", std::string(texts::examination_source)});
  files.push_back({"interference.cu", std::string(texts::interference_source)});
  files.push_back({"probes.cpp", probes_source(probes)});
  files.push_back({"Makefile", fmt::format("{}{}", texts::nvcc_settings, texts::examination_makefile)});
  files.push_back({"README.md", fmt::format(texts::examination_readme, fmt::arg("probes", list))});
  add_runtime("common", true, files);
  add_runtime("examine", true, files);
  add_runtime("interference", true, files);
  return files;
}

}  // namespace rta::validation
