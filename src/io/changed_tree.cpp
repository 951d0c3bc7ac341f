#include "changed_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "fields.hpp"
#include "rta/model/error.hpp"
#include "yaml_piece.hpp"

namespace rta::io {
namespace {

struct Named {
  std::string_view name;
  std::size_t value = 0;  // where it begins in the tree
};

class Change {
 public:
  Change(YamlTree& tree, const Setting& setting) : tree_(tree), setting_(setting), rest_(setting.place) {}

  void make() {
    YamlPiece piece = value();
    descend();
    const Mark mark = at(place_).mark;
    std::vector<Value> added;
    added.reserve(piece.values.size() + 1);
    if (!rest_.empty()) added.push_back({.text = rest_, .mark = mark, .extent = 1, .kind = Value::Kind::scalar, .plain_line = false});
    for (Value& one : piece.values) {
      one.mark = mark;
      one.plain_line = false;
      added.push_back(one);
    }
    std::vector<Value>& values = tree_.values();
    const std::size_t taken = rest_.empty() ? at(place_).extent : 0;
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(rest_.empty() ? place_ : place_ + at(place_).extent);
    if (!rest_.empty()) above_.push_back(place_);
    values.insert(values.erase(first, first + static_cast<std::ptrdiff_t>(taken)), added.begin(), added.end());
    for (const std::size_t above : above_) values[above].extent += static_cast<std::uint32_t>(added.size() - taken);
    tree_.keep(std::move(piece.texts));
  }

 private:
  [[nodiscard]] const Value& at(std::size_t index) const { return tree_.values()[index]; }

  [[nodiscard]] YamlPiece value() const {
    Diagnostics out(setting_.place + "=" + setting_.value);
    YamlPiece piece = read_piece({setting_.value, 0}, 0, out);
    out.throw_if_failed();
    return piece;
  }

  // What has a name in there: values of keys, and of lists the mappings whose `name` says one.
  [[nodiscard]] std::vector<Named> named_in(std::size_t index) const {
    std::vector<Named> all;
    const Value* const end = at(index).next();
    if (at(index).kind == Value::Kind::mapping) {
      for (const Value* key = at(index).first(); key != end; key = key->next()->next()) all.push_back({key->text, place_of(key->next())});
    } else if (at(index).kind == Value::Kind::sequence) {
      for (const Value* entry = at(index).first(); entry != end; entry = entry->next()) {
        for (const Named& key : entry->kind == Value::Kind::mapping ? named_in(place_of(entry)) : std::vector<Named>{}) {
          if (key.name == "name" && at(key.value).kind == Value::Kind::scalar) all.push_back({at(key.value).text, place_of(entry)});
        }
      }
    }
    return all;
  }
  [[nodiscard]] std::size_t place_of(const Value* value) const { return static_cast<std::size_t>(value - tree_.root()); }

  [[nodiscard]] static bool begins(std::string_view rest, std::string_view name) {
    return !name.empty() && rest.starts_with(name) && (rest.size() == name.size() || rest[name.size()] == '.');
  }
  // Names may have dots of their own: the longest counts.
  [[nodiscard]] std::optional<Named> find(const std::vector<Named>& all) const {
    std::optional<Named> found;
    for (const Named& one : all) {
      if (begins(rest_, one.name) && (!found || one.name.size() > found->name.size())) found = one;
    }
    return found;
  }
  void enter(const Named& one) {
    place_ = one.value;
    rest_.remove_prefix(std::min(rest_.size(), one.name.size() + 1));
  }

  // From the root to the value, or to the mapping whose key `rest_` then is.
  void descend() {
    if (!find(named_in(0))) {
      enter_without_heading();
    }
    while (!rest_.empty()) {
      const std::vector<Named> all = named_in(place_);
      const auto found = find(all);
      if (found) {
        above_.push_back(place_);
        enter(*found);
      } else if (at(place_).kind == Value::Kind::mapping && rest_.find('.') == std::string_view::npos) {
        return;
      } else {
        refuse(all);
      }
    }
  }

  // `gpu.sms` and `camera.T`: pools, DAGs, tasks and chains by their names alone.
  void enter_without_heading() {
    constexpr std::array<std::string_view, 5> headings{"platform", "executors", "dags", "tasks", "chains"};
    std::vector<Named> all;
    std::size_t in = 0, times = 0;
    std::optional<Named> found;
    for (const Named& heading : named_in(0)) {
      if (std::ranges::find(headings, heading.name) == headings.end()) continue;
      const std::vector<Named> here = named_in(heading.value);
      all.insert(all.end(), here.begin(), here.end());
      const auto one = find(here);
      if (!one || (found && found->name.size() > one->name.size())) continue;
      times = found && found->name.size() == one->name.size() ? times + 1 : 1;
      found = one;
      in = heading.value;
    }
    if (!found) refuse(all);
    if (times > 1) {
      throw UserError(fmt::format("{}: several things are called {}; begin with platform., executors., dags., tasks. or chains.",
                                  setting_.place, quote(found->name)));
    }
    above_ = {0, in};
    enter(*found);
  }

  [[noreturn]] void refuse(const std::vector<Named>& all) const {
    const std::string_view word = rest_.substr(0, rest_.find('.'));
    std::vector<std::string_view> names;
    names.reserve(all.size());
    for (const Named& one : all) names.push_back(one.name);
    if (names.empty()) {
      const std::string_view before = std::string_view(setting_.place).substr(0, setting_.place.size() - rest_.size());
      throw UserError(fmt::format("{}: {} is {}, in which nothing has a name", setting_.place,
                                  quote(before.substr(0, before.size() - std::min<std::size_t>(before.size(), 1))), kind_text(at(place_))));
    }
    throw UserError(
        fmt::format("{}: there is no {}{} (there is: {})", setting_.place, quote(word), suggestion(word, names), joined(names)));
  }

  YamlTree& tree_;
  const Setting& setting_;
  std::string_view rest_;  // of the place; at the end of the way a key that comes to a mapping, or nothing
  std::size_t place_ = 0;
  std::vector<std::size_t> above_;  // what `place_` stands in
};

}  // namespace

void change(YamlTree& tree, const Setting& setting) { Change(tree, setting).make(); }

}  // namespace rta::io
