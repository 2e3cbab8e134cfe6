#include "runtime/type/constructor_calls.h"

#include <type_traits>
#include <utility>
#include <vector>

namespace atl::type {
namespace {

using datatype::Count;
using datatype::Counts;
using datatype::Problem;

static_assert(std::is_same_v<MPI_Aint, MPI_Count> && std::is_same_v<MPI_Count, Count>,
              "arrays of displacements are taken as they are");

// An array argument as 64-bit numbers; an array of int is copied.
class Wide {
 public:
  Wide(const MPI_Count* array, MPI_Count length)
      : numbers_(array, static_cast<std::size_t>(length)) {}
  Wide(const int* array, MPI_Count length) : copy_(array, array + length), numbers_(copy_) {}
  Wide(const Wide&) = delete;
  Wide& operator=(const Wide&) = delete;

  operator Counts() const { return numbers_; }

 private:
  std::vector<Count> copy_;
  Counts numbers_;
};

int class_of(const Problem& problem) {
  const bool of_count = std::string_view(problem.argument) == "count";
  if (problem.reason == Problem::Reason::negative && of_count) return MPI_ERR_COUNT;
  return MPI_ERR_ARG;
}

// The error for ndims < 1. `ndims` is the length of the arrays, so it is checked before them.
Error no_dimensions(int ndims) {
  return make_error(MPI_ERR_ARG, "ndims=%d is out of range: there must be at least one", ndims);
}

}  // namespace

Error hand_out(datatype::Made made, MPI_Datatype* newtype) {
  if (!made) return make_error(class_of(made.problem), "%s", made.problem.text().c_str());
  *newtype = datatypes.add(std::move(made.type)).handle;
  return {};
}

Error contiguous(MPI_Count count, const Datatype& oldtype, MPI_Datatype* newtype, Form form) {
  return hand_out(datatype::make_contiguous(count, oldtype, form), newtype);
}

Error vector(MPI_Count count, MPI_Count blocklength, MPI_Count stride, const Datatype& oldtype,
             MPI_Datatype* newtype, Form form) {
  return hand_out(datatype::make_vector(count, blocklength, stride, oldtype, form), newtype);
}

Error create_hvector(MPI_Count count, MPI_Count blocklength, MPI_Count stride,
                     const Datatype& oldtype, MPI_Datatype* newtype, Form form) {
  return hand_out(datatype::make_hvector(count, blocklength, stride, oldtype, form), newtype);
}

Error create_resized(const Datatype& oldtype, MPI_Count lb, MPI_Count extent, MPI_Datatype* newtype,
                     Form form) {
  return hand_out(datatype::make_resized(oldtype, lb, extent, form), newtype);
}

template <class Number>
Error indexed(MPI_Count count, const Number* array_of_blocklengths,
              const Number* array_of_displacements, const Datatype& oldtype, MPI_Datatype* newtype,
              Form form) {
  const Wide blocklengths(array_of_blocklengths, count);
  const Wide displacements(array_of_displacements, count);
  return hand_out(datatype::make_indexed(blocklengths, displacements, oldtype, form), newtype);
}

template <class Number>
Error create_hindexed(MPI_Count count, const Number* array_of_blocklengths,
                      const MPI_Count* array_of_displacements, const Datatype& oldtype,
                      MPI_Datatype* newtype, Form form) {
  const Wide blocklengths(array_of_blocklengths, count);
  const Wide displacements(array_of_displacements, count);
  return hand_out(datatype::make_hindexed(blocklengths, displacements, oldtype, form), newtype);
}

template <class Number>
Error create_indexed_block(MPI_Count count, MPI_Count blocklength,
                           const Number* array_of_displacements, const Datatype& oldtype,
                           MPI_Datatype* newtype, Form form) {
  const Wide displacements(array_of_displacements, count);
  return hand_out(datatype::make_indexed_block(blocklength, displacements, oldtype, form), newtype);
}

Error create_hindexed_block(MPI_Count count, MPI_Count blocklength,
                            const MPI_Count* array_of_displacements, const Datatype& oldtype,
                            MPI_Datatype* newtype, Form form) {
  const Wide displacements(array_of_displacements, count);
  return hand_out(datatype::make_hindexed_block(blocklength, displacements, oldtype, form),
                  newtype);
}

template <class Number>
Error create_struct(MPI_Count count, const Number* array_of_blocklengths,
                    const MPI_Count* array_of_displacements, const MPI_Datatype* array_of_types,
                    MPI_Datatype* newtype, Form form) {
  const Wide blocklengths(array_of_blocklengths, count);
  const Wide displacements(array_of_displacements, count);
  std::vector<const Datatype*> types;
  for (MPI_Count i = 0; i < count; ++i) {
    types.push_back(datatypes.find(array_of_types[i]));
    if (types.back() != nullptr) continue;
    const bool null = array_of_types[i] == MPI_DATATYPE_NULL;
    return make_error(
        MPI_ERR_TYPE, "array_of_types[%lld]=%s", static_cast<long long>(i),
        null ? "MPI_DATATYPE_NULL" : "a handle that is not a datatype; was it freed?");
  }
  return hand_out(datatype::make_struct(blocklengths, displacements, types, form), newtype);
}

template <class Number>
Error create_subarray(int ndims, const Number* array_of_sizes, const Number* array_of_subsizes,
                      const Number* array_of_starts, int order, const Datatype& oldtype,
                      MPI_Datatype* newtype, Form form) {
  if (ndims < 1) return no_dimensions(ndims);
  const Wide sizes(array_of_sizes, ndims);
  const Wide subsizes(array_of_subsizes, ndims);
  const Wide starts(array_of_starts, ndims);
  return hand_out(datatype::make_subarray(sizes, subsizes, starts,
                                          static_cast<datatype::Order>(order), oldtype, form),
                  newtype);
}

template <class Number>
Error create_darray(int size, int rank, int ndims, const Number* array_of_gsizes,
                    const int* array_of_distribs, const int* array_of_dargs,
                    const int* array_of_psizes, int order, const Datatype& oldtype,
                    MPI_Datatype* newtype, Form form) {
  if (ndims < 1) return no_dimensions(ndims);
  const Wide gsizes(array_of_gsizes, ndims);
  const Wide dargs(array_of_dargs, ndims);
  const Wide psizes(array_of_psizes, ndims);
  std::vector<datatype::Distribution> distribs;
  for (int i = 0; i < ndims; ++i) {
    distribs.push_back(static_cast<datatype::Distribution>(array_of_distribs[i]));
  }
  return hand_out(datatype::make_darray(size, rank, gsizes, distribs, dargs, psizes,
                                        static_cast<datatype::Order>(order), oldtype, form),
                  newtype);
}

#define ATL_INSTANTIATE(Number)                                                                   \
  template Error indexed(MPI_Count, const Number*, const Number*, const Datatype&, MPI_Datatype*, \
                         Form);                                                                   \
  template Error create_hindexed(MPI_Count, const Number*, const MPI_Count*, const Datatype&,     \
                                 MPI_Datatype*, Form);                                            \
  template Error create_indexed_block(MPI_Count, MPI_Count, const Number*, const Datatype&,       \
                                      MPI_Datatype*, Form);                                       \
  template Error create_struct(MPI_Count, const Number*, const MPI_Count*, const MPI_Datatype*,   \
                               MPI_Datatype*, Form);                                              \
  template Error create_subarray(int, const Number*, const Number*, const Number*, int,           \
                                 const Datatype&, MPI_Datatype*, Form);                           \
  template Error create_darray(int, int, int, const Number*, const int*, const int*, const int*,  \
                               int, const Datatype&, MPI_Datatype*, Form);

ATL_INSTANTIATE(int)
ATL_INSTANTIATE(MPI_Count)

#undef ATL_INSTANTIATE

}  // namespace atl::type
