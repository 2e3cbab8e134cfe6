// Handles: INTEGERs in Fortran (MPI 5.0, 19.3.4). Predefined handles have the same values in both
// languages (20.4).
#pragma once

#include <mpi.h>

#include <cstdint>

namespace atl::fortran {

inline constexpr std::uintptr_t kPredefinedHandles = 1024;  // predefined handles are less

template <class Handle>
Handle from_int(MPI_Fint number);
template <class Handle>
MPI_Fint to_int(Handle handle);

#define ATL_HANDLE(kind, type)                  \
  template <>                                   \
  inline type from_int<type>(MPI_Fint number) { \
    return PMPI_##kind##_fromint(number);       \
  }                                             \
  template <>                                   \
  inline MPI_Fint to_int<type>(type handle) {   \
    return PMPI_##kind##_toint(handle);         \
  }

ATL_HANDLE(Comm, MPI_Comm)
ATL_HANDLE(Type, MPI_Datatype)
ATL_HANDLE(Errhandler, MPI_Errhandler)
ATL_HANDLE(File, MPI_File)
ATL_HANDLE(Group, MPI_Group)
ATL_HANDLE(Info, MPI_Info)
ATL_HANDLE(Message, MPI_Message)
ATL_HANDLE(Op, MPI_Op)
ATL_HANDLE(Request, MPI_Request)
ATL_HANDLE(Session, MPI_Session)
ATL_HANDLE(Win, MPI_Win)

#undef ATL_HANDLE

template <class Handle>
Handle handle(const MPI_Fint* number) {
  const auto value = static_cast<std::uint32_t>(*number);
  if (value < kPredefinedHandles) return reinterpret_cast<Handle>(std::uintptr_t{value});
  return from_int<Handle>(*number);
}

template <class Handle>
MPI_Fint number(Handle handle) {
  const auto value = reinterpret_cast<std::uintptr_t>(handle);
  if (value < kPredefinedHandles) return static_cast<MPI_Fint>(value);
  return to_int<Handle>(handle);
}

}  // namespace atl::fortran
