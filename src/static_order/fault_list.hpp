// The faults of one hyperepoch of a schedule.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rta/static_order/verify.hpp"

namespace rta::static_order {

class FaultList {
 public:
  /// Into the faults of `out`, of which at most a thousand are kept.
  FaultList(Verification& out, std::size_t hyperepoch) : out_(out), hyperepoch_(hyperepoch) {}

  /// The fault may be completed until the next one is added.
  Fault& add(Fault::Kind kind, std::vector<std::size_t> runnables = {}) {
    empty_ = false;
    Fault fault;
    fault.kind = kind;
    fault.hyperepoch = hyperepoch_;
    fault.runnables = std::move(runnables);
    if (out_.faults.size() >= most) return spare_ = std::move(fault);
    return out_.faults.emplace_back(std::move(fault));
  }
  /// Of something called `name`.
  void differs(Fault::Kind kind, std::vector<std::size_t> runnables, std::string name, std::string found, std::string expected) {
    Fault& fault = add(kind, std::move(runnables));
    fault.name = std::move(name);
    fault.found = std::move(found);
    fault.expected = std::move(expected);
  }
  [[nodiscard]] bool empty() const { return empty_; }

 private:
  static constexpr std::size_t most = 1000;
  Verification& out_;
  std::size_t hyperepoch_;
  Fault spare_;  // what is not kept
  bool empty_ = true;
};

}  // namespace rta::static_order
