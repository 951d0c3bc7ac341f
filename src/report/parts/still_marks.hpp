// Marks of charts that stand still, as SVG.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rta::report {

inline constexpr double still_text = 11;  // size of texts, in pixels

/// What a path looks like, as attributes.
struct StillLook {
  std::string fill = "none", stroke = "none";
  double fill_opacity = 1, stroke_opacity = 1, stroke_width = 1, opacity = 1;
  std::vector<double> dash = {};

  [[nodiscard]] std::string attributes() const;
};

struct StillText {
  double x = 0, y = 0;
  std::string text;
  std::string_view anchor = "start";  // middle, end
  double size = still_text;
  std::string fill = "var(--ink)";
  double limit = 0;                      // of its width; 0: none
  bool italic = false, upright = false;  // upright: from below to above
};

/// Collects paths and texts, and how much room they take. Paths of one look that follow each other become one.
class StillCanvas {
 public:
  void rectangle(double left, double top, double right, double bottom, const StillLook& look);
  void line(double x1, double y1, double x2, double y2, const StillLook& look);
  /// `path` as SVG writes it, within the rectangle of its corners.
  void path(const std::string& path, std::pair<double, double> least, std::pair<double, double> most, const StillLook& look);
  void text(const StillText& text);
  /// What follows is cut at this rectangle from the origin, until `unclip`, and takes no room of its own.
  void clip(double width, double height);
  void unclip();
  /// Ends a run of paths, so that later ones lie above.
  void flush();

  [[nodiscard]] double left() const { return left_; }
  [[nodiscard]] double right() const { return right_; }
  [[nodiscard]] double top() const { return top_; }
  [[nodiscard]] double bottom() const { return bottom_; }
  /// All as one picture with a margin.
  [[nodiscard]] std::string svg();

 private:
  void room(double x, double y);

  std::string out_;
  std::vector<std::pair<std::string, std::string>> paths_;  // attributes, path
  bool clipped_ = false;
  double left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;
};

}  // namespace rta::report
