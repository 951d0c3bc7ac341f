// What ptxas says of each kernel that it assembles (`-Xptxas -v`), and what the model and the runtime take for granted of them.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "built_workload.hpp"
#include "process/tool.hpp"
#include "rta/analysis/analyze.hpp"
#include "rta/model/device.hpp"
#include "rta/validation/examination.hpp"
#include "support/build.hpp"

namespace rta::test {

/// Per thread and block of one kernel on one architecture.
struct KernelFigures {
  std::string kernel;  // mangled
  std::string target;  // e.g. sm_90
  unsigned registers = 0;
  unsigned shared_memory = 0;  // static; bytes
  unsigned stack = 0;
  unsigned spilled = 0;  // bytes stored and loaded
};

/// The number before `what`; 0: it is not said.
inline unsigned number_before(const std::string& line, const std::string& what) {
  const std::size_t at = line.find(what);
  if (at == std::string::npos) return 0;
  std::size_t first = at;
  while (first > 0 && line[first - 1] >= '0' && line[first - 1] <= '9') --first;
  return static_cast<unsigned>(std::strtoul(line.substr(first, at - first).c_str(), nullptr, 10));
}

inline std::vector<KernelFigures> read_figures(const std::string& said) {
  std::vector<KernelFigures> all;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find("Compiling entry function '");
    if (at != std::string::npos) {
      std::istringstream words(line.substr(at + 26));
      KernelFigures figures;
      std::getline(words, figures.kernel, '\'');
      std::getline(words, figures.target, '\'');
      std::getline(words, figures.target, '\'');
      all.push_back(figures);
    } else if (!all.empty() && line.find("stack frame") != std::string::npos) {
      all.back().stack = number_before(line, " bytes stack frame");
      all.back().spilled = number_before(line, " bytes spill stores") + number_before(line, " bytes spill loads");
    } else if (!all.empty() && line.find("Used ") != std::string::npos) {
      all.back().registers = number_before(line, " registers");
      all.back().shared_memory = number_before(line, " bytes smem");
    }
  }
  return all;
}

/// Of the program `folder`/`source`, for these options of nvcc.
inline std::vector<KernelFigures> figures_of(const std::string& nvcc, const std::filesystem::path& folder,
                                             const std::filesystem::path& source, const std::vector<std::string>& targets) {
  std::vector<std::string> words{nvcc,  "-std=c++17",
                                 "-O2", "-Xptxas",
                                 "-v",  "-I" + (folder / "runtime").string(),
                                 "-c",  (folder / source).string(),
                                 "-o",  (folder / "figures.o").string()};
  words.insert(words.end(), targets.begin(), targets.end());
  const auto ran = process::run_tool(words);
  INFO(ran.text);
  REQUIRE(ran.status == 0);
  return read_figures(ran.text);
}

/// A workload with a kernel for each amount of registers that hardware hands out from `least` on.
inline validation::Workload workload_of_all_registers(std::uint32_t least) {
  std::vector<Node> nodes;
  for (std::uint32_t registers = least; registers <= 256; registers += 8) {
    nodes.push_back(gpu_node("k" + std::to_string(registers), 1, 32, 1_us, 0));
    std::get<GpuDemand>(nodes.back().demand).registers_per_thread = std::min(registers, 255U);
  }
  const auto set = task_set({gpu_pool(4, 2048)}, {Dag("d", 1_s, std::nullopt, nodes, {})});
  return validation::generate_workload(analysis::analyze(set, {}).proof, "text");
}

/// Registers per thread as hardware hands them out: to warps, in units of 256.
inline unsigned allocated(unsigned registers) { return (registers + 7) / 8 * 8; }

inline bool is_spin(const KernelFigures& figures) { return figures.kernel.find("common4spinILi") != std::string::npos; }

/// What bounds and programs take for granted: no kernel has shared memory of its own, a stack or spilled registers; kernels without a
/// number of registers, the runtime's own among them, are never limited by registers.
inline void check_figures(const std::vector<KernelFigures>& all) {
  REQUIRE_FALSE(all.empty());
  for (const KernelFigures& is : all) {
    CAPTURE(is.kernel);
    CAPTURE(is.target);
    CHECK(is.registers > 0);
    CHECK(is.shared_memory == 0);
    CHECK(is.stack == 0);
    CHECK(is.spilled == 0);
    if (!is_spin(is) || is.kernel.find("common4spinILi0E") != std::string::npos) {
      // 65536 registers for 2048 threads, the most of any SM.
      CHECK(allocated(is.registers) <= 32);
    }
  }
}

/// Each number of registers from 24 on has a spin kernel.
inline void check_amounts(const std::vector<KernelFigures>& all) {
  std::map<std::string, std::set<unsigned>> amounts;
  for (const KernelFigures& is : all) {
    if (is_spin(is)) amounts[is.target].insert(allocated(is.registers));
  }
  REQUIRE_FALSE(amounts.empty());
  for (const auto& of : amounts) {
    CAPTURE(of.first);
    for (unsigned amount = 24; amount <= 256; amount += 8) {
      CAPTURE(amount);
      CHECK(of.second.contains(amount));
    }
  }
}

}  // namespace rta::test
