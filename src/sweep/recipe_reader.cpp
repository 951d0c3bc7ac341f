#include "recipe_reader.hpp"

#include <fmt/format.h>

#include <array>

#include "io/platform_reader.hpp"
#include "spec_values.hpp"

namespace rta::sweep {
namespace {

using generate::Choice;
using generate::Fraction;
using generate::Recipe;
using io::Diagnostics;
using io::Fields;

constexpr std::array<std::string_view, 13> random_keys{"dags",       "nodes",   "periods",        "deadline", "jitter", "phases",   "shape",
                                                       "group_size", "grouped", "split_overhead", "cpu",      "gpu",    "processes"};
constexpr std::array<std::string_view, 6> cpu_keys{"utilization", "split", "largest", "C", "min", "sequential"};
constexpr std::array<std::string_view, 9> gpu_keys{"share", "utilization", "split", "largest", "L", "B", "H", "shared_memory", "registers"};
constexpr std::array<std::string_view, 2> processes{"one", "dag"};
constexpr std::array<std::string_view, 2> phases{"together", "random"};
constexpr std::array<std::string_view, 4> splits{"RandFixedSum", "DRS", "UUniFast-discard", "proportional"};

class RecipeReader {
 public:
  explicit RecipeReader(Diagnostics& out) : out_(out), values_(out) {}

  std::optional<Recipe> read(const Value& top) {
    const Fields file(top, {}, out_);
    if (const Value* platform = file.require("platform", "the pools of the random task sets")) read_platform(*platform);
    if (const Value* random = file.require("random", "what the random task sets are like")) read_random(*random);
    if (out_.failed()) return std::nullopt;
    try {
      generate::check(recipe_);
    } catch (const generate::RecipeError& e) {
      out_.error(place(top, e.parameter()).mark, e.what());
      return std::nullopt;
    }
    return recipe_;
  }

 private:
  // The value that an error is about, or the nearest one around it.
  static const Value& place(const Value& top, std::string_view path) {
    while (!path.empty()) {
      if (const Value* value = value_at(top, path)) return *value;
      const std::size_t dot = path.rfind('.');
      path = path.substr(0, dot == std::string_view::npos ? 0 : dot);
    }
    return top;
  }

  void read_platform(const Value& value) {
    io::PlatformReader platform(out_);
    platform.read(value, nullptr);
    platform.refuse_launch_costs("a sweep knows");
    if (out_.failed()) return;
    recipe_.pools = platform.take();
    std::optional<PoolId> cpu;
    for (PoolId p = 0; p < recipe_.pools.size(); ++p) {
      const PoolKind kind = recipe_.pools[p].kind();
      if (kind == PoolKind::cpu && !cpu) {
        cpu = p;
      } else if (kind == PoolKind::gpu && !recipe_.gpu) {
        recipe_.gpu = p;
      } else {
        out_.error(value.mark, fmt::format("platform: random task sets run on one CPU pool and at most one GPU; '{}' is one too many",
                                           recipe_.pools[p].name));
      }
    }
    if (!cpu) out_.error(value.mark, "platform: random task sets need a CPU pool");
    recipe_.cpu = cpu.value_or(0);
  }

  void read_random(const Value& value) {
    const Fields random(value, {}, out_, "random");
    random.allow_only(random_keys);
    if (const Value* dags = random.find("dags")) set(recipe_.dags, values_.range(*dags, "random.dags"));
    if (const Value* nodes = random.require("nodes", "the number of nodes of a DAG"))
      set(recipe_.nodes, values_.range(*nodes, "random.nodes"));
    if (const Value* periods = random.require("periods", "the range, or the list, of the DAGs' periods")) read_periods(*periods);
    if (const Value* deadline = random.find("deadline")) {
      if (auto factor = values_.fraction(*deadline, "random.deadline")) recipe_.deadline = *factor;
    }
    if (const Value* jitter = random.find("jitter")) {
      if (auto share = values_.fraction(*jitter, "random.jitter")) recipe_.jitter = *share;
    }
    if (const auto known = random.choice("phases", phases))
      recipe_.phases = *known == 0 ? generate::Phases::together : generate::Phases::random;
    recipe_.shapes = Choice<generate::Shape>({{generate::Chain{}, 1}});
    if (const Value* shape = random.require("shape", "one of chain, layers, gnp, fork-join, series-parallel")) read_shapes(*shape);
    if (const Value* size = random.find("group_size")) {
      if (auto range = values_.range(*size, "random.group_size")) recipe_.group_size = *range;
    }
    if (const Value* share = random.find("grouped")) set(recipe_.grouped, values_.fraction(*share, "random.grouped"));
    if (const Value* overhead = random.find("split_overhead"))
      set(recipe_.split_overhead, values_.overhead(*overhead, "random.split_overhead"));
    if (const Value* cpu = random.require("cpu", "the work of the CPU nodes")) read_cpu(*cpu);
    if (const Value* gpu = random.find("gpu")) read_gpu(*gpu);
    if (const auto per = random.choice("processes", processes)) recipe_.process_per_dag = *per == 1;
  }

  template <class T, class U>
  static void set(T& target, const std::optional<U>& value) {
    if (value) target = static_cast<T>(*value);
  }

  void read_periods(const Value& value) {
    const std::string_view key = "random.periods";
    const auto rate = [&](const Value& one) { return values_.time(one, key, true); };
    const bool mapping = value.kind == Value::Kind::mapping;
    if (mapping && value_at(value, "harmonic") != nullptr) {
      const Fields harmonic(value, {}, out_, key);
      harmonic.allow_only(std::array<std::string_view, 3>{"harmonic", "factor", "levels"});
      generate::Harmonic periods;
      set(periods.base, rate(*harmonic.find("harmonic")));
      set(periods.factor, harmonic.integer("factor", 2, 1000));
      static_cast<void>(harmonic.require("levels", "the number of different periods"));
      set(periods.levels, harmonic.integer("levels", 1, 47));
      recipe_.periods = periods;
    } else if (mapping && value_at(value, "log-uniform") != nullptr) {
      const Fields range(value, {}, out_, key);
      range.allow_only(std::array<std::string_view, 2>{"log-uniform", "granularity"});
      if (auto times = values_.times(*range.find("log-uniform"), key)) {
        times->granularity = Time(1'000);
        if (const Value* granularity = range.find("granularity")) set(times->granularity, values_.time(*granularity, key));
        recipe_.periods = *times;
      }
    } else if (value.kind == Value::Kind::scalar && value.text.find("..") != std::string_view::npos) {
      if (auto times = values_.times(value, key)) {
        times->granularity = Time(1'000);
        recipe_.periods = *times;
      }
    } else if (auto list = values_.choice<Time>(value, key, rate)) {
      recipe_.periods = *list;
    }
  }

  void read_shapes(const Value& value) {
    std::vector<generate::Weighted<generate::Shape>> all;
    const auto add = [&](const Value& one) {
      if (auto shape = read_shape(one)) all.push_back(*shape);
    };
    if (value.kind == Value::Kind::sequence) {
      for (const Value* one = value.first(); one != value.next(); one = one->next()) add(*one);
      if (value.first() == value.next()) values_.error(value, "random.shape", "the list is empty");
    } else {
      add(value);
    }
    if (!all.empty()) recipe_.shapes = Choice<generate::Shape>(std::move(all));
  }

  std::optional<generate::Weighted<generate::Shape>> read_shape(const Value& value) {
    const std::string_view key = "random.shape";
    constexpr std::array<std::string_view, 5> kinds{"chain", "layers", "gnp", "fork-join", "series-parallel"};
    if (value.kind == Value::Kind::scalar && value.text == "chain") return generate::Weighted<generate::Shape>{generate::Chain{}, 1};
    if (value.kind == Value::Kind::scalar) {
      values_.error(value, key,
                    fmt::format("{} is not known{} (allowed: chain, or a mapping with one of {})", io::quote(value.text),
                                io::suggestion(value.text, kinds), io::joined(kinds)));
      return std::nullopt;
    }
    const Fields fields(value, {}, out_, key);
    generate::Weighted<generate::Shape> shape{generate::Chain{}, 1};
    if (const Value* weight = fields.find("weight")) {
      set(shape.weight, values_.integer(*weight, "random.shape.weight", 1'000'000'000));
    }
    const auto share = [&](std::string_view name, Fraction& target) {
      if (const Value* p = fields.find(name)) set(target, values_.fraction(*p, fmt::format("random.shape.{}", name)));
    };
    if (const Value* layers = fields.find("layers")) {
      fields.allow_only(std::array<std::string_view, 3>{"layers", "p", "weight"});
      generate::LayerByLayer drawn;
      set(drawn.layers, values_.range(*layers, "random.shape.layers"));
      share("p", drawn.p);
      shape.value = drawn;
    } else if (const Value* p = fields.find("gnp")) {
      fields.allow_only(std::array<std::string_view, 2>{"gnp", "weight"});
      generate::ErdosRenyi drawn;
      set(drawn.p, values_.fraction(*p, "random.shape.gnp"));
      shape.value = drawn;
    } else if (const Value* branches = fields.find("fork-join")) {
      fields.allow_only(std::array<std::string_view, 4>{"fork-join", "depth", "nesting", "weight"});
      generate::ForkJoin drawn;
      set(drawn.branches, values_.range(*branches, "random.shape.fork-join"));
      set(drawn.depth, fields.integer("depth", 1, 32));
      share("nesting", drawn.nesting);
      shape.value = drawn;
    } else if (const Value* series = fields.find("series-parallel")) {
      fields.allow_only(std::array<std::string_view, 2>{"series-parallel", "weight"});
      generate::SeriesParallel drawn;
      set(drawn.series, values_.fraction(*series, "random.shape.series-parallel"));
      shape.value = drawn;
    } else if (fields.has("chain")) {
      fields.allow_only(std::array<std::string_view, 2>{"chain", "weight"});
    } else if (fields.usable()) {
      values_.error(value, key, fmt::format("a kind is missing: one of {}", io::joined(kinds)));
      return std::nullopt;
    }
    return shape;
  }

  // `key`: random.cpu or random.gpu; `capacity`: what 100 % is.
  generate::Work read_work(const Fields& fields, const std::string& key, std::string_view length, Fraction capacity) {
    generate::Work work;
    if (const Value* total = fields.find("utilization")) {
      if (auto read = values_.fraction(*total, key + ".utilization", capacity)) work.utilization = *read;
    }
    if (const auto split = fields.choice("split", splits)) work.split = static_cast<generate::Split>(*split);
    if (const Value* largest = fields.find("largest")) {
      if (auto read = values_.fraction(*largest, key + ".largest", capacity)) work.largest = *read;
    }
    if (const Value* range = fields.find(length)) {
      if (auto read = values_.times(*range, fmt::format("{}.{}", key, length))) work.length = *read;
    }
    return work;
  }

  void read_cpu(const Value& value) {
    const Fields cpu(value, {}, out_, "random.cpu");
    cpu.allow_only(cpu_keys);
    Fraction capacity{1, 1};
    if (recipe_.cpu < recipe_.pools.size()) {
      if (const auto* pool = std::get_if<CpuPool>(&recipe_.pools[recipe_.cpu].resource)) capacity.numerator = pool->processors;
    }
    recipe_.cpu_work = read_work(cpu, "random.cpu", "C", capacity);
    if (!recipe_.cpu_work.largest) recipe_.cpu_work.largest = Fraction{1, 1};
    if (const auto sequential = cpu.flag("sequential")) recipe_.sequential = *sequential;
    if (const Value* least = cpu.find("min")) set(recipe_.cpu_least, values_.fraction(*least, "random.cpu.min"));
  }

  void read_gpu(const Value& value) {
    const Fields gpu(value, {}, out_, "random.gpu");
    gpu.allow_only(gpu_keys);
    Fraction capacity{1, 1};
    if (recipe_.gpu) {
      const auto& pool = std::get<GpuPool>(recipe_.pools[*recipe_.gpu].resource);
      capacity.numerator = static_cast<std::int64_t>(pool.sms) * pool.sm.threads;
    }
    if (const Value* share = gpu.require("share", "the share of the nodes that are kernels")) {
      set(recipe_.gpu_share, values_.fraction(*share, "random.gpu.share"));
    }
    recipe_.gpu_work = read_work(gpu, "random.gpu", "L", capacity);
    auto& kernels = recipe_.kernels;
    if (const Value* B = gpu.require("B", "the kernels' numbers of blocks")) {
      set(kernels.B,
          values_.choice<generate::Range>(*B, "random.gpu.B", [&](const Value& one) { return values_.range(one, "random.gpu.B"); }));
    }
    const auto small = [&](std::string_view key) {
      return [this, key](const Value& one) -> std::optional<std::uint32_t> {
        const auto number = values_.integer(one, key, 1U << 20);
        return number ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
      };
    };
    if (const Value* H = gpu.require("H", "the kernels' block sizes")) {
      set(kernels.H, values_.choice<std::uint32_t>(*H, "random.gpu.H", small("random.gpu.H")));
    }
    kernels.shared_memory = Choice<std::uint64_t>({{0, 1}});
    kernels.registers = Choice<std::uint32_t>({{0, 1}});
    if (const Value* bytes = gpu.find("shared_memory")) {
      set(kernels.shared_memory, values_.choice<std::uint64_t>(*bytes, "random.gpu.shared_memory", [&](const Value& one) {
        return values_.size(one, "random.gpu.shared_memory");
      }));
    }
    if (const Value* registers = gpu.find("registers")) {
      set(kernels.registers, values_.choice<std::uint32_t>(*registers, "random.gpu.registers", small("random.gpu.registers")));
    }
  }

  Diagnostics& out_;
  SpecValues values_;
  Recipe recipe_;
};

}  // namespace

std::optional<Recipe> read_recipe(const Value& top, Diagnostics& out) { return RecipeReader(out).read(top); }

const Value* value_at(const Value& top, std::string_view path) {
  const Value* value = &top;
  while (!path.empty()) {
    if (value->kind != Value::Kind::mapping) return nullptr;
    const std::size_t dot = std::min(path.find('.'), path.size());
    const std::string_view key = path.substr(0, dot);
    const Value* found = nullptr;
    for (const Value* k = value->first(); k != value->next() && found == nullptr; k = k->next()->next()) {
      if (k->kind == Value::Kind::scalar && k->text == key) found = k->next();
    }
    if (found == nullptr) return nullptr;
    value = found;
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return value;
}

}  // namespace rta::sweep
