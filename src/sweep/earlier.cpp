#include "earlier.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "journal.hpp"
#include "rta/model/error.hpp"

namespace rta::sweep {

namespace fs = std::filesystem;

Earlier::Earlier(const Plan& plan, const fs::path& folder) : plan_(plan), path_(folder / name) {
  if (!fs::exists(path_)) return;
  file_.open(path_, std::ios::binary);
  if (!file_) throw std::system_error(errno, std::generic_category(), path_.string());
  std::getline(file_, line_);  // the header
  ++line_number_;
  next();
}

void Earlier::next() {
  const auto before = row_ ? std::optional(std::pair(row_->point, row_->set)) : std::nullopt;
  row_.reset();
  if (!std::getline(file_, line_)) return;
  ++line_number_;
  try {
    if (file_.eof()) throw UserError("the last line has no end");
    row_ = parse_row(line_, plan_.timing);
    if (before && std::pair(row_->point, row_->set) < *before) throw UserError("the rows are not in their order");
  } catch (const UserError& e) {
    throw UserError(fmt::format("{}:{}: {}; remove the file and run the sweep again", path_.string(), line_number_, e.what()));
  }
}

void Earlier::skip_to(std::uint64_t point, std::uint64_t set) {
  while (row_ && std::pair(row_->point, row_->set) < std::pair(point, set)) next();
}

KnownOutcomes Earlier::of(const Chunk& chunk) {
  KnownOutcomes known(chunk.count, std::vector<std::optional<Outcome>>(plan_.analyses.size()));
  skip_to(chunk.point, chunk.first);
  for (; row_ && row_->point == chunk.point && row_->set < chunk.first + chunk.count; next()) {
    const auto choice =
        std::find_if(plan_.analyses.begin(), plan_.analyses.end(), [&](const AnalysisChoice& a) { return a.name == row_->analysis; });
    if (choice == plan_.analyses.end()) continue;
    known[row_->set - chunk.first][static_cast<std::size_t>(choice - plan_.analyses.begin())] = row_->outcome;
  }
  return known;
}

void set_rows_aside(const Plan& plan, std::uint64_t sets, const fs::path& folder) {
  constexpr std::size_t block = std::size_t{1} << 20;
  if (fs::exists(folder / Journal::table_name)) {
    fs::rename(folder / Journal::table_name, folder / Earlier::name);
  } else if (fs::exists(folder / Journal::part_name)) {
    // An extension that was not finished goes over to a larger one: what it had not yet taken from the earlier rows follows its own. Until
    // the file has its new name those do not count.
    const std::uint64_t chunks = Journal(folder, table_header(plan.timing)).chunks();
    Plan smaller;
    smaller.sets = sets;
    smaller.points.resize(plan.points.size());
    const Chunks all(smaller);
    File part(folder / Journal::part_name, O_RDWR | O_APPEND);
    Earlier earlier(plan, folder);
    if (chunks < all.size()) {
      const Chunk first = all[chunks];
      earlier.skip_to(first.point, first.first);
      std::string rows;
      for (; earlier.row_; earlier.next()) {
        rows += earlier.line_ + "\n";
        if (rows.size() < block) continue;
        part.append(rows);
        rows.clear();
      }
      part.append(rows);
    }
    part.to_disk();
    fs::rename(folder / Journal::part_name, folder / Earlier::name);
  }
  fs::remove(folder / Journal::journal_name);
  fs::remove(folder / "summary.csv");  // the last file of a sweep that is whole
}

}  // namespace rta::sweep
