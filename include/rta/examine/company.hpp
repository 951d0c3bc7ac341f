// How much longer blocks take beside others, as the program `interference` measured it, and what bounds may take from that.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rta/model/interference.hpp"
#include "rta/model/measured_company.hpp"

namespace rta::examine {

/// The parts of the measurement, in the order in which they are made; and one that is contained in others.
[[nodiscard]] std::span<const std::string_view> company_parts();
inline constexpr std::string_view registers_part = "registers";

/// A block of one class, beside one company.
struct CompanyCase {
  std::string kernel;                // the victim's class
  std::string where, beside;         // `beside` is "none" for the block alone
  std::vector<std::string> classes;  // of the blocks beside it
  Time median, max;
};

/// What a part of the measurement found.
struct CompanyPart {
  std::vector<CompanyCase> cases;
  std::vector<std::pair<std::string, std::string>> not_possible;  // part, why
};

/// Reads what the program wrote. Throws io::InputError.
[[nodiscard]] CompanyPart read_company(std::string_view json, const std::string& name);

/// Company of several classes at once.
struct Mixture {
  std::string kernel, where, beside;
  Lengthening more = 0;
  Lengthening beyond_max = 0, beyond_sum = 0;  // what of this its classes alone do not explain
};

struct Company {
  std::optional<Interference> interference;  // what bounds may take
  std::string reason;                        // why there is none
  MeasuredCompany measured;
  std::vector<Mixture> mixtures;
};

/// Entries are the largest that was seen, over the median time alone, rounded up to four digits. They are raised where a mixture is worse
/// than they say: `max` combines them where mixtures were no worse than the worst of their classes by more than 1 % of the time alone.
/// On its own SM a block's own class beside another is no class more, as its kernel has more blocks.
[[nodiscard]] Company company_of(const CompanyPart& all);

/// `interference` as a GPU of a task set has it, with what is not counted as comments. Requires an interference.
[[nodiscard]] std::string interference_block(const Company& company);

}  // namespace rta::examine
