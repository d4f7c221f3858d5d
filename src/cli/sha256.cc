#include "cli/sha256.h"

#include <bit>
#include <cstddef>

namespace heddle {
namespace {

constexpr size_t kBlock = 64;  // bytes that are taken at once
constexpr size_t kLength = 8;  // bytes of the message's length, at the end of the last block
using State = std::array<uint32_t, 8>;

// The fractional parts of the square roots of the first 8 primes, and of the cube roots of the
// first 64.
constexpr State kInitial = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
constexpr std::array<uint32_t, 64> kRounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

uint32_t mixed(uint32_t x, int a, int b, int c) {
  return std::rotr(x, a) ^ std::rotr(x, b) ^ std::rotr(x, c);
}
uint32_t spread(uint32_t x, int a, int b, int shift) {
  return std::rotr(x, a) ^ std::rotr(x, b) ^ (x >> shift);
}

std::array<uint32_t, 64> schedule_of(const unsigned char* block) {
  std::array<uint32_t, 64> words{};
  for (size_t i = 0; i < 16; ++i)
    for (size_t j = 0; j < 4; ++j) words[i] = words[i] << 8 | block[4 * i + j];
  for (size_t i = 16; i < words.size(); ++i)
    words[i] = spread(words[i - 2], 17, 19, 10) + words[i - 7] + spread(words[i - 15], 7, 18, 3) +
               words[i - 16];
  return words;
}

void take(const unsigned char* block, State& state) {
  const std::array<uint32_t, 64> words = schedule_of(block);
  auto [a, b, c, d, e, f, g, h] = state;
  for (size_t i = 0; i < words.size(); ++i) {
    const uint32_t one = h + mixed(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + kRounds[i] + words[i];
    const uint32_t two = mixed(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + one;
    d = c;
    c = b;
    b = a;
    a = one + two;
  }
  const State after = {a, b, c, d, e, f, g, h};
  for (size_t i = 0; i < state.size(); ++i) state[i] += after[i];
}

// What is left, a 1 bit, zeros, and the length in bits.
void take_end(std::string_view left, uint64_t bytes, State& state) {
  std::array<unsigned char, 2 * kBlock> end{};
  for (size_t i = 0; i < left.size(); ++i) end[i] = static_cast<unsigned char>(left[i]);
  end[left.size()] = 0x80;
  const size_t size = left.size() + 1 + kLength <= kBlock ? kBlock : 2 * kBlock;
  for (size_t i = 0; i < kLength; ++i)
    end[size - 1 - i] = static_cast<unsigned char>(bytes * 8 >> 8 * i);
  for (size_t begin = 0; begin < size; begin += kBlock) take(end.data() + begin, state);
}

}  // namespace

Sha256Digits sha256(std::string_view bytes) {
  State state = kInitial;
  const uint64_t length = bytes.size();
  std::array<unsigned char, kBlock> block{};
  for (; bytes.size() >= kBlock; bytes.remove_prefix(kBlock)) {
    for (size_t i = 0; i < kBlock; ++i) block[i] = static_cast<unsigned char>(bytes[i]);
    take(block.data(), state);
  }
  take_end(bytes, length, state);
  Sha256Digits digits{};
  for (size_t i = 0; i < digits.size(); ++i)
    digits[i] = "0123456789abcdef"[state[i / 8] >> (28 - 4 * (i % 8)) & 15];
  return digits;
}

}  // namespace heddle
