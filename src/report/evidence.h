// What bears on a failure besides the step it shows in: the accesses of a race, where memory came
// from and went.
#pragma once

#include <string>

#include "report/narrator.h"
#include "report/text_style.h"

namespace heddle {

// The failure's message, with the name of the memory it is about in place of the address.
std::string failure_message(Narrator& narrator);

std::string evidence_report(Narrator& narrator, const TextStyle& style);  // "" if there is none
// A livelock: the loops of the threads; "" if they are not known.
std::string loop_report(Narrator& narrator, const TextStyle& style);

// One item as a line: who did what, where, holding which locks.
std::string evidence_line(Narrator& narrator, const TraceEvidence& evidence);

// Up to `most` frames, one per line; those of libraries are folded unless all is to be shown.
std::string stack_lines(const std::vector<SourceFrame>& frames, size_t most,
                        const TextStyle& style);

}  // namespace heddle
