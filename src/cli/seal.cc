#include "cli/seal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <vector>

#include "cli/file_descriptor.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

struct SipState {
  uint64_t v0, v1, v2, v3;

  void round() {
    v0 += v1, v1 = std::rotl(v1, 13) ^ v0, v0 = std::rotl(v0, 32);
    v2 += v3, v3 = std::rotl(v3, 16) ^ v2;
    v0 += v3, v3 = std::rotl(v3, 21) ^ v0;
    v2 += v1, v1 = std::rotl(v1, 17) ^ v2, v2 = std::rotl(v2, 32);
  }
  void add(uint64_t word) {
    v3 ^= word;
    round();
    round();
    v0 ^= word;
  }
};

using Keys = std::array<HashKey, 2>;  // 128 bits of seal

// Only the user may have written it, and nobody else may read it.
std::optional<Keys> read_keys(const std::string& file) {
  const FileDescriptor descriptor(open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  Keys keys;
  if (!descriptor.valid() || fstat(descriptor.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_uid != geteuid() || (status.st_mode & 077) != 0 ||
      read(descriptor.get(), keys.data(), sizeof keys) != static_cast<ssize_t>(sizeof keys))
    return std::nullopt;
  return keys;
}

// Complete from the moment that it has its name; whoever is first makes it.
void make_keys(const fs::path& file) {
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  std::string draft = file.string() + ".XXXXXX";
  const FileDescriptor descriptor(mkostemp(draft.data(), O_CLOEXEC));  // with mode 0600
  if (!descriptor.valid()) return;
  Keys keys;
  if (getrandom(keys.data(), sizeof keys, 0) == static_cast<ssize_t>(sizeof keys) &&
      write(descriptor.get(), keys.data(), sizeof keys) == static_cast<ssize_t>(sizeof keys))
    (void)!link(draft.c_str(), file.c_str());
  unlink(draft.c_str());
}

std::vector<fs::path> places_for_keys() {
  std::vector<fs::path> places;
  if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state == '/')
    places.push_back(fs::path(state) / "heddle" / "key");
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    places.push_back(fs::path(home) / ".local" / "state" / "heddle" / "key");
  places.push_back(fs::path("/var/tmp") / fmt::format("heddle-{}", geteuid()) / "key");
  return places;
}

enum class Missing : uint8_t { Make, LeaveOut };

// Of the first place that has one.
std::optional<Keys> find_keys(Missing missing) {
  for (const fs::path& place : places_for_keys()) {
    if (std::optional<Keys> keys = read_keys(place.string())) return keys;
    if (missing == Missing::LeaveOut) continue;
    make_keys(place);
    if (std::optional<Keys> keys = read_keys(place.string())) return keys;
  }
  return std::nullopt;
}

// Each part with its length in front: no two traces have the same.
std::string what_is_run(const Trace& trace) {
  std::string text;
  auto add = [&](std::string_view part) { text += fmt::format("{} {}\n", part.size(), part); };
  add(trace.program);
  add(trace.build_id);
  for (const std::string& argument : trace.arguments) add("argument " + argument);
  for (const std::string& setting : trace.run_settings)
    if (!setting.starts_with(kSealSetting)) add("setting " + setting);
  return text;
}

std::string seal_with(const Keys& keys, const Trace& trace) {
  const std::string text = what_is_run(trace);
  return fmt::format("{:016x}{:016x}", keyed_hash(keys[0], text), keyed_hash(keys[1], text));
}

}  // namespace

uint64_t keyed_hash(const HashKey& key, std::string_view text) {
  SipState state{key.low ^ 0x736f6d6570736575, key.high ^ 0x646f72616e646f6d,
                 key.low ^ 0x6c7967656e657261, key.high ^ 0x7465646279746573};
  const uint64_t size = text.size();
  for (; text.size() >= 8; text.remove_prefix(8)) {
    uint64_t word = 0;
    std::memcpy(&word, text.data(), 8);
    state.add(word);
  }
  uint64_t last = size << 56;
  for (size_t i = 0; i < text.size(); ++i)
    last |= static_cast<uint64_t>(static_cast<unsigned char>(text[i])) << (8 * i);
  state.add(last);
  state.v2 ^= 0xff;
  for (int i = 0; i < 4; ++i) state.round();
  return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

void seal(Trace& trace) {
  if (const std::optional<Keys> keys = find_keys(Missing::Make))
    trace.run_settings.push_back(std::string(kSealSetting) + seal_with(*keys, trace));
}

bool is_sealed(const Trace& trace) {
  for (const std::string& setting : trace.run_settings) {
    if (!setting.starts_with(kSealSetting)) continue;
    const std::optional<Keys> keys = find_keys(Missing::LeaveOut);
    return keys && setting.substr(kSealSetting.size()) == seal_with(*keys, trace);
  }
  return false;
}

}  // namespace heddle
