// Visitors for std::visit.
#pragma once

namespace rta {

/// One object out of lambdas, one for each alternative of a variant. Without a lambda for everything else an alternative that is added
/// later does not compile until its case is decided.
template <class... Cases>
struct overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
overloaded(Cases...) -> overloaded<Cases...>;  // clang 14 does not deduce it by itself

}  // namespace rta
