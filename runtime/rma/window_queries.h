// What a program can ask of a window (MPI 5.0, 12.2.3, 12.2.6, 12.2.7).
#pragma once

#include <mpi.h>

#include "runtime/comm/window.h"
#include "runtime/core/error.h"
#include "runtime/objects/info.h"
#include "runtime/objects/keyvals.h"

namespace atl::rma {

Error shared_query(Window& win, int rank, MPI_Aint* size, MPI_Aint* disp_unit, void* baseptr);
Error get_group(Window& win, MPI_Group* group);
Error set_info(Window& win, const Info& info);
Error get_info(Window& win, MPI_Info* info_used);
Error get_attr(Window& win, const Keyval<MPI_Win>& keyval, void* value, int* flag);

// Adds the predefined attributes of windows; called when MPI starts.
void make_window_attributes();

}  // namespace atl::rma
