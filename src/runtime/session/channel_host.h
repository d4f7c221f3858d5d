// The command line as the search sees it: through the channel.
#pragma once

#include "search/host.h"

namespace heddle {

class ChannelHost final : public Host {
 public:
  bool stop_requested() override;
  bool division_requested(Explorer& explorer) override;
  bool is_divided(const Explorer& explorer) override;
  bool is_interrupted() override;
  void steps_taken(uint64_t count) override;
  void execution_ended(const Explorer& explorer, const ExecutionSummary& summary) override;
  void search_ended(const Explorer& explorer) override;
  void reach_milestone() override;
  bool is_suppressed(uint32_t number, const Trace& race) override;
  bool make_visible(const Failure& race) override;
  void take_sketch(uint32_t number, const Trace& sketch) override;
  void take_trace(uint32_t number, const Trace& trace) override;
  void withdraw(uint32_t number) override;
};

}  // namespace heddle
