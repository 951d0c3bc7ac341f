#include "gpu_partitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "rta/model/device.hpp"
#include "rta/model/partitions.hpp"

namespace rta::io {
namespace {

constexpr std::array<std::string_view, 2> partition_keys{"sms", "kind"};
constexpr std::array<std::string_view, 1> refused_keys{"limit"};
constexpr std::size_t most_parts = 4096;
constexpr std::array<std::string_view, 4> kinds{"green", "mps", "mig", "tpc"};

class PartitionReader {
 public:
  PartitionReader(const Fields& fields, const Pool& whole) : fields_(fields), whole_(whole), gpu_(std::get<GpuPool>(whole.resource)) {}

  std::vector<PartitionPool> read(const Value& partitions) {
    const Fields names = fields_.within("partitions", partitions);
    if (!names.usable()) return {};
    if (names.all().size() > most_parts) {
      names.error(partitions, fmt::format("partitions: a GPU has at most {}, not {}", most_parts, names.all().size()));
      return {};
    }
    pools_.reserve(names.all().size() + 1);
    for (const auto& [key, value] : names.all()) add(*key, *value);
    if (pools_.empty()) names.error(partitions, "partitions: there is none");
    if (const Value* const sharing = fields_.find("sharing")) {
      fields_.error(*sharing, "sharing: a GPU is shared by time slices or cut into partitions, not both");
    }
    if (const Value* const interference = fields_.find("interference"); interference != nullptr && kind_ == PartitionKind::mig) {
      fields_.error(
          *interference,
          "interference: MIG instances have caches and memory of their own, so the whole GPU's factors are none of theirs: describe "
          "each as a GPU, with the factors that were measured in it");
    }
    if (!pools_.empty() && fields_.has("rest")) add_rest(*fields_.find("rest"));
    return std::move(pools_);
  }

 private:
  void add(const Value& key, const Value& value) {
    Pool pool = whole_;
    pool.name = partition_name(whole_.name, key.text);
    const auto fault = name_fault(key.text);
    if (const auto either = fault ? fault : name_fault(pool.name)) fields_.error(key, *either);
    Fields one = fields_.within("partitions", value);
    one.rename({"partition", key.text});
    auto& gpu = std::get<GpuPool>(pool.resource);
    gpu.partition =
        Partition{.gpu = whole_.name, .name = std::string(key.text), .kind = PartitionKind::green, .of = gpu_.sms, .rest = false};
    if (one.usable()) read_one(one, gpu);
    pools_.push_back({std::move(pool), key.mark});
  }

  void read_one(const Fields& one, GpuPool& gpu) {
    one.allow_only(partition_keys, refused_keys);
    if (const Value* const limit = one.find("limit")) {
      one.error(*limit,
                "limit: a percentage of MPS reserves no SMs: a client at its limit waits while SMs are free, and another client's kernel "
                "passes it, so that kernels have no FIFO in common; use static partitions of MPS (sms, with kind: mps)");
      return;
    }
    const Value* const at = one.require("sms", "the number of its SMs");
    const auto sms = one.integer("sms", 1, gpu_.sms);
    const bool has_kind = one.require("kind", "green, mps, mig or tpc") != nullptr;
    const auto kind = one.choice("kind", kinds);
    if (kind) check_kind(one, static_cast<PartitionKind>(*kind));
    if (kind) gpu.partition->kind = static_cast<PartitionKind>(*kind);
    if (!sms) return;
    gpu.sms = static_cast<std::uint32_t>(*sms);
    taken_ += *sms;
    if (taken_ > gpu_.sms) {
      one.error(*at, fmt::format("sms: with this partition all have {} SMs, but GPU '{}' has {}", taken_, whole_.name, gpu_.sms));
    } else if (const auto fault = has_kind && kind ? partition_fault(gpu) : std::nullopt) {
      one.error(*at, "sms: " + *fault);
    }
  }

  /// Each way cuts the whole GPU.
  void check_kind(const Fields& one, PartitionKind kind) {
    if (kind_ && *kind_ != kind) {
      one.error(*one.find("kind"), fmt::format("kind: partitions of one GPU are of one kind; those above are {}", to_string(*kind_)));
    }
    if (!kind_) kind_ = kind;
  }

  void add_rest(const Value& at) {
    const auto name = fields_.name("rest");
    if (!name) return;
    if (taken_ >= gpu_.sms) {
      if (taken_ == gpu_.sms) fields_.error(at, fmt::format("rest: nothing is left: the partitions have all {} SMs", gpu_.sms));
      return;
    }
    if (std::ranges::any_of(pools_, [&](const PartitionPool& p) { return partition_of(p.pool)->name == *name; })) {
      fields_.error(at, fmt::format("rest: another partition is called {}", quote(*name)));
      return;
    }
    Pool pool = pools_.front().pool;
    pool.name = partition_name(whole_.name, *name);
    if (const auto fault = name_fault(pool.name)) fields_.error(at, *fault);
    auto& gpu = std::get<GpuPool>(pool.resource);
    gpu.sms = gpu_.sms - static_cast<std::uint32_t>(taken_);
    gpu.partition->name = *name;
    gpu.partition->rest = true;
    pools_.push_back({std::move(pool), at.mark});
  }

  const Fields& fields_;
  const Pool& whole_;
  const GpuPool& gpu_;
  std::vector<PartitionPool> pools_;
  std::optional<PartitionKind> kind_;
  std::uint64_t taken_ = 0;
};

}  // namespace

std::vector<PartitionPool> read_partitions(const Fields& fields, const Pool& whole) {
  if (const Value* const partitions = fields.find("partitions")) return PartitionReader(fields, whole).read(*partitions);
  if (const Value* const rest = fields.find("rest")) {
    fields.error(*rest, "rest: what the partitions of a GPU leave, but it has no `partitions`");
  }
  return {};
}

}  // namespace rta::io
