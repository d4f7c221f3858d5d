// What the runtime says of its findings: records in the mailbox, one behind the other.
//
// The explorer numbers a finding when it makes it, and every record about it carries that number.
// So the reader never has to guess which records belong together: of those with the same number the
// last one counts. A finding is written down as soon as it is made, as a sketch, so that it
// survives whatever happens to the process; what is learned about it later follows.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "model/finding.h"

namespace heddle {

enum class RecordStage : uint32_t {
  Question,   // does this race count? It is no finding before that has been answered
  Sketch,     // what went wrong and the schedule
  Traced,     // everything a report needs
  Withdrawn,  // the search has begun anew and will find it again under another number
};

struct FindingRecord {
  uint64_t magic;
  uint32_t number;  // of the finding, from 1
  RecordStage stage;
  FindingKind kind;
  uint64_t execution;    // that showed it, from 1
  uint64_t trace_bytes;  // of the trace as text (src/trace/), right behind this
};
inline constexpr uint64_t kFindingRecordMagic = 0x474e49444e4946;  // "FINDING"

struct ReadRecord {
  FindingRecord head;
  std::string_view trace;
};

// Takes the first record off `mailbox`; nothing if there is none, or if it is damaged: then the
// mailbox is not empty.
inline std::optional<ReadRecord> take_record(std::string_view& mailbox) {
  ReadRecord record{};
  if (mailbox.size() < sizeof record.head) return std::nullopt;
  std::memcpy(&record.head, mailbox.data(), sizeof record.head);
  const std::string_view rest = mailbox.substr(sizeof record.head);
  if (record.head.magic != kFindingRecordMagic || record.head.number == 0 ||
      record.head.stage > RecordStage::Withdrawn || record.head.trace_bytes > rest.size())
    return std::nullopt;
  record.trace = rest.substr(0, record.head.trace_bytes);
  mailbox = rest.substr(record.head.trace_bytes);
  return record;
}

}  // namespace heddle
