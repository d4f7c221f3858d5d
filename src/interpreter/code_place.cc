#include "interpreter/state_space.h"

namespace heddle {

graph::Place place_of(const graph::Program& program, Address pc) {
  if (pc == kNoAddress) return {};
  const CodePlace at = code_place(pc);
  if (at.routine >= program.routines.size()) return {};
  const graph::Routine& routine = program.routines[at.routine];
  if (at.block >= routine.blocks.size()) return {};
  const graph::Block& block = routine.blocks[at.block];
  if (at.part == 0) return block.action.place;
  return at.part <= block.statements.size() ? block.statements[at.part - 1].place
                                            : block.jump.place;
}

}  // namespace heddle
