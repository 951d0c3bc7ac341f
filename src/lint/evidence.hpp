// What all files together say of streams, events, memory and handles: the reasons not to complain, and to.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unit.hpp"

namespace rta::lint {

using Units = std::span<const std::unique_ptr<Unit>>;

class Evidence {
 public:
  explicit Evidence(Units units);

  /// The variable is a stream that is set to the NULL stream where it is declared, and to nothing else.
  [[nodiscard]] bool is_null_stream(const Unit& unit, Range argument) const;
  /// Somebody makes this event, and always so that who waits for it sleeps.
  [[nodiscard]] bool sleeps(std::string_view event) const;
  /// Waits for streams sleep: the device's flags say so.
  [[nodiscard]] bool streams_sleep() const { return streams_sleep_; }
  /// The memory is neither pinned nor registered nor managed, nor is it unknown what it is.
  [[nodiscard]] bool is_pageable(const Unit& unit, Range argument) const;
  /// What the variable that is named here holds, as it is declared in sight; nothing: it is unknown, or no lone variable.
  [[nodiscard]] std::optional<Storage> storage(const Unit& unit, Range argument) const;
  /// Whether the variable is declared as a stream; nothing: it is unknown, or no lone variable.
  [[nodiscard]] std::optional<bool> is_stream(const Unit& unit, Range argument) const;
  /// What the variable of this name is set to where it is declared in the same function; nothing: it is not seen.
  [[nodiscard]] std::optional<Range> initial_value(const Unit& unit, Range argument) const;
  /// Somebody calls this function, which gives a whole library its stream, with a stream that is not the NULL stream.
  [[nodiscard]] bool is_set(std::string_view setter) const { return setters_.contains(setter); }
  /// Nobody gives the handle a stream by `setter`, as far as its name tells.
  [[nodiscard]] bool lacks_stream(const Unit& unit, Range handle, std::string_view setter) const;
  /// The configuration of a launch is declared nearby and names no stream.
  [[nodiscard]] bool configures_no_stream(const Unit& unit, Range argument) const;
  /// The program declares a function or member of that name itself.
  [[nodiscard]] bool declares(std::string_view name) const { return declared_.contains(name); }
  /// Without a name, a stream is the NULL stream: not where every thread has a default stream of its own.
  [[nodiscard]] bool default_is_null() const { return default_is_null_; }
  void set_default_per_thread() { default_is_null_ = false; }

 private:
  void read_calls(const Unit& unit, const Code& code, std::span<const Call> calls);
  void read_streams(const Unit& unit);
  void read_event(const Unit& unit, const Code& code, const Call& call);
  void read_declarations(const Unit& unit);

  std::map<std::string, bool, std::less<>> events_;                                 // whether all of that name sleep
  std::set<std::string, std::less<>> pinned_;                                       // names
  std::map<std::string, std::set<std::string, std::less<>>, std::less<>> setters_;  // names of the handles that each one is given
  std::map<const Unit*, std::set<std::uint32_t>> null_streams_;                     // tokens of names that stand for the NULL stream
  std::set<std::string, std::less<>> declared_;                                     // of the names of members in the table
  bool streams_sleep_ = false;
  bool default_is_null_ = true;
};

}  // namespace rta::lint
