#include "table.hpp"

#include <array>
#include <charconv>
#include <system_error>

#include "rta/model/error.hpp"

namespace rta::sweep {
namespace {

template <class Number>
void append_number(std::string& text, Number value) {
  std::array<char, 24> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  text.append(digits.data(), end);
}

// The next field of a line; a missing one is an error.
class LineFields {
 public:
  explicit LineFields(std::string_view line) : line_(line), rest_(line) {}

  std::string_view text() {
    if (ended_) fail();
    const std::size_t comma = rest_.find(',');
    const std::string_view field = rest_.substr(0, comma);
    ended_ = comma == std::string_view::npos;
    if (!ended_) rest_.remove_prefix(comma + 1);
    return field;
  }
  template <class Number>
  Number number() {
    const std::string_view field = text();
    Number value{};
    const auto [at, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc{} || at != field.data() + field.size()) fail();
    return value;
  }
  // An empty field.
  void skip() {
    if (!text().empty()) fail();
  }
  [[nodiscard]] bool at_empty() const { return rest_.empty() || rest_.front() == ','; }
  void end() const {
    if (!ended_) fail();
  }
  [[noreturn]] void fail() const { throw UserError("no row of results: '" + std::string(line_) + "'"); }

 private:
  std::string_view line_, rest_;
  bool ended_ = false;
};

}  // namespace

std::string table_header(bool timing) {
  return std::string(
             "point,set,analysis,verdict,response_bound_mean_ns,response_bound_max_ns,lateness_max_ns,response_bound_over_period_ppm,"
             "observed_mean_ns,response_bound_over_observed_ppm,left_out") +
         (timing ? ",time_ns\n" : "\n");
}

void append_row(std::string& text, const Row& row, bool timing) {
  const Outcome& o = row.outcome;
  append_number(text, row.point);
  text.push_back(',');
  append_number(text, row.set);
  text.push_back(',');
  text.append(row.analysis);
  text.push_back(',');
  text.append(to_string(o.answer));
  if (o.bounded()) {
    for (const std::int64_t value : {o.R_mean.count(), o.R_max.count(), o.lateness_max.count(), o.over_period}) {
      text.push_back(',');
      append_number(text, value);
    }
  } else {
    text.append(",,,,");
  }
  if (o.observed) {
    for (const std::int64_t value : {o.observed_mean.count(), o.over_observed}) {
      text.push_back(',');
      append_number(text, value);
    }
  } else {
    text.append(",,");
  }
  text.push_back(',');
  if (o.left_out) append_number(text, *o.left_out ? 1 : 0);
  if (timing) {
    text.push_back(',');
    append_number(text, o.time_ns);
  }
  text.push_back('\n');
}

Row parse_row(std::string_view line, bool timing) {
  LineFields fields(line);
  Row row;
  row.point = fields.number<std::uint64_t>();
  row.set = fields.number<std::uint64_t>();
  row.analysis = fields.text();
  const auto answer = answer_of(fields.text());
  if (!answer) fields.fail();
  row.outcome.answer = *answer;
  if (row.outcome.bounded()) {
    row.outcome.R_mean = Time(fields.number<std::int64_t>());
    row.outcome.R_max = Time(fields.number<std::int64_t>());
    row.outcome.lateness_max = Time(fields.number<std::int64_t>());
    row.outcome.over_period = fields.number<std::int64_t>();
  } else {
    for (int i = 0; i < 4; ++i) fields.skip();
  }
  if (fields.at_empty()) {
    fields.skip();
    fields.skip();
  } else {
    row.outcome.observed = true;
    row.outcome.observed_mean = Time(fields.number<std::int64_t>());
    row.outcome.over_observed = fields.number<std::int64_t>();
  }
  if (fields.at_empty()) {
    fields.skip();
  } else {
    const auto left_out = fields.number<std::uint64_t>();
    if (left_out > 1) fields.fail();
    row.outcome.left_out = left_out == 1;
  }
  if (timing) row.outcome.time_ns = fields.number<std::int64_t>();
  fields.end();
  return row;
}

}  // namespace rta::sweep
