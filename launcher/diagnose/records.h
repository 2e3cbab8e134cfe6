// Reads what ranks have written about themselves into the job's memory. A rank that stores
// through a bad pointer may have damaged it: values that no rank of the job writes are left
// out, so that callers may use the results as counts and indices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "launcher/diagnose/wait_table.h"
#include "shm/job.h"
#include "shm/wait_record.h"

namespace atl::launcher {

// The state in a rank slot, in a job of `ranks` ranks.
RankState read_state(const shm::RankSlot& slot, bool running, std::size_t ranks);

// The rank's report for that question or a later one; nothing: it has not replied yet, or
// the report is damaged.
std::optional<shm::ReportInfo> read_answer(const shm::WaitReport& report, std::uint32_t question,
                                           std::size_t ranks);

}  // namespace atl::launcher
