// Wildcards: what they match, what they must not match, and what the status says.
#include <vector>

#include "test/check.h"

namespace {

constexpr int kLargestTag = 32767;  // the least MPI_TAG_UB that the standard allows

struct Note {
  int sender;
  int tag;
};

void send_note(int dest, int tag, MPI_Comm comm = MPI_COMM_WORLD) {
  const Note note{check::rank, tag};
  MPI_Send(&note, 2, MPI_INT, dest, tag, comm);
}

Note receive_note(int source, int tag, MPI_Comm comm = MPI_COMM_WORLD) {
  Note note{-1, -1};
  MPI_Status status;
  MPI_Recv(&note, 2, MPI_INT, source, tag, comm, &status);
  CHECK_EQ(status.MPI_SOURCE, note.sender);
  CHECK_EQ(status.MPI_TAG, note.tag);
  int count = 0;
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK_EQ(count, 2);
  return note;
}

// Each rank sends one message of each tag to rank 0, which receives them all.
void any_source(int tag_asked) {
  check::set_case("any source, %s", tag_asked == MPI_ANY_TAG ? "any tag" : "named tag");
  const std::vector<int> tags = {0, 1, 77, kLargestTag};
  if (check::rank > 0) {
    for (int tag : tags) send_note(0, tag);
  } else {
    std::vector<int> seen(check::size, 0);
    const int total = (check::size - 1) * int(tags.size());
    for (int i = 0; i < total; ++i) {
      // With named tags: all of the last tag first, as they may arrive in any order.
      const int tag =
          tag_asked == MPI_ANY_TAG ? MPI_ANY_TAG : tags[tags.size() - 1 - i / (check::size - 1)];
      const Note note = receive_note(MPI_ANY_SOURCE, tag);
      if (tag != MPI_ANY_TAG) CHECK_EQ(note.tag, tag);
      ++seen[note.sender];
    }
    for (int source = 1; source < check::size; ++source) CHECK_EQ(seen[source], int(tags.size()));
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

// A receive with a named source matches no other sender's message, though they arrived earlier.
void named_source() {
  check::set_case("named source, last rank first");
  if (check::rank > 0) {
    send_note(0, check::rank);
  } else {
    for (int source = check::size - 1; source > 0; --source) {
      CHECK_EQ(receive_note(source, MPI_ANY_TAG).sender, source);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

// Posted wildcards match neither messages of other communicators nor those of collectives.
void contexts() {
  check::set_case("wildcards and other contexts");
  MPI_Comm other;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  Note in_world{-1, -1}, in_other{-1, -1};
  MPI_Request requests[2];
  MPI_Irecv(&in_world, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&in_other, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, other, &requests[1]);

  int value = check::rank == 0 ? 12345 : 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Barrier(other);
  MPI_Bcast(&value, 1, MPI_INT, check::size - 1, other);
  MPI_Comm third;
  MPI_Comm_dup(other, &third);
  CHECK_EQ(value, 12345);
  int flag = -1;
  MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
  CHECK_EQ(flag, 0);
  MPI_Barrier(third);  // no rank sends before all have probed

  const int right = (check::rank + 1) % check::size;
  const int left = (check::rank + check::size - 1) % check::size;
  send_note(right, 11, other);
  send_note(right, 10, MPI_COMM_WORLD);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK_EQ(in_world.sender, left);
  CHECK_EQ(in_world.tag, 10);
  CHECK_EQ(in_other.sender, left);
  CHECK_EQ(in_other.tag, 11);
  MPI_Comm_free(&third);
  MPI_Comm_free(&other);
}

// A wildcard posted first wins over a named receive posted later, and the
// other way round.
void posting_order() {
  check::set_case("posting order of wildcard and named receives");
  const int right = (check::rank + 1) % check::size;
  const int left = (check::rank + check::size - 1) % check::size;
  Note notes[4] = {};
  MPI_Request requests[4];
  MPI_Irecv(&notes[0], 2, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&notes[1], 2, MPI_INT, left, 5, MPI_COMM_WORLD, &requests[1]);
  MPI_Irecv(&notes[2], 2, MPI_INT, left, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[2]);
  MPI_Irecv(&notes[3], 2, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &requests[3]);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 4; ++i) {
    const Note note{check::rank, i};
    MPI_Send(&note, 2, MPI_INT, right, 5, MPI_COMM_WORLD);
  }
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 4; ++i) {
    CHECK_EQ(notes[i].sender, left);
    CHECK_EQ(notes[i].tag, i);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  for (int round = 0; round < 3; ++round) {
    any_source(MPI_ANY_TAG);
    any_source(0);
    named_source();
    contexts();
    posting_order();
  }
  return check::finish();
}
