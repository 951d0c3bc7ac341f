// What a result was made of and by, for whoever has to defend it later. No printer knows of it: it is put into what was printed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rta::report {

struct Evidence {
  struct Input {
    std::string file;
    std::string sha256;  // of the bytes that were read
    bool operator==(const Input&) const = default;
  };

  std::string command;
  std::vector<std::string> options;  // the words behind the command, in their order
  std::vector<Input> inputs;         // in the order in which they were read
  std::string version;
  std::optional<std::string> commit;  // of the sources; none: they were no Git checkout
  std::string date;
};

/// A finished report in the format of that name, with the evidence in it: JSON has it as its first member, SARIF among its properties, CSV
/// as a last column that is the same in every row, pages before their end, figures in SVG as their description
/// (pdf and png are made of them), JUnit as properties, Markdown and text behind it.
[[nodiscard]] std::string with_evidence(std::string report, std::string_view format, const Evidence& evidence);

}  // namespace rta::report
