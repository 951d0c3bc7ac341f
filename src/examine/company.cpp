#include "rta/examine/company.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <span>

#include "rta/io/diagnostic.hpp"
#include "rta/model/error.hpp"
#include "rta/model/other_work.hpp"

namespace rta::examine {
namespace {

using CompanyJson = nlohmann::ordered_json;

constexpr std::array<std::string_view, 3> classes{"registers", "L2", "DRAM"};
constexpr std::string_view alone = "none";

std::optional<std::size_t> class_named(std::string_view name) {
  const auto at = std::ranges::find(classes, name);
  return at == classes.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - classes.begin()));
}
constexpr Lengthening tolerance = whole_time / 100;  // by so much a mixture may be worse, and entries are raised
constexpr Lengthening digit = whole_time / 10'000;

struct Seen {
  const CompanyCase* of;
  std::vector<std::size_t> classes;  // of the company
  Lengthening more;
};

std::size_t victim_of(const Seen& seen) { return class_named(seen.of->kernel).value(); }

/// Whether one class was on all other SMs, or filled the SM: less of it, or what another partition holds, may do less than the entry says.
bool is_of_all(const Seen& seen) {
  if (seen.classes.size() != 1) return false;
  return seen.of->where == "same SM" || (seen.of->where == "other SMs" && seen.of->beside == classes[seen.classes.front()]);
}

/// The largest growth per victim and class.
using Matrix = std::vector<std::vector<Lengthening>>;

struct Measured {
  Matrix entries;
  std::vector<Seen> mixtures;
};

Lengthening longer(Time max, Time alone_median) {
  const Wide base = std::max<Wide>(alone_median.count(), 1);
  const Wide up = ceil_div((Wide{max.count()} - base) * whole_time, base);
  return static_cast<Lengthening>(std::min<Wide>(up, Wide{most_lengthening} * 1000));
}

Lengthening combined(const Matrix& entries, std::size_t victim, const std::vector<std::size_t>& company, Combine combine) {
  Lengthening most = 0, sum = 0;
  for (const std::size_t one : company) {
    most = std::max(most, entries[victim][one]);
    sum += entries[victim][one];
  }
  return combine == Combine::max ? most : sum;
}

class CompanyMatrices {
 public:
  explicit CompanyMatrices(const CompanyPart& all) {
    for (const CompanyCase& one : all.cases) {
      const auto place = std::pair(one.kernel, one.where);
      if (one.beside == alone) {
        alone_[place] = one.median;
        continue;
      }
      const auto base = alone_.find(place);
      if (base == alone_.end()) continue;
      Seen seen{&one, {}, longer(one.max, base->second)};
      for (const std::string& name : one.classes) seen.classes.push_back(class_named(name).value());
      seen_.push_back(std::move(seen));
    }
  }

  [[nodiscard]] const std::vector<Seen>& seen() const { return seen_; }

  /// Nothing where not every class was measured beside all that there can be of every class. `own_counts`: whether a victim's own class
  /// beside another is one more.
  [[nodiscard]] std::optional<Measured> of(std::initializer_list<std::string_view> wheres, bool own_counts) const {
    constexpr std::size_t n = classes.size();
    Measured found{Matrix(n, std::vector<Lengthening>(n, 0)), {}};
    std::vector<std::vector<bool>> known(n, std::vector<bool>(n, false));
    for (const Seen& one : seen_) {
      if (std::ranges::find(wheres, one.of->where) == wheres.end()) continue;
      const std::size_t v = victim_of(one);
      Seen company = one;
      if (!own_counts && company.classes.size() > 1) std::erase(company.classes, v);
      if (company.classes.size() > 1) {
        found.mixtures.push_back(std::move(company));
      } else if (company.classes.size() == 1) {
        Lengthening& entry = found.entries[v][company.classes.front()];
        entry = std::max(entry, company.more);
        if (is_of_all(one)) known[v][company.classes.front()] = true;
      }
    }
    const bool whole = std::ranges::all_of(known, [](const auto& row) { return std::ranges::find(row, false) == row.end(); });
    return whole ? std::optional(std::move(found)) : std::nullopt;
  }

 private:
  std::vector<Seen> seen_;
  std::map<std::pair<std::string, std::string>, Time> alone_;  // the last before a case
};

/// By the victim's class, the most that `copies` or `CPUs` do; empty where not every class was measured beside each of them. Copies in both
/// directions, of two engines, do what each does.
std::vector<Lengthening> column_of(const CompanyMatrices& all, std::string_view where) {
  std::map<std::string, std::vector<std::optional<Lengthening>>> beside;
  for (const Seen& one : all.seen()) {
    if (one.of->where != where || !one.classes.empty()) continue;
    auto& row = beside[one.of->beside];
    row.resize(classes.size());
    auto& entry = row[victim_of(one)];
    entry = std::max({entry.value_or(0), one.more, Lengthening{0}});
  }
  const auto is_whole = [](const auto& row) {
    return std::ranges::all_of(row.second, [](const auto& entry) { return entry.has_value(); });
  };
  if (beside.empty() || !std::ranges::all_of(beside, is_whole)) return {};
  std::vector<Lengthening> column(classes.size(), 0);
  for (std::size_t c = 0; c < column.size(); ++c) {
    Lengthening both = 0;
    for (const auto& [name, row] : beside) {
      column[c] = std::max(column[c], *row[c]);
      if (name == "host to device" || name == "device to host") both += *row[c];
    }
    column[c] = std::max(column[c], both);
  }
  return column;
}

/// Columns so large that none with blocks beside it did more than these and it add.
void raise_column(std::vector<Lengthening>& column, const CompanyMatrices& all, std::string_view where, const Matrix& other_sm,
                  Combine combine) {
  for (const Seen& one : all.seen()) {
    if (column.empty() || one.of->where != where || one.classes.empty()) continue;
    const std::size_t c = victim_of(one);
    column[c] = std::max(column[c], one.more - combined(other_sm, c, one.classes, combine));
  }
  for (Lengthening& entry : column) entry = (entry + digit - 1) / digit * digit;
}

/// How much of a mixture its classes do not explain.
Lengthening beyond(const Measured& of, const Seen& mixture, Combine combine) {
  return mixture.more - combined(of.entries, victim_of(mixture), mixture.classes, combine);
}

MeasuredCompany evidence(const CompanyMatrices& all) {
  MeasuredCompany measured{{classes.begin(), classes.end()}, std::nullopt, {}};
  for (const Seen& one : all.seen()) {
    const auto same = [&](const MeasuredCompany::Row& row) { return row.where == one.of->where && row.beside == one.of->beside; };
    auto row = std::ranges::find_if(measured.rows, same);
    if (row == measured.rows.end()) {
      measured.rows.push_back({one.of->where, one.of->beside, std::vector<std::optional<Lengthening>>(classes.size())});
      row = std::prev(measured.rows.end());
    }
    auto& entry = row->more[victim_of(one)];
    entry = entry ? std::max(*entry, one.more) : one.more;
  }
  return measured;
}

/// Entries so large that no mixture is beyond them: the larger of those of its classes takes the rest.
void raise(Measured& of, Combine combine) {
  for (const Seen& mixture : of.mixtures) {
    auto& row = of.entries[victim_of(mixture)];
    const Lengthening rest = beyond(of, mixture, combine);
    if (rest <= 0) continue;
    std::size_t worst = mixture.classes.front();
    for (const std::size_t one : mixture.classes) {
      if (row[one] > row[worst]) worst = one;
    }
    row[worst] += rest;
  }
}

void round_up(Matrix& entries) {
  for (auto& row : entries) {
    for (Lengthening& entry : row) entry = (entry + digit - 1) / digit * digit;
  }
}

Lengthening largest(const Matrix& entries) {
  Lengthening most = 0;
  for (const auto& row : entries) most = std::max(most, std::ranges::max(row));
  return most;
}

std::string number(Lengthening entry) {
  std::string text = fmt::format("{}.{:04}", entry / whole_time, entry % whole_time / digit);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string row_text(std::span<const Lengthening> entries) {
  std::string row;
  for (const Lengthening entry : entries) row += (row.empty() ? "" : ", ") + number(entry);
  return "[" + row + "]";
}

std::string rows_text(std::string_view key, const Interference& of, const Matrix& matrix) {
  std::string text = fmt::format("  {}:\n", key);
  for (std::size_t c = 0; c < matrix.size(); ++c)
    text += fmt::format("    {}: {}\n", of.classes[c], row_text(std::span(matrix[c]).first(of.classes.size())));
  return text;
}

std::string columns_text(const Interference& of) {
  const auto columns = other_work_columns(of);
  if (!columns) return {};
  return fmt::format("  beside:\n    copies: {}\n    cpu: {}\n", row_text(columns->copies), row_text(columns->cpus));
}

std::string confirmed(const MeasuredCompany& measured) {
  if (!measured.mixtures) return "no mixtures were measured";
  if (measured.mixtures->confirm == "max") return "mixtures were no worse than the worst of their classes";
  if (measured.mixtures->confirm == "sum") return "mixtures were no worse than the sum of their classes";
  return "mixtures were worse than the sum of their classes: entries are raised until none is";
}

[[noreturn]] void fail(const std::string& name, const std::string& what) { throw io::InputError({{name, 1, 1, what}}); }

void expect_class(const std::string& is, const std::string& name) {
  if (!class_named(is)) fail(name, fmt::format("no class is called '{}' (allowed: {})", is, fmt::join(classes, ", ")));
}

CompanyCase case_of(const CompanyJson& json, const std::string& name) {
  try {
    CompanyCase one{json.at("kernel").get<std::string>(),           json.at("where").get<std::string>(),
                    json.at("beside").get<std::string>(),           {},
                    Time(json.at("median_ns").get<std::int64_t>()), Time(json.at("max_ns").get<std::int64_t>())};
    for (const auto& [key, blocks] : json.at("blocks").items()) one.classes.push_back(key);
    for (const std::string& one_class : one.classes) expect_class(one_class, name);
    expect_class(one.kernel, name);
    constexpr std::int64_t longest = 1'000'000'000'000'000;  // ns
    if (one.median < Time::zero() || one.max < one.median || one.max.count() > longest)
      fail(name, "a case has times that cannot be: 0 <= median_ns <= max_ns is expected, and no more than 10^15");
    return one;
  } catch (const CompanyJson::exception&) {
    fail(name, "a case lacks one of kernel, where, beside, blocks, median_ns and max_ns, or has another kind of value there");
  }
}

}  // namespace

std::span<const std::string_view> company_parts() {
  static constexpr std::array<std::string_view, 7> names{"whole", "halves", "parts", "same-sm", "copies", "cpus", "partitions"};
  return names;
}

CompanyPart read_company(std::string_view json, const std::string& name) {
  const CompanyJson all = CompanyJson::parse(json, nullptr, false);
  if (all.is_discarded() || !all.is_object() || !all.contains("cases") || !all["cases"].is_array())
    fail(name, "no measurement of interference: a JSON object with `cases` is expected");
  CompanyPart part;
  for (const CompanyJson& one : all["cases"]) part.cases.push_back(case_of(one, name));
  if (const auto missing = all.find("not_possible"); missing != all.end()) {
    if (!missing->is_object()) fail(name, "not_possible: an object is expected");
    for (const auto& [key, why] : missing->items())
      part.not_possible.emplace_back(key, why.is_string() ? why.get<std::string>() : why.dump());
  }
  return part;
}

Company company_of(const CompanyPart& part) {
  const CompanyMatrices all(part);
  Company company;
  company.measured = evidence(all);
  auto other = all.of({"other SMs", "other partition"}, true);
  auto same = all.of({"same SM"}, false);
  if (!other) {
    company.reason = "not every class was measured beside every class on all other SMs (part whole)";
    return company;
  }
  std::vector<Measured*> each{&*other};
  if (same) each.push_back(&*same);
  MeasuredCompany::Mixtures mixtures;
  for (const Measured* const of : each) {
    for (const Seen& mixture : of->mixtures) {
      const Lengthening max = beyond(*of, mixture, Combine::max), sum = beyond(*of, mixture, Combine::sum);
      mixtures.beyond_max = mixtures.measured == 0 ? max : std::max(mixtures.beyond_max, max);
      mixtures.beyond_sum = mixtures.measured == 0 ? sum : std::max(mixtures.beyond_sum, sum);
      ++mixtures.measured;
      company.mixtures.push_back({mixture.of->kernel, mixture.of->where, mixture.of->beside, mixture.more, max, sum});
    }
  }
  const bool by_worst = mixtures.measured > 0 && mixtures.beyond_max <= tolerance;
  if (mixtures.measured > 0) {
    mixtures.confirm = by_worst ? "max" : mixtures.beyond_sum <= tolerance ? "sum" : "neither";
    company.measured.mixtures = mixtures;
  }
  Interference found;
  found.classes = company.measured.classes;
  found.combine = by_worst ? Combine::max : Combine::sum;
  const auto is_too_long = [&](const Matrix& entries) {
    if (largest(entries) > most_lengthening)
      company.reason = fmt::format("a block took more than {} times as long", most_lengthening / whole_time);
    return !company.reason.empty();
  };
  for (Measured* const of : each) {
    raise(*of, found.combine);
    round_up(of->entries);
    if (is_too_long(of->entries)) return company;
  }
  OtherWorkColumns columns;
  for (const auto& [where, column] : {std::pair("copies", &columns.copies), std::pair("CPUs", &columns.cpus)}) {
    *column = column_of(all, where);
    raise_column(*column, all, where, other->entries, found.combine);
    if (!column->empty() && is_too_long({*column})) return company;
  }
  found.other_sm = std::move(other->entries);
  if (!columns.copies.empty() && !columns.cpus.empty()) add_other_work_columns(found, columns);
  if (same) found.same_sm = std::move(same->entries);
  company.interference = std::move(found);
  return company;
}

std::string interference_block(const Company& company) {
  require(company.interference.has_value(), "there is a matrix");
  const Interference& of = *company.interference;
  std::string text = fmt::format("interference:\n  classes: [{}]\n", fmt::join(of.classes, ", "));
  text += rows_text("other-sm", of, of.other_sm);
  text += of.same_sm.empty() ? "  # no same-sm: durations alone are to be measured on full SMs\n" : rows_text("same-sm", of, of.same_sm);
  text += columns_text(of);
  text += fmt::format("  combine: {}  # {}\n", of.combine == Combine::max ? "max" : "sum", confirmed(company.measured));
  for (const NotCounted& one : not_counted(company.measured, of)) text += "  # " + one.text + "\n";
  return text;
}

}  // namespace rta::examine
