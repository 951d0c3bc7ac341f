// `company` of a device profile: what its `interference` was made of.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fields.hpp"
#include "rta/model/measured_company.hpp"

namespace rta::io {

/// `value`: of the key `company` in `profile`. What is wrong is reported.
[[nodiscard]] std::optional<MeasuredCompany> read_company_record(const Fields& profile, const Value& value);
/// The key with its value, several lines.
[[nodiscard]] std::string company_record_text(const MeasuredCompany& company);

/// Quoted, in one line: what YAML takes for a line break, and control characters, are spaces.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace rta::io
