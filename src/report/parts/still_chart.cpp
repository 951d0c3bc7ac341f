#include "still_chart.hpp"

#include <fmt/format.h>

#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "rta/model/error.hpp"
#include "still_expression.hpp"
#include "still_marks.hpp"
#include "still_scale.hpp"
#include "text_width.hpp"

namespace rta::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr double whole_width = 760;  // with names and titles: what fits a sheet of paper at a legible size

const Json no_datum = Json::object();
const Json none = Json::array();

// A channel of a mark, such as its x or its fill.
using Channel = std::function<Json(const StillScope&)>;

class StillChart final : public StillScope {
 public:
  StillChart(const Json& specification, double width) : spec_(specification) {
    signals_["width"] = width;
    signals_["height"] = spec_.value("height", 200.0);
    for (const Json& signal : all("signals")) signals_.emplace(signal.at("name"), signal.value("value", Json()));
    for (const Json& data : all("data")) add_data(data);
    for (const Json& scale : all("scales")) add_scale(scale);
  }

  StillCanvas drawn() {
    for (const Json& axis : all("axes")) add_grid(axis);
    canvas_.flush();
    for (const Json& mark : all("marks")) add_mark(mark, data_);
    for (const Json& axis : all("axes")) add_axis(axis);
    for (const Json& legend : all("legends")) add_legend(legend);
    return std::move(canvas_);
  }

  [[nodiscard]] const Json& datum() const override { return datum_ == nullptr ? no_datum : *datum_; }
  [[nodiscard]] Json signal(const std::string& name) const override {
    const auto at = signals_.find(name);
    require(at != signals_.end(), "a chart has the signals that it names");
    return at->second;
  }
  [[nodiscard]] double place(const std::string& scale, const Json& value) const override { return scales_.at(scale).place(value); }
  [[nodiscard]] double bandwidth(const std::string& scale) const override { return scales_.at(scale).bandwidth(); }

 private:
  // The rows of each data set, by name; a facet's are known within its group only.
  using Data = std::map<std::string, std::vector<const Json*>>;

  [[nodiscard]] const Json& all(const char* key) const { return spec_.contains(key) ? spec_.at(key) : none; }
  [[nodiscard]] double width() const { return signals_.at("width"); }
  [[nodiscard]] double height() const { return signals_.at("height"); }
  [[nodiscard]] double number(const Json& value) const {
    return value.is_object() ? still_number(still_expression(value.at("signal").get<std::string>())(*this)) : value.get<double>();
  }

  void add_data(const Json& data) {
    std::vector<const Json*> rows;
    if (data.contains("source")) {
      rows = data_.at(data.at("source"));
    } else {
      for (const Json& row : data.at("values")) rows.push_back(&row);
    }
    for (const Json& transform : data.value("transform", Json::array())) {
      const std::string type = transform.at("type");
      if (type == "filter") {
        const StillExpression keeps = still_expression(transform.at("expr").get<std::string>());
        std::erase_if(rows, [&](const Json* row) {
          datum_ = row;
          return !still_truth(keeps(*this));
        });
        datum_ = nullptr;
      } else if (type == "window") {
        add_next(transform, rows);
      } else {
        require(type == "lookup", "a transform that charts use");  // for what a pointer shows
      }
    }
    data_[data.at("name")] = std::move(rows);
  }

  // Each row knows a field of the one behind it in its group.
  void add_next(const Json& transform, std::vector<const Json*>& rows) {
    const std::string group = transform.at("groupby")[0], sorted = transform.at("sort").at("field"), field = transform.at("fields")[0],
                      as = transform.at("as")[0];
    std::map<double, std::multimap<double, Json>> groups;
    for (const Json* row : rows) groups[row->at(group).get<double>()].emplace(row->at(sorted).get<double>(), *row);
    rows.clear();
    for (auto& [place, of_group] : groups) {
      for (auto row = of_group.begin(); row != of_group.end(); ++row) {
        const auto next = std::next(row);
        row->second[as] = next == of_group.end() ? Json() : next->second.at(field);
        rows.push_back(&own_.emplace_back(row->second));
      }
    }
  }

  void add_scale(const Json& scale) {
    std::vector<Json> domain;
    const Json& of = scale.value("domain", Json::array());
    const auto add_fields = [&](const Json& reference) {
      const std::string field = reference.at("field");
      for (const Json* row : data_.at(reference.at("data"))) {
        if (row->contains(field)) domain.push_back(row->at(field));
      }
    };
    if (of.is_array()) {
      domain.assign(of.begin(), of.end());
    } else if (of.contains("fields")) {
      for (const Json& reference : of.at("fields")) add_fields(reference);
    } else if (of.contains("signal")) {
      for (const Json& value : signal(of.at("signal"))) domain.push_back(value);
    } else {
      add_fields(of);
    }
    const Json& range = scale.value("range", Json());
    const bool upwards = range == "height" && (scale.at("type") == "linear" || scale.at("type") == "log");
    const std::pair pixels = upwards ? std::pair(height(), 0.0) : std::pair(0.0, range == "height" ? height() : width());
    scales_.emplace(scale.at("name"), StillScale(scale, domain, pixels));
  }

  [[nodiscard]] Channel channel(const Json& of) const {
    if (of.is_array()) return first_of(of);
    if (of.contains("signal")) return still_expression(of.at("signal").get<std::string>());
    const double offset = of.value("offset", 0.0), band = of.value("band", 0.0);
    const StillScale* const scale = of.contains("scale") ? &scales_.at(of.at("scale")) : nullptr;
    const std::string field = of.value("field", "");
    const Json constant = of.value("value", Json());
    const bool fixed = field.empty(), positive = scale != nullptr && !of.contains("field") && !of.contains("value");
    const bool places = scale != nullptr && of.at("scale") != "colour" && of.at("scale") != "dash";
    return [=](const StillScope& scope) {
      if (positive) return Json(band * scale->bandwidth());
      Json value = constant;
      if (!fixed) {
        const auto at = scope.datum().find(field);
        if (at != scope.datum().end()) value = *at;
      }
      if (scale == nullptr) return value.is_number() && offset != 0 ? Json(value.get<double>() + offset) : value;
      return places ? Json(scale->place(value) + offset + band * scale->bandwidth()) : scale->value(value);
    };
  }

  // The first whose test holds; the last has none.
  [[nodiscard]] Channel first_of(const Json& all) const {
    std::vector<std::pair<Channel, Channel>> cases;
    for (const Json& one : all)
      cases.emplace_back(one.contains("test") ? Channel(still_expression(one.at("test").get<std::string>())) : Channel(), channel(one));
    return [cases = std::move(cases)](const StillScope& scope) {
      for (const auto& [test, value] : cases) {
        if (!test || still_truth(test(scope))) return value(scope);
      }
      return Json();
    };
  }

  // What a mark says of its datum.
  class Encoding {
   public:
    Encoding(const StillChart& chart, const Json& mark) : chart_(chart) {
      if (!mark.contains("encode")) return;
      for (const auto& [name, value] : mark.at("encode").at("update").items()) {
        if (name != "tooltip") channels_.emplace(name, chart.channel(value));
      }
    }
    [[nodiscard]] bool has(const char* name) const { return channels_.contains(name); }
    [[nodiscard]] Json value(const char* name) const {
      const auto at = channels_.find(name);
      return at == channels_.end() ? Json() : at->second(chart_);
    }
    [[nodiscard]] double number(const char* name, double otherwise) const { return has(name) ? still_number(value(name)) : otherwise; }
    [[nodiscard]] std::string text(const char* name, const char* otherwise) const {
      const Json of = value(name);
      return of.is_string() ? of.get<std::string>() : otherwise;
    }
    [[nodiscard]] StillLook look() const {
      StillLook out{.fill = text("fill", "none"), .stroke = text("stroke", "none")};
      out.fill_opacity = number("fillOpacity", 1);
      out.stroke_opacity = number("strokeOpacity", 1);
      out.stroke_width = number("strokeWidth", 1);
      out.opacity = number("opacity", 1);
      if (const Json dash = value("strokeDash"); dash.is_array()) {
        for (const Json& length : dash) out.dash.push_back(length.get<double>());
      }
      return out;
    }

   private:
    const StillChart& chart_;
    std::map<std::string, Channel> channels_;
  };

  void add_mark(const Json& mark, const Data& data) {
    if (mark.at("type") == "group") {
      add_group(mark, data);
      return;
    }
    const Encoding encoding(*this, mark);
    const std::string type = mark.at("type");
    const std::vector<const Json*>& rows = data.at(mark.at("from").at("data"));
    if (type == "line" || type == "area") {
      add_curve(encoding, rows, type == "area");
    } else {
      for (const Json* row : rows) {
        datum_ = row;
        if (type == "rect") {
          add_rectangle(encoding);
        } else if (type == "rule") {
          const double x = encoding.number("x", 0), y = encoding.number("y", 0);
          canvas_.line(x, y, encoding.number("x2", x), encoding.number("y2", y), encoding.look());
        } else if (type == "symbol") {
          add_symbol(encoding);
        } else {
          require(type == "text", "a mark that charts use");
          add_text(encoding);
        }
      }
    }
    datum_ = nullptr;
    canvas_.flush();
  }

  void add_group(const Json& group, const Data& data) {
    const bool clips = group.value("clip", false);
    if (clips) canvas_.clip(width(), height());
    if (!group.contains("from")) {
      for (const Json& mark : group.at("marks")) add_mark(mark, data);
    } else {
      const Json& facet = group.at("from").at("facet");
      std::vector<std::pair<Json, std::vector<const Json*>>> parts;
      for (const Json* row : data.at(facet.at("data"))) {
        Json key = Json::array();
        for (const Json& field : facet.at("groupby").is_array() ? facet.at("groupby") : Json::array({facet.at("groupby")}))
          key.push_back(row->at(field.get<std::string>()));
        auto part = std::ranges::find(parts, key, &std::pair<Json, std::vector<const Json*>>::first);
        if (part == parts.end()) {
          parts.emplace_back(std::move(key), std::vector<const Json*>());
          part = std::prev(parts.end());
        }
        part->second.push_back(row);
      }
      for (const auto& [key, rows] : parts) {
        for (const Json& mark : group.at("marks")) add_mark(mark, {{facet.at("name").get<std::string>(), rows}});
      }
    }
    if (clips) canvas_.unclip();
  }

  void add_rectangle(const Encoding& encoding) {
    const auto ends = [&](const char* from, const char* to, const char* length) {
      const double start = encoding.number(from, 0);
      return std::pair(start, encoding.has(length) ? start + encoding.number(length, 0) : encoding.number(to, start));
    };
    const auto [left, right] = ends("x", "x2", "width");
    const auto [top, bottom] = ends("y", "y2", "height");
    if (right == left || bottom == top) return;
    canvas_.rectangle(left, top, right, bottom, encoding.look());
  }

  void add_symbol(const Encoding& encoding) {
    const double x = encoding.number("x", 0), y = encoding.number("y", 0), size = std::sqrt(encoding.number("size", 64));
    const std::string shape = encoding.text("shape", "circle");
    std::string path;
    if (shape == "circle") {
      const double r = size / std::sqrt(3.14159265);
      path = fmt::format("M{0:.1f} {1:.1f}a{2:.1f} {2:.1f} 0 1 0 {3:.1f} 0a{2:.1f} {2:.1f} 0 1 0 {4:.1f} 0z", x - r, y, r, 2 * r, -2 * r);
    } else {
      const double up = shape == "triangle-up" ? 1 : -1, r = size / 2;
      path = fmt::format("M{:.1f} {:.1f}l{:.1f} {:.1f}h{:.1f}z", x, y - up * r, r, up * size, -size);
    }
    canvas_.path(path, {x - size, y - size}, {x + size, y + size}, encoding.look());
  }

  void add_text(const Encoding& encoding) {
    if (encoding.number("opacity", 1) == 0) return;
    StillText text{.x = encoding.number("x", 0), .y = encoding.number("y", 0), .text = encoding.text("text", "")};
    if (text.text.empty()) return;
    text.size = encoding.number("fontSize", 10);
    const std::string align = encoding.text("align", "left"), baseline = encoding.text("baseline", "alphabetic");
    text.anchor = align == "right" ? "end" : align == "center" ? "middle" : "start";
    text.y += baseline == "middle" ? 0.35 * text.size : baseline == "top" ? 0.8 * text.size : 0;
    text.fill = encoding.text("fill", "var(--ink)");
    text.limit = encoding.number("limit", 0);
    text.italic = encoding.text("fontStyle", "normal") == "italic";
    canvas_.text(text);
  }

  void add_curve(const Encoding& encoding, const std::vector<const Json*>& rows, bool area) {
    if (rows.empty()) return;
    std::string there, back;
    std::pair<double, double> least{1e9, 1e9}, most{-1e9, -1e9};
    const auto reach = [&](double x, double y) {
      least = {std::min(least.first, x), std::min(least.second, y)};
      most = {std::max(most.first, x), std::max(most.second, y)};
    };
    std::optional<double> last;
    for (const Json* row : rows) {
      datum_ = row;
      const double x = encoding.number("x", 0), y = encoding.number("y", 0);
      reach(x, y);
      if (last && encoding.text("interpolate", "linear") == "step-after") there += fmt::format("L{:.1f} {:.1f}", x, *last);
      there += fmt::format("{}{:.1f} {:.1f}", last ? "L" : "M", x, y);
      last = y;
      if (!area) continue;
      const double y2 = encoding.number("y2", height());
      reach(x, y2);
      back.insert(0, fmt::format("L{:.1f} {:.1f}", x, y2));
    }
    canvas_.path(there + (area ? back + "z" : ""), least, most, encoding.look());
  }

  [[nodiscard]] std::vector<StillTick> ticks_of(const Json& axis) const {
    const std::string orient = axis.at("orient");
    const double most = axis.contains("tickCount") ? number(axis.at("tickCount")) : orient == "left" ? height() / 36 : width() / 70;
    return scales_.at(axis.at("scale")).ticks(std::clamp(most, 2.0, 10.0), axis.value("format", "") == ".0%");
  }

  void add_grid(const Json& axis) {
    if (!axis.value("grid", false)) return;
    const StillLook look{.stroke = "var(--line)"};
    for (const StillTick& tick : ticks_of(axis)) {
      if (axis.at("orient") == "left") {
        canvas_.line(0, tick.at, width(), tick.at, look);
      } else {
        canvas_.line(tick.at, 0, tick.at, height(), look);
      }
    }
  }

  void add_axis(const Json& axis) {
    const std::string orient = axis.at("orient"), title = axis.value("title", "");
    const StillLook look{.stroke = "var(--soft)"};
    if (orient == "left") {
      canvas_.line(0, 0, 0, height(), look);
      const double limit = std::min(axis.value("labelLimit", 180.0), 240.0);
      for (const StillTick& tick : ticks_of(axis)) {
        canvas_.line(-4, tick.at, 0, tick.at, look);
        canvas_.text({.x = -7, .y = tick.at + 0.35 * still_text, .text = tick.text, .anchor = "end", .limit = limit});
      }
      if (!title.empty()) canvas_.text({.x = canvas_.left() - 8, .y = height() / 2, .text = title, .anchor = "middle", .upright = true});
      return;
    }
    const bool above = orient == "top";
    const double line = above ? 0 : height(), out = above ? -1 : 1;
    canvas_.line(0, line, width(), line, look);
    double free_from = -1e9;
    for (const StillTick& tick : ticks_of(axis)) {
      canvas_.line(tick.at, line, tick.at, line + 4 * out, look);
      const double half = text_width(tick.text, still_text) / 2;
      if (tick.at - half < free_from) continue;  // it would stand on its neighbour
      free_from = tick.at + half + 4;
      canvas_.text({.x = tick.at, .y = line + (above ? -8 : 16), .text = tick.text, .anchor = "middle"});
    }
    if (!title.empty()) canvas_.text({.x = width() / 2, .y = line + (above ? -24 : 33), .text = title, .anchor = "middle"});
  }

  void add_legend(const Json& legend) {
    const bool above = legend.value("orient", "bottom") == "top";
    if (legend.value("type", "") == "gradient") {
      add_gradient(legend);
      return;
    }
    const std::string fill = legend.value("fill", ""), stroke = legend.value("stroke", ""), dash = legend.value("strokeDash", "");
    const StillScale& scale = scales_.at(fill.empty() ? stroke : fill);
    const double sign = fill.empty() ? 30 : 12, row = 17;
    std::vector<std::pair<double, double>> places;  // of the signs, from the top of the legend
    double x = 0, y = 0;
    std::vector<std::string> names;
    for (const Json& name : scale.names()) {
      names.push_back(fitting_text(name.get<std::string>(), width() - sign, still_text));
      const double wide = sign + 5 + text_width(names.back(), still_text) + 14;
      if (x > 0 && x + wide - 14 > width()) {
        x = 0;
        y += row;
      }
      places.emplace_back(x, y);
      x += wide;
    }
    const double top = above ? canvas_.top() - 8 - (y + row) : canvas_.bottom() + 10;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Json& name = scale.names()[i];
      const double left = places[i].first, middle = top + places[i].second + row / 2;
      const std::string colour = scale.value(name).get<std::string>();
      if (fill.empty()) {
        StillLook look{.stroke = colour, .stroke_width = 2};
        if (!dash.empty()) {
          for (const Json& length : scales_.at(dash).value(name)) look.dash.push_back(length.get<double>());
        }
        canvas_.line(left, middle, left + sign, middle, look);
      } else {
        canvas_.rectangle(left, middle - 5, left + sign, middle + 5, {.fill = colour});
      }
      canvas_.text({.x = left + sign + 5, .y = middle + 0.35 * still_text, .text = names[i]});
    }
  }

  // Its colours from 0 to 1 with the ends' numbers.
  void add_gradient(const Json& legend) {
    constexpr int steps = 40;
    constexpr double step = 5;
    const double top = canvas_.bottom() + 10;
    canvas_.text({.x = 0, .y = top + still_text, .text = legend.at("title")});
    for (int i = 0; i < steps; ++i)
      canvas_.rectangle(i * step, top + 16, (i + 1) * step + 0.5, top + 28, {.fill = viridis((i + 0.5) / steps)});
    for (const auto& [at, text] : {std::pair(0.0, "0"), std::pair(0.5, "0.5"), std::pair(1.0, "1")})
      canvas_.text({.x = at * steps * step, .y = top + 41, .text = text, .anchor = at == 0 ? "start" : at == 1 ? "end" : "middle"});
  }

  const Json& spec_;
  std::map<std::string, Json> signals_;
  std::deque<Json> own_;  // rows that a transform made
  Data data_;
  std::map<std::string, StillScale> scales_;
  const Json* datum_ = nullptr;
  StillCanvas canvas_;
};

}  // namespace

std::string still_chart(std::string_view specification) {
  const Json spec = Json::parse(specification);
  constexpr double first = 500;
  const StillCanvas tried = StillChart(spec, first).drawn();  // how wide the names beside it are
  const double width = std::max(200.0, first + whole_width - (tried.right() - tried.left()));
  return StillChart(spec, width).drawn().svg();
}

}  // namespace rta::report
