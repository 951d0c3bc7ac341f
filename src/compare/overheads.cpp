#include "overheads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "rta/io/diagnostic.hpp"
#include "rta/model/time_slices.hpp"

namespace rta::compare {
namespace {

constexpr std::string_view header_key = "overhead_ns";
constexpr std::int64_t most = 1'000'000'000'000'000;

}  // namespace

Overheads::Overheads(const trace::Header& header, const std::string& trace, const std::map<std::string, Time>& instead) {
  for (const auto& [pool, time] : instead) by_hardware_.emplace(pool, time);
  const auto at = std::ranges::find(header.details, header_key, [](const auto& detail) { return std::string_view(detail.first); });
  if (at == header.details.end()) return;
  const auto fail = [&] {
    throw io::InputError({{trace, 1, 1, fmt::format("'{}': expected whole numbers by pool, e.g. {{\"gpu\": 100000}}", header_key)}});
  };
  const auto value = nlohmann::json::parse(at->second, nullptr, false);
  if (!value.is_object()) fail();
  for (const auto& [pool, time] : value.items()) {
    if (!time.is_number_unsigned() || time.get<std::uint64_t>() > std::uint64_t{most}) fail();
    by_hardware_.emplace(pool, Time(time.get<std::int64_t>()));
  }
}

Time Overheads::of(const Pool& pool) const {
  const auto at = by_hardware_.find(name_in_file(pool));
  return at == by_hardware_.end() ? Time::zero() : at->second;
}

}  // namespace rta::compare
