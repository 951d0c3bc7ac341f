#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "fields.hpp"
#include "rta/io/examiner_file.hpp"
#include "rta/model/device.hpp"
#include "rta/model/error.hpp"
#include "rta/model/launch.hpp"
#include "rta/model/time_slices.hpp"

namespace rta::io {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t most_operations = 100'000;
constexpr std::uint64_t word_size = 4;  // sizes and copies are counted in 32-bit words

// What a benchmark of the file does in each iteration.
struct Kernel {
  std::string label;
  std::uint64_t B = 1, H = 1, duration = 0;
  std::uint64_t shared_memory = 0, copy_in = 0, copy_out = 0;  // bytes
  Time delay;                                                  // after the stream has become idle
};
struct Benchmark {
  std::string stream;
  std::string process;  // empty: all are one
  StreamPriority priority = low_priority;
  Time release;
  std::uint64_t iterations = 1;
  std::vector<Kernel> kernels;
};

class ExaminerReader {
 public:
  ExaminerReader(std::string file, const ExaminerOptions& options) : file_(std::move(file)), options_(options) {
    const Device* device = find_device(options.device);
    if (device == nullptr) throw UserError("no device is called '" + options.device + "'");
    gpu_ = device->gpu;
  }

  ExperimentResult read(std::string_view text) {
    const Json json = parse(text);
    if (!json.is_object() || !json.contains("benchmarks") || !json["benchmarks"].is_array()) {
      error("not a configuration of the cuda_scheduling_examiner: a JSON object with `benchmarks` is expected");
      fail_if_any();
    }
    const Json& benchmarks = json["benchmarks"];
    processes_ = truth(json, "use_processes") && benchmarks.size() > 1;
    const bool slices = options_.slice && options_.switching;
    if (processes_ && !slices) {
      error(
          "use_processes: kernels of separate address spaces share the GPU in time slices: give --slice and --switch, which rta examine "
          "measures");
    }
    if (!processes_ && (options_.slice || options_.switching)) {
      error("--slice and --switch are of processes that share the GPU (use_processes with several benchmarks); here none do");
    }
    if (number(json, "max_time", 0, "") > 0) error("max_time: the number of iterations is not known; give max_iterations");
    tell_unknown(json,
                 {"name", "comment", "max_iterations", "max_time", "use_processes", "cuda_device", "base_result_directory", "pin_cpus",
                  "sync_every_iteration", "do_warmup", "benchmarks"},
                 "");
    const std::uint64_t iterations = whole(json, "max_iterations", 1, "");
    const bool in_step = truth(json, "sync_every_iteration");
    std::vector<Benchmark> all;
    for (std::size_t i = 0; i < benchmarks.size(); ++i) all.push_back(read_benchmark(benchmarks[i], i, iterations));
    if (all.empty()) error("`benchmarks` is empty");
    fail_if_any();
    make_pools(all);
    build(all, in_step);
    fail_if_any();
    return {Experiment(std::filesystem::path(file_).filename().string(), std::move(pools_), std::move(operations_)), std::move(warnings_)};
  }

 private:
  [[nodiscard]] Json parse(std::string_view text) {
    std::vector<std::unordered_set<std::string>> keys;  // of the objects that are open
    const auto refuse_twice = [&](int /*depth*/, Json::parse_event_t event, const Json& parsed) {
      if (event == Json::parse_event_t::object_start) keys.emplace_back();
      if (event == Json::parse_event_t::object_end) keys.pop_back();
      // The examiner's own files have comments of several lines, each with the same key.
      if (event == Json::parse_event_t::key && parsed != "comment" && !keys.back().insert(parsed.get<std::string>()).second) {
        error(fmt::format("the key {} is given twice in one object", quote(parsed.get<std::string>())));
      }
      return true;
    };
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
      throw InputError({{file_, 1, 1, "empty file: a JSON object is expected"}});
    try {
      Json json = Json::parse(text, refuse_twice);
      fail_if_any();
      return json;
    } catch (const Json::parse_error& failure) {
      refuse_json(text.substr(0, failure.byte > 0 ? failure.byte - 1 : 0), failure.what(), "syntax error");
    } catch (const Json::out_of_range& failure) {
      // The number stands in the message, between quotation marks.
      const std::string_view what = failure.what();
      const std::size_t begin = what.find('\'');
      const std::string_view token = begin == std::string_view::npos ? what : what.substr(begin + 1, what.rfind('\'') - begin - 1);
      refuse_json(text.substr(0, std::min(text.find(token), text.size())), what, "number overflow");
    }
  }

  // `before` is what stands before the place of the fault; the reason is what follows the library's own prefix.
  [[noreturn]] void refuse_json(std::string_view before, std::string_view what, std::string_view reason_begin) const {
    const std::size_t line = before.rfind('\n');
    const std::size_t reason = what.find(reason_begin);
    std::string why(reason == std::string_view::npos ? what : what.substr(reason));
    // The library shows all that it read of a word, however long that is.
    if (constexpr std::string_view read = "; last read: "; why.size() > 300 && why.find(read) != std::string::npos)
      why.resize(why.find(read));
    throw InputError({{file_, 1 + static_cast<std::size_t>(std::ranges::count(before, '\n')),
                       before.size() - (line == std::string_view::npos ? 0 : line + 1) + 1, "not JSON: " + why}});
  }

  void error(const std::string& message) { errors_.push_back({file_, 0, 0, message}); }
  void fail_if_any() const {
    if (!errors_.empty()) throw InputError(errors_);
  }

  void tell_unknown(const Json& json, std::initializer_list<std::string_view> known, const std::string& subject) {
    for (const auto& [key, value] : json.items()) {
      if (std::ranges::find(known, key) != known.end()) continue;
      warnings_.push_back({file_, 0, 0, fmt::format("{}the key {} is not known, and is left out", subject, quote(key))});
    }
  }

  double number(const Json& json, const char* key, double standard, const std::string& subject) {
    if (!json.contains(key)) return standard;
    if (json[key].is_number() && json[key].get<double>() >= 0) return json[key].get<double>();
    error(fmt::format("{}{}: a number is expected", subject, key));
    return standard;
  }
  std::uint64_t whole(const Json& json, const char* key, std::uint64_t standard, const std::string& subject) {
    if (!json.contains(key)) return standard;
    const double value = json[key].is_number() ? json[key].get<double>() : -1;
    if (value >= 0 && value <= 1e15 && value == std::floor(value)) return static_cast<std::uint64_t>(value);
    error(fmt::format("{}{}: a whole number is expected", subject, key));
    return standard;
  }
  bool truth(const Json& json, const char* key) {
    if (!json.contains(key)) return false;
    if (!json[key].is_boolean()) error(fmt::format("{}: true or false is expected", key));
    return json[key] == Json(true);
  }
  // A number, or up to three that are multiplied.
  std::uint64_t extent(const Json& json, const char* key, const std::string& subject) {
    if (!json.contains(key) || !json[key].is_array()) return whole(json, key, 1, subject);
    Wide product = 1;
    for (const Json& side : json[key]) product *= static_cast<Wide>(whole(Json{{key, side}}, key, 1, subject));
    if (json[key].empty() || json[key].size() > 3 || product > 1'000'000'000'000'000) {
      error(fmt::format("{}{}: up to three whole numbers are expected", subject, key));
      return 1;
    }
    return static_cast<std::uint64_t>(product);
  }
  // Given in seconds.
  Time seconds(const Json& json, const char* key, const std::string& subject) {
    const double value = number(json, key, 0, subject);
    if (value <= 1e9) return Time(std::llround(value * 1e9));
    error(fmt::format("{}{}: too long", subject, key));
    return {};
  }

  Benchmark read_benchmark(const Json& json, std::size_t index, std::uint64_t iterations) {
    Benchmark out;
    if (!json.is_object() || !json.contains("filename") || !json["filename"].is_string()) {
      error(fmt::format("benchmark {}: `filename` is missing", index + 1));
      return out;
    }
    const std::string module = std::filesystem::path(json["filename"].get<std::string>()).stem().string();
    const std::string label =
        json.contains("label") && json["label"].is_string() ? json["label"].get<std::string>() : fmt::format("{}-{}", module, index + 1);
    const std::string subject = fmt::format("kernel {}: ", quote(label));
    static constexpr std::array known{"timer_spin", "timer_spin_default_stream", "sharedmem_timer_spin", "multikernel"};
    if (std::find(known.begin(), known.end(), module) == known.end()) {
      error(fmt::format("{}{} has no fixed duration", subject, quote(module)));
      return out;
    }
    tell_unknown(json,
                 {"filename", "comment", "label", "log_name", "thread_count", "block_count", "data_size", "additional_info", "release_time",
                  "cpu_core", "stream_priority", "max_iterations", "max_time", "sm_mask", "mps_thread_percentage"},
                 subject);
    if (number(json, "max_time", 0, subject) > 0) error(subject + "max_time: the number of iterations is not known; give max_iterations");
    out.stream = fmt::format("S{}", index + 1);
    if (processes_) out.process = fmt::format("P{}", index + 1);
    out.release = seconds(json, "release_time", subject);
    out.iterations = whole(json, "max_iterations", iterations, subject);
    if (out.iterations == 0) error(subject + "max_iterations 0 means without end");
    // CUDA's numbers fall with urgency, from 0 on.
    if (json.contains("stream_priority")) {
      const bool is_number = json["stream_priority"].is_number();
      if (!is_number) error(subject + "stream_priority: a number is expected");
      const double urgency = is_number ? std::ceil(-json["stream_priority"].get<double>()) : 0;
      out.priority = static_cast<StreamPriority>(std::clamp(urgency, 0.0, double{highest_stream_priority}));
    }
    for (const char* key : {"sm_mask", "mps_thread_percentage"}) {
      if (json.contains(key)) error(fmt::format("{}{}: only some SMs may run it, which the scheduling rules do not cover", subject, key));
    }
    Kernel kernel;
    kernel.label = label;
    kernel.B = extent(json, "block_count", subject);
    kernel.H = extent(json, "thread_count", subject);
    const Json info = json.contains("additional_info") ? json["additional_info"] : Json();
    if (module == "timer_spin" || module == "timer_spin_default_stream") {
      // The only stream of a process of its own is as good as any.
      if (module == "timer_spin_default_stream" && !processes_) out.stream = null_stream;
      if (info.is_object()) {
        tell_unknown(info, {"duration", "use_clock64", "comment"}, subject + "additional_info: ");
        kernel.duration = whole(info, "duration", 0, subject);
      } else {
        kernel.duration = whole(json, "additional_info", 0, subject);
      }
      add(out, kernel);
    } else if (module == "sharedmem_timer_spin" && info.is_object()) {
      tell_unknown(info, {"duration", "shared_memory_size", "use_clock64", "comment"}, subject + "additional_info: ");
      kernel.duration = whole(info, "duration", 0, subject);
      kernel.shared_memory = whole(info, "shared_memory_size", 0, subject) * word_size;
      add(out, kernel);
    } else if (module == "multikernel" && info.is_array()) {
      for (const Json& entry : info) read_multikernel(entry, label, out);
    } else {
      error(subject + "additional_info is not what " + module + " takes");
    }
    return out;
  }

  void read_multikernel(const Json& json, const std::string& benchmark, Benchmark& out) {
    Kernel kernel;
    kernel.label = json.is_object() && json.contains("kernel_label") && json["kernel_label"].is_string()
                       ? json["kernel_label"].get<std::string>()
                       : fmt::format("{}-{}", benchmark, out.kernels.size() + 1);
    const std::string subject = fmt::format("kernel {}: ", quote(kernel.label));
    if (!json.is_object()) {
      error(subject + "a JSON object is expected");
      return;
    }
    tell_unknown(json,
                 {"kernel_label", "comment", "block_count", "thread_count", "duration", "shared_memory_size", "copy_in_count",
                  "copy_out_count", "delay", "sm_mask"},
                 subject);
    if (json.contains("sm_mask")) error(subject + "sm_mask: only some SMs may run it, which the scheduling rules do not cover");
    kernel.B = extent(json, "block_count", subject);
    kernel.H = extent(json, "thread_count", subject);
    kernel.duration = whole(json, "duration", 0, subject);
    kernel.shared_memory = whole(json, "shared_memory_size", 0, subject) * word_size;
    kernel.copy_in = whole(json, "copy_in_count", 0, subject) * word_size;
    kernel.copy_out = whole(json, "copy_out_count", 0, subject) * word_size;
    kernel.delay = seconds(json, "delay", subject);
    add(out, kernel);
  }

  void add(Benchmark& out, const Kernel& kernel) {
    const std::string subject = fmt::format("kernel {}: ", quote(kernel.label));
    if (kernel.duration == 0) error(subject + "its duration is missing");
    if (kernel.B == 0 || kernel.B > most_operations * 1000) error(subject + "block_count is out of range");
    if (kernel.H == 0 || kernel.H > gpu_.sm.threads_per_block) {
      error(fmt::format("{}{} threads per block do not fit on '{}' ({} allowed)", subject, kernel.H, options_.device,
                        gpu_.sm.threads_per_block));
      return;
    }
    GpuDemand demand;
    demand.H = static_cast<std::uint32_t>(kernel.H);
    demand.shared_memory = kernel.shared_memory;
    for (const LaunchFault& fault : launch_faults(demand, gpu_, fmt::format("'{}'", options_.device))) {
      error(fmt::format("{}{}: {}", subject, key_of(fault.demand), fault.what));
    }
    if (processes_ && (kernel.copy_in > 0 || kernel.copy_out > 0)) {
      error(subject + "copies of separate processes: how the copy engines serve them is not known");
    }
    copies_ = copies_ || kernel.copy_in > 0 || kernel.copy_out > 0;
    out.kernels.push_back(kernel);
  }

  // A context per process, in the order of their names.
  void make_pools(const std::vector<Benchmark>& all) {
    for (const Benchmark& benchmark : all) gpus_.emplace(benchmark.process, 0);
    for (auto& [process, pool] : gpus_) {
      pool = pools_.size();
      GpuPool gpu = gpu_;
      if (processes_) gpu.sharing = Sharing{"gpu", process, *options_.slice, *options_.switching, static_cast<std::uint32_t>(gpus_.size())};
      pools_.push_back({context_name("gpu", process), gpu});
    }
    if (copies_) pools_.push_back({"copy", EnginePool{1}});
  }

  // Iteration by iteration: each waits for the one before, of the same benchmark or of all.
  void build(const std::vector<Benchmark>& all, bool together) {
    std::uint64_t most = 0, count = 0;
    for (const Benchmark& b : all) {
      most = std::max(most, b.iterations);
      count += b.iterations * b.kernels.size() * 3;
    }
    if (count > most_operations) {
      error(fmt::format("max_iterations: more than {} operations", most_operations));
      return;
    }
    std::vector<std::optional<std::size_t>> last(all.size());  // operation of each benchmark
    for (std::uint64_t i = 0; i < most; ++i) {
      std::vector<std::size_t> barrier;
      for (const auto& operation : last) {
        if (operation) barrier.push_back(*operation);
      }
      for (std::size_t b = 0; b < all.size(); ++b) {
        if (i >= all[b].iterations) continue;
        std::vector<std::size_t> after;
        if (i > 0 && together) after = barrier;
        if (i > 0 && !together && last[b]) after = {*last[b]};
        const std::string suffix = all[b].iterations > 1 ? fmt::format(".{}", i + 1) : "";
        add_iteration(all[b], suffix, i == 0 ? all[b].release : Time::zero(), after, last[b]);
      }
    }
  }

  void add_iteration(const Benchmark& benchmark, const std::string& suffix, Time at, std::vector<std::size_t> after,
                     std::optional<std::size_t>& last) {
    Operation o;
    o.stream = benchmark.stream;
    o.at = at;
    o.after = std::move(after);
    for (std::size_t k = 0; k < benchmark.kernels.size(); ++k) {
      const Kernel& kernel = benchmark.kernels[k];
      if (kernel.delay > Time::zero()) {
        // The program waits for its stream, then sleeps.
        if (k > 0) o.after = {*last};
        if (o.after.empty()) {
          o.at += kernel.delay;
        } else {
          o.at = Time::zero();
          o.delay = kernel.delay;
        }
      }
      const std::string name = unique(kernel.label + suffix);
      if (kernel.copy_in > 0) add_copy(o, name + ":in", kernel.copy_in, Direction::h2d, last);
      GpuDemand demand;
      demand.B = kernel.B;
      demand.H = static_cast<std::uint32_t>(ceil_div(static_cast<Wide>(kernel.H), gpu_.allocation.warp) * gpu_.allocation.warp);
      if (demand.H != kernel.H) {
        warnings_.push_back(
            {file_, 0, 0, fmt::format("kernel '{}': {} threads are rounded up to {}, whole warps", kernel.label, kernel.H, demand.H)});
      }
      demand.L = Time(static_cast<std::int64_t>(kernel.duration));
      demand.C = Workload(static_cast<Wide>(demand.L.count()) * demand.H);
      demand.shared_memory = kernel.shared_memory;
      demand.priority = benchmark.priority;
      o.name = name;
      o.pool = gpus_.at(benchmark.process);
      o.demand = demand;
      operations_.push_back(o);
      last = operations_.size() - 1;
      if (kernel.copy_out > 0) add_copy(o, name + ":out", kernel.copy_out, Direction::d2h, last);
    }
  }

  void add_copy(Operation o, const std::string& name, std::uint64_t bytes, Direction direction, std::optional<std::size_t>& last) {
    o.name = unique(name);
    o.pool = pools_.size() - 1;
    const Wide ns = ceil_div(static_cast<Wide>(bytes) * 1'000'000'000, static_cast<Wide>(options_.copy_rate));
    o.demand = CopyDemand{to_time(ns), direction};
    operations_.push_back(std::move(o));
    last = operations_.size() - 1;
  }

  // One word that no other operation has.
  std::string unique(const std::string& label) {
    std::string word;
    for (const char c : label) word += static_cast<unsigned char>(c) <= 0x20 || c == '>' ? '_' : c;
    if (word.empty()) word = "kernel";
    std::string name = word;
    for (int n = 2; !names_.insert(name).second; ++n) name = fmt::format("{}-{}", word, n);
    if (const auto fault = name_fault(name)) error(fmt::format("kernel {}: {}", quote(label), *fault));
    return name;
  }

  std::string file_;
  const ExaminerOptions& options_;
  GpuPool gpu_;
  bool copies_ = false, processes_ = false;
  std::vector<Pool> pools_;
  std::map<std::string, PoolId> gpus_;  // by process
  std::vector<Operation> operations_;
  std::unordered_set<std::string> names_;
  std::vector<Diagnostic> errors_, warnings_;
};

}  // namespace

ExperimentResult parse_examiner(std::string_view text, const std::string& name, const ExaminerOptions& options) {
  return ExaminerReader(name, options).read(text);
}

}  // namespace rta::io
