#include "datatype/signature.h"

namespace atl::datatype {
namespace {

constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t kBase = 0x0b4a7c159e3779b9;

constexpr std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  const auto low = static_cast<std::uint64_t>(product) & kPrime;
  const std::uint64_t sum = low + static_cast<std::uint64_t>(product >> 61);
  return sum >= kPrime ? sum - kPrime : sum;
}

constexpr std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t sum = a + b;
  return sum >= kPrime ? sum - kPrime : sum;
}

// x^n, and 1 + x + ... + x^(n-1).
struct Powers {
  std::uint64_t power;
  std::uint64_t sum;
};

Powers powers(std::uint64_t x, std::uint64_t n) {
  Powers result{1, 0};
  for (int bit = 63; bit >= 0; --bit) {
    result = {times(result.power, result.power), plus(result.sum, times(result.sum, result.power))};
    if (n >> bit & 1) result = {times(result.power, x), plus(times(result.sum, x), 1)};
  }
  return result;
}

}  // namespace

std::string describe(Signature signature) {
  if (signature == kAnySignature) return "bytes";
  if (is_mixed(signature)) return "records of mixed types";
  const char* kind = static_cast<Kind>(signature >> 8) == Kind::integer ? "integers" : "reals";
  return std::to_string(signature & 0xff) + "-byte " + kind;
}

SignatureHash::SignatureHash(Signature basic, std::uint64_t values)
    : SignatureHash(SignatureHash(basic, basic + 1, 1).repeated(values)) {}

SignatureHash SignatureHash::then(const SignatureHash& next) const {
  if (empty()) return next;
  if (next.empty()) return *this;
  const bool any = uniform_ == kAnySignature || next.uniform_ == kAnySignature;
  const Signature uniform = any ? kAnySignature : uniform_ == next.uniform_ ? uniform_ : kMixed;
  const std::uint64_t shift = powers(kBase, next.length_).power;
  return {uniform, plus(times(hash_, shift), next.hash_), length_ + next.length_};
}

SignatureHash SignatureHash::repeated(std::uint64_t n) const {
  if (n == 0) return {};
  if (n == 1) return *this;
  const std::uint64_t shift = powers(kBase, length_).power;
  return {uniform_, times(hash_, powers(shift, n).sum), length_ * n};
}

Signature SignatureHash::signature() const {
  if (uniform_ != kMixed) return uniform_;
  return kMixed | static_cast<Signature>(hash_ ^ hash_ >> 31);
}

}  // namespace atl::datatype
