#include "gpu_findings.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <sstream>

#include "process/tool.hpp"

namespace rta::validation {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');) {
    field.erase(0, field.find_first_not_of(' '));
    fields.push_back(field);
  }
  return fields;
}

bool is_jetson() { return fs::exists("/etc/nv_tegra_release"); }

bool mps_runs() {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename();
    if (std::isdigit(static_cast<unsigned char>(name.front())) == 0) continue;
    // The kernel cuts names at 15 characters.
    if (first_line(entry.path() / "comm") == "nvidia-cuda-mps") return true;
  }
  return false;
}

Finding compiler() {
  const std::string nvcc = find_nvcc();
  if (nvcc.empty())
    return {"nvcc", Severity::missing, "there is none: task sets with GPU nodes cannot be built here",
            "install the CUDA Toolkit (11.8 or later), or set NVCC"};
  const auto version = lines_of(process::run_tool({nvcc, "--version"}).text);
  const auto release = std::ranges::find_if(version, [](const std::string& line) { return line.find("release") != std::string::npos; });
  return {"nvcc", Severity::good, nvcc + (release == version.end() ? "" : ": " + *release), ""};
}

// One GPU's row of nvidia-smi: name, compute mode, persistence mode, SM clock now and at most, reasons for throttling.
void add_device(const std::vector<std::string>& row, std::vector<Finding>& findings) {
  if (row.size() < 6) return;
  const std::string& name = row[0];
  if (row[1] == "Default") {
    findings.push_back({name + ": compute mode", Severity::good, "default", ""});
  } else {
    findings.push_back(
        {name + ": compute mode", Severity::doubtful, row[1] + ": a second process cannot use the GPU", "nvidia-smi -c DEFAULT"});
  }
  if (row[2] == "Enabled") {
    findings.push_back({name + ": persistence mode", Severity::good, "on", ""});
  } else {
    findings.push_back({name + ": persistence mode", Severity::note, "off: the driver is loaded anew for every run", "nvidia-smi -pm 1"});
  }
  const bool at_most = row[3] == row[4];
  findings.push_back({name + ": SM clock", at_most ? Severity::good : Severity::note,
                      fmt::format("{} MHz of at most {} MHz{}", row[3], row[4], at_most ? "" : ": it may change while kernels run"),
                      at_most ? "" : fmt::format("nvidia-smi -lgc {}", row[4])});
  const unsigned long reasons = std::strtoul(row[5].c_str(), nullptr, 16);
  constexpr unsigned long slowing = 0x8 | 0x20 | 0x40 | 0x80;  // hardware slowdown, software and hardware thermal, power brake
  if ((reasons & slowing) != 0)
    findings.push_back(
        {name + ": throttling", Severity::doubtful, "the GPU is slowed down by heat or power", "cool it; lower its clock limit"});
}

void add_devices(std::vector<Finding>& findings) {
  const process::ToolOutput devices = process::run_tool(
      {"nvidia-smi", "--query-gpu=name,compute_mode,persistence_mode,clocks.sm,clocks.max.sm,clocks_throttle_reasons.active",
       "--format=csv,noheader,nounits"});
  if (devices.status == 0) {
    for (const std::string& line : lines_of(devices.text)) add_device(fields_of(line), findings);
    const process::ToolOutput processes =
        process::run_tool({"nvidia-smi", "--query-compute-apps=pid,process_name", "--format=csv,noheader"});
    const auto others = lines_of(processes.text);
    if (processes.status == 0 && others.empty()) {
      findings.push_back({"other processes on the GPU", Severity::good, "none", ""});
    } else if (processes.status == 0) {
      findings.push_back({"other processes on the GPU", Severity::doubtful,
                          fmt::format("{} of them, e.g. {}: their kernels preempt or delay the workload's", others.size(), others.front()),
                          "end them while measuring"});
    }
  } else if (is_jetson()) {
    findings.push_back({"Jetson", Severity::note, first_line("/etc/nv_tegra_release"), "nvpmodel -m 0 && jetson_clocks"});
  } else {
    findings.push_back({"nvidia-smi", Severity::note, "there is none: nothing is known of the GPU's clocks and processes", ""});
  }
}

}  // namespace

std::string find_nvcc() {
  const auto runs = [](const std::string& path) { return access(path.c_str(), X_OK) == 0 && !fs::is_directory(path); };
  if (const char* given = std::getenv("NVCC"); given != nullptr && *given != '\0') return given;
  if (const char* path = std::getenv("PATH"); path != nullptr) {
    std::istringstream folders(path);
    for (std::string folder; std::getline(folders, folder, ':');) {
      if (!folder.empty() && runs(folder + "/nvcc")) return folder + "/nvcc";
    }
  }
  const std::string usual = "/usr/local/cuda/bin/nvcc";
  return runs(usual) ? usual : "";
}

bool has_gpu() {
  if (is_jetson()) return true;
  return fs::exists("/dev/nvidiactl") && fs::exists("/dev/nvidia0");
}

void add_gpu_findings(std::vector<Finding>& findings) {
  findings.push_back(compiler());
  if (!has_gpu()) {
    findings.push_back({"GPU", Severity::missing,
                        "this machine has no NVIDIA GPU, or its driver is not loaded: only task sets without GPU nodes run",
                        "install the driver (Debian: nvidia-driver), or measure on a machine with a GPU"});
    return;
  }
  const std::string driver = first_line("/sys/module/nvidia/version");
  findings.push_back({"GPU", Severity::good, driver.empty() ? "present" : "present, driver " + driver, ""});
  add_devices(findings);
  findings.push_back({"MPS", Severity::note,
                      mps_runs() ? "its daemon runs: kernels of several processes run side by side"
                                 : "not active: kernels of several processes take turns by time slices; bounds need `sharing` in the task "
                                   "set, or --tasks threads",
                      mps_runs() ? "" : "nvidia-cuda-mps-control -d, for --tasks processes"});
}

}  // namespace rta::validation
