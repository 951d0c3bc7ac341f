#include "grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/decimal.hpp"
#include "recipe_reader.hpp"

namespace rta::sweep {
namespace {

using io::Diagnostics;
using io::Value;

constexpr std::uint64_t most_steps = 100'000;

// A decimal number times 10^9, with its unit.
struct Billionths {
  Wide count = 0;
  std::string_view unit;
};

std::optional<Billionths> billionths(const Value* value) {
  if (value == nullptr || value->kind != Value::Kind::scalar) return std::nullopt;
  const auto number = io::parse_decimal(value->text);
  const auto scaled = number ? number->scaled(1'000'000'000) : std::nullopt;
  if (!scaled || !scaled->exact || number->negative) return std::nullopt;
  return Billionths{scaled->floor, number->rest};
}

std::string decimal_text(Wide count, std::string_view unit) {
  std::string text = rta::to_string(count / 1'000'000'000);
  std::string fraction = fmt::format("{:09}", static_cast<std::int64_t>(count % 1'000'000'000));
  fraction.erase(fraction.find_last_not_of('0') + 1);
  if (!fraction.empty()) text += "." + fraction;
  if (!unit.empty()) text.append(" ").append(unit);
  return text;
}

// Whether one path is the other, or leads to it.
bool overlap(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  return b.starts_with(a) && (b.size() == a.size() || b[a.size()] == '.');
}

// Copies `value`, or what stands for it, and keeps the extents right.
void copy(const Value& value, const std::vector<std::pair<const Value*, const Value*>>& replaced, std::vector<Value>& out) {
  const auto at = std::find_if(replaced.begin(), replaced.end(), [&](const auto& pair) { return pair.first == &value; });
  if (at != replaced.end()) {
    out.insert(out.end(), at->second, at->second->next());
    return;
  }
  const std::size_t here = out.size();
  out.push_back(value);
  if (value.kind != Value::Kind::sequence && value.kind != Value::Kind::mapping) return;
  for (const Value* child = value.first(); child != value.next(); child = child->next()) copy(*child, replaced, out);
  out[here].extent = static_cast<std::uint32_t>(out.size() - here);
}

}  // namespace

Grid::Grid(const Value& grid, const Value& top, Diagnostics& out) {
  const auto read_axis = [&](const Value& value) {
    const io::Fields fields(value, {}, out, "sweep.grid");
    Axis axis;
    for (const auto& [key, values] : fields.all()) {
      const std::string parameter(key->text);
      const bool in_sweep = parameter == "sweep" || parameter.starts_with("sweep.");
      if (in_sweep || value_at(top, parameter) == nullptr || parameter.empty()) {
        out.error(key->mark, fmt::format("sweep.grid: this file has no {}{}", io::quote(parameter),
                                         in_sweep ? " that could vary" : "; give it some value there, which the grid then replaces"));
        continue;
      }
      for (const std::string& other : parameters()) {
        if (overlap(other, parameter)) {
          out.error(key->mark,
                    fmt::format("sweep.grid: {} and {} vary the same value on two axes", io::quote(other), io::quote(parameter)));
        }
      }
      for (const std::string& other : axis.parameters) {
        if (overlap(other, parameter)) {
          out.error(key->mark, fmt::format("sweep.grid: {} and {} vary the same value", io::quote(other), io::quote(parameter)));
        }
      }
      axis.parameters.push_back(parameter);
      axis.values.push_back(read_values(*values, parameter, out));
      if (axis.values.back().size() != axis.values.front().size()) {
        out.error(values->mark,
                  fmt::format("sweep.grid: {} has {} values and '{}' {}; parameters of one axis vary together", io::quote(parameter),
                              axis.values.back().size(), axis.parameters.front(), axis.values.front().size()));
      }
    }
    if (fields.usable() && fields.all().empty()) out.error(value.mark, "sweep.grid: an axis has no parameter");
    if (!axis.parameters.empty()) axes_.push_back(std::move(axis));
  };
  if (grid.kind == Value::Kind::sequence) {
    for (const Value* axis = grid.first(); axis != grid.next(); axis = axis->next()) read_axis(*axis);
  } else if (grid.kind == Value::Kind::mapping) {
    // One mapping: each parameter is an axis of its own.
    for (const Value* key = grid.first(); key != grid.next(); key = key->next()->next()) {
      std::vector<Value> alone{grid};
      alone.insert(alone.end(), key, key->next()->next());
      alone.front().extent = static_cast<std::uint32_t>(alone.size());
      kept_.push_back(std::move(alone));
      read_axis(kept_.back().front());
    }
  } else if (grid.kind != Value::Kind::rejected) {
    out.error(grid.mark, fmt::format("sweep.grid: a mapping from parameters to their values is expected, not {}", io::kind_text(grid)));
  }
}

std::vector<const Value*> Grid::read_values(const Value& value, const std::string& parameter, Diagnostics& out) {
  std::vector<const Value*> values;
  if (value.kind == Value::Kind::mapping) {
    values = read_steps(value, parameter, out);
  } else if (value.kind == Value::Kind::sequence) {
    for (const Value* one = value.first(); one != value.next(); one = one->next()) values.push_back(one);
    if (values.empty()) out.error(value.mark, fmt::format("sweep.grid: {}: the list is empty", parameter));
  } else if (value.kind != Value::Kind::rejected) {
    out.error(value.mark, fmt::format("sweep.grid: {}: a list of values or {{from: ..., to: ..., step: ...}} is expected", parameter));
  }
  return values;
}

std::vector<const Value*> Grid::read_steps(const Value& value, const std::string& parameter, Diagnostics& out) {
  const io::Fields fields(value, {}, out, "sweep.grid");
  constexpr std::array<std::string_view, 3> keys{"from", "to", "step"};
  fields.allow_only(keys);
  for (const std::string_view key : keys) static_cast<void>(fields.require(key, "a range is {from: ..., to: ..., step: ...}"));
  const auto from = billionths(fields.find("from"));
  const auto to = billionths(fields.find("to"));
  const auto step = billionths(fields.find("step"));
  if (!fields.has("from") || !fields.has("to") || !fields.has("step")) return {};
  const auto fail = [&](std::string_view why) {
    out.error(value.mark, fmt::format("sweep.grid: {}: {}", parameter, why));
    return std::vector<const Value*>{};
  };
  if (!from || !to || !step) return fail("from, to and step are numbers of at most 9 decimals, with the same unit");
  if (from->unit != to->unit || from->unit != step->unit) return fail("from, to and step need the same unit");
  if (step->count <= 0 || to->count < from->count) return fail("the range is empty: step must be positive and `from` at most `to`");
  if ((to->count - from->count) / step->count >= static_cast<Wide>(most_steps)) return fail(fmt::format("more than {} steps", most_steps));
  std::vector<const Value*> values;
  for (Wide count = from->count; count <= to->count; count += step->count) {
    texts_.push_back(decimal_text(count, from->unit));
    Value made;
    made.text = texts_.back();
    made.mark = value.mark;
    made_.push_back(made);
    values.push_back(&made_.back());
  }
  return values;
}

std::uint64_t Grid::points() const {
  constexpr std::uint64_t most = std::uint64_t{1} << 63;
  std::uint64_t product = 1;
  for (const Axis& axis : axes_) {
    const std::size_t size = axis.size();
    if (size == 0) return 0;
    if (product > most / size) return most;
    product *= size;
  }
  return product;
}

std::vector<const Value*> Grid::at(std::uint64_t p) const {
  std::vector<std::size_t> index(axes_.size());
  for (std::size_t a = axes_.size(); a-- > 0;) {
    const std::size_t size = std::max<std::size_t>(axes_[a].size(), 1);
    index[a] = p % size;
    p /= size;
  }
  std::vector<const Value*> values;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    for (const auto& of_parameter : axes_[a].values) values.push_back(of_parameter[index[a]]);
  }
  return values;
}

std::vector<std::string> Grid::parameters() const {
  std::vector<std::string> all;
  for (const Axis& axis : axes_) all.insert(all.end(), axis.parameters.begin(), axis.parameters.end());
  return all;
}

std::vector<Value> with_values(const Value& top, const std::vector<std::string>& paths, const std::vector<const Value*>& values) {
  std::vector<std::pair<const Value*, const Value*>> replaced;
  for (std::size_t k = 0; k < paths.size(); ++k) replaced.emplace_back(value_at(top, paths[k]), values[k]);
  std::vector<Value> out;
  copy(top, replaced, out);
  return out;
}

std::string flow_text(const Value& value) {
  switch (value.kind) {
    case Value::Kind::scalar: return std::string(value.text);
    case Value::Kind::null:
    case Value::Kind::rejected: return "";
    case Value::Kind::sequence: {
      std::string text;
      for (const Value* one = value.first(); one != value.next(); one = one->next()) text += (text.empty() ? "" : ", ") + flow_text(*one);
      return "[" + text + "]";
    }
    case Value::Kind::mapping: {
      std::string text;
      for (const Value* key = value.first(); key != value.next(); key = key->next()->next()) {
        text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", flow_text(*key), flow_text(*key->next()));
      }
      return "{" + text + "}";
    }
  }
  return "";
}

}  // namespace rta::sweep
