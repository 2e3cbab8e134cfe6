#include "runtime/fortran/staged.h"

#include <cstring>
#include <vector>

#include "runtime/fortran/handle_conversion.h"

namespace atl::fortran {
namespace {

// A section and a contiguous copy of its elements.
class SectionCopy : public Pending {
 public:
  SectionCopy(const Descriptor& array, Direction direction, Lifetime lifetime)
      : base_(static_cast<std::byte*>(array.base_addr)),
        element_(array.elem_len),
        dimensions_(array.dim, array.dim + array.rank),
        direction_(direction) {
    std::size_t size = element_;
    for (const auto& dimension : dimensions_) size *= static_cast<std::size_t>(dimension.extent);
    copy_.reset(new std::byte[size]);
    if (lifetime == Lifetime::once) gather();
  }

  std::byte* data() { return copy_.get(); }

  void before_start() override { gather(); }
  void after_call() override {
    if (direction_ == Direction::out) scatter();
  }

 private:
  void gather() {
    std::byte* to = copy_.get();
    each(dimensions_.size(), base_, [&](std::byte* element) {
      std::memcpy(to, element, element_);
      to += element_;
    });
  }

  void scatter() {
    const std::byte* from = copy_.get();
    each(dimensions_.size(), base_, [&](std::byte* element) {
      std::memcpy(element, from, element_);
      from += element_;
    });
  }

  // Visits the elements below `base` in the first `rank` dimensions, in Fortran's order.
  template <class Visit>
  void each(std::size_t rank, std::byte* base, const Visit& visit) {
    if (rank == 0) return visit(base);
    const auto& dimension = dimensions_[rank - 1];
    for (std::ptrdiff_t i = 0; i < dimension.extent; ++i) {
      each(rank - 1, base + i * dimension.stride, visit);
    }
  }

  std::byte* base_;
  std::size_t element_;  // bytes
  std::vector<Descriptor::Dimension> dimensions_;
  Direction direction_;
  std::unique_ptr<std::byte[]> copy_;
};

}  // namespace

void Staged::copy(const Descriptor& array, Direction direction, MPI_Fint* request,
                  Lifetime lifetime) {
  auto made = std::make_unique<SectionCopy>(array, direction, lifetime);
  request_ = request;
  if (request_ != nullptr) *request_ = number(MPI_REQUEST_NULL);  // in case the call fails
  address = made->data();
  copy_ = std::move(made);
}

void Staged::finish() {
  if (request_ == nullptr) {
    copy_->after_call();
  } else if (*request_ != number(MPI_REQUEST_NULL)) {
    keep(*request_, std::move(copy_));
  }
}

}  // namespace atl::fortran
