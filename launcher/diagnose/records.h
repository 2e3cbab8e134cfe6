// What ranks have written about themselves into the job's memory, read by those who look
// on. A rank that stores through a bad pointer may have hit it: what no rank of the job
// writes is left out here, so that whoever uses the rest may count and index with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "launcher/diagnose/wait_table.h"
#include "shm/job.h"
#include "shm/wait_record.h"

namespace atl::launcher {

// What a rank's slot says now, in a job of so many ranks.
RankState read_state(const shm::RankSlot& slot, bool running, std::size_t ranks);

// What the rank has answered to that question or a later one; nothing: it has not yet, or
// the answer is damaged.
std::optional<shm::ReportInfo> read_answer(const shm::WaitReport& report, std::uint32_t question,
                                           std::size_t ranks);

}  // namespace atl::launcher
