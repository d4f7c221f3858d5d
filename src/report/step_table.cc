#include "report/step_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/fold.h"

namespace heddle {
namespace {

constexpr size_t kNarrowestColumn = 14;
constexpr size_t kWidestColumn = 44;
constexpr size_t kRowsAtBeginning = 60;
constexpr size_t kRowsAtEnd = 120;

struct Row {
  size_t column = 0;
  std::string deed;
  std::string place;
  bool preempts = false;
};

struct Layout {
  size_t number = 4;
  std::vector<size_t> columns;  // widths; empty: too many threads for columns
  size_t place = 0;
};

class StepTable {
 public:
  StepTable(Narrator& narrator, const TextStyle& style) : narrator_(narrator), style_(style) {
    collect();
    measure();
  }

  std::string text() {
    std::string out = heading();
    std::vector<Fold> folds = fold(keys_);
    for (size_t i = 0; i < folds.size(); ++i) {
      if (i == kRowsAtBeginning && folds.size() > kRowsAtBeginning + kRowsAtEnd + 10) {
        size_t resume = folds.size() - kRowsAtEnd;
        out += remark(fmt::format("… {} not shown; the trace file has them …",
                                  counted(folds[resume].begin - folds[i].begin, "step")));
        i = resume;
      }
      out += folded(folds[i]);
    }
    return out;
  }

 private:
  void collect() {
    const Trace& trace = narrator_.trace();
    std::map<ThreadId, size_t> columns;
    for (const TraceStep& step : trace.steps) columns.emplace(step.action.thread, 0);
    for (auto& [thread, column] : columns) {
      column = labels_.size();
      std::string name = narrator_.thread_name(thread);
      labels_.push_back(fmt::format("{}{}{}", index(thread), name.empty() ? "" : " ", name));
    }
    std::map<std::string, uint32_t> known;
    for (size_t i = 0; i < trace.steps.size(); ++i) {
      const TraceStep& step = trace.steps[i];
      Row row{columns[step.action.thread], narrator_.deed(step.action),
              brief(narrator_.place_of(step)), step.preempts};
      if (step.choices > 1) row.deed += fmt::format(" ({} of {})", step.choice + 1, step.choices);
      std::string key =
          fmt::format("{}\n{}\n{}\n{}", row.column, row.deed, row.place, row.preempts);
      keys_.push_back(known.emplace(key, static_cast<uint32_t>(known.size())).first->second);
      rows_.push_back(std::move(row));
    }
  }

  void measure() {
    layout_.number = std::max<size_t>(4, std::to_string(rows_.size()).size());
    std::vector<size_t> wanted;
    for (const std::string& label : labels_) wanted.push_back(width_of(label));
    for (const Row& row : rows_) {
      wanted[row.column] = std::max(wanted[row.column], width_of(row.deed));
      layout_.place = std::max(layout_.place, width_of(row.place));
    }
    constexpr size_t kHeading = 5;  // "where"
    layout_.place = std::clamp(layout_.place, kHeading, std::max(kHeading, style_.width / 4));
    for (size_t& width : wanted) width = std::min(width, kWidestColumn);
    // "  1234* " before, " │ " between columns and before the place
    size_t around = layout_.number + 5 + 3 * labels_.size() + layout_.place;
    if (around + kNarrowestColumn * labels_.size() > style_.width &&
        around + total(wanted) > style_.width)
      return;
    size_t most = kWidestColumn;
    while (around + total(wanted) > style_.width) {
      --most;
      for (size_t& width : wanted) width = std::min(width, most);
    }
    layout_.columns = wanted;
  }

  static size_t total(const std::vector<size_t>& widths) {
    size_t sum = 0;
    for (size_t width : widths) sum += width;
    return sum;
  }

  std::string heading() const {
    if (layout_.columns.empty()) return "";
    std::string line = fmt::format("  {:>{}}  ", "step", layout_.number);
    for (size_t i = 0; i < labels_.size(); ++i)
      line += padded(labels_[i], layout_.columns[i]) + " │ ";
    return painted(line + "where", Paint::Strong, style_) + '\n';
  }

  std::string folded(const Fold& fold) const {
    std::string out;
    for (size_t i = 0; i < fold.length; ++i) out += line(fold.begin + i);
    if (fold.times == 1) return out;
    size_t more = fold.times - 1;
    std::string times = fmt::format("{} more time{}", grouped(more), more == 1 ? "" : "s");
    return out + remark(fold.length == 1 ? fmt::format("… {}", times)
                                         : fmt::format("… these {} steps {}", fold.length, times));
  }

  std::string line(size_t i) const {
    const Row& row = rows_[i];
    std::string mark = row.preempts ? painted("*", Paint::Notice, style_) : " ";
    std::string out = fmt::format("  {:>{}}{} ", i + 1, layout_.number, mark);
    if (layout_.columns.empty()) {
      size_t left = style_.width > layout_.number + 8 + layout_.place
                        ? style_.width - layout_.number - 8 - layout_.place
                        : kNarrowestColumn;
      return out + padded(labels_[row.column] + ": " + row.deed, left) + "  " + row.place + '\n';
    }
    for (size_t column = 0; column < labels_.size(); ++column)
      out += padded(column == row.column ? row.deed : "", layout_.columns[column]) + " │ ";
    return out + painted(cut_to(row.place, layout_.place), Paint::Faint, style_) + '\n';
  }

  std::string remark(const std::string& text) const {
    return fmt::format("  {:>{}}  ", "", layout_.number) + painted(text, Paint::Faint, style_) +
           '\n';
  }

  Narrator& narrator_;
  const TextStyle& style_;
  std::vector<std::string> labels_;  // one per column
  std::vector<Row> rows_;
  std::vector<uint32_t> keys_;  // equal rows have equal keys
  Layout layout_;
};

}  // namespace

std::string step_table(Narrator& narrator, const TextStyle& style) {
  return StepTable(narrator, style).text();
}

}  // namespace heddle
