// The words of the trace text, shared by the writer and the parser. One line is one fact:
//
//   heddle-trace 1                          always first
//   program /home/me/queue                  identity
//   argument 3
//   build-id 5f0c…
//   tool 0.2.0                              the version of the Heddle that wrote it
//   setting visible=all
//   failure deadlock thread=1 pc=0x…        what went wrong; other, object, size, knot, status
//   message two threads wait for each other
//   counts execution=17 occurrences=1 preemptions=1 cut-short
//   schedule 0*3 1 2/1 0                    may be continued by further schedule lines
//   module base=0x… begin=0x… end=0x… path=/home/me/queue
//   thread 1 parent=0 birth=1 entry=0x…
//   step mutex-lock thread=1 object=0x… pc=0x… preempts stack=0x…,0x…  # a remark
//   pending mutex-lock thread=1 object=0x… waits-for=0 stack=…
//   cycle 0 1
//   object 0x… heap block 3 of thread 1
//   label the queue                       what the program calls the object above
//   frame thread=1 pc=0x… begin=0x… end=0x… the call whose variable it is
//   block begin=0x… size=40 pointer=0x…     where it lies on the heap, and what points there
//   critical order 4 7                      steps without which the bug does not show, from 1
//   late write thread=2 object=0x… stack=…  what they should have waited for
//   failure-stack 0x…,0x…
//   visible 0x404040 4                      plain memory whose accesses were steps
//   evidence earlier-access write thread=1 object=0x… size=4 pc=0x… step=5 value=0x1 locks=0x…
//   stack=0x…,0x… output hello\n resync 12 of 14 recorded steps … end always last: a file without
//   it was cut off
//
// Free text is escaped (\n, \t, \\, \xNN), so a line of the text is never part of a value.
// No iostreams, exceptions, locale or thread-local storage here: this room also lives in the
// tested process.
#pragma once

#include <string>
#include <string_view>

namespace heddle::trace_format {

inline constexpr std::string_view kHeader = "heddle-trace ";
inline constexpr std::string_view kEnd = "end";
inline constexpr std::string_view kNote = "  # ";

// By CauseKind.
inline constexpr std::string_view kCauses[] = {"none", "order", "atomicity", "lost-signal",
                                               "lock-order"};

void append_escaped(std::string& text, std::string_view raw);
// False when an escape is malformed.
bool append_unescaped(std::string& raw, std::string_view text);

}  // namespace heddle::trace_format
