// A file as the linter sees it: its functions, its calls, what is declared where.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "calls.hpp"
#include "code.hpp"
#include "functions.hpp"
#include "source.hpp"
#include "template_libraries.hpp"

namespace rta::lint {

inline constexpr std::uint32_t no_index = 0xFFFF'FFFF;

/// A macro as a function: what its body calls, whoever uses it calls.
struct MacroBody {
  const Macro* macro = nullptr;
  Code code;
  std::vector<Call> calls;
};

/// What memory a variable stands for.
enum class Storage : std::uint8_t {
  container,  // std::vector and the like with the usual allocator, an array, what new or malloc gave
  object,     // of a type that is no pointer: its address is on the stack, or in the program's data
  device,     // of the GPU: a vector of Thrust
  parameter   // anything: what the caller gave
};
struct Variable {
  std::string_view name;
  std::uint32_t token = 0;
  std::uint32_t function = no_index;  // whose local variable or parameter it is
  Storage storage = Storage::object;
  std::string_view type = {};  // whose member it is, as far as is known; empty: of none
};

/// A stream, a configuration or flags, with what it is set to where it is declared.
struct InitialValue {
  std::string_view type, name;
  std::uint32_t token = 0;
  std::uint32_t function = no_index;
  Range value;  // empty: none is given
};

class Unit {
 public:
  Unit(std::string name, std::string text, bool reported);
  Unit(const Unit&) = delete;
  Unit& operator=(const Unit&) = delete;

  [[nodiscard]] const SourceFile& file() const { return file_; }
  /// Findings in it are wanted: not in headers that were only read for what they define.
  [[nodiscard]] bool reported() const { return reported_; }
  [[nodiscard]] const Code& code() const { return code_; }
  [[nodiscard]] std::span<const Function> functions() const { return functions_; }
  [[nodiscard]] std::span<const MacroBody> macros() const { return macros_; }
  /// Calls of code, in the order of the file.
  [[nodiscard]] std::span<const Call> calls() const { return calls_; }
  [[nodiscard]] std::span<const Variable> variables() const { return variables_; }
  [[nodiscard]] std::span<const InitialValue> initial_values() const { return initial_values_; }
  /// Whether a type of that name is Thrust's vector on the device.
  [[nodiscard]] bool is_device_vector(std::string_view type) const;
  [[nodiscard]] const LibraryNames& library_names() const { return library_names_; }
  /// The function in whose body (or head) the token is, or no_index.
  [[nodiscard]] std::uint32_t function_at(std::uint32_t token) const;

 private:
  SourceFile file_;
  bool reported_;
  Code code_;
  std::vector<Function> functions_;
  std::vector<MacroBody> macros_;
  std::vector<Call> calls_;
  std::vector<Variable> variables_;
  std::vector<InitialValue> initial_values_;
  std::map<std::string_view, Storage> types_;
  LibraryNames library_names_;
};

}  // namespace rta::lint
