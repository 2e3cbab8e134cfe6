#include "runtime/type/contents_calls.h"

#include <algorithm>

#include "runtime/type/type_handles.h"

namespace atl::type {
namespace {

using datatype::Contents;
using datatype::Envelope;

Error too_large(const Datatype& datatype) {
  if (datatype.contents().form == datatype::Form::plain) return {};
  return make_error(MPI_ERR_TYPE,
                    "datatype=%s was made with large counts; the large-count form (_c) tells",
                    label(datatype).c_str());
}

Error check_room(const char* argument, MPI_Count most, std::size_t needed) {
  const auto number = static_cast<MPI_Count>(needed);
  if (most >= number) return {};
  return make_error(MPI_ERR_ARG, "%s=%lld is too small: there are %lld", argument,
                    static_cast<long long>(most), static_cast<long long>(number));
}

// A new handle of a derived type, or the handle of a predefined type.
MPI_Datatype handle_for(const Datatype& type) {
  const MPI_Datatype predefined = datatypes.predefined_handle(type);
  if (predefined != MPI_DATATYPE_NULL) return predefined;
  return datatypes.add(const_cast<Datatype*>(&type)).handle;  // shared by all handles
}

}  // namespace

Error get_envelope(const Datatype& datatype, MPI_Count* num_integers, MPI_Count* num_addresses,
                   MPI_Count* num_datatypes, int* combiner) {
  if (Error error = too_large(datatype)) return error;
  MPI_Count none = 0;
  return get_envelope(datatype, num_integers, num_addresses, &none, num_datatypes, combiner);
}

Error get_envelope(const Datatype& datatype, MPI_Count* num_integers, MPI_Count* num_addresses,
                   MPI_Count* num_large_counts, MPI_Count* num_datatypes, int* combiner) {
  const Envelope sizes = envelope(datatype.contents());
  *num_integers = static_cast<MPI_Count>(sizes.integers);
  *num_addresses = static_cast<MPI_Count>(sizes.addresses);
  *num_large_counts = static_cast<MPI_Count>(sizes.large_counts);
  *num_datatypes = static_cast<MPI_Count>(sizes.datatypes);
  *combiner = static_cast<int>(datatype.contents().combiner);
  return {};
}

Error get_contents(const Datatype& datatype, MPI_Count max_integers, MPI_Count max_addresses,
                   MPI_Count max_datatypes, int* array_of_integers, MPI_Aint* array_of_addresses,
                   MPI_Datatype* array_of_datatypes) {
  if (Error error = too_large(datatype)) return error;
  return get_contents(datatype, max_integers, max_addresses, 0, max_datatypes, array_of_integers,
                      array_of_addresses, nullptr, array_of_datatypes);
}

Error get_contents(const Datatype& datatype, MPI_Count max_integers, MPI_Count max_addresses,
                   MPI_Count max_large_counts, MPI_Count max_datatypes, int* array_of_integers,
                   MPI_Aint* array_of_addresses, MPI_Count* array_of_large_counts,
                   MPI_Datatype* array_of_datatypes) {
  const Contents& contents = datatype.contents();
  if (contents.combiner == datatype::Combiner::named) {
    return make_error(MPI_ERR_TYPE, "datatype=%s is predefined: it has no contents",
                      label(datatype).c_str());
  }
  const Envelope sizes = envelope(contents);
  if (Error error = check_room("max_integers", max_integers, sizes.integers)) return error;
  if (Error error = check_room("max_addresses", max_addresses, sizes.addresses)) return error;
  if (Error error = check_room("max_large_counts", max_large_counts, sizes.large_counts)) {
    return error;
  }
  if (Error error = check_room("max_datatypes", max_datatypes, sizes.datatypes)) return error;
  std::ranges::transform(contents.integers(), array_of_integers,
                         [](datatype::Count number) { return static_cast<int>(number); });
  std::ranges::copy(contents.addresses(), array_of_addresses);
  std::ranges::copy(contents.large_counts(), array_of_large_counts);
  std::ranges::transform(contents.types, array_of_datatypes,
                         [](const auto& type) { return handle_for(*type); });
  return {};
}

}  // namespace atl::type
