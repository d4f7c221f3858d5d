// Curves as a picture: one SVG document, written by hand.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace heddle {

struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points;  // from left to right
};

struct PlotStyle {
  std::string title;
  std::string x_label, y_label;
  bool log_x = false, log_y = false;
  bool whole_x = false;  // ticks at whole numbers only
};

std::string plot(const std::vector<Curve>& curves, const PlotStyle& style);

}  // namespace heddle
