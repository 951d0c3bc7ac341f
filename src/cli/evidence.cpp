#include "evidence.hpp"

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>
#include <memory>
#include <optional>
#include <utility>

#include "date.hpp"
#include "io/on_read.hpp"
#include "rta/io/digest.hpp"
#include "rta_commit.hpp"
#include "trace_input.hpp"

namespace rta::cli {
namespace {

struct Folder {
  std::string path;
  std::string lines;
};

// What was read last, where it is kept: its digest takes time that few results need.
struct Undigested {
  std::string file;
  std::shared_ptr<const std::string> content;
};

struct Noted {
  std::string command;
  std::vector<std::string> words;
  std::string date;
  bool in_text = false;
  std::vector<report::Evidence::Input> inputs;
  std::optional<Undigested> last;  // behind the inputs
  std::vector<Folder> folders;
};

/// One program runs one command.
Noted& noted() {
  static Noted all;
  return all;
}

void digest_last() {
  if (const auto last = std::exchange(noted().last, std::nullopt)) note_input(last->file, io::sha256(*last->content));
}

}  // namespace

void begin_evidence(std::string_view command, std::vector<std::string> words, bool in_text) {
  noted() = {.command = std::string(command),
             .words = std::move(words),
             .date = today(),
             .in_text = in_text,
             .inputs = {},
             .last = {},
             .folders = {}};
  io::on_read([](const std::string& name, std::string_view content, std::shared_ptr<const std::string> owner) {
    digest_last();
    if (owner == nullptr) {
      note_input(name, io::sha256(content));
    } else {
      noted().last = {name, std::move(owner)};
    }
  });
}

void add_evidence_option(boost::program_options::options_description& options) {
  options.add_options()(
      "evidence", boost::program_options::bool_switch(),
      "text: say at the end what the result was made of: the command line, the SHA-256 of each file that was read, version and "
      "commit of rta, and the date (all other formats always do)");
}

void note_input(const std::string& file, const std::string& sha256) {
  digest_last();
  const report::Evidence::Input input{file, sha256};
  auto& inputs = noted().inputs;
  if (std::ranges::find(inputs, input) == inputs.end()) inputs.push_back(input);
}

void note_input_in(const std::filesystem::path& folder, const std::string& name, const std::string& sha256) {
  auto& folders = noted().folders;
  auto at = std::ranges::find(folders, folder.string(), &Folder::path);
  if (at == folders.end()) at = folders.insert(folders.end(), {folder.string(), ""});
  at->lines += sha256 + "  " + name + "\n";
}

void note_file(const std::filesystem::path& file) {
  TraceInput input(file.string());
  note_input(input.name(), input.sha256());
}

report::Evidence evidence() {
  digest_last();
  report::Evidence made{.command = noted().command,
                        .options = noted().words,
                        .inputs = noted().inputs,
                        .version = RTA_VERSION,
                        .commit = {},
                        .date = noted().date};
  for (const Folder& folder : noted().folders) made.inputs.push_back({folder.path, io::sha256(folder.lines)});
  if (*RTA_COMMIT != '\0') made.commit = RTA_COMMIT;
  return made;
}

bool evidence_in_text() { return noted().in_text; }

}  // namespace rta::cli
