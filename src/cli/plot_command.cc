// heddle plot: the coverage curves of one or more searches as a picture.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "cli/commands.h"
#include "cli/coverage_file.h"
#include "cli/option_parser.h"
#include "cli/standard_output.h"
#include "cli/write_file.h"
#include "report/plot.h"

namespace heddle {
namespace {

constexpr const char* kHelp =
    "usage: heddle plot FILE.csv… [options]\n\n"
    "Draws what heddle check --coverage=FILE.csv counted, one curve per file, as SVG.\n\n"
    "  -o FILE         write the picture to FILE; default: standard output\n"
    "  --by=WHAT       executions: states seen after so many executions\n"
    "                  bound: percent of all states seen within so many preemptions\n"
    "                  default: executions\n"
    "  --count=WHAT    states or ends (states in which executions end); default: states\n"
    "  --log-x         a logarithmic axis of executions\n"
    "  --log-y         a logarithmic axis of states\n"
    "  --title=TEXT    a heading\n";

struct PlotRequest {
  std::vector<std::string> files;
  std::string output;  // empty: standard output
  std::string title;
  bool by_bound = false;
  bool ends = false;
  bool log_x = false, log_y = false;
  bool help = false;
};

bool pick(std::string_view text, std::string_view off, std::string_view on, bool& value) {
  value = text == on;
  return value || text == off;
}

bool set(std::string_view text, std::string& value) {
  value = text;
  return !text.empty();
}

std::vector<Option> options_into(PlotRequest& request) {
  return {
      {"-o", true, "the name of a file",
       [&](std::string_view text) { return set(text, request.output); }},
      {"--by", true, "executions or bound",
       [&](std::string_view text) { return pick(text, "executions", "bound", request.by_bound); }},
      {"--count", true, "states or ends",
       [&](std::string_view text) { return pick(text, "states", "ends", request.ends); }},
      {"--title", true, "a text", [&](std::string_view text) { return set(text, request.title); }},
      make_switch("--log-x", request.log_x),
      make_switch("--log-y", request.log_y)};
}

Result<PlotRequest> parse(Words words) {
  PlotRequest request;
  Result<Arguments> arguments = parse_options(words, "plot", options_into(request));
  if (!arguments) return arguments.error();
  request.files = arguments->words;
  request.help = arguments->help;
  if (request.files.empty() && !request.help)
    return Error{
        "name one or more files that heddle check --coverage=FILE.csv wrote; see heddle plot "
        "--help"};
  if (request.by_bound && (request.log_x || request.log_y))
    return Error{"--by=bound has no logarithmic axes; leave out --log-x and --log-y"};
  return request;
}

double counted(const CoverageRow& row, const PlotRequest& request) {
  return static_cast<double>(request.ends ? row.terminal_states : row.states);
}

// The last row of each bound, in percent of the last of all.
Result<Curve> curve_by_bound(const std::string& file, const std::vector<CoverageRow>& rows,
                             const PlotRequest& request) {
  Curve curve;
  const double all = counted(rows.back(), request);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].bound < 0 || (i + 1 < rows.size() && rows[i + 1].bound == rows[i].bound)) continue;
    curve.points.emplace_back(static_cast<double>(rows[i].bound),
                              all == 0 ? 0 : 100 * counted(rows[i], request) / all);
  }
  if (curve.points.empty())
    return Error{fmt::format(
        "{} is of a search without bounds, so it cannot be drawn by bound; use --strategy=icb",
        file)};
  return curve;
}

Result<Curve> curve_of(const std::string& file, const PlotRequest& request) {
  Result<std::vector<CoverageRow>> rows = read_coverage(file);
  if (!rows) return rows.error();
  Curve curve;
  if (request.by_bound) {
    Result<Curve> drawn = curve_by_bound(file, *rows, request);
    if (!drawn) return drawn.error();
    curve = *drawn;
  } else {
    for (const CoverageRow& row : *rows)
      curve.points.emplace_back(static_cast<double>(row.execution), counted(row, request));
  }
  curve.name = std::filesystem::path(file).stem().string();
  return curve;
}

PlotStyle style_of(const PlotRequest& request) {
  const std::string what = request.ends ? "ends of executions" : "states";
  PlotStyle style;
  style.title = request.title;
  style.x_label = request.by_bound ? "preemptions" : "executions";
  style.y_label = request.by_bound ? "% of the " + what + " seen" : "distinct " + what;
  style.log_x = request.log_x;
  style.log_y = request.log_y;
  style.whole_x = request.by_bound;
  return style;
}

Result<int> deliver(const std::string& svg, const std::string& file) {
  if (file.empty()) {
    print_text(svg);
    return 0;
  }
  Result<bool> written = write_file(file, svg);
  if (!written) return written.error();
  return 0;
}

}  // namespace

Result<int> plot_command(Words words) {
  Result<PlotRequest> request = parse(words);
  if (!request) return request.error();
  if (request->help) {
    print_text(kHelp);
    return 0;
  }
  std::vector<Curve> curves;
  for (const std::string& file : request->files) {
    Result<Curve> curve = curve_of(file, *request);
    if (!curve) return curve.error();
    curves.push_back(*curve);
  }
  return deliver(plot(curves, style_of(*request)), request->output);
}

}  // namespace heddle
