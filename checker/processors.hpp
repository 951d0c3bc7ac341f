// T1 to T4 on a CPU pool, T8 behind one FIFO: what a theorem promises each task, from the bounds that are claimed for all of them.
#pragma once

#include <functional>
#include <span>

#include "certificate.hpp"

namespace checker {

/// The least R, in whole ns, that a theorem gives to a task.
using BoundOf = std::function<Int(const Task&)>;

/// Both throw `Refused` where the theorem's condition does not hold. `base`: the statement with the theorem's hints, from word 4 on.
[[nodiscard]] BoundOf processors_base(std::span<const Task> tasks, const Pool& pool, const Statement& base);
[[nodiscard]] BoundOf items_base(std::span<const Task> tasks, const Pool& pool, const Statement& base);

/// T1n: for all tasks of the pool at once.
[[nodiscard]] BoundOf T1n(std::span<const Task> tasks, const Pool& pool);

/// T3, T3b, T4: refused unless all tasks are sequential with C <= T.
void need_sequential(std::span<const Task> tasks);

/// The sum of the `count` longest pieces.
struct Piece {
  Int length = 0;
  Int times = 0;  // so often is it there
};
[[nodiscard]] Int longest(std::vector<Piece> pieces, Int count);

}  // namespace checker
