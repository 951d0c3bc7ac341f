#include "trtexec_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>

#include "../io/yaml_text.hpp"
#include "json_stream.hpp"
#include "names.hpp"
#include "pools.hpp"
#include "profile/device.hpp"
#include "profile/union.hpp"
#include "rta/model/kernel_time.hpp"
#include "trace_events.hpp"

namespace rta::convert {
namespace {

constexpr std::size_t most_layers = 1'000'000;

class TrtexecReader {
 public:
  TrtexecReader(Bytes& bytes, const Options& options, Notes& notes) : in_(bytes), options_(options), notes_(notes) {}

  Draft read() {
    TraceHandlers handlers;
    handlers.records_alone = true;
    handlers.other = [this](const std::string& /*list*/, const Record& record) { take(record); };
    read_trace_events(in_, handlers);
    if (layers_.empty() && inferences_ == 0) refuse(notes_.file(), "neither a layer nor an inference is in the file");
    draft_.name = std::filesystem::path(notes_.file()).filename().string();
    DraftDag dag;
    dag.name = one_word(std::filesystem::path(notes_.file()).stem().string(), "inference");
    if (!options_.period) notes_.miss("trtexec does not say how often inferences are asked for: give --period TIME");
    dag.T = options_.period.value_or(Time(1));
    dag.D = options_.deadline;
    for (const char* option : {"period", "deadline"}) notes_.uses(option);
    recorded_on_.file = notes_.file();
    gpu_ = gpu_pool(recorded_on_, 0, options_, notes_).value_or(GpuPool{});
    if (inferences_ > 0) {
      add_inference(dag);
    } else {
      add_layers(dag);
    }
    for (NodeId v = 1; v < dag.nodes.size(); ++v) dag.edges.push_back({v - 1, v, false});
    notes_.assume(fmt::format(
        "{} stands for all of its kernels in a row, of which blocks are not in the file: it has the GPU for itself, for its time. Where "
        "other "
        "work on that GPU may come between the kernels of one, NO BOUND COVERS THAT (a profile of Nsight Systems has each kernel)",
        inferences_ > 0 ? "'compute'" : "a layer"));
    notes_.assume(one_priority_for_all);
    draft_.dags.push_back(std::move(dag));
    return std::move(draft_);
  }

 private:
  // Parts of an inference, in the order in which they run. Older versions write `startInMs`.
  enum Part : std::uint8_t { enqueue, h2d, compute, d2h };
  struct Keys {
    const char *start, *end, *length;
    const char *old_start, *old_end, *old_length;
  };
  static constexpr std::array<Keys, 4> keys_{{{"startEnqMs", "endEnqMs", "", "", "", ""},
                                              {"startH2dMs", "endH2dMs", "h2dMs", "startInMs", "endInMs", "inMs"},
                                              {"startComputeMs", "endComputeMs", "computeMs", "", "", ""},
                                              {"startD2hMs", "endD2hMs", "d2hMs", "startOutMs", "endOutMs", "outMs"}}};
  struct Layer {
    std::string name;
    std::int64_t time;
  };
  // In ns; `slack`: what the digits that are written leave open, to either side.
  struct Shown {
    double value = 0, slack = 0;
  };

  [[noreturn]] void fail(const Record& record, const std::string& message) const {
    refuse(in_.name(), message, record.place().line, record.place().column);
  }

  // Of a number in ms. trtexec prints six digits of each.
  [[nodiscard]] std::optional<Shown> shown(const Record& record, const char* key) const {
    const Scalar* const scalar = *key == '\0' ? nullptr : record.find(key);
    if (scalar == nullptr) return std::nullopt;
    const std::string text = scalar->kind == Scalar::Kind::integer ? fmt::format("{}", scalar->integer) : scalar->text;
    double ms = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), ms);
    const bool number = scalar->kind == Scalar::Kind::integer || scalar->kind == Scalar::Kind::number;
    if (!number || fault != std::errc() || end != text.data() + text.size() || !(ms >= 0) || !(ms < 1e12))
      fail(record, fmt::format("'{}' must be a time in ms, at least 0 and below 10^12", key));
    if (ms <= 0) return Shown{};
    constexpr double ns = 1e6, digits = 6;
    return Shown{ms * ns, 0.5 * std::pow(10.0, std::floor(std::log10(ms)) + 1 - digits) * ns};
  }
  static std::int64_t at_most(double ns) { return static_cast<std::int64_t>(std::ceil(std::max(ns, 0.0))); }

  void take(const Record& record) {
    const bool inference = record.find("startComputeMs") != nullptr || record.find("computeMs") != nullptr;
    const bool layer = record.find("averageMs") != nullptr || record.find("timeMs") != nullptr;
    if (!inference && !layer && record.find("count") != nullptr) {
      count_ = record.integer("count").value_or(0);
      if (count_ < 1) fail(record, "'count' must be a whole number of inferences of at least 1");
      meet_keys(record, "key of a layer");
      return;
    }
    if (inference == layer) fail(record, "a layer with averageMs, or an inference with computeMs, is expected");
    if (inference ? !layers_.empty() : inferences_ > 0) fail(record, "layers and inferences are in one file");
    meet_keys(record, inference ? "key of an inference" : "key of a layer");
    if (inference) {
      take_inference(record);
    } else {
      take_layer(record);
    }
  }

  void meet_keys(const Record& record, std::string_view part) {
    record.each_key([&](std::string_view key) { (void)notes_.meet(Kind::trtexec, part, key, record.place().line, record.place().column); });
  }

  void take_layer(const Record& record) {
    if (layers_.size() == most_layers) fail(record, fmt::format("there are more than {} layers", most_layers));
    const auto average = shown(record, "averageMs"), median = shown(record, "medianMs"), sum = shown(record, "timeMs");
    if (!average && (!sum || count_ < 1)) fail(record, "the layer has no averageMs");
    const Shown mean = average ? *average : Shown{sum->value / static_cast<double>(count_), sum->slack};
    std::int64_t time = at_most(mean.value + mean.slack);
    if (median) time = std::max(time, at_most(median->value + median->slack));
    layers_.push_back({one_word(record.text("name"), "layer", 80), std::max<std::int64_t>(time, 1)});
  }

  [[nodiscard]] std::optional<Shown> either(const Record& record, const char* key, const char* old) const {
    const auto of_key = shown(record, key);
    return of_key ? of_key : shown(record, old);
  }

  void take_inference(const Record& record) {
    if (++inferences_ > most_layers) fail(record, fmt::format("there are more than {} inferences", most_layers));
    double first = std::numeric_limits<double>::max(), last = 0;
    std::int64_t elsewhere = 0;  // of parts of which the file does not say when they ran
    for (const Part part : {enqueue, h2d, compute, d2h}) {
      const Keys& of = keys_[part];
      const auto start = either(record, of.start, of.old_start), end = either(record, of.end, of.old_end);
      auto length = either(record, of.length, of.old_length);
      for (const auto& instant : {start, end}) {
        if (!instant) continue;
        first = std::min(first, instant->value - instant->slack);
        last = std::max(last, instant->value + instant->slack);
      }
      if (start && end) {
        const Shown between{end->value - start->value, end->slack + start->slack};
        const auto named = [&](const char* key, const char* old) { return *key != '\0' && record.find(key) != nullptr ? key : old; };
        const char *const from = named(of.start, of.old_start), *const to = named(of.end, of.old_end);
        if (between.value + between.slack < 0) fail(record, fmt::format("'{}' is before '{}'", to, from));
        constexpr double rounding = 1;  // of the differences here
        if (length && std::abs(length->value - between.value) > length->slack + between.slack + rounding) {
          fail(record, fmt::format("'{}' is {}, but from '{}' to '{}' it is {}: trtexec writes the same", named(of.length, of.old_length),
                                   time_text(*length), from, to, time_text(between)));
        }
        if (!length) length = between;
      }
      if (!length) {
        if (part == compute) fail(record, "the inference has no computeMs");
        continue;
      }
      // What took no time was not asked for; two instants that read the same are apart by what their digits leave open.
      times_[part].push_back(at_most(length->value + length->slack));
      if (!start || !end) elsewhere = checked_add(elsewhere, times_[part].back());
    }
    timeless_ += elsewhere > 0 ? 1U : 0U;
    wholes_.push_back(checked_add(at_most(last - first), elsewhere));
  }

  static std::string time_text(const Shown& shown) { return io::time_text(Time(std::llround(shown.value))); }

  PoolId add_pool(const char* name, decltype(Pool::resource) resource) {
    DraftPool pool;
    pool.pool = {name, std::move(resource)};
    draft_.pools.push_back(std::move(pool));
    return draft_.pools.size() - 1;
  }

  static void add(DraftDag& dag, std::string name, PoolId pool, const decltype(Node::demand)& demand, const Span& span) {
    DraftNode node;
    node.node.name = std::move(name);
    node.node.pool = pool;
    node.node.demand = demand;
    node.node.sequential = true;
    if (span.least < span.most) node.node.variation = Variation{Time(span.least), Time(span.likeliest)};
    dag.add(std::move(node));
  }

  void add_layers(DraftDag& dag) {
    const PoolId gpu = add_pool("gpu", gpu_);
    UniqueNames names;
    for (const Layer& layer : layers_)
      add(dag, names.unique(layer.name), gpu, kernel_by_time(Time(layer.time), gpu_), {layer.time, layer.time, layer.time});
    notes_.found(fmt::format("{} layers{}", layers_.size(), count_ > 0 ? fmt::format(" of {} inferences", count_) : std::string()));
    notes_.assume(
        "time of a layer is the AVERAGE of what it took, or the median where that is larger, and NO WORST CASE: bounds hold for no "
        "inference "
        "that takes longer (trtexec --exportTimes has the longest compute time of whole inferences)");
    notes_.assume("copies to the GPU and back, and the CPU, are not in the file");
  }

  void add_inference(DraftDag& dag) {
    std::array<Span, keys_.size()> spans;
    for (const Part part : {enqueue, h2d, compute, d2h}) {
      if (!times_[part].empty()) spans[part] = span_of(times_[part], options_.percentile.value_or(1'000'000));
    }
    spans[compute].most = std::max<std::int64_t>(spans[compute].most, 1);
    // What was recorded must be seen again, with the pauses between parts.
    const std::int64_t longest = *std::ranges::max_element(wholes_);
    std::int64_t pauses = span_of(wholes_, options_.percentile.value_or(1'000'000)).most;
    for (const Span& span : spans) pauses -= span.most;
    if (spans[enqueue].most > 0 || pauses > 0) draft_.pools.push_back(cpu_pool("cpu", options_, notes_));
    if (spans[enqueue].most > 0) add(dag, "enqueue", 0, CpuDemand{Time(spans[enqueue].most)}, spans[enqueue]);
    const PoolId gpu = add_pool("gpu", gpu_);
    std::optional<PoolId> copies;
    if (spans[h2d].most > 0 || spans[d2h].most > 0)
      copies = add_pool("copy", EnginePool{copy_engines(recorded_on_, 0, gpu_, options_, notes_)});
    // What the model is held against; a kernel takes the longest compute time.
    RecordedDag& recorded = draft_.recorded.emplace_back();
    recorded.dag = dag.name;
    recorded.length = Time(longest);
    recorded.kernels = recorded.busy = recorded.busy_at_most = Time(spans[compute].most);
    if (spans[h2d].most > 0) add(dag, "copy-h2d", *copies, CopyDemand{Time(spans[h2d].most), Direction::h2d}, spans[h2d]);
    add(dag, "compute", gpu, kernel_by_time(Time(spans[compute].most), gpu_), spans[compute]);
    if (spans[d2h].most > 0) add(dag, "copy-d2h", *copies, CopyDemand{Time(spans[d2h].most), Direction::d2h}, spans[d2h]);
    if (pauses > 0) {
      add(dag, "gaps", 0, CpuDemand{Time(pauses)}, {pauses, pauses, pauses});
      notes_.assume(fmt::format(
          "DAG '{}': node 'gaps' of {} stands for the pauses between the parts of an inference, in which another one may have had the GPU, "
          "so that a job takes at least as long as it was recorded to",
          dag.name, io::time_text(Time(pauses))));
    }
    if (timeless_ > 0) {
      notes_.assume(
          fmt::format("of {} inferences the file does not say when each part ran: pauses before and after these ARE NOT KNOWN, and count "
                      "as nothing",
                      timeless_));
    }
    notes_.found(fmt::format("{} inferences", inferences_));
    notes_.assume(
        fmt::format("C, and time of 'compute', is {} of {} inferences; the copies begin when all is enqueued, and each part when the one "
                    "before it has ended; min "
                    "and mode are for simulations alone",
                    options_.percentile ? "what the percentile asks for" : "the longest time", inferences_));
    if (options_.percentile)
      notes_.assume(fmt::format("--percentile {}: longer times WERE SEEN, and bounds do not cover them",
                                static_cast<double>(*options_.percentile) / 10'000));
  }

  JsonStream in_;
  const Options& options_;
  Notes& notes_;
  Draft draft_;
  Profile recorded_on_;  // that says nothing of its GPU
  GpuPool gpu_;
  std::vector<Layer> layers_;
  std::int64_t count_ = 0;
  std::size_t inferences_ = 0;
  std::size_t timeless_ = 0;          // inferences with parts of which only the length is known
  std::vector<std::int64_t> wholes_;  // of each inference: from its first instant to its last
  std::array<std::vector<std::int64_t>, keys_.size()> times_;
};

}  // namespace

Draft read_trtexec(Bytes& bytes, const Options& options, Notes& notes) { return TrtexecReader(bytes, options, notes).read(); }

}  // namespace rta::convert
