#include "topics.hpp"

#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "io/embedded_file.hpp"
#include "markdown_words.hpp"
#include "rta/model/error.hpp"

// RTA_DOCS is the path of docs.
RTA_EMBED(page_readme, RTA_DOCS "/../README.md");
RTA_EMBED(page_assumptions, RTA_DOCS "/guide-assumptions.md");
RTA_EMBED(page_formats, RTA_DOCS "/formats.md");
RTA_EMBED(page_optimize, RTA_DOCS "/guide-optimize.md");
RTA_EMBED(page_output, RTA_DOCS "/guide-output.md");
RTA_EMBED(page_release, RTA_DOCS "/guide-release.md");
RTA_EMBED(page_task_set, RTA_DOCS "/guide-task-set.md");

namespace rta::cli {
namespace {

constexpr std::string_view task_set = "docs/guide-task-set.md", output = "docs/guide-output.md";
constexpr std::array<Topic, 17> all_topics{{{"assumptions", "docs/guide-assumptions.md", ""},
                                            {"chains", task_set, "Chains"},
                                            {"choices", "docs/guide-optimize.md", "What may be open"},
                                            {"edges", task_set, "Edges"},
                                            {"evidence", "docs/formats.md", "Evidence"},
                                            {"exit-status", "README.md", "Exit status"},
                                            {"formats", "docs/formats.md", ""},
                                            {"jitter", task_set, "Jitter and phases"},
                                            {"monotone", "docs/guide-assumptions.md", "What is not monotone"},
                                            {"nodes", task_set, "Nodes"},
                                            {"periodic", task_set, "Periodic releases"},
                                            {"pools", task_set, "Pools"},
                                            {"release", "docs/guide-release.md", ""},
                                            {"rounding", output, "Time and rounding"},
                                            {"schedulers", task_set, "Schedulers"},
                                            {"units", task_set, "Times"},
                                            {"verdict", output, "The verdict"}}};

std::string_view page_named(std::string_view name) {
  if (name == "README.md") return io::embedded(rta_page_readme_begin, rta_page_readme_end);
  if (name == "docs/guide-assumptions.md") return io::embedded(rta_page_assumptions_begin, rta_page_assumptions_end);
  if (name == "docs/formats.md") return io::embedded(rta_page_formats_begin, rta_page_formats_end);
  if (name == "docs/guide-optimize.md") return io::embedded(rta_page_optimize_begin, rta_page_optimize_end);
  if (name == "docs/guide-release.md") return io::embedded(rta_page_release_begin, rta_page_release_end);
  if (name == output) return io::embedded(rta_page_output_begin, rta_page_output_end);
  return io::embedded(rta_page_task_set_begin, rta_page_task_set_end);
}

/// Behind the heading, to the next section.
std::string_view section_of(const Topic& topic) {
  const std::string_view page = page_named(topic.page);
  const std::string heading = topic.section.empty() ? "# " : "\n## " + std::string(topic.section) + "\n";
  const std::size_t at = page.find(heading);
  require(at != std::string_view::npos, "every topic has a section");
  const std::string_view rest = page.substr(std::min(page.find('\n', at + 1), page.size()));
  return rest.substr(0, std::min(rest.find("\n## "), rest.size()));
}

bool is_item(std::string_view line) { return line.starts_with("- "); }

/// Lines of a document, joined to paragraphs.
class Plain {
 public:
  Plain(const std::function<std::string(const std::string&, std::size_t)>& wrapped, std::ostream& out) : wrapped_(wrapped), out_(out) {}

  void take(std::string_view line) {
    if (!line.starts_with('|')) heads_.clear();
    if (line.starts_with("```")) {
      end();
      verbatim_ = !verbatim_;
    } else if (verbatim_) {
      out_ << "    " << line << '\n';
    } else if (line.empty()) {
      end();
      empty_line();
    } else if (line.starts_with("#")) {
      end();
      paragraph_ = line.substr(line.find_first_not_of("# "));
    } else if (line.starts_with("| ") || line.starts_with("|-")) {
      end();
      take_row(line);
    } else if (line.starts_with("    ") && paragraph_.empty()) {
      out_ << line << '\n';
      begun_ = true;
    } else {
      if (is_item(line)) end();
      paragraph_ += (paragraph_.empty() ? "" : " ") + std::string(line.substr(std::min(line.find_first_not_of(' '), line.size())));
      begun_ = true;
    }
  }

  void end() {
    if (paragraph_.empty()) return;
    out_ << wrapped_(plain(paragraph_), is_item(paragraph_) ? 2 : 0);
    paragraph_.clear();
    begun_ = true;
  }

 private:
  /// Before the first line of a page there is none.
  void empty_line() {
    if (begun_) out_ << '\n';
    begun_ = false;
  }

  /// The first cell, and the others below it, where there are several each behind what stands above its column.
  void take_row(std::string_view line) {
    std::vector<std::string> cells = cells_of(line);
    if (line.starts_with("|-") || cells.empty()) return;
    if (heads_.empty()) {
      heads_ = std::move(cells);
      return;
    }
    begun_ = true;
    out_ << wrapped_(cells.front(), 2);
    for (std::size_t c = 1; c < cells.size(); ++c) {
      const bool named = heads_.size() > 2 && c < heads_.size() && !heads_[c].empty();
      if (!cells[c].empty()) out_ << wrapped_(named ? heads_[c] + ": " + cells[c] : cells[c], 6);
    }
  }

  const std::function<std::string(const std::string&, std::size_t)>& wrapped_;
  std::ostream& out_;
  std::string paragraph_;
  std::vector<std::string> heads_;  // of the table that it is in
  bool verbatim_ = false;
  bool begun_ = false;
};

}  // namespace

std::span<const Topic> topics() { return all_topics; }

void print_topic(const Topic& topic, const std::function<std::string(const std::string&, std::size_t indent)>& wrapped, std::ostream& out) {
  Plain text(wrapped, out);
  std::string_view rest = section_of(topic);
  while (rest.starts_with('\n')) rest.remove_prefix(1);
  while (rest.ends_with('\n')) rest.remove_suffix(1);
  while (!rest.empty()) {
    text.take(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(std::min(rest.size(), rest.substr(0, rest.find('\n')).size() + 1));
  }
  text.end();
  out << "\nFrom " << topic.page << ".\n";
}

}  // namespace rta::cli
