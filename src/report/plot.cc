#include "report/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/plain_text.h"

namespace heddle {
namespace {

constexpr double kWidth = 760, kHeight = 480;
constexpr double kLeft = 90, kRight = 30, kTop = 50, kBottom = 60;
constexpr const char* kColours[] = {"#1b6ca8", "#c8402f", "#2f8f4e", "#8a4fa3",
                                    "#c98a1b", "#3d3d3d", "#12949b", "#b03a78"};
constexpr const char* kDashes[] = {"", "7 3", "2 3"};

struct Tick {
  double at = 0;
  std::string text;
};

// 1200 as "1,200", 2500000 as "2.5M".
std::string number_text(double number) {
  if (number >= 1e6)
    return number >= 1e9 ? fmt::format("{:g}G", number / 1e9) : fmt::format("{:g}M", number / 1e6);
  if (number >= 1e3 && number == std::floor(number))
    return fmt::format("{},{:03}", static_cast<long>(number) / 1000,
                       static_cast<long>(number) % 1000);
  return fmt::format("{:g}", number);
}

// From numbers to places between 0 and 1, and which numbers to write along the axis.
class Axis {
 public:
  Axis(double low, double high, bool logarithmic, bool whole)
      : logarithmic_(logarithmic), whole_(whole) {
    if (logarithmic_) {
      low_ = std::floor(std::log10(std::max(low, 1.0)));
      high_ = std::max(std::ceil(std::log10(std::max(high, 1.0))), low_ + 1);
    } else {
      low_ = std::min(low, 0.0);
      high_ = high > low_ ? high : low_ + 1;
      step_ = step_for(high_ - low_);
      high_ = std::ceil(high_ / step_ - 1e-9) * step_;
    }
  }

  double place(double number) const {
    const double at = logarithmic_ ? std::log10(std::max(number, 1.0)) : number;
    return (at - low_) / (high_ - low_);
  }

  std::vector<Tick> ticks() const {
    std::vector<Tick> ticks;
    const double step = logarithmic_ ? 1 : step_;
    for (double at = low_; at <= high_ + step / 2; at += step) {
      const double number = logarithmic_ ? std::pow(10, at) : at;
      ticks.push_back({place(number), number_text(number)});
    }
    return ticks;
  }

 private:
  // 1, 2 or 5 times a power of ten, for five to ten steps.
  double step_for(double span) const {
    double step = std::pow(10, std::floor(std::log10(span)) - 1);
    for (const double factor : {2.0, 2.5, 2.0, 2.0, 2.5, 2.0}) {
      if (span / step <= 10) break;
      step *= factor;
    }
    return whole_ ? std::max(std::round(step), 1.0) : step;
  }

  bool logarithmic_, whole_;
  double low_ = 0, high_ = 1, step_ = 1;
};

double x_of(double place) {
  return kLeft + place * (kWidth - kLeft - kRight);
}
double y_of(double place) {
  return kHeight - kBottom - place * (kHeight - kTop - kBottom);
}

std::string text_at(double x, double y, const char* anchor, const std::string& text,
                    const std::string& more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                     anchor, more, xml_text(text));
}

std::string line(double x1, double y1, double x2, double y2, const char* colour) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2,
      y2, colour);
}

std::string frame(const Axis& x, const Axis& y, const PlotStyle& style) {
  std::string svg;
  for (const Tick& tick : x.ticks()) {
    const double at = x_of(tick.at);
    svg += line(at, y_of(0), at, y_of(1), "#e4e4e4");
    svg += text_at(at, y_of(0) + 18, "middle", tick.text);
  }
  for (const Tick& tick : y.ticks()) {
    const double at = y_of(tick.at);
    svg += line(x_of(0), at, x_of(1), at, "#e4e4e4");
    svg += text_at(x_of(0) - 8, at + 4, "end", tick.text);
  }
  svg += line(x_of(0), y_of(0), x_of(1), y_of(0), "#333");
  svg += line(x_of(0), y_of(0), x_of(0), y_of(1), "#333");
  svg += text_at(x_of(0.5), kHeight - 16, "middle", style.x_label);
  svg += text_at(0, 0, "middle", style.y_label,
                 fmt::format(" transform=\"translate(22 {:.1f}) rotate(-90)\"", y_of(0.5)));
  if (!style.title.empty())
    svg += text_at(x_of(0.5), 26, "middle", style.title, " font-size=\"16\"");
  return svg;
}

std::string stroke(size_t number) {
  const char* dash = kDashes[number / std::size(kColours) % std::size(kDashes)];
  return fmt::format("stroke=\"{}\" stroke-width=\"2\"{}", kColours[number % std::size(kColours)],
                     *dash == '\0' ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash));
}

// Points that fall on the same place of the picture are drawn once.
std::string path(const Curve& curve, const Axis& x, const Axis& y, size_t number) {
  std::string points, last;
  size_t drawn = 0;
  for (const auto& [right, up] : curve.points) {
    std::string point = fmt::format("{:.1f},{:.1f}", x_of(x.place(right)), y_of(y.place(up)));
    if (point == last) continue;
    points += (points.empty() ? "" : " ") + point;
    last = std::move(point);
    ++drawn;
  }
  std::string svg =
      fmt::format("<polyline fill=\"none\" {} points=\"{}\"/>\n", stroke(number), points);
  if (drawn > 24 || curve.points.empty()) return svg;
  for (const auto& [right, up] : curve.points)
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n",
                       x_of(x.place(right)), y_of(y.place(up)),
                       kColours[number % std::size(kColours)]);
  return svg;
}

std::string legend(const std::vector<Curve>& curves) {
  std::string svg;
  for (size_t i = 0; i < curves.size(); ++i) {
    const double y = y_of(0) - 14 - 18 * static_cast<double>(curves.size() - 1 - i);
    svg += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n",
                       x_of(1) - 30, y - 4, x_of(1) - 4, y - 4, stroke(i));
    svg += text_at(x_of(1) - 36, y, "end", curves[i].name);
  }
  return svg;
}

}  // namespace

std::string plot(const std::vector<Curve>& curves, const PlotStyle& style) {
  double left = 0, right = 0, top = 0;
  bool first = true;
  for (const Curve& curve : curves) {
    for (const auto& [x, y] : curve.points) {
      left = first ? x : std::min(left, x);
      right = first ? x : std::max(right, x);
      top = std::max(top, y);
      first = false;
    }
  }
  const Axis x(left, right, style.log_x, style.whole_x), y(0, top, style.log_y, false);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      kWidth, kHeight);
  svg += frame(x, y, style);
  for (size_t i = 0; i < curves.size(); ++i) svg += path(curves[i], x, y, i);
  return svg + legend(curves) + "</svg>\n";
}

}  // namespace heddle
