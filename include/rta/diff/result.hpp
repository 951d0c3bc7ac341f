// Results of `rta analyze` and `rta simulate` in JSON, read back as far as two of them can be compared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rta/model/quantity.hpp"

namespace rta::diff {

enum class Kind : std::uint8_t { analysis, simulation };
[[nodiscard]] std::string_view to_string(Kind kind);

/// What a part of a result is about. `whole`: the result itself; `made`: how it was made; `warning`: a sentence.
enum class Subject : std::uint8_t { whole, made, dag, node, chain, requirement, pool, policy, operation, warning };
[[nodiscard]] std::string_view to_string(Subject subject);

/// What a value says for whoever relies on the result.
enum class Meaning : std::uint8_t {
  bound,    // a time; the less the better, and none is worst
  verdict,  // schedulable, deadline-missed, unbounded: each worse than the one before
  good,     // true is better
  bad,      // false is better
  fact      // neither
};

/// One value of a part. Neither text nor time: null, or left out.
struct Fact {
  std::string key;
  Meaning meaning = Meaning::fact;
  std::optional<std::string> text = std::nullopt;  // as the file has it; of a list, its elements joined by ` -> `
  std::optional<Time> time = std::nullopt;         // of keys that end in _ns, in place of the text
  bool number = false;                             // the text is a number of JSON

  [[nodiscard]] bool null() const { return !text && !time; }
};

/// A DAG, a node, … Parts of one subject differ by `dag` and `name`.
struct Part {
  Subject subject = Subject::whole;
  std::string dag;   // of a node: its DAG's name
  std::string name;  // of a requirement: `REQ-3 of camera/detect`
  std::vector<Fact> facts = {};
};

struct Result {
  Kind kind = Kind::analysis;
  std::string file;  // as it was named
  std::string task_set;
  std::string verdict;
  std::vector<Part> parts;  // in the order of the file
};

/// Reads a result from its text; `name` stands for the file in messages. Throws `io::InputError` with everything that is wrong; a file of
/// another kind is named.
[[nodiscard]] Result parse_result(std::string_view text, const std::string& name);

}  // namespace rta::diff
