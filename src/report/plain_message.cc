#include "report/plain_message.h"

#include "report/evidence.h"

namespace heddle {

std::string plain_message(Narrator& narrator) {
  Failure failure = narrator.trace().failure;
  failure.message = failure_message(narrator);
  return std::string(message_of(failure));
}

}  // namespace heddle
