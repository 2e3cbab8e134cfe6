// Holds what a context has for each source, by rank: only for sources that were ever named,
// whatever their ranks are.
//
// A hash table whose hash is the rank itself, so that neighbouring ranks never collide. A Source
// is constructed from its rank and has it as the member `rank`. Its address never changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace atl::p2p {

template <class Source>
class SourceTable {
 public:
  // Null when get() was never called for the rank.
  Source* find(std::int32_t rank) const {
    for (std::size_t at = first_place(rank);; at = next_place(at)) {
      Source* const source = places_[at].get();
      if (source == nullptr || source->rank == rank) return source;
    }
  }

  Source& get(std::int32_t rank) {
    Source* const source = find(rank);
    return __builtin_expect(source != nullptr, 1) ? *source : add(rank);
  }

 private:
  static constexpr std::size_t kFewest = 4;  // places; always a power of two

  std::size_t first_place(std::int32_t rank) const {
    return static_cast<std::uint32_t>(rank) & mask_;
  }
  std::size_t next_place(std::size_t at) const { return (at + 1) & mask_; }

  [[gnu::noinline]] Source& add(std::int32_t rank) {
    if (++used_ * 4 > places_.size() * 3) {  // free places remain: find() ends there
      auto old = std::exchange(places_, Places(places_.size() * 2));
      mask_ = places_.size() - 1;
      for (auto& source : old) {
        if (source != nullptr) put(std::move(source));
      }
    }
    return put(std::make_unique<Source>(rank));
  }

  Source& put(std::unique_ptr<Source> source) {
    std::size_t at = first_place(source->rank);
    while (places_[at] != nullptr) at = next_place(at);
    places_[at] = std::move(source);
    return *places_[at];
  }

  using Places = std::vector<std::unique_ptr<Source>>;

  Places places_ = Places(kFewest);
  std::size_t mask_ = kFewest - 1;  // the bits of a rank that are its first place
  std::size_t used_ = 0;
};

}  // namespace atl::p2p
