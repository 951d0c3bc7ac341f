#include "company_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "decimal.hpp"
#include "yaml_text.hpp"

namespace rta::io {
namespace {

constexpr std::array<std::string_view, 3> company_keys{"classes", "mixtures", "beside"};
constexpr std::array<std::string_view, 4> mixture_keys{"measured", "confirm", "beyond-max", "beyond-sum"};
constexpr std::array<std::string_view, 3> confirmations{"max", "sum", "neither"};
constexpr Lengthening most_change = 1'000 * most_lengthening;

/// With nine digits after the point; nothing where it is none, which is reported.
std::optional<Lengthening> change_of(const Fields& fields, std::string_view key, const Value& value) {
  const auto number = value.kind == Value::Kind::scalar ? parse_decimal(value.text) : std::nullopt;
  const auto scaled = number && number->rest.empty() ? number->scaled(whole_time) : std::nullopt;
  if (scaled && scaled->floor <= most_change) {
    const auto size = static_cast<Lengthening>(scaled->floor) + (scaled->exact || number->negative ? 0 : 1);
    return number->negative ? -size : size;
  }
  if (value.kind != Value::Kind::rejected) {
    fields.error(
        value, fmt::format("{}: a number is expected, by how much of its time alone a block takes longer (-0.01: 1 % shorter), not {}", key,
                           value.kind == Value::Kind::scalar ? quote(value.text) : std::string(kind_text(value))));
  }
  return std::nullopt;
}

MeasuredCompany::Mixtures mixtures_of(const Fields& company, const Value& value) {
  MeasuredCompany::Mixtures mixtures;
  const Fields fields = company.within("mixtures", value);
  if (!fields.usable()) return mixtures;
  fields.allow_only(mixture_keys);
  for (const std::string_view key : mixture_keys) (void)fields.require(key, "how mixtures of classes were checked");
  mixtures.measured = fields.integer("measured", 1, std::numeric_limits<std::int64_t>::max()).value_or(1);
  if (const auto confirm = fields.choice("confirm", confirmations)) mixtures.confirm = confirmations[*confirm];
  if (const Value* const max = fields.find("beyond-max")) mixtures.beyond_max = change_of(fields, "beyond-max", *max).value_or(0);
  if (const Value* const sum = fields.find("beyond-sum")) mixtures.beyond_sum = change_of(fields, "beyond-sum", *sum).value_or(0);
  return mixtures;
}

void read_classes_of(const Fields& company, const Value& list, MeasuredCompany& out) {
  if (list.kind != Value::Kind::sequence) {
    company.error(list, fmt::format("classes: a list of names is expected, not {}", kind_text(list)));
    return;
  }
  for (const Value* value = list.first(); value != list.next(); value = value->next()) {
    if (value->kind != Value::Kind::scalar || out.classes.size() == most_classes) {
      company.error(*value, fmt::format("classes: at most {} names are expected", most_classes));
      return;
    }
    out.classes.emplace_back(value->text);
  }
}

void read_row_of(const Fields& fields, std::string_view where, const Value& beside, const Value& list, MeasuredCompany& out) {
  MeasuredCompany::Row row{std::string(where), std::string(beside.text), {}};
  if (list.kind != Value::Kind::sequence) {
    fields.error(list, fmt::format("{}: {} numbers are expected, not {}", row.beside, out.classes.size(), kind_text(list)));
    return;
  }
  for (const Value* value = list.first(); value != list.next(); value = value->next()) {
    if (value->kind == Value::Kind::null) {
      row.more.emplace_back();
    } else {
      row.more.push_back(change_of(fields, row.beside, *value));
    }
  }
  if (row.more.size() != out.classes.size())
    fields.error(list, fmt::format("{}: a number for each of the {} classes is expected, or null, not {}", row.beside, out.classes.size(),
                                   row.more.size()));
  out.rows.push_back(std::move(row));
}

std::string change_text(Lengthening one) {
  const Lengthening size = one < 0 ? -one : one;
  std::string text = fmt::format("{}{}.{:09}", one < 0 ? "-" : "", size / whole_time, size % whole_time);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

std::string in_quotes(std::string_view text) {
  std::string line(text);
  for (const std::string_view line_break : {"\u0085", "\u2028", "\u2029"}) {
    for (std::size_t at = line.find(line_break); at != std::string::npos; at = line.find(line_break, at))
      line.replace(at, line_break.size(), " ");
  }
  for (char& c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) c = ' ';
  }
  return double_quoted(line);
}

std::optional<MeasuredCompany> read_company_record(const Fields& profile, const Value& value) {
  const Fields fields = profile.within("company", value);
  if (!fields.usable()) return std::nullopt;
  fields.allow_only(company_keys);
  MeasuredCompany company;
  if (const Value* const classes = fields.require("classes", "the classes of blocks that were measured"))
    read_classes_of(fields, *classes, company);
  if (const Value* const mixtures = fields.find("mixtures")) company.mixtures = mixtures_of(fields, *mixtures);
  const Value* const all = fields.require("beside", "what was measured, by place and company");
  if (all == nullptr) return company;
  const Fields wheres = fields.within("beside", *all);
  for (const Fields::Field& where : wheres.all()) {
    const Fields rows = wheres.within(where.key->text, *where.value);
    for (const Fields::Field& row : rows.all()) read_row_of(rows, where.key->text, *row.key, *row.value, company);
  }
  return company;
}

std::string company_record_text(const MeasuredCompany& company) {
  std::string names;
  for (const std::string& name : company.classes) names += (names.empty() ? "" : ", ") + word(name);
  std::string text = fmt::format("company:\n  classes: [{}]\n", names);
  if (company.mixtures) {
    const auto& [measured, confirm, max, sum] = *company.mixtures;
    text += fmt::format("  mixtures: {{measured: {}, confirm: {}, beyond-max: {}, beyond-sum: {}}}\n", measured, confirm, change_text(max),
                        change_text(sum));
  }
  text += company.rows.empty() ? "  beside: {}\n" : "  beside:\n";
  std::vector<std::string> wheres;
  for (const auto& row : company.rows) {
    if (std::ranges::find(wheres, row.where) == wheres.end()) wheres.push_back(row.where);
  }
  for (const std::string& where : wheres) {
    text += fmt::format("    {}:\n", in_quotes(where));
    for (const auto& row : company.rows) {
      if (row.where != where) continue;
      std::string entries;
      for (const auto& one : row.more) entries += (entries.empty() ? "" : ", ") + (one ? change_text(*one) : "null");
      text += fmt::format("      {}: [{}]\n", in_quotes(row.beside), entries);
    }
  }
  return text;
}

}  // namespace rta::io
