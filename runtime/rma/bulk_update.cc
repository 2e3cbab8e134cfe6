#include "runtime/rma/bulk_update.h"

#include <algorithm>
#include <cstring>

#include "base/copy.h"
#include "runtime/rma/accumulate_claim.h"
#include "runtime/rma/remote_copy.h"

namespace atl::rma {
namespace {

// Bytes of the stream that are updated while the guard is claimed once: other origins wait so long.
constexpr std::size_t kClaimed = 64 * 1024;
// Bytes of each buffer on the stack, for data with gaps or in memory that only the kernel reaches.
constexpr std::size_t kStaged = 8 * 1024;

// Part of the stream: bytes [start, start + bytes), whole elements.
struct Part {
  std::size_t start;
  std::size_t bytes;
};

// Calls step(part) for parts of `part` that have whole elements and at most `most` bytes.
template <class Step>
Error for_parts(Part part, std::size_t most, std::size_t element, Step&& step) {
  const std::size_t whole = std::max(most / element, std::size_t{1}) * element;
  while (part.bytes != 0) {
    const Part now{part.start, std::min(whole, part.bytes)};
    if (Error error = step(now)) return error;
    part.start += now.bytes;
    part.bytes -= now.bytes;
  }
  return {};
}

// Elements in memory as the kernels of operations take them: each with its extent, aligned.
class StagedElements {
 public:
  explicit StagedElements(const Datatype& element) : element_(element) {}

  // Bytes of the stream for which there is space.
  static std::size_t capacity(const Datatype& element) {
    const auto extent = static_cast<std::size_t>(element.extent());
    return std::max(kStaged / std::max(extent, element.size()), std::size_t{1}) * element.size();
  }

  void* values() { return values_; }

  // `read` copies `bytes` bytes of a stream to contiguous memory.
  template <class Read>
  Error load(std::size_t bytes, Read read) {
    if (element_.is_contiguous()) return read(values_);
    alignas(64) std::byte packed[kStaged];
    if (Error error = read(packed)) return error;
    element_.unpack(values_, 0, {packed, bytes});
    return {};
  }
  // The reverse.
  template <class Write>
  Error store(std::size_t bytes, Write write) {
    if (element_.is_contiguous()) return write(values_);
    alignas(64) std::byte packed[kStaged];
    element_.pack(values_, 0, {packed, bytes});
    return write(packed);
  }

 private:
  const Datatype& element_;
  alignas(64) std::byte values_[kStaged];
};

// The general case: data with gaps, not aligned, or in memory that only the kernel reaches.
class StagedUpdate {
 public:
  StagedUpdate(WindowState& state, const AccumulateArguments& call, const Place& place)
      : state_(state),
        call_(call),
        place_(place),
        operand_(*call.update.element),
        target_(*call.update.element) {}

  Error operator()(Part part) {
    const std::size_t bytes = part.bytes;
    const auto target = [&](Direction direction) {
      return [&, direction](std::byte* stream) { return copy_target(part, stream, direction); };
    };
    const auto buffer = [&](const Buffer& data, Direction direction) {
      return [&, direction](std::byte* stream) { return copy(data, part, stream, direction); };
    };
    if (Error error = target_.load(bytes, target(Direction::read))) return error;
    if (call_.result) {
      static_cast<void>(target_.store(bytes, buffer(*call_.result, Direction::write)));
    }
    if (call_.update.code == op::Code::no_op) return {};
    const bool replaces = call_.update.code == op::Code::replace;
    StagedElements& loaded = replaces ? target_ : operand_;
    static_cast<void>(loaded.load(bytes, buffer(*call_.origin, Direction::read)));
    if (!replaces) {
      call_.update.kernel(operand_.values(), target_.values(), target_.values(),
                          bytes / call_.update.element->size());
    }
    return target_.store(bytes, target(Direction::write));
  }

 private:
  // Copies a part of data in this process to `stream`, or back.
  static Error copy(const Buffer& data, Part part, std::byte* stream, Direction direction) {
    if (direction == Direction::read) {
      data.layout.type.pack(data.address, part.start, {stream, part.bytes});
    } else {
      data.layout.type.unpack(data.address, part.start, {stream, part.bytes});
    }
    return {};
  }
  Error copy_target(Part part, std::byte* stream, Direction direction) {
    if (place_.direct != nullptr)
      return copy({call_.target, place_.direct}, part, stream, direction);
    return copy_remote(state_, place_, call_.target, part.start, stream, part.bytes, direction);
  }

  WindowState& state_;
  const AccumulateArguments& call_;
  const Place& place_;
  StagedElements operand_;
  StagedElements target_;
};

// Contiguous and aligned on all sides: the kernel works on the memory of the target.
bool is_plain(const AccumulateArguments& call, const Place& place) {
  const Datatype& element = *call.update.element;
  if (place.direct == nullptr || !element.is_contiguous()) return false;
  const std::size_t alignment = std::min<std::size_t>(element.size() & -element.size(), 16);
  const auto plain = [&](const Layout& layout, const void* address) {
    const auto first = reinterpret_cast<std::uintptr_t>(layout.type.first_byte(address));
    return layout.type.is_contiguous() && first % alignment == 0;
  };
  return plain(call.target, place.direct) &&
         (!call.origin || plain(call.origin->layout, call.origin->address)) &&
         (!call.result || plain(call.result->layout, call.result->address));
}

void update_plain(const AccumulateArguments& call, const Place& place, Part part) {
  std::byte* target = call.target.type.first_byte(place.direct) + part.start;
  if (call.result) {
    const Buffer& result = *call.result;
    copy_bytes(result.layout.type.first_byte(result.address) + part.start, target, part.bytes);
  }
  if (!call.origin) return;
  const Buffer& source = *call.origin;
  const std::byte* origin = source.layout.type.first_byte(source.address) + part.start;
  if (call.update.kernel == nullptr) return copy_bytes(target, origin, part.bytes);
  call.update.kernel(origin, target, target, part.bytes / call.update.element->size());
}

}  // namespace

Error bulk_update(WindowState& state, const AccumulateArguments& call, const Place& place) {
  const Datatype& element = *call.update.element;
  const Part all{0, call.bytes};
  const bool plain = is_plain(call, place);
  StagedUpdate staged(state, call, place);
  return for_parts(all, kClaimed, element.size(), [&](Part part) {
    return guarded(state, *place.target, UpdateKind::bulk, [&]() -> Error {
      if (plain) {
        update_plain(call, place, part);
        return {};
      }
      return for_parts(part, StagedElements::capacity(element), element.size(), staged);
    });
  });
}

Error bulk_compare_and_swap(WindowState& state, const Layout& layout, const Place& place,
                            const void* origin_addr, const void* compare_addr, void* result_addr) {
  const std::size_t bytes = layout.bytes();
  const auto copy = [&](std::byte* memory, Direction direction) -> Error {
    if (place.direct == nullptr) {
      return copy_remote(state, place, layout, 0, memory, bytes, direction);
    }
    const bool read = direction == Direction::read;
    copy_bytes(read ? memory : place.direct, read ? place.direct : memory, bytes);
    return {};
  };
  return guarded(state, *place.target, UpdateKind::bulk, [&]() -> Error {
    std::byte before[32];
    ATL_DCHECK(bytes <= sizeof before);
    if (Error error = copy(before, Direction::read)) return error;
    const bool equal = std::memcmp(before, compare_addr, bytes) == 0;
    copy_bytes(result_addr, before, bytes);
    auto* swapped = static_cast<std::byte*>(const_cast<void*>(origin_addr));
    return equal ? copy(swapped, Direction::write) : Error();
  });
}

}  // namespace atl::rma
