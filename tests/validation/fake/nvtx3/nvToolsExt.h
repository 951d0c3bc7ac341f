// NVTX's ranges of threads, of a program that runs on the fake device.
#pragma once

#include "fake/recording.hpp"

inline int nvtxRangePushA(const char* name) { return fake::Recording::push(name); }
inline int nvtxRangePop() { return fake::Recording::pop(); }
