// The two kinds of failure, which never mix: a mistake of the user, and a defect of the program.
#pragma once

#include <stdexcept>
#include <string>

namespace rta {

/// What the user gave cannot be used. The message says what is wrong and what is allowed. Exit status 2.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An invariant of the program does not hold. The message says which, and where. Exit status 3.
class Defect : public std::logic_error {
 public:
  Defect(const std::string& invariant, const char* file, int line);
};

/// Throws `Defect`: for an invariant whose text names what breaks it. Else `require` is shorter.
[[noreturn]] void throw_defect(const std::string& invariant, const char* file = __builtin_FILE(), int line = __builtin_LINE());

/// In every build: throws `Defect` unless the invariant holds. Never for what a user can cause.
constexpr void require(bool holds, const char* invariant, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (!holds) throw_defect(invariant, file, line);
}

}  // namespace rta
