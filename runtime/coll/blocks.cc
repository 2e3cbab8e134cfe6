#include "runtime/coll/blocks.h"

#include "runtime/type/handles.h"

namespace atl::coll {

Fault check_data(const Names& names, const void* buffer, MPI_Count count, const Datatype* type) {
  if (count < 0) {
    return fail(MPI_ERR_COUNT, "%s=%lld is negative", names.count, static_cast<long long>(count));
  }
  if (type == nullptr)
    return fail(MPI_ERR_TYPE, "%s is MPI_DATATYPE_NULL or was freed", names.type);
  if (!type->committed()) {
    return fail(MPI_ERR_TYPE, "%s=%s is not committed", names.type, label(*type).c_str());
  }
  const bool empty = count == 0 || type->size() == 0;
  if (buffer == MPI_IN_PLACE) {
    return fail(MPI_ERR_BUFFER, "%s=MPI_IN_PLACE is not allowed here", names.buffer);
  }
  if (buffer == nullptr && !empty && type->true_lower_bound() == 0) {
    return fail(MPI_ERR_BUFFER, "%s is a null pointer, but there are %lld elements of %s",
                names.buffer, static_cast<long long>(count), label(*type).c_str());
  }
  return {};
}

Blocks::Blocks(void* buffer, MPI_Count count, const Datatype* type)
    : form_(Form::equal), buffer_(buffer), count_(count), types_{type} {}

Blocks::Blocks(void* buffer, Numbers counts, Numbers displacements, const Datatype* type)
    : form_(Form::listed),
      buffer_(buffer),
      counts_(counts),
      displacements_(displacements),
      types_{type} {}

Blocks::Blocks(void* buffer, Numbers counts, Numbers displacements, const MPI_Datatype* types,
               int ranks)
    : form_(Form::typed), buffer_(buffer), counts_(counts), displacements_(displacements) {
  if (types == nullptr || in_place()) return;
  for (int rank = 0; rank < ranks; ++rank) types_.emplace_back(datatypes.find(types[rank]));
}

const Datatype* Blocks::type(int rank) const {
  return types_[form_ == Form::typed ? static_cast<std::size_t>(rank) : 0].get();
}

Data Blocks::operator[](int rank) const {
  const Datatype* type = this->type(rank);
  datatype::Count offset = 0;
  switch (form_) {
    case Form::equal: offset = rank * count_ * type->extent(); break;
    case Form::listed: offset = displacements_[rank] * type->extent(); break;
    case Form::typed: offset = displacements_[rank]; break;
  }
  return {static_cast<std::byte*>(buffer_) + offset, static_cast<std::size_t>(count(rank)), type};
}

Fault Blocks::check(const Names& names, int ranks) const {
  if (form_ == Form::equal) return check_data(names, buffer_, count_, type(0));
  if (counts_.null()) return fail(MPI_ERR_ARG, "%s is a null pointer", names.count);
  if (displacements_.null()) return fail(MPI_ERR_ARG, "the displacements are a null pointer");
  if (types_.empty()) return fail(MPI_ERR_ARG, "%s is a null pointer", names.type);
  for (int rank = 0; rank < ranks; ++rank) {
    const std::string element = "[" + std::to_string(rank) + "]";
    const std::string count = names.count + element;
    const std::string type = form_ == Form::typed ? names.type + element : names.type;
    const Names named = {names.buffer, count.c_str(), type.c_str()};
    if (Fault fault = check_data(named, buffer_, counts_[rank], this->type(rank))) return fault;
  }
  return {};
}

}  // namespace atl::coll
