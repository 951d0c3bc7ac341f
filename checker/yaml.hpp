// YAML as the checker reads it, with libyaml for the syntax alone: values with the place of what is wrong.
#pragma once

#include <yaml.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "number.hpp"

namespace checker {

/// All throw `BadInput` with LINE:COLUMN.
class Document {
 public:
  explicit Document(std::string_view text);
  ~Document() { yaml_document_delete(&document_); }
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  [[nodiscard]] const yaml_node_t* root() { return yaml_document_get_root_node(&document_); }
  [[nodiscard]] const yaml_node_t* at(int index) { return yaml_document_get_node(&document_, index); }
  static std::string place(const yaml_mark_t& mark) { return std::to_string(mark.line + 1) + ":" + std::to_string(mark.column + 1) + ": "; }

 private:
  yaml_document_t document_{};
};

[[noreturn]] void fail(const yaml_node_t& at, const std::string& what);
[[nodiscard]] std::string_view text_of(const yaml_node_t& node);
[[nodiscard]] std::vector<const yaml_node_t*> list_of(Document& document, const yaml_node_t& node);

/// ns as a fraction in lowest terms: rates have such periods.
struct Period {
  Int of = 0, over = 1;
};

/// In ns.
[[nodiscard]] Int duration(const yaml_node_t& at, std::string_view default_unit);
/// One that a file may have by itself.
[[nodiscard]] Int time(const yaml_node_t& at, std::string_view default_unit);
/// A period, or a rate.
[[nodiscard]] Period period(const yaml_node_t& at, std::string_view default_unit);
[[nodiscard]] Int bytes(const yaml_node_t& at);
[[nodiscard]] Int whole(const yaml_node_t& at);

/// A mapping whose keys are all known; without `keys` any are.
class Mapping {
 public:
  Mapping(Document& document, const yaml_node_t& node, std::initializer_list<std::string_view> keys);
  [[nodiscard]] const yaml_node_t* find(std::string_view key) const;
  [[nodiscard]] const yaml_node_t& need(std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view key, std::string_view otherwise) const;
  [[nodiscard]] bool flag(std::string_view key, bool otherwise) const;
  [[nodiscard]] Int number(std::string_view key, Int otherwise) const;
  [[nodiscard]] const auto& all() const { return all_; }

 private:
  const yaml_node_t& node_;
  std::vector<std::pair<const yaml_node_t*, const yaml_node_t*>> all_;
};

}  // namespace checker
