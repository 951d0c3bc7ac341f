// All files together: functions and macros, who calls whom, and which calls break a rule.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ast.hpp"
#include "judge.hpp"
#include "unit.hpp"

namespace rta::lint {

/// A call that breaks a rule, or that leads to a function that was read.
struct Site {
  std::uint32_t unit = no_index;   // of the files that were read; none: clang alone saw the file
  std::uint32_t token = no_index;  // of the name; none: clang alone saw it
  std::uint32_t offset = 0, length = 0;
  Place place;  // where there is no unit
  std::string_view name;
  std::vector<Hit> hits;
  std::vector<std::uint32_t> callees;  // one of these nodes is called; of overloads that tokens cannot tell apart, several
  bool is_virtual = false;             // any of them may be called
  std::uint32_t node = no_index;       // it is part of
};

/// A function or a macro.
struct Node {
  std::string name;
  std::vector<std::uint32_t> sites;
  bool is_macro = false;
};

class Program {
 public:
  /// All outlive this; asts by the files that they were made of.
  Program(Units units, std::span<const Ast> asts, const Judge& judge);

  [[nodiscard]] const std::vector<Site>& sites() const { return sites_; }
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  /// The node of a function of a file that was read.
  [[nodiscard]] std::uint32_t node_of(std::uint32_t unit, std::uint32_t function) const { return first_node_[unit] + function; }
  [[nodiscard]] Place place(const Site& site) const;
  /// Clang knew what is called here, or the name is that of a function that was read, or of a call that the table lists.
  [[nodiscard]] bool understands(std::uint32_t unit, const Call& call) const;

 private:
  struct Clang {
    const Ast* ast = nullptr;
    const AstCall* call = nullptr;
  };
  void add_nodes();
  void add_receivers();
  void match_clang(std::span<const Ast> asts);
  void add_calls(std::uint32_t unit);
  void add_bare_macros(std::uint32_t unit);
  void add_elements(std::uint32_t unit);
  void add_element(std::uint32_t unit, std::uint32_t function, std::string_view vector, std::uint32_t token);
  void find_device_vectors();
  void add_unknown_libraries(std::uint32_t unit);
  void add_macros(std::uint32_t unit);
  void add_call(std::uint32_t unit, std::uint32_t node, const Code& code, const Call& call, bool in_macro);
  void add_clang_calls(std::span<const Ast> asts);
  void add(Site site);
  [[nodiscard]] std::vector<std::uint32_t> candidates(std::uint32_t unit, const Code& code, const Call& call) const;
  [[nodiscard]] bool may_receive(const Code& code, const Call& call, const Function& function, const Function* caller) const;
  [[nodiscard]] std::vector<std::uint32_t> of_type(const std::string& name) const;
  [[nodiscard]] const Clang* clang_of(std::uint32_t unit, const Call& call) const;
  [[nodiscard]] std::uint32_t node_of(const Ast& ast, std::int64_t function) const;
  [[nodiscard]] std::optional<Hit> default_stream(std::uint32_t unit, const Code& code, const Call& call,
                                                  const std::vector<std::uint32_t>& callees) const;

  Units units_;
  const Judge& judge_;
  std::vector<Site> sites_;
  std::vector<Node> nodes_;
  std::set<std::pair<std::string_view, std::string_view>> device_vectors_;        // outside of functions: class or none, name
  std::set<std::string_view> vector_members_;                                     // names of those of classes
  std::unordered_map<std::string_view, std::set<std::string_view>> receivers_;    // types of the program that variables are declared with
  std::vector<std::uint32_t> first_node_;                                         // of each unit's functions
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> by_name_;      // nodes of functions that run on the host, and of macros
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> bare_macros_;  // nodes of macros without parameters
  std::vector<const Function*> functions_;                                        // of nodes; null: a macro, or clang's alone
  std::vector<const Unit*> units_of_nodes_;
  std::unordered_map<std::string, std::uint32_t> by_path_;  // units
  std::vector<std::vector<std::uint32_t>> units_of_files_;  // by syntax tree and file
  std::unordered_map<std::string, std::uint32_t> by_key_;   // nodes of functions that clang knows
  std::unordered_map<std::uint64_t, Clang> by_token_;       // unit and token: calls that clang resolved
};

}  // namespace rta::lint
