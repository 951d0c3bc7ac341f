// Which calls break which rule, under which condition on their arguments.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "rta/lint/rules.hpp"
#include "rta/model/device_profile.hpp"

namespace rta::lint {

/// The questions of Yang (2020), Table 3.8.
struct Effects {
  Answer blocks_others = Answer::unclear;  // holds other threads up that call the driver
  Answer synchronises = Answer::unclear;   // keeps kernels of other streams from starting
  Answer caller_waits = Answer::unclear;   // for the GPU
  [[nodiscard]] bool any(Answer answer) const { return blocks_others == answer || synchronises == answer || caller_waits == answer; }
};

enum class Condition : std::uint8_t {
  always,
  stream,           // argument `argument` is missing or the NULL stream; `last` where it is the last one and so many precede it
  default_flags,    // argument `argument` is 0 or ...Default
  carveout,         // argument `argument` names the carve-out
  pageable,         // `source` or `target` is known to be pageable host memory
  spinning_stream,  // the device's flags do not say cudaDeviceScheduleBlockingSync
  spinning_event,   // the event of argument `argument` is not known to be made with cudaEventBlockingSync
  polling,          // in the condition of a loop
  launch_config,    // the configuration at argument `argument` is known to name no stream
  client_limit,     // argument `argument` is a text with the variable by which MPS limits a client
  mention           // the name itself, called or not
};

struct CallRow {          // NOLINT(clang-analyzer-optin.performance.Padding): in the order of the table's columns
  std::string_view name;  // without suffixes of versions; with a final * all names that begin so
  RuleId rule = RuleId::device_sync;
  Condition condition = Condition::always;
  std::int8_t argument = -1;
  bool last = false;                     // of Condition::stream
  std::int8_t source = -1, target = -1;  // arguments of Condition::pageable
  Effects effects = {};
  std::string_view measured = {};  // what `rta examine` calls it; several are separated by '|'
  bool everywhere = false;         // like Scope::all
  bool is_member = false;          // a function of an object, not of CUDA's interfaces
  std::string_view says = {};      // in place of the rule's words
};

/// The whole table. A call may match several rows, one for each rule.
[[nodiscard]] std::span<const CallRow> call_rows();
/// The rows of that name, without suffixes of versions.
[[nodiscard]] std::vector<const CallRow*> rows_for(std::string_view name);
[[nodiscard]] bool is_listed(std::string_view name);

/// Without what marks versions and default streams: `_v2`, `_v3020`, `_ptsz`, `_ptds`, `_64`.
[[nodiscard]] std::string_view plain_name(std::string_view name);

}  // namespace rta::lint
