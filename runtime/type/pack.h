// Pack and unpack (MPI 5.0, 5.2). A packed message holds the values one after another, as in a
// message; the communicator makes no difference on one node.
#pragma once

#include <mpi.h>

#include "datatype/datatype.h"
#include "runtime/core/error.h"

namespace atl {
class Communicator;
}

namespace atl::type {

using datatype::Datatype;

Error pack(const void* inbuf, MPI_Count incount, const Datatype& datatype, void* outbuf,
           MPI_Count outsize, MPI_Count* position, Communicator& comm);
Error unpack(const void* inbuf, MPI_Count insize, MPI_Count* position, void* outbuf,
             MPI_Count outcount, const Datatype& datatype, Communicator& comm);
Error pack_size(MPI_Count incount, const Datatype& datatype, Communicator& comm, MPI_Count* size);

// In the representation "external32" (14.5.2), the same on every machine.
Error pack_external(const char* datarep, const void* inbuf, MPI_Count incount,
                    const Datatype& datatype, void* outbuf, MPI_Count outsize, MPI_Count* position);
Error unpack_external(const char* datarep, const void* inbuf, MPI_Count insize, MPI_Count* position,
                      void* outbuf, MPI_Count outcount, const Datatype& datatype);
Error pack_external_size(const char* datarep, MPI_Count incount, const Datatype& datatype,
                         MPI_Count* size);

}  // namespace atl::type
