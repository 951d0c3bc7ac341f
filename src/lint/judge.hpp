// Single calls against the table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ast.hpp"
#include "call_table.hpp"
#include "evidence.hpp"
#include "rta/lint/finding.hpp"
#include "rta/model/device_profile.hpp"

namespace rta::lint {

/// A rule that a call breaks.
struct Hit {
  RuleId rule = RuleId::device_sync;
  Level level = Level::error;
  std::string message;
  bool everywhere = false;  // matters outside of jobs, too
};

class Judge {
 public:
  /// Both outlive this; no profile: nothing was measured.
  Judge(const Evidence& evidence, const DeviceProfile* profile);

  /// `clang`: what clang says of this call, where it was asked.
  [[nodiscard]] std::vector<Hit> hits(const Unit& unit, const Code& code, const Call& call, const AstCall* clang) const;
  /// Of a call of Thrust or CUB, which are templates: their bodies are not looked into.
  [[nodiscard]] std::vector<Hit> hits_of_template(const Unit& unit, const Code& code, const Call& call, const AstCall* clang) const;
  /// Of `h = v`, where v is a vector of Thrust on the device and h is none.
  [[nodiscard]] static Hit copy_to_host(std::string_view vector);
  [[nodiscard]] bool is_on_host(const Unit& unit, Range variable) const { return evidence_.storage(unit, variable) == Storage::container; }
  /// Of `v[i]`, `*v.begin()`, where v is a vector of Thrust on the device.
  [[nodiscard]] static Hit element_copy(std::string_view vector);
  /// Of `v.resize(n)` and the like, where v is such a vector; `call`: resize, or assignment.
  [[nodiscard]] std::vector<Hit> growth(std::string_view vector, std::string_view call) const;
  /// Of a call that only clang sees: one in the body of a macro, or in a file that was not read.
  [[nodiscard]] std::vector<Hit> hits(const AstCall& call) const;
  /// Of a call of which a trace tells no more than the name: what it does whatever it is given.
  [[nodiscard]] std::vector<Hit> hits_of_record(std::string_view name) const;
  /// A call of that name waits for the GPU, or asks whether it is done.
  [[nodiscard]] bool waits(std::string_view name) const;
  [[nodiscard]] bool asks(std::string_view name) const;
  /// The profile was measured to leave nothing of these rules.
  [[nodiscard]] bool acquits_null_stream() const;
  [[nodiscard]] bool acquits_blocking_streams() const;
  [[nodiscard]] bool acquits_pageable() const;
  /// Of a function that itself runs on the GPU: launches, and what tells the GPU's scheduler something.
  [[nodiscard]] std::vector<Hit> hits_on_device(const Unit& unit, const Call& call) const;
  /// The argument is the NULL stream, as far as the tokens and the declarations of the unit tell.
  [[nodiscard]] bool is_null_stream(const Unit& unit, const Code& code, Range argument) const;
  [[nodiscard]] bool default_is_null() const { return evidence_.default_is_null(); }
  /// Calls that would break a rule, had the profile not measured that they do not.
  [[nodiscard]] std::size_t acquitted() const { return acquitted_; }

 private:
  struct Question;
  enum class Stream : std::uint8_t;
  [[nodiscard]] std::vector<Hit> answer(const Question& question) const;
  [[nodiscard]] std::optional<Hit> by_row(const Question& question, const CallRow& row) const;
  [[nodiscard]] bool holds(const Question& question, const CallRow& row) const;
  [[nodiscard]] Stream stream_of(const Question& question, const CallRow& row) const;
  [[nodiscard]] std::vector<Hit> hits_of_thrust(const Unit& unit, const Code& code, const Call& call) const;
  [[nodiscard]] std::vector<Hit> hits_of_cub(const Unit& unit, const Code& code, const Call& call, const AstCall* clang) const;
  [[nodiscard]] std::vector<Hit> hits_of_npp(const Call& call) const;
  [[nodiscard]] static Hit library_launch(std::string_view name);
  [[nodiscard]] bool copies_pageable(const Question& question, const CallRow& row) const;

  const Evidence& evidence_;
  const DeviceProfile* profile_;
  mutable std::size_t acquitted_ = 0;
};

}  // namespace rta::lint
