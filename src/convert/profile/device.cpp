#include "device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>
#include <vector>

#include "../names.hpp"
#include "rta/model/device.hpp"

namespace rta::convert {
namespace {

const ProfiledDevice* recorded(const Profile& profile, std::int64_t number) {
  const auto at = std::ranges::find(profile.devices, number, &ProfiledDevice::number);
  return at == profile.devices.end() ? nullptr : &*at;
}

// Of all compute capabilities that the table has.
constexpr std::uint64_t registers_per_sm = 65'536;

// Words of a name, in small letters.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  return words;
}

// `a100`, `gh200`: at most two letters before digits.
bool is_model(std::string_view word, std::string_view letters) {
  if (!word.starts_with(letters) || word.size() == letters.size()) return false;
  return std::isdigit(static_cast<unsigned char>(word[letters.size()])) != 0;
}

enum class Vendor : std::uint8_t { nvidia, amd, other, unknown };

Vendor vendor_of(std::string_view name) {
  constexpr std::array<std::string_view, 6> amd{"amd", "ati", "radeon", "instinct", "vega", "navi"};
  constexpr std::array<std::string_view, 24> others{"intel",  "arc",   "iris",    "xe",       "apple",     "adreno", "qualcomm", "mali",
                                                    "tensix", "moore", "mtt",     "musa",     "ascend",    "huawei", "hygon",    "dcu",
                                                    "metax",  "biren", "powervr", "iluvatar", "cambricon", "kunlun", "gaudi",    "tpu"};
  constexpr std::array<std::string_view, 14> nvidia{"nvidia", "tesla", "geforce", "quadro", "titan", "rtx",  "gtx",
                                                    "jetson", "tegra", "orin",    "xavier", "thor",  "grid", "dgx"};
  constexpr std::array<std::string_view, 13> models{"a", "b", "h", "k", "l", "m", "p", "t", "v", "gb", "gh", "gv", "tx"};
  const std::vector<std::string> words = words_of(name);
  const auto any = [&](const auto& list) {
    return std::ranges::any_of(words, [&](const std::string& word) { return std::ranges::find(list, word) != list.end(); });
  };
  if (any(nvidia) && !any(amd) && !any(others)) return Vendor::nvidia;
  if (any(amd) || std::ranges::any_of(words, [](const std::string& w) { return w.starts_with("gfx") || is_model(w, "mi"); }))
    return Vendor::amd;
  if (any(others)) return Vendor::other;
  const bool model = std::ranges::any_of(models, [&](std::string_view letters) { return is_model(words.front(), letters); });
  return model || name == "Graphics Device" ? Vendor::nvidia : Vendor::unknown;
}

std::string device_names() {
  std::string names;
  for (const Device& device : devices()) names += (names.empty() ? "" : ", ") + std::string(device.name);
  return names;
}

std::string capability_of(const ProfiledDevice& device) {
  return device.major && device.minor ? fmt::format("{}.{}", *device.major, *device.minor) : std::string();
}

// Units of allocation: 256 registers per warp; shared memory by 256 bytes up to 7.x, from 8.0 on by 128 with 1 KiB for the system.
Allocation allocation_of(const ProfiledDevice& device) {
  const bool from_8 = device.major.value_or(8) >= 8;
  return {device.warp.value_or(32), from_8 ? 128U : 256U, from_8 ? 1024U : 0U, 256, register_parts(capability_of(device))};
}

// What an SM has of something that limits how many blocks it holds: as the file says, or all GPUs of that compute capability have.
std::optional<std::uint64_t> limit(const ProfiledDevice& device, const std::optional<std::uint64_t>& recorded, const Capability* known,
                                   std::uint64_t of_known, const char* what, Notes& notes) {
  if (recorded) return recorded;
  if (known != nullptr) {
    notes.assume(fmt::format("GPU {} ({}): {} {} per SM, as all GPUs of compute capability {} have", device.number,
                             one_line(device.name, 60), of_known, what, known->name));
    return of_known;
  }
  notes.assume(
      fmt::format("GPU {} ({}): the file does not say how many {} an SM has: here these limit nothing, and BOUNDS MAY BE TOO LOW "
                  "(--device)",
                  device.number, one_line(device.name, 60), what));
  return std::nullopt;
}

}  // namespace

std::string foreign_gpu(const Profile& profile, const Options& options) {
  if (profile.of_nvidia) return {};
  constexpr const char* of_amd =
      "the profile is of {}, which is no GPU of NVIDIA: grids count threads there, wavefronts have 64 of them, {}and the vector registers "
      "that limit how many run at once are not recorded: no GPU node can be made (--cpu-only leaves GPUs out)";
  constexpr const char* of_another =
      "the profile is of {}, which is no GPU of NVIDIA: how its kernels share it, and what its records count, is not known: no GPU node "
      "can "
      "be made (--cpu-only leaves GPUs out)";
  const char* const no_grid = profile.without_grid ? "a kernel here has no grid and block, " : "";
  std::set<std::int64_t> used;
  for (const GpuOperation& o : profile.operations) used.insert(o.device);
  for (const std::int64_t number : used) {
    const ProfiledDevice* const device = recorded(profile, number);
    if (device == nullptr) continue;
    const std::string name = device->name.empty() ? fmt::format("GPU {}", number) : one_line(device->name, 60);
    const Vendor vendor = device->name.empty() ? Vendor::nvidia : vendor_of(device->name);
    if (vendor == Vendor::amd || device->warp.value_or(32) != 32) return fmt::format(of_amd, name, no_grid);
    if (vendor == Vendor::other) return fmt::format(of_another, name);
    if (vendor == Vendor::unknown && !options.device) {
      return fmt::format(
          "whose GPU '{}' is, is not known, and of GPUs that are not NVIDIA's no node can be made: --device NAME says which of "
          "NVIDIA's it is (--cpu-only leaves GPUs out)",
          name);
    }
  }
  if (profile.other_vendor.empty()) return {};
  const std::string name = one_line(profile.other_vendor, 60);
  return name.find("hip") != std::string::npos ? fmt::format(of_amd, name, no_grid) : fmt::format(of_another, name);
}

std::optional<GpuPool> gpu_pool(const Profile& profile, std::int64_t number, const Options& options, Notes& notes) {
  const ProfiledDevice* const device = recorded(profile, number);
  notes.uses("device");
  if (options.device) {
    const Device* const built_in = find_device(*options.device);
    if (built_in == nullptr)
      refuse(profile.file, fmt::format("--device '{}': no such device (allowed: {})", *options.device, device_names()));
    if (device != nullptr && device->sms && *device->sms != built_in->gpu.sms) {
      notes.assume(fmt::format("GPU {}: {} with {} SMs, as --device says; the recording was made on {} with {}", number, built_in->product,
                               built_in->gpu.sms, device->name.empty() ? "a GPU" : device->name, *device->sms));
    }
    return built_in->gpu;
  }
  if (device == nullptr || !device->sms || !device->threads) {
    notes.miss(fmt::format("the file does not say how many SMs and threads GPU {}{} has: give --device NAME (one of {})", number,
                           device == nullptr || device->name.empty() ? std::string() : " (" + device->name + ")", device_names()));
    return std::nullopt;
  }
  GpuPool pool;
  pool.sms = *device->sms;
  pool.sm.threads = *device->threads;
  pool.sm.threads_per_block = device->threads_per_block.value_or(std::min<std::uint32_t>(1024, pool.sm.threads));
  pool.allocation = allocation_of(*device);
  const std::string capability = capability_of(*device);
  pool.launch = launch_limits(capability);
  const Capability* const known = find_capability(capability);
  pool.sm.shared_memory =
      limit(*device, device->shared_memory, known, known == nullptr ? 0 : known->shared_memory, "bytes of shared memory", notes);
  pool.sm.registers = limit(*device, device->registers, known, registers_per_sm, "registers", notes);
  if (device->blocks) {
    pool.sm.blocks = *device->blocks;
  } else {
    if (known == nullptr) {
      notes.miss(fmt::format("the file does not say how many blocks an SM of GPU {} ({}) holds: give --device NAME (one of {})", number,
                             device->name, device_names()));
      return std::nullopt;
    }
    pool.sm.blocks = known->blocks;
    notes.assume(fmt::format("GPU {} ({}): {} blocks per SM, as all GPUs of compute capability {} have", number, device->name,
                             known->blocks, known->name));
  }
  // A built-in device with just these limits, and whose name is part of the recorded one, names it.
  std::string name = device->name;
  std::ranges::transform(name, name.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  std::erase(name, ' ');
  for (const Device& built_in : devices()) {
    std::string part(built_in.name);
    std::erase(part, '-');
    GpuPool same = built_in.gpu;
    same.device.clear();
    if (same == pool && name.find(part) != std::string::npos) {
      pool.device = built_in.name;
      break;
    }
  }
  return pool;
}

std::uint32_t copy_engines(const Profile& profile, std::int64_t number, const GpuPool& gpu, const Options& options, Notes& notes) {
  const ProfiledDevice* const device = recorded(profile, number);
  notes.uses("copy-engines");
  if (options.copy_engines) {
    if (device != nullptr && device->copy_engines && std::min(*device->copy_engines, 2U) != *options.copy_engines)
      notes.assume(fmt::format("GPU {}: --copy-engines {}, while the recording was made on a GPU with {}", number, *options.copy_engines,
                               *device->copy_engines));
    return *options.copy_engines;
  }
  if (device != nullptr && device->copy_engines && !options.device) return std::min(*device->copy_engines, 2U);
  if (const Device* const built_in = find_device(gpu.device)) return std::min(built_in->copy_engines, 2U);
  notes.assume(fmt::format("GPU {}: one copy engine for both directions (--copy-engines 2: one for each)", number));
  return 1;
}

}  // namespace rta::convert
