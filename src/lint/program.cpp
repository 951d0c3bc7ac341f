#include "program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "call_table.hpp"
#include "expressions.hpp"
#include "libraries.hpp"
#include "template_libraries.hpp"

namespace rta::lint {
namespace {

// Members of a vector that may allocate; erase does, for what it moves.
bool changes(std::string_view member) {
  constexpr std::array<std::string_view, 8> all{"assign",    "emplace_back", "erase",  "insert",
                                                "push_back", "reserve",      "resize", "shrink_to_fit"};
  return std::ranges::find(all, member) != all.end();
}

bool is_iterator(std::string_view member) {
  constexpr std::array<std::string_view, 6> all{"begin", "cbegin", "cend", "crbegin", "end", "rbegin"};
  return std::ranges::find(all, member) != all.end();
}

// What ends before an iterator is `*` or `*(`, and no product.
bool is_dereferenced(const Code& code, std::uint32_t before) {
  if (code.is(before, "(")) --before;
  const Token& factor = code[before - 1];
  const bool product = (factor.is_name() && !factor.is("return")) || factor.kind == TokenKind::number || factor.is(")") || factor.is("]");
  return code.is(before, "*") && !product;
}

std::uint64_t pair_of(std::uint32_t unit, std::uint32_t token) { return (std::uint64_t{unit} << 32U) | token; }

std::string canonical(const std::string& path) {
  std::error_code unknown;
  const std::filesystem::path absolute = std::filesystem::weakly_canonical(path, unknown);
  return unknown ? path : absolute.string();
}

Site site_of(std::uint32_t unit, std::uint32_t token, const Token& name, std::uint32_t node) {
  Site site;
  site.unit = unit;
  site.token = token;
  site.offset = name.offset;
  site.length = name.length;
  site.name = name.text;
  site.node = node;
  return site;
}

bool accepts(const Function& function, std::size_t arguments) {
  const auto required = std::ranges::count_if(function.parameters, [](const Parameter& p) { return !p.has_default && !p.is_pack; });
  const bool open = std::ranges::any_of(function.parameters, &Parameter::is_pack);
  return arguments >= static_cast<std::size_t>(required) && (open || arguments <= function.parameters.size());
}

}  // namespace

Program::Program(Units units, std::span<const Ast> asts, const Judge& judge) : units_(units), judge_(judge) {
  for (std::uint32_t u = 0; u < units_.size(); ++u) by_path_.emplace(canonical(units_[u]->file().name()), u);
  add_nodes();
  add_receivers();
  match_clang(asts);
  find_device_vectors();
  for (std::uint32_t u = 0; u < units_.size(); ++u) {
    add_calls(u);
    add_bare_macros(u);
    add_elements(u);
    add_unknown_libraries(u);
    add_macros(u);
  }
  add_clang_calls(asts);
}

void Program::add_nodes() {
  for (const auto& unit : units_) {
    first_node_.push_back(static_cast<std::uint32_t>(nodes_.size()));
    for (const Function& function : unit->functions()) {
      const auto number = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({function.qualified, {}, false});
      functions_.push_back(&function);
      units_of_nodes_.push_back(unit.get());
      if (function.is_code && !function.is_device) by_name_[function.name].push_back(number);
    }
    for (const MacroBody& macro : unit->macros()) {
      const auto number = static_cast<std::uint32_t>(nodes_.size());
      if (macro.macro->has_parameters) {
        by_name_[macro.macro->name].push_back(number);
      } else if (!macro.calls.empty()) {
        bare_macros_[macro.macro->name].push_back(number);
      }
      nodes_.push_back({std::string(macro.macro->name), {}, true});
      functions_.push_back(nullptr);
      units_of_nodes_.push_back(unit.get());
    }
  }
}

// `T x`, `const T& x`, `std::vector<T> x`: on x, functions of T are called.
void Program::add_receivers() {
  std::set<std::string_view> types;
  for (const Function* function : functions_) {
    if (function != nullptr && !function->type.empty()) types.insert(function->type);
  }
  for (const auto& unit : units_) {
    const Code& code = unit->code();
    for (std::uint32_t i = 0; i < code.size(); ++i) {
      if (code[i].kind != TokenKind::identifier || !types.contains(code[i].text)) continue;
      std::uint32_t k = i + 1;
      while (code.is(k, ">") || code.is(k, "&") || code.is(k, "*") || code.is(k, "&&") || code.is(k, "const")) ++k;
      if (code[k].is_name() && !is_keyword(code[k].text)) receivers_[code[k].text].insert(*types.find(code[i].text));
    }
  }
}

/// Whether the object on which something is called may be of the function's type.
bool Program::may_receive(const Code& code, const Call& call, const Function& function, const Function* caller) const {
  if (function.type.empty()) return false;
  // Names that containers, pointers, locks and threads have, too.
  constexpr std::array common = std::to_array<std::string_view>(
      {"at",         "back",       "begin",    "c_str", "clear", "close",     "count", "data",    "detach",  "emplace", "empty",
       "end",        "erase",      "exchange", "find",  "flush", "front",     "get",   "insert",  "join",    "load",    "lock",
       "notify_all", "notify_one", "open",     "pop",   "push",  "push_back", "read",  "release", "reserve", "reset",   "resize",
       "size",       "start",      "stop",     "store", "str",   "swap",      "top",   "unlock",  "value",   "wait",    "write"});
  std::uint32_t k = call.token - 2;  // before the point or arrow
  if (code.is(k, "]")) {
    // `v[i].f()`: back to the bracket's beginning.
    std::uint32_t depth = 0;
    constexpr std::uint32_t farthest = 64;
    for (const std::uint32_t first = k; k > 0 && first - k < farthest; --k) {
      if (code.is(k, "]")) ++depth;
      if (code.is(k, "[") && --depth == 0) break;
    }
    k = k > 0 ? k - 1 : 0;
  }
  if (code.is(k, "this")) return caller == nullptr || caller->type == function.type;
  const auto declared = code[k].is_name() ? receivers_.find(code[k].text) : receivers_.end();
  if (declared != receivers_.end()) return declared->second.contains(function.type);
  return std::ranges::find(common, call.name) == common.end();
}

// Calls that clang saw, by the tokens of their names; functions that it knows, by the nodes that they are.
void Program::match_clang(std::span<const Ast> asts) {
  for (const Ast& ast : asts) {
    std::vector<std::uint32_t>& units = units_of_files_.emplace_back();
    for (const std::string& file : ast.files) {
      const auto at = by_path_.find(canonical(file));
      units.push_back(at == by_path_.end() ? no_index : at->second);
    }
    for (const AstFunction& function : ast.functions) {
      if (!function.has_body || by_key_.contains(function.key)) continue;
      const std::uint32_t u = units[function.file];
      if (u == no_index) {
        by_key_.emplace(function.key, static_cast<std::uint32_t>(nodes_.size()));
        nodes_.push_back({function.name, {}, false});
        functions_.push_back(nullptr);
        units_of_nodes_.push_back(nullptr);
        continue;
      }
      const Unit& unit = *units_[u];
      const std::uint32_t token = unit.file().token_at(function.offset);
      const std::uint32_t f = unit.function_at(token);
      if (f != no_index && unit.functions()[f].head.contains(token)) by_key_.emplace(function.key, first_node_[u] + f);
    }
    for (const AstCall& call : ast.calls) {
      const std::uint32_t u = units[call.file];
      if (u == no_index || call.from_macro) continue;
      const Code& code = units_[u]->code();
      for (std::uint32_t token = units_[u]->file().token_at(call.begin); token < code.size() && code[token].offset <= call.end; ++token) {
        if (code[token].is_name() && code[token].text == call.name) {
          Clang& known = by_token_[pair_of(u, token)];
          // An instance of a template says more than the template.
          if (known.call == nullptr || (!known.call->resolved && call.resolved)) known = {&ast, &call};
        }
      }
    }
  }
}

const Program::Clang* Program::clang_of(std::uint32_t unit, const Call& call) const {
  const auto at = by_token_.find(pair_of(unit, call.token));
  return at == by_token_.end() ? nullptr : &at->second;
}

std::uint32_t Program::node_of(const Ast& ast, std::int64_t function) const {
  if (function < 0) return no_index;
  const auto at = by_key_.find(ast.functions[static_cast<std::size_t>(function)].key);
  return at == by_key_.end() ? no_index : at->second;
}

void Program::add(Site site) {
  if (site.hits.empty() && site.callees.empty()) return;
  const auto number = static_cast<std::uint32_t>(sites_.size());
  if (site.node != no_index) nodes_[site.node].sites.push_back(number);
  sites_.push_back(std::move(site));
}

void Program::add_calls(std::uint32_t u) {
  const Unit& unit = *units_[u];
  for (const Call& call : unit.calls()) {
    const std::uint32_t f = unit.function_at(call.token);
    if (f != no_index && unit.functions()[f].is_device && !unit.functions()[f].head.contains(call.token)) {
      auto hits = judge_.hits_on_device(unit, call);
      if (hits.empty()) continue;
      Site site = site_of(u, call.token, unit.code()[call.token], no_index);
      site.hits = std::move(hits);
      add(std::move(site));
      continue;
    }
    add_call(u, f == no_index ? no_index : first_node_[u] + f, unit.code(), call, false);
  }
}

// `#define WAIT cudaDeviceSynchronize()` is used by its name alone.
void Program::add_bare_macros(std::uint32_t u) {
  const Unit& unit = *units_[u];
  const Code& code = unit.code();
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    if (code[i].kind != TokenKind::identifier || code.is(i + 1, "(")) continue;
    const auto at = bare_macros_.find(code[i].text);
    const std::uint32_t f = at == bare_macros_.end() ? no_index : unit.function_at(i);
    if (f == no_index || unit.functions()[f].is_device || !unit.functions()[f].body.contains(i)) continue;
    Site site = site_of(u, i, code[i], first_node_[u] + f);
    site.callees = at->second;
    add(std::move(site));
  }
}

// Of vectors on the device: of a function, and of a file or a class.
void Program::add_elements(std::uint32_t u) {
  const Unit& unit = *units_[u];
  const auto functions = unit.functions();
  std::set<std::pair<std::uint32_t, std::string_view>> local;
  for (const Variable& variable : unit.variables()) {
    const std::uint32_t f = variable.function;
    if (f == no_index || !functions[f].is_code) continue;
    local.emplace(f, variable.name);
    if (variable.storage != Storage::device) continue;
    for (std::uint32_t i = variable.token + 1; i < functions[f].body.end; ++i) add_element(u, f, variable.name, i);
  }
  if (device_vectors_.empty()) return;
  for (std::uint32_t i = 0; i < unit.code().size(); ++i) {
    const std::string_view name = unit.code()[i].text;
    const bool of_file = device_vectors_.contains({std::string_view(), name});
    const std::uint32_t f = of_file || vector_members_.contains(name) ? unit.function_at(i) : no_index;
    if (f == no_index || !functions[f].body.contains(i) || local.contains({f, name})) continue;
    if (of_file || device_vectors_.contains({functions[f].type, name})) add_element(u, f, name, i);
  }
}

// Those of the same name and class that are something else make it unknown.
void Program::find_device_vectors() {
  for (const bool of_device : {true, false}) {
    for (const auto& unit : units_) {
      for (const Variable& variable : unit->variables()) {
        const bool local = variable.function != no_index && unit->functions()[variable.function].is_code;
        if (local || (variable.storage == Storage::device) != of_device) continue;
        if (of_device) {
          device_vectors_.emplace(variable.type, variable.name);
        } else {
          device_vectors_.erase({variable.type, variable.name});
        }
      }
    }
  }
  for (const auto& [type, name] : device_vectors_) {
    if (!type.empty()) vector_members_.insert(name);
  }
}

// `v[i]` and `*v.begin()`, of which `&v[i]` copies nothing, `h = v`, and what makes it larger, moves what is in it or replaces it.
void Program::add_element(std::uint32_t u, std::uint32_t f, std::string_view vector, std::uint32_t i) {
  const Unit& unit = *units_[u];
  const Code& code = unit.code();
  if (!code.is(i, vector) || unit.functions()[f].is_device || code.is(i - 1, ".") || code.is(i - 1, "::")) return;
  const bool of_this = code.is(i - 1, "->") && code.is(i - 2, "this");
  if (code.is(i - 1, "->") && !of_this) return;
  const auto found = [&](std::vector<Hit> hits) {
    Site site = site_of(u, i, code[i], first_node_[u] + f);
    site.hits = std::move(hits);
    add(std::move(site));
  };
  const std::uint32_t before = of_this ? i - 3 : i - 1;
  const bool calls = (code.is(i + 1, ".") || code.is(i + 1, "->")) && code.is(i + 3, "(");
  const bool changed = calls && changes(code[i + 2].text);
  const bool assigned =
      code.is(i + 1, "=") && (code.is(before, ";") || code.is(before, "{") || code.is(before, "}") || code.is(before, ")"));
  if (changed || assigned) found(judge_.growth(vector, changed ? code[i + 2].text : "assignment"));
  const bool element = code.is(i + 1, "[") && !code.is(before, "&");
  if (element || (calls && is_iterator(code[i + 2].text) && is_dereferenced(code, before))) found({Judge::element_copy(vector)});
  const bool copied = code.is(before, "=") && code.is(i + 1, ";");
  if (copied && judge_.is_on_host(unit, {before - 1, before})) found({Judge::copy_to_host(vector)});
}

void Program::add_unknown_libraries(std::uint32_t u) {
  const Unit& unit = *units_[u];
  for (const Include& include : unit.file().tokens().includes) {
    if (!is_unknown_library(include.path)) continue;
    Site site;
    site.unit = u;
    site.offset = include.offset;
    site.length = static_cast<std::uint32_t>(include.path.size());
    site.name = include.path;
    site.token = unit.file().token_at(include.offset);
    const lint::Rule& unknown = rule(RuleId::unknown_library);
    site.hits.push_back({unknown.id, unknown.level, fmt::format("{} {}", include.path, unknown.says), true});
    add(std::move(site));
  }
}

void Program::add_macros(std::uint32_t u) {
  const Unit& unit = *units_[u];
  const auto first = first_node_[u] + static_cast<std::uint32_t>(unit.functions().size());
  for (std::uint32_t m = 0; m < unit.macros().size(); ++m) {
    for (const Call& call : unit.macros()[m].calls) add_call(u, first + m, unit.macros()[m].code, call, true);
  }
}

void Program::add_call(std::uint32_t u, std::uint32_t node, const Code& code, const Call& call, bool in_macro) {
  if (call.on_device) return;
  const Unit& unit = *units_[u];
  Site site = site_of(u, in_macro ? no_index : call.token, code[call.token], node);
  site.name = call.name;
  const Clang* const clang = in_macro ? nullptr : clang_of(u, call);
  const bool bare = call.begin == call.token;  // a function of the program's own may be called so
  if (template_library_of(unit.library_names(), code, call) != TemplateLibrary::none && !(bare && !candidates(u, code, call).empty())) {
    site.hits = judge_.hits_of_template(unit, code, call, clang == nullptr ? nullptr : clang->call);
    add(std::move(site));
    return;
  }
  const AstFunction* resolved = nullptr;
  if (clang != nullptr && clang->call->callee >= 0) resolved = &clang->ast->functions[static_cast<std::size_t>(clang->call->callee)];
  const bool settled = clang != nullptr && clang->call->resolved;
  if (settled && resolved != nullptr && resolved->is_virtual) {
    site.is_virtual = true;
    site.callees = candidates(u, code, call);
  } else if (settled) {
    if (const std::uint32_t callee = node_of(*clang->ast, clang->call->callee); callee != no_index) site.callees.push_back(callee);
  } else if (call.kind == Call::Kind::construction) {
    // Two calls: of a constructor here, of the destructor where the scope ends.
    Site end = site;
    end.callees = of_type("~" + std::string(call.name));
    add(std::move(end));
    site.callees = of_type(std::string(call.name));
  } else if (call.kind == Call::Kind::call) {
    site.callees = candidates(u, code, call);
  }
  // A function of the program's own may have the name of one of CUDA's.
  const bool own = (resolved != nullptr && resolved->has_body) || (!settled && !site.callees.empty());
  const bool qualified = call.begin < call.token && !call.is_member && code[call.begin].is_name() &&
                         !(code.is(call.begin, "std") || code.is(call.begin, "thrust") || code.is(call.begin, "nvinfer1"));
  if (!own && !(qualified && !settled)) site.hits = judge_.hits(unit, code, call, clang == nullptr ? nullptr : clang->call);
  if (auto hit = default_stream(u, code, call, site.callees)) site.hits.push_back(*std::move(hit));
  add(std::move(site));
}

/// A function with a parameter that is a stream, and the NULL stream unless it is given.
std::optional<Hit> Program::default_stream(std::uint32_t u, const Code& code, const Call& call,
                                           const std::vector<std::uint32_t>& callees) const {
  if (callees.empty() || call.kind != Call::Kind::call) return std::nullopt;
  std::string_view parameter;
  for (const std::uint32_t callee : callees) {
    const Function* const function = functions_[callee];
    if (function == nullptr) return std::nullopt;
    const Code& declared = units_of_nodes_[callee]->code();
    const auto null_by_default = [&](const Parameter& p) {
      return p.is_stream && p.has_default && is_null_stream(declared, p.default_value);
    };
    const auto at = std::ranges::find_if(function->parameters, null_by_default);
    if (at == function->parameters.end()) return std::nullopt;
    const auto index = static_cast<std::size_t>(at - function->parameters.begin());
    const bool missing = call.arguments.size() <= index;
    if (!missing && !judge_.is_null_stream(*units_[u], code, call.arguments[index])) return std::nullopt;
    parameter = at->name;
  }
  if (!judge_.default_is_null()) return std::nullopt;
  const lint::Rule& broken = rule(RuleId::null_stream);
  return Hit{broken.id, broken.level, fmt::format("{} {}, as its parameter '{}' is by default", call.name, broken.says, parameter), false};
}

std::vector<std::uint32_t> Program::of_type(const std::string& name) const {
  const auto at = by_name_.find(name);
  if (at == by_name_.end()) return {};
  std::vector<std::uint32_t> members;
  for (const std::uint32_t node : at->second) {
    const Function* const function = functions_[node];
    if (function != nullptr && (function->type == name || "~" + function->type == name)) members.push_back(node);
  }
  return members;
}

std::vector<std::uint32_t> Program::candidates(std::uint32_t u, const Code& code, const Call& call) const {
  const auto at = by_name_.find(call.name);
  if (at == by_name_.end()) return {};
  std::string qualified;
  if (!call.is_member && call.begin < call.token) {
    for (std::uint32_t k = call.begin; k <= call.token; ++k) qualified += code[k].text;
  }
  const bool global = qualified.starts_with("::");
  if (global) qualified.erase(0, 2);
  const std::uint32_t f = &code == &units_[u]->code() ? units_[u]->function_at(call.token) : no_index;
  const Function* const caller = f == no_index ? nullptr : &units_[u]->functions()[f];
  std::vector<std::uint32_t> found;
  for (const std::uint32_t node : at->second) {
    const Function* const function = functions_[node];
    if (function == nullptr) {
      if (nodes_[node].is_macro && qualified.empty() && !call.is_member) found.push_back(node);
      continue;
    }
    if (!accepts(*function, call.arguments.size())) continue;
    if (call.is_member && !may_receive(code, call, *function, caller)) continue;
    if (!qualified.empty() && function->qualified != qualified && !(!global && function->qualified.ends_with("::" + qualified))) continue;
    found.push_back(node);
  }
  // A file's own functions come before those of others that have the same name.
  if (!call.is_member) {
    const auto mine = [&](std::uint32_t node) { return units_of_nodes_[node] == units_[u].get(); };
    if (std::ranges::any_of(found, mine)) std::erase_if(found, [&](std::uint32_t node) { return !mine(node); });
  }
  return found;
}

// Calls in the bodies of macros stand where the macro is used; those in files that were not read belong to the functions there.
void Program::add_clang_calls(std::span<const Ast> asts) {
  for (std::size_t a = 0; a < asts.size(); ++a) {
    const Ast& ast = asts[a];
    for (const AstCall& call : ast.calls) {
      const std::uint32_t u = units_of_files_[a][call.file];
      if (u != no_index && !call.from_macro) continue;
      Site site;
      site.unit = u;
      site.offset = call.begin;
      site.length = call.end - call.begin;
      site.place = {ast.files[call.file], call.line, call.column};
      site.name = call.name;
      if (const std::uint32_t callee = node_of(ast, call.callee); callee != no_index) site.callees.push_back(callee);
      if (u == no_index) {
        site.node = node_of(ast, call.caller);
        if (site.node == no_index) continue;
      } else {
        const std::uint32_t token = units_[u]->file().token_at(call.begin);
        const std::uint32_t f = units_[u]->function_at(token);
        if (f == no_index || units_[u]->functions()[f].is_device) continue;
        site.token = token;
        site.node = first_node_[u] + f;
      }
      const bool own = call.callee >= 0 && ast.functions[static_cast<std::size_t>(call.callee)].has_body;
      if (!own) site.hits = judge_.hits(call);
      add(std::move(site));
    }
  }
}

Place Program::place(const Site& site) const { return site.unit == no_index ? site.place : units_[site.unit]->file().place(site.offset); }

bool Program::understands(std::uint32_t unit, const Call& call) const {
  return is_listed(plain_name(call.name)) || by_name_.contains(call.name) || clang_of(unit, call) != nullptr;
}

}  // namespace rta::lint
