#include "pools.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace checker {
namespace {

constexpr Int most_partitions = 4096;

/// What an SM of a device holds, from NVIDIA's tables of compute capabilities: threads, slots, KiB of shared memory, its unit, KiB
/// reserved.
struct Device {
  std::string_view name;
  int sms, threads, blocks, kib, unit, reserved_kib;
};
constexpr std::array<Device, 10> devices{{{"tx2", 2, 2048, 32, 64, 256, 0},
                                          {"titan-v", 80, 2048, 32, 96, 256, 0},
                                          {"v100", 80, 2048, 32, 96, 256, 0},
                                          {"xavier", 8, 2048, 32, 96, 256, 0},
                                          {"a100", 108, 2048, 32, 164, 128, 1},
                                          {"orin", 16, 1536, 16, 164, 128, 1},
                                          {"rtx-4090", 128, 1536, 24, 100, 128, 1},
                                          {"h100", 132, 2048, 32, 228, 128, 1},
                                          {"h200", 132, 2048, 32, 228, 128, 1},
                                          {"rtx-5090", 170, 1536, 24, 100, 128, 1}}};

class PoolReader {
 public:
  PoolReader(Document& document, std::string_view unit) : document_(document), unit_(unit) {}

  std::vector<Pool> read(const yaml_node_t& platform) {
    const Mapping all(document_, platform, {});
    for (const auto& [name, value] : all.all()) add_pool(pool(std::string(text_of(*name)), *value), *value);
    return std::move(pools_);
  }

 private:
  /// A partitioned pool is as many pools of one processor.
  void add_pool(Pool pool, const yaml_node_t& value) {
    const bool partitioned = pool.kind == Kind::cpu && Mapping(document_, value, {}).flag("partitioned", false);
    const Int count = partitioned ? pool.size : Int(1);
    if (count > most_partitions) fail(value, "a pool has too many partitions");
    const std::string name = pool.name;
    for (Int i = 0; i < count; i += 1) {
      if (partitioned) {
        pool.name = name + to_string(i);
        pool.size = 1;
      }
      pools_.push_back(pool);
    }
  }

  Pool pool(std::string name, const yaml_node_t& value) {
    Pool pool;
    pool.name = std::move(name);
    const Mapping kind(document_, value, {});
    if (kind.find("processors") != nullptr) {
      const Mapping fields(document_, value, {"processors", "scheduler", "preemptive", "equals", "partitioned"});
      pool.size = fields.number("processors", 1);
      pool.scheduler = fields.text("scheduler", "G-EDF");
      pool.preemptive = fields.flag("preemptive", true);
      pool.equals = fields.text("equals", "");
    } else if (kind.find("device") != nullptr || kind.find("sms") != nullptr) {
      gpu(pool, value);
    } else if (kind.find("engines") != nullptr) {
      pool.kind = Kind::engines;
      pool.size = Mapping(document_, value, {"engines"}).number("engines", 1);
    } else if (kind.find("workers") != nullptr) {
      const Mapping fields(document_, value, {"workers", "dispatch_overhead"});
      pool.kind = Kind::workers;
      pool.size = fields.number("workers", 1);
      if (const auto* overhead = fields.find("dispatch_overhead")) pool.overhead = time(*overhead, unit_);
    } else {
      fail(value, "the pool's kind is missing");
    }
    if (pool.size <= 0 || pool.size > Int(1'000'000)) fail(value, "a pool's size is from 1 to 1000000");
    return pool;
  }

  void gpu(Pool& pool, const yaml_node_t& value) {
    const Mapping fields(document_, value,
                         {"device", "sms", "threads", "threads_per_block", "blocks", "shared_memory", "registers", "warp",
                          "shared_memory_unit", "shared_memory_reserved", "register_unit", "sharing"});
    pool.kind = Kind::gpu;
    if (const auto* sharing = fields.find("sharing")) {
      const Mapping slices(document_, *sharing, {"slice", "switch"});
      pool.slice = time(slices.need("slice"), unit_);
      pool.switch_time = time(slices.need("switch"), unit_);
      if (pool.slice <= 0 || pool.switch_time < 0) fail(*sharing, "a slice is above 0");
      pool.shared = true;
    }
    pool.sm[threads] = 2048;
    pool.sm[slots] = 32;
    if (const auto* name = fields.find("device")) {
      const auto* device = std::find_if(devices.begin(), devices.end(), [&](const Device& d) { return d.name == text_of(*name); });
      if (device == devices.end()) fail(*name, "no such device is known here");
      pool.size = device->sms;
      pool.sm = {Int(device->threads), Int(device->blocks), Int(device->kib) * 1024, Int(65'536)};
      pool.warp = 32;
      pool.unit = device->unit;
      pool.reserved = Int(device->reserved_kib) * 1024;
      pool.per = 256;
    }
    pool.size = fields.number("sms", pool.size);
    pool.sm[threads] = fields.number("threads", *pool.sm[threads]);
    pool.sm[slots] = fields.number("blocks", *pool.sm[slots]);
    if (const auto* limit = fields.find("shared_memory")) {
      pool.sm[shared_memory].reset();
      if (text_of(*limit) != "unlimited") pool.sm[shared_memory] = bytes(*limit);
    }
    if (const auto* limit = fields.find("registers")) {
      pool.sm[registers].reset();
      if (text_of(*limit) != "unlimited") pool.sm[registers] = whole(*limit);
    }
    pool.warp = fields.number("warp", pool.warp);
    if (const auto* unit = fields.find("shared_memory_unit")) pool.unit = bytes(*unit);
    if (const auto* reserved = fields.find("shared_memory_reserved")) pool.reserved = bytes(*reserved);
    pool.per = fields.number("register_unit", pool.per);
    if (pool.warp <= 0 || pool.unit <= 0 || pool.per <= 0) fail(value, "units are above 0");
  }

  Document& document_;
  std::string_view unit_;
  std::vector<Pool> pools_;
};

}  // namespace

std::vector<Pool> read_pools(Document& document, const yaml_node_t& platform, std::string_view unit) {
  return PoolReader(document, unit).read(platform);
}

}  // namespace checker
