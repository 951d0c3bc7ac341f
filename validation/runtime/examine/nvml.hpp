// NVIDIA's management library, loaded where it is present: who else uses the GPU, its clocks, why they are low; and, where that is
// allowed, fixed clocks for the time of an examination.
#pragma once

#include <dlfcn.h>

#include <string>
#include <vector>

namespace examine {

/// What NVML says at one instant.
struct Observation {
  bool known = false;               // NVML is there and knows the device
  std::vector<unsigned> processes;  // that use the device, by their number on the host
  bool processes_known = false;
  unsigned sm_mhz = 0;  // 0: not known
  unsigned memory_mhz = 0;
  unsigned long long slowed_by = 0;  // bits of NVML's reasons for low clocks
  bool slowed_by_known = false;
  unsigned celsius = 0;
};

class Nvml {
 public:
  /// `bus`: the device as cudaDeviceGetPCIBusId names it; empty: the first device.
  explicit Nvml(const std::string& bus) {
    library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) return;
    const auto start = find<int (*)()>("nvmlInit_v2");
    if (start == nullptr || start() != 0) return;
    started_ = true;
    const auto by_bus = find<int (*)(const char*, void**)>("nvmlDeviceGetHandleByPciBusId_v2");
    const auto by_index = find<int (*)(unsigned, void**)>("nvmlDeviceGetHandleByIndex_v2");
    if (bus.empty() ? by_index == nullptr || by_index(0, &device_) != 0 : by_bus == nullptr || by_bus(bus.c_str(), &device_) != 0)
      device_ = nullptr;
  }
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml() {
    const auto stop = find<int (*)()>("nvmlShutdown");
    if (started_ && stop != nullptr) stop();
    if (library_ != nullptr) dlclose(library_);
  }

  [[nodiscard]] Observation observe() const {
    Observation seen;
    if (device_ == nullptr) return seen;
    seen.known = true;
    seen.processes_known = add_processes("nvmlDeviceGetComputeRunningProcesses", seen.processes);
    add_processes("nvmlDeviceGetGraphicsRunningProcesses", seen.processes);
    const auto clock = find<int (*)(void*, int, unsigned*)>("nvmlDeviceGetClockInfo");
    if (clock != nullptr) {
      if (clock(device_, sm_clock, &seen.sm_mhz) != 0) seen.sm_mhz = 0;
      if (clock(device_, memory_clock, &seen.memory_mhz) != 0) seen.memory_mhz = 0;
    }
    auto reasons = find<int (*)(void*, unsigned long long*)>("nvmlDeviceGetCurrentClocksEventReasons");
    if (reasons == nullptr)
      reasons = find<int (*)(void*, unsigned long long*)>("nvmlDeviceGetCurrentClocksThrottleReasons");  // before 2023
    seen.slowed_by_known = reasons != nullptr && reasons(device_, &seen.slowed_by) == 0;
    const auto temperature = find<int (*)(void*, int, unsigned*)>("nvmlDeviceGetTemperature");
    if (temperature == nullptr || temperature(device_, 0, &seen.celsius) != 0) seen.celsius = 0;
    return seen;
  }

  /// In MHz.
  struct Clocks {
    unsigned memory = 0;
    unsigned sm = 0;
    bool operator==(const Clocks& other) const { return memory == other.memory && sm == other.sm; }
  };
  /// Application clocks, what they are without anyone's wish, and the highest; false where this device has none.
  bool application_clocks(Clocks& clocks) const { return read_clocks("nvmlDeviceGetApplicationsClock", clocks); }
  bool default_clocks(Clocks& clocks) const { return read_clocks("nvmlDeviceGetDefaultApplicationsClock", clocks); }
  bool highest_clocks(Clocks& clocks) const { return read_clocks("nvmlDeviceGetMaxClockInfo", clocks); }
  /// False where this user or this device may not.
  bool set_application_clocks(const Clocks& clocks) const {
    const auto set = find<int (*)(void*, unsigned, unsigned)>("nvmlDeviceSetApplicationsClocks");
    return device_ != nullptr && set != nullptr && set(device_, clocks.memory, clocks.sm) == 0;
  }
  /// Back to the default, which is no fixed clock: the device then chooses again.
  bool reset_application_clocks() const {
    const auto reset = find<int (*)(void*)>("nvmlDeviceResetApplicationsClocks");
    return device_ != nullptr && reset != nullptr && reset(device_) == 0;
  }

 private:
  static constexpr int sm_clock = 1;
  static constexpr int memory_clock = 2;

  // nvmlProcessInfo_t: versions 2 and 3 have the instances of MIG beside the first two fields, the first version has not.
  struct Process {
    unsigned number;
    unsigned long long memory;
    unsigned gpu_instance;
    unsigned compute_instance;
  };
  struct FirstProcess {
    unsigned number;
    unsigned long long memory;
  };

  bool read_clocks(const char* function, Clocks& clocks) const {
    const auto get = find<int (*)(void*, int, unsigned*)>(function);
    return device_ != nullptr && get != nullptr && get(device_, memory_clock, &clocks.memory) == 0 &&
           get(device_, sm_clock, &clocks.sm) == 0;
  }

  template <class Entry>
  bool read_processes(const std::string& function, std::vector<unsigned>& numbers) const {
    const auto get = find<int (*)(void*, unsigned*, Entry*)>(function.c_str());
    if (get == nullptr) return false;
    std::vector<Entry> entries(256);
    auto count = static_cast<unsigned>(entries.size());
    if (get(device_, &count, entries.data()) != 0) return false;
    for (unsigned e = 0; e < count; ++e) numbers.push_back(entries[e].number);
    return true;
  }
  bool add_processes(const std::string& function, std::vector<unsigned>& numbers) const {
    return read_processes<Process>(function + "_v3", numbers) || read_processes<Process>(function + "_v2", numbers) ||
           read_processes<FirstProcess>(function, numbers);
  }

  template <class Function>
  [[nodiscard]] Function find(const char* name) const {
    return library_ == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library_, name));
  }

  void* library_ = nullptr;
  bool started_ = false;
  void* device_ = nullptr;
};

}  // namespace examine
