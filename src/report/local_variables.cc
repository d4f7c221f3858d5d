#include "report/local_variables.h"

#include <dwarf.h>

#include <optional>

#include "report/die_children.h"
#include "report/variable_names.h"

namespace heddle {
namespace {

constexpr unsigned kRbp = 6, kRsp = 7;  // as the System V ABI numbers them for DWARF

// Where the frame pointer is kept, it points to the caller's, just below the return address.
constexpr uint64_t kFramePointerBelowCfa = 16;

class Search {
 public:
  Search(const FrameRegisters& frame, uint64_t address) : frame_(frame), address_(address) {}

  LocalVariable run(Dwarf_Die function) {
    base_ = frame_base(&function);
    look_into(&function, function, true);
    return result_;
  }

 private:
  std::optional<uint64_t> register_value(unsigned number) const {
    if (number == kRsp) return frame_.sp;
    if (number == kRbp) return frame_.cfa - kFramePointerBelowCfa;
    return std::nullopt;
  }

  // The one operation that the attribute consists of at the place in question.
  std::optional<Dwarf_Op> only_operation(Dwarf_Die* die, unsigned what) const {
    Dwarf_Attribute attribute;
    Dwarf_Op* operations = nullptr;
    size_t length = 0;
    if (dwarf_attr_integrate(die, what, &attribute) == nullptr ||
        dwarf_getlocation_addr(&attribute, frame_.pc, &operations, &length, 1) != 1 || length != 1)
      return std::nullopt;
    return operations[0];
  }

  std::optional<uint64_t> frame_base(Dwarf_Die* function) const {
    std::optional<Dwarf_Op> operation = only_operation(function, DW_AT_frame_base);
    if (!operation) return std::nullopt;
    if (operation->atom == DW_OP_call_frame_cfa) return frame_.cfa;
    if (operation->atom >= DW_OP_reg0 && operation->atom <= DW_OP_reg31)
      return register_value(operation->atom - DW_OP_reg0);
    return std::nullopt;
  }

  std::optional<uint64_t> memory(const Dwarf_Op& operation) const {
    if (operation.atom == DW_OP_fbreg && base_) return *base_ + operation.number;
    if (operation.atom >= DW_OP_breg0 && operation.atom <= DW_OP_breg31)
      if (std::optional<uint64_t> base = register_value(operation.atom - DW_OP_breg0))
        return *base + operation.number;
    return std::nullopt;
  }

  // Where optimisation made it wander, its place in memory is the same whenever it has one.
  std::optional<uint64_t> location(Dwarf_Die* variable) const {
    Dwarf_Attribute attribute;
    if (dwarf_attr_integrate(variable, DW_AT_location, &attribute) == nullptr) return std::nullopt;
    Dwarf_Addr base = 0, begin = 0, end = 0;
    Dwarf_Op* operations = nullptr;
    size_t length = 0;
    for (ptrdiff_t at = 0;
         (at = dwarf_getlocations(&attribute, at, &base, &begin, &end, &operations, &length)) > 0;)
      if (length == 1)
        if (std::optional<uint64_t> found = memory(operations[0])) return found;
    return std::nullopt;
  }

  // Blocks that are not under way share their memory with others: what is found there is second
  // choice.
  void look_into(Dwarf_Die* scope, const Dwarf_Die& function, bool under_way) {
    for (Dwarf_Die& child : DieChildren(scope)) {
      const int tag = dwarf_tag(&child);
      if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) {
        consider(&child, function, under_way);
      } else if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) {
        const bool here = under_way && dwarf_haspc(&child, frame_.pc) > 0;
        look_into(&child, tag == DW_TAG_inlined_subroutine ? child : function, here);
      }
    }
  }

  void consider(Dwarf_Die* variable, const Dwarf_Die& function, bool under_way) {
    if (found_under_way_ || (!under_way && !result_.name.empty())) return;
    const char* name = dwarf_diename(variable);
    std::optional<uint64_t> begin = name != nullptr ? location(variable) : std::nullopt;
    if (!begin || address_ < *begin || address_ - *begin >= size_of_variable(variable)) return;
    result_ = {name + path_in_variable(variable, address_ - *begin), function};
    found_under_way_ = under_way;
  }

  const FrameRegisters& frame_;
  uint64_t address_;
  std::optional<uint64_t> base_;
  LocalVariable result_;
  bool found_under_way_ = false;
};

}  // namespace

LocalVariable local_variable_at(Dwarf_Die die, const FrameRegisters& frame, uint64_t address) {
  return Search(frame, address).run(die);
}

}  // namespace heddle
