// What reading a text says.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "rta/io/diagnostic.hpp"
#include "rta/io/task_set_file.hpp"

namespace rta::test {

/// The errors of `text` as a file `f.yaml`; none when it can be read.
inline std::vector<std::string> errors(std::string_view text) {
  std::vector<std::string> messages;
  try {
    static_cast<void>(io::parse_task_set(text, "f.yaml"));
  } catch (const io::InputError& error) {
    for (const io::Diagnostic& diagnostic : error.diagnostics()) messages.push_back(diagnostic.text());
  }
  return messages;
}

/// The errors of a one-DAG file whose node `a` on `cpu` or `gpu` reads `node` (line 8, values from column 10 on).
inline std::vector<std::string> node_errors(std::string_view node) {
  std::string text =
      "platform:\n"
      "  cpu: {processors: 4}\n"
      "  gpu: {device: titan-v}\n"
      "dags:\n"
      "  - name: d\n"
      "    T: 10 ms\n"
      "    nodes:\n"
      "      a: ";
  return errors(text.append(node));
}

using Errors = std::vector<std::string>;

}  // namespace rta::test

template <>
struct doctest::StringMaker<rta::test::Errors> {
  static doctest::String convert(const rta::test::Errors& errors) {
    std::string text;
    for (const std::string& error : errors) text += "\n  " + error;
    return text.c_str();
  }
};
