#include "rta/examine/limits_file.hpp"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "rta/io/diagnostic.hpp"

namespace rta::examine {
namespace {

using Json = nlohmann::json;

class LimitsReader {
 public:
  LimitsReader(std::string_view text, std::string name) : name_(std::move(name)), json_(Json::parse(text, nullptr, false)) {
    if (json_.is_discarded() || !json_.is_object())
      throw io::InputError({{name_, 1, 1, "a JSON object with the device's limits is expected"}});
  }

  template <class T>
  void number(const char* key, T& out, std::uint64_t least) {
    const auto at = json_.find(key);
    const auto most = std::uint64_t{std::numeric_limits<T>::max()};
    if (at == json_.end() || !at->is_number_unsigned() || at->get<std::uint64_t>() < least || at->get<std::uint64_t>() > most) {
      faults_.push_back({name_, 0, 0, fmt::format("'{}' must be a whole number of at least {}", key, least)});
      return;
    }
    out = at->get<T>();
  }
  template <class T>
  void number_if_any(const char* key, T& out) {
    if (json_.contains(key) && !json_[key].is_null()) number(key, out, 0);
  }
  void text(const char* key, std::string& out, bool needed) {
    const auto at = json_.find(key);
    if (at == json_.end() && !needed) return;
    if (at != json_.end() && at->is_string() && (!needed || !at->get<std::string>().empty())) {
      out = at->get<std::string>();
    } else {
      faults_.push_back({name_, 0, 0, fmt::format("'{}' must be a text", key)});
    }
  }
  void finish() {
    if (!faults_.empty()) throw io::InputError(std::move(faults_));
  }

 private:
  std::string name_;
  Json json_;
  std::vector<io::Diagnostic> faults_;
};

}  // namespace

DeviceLimits parse_limits(std::string_view text, const std::string& name) {
  LimitsReader in(text, name);
  DeviceLimits limits;
  in.text("device", limits.product, true);
  in.text("compute_capability", limits.compute_capability, true);
  in.text("driver", limits.driver, false);
  in.text("cuda", limits.cuda, false);
  in.number("sms", limits.sms, 1);
  in.number("threads_per_sm", limits.threads_per_sm, 1);
  in.number_if_any("threads_per_block", limits.threads_per_block);
  in.number("blocks_per_sm", limits.blocks_per_sm, 1);
  in.number("shared_per_sm", limits.shared_per_sm, 0);
  in.number("shared_per_block", limits.shared_per_block, 0);
  in.number("reserved_shared_per_block", limits.reserved_shared_per_block, 0);
  in.number("registers_per_sm", limits.registers_per_sm, 0);
  in.number_if_any("registers_per_block", limits.registers_per_block);
  in.number("copy_engines", limits.copy_engines, 0);
  in.number("priority_levels", limits.priority_levels, 1);
  in.number_if_any("clock_khz", limits.clock_khz);
  in.finish();
  return limits;
}

std::string format_limits(const DeviceLimits& limits) {
  const nlohmann::ordered_json json{{"device", limits.product},
                                    {"compute_capability", limits.compute_capability},
                                    {"driver", limits.driver},
                                    {"cuda", limits.cuda},
                                    {"sms", limits.sms},
                                    {"threads_per_sm", limits.threads_per_sm},
                                    {"threads_per_block", limits.threads_per_block},
                                    {"blocks_per_sm", limits.blocks_per_sm},
                                    {"shared_per_sm", limits.shared_per_sm},
                                    {"shared_per_block", limits.shared_per_block},
                                    {"reserved_shared_per_block", limits.reserved_shared_per_block},
                                    {"registers_per_sm", limits.registers_per_sm},
                                    {"registers_per_block", limits.registers_per_block},
                                    {"copy_engines", limits.copy_engines},
                                    {"priority_levels", limits.priority_levels},
                                    {"clock_khz", limits.clock_khz}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string built_in_name(const DeviceLimits& limits) {
  const Device* alike = nullptr;
  std::size_t count = 0;
  for (const Device& device : devices()) {
    if (device.product == limits.product) return std::string(device.name);
    if (device.compute_capability == limits.compute_capability && device.gpu.sms == limits.sms) {
      alike = &device;
      ++count;
    }
  }
  return count == 1 ? std::string(alike->name) : std::string();
}

}  // namespace rta::examine
