#include "cli/commands.h"

namespace heddle {

Result<int> replay_command(Words) {
  return Error{"not yet"};
}

}  // namespace heddle
