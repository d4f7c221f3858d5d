#include "report/annotate.h"

#include "report/narrator.h"

namespace heddle {

TraceNotes annotate(const Trace& trace) {
  Narrator narrator(trace);
  TraceNotes notes;
  for (const TraceStep& step : trace.steps) {
    std::string place = brief(narrator.place_of(step));
    notes.steps.push_back(narrator.deed(step.action) + (place.empty() ? "" : " at " + place));
  }
  return notes;
}

}  // namespace heddle
