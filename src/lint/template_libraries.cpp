#include "template_libraries.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "expressions.hpp"

namespace rta::lint {
namespace {

// Thrust's manual: without par_nosync an algorithm waits for its stream. Those that keep intermediate results allocate them.
constexpr std::array<Algorithm, 93> algorithms{{
    {"adjacent_difference", true, false},
    {"all_of", true, true},
    {"any_of", true, true},
    {"binary_search", false, false},
    {"copy", false, false},
    {"copy_if", true, true},
    {"copy_n", false, false},
    {"count", true, true},
    {"count_if", true, true},
    {"equal", true, true},
    {"equal_range", false, false},
    {"exclusive_scan", true, false},
    {"exclusive_scan_by_key", true, false},
    {"fill", false, false},
    {"fill_n", false, false},
    {"find", true, true},
    {"find_if", true, true},
    {"find_if_not", true, true},
    {"for_each", false, false},
    {"for_each_n", false, false},
    {"gather", false, false},
    {"gather_if", false, false},
    {"generate", false, false},
    {"generate_n", false, false},
    {"inclusive_scan", true, false},
    {"inclusive_scan_by_key", true, false},
    {"inner_product", true, true},
    {"is_partitioned", true, true},
    {"is_sorted", true, true},
    {"is_sorted_until", true, true},
    {"lower_bound", false, false},
    {"max_element", true, true},
    {"merge", true, false},
    {"merge_by_key", true, false},
    {"min_element", true, true},
    {"minmax_element", true, true},
    {"mismatch", true, true},
    {"none_of", true, true},
    {"partition", true, true},
    {"partition_copy", true, true},
    {"partition_point", true, true},
    {"reduce", true, true},
    {"reduce_by_key", true, true},
    {"reduce_into", true, false},
    {"remove", true, true},
    {"remove_copy", true, true},
    {"remove_copy_if", true, true},
    {"remove_if", true, true},
    {"replace", false, false},
    {"replace_copy", false, false},
    {"replace_copy_if", false, false},
    {"replace_if", false, false},
    {"reverse", false, false},
    {"reverse_copy", false, false},
    {"scatter", false, false},
    {"scatter_if", false, false},
    {"sequence", false, false},
    {"set_difference", true, true},
    {"set_difference_by_key", true, true},
    {"set_intersection", true, true},
    {"set_intersection_by_key", true, true},
    {"set_symmetric_difference", true, true},
    {"set_symmetric_difference_by_key", true, true},
    {"set_union", true, true},
    {"set_union_by_key", true, true},
    {"shuffle", true, false},
    {"shuffle_copy", true, false},
    {"sort", true, false},
    {"sort_by_key", true, false},
    {"stable_partition", true, true},
    {"stable_partition_copy", true, true},
    {"stable_sort", true, false},
    {"stable_sort_by_key", true, false},
    {"swap_ranges", false, false},
    {"tabulate", false, false},
    {"transform", false, false},
    {"transform_exclusive_scan", true, false},
    {"transform_if", false, false},
    {"transform_inclusive_scan", true, false},
    {"transform_reduce", true, true},
    {"transform_reduce_into", true, false},
    {"uninitialized_copy", false, false},
    {"uninitialized_copy_n", false, false},
    {"uninitialized_default_construct", false, false},
    {"uninitialized_fill", false, false},
    {"uninitialized_fill_n", false, false},
    {"uninitialized_value_construct", false, false},
    {"unique", true, true},
    {"unique_by_key", true, true},
    {"unique_by_key_copy", true, true},
    {"unique_copy", true, true},
    {"unique_count", true, true},
    {"upper_bound", false, false},
}};
static_assert(std::ranges::is_sorted(algorithms, {}, &Algorithm::name));

bool is_for_a_device(std::string_view class_of_cub) { return class_of_cub.starts_with("Device"); }

constexpr std::array<std::string_view, 7> host_words{"cpp", "execution", "host", "omp", "seq", "tbb", "unseq"};

}  // namespace

LibraryNames library_names_in(const Code& code) {
  LibraryNames names;
  // The library whose namespace begins at a token, and the token after it.
  const auto library_at = [&](std::uint32_t k) {
    if (code.is(k, "::")) ++k;
    const auto known = names.namespaces.find(code[k].text);
    const TemplateLibrary library = code.is(k, "thrust")              ? TemplateLibrary::thrust
                                    : code.is(k, "cub")               ? TemplateLibrary::cub
                                    : known == names.namespaces.end() ? TemplateLibrary::none
                                                                      : known->second;
    return std::pair(library, k + 1);
  };
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    if (code.is(i, "namespace") && code.is(i + 2, "=")) {
      const auto [library, after] = library_at(i + 3);
      if (library != TemplateLibrary::none) names.namespaces.emplace(code[i + 1].text, library);
    } else if (code.is(i, "using") && code.is(i + 1, "namespace")) {
      const auto [library, after] = library_at(i + 2);
      names.all_of_thrust = names.all_of_thrust || library == TemplateLibrary::thrust;
      names.all_of_cub = names.all_of_cub || library == TemplateLibrary::cub;
    } else if (code.is(i, "typedef") || (code.is(i, "using") && code.is(i + 2, "="))) {
      const bool before = code.is(i, "using");
      const auto [library, after] = library_at(before ? i + 3 : i + 1);
      if (library != TemplateLibrary::cub || !code.is(after, "::") || !is_for_a_device(code[after + 1].text)) continue;
      names.devices.emplace(code[before ? i + 1 : after + 2].text, code[after + 1].text);
    } else if (code.is(i, "using")) {
      const auto [library, after] = library_at(i + 1);
      if (library == TemplateLibrary::none || !code.is(after, "::")) continue;
      std::uint32_t last = after + 1;
      while (code.is(last + 1, "::")) last += 2;
      names.members.emplace(code[last].text, library);
    }
  }
  return names;
}

TemplateLibrary template_library_of(const LibraryNames& names, const Code& code, const Call& call) {
  if (call.is_member || call.kind != Call::Kind::call) return TemplateLibrary::none;
  const bool of_class = call.token >= 2 && code.is(call.token - 1, "::");
  const bool of_device = of_class && is_for_a_device(code[call.token - 2].text);
  if (of_class && call.begin == call.token - 2 && names.devices.contains(code[call.begin].text)) return TemplateLibrary::cub;
  const bool algorithm = algorithm_named(call.name) != nullptr;
  for (std::uint32_t k = call.begin; k < call.token; ++k) {
    const auto alias = names.namespaces.find(code[k].text);
    const TemplateLibrary other = alias == names.namespaces.end() ? TemplateLibrary::none : alias->second;
    if ((code.is(k, "thrust") || other == TemplateLibrary::thrust) && algorithm) return TemplateLibrary::thrust;
    if ((code.is(k, "cub") || other == TemplateLibrary::cub) && of_device) return TemplateLibrary::cub;
  }
  const auto member = [&](std::string_view name, TemplateLibrary library) {
    const auto at = names.members.find(name);
    return at != names.members.end() && at->second == library;
  };
  if (call.begin == call.token && algorithm && (names.all_of_thrust || member(call.name, TemplateLibrary::thrust)))
    return TemplateLibrary::thrust;
  if (of_device && call.begin == call.token - 2 && (names.all_of_cub || member(code[call.begin].text, TemplateLibrary::cub)))
    return TemplateLibrary::cub;
  return TemplateLibrary::none;
}

const Algorithm* algorithm_named(std::string_view name) {
  const auto* const at = std::ranges::lower_bound(algorithms, name, {}, &Algorithm::name);
  return at != algorithms.end() && at->name == name ? at : nullptr;
}

Policy policy_of(const Code& code, Range argument) {
  Policy policy;
  const Range bare = stripped(code, argument);
  for (std::uint32_t k = bare.begin; k < bare.end; ++k) {
    if (!code[k].is_name()) continue;
    const bool called = code.is(k + 1, "(");
    const bool called_on = k > bare.begin && code.is(k - 1, ".");
    if (called_on && code.is(k, "on") && called) {
      policy.stream = {k + 2, std::min(code.match(k + 1), bare.end)};
    } else if (called_on) {
      if (policy.kind == Policy::Kind::none) return policy;  // `v.begin()`
    } else if (code.is(k, "par") || code.is(k, "par_nosync")) {
      if (policy.kind == Policy::Kind::none) policy.kind = Policy::Kind::device;
      policy.waits = code.is(k, "par");
      policy.has_allocator = called;
    } else if (code.is(k, "device") && k > bare.begin) {
      policy.kind = Policy::Kind::device;
    } else if (std::ranges::find(host_words, code[k].text) != host_words.end() && bare.end > bare.begin + 1) {
      policy.kind = Policy::Kind::host;
    }
    if (called) k = code.match(k + 1);
  }
  if (policy.kind == Policy::Kind::none && bare.end == bare.begin + 1 && code[bare.begin].is_name()) {
    const std::string_view name = code[bare.begin].text;
    if (name.find("policy") != std::string_view::npos || name.find("exec") != std::string_view::npos) policy.kind = Policy::Kind::unknown;
  }
  return policy;
}

}  // namespace rta::lint
