// Puts the raw facts of a trace into words: threads, objects, steps, places.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "report/symbolizer.h"
#include "trace/trace.h"

namespace heddle {

struct Place {
  std::string file;  // as it should be shown
  std::string path;  // as it can be opened
  int line = 0;
  int column = 0;
  std::string function;

  bool known() const { return line > 0; }
};

std::string brief(const Place& place);    // "queue.c:41"; "" if unknown
std::string in_full(const Place& place);  // "src/queue.c:41:7"

std::string_view message_of(const Failure& failure);  // without the name of its kind in front

std::string_view sort_of(Op op);  // what it works on: "mutex", "condition", "variable", …
bool has_object(Op op);           // otherwise `object` is no address

// Where the call that returns to `pc` is, for a program that left no trace; "" if unknown.
std::string place_of_call(const std::string& program, uint64_t load_bias, Address pc);

class Narrator {
 public:
  explicit Narrator(const Trace& trace);

  std::string thread_name(ThreadId thread);   // "worker"
  std::string thread_label(ThreadId thread);  // thread 1 "worker"
  std::string object_name(Address object);
  // "variable `x` of `worker` (frame of thread 1)", "on the stack of thread 1"; "" if unknown
  std::string location(Address object) const;
  // It lies in the block that the failure is about, which no variable points to.
  bool is_unnamed_block(Address object) { return !name_by_allocation(object).empty(); }
  // "variable `x` of `main` (frame of thread 0)", if it is one on a stack; "" otherwise.
  std::string local_variable(Address object) const;
  std::string description(const Action& action);  // "locks forks[2]"
  // In the words of the trace file if the program cannot be asked.
  std::string description(const TraceStep& step);

  // Text with names in place of the addresses of objects; the message of the failure like that.
  std::string named(const std::string& text);
  std::string message();

  // The place of the step that created a thread.
  Place birthplace(ThreadId thread);

  // The innermost place that is the program's own.
  Place place_of(const TraceEvidence& evidence);
  Place place_of(const TraceStep& step);
  Place place_of(const TraceThreadEnd& end);
  Place place_of_failure();
  // The frames of a stack of return addresses, without Heddle's own; inlined ones included.
  std::vector<SourceFrame> stack(const std::vector<Address>& addresses);
  std::vector<SourceFrame> failure_stack();

  // Objects without a name of their own are given one ("mutex #1"); this says where they lie.
  struct NamedObject {
    Address address = kNoAddress;
    std::string name;
    std::string where;
  };
  const std::vector<NamedObject>& named_objects() const { return named_objects_; }

  const Trace& trace() const { return trace_; }

 private:
  Place first_own(const std::vector<SourceFrame>& frames);
  Place place(Address pc, const std::vector<Address>& stack);
  struct OwnFunction {
    std::string name;
    bool in_lambda = false;  // it, or what called it
  };
  std::string name_by_stacks(ThreadId thread);
  OwnFunction outermost_own_function(const std::vector<Address>& stack);
  std::string name_thread(ThreadId thread);
  bool failure_pc_is_exact() const;
  void name_objects(const Action& action);
  void name_object(Address object, std::string_view sort);
  void place_in_frame(const TraceObject& object);
  std::string name_behind_pointer(Address object);
  std::string name_behind_pointer(Address object, uint64_t behind_the_end);
  std::string name_by_allocation(Address object);

  const Trace& trace_;
  Symbolizer symbolizer_;
  std::map<ThreadId, std::string> thread_names_;
  std::vector<NamedObject> named_objects_;
  std::map<std::string_view, int> objects_of_sort_;
  std::map<Address, std::string> places_of_objects_;
  std::map<Address, std::string> local_names_;      // of variables on stacks
  std::set<std::string> taken_names_;               // by these
  std::vector<const TraceObject*> pointed_at_;      // those in blocks to which variables point
  std::map<Address, std::string> local_variables_;  // the same, with where they are
  std::map<Address, std::string> labels_;           // given by the program
  std::map<Address, std::string> object_names_;
};

}  // namespace heddle
