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
constexpr std::array<Device, 17> devices{{{"tx1", 2, 2048, 32, 64, 256, 0},
                                          {"gtx-1070", 15, 2048, 32, 96, 256, 0},
                                          {"tx2", 2, 2048, 32, 64, 256, 0},
                                          {"titan-v", 80, 2048, 32, 96, 256, 0},
                                          {"v100", 80, 2048, 32, 96, 256, 0},
                                          {"xavier", 8, 2048, 32, 96, 256, 0},
                                          {"a100", 108, 2048, 32, 164, 128, 1},
                                          {"orin", 16, 1536, 16, 164, 128, 1},
                                          {"orin-nx", 8, 1536, 16, 164, 128, 1},
                                          {"orin-nano", 8, 1536, 16, 164, 128, 1},
                                          {"rtx-4090", 128, 1536, 24, 100, 128, 1},
                                          {"l4", 58, 1536, 24, 100, 128, 1},
                                          {"h100", 132, 2048, 32, 228, 128, 1},
                                          {"h200", 132, 2048, 32, 228, 128, 1},
                                          {"b200", 148, 2048, 32, 228, 128, 1},
                                          {"thor", 20, 1536, 24, 228, 128, 1},
                                          {"rtx-5090", 170, 1536, 24, 100, 128, 1}}};

class PoolReader {
 public:
  PoolReader(Document& document, std::string_view unit) : document_(document), unit_(unit) {}

  std::vector<Pool> read(const yaml_node_t& platform) {
    const Mapping all(document_, platform, {});
    for (const auto& [name, value] : all.all()) {
      const Mapping fields(document_, *value, {});
      const Pool one = pool(std::string(text_of(*name)), *value);
      if (one.kind == Kind::gpu && (fields.find("partitions") != nullptr || fields.find("rest") != nullptr)) {
        add_partitions(one, fields);
      } else {
        add_pool(one, *value);
      }
    }
    for (const Pool& part : pools_) {
      if (std::any_of(pools_.begin(), pools_.end(), [&](const Pool& p) { return !part.cut.empty() && p.name == part.cut; }))
        fail(platform, "a GPU with partitions is no pool itself");
    }
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

  /// Partitions are disjoint: together they have no more SMs than their GPU. The last one may have what the others leave.
  void add_partitions(const Pool& gpu, const Mapping& fields) {
    const yaml_node_t& partitions = fields.need("partitions");
    if (gpu.shared) fail(partitions, "a GPU is shared by time slices or cut, not both");
    const Mapping all(document_, partitions, {});
    if (all.all().empty()) fail(partitions, "there is no partition");
    if (Int(static_cast<Int::Raw>(all.all().size())) > most_partitions) fail(partitions, "a GPU has too many partitions");
    Int left = gpu.size;
    std::string kind;
    for (const auto& [name, value] : all.all()) {
      const Mapping part(document_, *value, {"sms", "kind"});
      const std::string_view of_kind = text_of(part.need("kind"));
      const Int sms = whole(part.need("sms"));
      if (of_kind != "green" && of_kind != "mps" && of_kind != "mig" && of_kind != "tpc") fail(*value, "a kind is green, mps, mig or tpc");
      if (!kind.empty() && kind != of_kind) fail(*value, "partitions of one GPU are of one kind");
      kind = of_kind;
      if (kind == "mig" && gpu.company) fail(*value, "the whole GPU's factors are none of an instance with memory of its own");
      left -= sms;
      if (sms <= 0 || left < 0) fail(*value, "a partition has an SM, and all together no more than their GPU");
      add_partition(gpu, text_of(*name), sms);
    }
    if (const auto* const rest = fields.find("rest")) {
      if (left <= 0) fail(*rest, "nothing is left");
      add_partition(gpu, text_of(*rest), left);
    }
  }

  void add_partition(const Pool& gpu, std::string_view name, Int sms) {
    Pool& part = pools_.emplace_back(gpu);
    part.cut = gpu.name;
    part.name += "/" + std::string(name);
    part.size = sms;
  }

  Pool pool(std::string name, const yaml_node_t& value) {
    Pool pool;
    pool.name = std::move(name);
    const Mapping kind(document_, value, {});
    if (kind.find("processors") != nullptr) {
      const Mapping fields(document_, value,
                           {"processors", "scheduler", "preemptive", "equals", "partitioned", "callbacks", "reservation", "simultaneous"});
      pool.size = fields.number("processors", 1);
      pool.scheduler = fields.text("scheduler", "G-EDF");
      pool.preemptive = fields.flag("preemptive", true);
      pool.equals = fields.text("equals", "");
      const std::string simultaneous = fields.text("simultaneous", "any_order");
      if (simultaneous != "any_order" && simultaneous != "before_starts") fail(value, "`any_order` or `before_starts` is expected");
      pool.sees_first = simultaneous == "before_starts";
      if (pool.scheduler == "wait-set") {
        if (pool.size != Int(1) && !fields.flag("partitioned", false)) fail(value, "a wait set has one processor");
        if (fields.flag("preemptive", false)) fail(value, "a wait set preempts nothing");
        pool.preemptive = false;
      }
      if (pool.scheduler == "multi-threaded") {
        if (fields.flag("preemptive", false)) fail(value, "an executor preempts nothing");
        pool.preemptive = false;
      }
      pool.callbacks = fields.flag("callbacks", false);
      const bool in_turn = pool.scheduler == "FIFO" || (pool.scheduler == "FP" && !pool.preemptive);
      if (pool.callbacks && (!in_turn || (pool.size != Int(1) && !fields.flag("partitioned", false))))
        fail(value, "callbacks are on one processor, by FIFO or FP, and preempt nothing");
      if (const auto* reserved = fields.find("reservation")) {
        if (pool.scheduler != "wait-set" && !pool.callbacks) fail(*reserved, "a reservation is an executor's, of one thread");
        set_reservation(document_, *reserved, unit_, pool);
      }
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
                         {"device",
                          "sms",
                          "threads",
                          "threads_per_block",
                          "blocks",
                          "shared_memory",
                          "registers",
                          "shared_memory_per_block",
                          "registers_per_block",
                          "registers_per_thread",
                          "warp",
                          "shared_memory_unit",
                          "shared_memory_reserved",
                          "register_unit",
                          "register_parts",
                          "sharing",
                          "partitions",
                          "rest",
                          "interference",
                          "launch_overhead",
                          "dispatch_latency"});
    pool.kind = Kind::gpu;
    if (const auto* launch = fields.find("launch_overhead")) pool.launch = time(*launch, unit_);
    if (const auto* dispatch = fields.find("dispatch_latency")) pool.dispatch = time(*dispatch, unit_);
    if (pool.launch < 0 || pool.dispatch < 0) fail(value, "no launch ends before it begins");
    if (const auto* company = fields.find("interference")) {
      if (fields.find("sharing") != nullptr) fail(*company, "no factor counts cold caches after a switch between processes");
      read_company(pool, *company);
    }
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
      pool.parts = 4;
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
    pool.parts = fields.number("register_parts", pool.parts);
    if (pool.warp <= 0 || pool.unit <= 0 || pool.per <= 0 || pool.parts <= 0) fail(value, "units are above 0");
  }

  void read_company(Pool& pool, const yaml_node_t& value) {
    const Mapping fields(document_, value, {"classes", "other-sm", "same-sm", "combine", "beside"});
    Company& company = pool.company.emplace();
    for (const yaml_node_t* name : list_of(document_, fields.need("classes"))) company.classes.emplace_back(text_of(*name));
    const std::string combine = fields.text("combine", "sum");
    if (company.classes.empty() || (combine != "sum" && combine != "max")) fail(value, "there are classes, and sum or max of them counts");
    company.sum = combine == "sum";
    company.other_sm = factors(company, fields.need("other-sm"));
    if (const auto* same = fields.find("same-sm")) company.same_sm = factors(company, *same);
    if (const auto* beside = fields.find("beside")) {
      const Mapping columns(document_, *beside, {"copies", "cpu"});
      company.copies = column(company, columns.need("copies"));
      company.processors = column(company, columns.need("cpu"));
    }
  }

  std::vector<Int> column(const Company& company, const yaml_node_t& value) {
    std::vector<Int> numbers;
    for (const yaml_node_t* entry : list_of(document_, value)) numbers.push_back(factor(*entry));
    if (numbers.size() != company.classes.size()) fail(value, "a number for each class is expected");
    return numbers;
  }

  Factors factors(const Company& company, const yaml_node_t& value) {
    const Mapping rows(document_, value, {});
    Factors factors(company.classes.size());
    for (const auto& [name, row] : rows.all()) {
      const auto at = std::find(company.classes.begin(), company.classes.end(), text_of(*name));
      if (at == company.classes.end()) fail(*name, "there is no such class");
      for (const yaml_node_t* entry : list_of(document_, *row)) {
        factors[static_cast<std::size_t>(at - company.classes.begin())].push_back(factor(*entry));
      }
    }
    for (const auto& row : factors) {
      if (row.size() != company.classes.size()) fail(value, "each class has a row, and each row a number for each class");
    }
    return factors;
  }

  /// In billionths, rounded up.
  static Int factor(const yaml_node_t& at) {
    constexpr std::size_t digits = 9;
    std::string_view text = text_of(at);
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto point = std::min(text.find('.'), text.size());
    const std::string_view whole = text.substr(0, point);
    std::string fraction(text.substr(std::min(point + 1, text.size())));
    const bool all_digits =
        whole.find_first_not_of("0123456789") == std::string_view::npos && fraction.find_first_not_of("0123456789") == std::string::npos;
    if (whole.empty() || !all_digits || (point < text.size() && fraction.empty())) fail(at, "a number from 0 on is expected");
    const bool more = fraction.find_first_not_of('0', digits) != std::string::npos;
    fraction.resize(digits, '0');
    const Int read = to_int(std::string(whole) + fraction) + Int(more ? 1 : 0);
    if (read > Int(1'000) * 1'000'000'000) fail(at, "a factor is at most 1000");
    return read;
  }

  Document& document_;
  std::string_view unit_;
  std::vector<Pool> pools_;
};

}  // namespace

std::vector<Pool> read_pools(Document& document, const yaml_node_t& platform, std::string_view unit) {
  return PoolReader(document, unit).read(platform);
}

void set_reservation(Document& document, const yaml_node_t& value, std::string_view unit, Pool& pool) {
  const Mapping fields(document, value, {"runtime", "period"});
  pool.runtime = time(fields.need("runtime"), unit);
  pool.period = time(fields.need("period"), unit);
  if (pool.runtime <= 0 || pool.runtime > pool.period) fail(value, "a reservation has a runtime from above 0 up to its period");
}

}  // namespace checker
