#include "runtime/type/pack.h"

#include <span>
#include <string_view>

#include "datatype/external32.h"
#include "runtime/type/type_handles.h"

namespace atl::type {
namespace {

// Bytes of `count` elements of `each` bytes.
Error total(const char* argument, MPI_Count count, std::size_t each, MPI_Count* bytes) {
  MPI_Count product = 0;
  if (!__builtin_mul_overflow(count, each, &product)) {
    *bytes = product;
    return {};
  }
  return make_error(MPI_ERR_COUNT, "%s=%lld: so many elements of %zu bytes exceed 64 bits",
                    argument, static_cast<long long>(count), each);
}

// Error unless [position, position + bytes) is inside the packed buffer of `size` bytes.
Error check_place(const char* buffer, const void* address, const char* argument, MPI_Count size,
                  MPI_Count position, MPI_Count bytes) {
  if (position < 0 || position > size) {
    return make_error(MPI_ERR_ARG, "position=%lld is outside of %s, which has %s=%lld bytes",
                      static_cast<long long>(position), buffer, argument,
                      static_cast<long long>(size));
  }
  if (bytes > size - position) {
    return make_error(MPI_ERR_TRUNCATE, "%s=%lld bytes are too few for %lld bytes at position %lld",
                      argument, static_cast<long long>(size), static_cast<long long>(bytes),
                      static_cast<long long>(position));
  }
  if (address != nullptr || bytes == 0) return {};
  return make_error(MPI_ERR_BUFFER, "%s is a null pointer, but %lld bytes go there", buffer,
                    static_cast<long long>(bytes));
}

Error check_datarep(const char* datarep) {
  if (std::string_view(datarep) == "external32") return {};
  return make_error(MPI_ERR_UNSUPPORTED_DATAREP, "datarep=%s is not \"external32\"", datarep);
}

}  // namespace

Error pack(const void* inbuf, MPI_Count incount, const Datatype& datatype, void* outbuf,
           MPI_Count outsize, MPI_Count* position, Communicator&) {
  MPI_Count bytes = 0;
  if (Error error = total("incount", incount, datatype.size(), &bytes)) return error;
  if (Error error = check_place("outbuf", outbuf, "outsize", outsize, *position, bytes)) {
    return error;
  }
  datatype.pack(inbuf, 0,
                {static_cast<std::byte*>(outbuf) + *position, static_cast<std::size_t>(bytes)});
  *position += bytes;
  return {};
}

Error unpack(const void* inbuf, MPI_Count insize, MPI_Count* position, void* outbuf,
             MPI_Count outcount, const Datatype& datatype, Communicator&) {
  MPI_Count bytes = 0;
  if (Error error = total("outcount", outcount, datatype.size(), &bytes)) return error;
  if (Error error = check_place("inbuf", inbuf, "insize", insize, *position, bytes)) return error;
  datatype.unpack(
      outbuf, 0,
      {static_cast<const std::byte*>(inbuf) + *position, static_cast<std::size_t>(bytes)});
  *position += bytes;
  return {};
}

Error pack_size(MPI_Count incount, const Datatype& datatype, Communicator&, MPI_Count* size) {
  return total("incount", incount, datatype.size(), size);
}

Error pack_external(const char* datarep, const void* inbuf, MPI_Count incount,
                    const Datatype& datatype, void* outbuf, MPI_Count outsize,
                    MPI_Count* position) {
  MPI_Count bytes = 0;
  if (Error error = pack_external_size(datarep, incount, datatype, &bytes)) return error;
  if (Error error = check_place("outbuf", outbuf, "outsize", outsize, *position, bytes)) {
    return error;
  }
  std::byte* const packed = static_cast<std::byte*>(outbuf) + *position;
  if (!datatype::pack_external(datatype, inbuf, incount, packed)) {
    return make_error(MPI_ERR_CONVERSION,
                      "inbuf holds an integer that does not fit into external32");
  }
  *position += bytes;
  return {};
}

Error unpack_external(const char* datarep, const void* inbuf, MPI_Count insize, MPI_Count* position,
                      void* outbuf, MPI_Count outcount, const Datatype& datatype) {
  if (Error error = check_datarep(datarep)) return error;
  MPI_Count bytes = 0;
  const std::size_t each = datatype::external_size(datatype);
  if (Error error = total("outcount", outcount, each, &bytes)) return error;
  if (Error error = check_place("inbuf", inbuf, "insize", insize, *position, bytes)) return error;
  const std::byte* const packed = static_cast<const std::byte*>(inbuf) + *position;
  datatype::unpack_external(datatype, outbuf, outcount, packed);
  *position += bytes;
  return {};
}

Error pack_external_size(const char* datarep, MPI_Count incount, const Datatype& datatype,
                         MPI_Count* size) {
  if (Error error = check_datarep(datarep)) return error;
  return total("incount", incount, datatype::external_size(datatype), size);
}

}  // namespace atl::type
