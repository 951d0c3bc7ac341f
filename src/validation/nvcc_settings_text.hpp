// How a generated Makefile finds nvcc and what for it compiles.
#pragma once

#include <string_view>

namespace rta::validation::texts {

inline constexpr std::string_view nvcc_settings =
    R"(# ARCH: the GPU's architecture, e.g. sm_87 on Jetson Orin; native asks the GPU of this machine.
NVCC ?= $(firstword $(shell command -v nvcc) /usr/local/cuda/bin/nvcc)
NVCCFLAGS ?= -O2
ARCH ?= native
)";

}  // namespace rta::validation::texts
