#include "interference_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "decimal.hpp"
#include "rta/model/other_work.hpp"
#include "yaml_text.hpp"

namespace rta::io {
namespace {

constexpr std::array<std::string_view, 5> interference_keys{"classes", "other-sm", "same-sm", "combine", "beside"};
constexpr std::array<std::string_view, 2> beside_keys{"copies", "cpu"};
constexpr std::array<std::string_view, 2> combines{"sum", "max"};
constexpr std::string_view by_class = "a row for each class, `L2: [0, 0.46, 2.32]`, with a number for each class beside it";

using Matrix = std::vector<std::vector<Lengthening>>;

class InterferenceReader {
 public:
  explicit InterferenceReader(const Fields& fields) : fields_(fields) {}

  std::optional<Interference> read() {
    fields_.allow_only(interference_keys);
    if (const Value* const classes = fields_.require("classes", "the classes of kernels, `[registers, L2, DRAM]`")) read_classes(*classes);
    const Value* const others = fields_.require("other-sm", by_class);
    if (const auto combine = fields_.choice("combine", combines)) of_.combine = static_cast<Combine>(*combine);
    if (wrong_ || others == nullptr || of_.classes.empty()) return std::nullopt;
    of_.other_sm = matrix("other-sm", *others);
    if (const Value* const same = fields_.find("same-sm")) of_.same_sm = matrix("same-sm", *same);
    if (const Value* const beside = fields_.find("beside")) read_beside(*beside);
    return wrong_ ? std::nullopt : std::optional(std::move(of_));
  }

 private:
  void error(const Value& at, const std::string& what) {
    if (at.kind != Value::Kind::rejected) fields_.error(at, what);
    wrong_ = true;
  }

  void read_classes(const Value& list) {
    if (list.kind != Value::Kind::sequence) {
      error(list, fmt::format("classes: a list of names is expected, not {}", kind_text(list)));
      return;
    }
    for (const Value* value = list.first(); value != list.next(); value = value->next()) {
      if (value->kind != Value::Kind::scalar) {
        error(*value, fmt::format("classes: a name is expected, not {}", kind_text(*value)));
      } else if (const auto fault = name_fault(value->text)) {
        error(*value, "classes: " + *fault);
      } else if (std::ranges::find(of_.classes, value->text) != of_.classes.end()) {
        error(*value, fmt::format("classes: {} is there twice", quote(value->text)));
      } else if (of_.classes.size() == most_classes) {
        error(*value, fmt::format("classes: at most {} are allowed", most_classes));
        return;
      } else {
        of_.classes.emplace_back(value->text);
      }
    }
    if (of_.classes.empty() && !wrong_) error(list, "classes: there is none");
  }

  Matrix matrix(std::string_view key, const Value& value) {
    const Fields rows = fields_.within(key, value);
    Matrix matrix(of_.classes.size());
    if (!rows.usable()) wrong_ = true;
    for (const auto& [name, row] : rows.all()) {
      const auto at = std::ranges::find(of_.classes, name->text);
      if (at == of_.classes.end()) {
        error(*name, fmt::format("{}: {} is no class (classes: {})", key, quote(name->text), fmt::join(of_.classes, ", ")));
      } else {
        matrix[static_cast<std::size_t>(at - of_.classes.begin())] = read_row(fmt::format("{}: {}", key, name->text), *row);
      }
    }
    for (std::size_t c = 0; rows.usable() && !wrong_ && c < matrix.size(); ++c) {
      if (matrix[c].empty())
        error(value, fmt::format("{}: there is no row for class {}; {} is expected", key, quote(of_.classes[c]), by_class));
    }
    return matrix;
  }

  /// By the victim's class, beside what is no kernel.
  void read_beside(const Value& value) {
    constexpr std::string_view expected =
        "a number for each class, `[0, 0.1, 0.4]`; zeros if these were at work when kernels were measured alone";
    const Fields columns = fields_.within("beside", value);
    if (!columns.usable()) {
      wrong_ = true;
      return;
    }
    columns.allow_only(beside_keys);
    const Value* const copies = columns.require("copies", expected);
    const Value* const cpus = columns.require("cpu", expected);
    if (copies == nullptr || cpus == nullptr) {
      wrong_ = true;
      return;
    }
    const OtherWorkColumns of{read_row("copies", *copies), read_row("cpu", *cpus)};
    if (!wrong_) add_other_work_columns(of_, of);
  }

  std::vector<Lengthening> read_row(const std::string& key, const Value& list) {
    std::vector<Lengthening> row;
    if (list.kind != Value::Kind::sequence) {
      error(list, fmt::format("{}: {} numbers are expected, `[0, 0.46, …]`, not {}", key, of_.classes.size(), kind_text(list)));
      return row;
    }
    for (const Value* value = list.first(); value != list.next(); value = value->next()) row.push_back(read_entry(key, *value));
    if (row.size() != of_.classes.size())
      error(list, fmt::format("{}: a number for each of the {} classes is expected, not {}", key, of_.classes.size(), row.size()));
    return row;
  }

  Lengthening read_entry(const std::string& key, const Value& value) {
    const auto number = value.kind == Value::Kind::scalar ? parse_decimal(value.text) : std::nullopt;
    if (!number || !number->rest.empty()) {
      error(value, fmt::format("{}: a number is expected, by how much of its time alone a block takes longer (0.46: 46 % longer), not {}",
                               key, value.kind == Value::Kind::scalar ? quote(value.text) : std::string(kind_text(value))));
      return 0;
    }
    if (number->negative && !number->is_zero()) {
      error(value, fmt::format("{}: {} is below 0; write 0 where company was not seen to lengthen a block", key, value.text));
      return 0;
    }
    const auto scaled = number->scaled(whole_time);
    if (!scaled || scaled->floor > most_lengthening || (scaled->floor == most_lengthening && !scaled->exact)) {
      error(value, fmt::format("{}: {} is above {}, the largest that is allowed", key, value.text, most_lengthening / whole_time));
      return 0;
    }
    return static_cast<Lengthening>(scaled->floor) + (scaled->exact ? 0 : 1);
  }

  const Fields& fields_;
  Interference of_;
  bool wrong_ = false;
};

std::string entry_text(Lengthening one) {
  std::string text = fmt::format("{}.{:09}", one / whole_time, one % whole_time);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string row_text(const std::vector<Lengthening>& row) {
  std::string text;
  for (const Lengthening one : row) text += (text.empty() ? "" : ", ") + entry_text(one);
  return "[" + text + "]";
}

std::string matrix_text(const Interference& of, const Matrix& matrix, bool json) {
  std::string text;
  for (std::size_t c = 0; c < matrix.size(); ++c) {
    const std::string name = json ? double_quoted(of.classes[c]) : word(of.classes[c]);
    std::vector<Lengthening> row = matrix[c];
    row.resize(of.classes.size());  // other work stands by itself
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", name, row_text(row));
  }
  return "{" + text + "}";
}

std::string text_of(const Interference& of, bool json) {
  std::string names;
  for (const std::string& name : of.classes) names += (names.empty() ? "" : ", ") + (json ? double_quoted(name) : word(name));
  const auto key = [json](std::string_view name) { return json ? double_quoted(name) : std::string(name); };
  std::string text = fmt::format("{{{}: [{}], {}: {}", key("classes"), names, key("other-sm"), matrix_text(of, of.other_sm, json));
  if (!of.same_sm.empty()) text += fmt::format(", {}: {}", key("same-sm"), matrix_text(of, of.same_sm, json));
  if (const auto beside = other_work_columns(of)) {
    text +=
        fmt::format(", {}: {{{}: {}, {}: {}}}", key("beside"), key("copies"), row_text(beside->copies), key("cpu"), row_text(beside->cpus));
  }
  if (of.combine == Combine::max) text += fmt::format(", {}: {}", key("combine"), key("max"));
  return text + "}";
}

}  // namespace

std::optional<Interference> read_interference(const Fields& pool, const Value& value) {
  const Fields fields = pool.within("interference", value);
  if (!fields.usable()) return std::nullopt;
  return InterferenceReader(fields).read();
}

std::string interference_text(const Interference& of) { return text_of(of, false); }
std::string interference_json(const Interference& of) { return text_of(of, true); }

void read_class(const Fields& node, const GpuPool& gpu, std::string_view pool, GpuDemand& kernel) {
  const Value* const value = node.find("class");
  if (!gpu.interference) {
    if (value != nullptr)
      node.error(*value, fmt::format("class: GPU '{}' has no `interference`, which says what classes do to one another", pool));
    return;
  }
  const std::vector<std::string>& classes = gpu.interference->classes;
  if (classes.empty()) return;  // what is wrong with them was reported
  if (value == nullptr) {
    node.warn(node.mapping(), fmt::format("class: not given, so the kernel counts as the worst of GPU '{}' on either side ({})", pool,
                                          fmt::join(classes, ", ")));
    return;
  }
  const std::vector<std::string_view> words(classes.begin(), classes.end());
  if (const auto index = node.choice("class", words)) kernel.interference_class = static_cast<std::uint32_t>(*index);
}

}  // namespace rta::io
