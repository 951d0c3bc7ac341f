#include "rta/model/pool.hpp"

namespace rta {

std::string_view to_string(Scheduler scheduler) {
  switch (scheduler) {
    case Scheduler::g_edf: return "G-EDF";
    case Scheduler::g_fl: return "G-FL";
    case Scheduler::fifo: return "FIFO";
    case Scheduler::lp: return "LP";
    case Scheduler::fp: return "FP";
    case Scheduler::wait_set: return "wait-set";
    case Scheduler::multi_threaded: return "multi-threaded";
  }
  return "";
}

std::string_view to_string(Equals equals) { return equals == Equals::fifo ? "fifo" : "any"; }

std::string_view to_string(Simultaneous simultaneous) { return simultaneous == Simultaneous::any_order ? "any_order" : "before_starts"; }

std::string_view to_string(PoolKind kind) {
  switch (kind) {
    case PoolKind::cpu: return "cpu";
    case PoolKind::gpu: return "gpu";
    case PoolKind::engines: return "engines";
    case PoolKind::workers: return "workers";
  }
  return "";
}

}  // namespace rta
