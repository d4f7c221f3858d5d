#include "report/step_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/essential.h"
#include "report/fold.h"
#include "report/story.h"

namespace heddle {
namespace {

constexpr size_t kNarrowestColumn = 14;
constexpr size_t kWidestColumn = 44;
constexpr size_t kRowsAtBeginning = 60;
constexpr size_t kRowsAtEnd = 120;
constexpr size_t kShort = 30;  // an execution of so few lines is shown whole

struct Row {
  size_t column = 0;
  std::string description;
  std::string place;
  bool preempts = false;
  size_t step = 0;         // its number, from 1
  size_t folded = 0;       // instead of a step: so many that are left out, from `step` on
  bool marked = false;     // an access that the failure is about
  bool is_access = false;  // it is part of the step above
};

struct Layout {
  size_t number = 4;
  std::vector<size_t> columns;  // widths; empty: too many threads for columns
  size_t place = 0;
};

class StepTable {
 public:
  StepTable(Narrator& narrator, const TextStyle& style) : narrator_(narrator), style_(style) {
    name_columns();
    Story story = tell(narrator_);
    collect(story, std::vector<bool>(story.steps.size(), true));
    // A short execution and a long loop are best seen as they are.
    if (!style_.full && folded_lines() > kShort) collect(story, shown_steps(story));
    measure();
  }

  std::string text() {
    std::string out = heading();
    std::vector<Fold> folds = fold(keys_);
    for (size_t i = 0; i < folds.size(); ++i) {
      if (!style_.full && i == kRowsAtBeginning &&
          folds.size() > kRowsAtBeginning + kRowsAtEnd + 10) {
        size_t resume = folds.size() - kRowsAtEnd;
        size_t hidden = rows_[folds[resume].begin].step - rows_[folds[i].begin].step;
        out += remark(fmt::format("… {} not shown; --full shows them …", counted(hidden, "step")));
        i = resume;
      }
      out += folded(folds[i]);
    }
    return out;
  }

 private:
  void name_columns() {
    const Trace& trace = narrator_.trace();
    for (const TraceStep& step : trace.steps) columns_.emplace(step.action.thread, 0);
    for (auto& [thread, column] : columns_) {
      column = labels_.size();
      std::string name = narrator_.thread_name(thread);
      labels_.push_back(fmt::format("{}{}{}", index(thread), name.empty() ? "" : " ", name));
    }
  }

  // A line that says that one step is left out would save nothing.
  static std::vector<bool> shown_steps(const Story& story) {
    std::vector<bool> shown = essential_steps(story);
    auto hidden = [&](size_t i) { return i < shown.size() && !shown[i]; };
    for (size_t i = 0; i < shown.size(); ++i)
      if (hidden(i) && !hidden(i + 1) && (i == 0 || !hidden(i - 1))) shown[i] = true;
    return shown;
  }

  void collect(const Story& story, const std::vector<bool>& shown) {
    rows_.clear();
    keys_.clear();
    size_t accesses = 0;
    for (size_t i = 0; i < story.steps.size(); ++i) {
      const StoryStep& step = story.steps[i];
      size_t column = columns_[narrator_.trace().steps[i].action.thread];
      if (!shown[i]) {
        leave_out(column, i + 1);
        continue;
      }
      Row row{
          column, step.description, place(story, step.place), step.preempts, i + 1, 0, step.marked,
          false};
      if (step.choices > 1)
        row.description += fmt::format(" ({} of {})", step.choice + 1, step.choices);
      rows_.push_back(std::move(row));
      for (; accesses < story.accesses.size() && story.accesses[accesses].step == i; ++accesses) {
        const StoryAccess& access = story.accesses[accesses];
        rows_.push_back({columns_[story.threads[static_cast<size_t>(access.thread)].id],
                         access.description, place(story, access.place), false, i + 1, 0, true,
                         true});
      }
    }
    number_rows();
  }

  static std::string place(const Story& story, int32_t number) {
    return number == kNothing ? "" : brief(story.places[static_cast<size_t>(number)]);
  }

  size_t folded_lines() const {
    size_t lines = 0;
    for (const Fold& each : fold(keys_)) lines += each.length + (each.times > 1 ? 1 : 0);
    return lines;
  }

  void leave_out(size_t column, size_t step) {
    if (!rows_.empty() && rows_.back().folded > 0 && rows_.back().column == column) {
      ++rows_.back().folded;
      return;
    }
    rows_.push_back({column, "", "", false, step, 1, false, false});
  }

  // Rows that look the same are the same to fold().
  void number_rows() {
    std::map<std::string, uint32_t> known;
    for (Row& row : rows_) {
      if (row.folded > 0) row.description = fmt::format("… {}", counted(row.folded, "step"));
      std::string key = fmt::format("{}\n{}\n{}\n{}{}", row.column, row.description, row.place,
                                    row.preempts, row.marked);
      keys_.push_back(known.emplace(key, static_cast<uint32_t>(known.size())).first->second);
    }
  }

  void measure() {
    layout_.number = std::max<size_t>(4, std::to_string(narrator_.trace().steps.size()).size());
    std::vector<size_t> wanted;
    for (const std::string& label : labels_) wanted.push_back(width_of(label));
    for (const Row& row : rows_) {
      wanted[row.column] = std::max(wanted[row.column], width_of(row.description));
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
    std::string mark = row.marked     ? painted("!", Paint::Bad, style_)
                       : row.preempts ? painted("*", Paint::Notice, style_)
                                      : " ";
    std::string number = row.folded > 0 || row.is_access ? "" : std::to_string(row.step);
    std::string out = fmt::format("  {:>{}}{} ", number, layout_.number, mark);
    if (layout_.columns.empty()) {
      size_t left = style_.width > layout_.number + 8 + layout_.place
                        ? style_.width - layout_.number - 8 - layout_.place
                        : kNarrowestColumn;
      std::string text = padded(labels_[row.column] + ": " + row.description, left);
      return out + in_colour(text, row) + "  " + row.place + '\n';
    }
    for (size_t column = 0; column < labels_.size(); ++column)
      out += in_colour(padded(column == row.column ? row.description : "", layout_.columns[column]),
                       row) +
             separator();
    return out + painted(cut_to(row.place, layout_.place), Paint::Faint, style_) + '\n';
  }

  // Each thread has its own colour; what is left out has none.
  std::string in_colour(const std::string& text, const Row& row) const {
    return row.folded > 0 ? painted(text, Paint::Faint, style_)
                          : painted_thread(text, row.column, style_);
  }

  std::string separator() const { return ' ' + painted("│", Paint::Faint, style_) + ' '; }

  std::string remark(const std::string& text) const {
    return fmt::format("  {:>{}}  ", "", layout_.number) + painted(text, Paint::Faint, style_) +
           '\n';
  }

  Narrator& narrator_;
  const TextStyle& style_;
  std::map<ThreadId, size_t> columns_;
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
