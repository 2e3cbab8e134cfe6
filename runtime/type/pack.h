// Pack and unpack (MPI 5.0, 5.2). A packed message is the values one after the
// other, as they travel; the communicator makes no difference on one node.
#pragma once

#include <mpi.h>

#include "datatype/datatype.h"
#include "runtime/core/fault.h"

namespace atl {
class Communicator;
}

namespace atl::type {

using datatype::Datatype;

Fault pack(const void* inbuf, MPI_Count incount, const Datatype& datatype, void* outbuf,
           MPI_Count outsize, MPI_Count* position, Communicator& comm);
Fault unpack(const void* inbuf, MPI_Count insize, MPI_Count* position, void* outbuf,
             MPI_Count outcount, const Datatype& datatype, Communicator& comm);
Fault pack_size(MPI_Count incount, const Datatype& datatype, Communicator& comm, MPI_Count* size);

// In the representation "external32" (14.5.2), the same on every machine.
Fault pack_external(const char* datarep, const void* inbuf, MPI_Count incount,
                    const Datatype& datatype, void* outbuf, MPI_Count outsize, MPI_Count* position);
Fault unpack_external(const char* datarep, const void* inbuf, MPI_Count insize, MPI_Count* position,
                      void* outbuf, MPI_Count outcount, const Datatype& datatype);
Fault pack_external_size(const char* datarep, MPI_Count incount, const Datatype& datatype,
                         MPI_Count* size);

}  // namespace atl::type
