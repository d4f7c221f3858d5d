#include "report/annotate.h"

#include "report/narrator.h"

namespace heddle {

TraceNotes annotate(const Trace& trace) {
  Narrator narrator(trace);
  TraceNotes notes;
  for (size_t i = 0; i < trace.steps.size(); ++i) {
    std::string place = brief(narrator.place_of(trace.steps[i]));
    notes.steps.push_back(narrator.description(trace.steps[i].action) +
                          (place.empty() ? "" : " at " + place));
  }
  return notes;
}

}  // namespace heddle
