// MPI_Waitany, MPI_Waitsome and similar calls on arrays of many requests, which change between
// the calls in all ways that a program may change them. A model says what each call may return.
#include <algorithm>
#include <random>
#include <vector>

#include "test/check.h"

namespace {

constexpr int kSlots = 300;
constexpr int kFewest = 70;  // handles in a call

enum class Kind { none, receive, persistent, exchange, synchronous };

// One place of the array. Its request waits for a message of this rank to itself.
struct Slot {
  Kind kind = Kind::none;
  bool due = false;        // its request must be complete
  bool cancelled = false;  // by MPI_Cancel, and so it is due
  int tag = 0;
  int sent = 0, received = 0, unused = 0;  // values
  MPI_Request persistent = MPI_REQUEST_NULL;
};

class Model {
 public:
  explicit Model(unsigned seed) : random_(seed), handles_(kSlots, MPI_REQUEST_NULL) {}

  void run(int steps) {
    for (int step = 0; step < steps; ++step) {
      const int place = draw(kSlots);
      switch (draw(8)) {
        case 0:
        case 1:
        case 2: begin(place); break;
        case 3:
        case 4: make_due(place); break;
        case 5: cancel(place); break;
        case 6: complete_by_another_call(place); break;
        default: call();
      }
    }
    for (int place = 0; place < kSlots; ++place) make_due(place);
    while (active(kSlots) != 0) call();
    count_ = kSlots;
    call_any(true);
    for (Slot& slot : slots_) {
      if (slot.persistent != MPI_REQUEST_NULL) MPI_Request_free(&slot.persistent);
    }
  }

 private:
  int draw(int below) { return std::uniform_int_distribution(0, below - 1)(random_); }

  void begin(int place) {
    Slot& slot = slots_[place];
    if (slot.kind != Kind::none) return;
    slot.kind = static_cast<Kind>(1 + draw(4));
    slot.due = slot.cancelled = false;
    slot.tag = next_tag_++ % 10000;
    slot.sent = draw(1 << 30);
    slot.received = -1;
    MPI_Request& handle = handles_[place];
    const auto receive = [&](auto begins, MPI_Request& request) {
      begins(&slot.received, 1, MPI_INT, check::rank, slot.tag, MPI_COMM_WORLD, &request);
    };
    switch (slot.kind) {
      case Kind::receive: receive(MPI_Irecv, handle); break;
      case Kind::persistent:
        // Sometimes with the handle that the array had before.
        if (slot.persistent == MPI_REQUEST_NULL) {
          slot.tag = kPersistentTag + place;
          receive(MPI_Recv_init, slot.persistent);
        }
        slot.tag = kPersistentTag + place;
        handle = slot.persistent;
        MPI_Start(&handle);
        break;
      case Kind::exchange:
        MPI_Isendrecv(&slot.sent, 1, MPI_INT, check::rank, kOtherWay + slot.tag, &slot.received, 1,
                      MPI_INT, check::rank, slot.tag, MPI_COMM_WORLD, &handle);
        break;
      default: MPI_Issend(&slot.sent, 1, MPI_INT, check::rank, slot.tag, MPI_COMM_WORLD, &handle);
    }
  }

  void make_due(int place) {
    Slot& slot = slots_[place];
    if (slot.kind == Kind::none || slot.due) return;
    slot.due = true;
    const auto send = [&] {
      MPI_Send(&slot.sent, 1, MPI_INT, check::rank, slot.tag, MPI_COMM_WORLD);
    };
    const auto receive = [&](int tag) {
      int value = -1;
      MPI_Recv(&value, 1, MPI_INT, check::rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK_EQ(value, slot.sent);
    };
    if (slot.kind == Kind::synchronous) return receive(slot.tag);
    if (slot.kind != Kind::exchange) return send();
    // Its two halves in either order.
    if (draw(2) == 0)
      send(), receive(kOtherWay + slot.tag);
    else
      receive(kOtherWay + slot.tag), send();
  }

  void cancel(int place) {
    Slot& slot = slots_[place];
    const bool can = slot.kind == Kind::receive || slot.kind == Kind::persistent;
    if (!can || slot.due || draw(4) != 0) return;
    MPI_Cancel(&handles_[place]);
    slot.due = slot.cancelled = true;
  }

  // Completes a due request by a call other than those under test, or frees it.
  void complete_by_another_call(int place) {
    Slot& slot = slots_[place];
    if (slot.kind == Kind::receive && !slot.due && draw(8) == 0) {
      MPI_Request_free(&handles_[place]);
      make_due(place);
      slot.kind = Kind::none;
      return;
    }
    std::vector<int> places;
    std::vector<MPI_Request> several;
    for (int i = place; i < std::min(place + draw(5), kSlots); ++i) {
      if (slots_[i].kind == Kind::none || !slots_[i].due) continue;
      places.push_back(i);
      several.push_back(handles_[i]);
    }
    std::vector<MPI_Status> statuses(several.size());
    MPI_Waitall(int(several.size()), several.data(), statuses.data());
    for (std::size_t i = 0; i < several.size(); ++i) {
      handles_[places[i]] = several[i];
      over(places[i], statuses[i]);
    }
  }

  int active(int count) const {
    return int(std::count_if(slots_, slots_ + count,
                             [](const Slot& slot) { return slot.kind != Kind::none; }));
  }
  int due(int count) const {
    return int(std::count_if(slots_, slots_ + count,
                             [](const Slot& slot) { return slot.kind != Kind::none && slot.due; }));
  }

  // The request at that place has been completed.
  void over(int place, const MPI_Status& status) {
    Slot& slot = slots_[place];
    CHECK(slot.kind != Kind::none && slot.due);
    int cancelled = -1;
    MPI_Test_cancelled(&status, &cancelled);
    CHECK_EQ(cancelled, int(slot.cancelled));
    if (slot.kind != Kind::synchronous && !slot.cancelled) {
      CHECK_EQ(status.MPI_TAG, slot.tag);
      CHECK_EQ(slot.received, slot.sent);
    }
    if (slot.kind == Kind::persistent) {
      CHECK(handles_[place] == slot.persistent);
      if (draw(2) == 0) handles_[place] = MPI_REQUEST_NULL;
    } else {
      CHECK(handles_[place] == MPI_REQUEST_NULL);
    }
    slot.kind = Kind::none;
  }

  void call() {
    // Mostly the whole array, sometimes a part, sometimes the same handles at other places.
    count_ = draw(4) == 0 ? kFewest + draw(kSlots - kFewest) : kSlots;
    std::vector<MPI_Request> elsewhere;
    const bool moves = draw(8) == 0;
    if (moves) {
      elsewhere = handles_;
      elsewhere.swap(handles_);
    }
    const bool waits = draw(2) == 0 && (due(count_) != 0 || active(count_) == 0);
    switch (draw(3)) {
      case 0: call_any(waits); break;
      case 1: call_some(waits); break;
      default: ask(); break;
    }
  }

  void call_any(bool waits) {
    check::set_case(waits ? "MPI_Waitany" : "MPI_Testany");
    const int were_due = due(count_);
    const bool counts = active(count_) != 0;
    MPI_Status status;
    int index = 77, flag = waits;
    if (waits) {
      MPI_Waitany(count_, handles_.data(), &index, &status);
    } else {
      do {
        MPI_Testany(count_, handles_.data(), &index, &flag, &status);
      } while (were_due != 0 && !flag);
    }
    CHECK_EQ(flag, int(were_due != 0 || !counts));
    CHECK_EQ(index == MPI_UNDEFINED, were_due == 0);
    if (index != MPI_UNDEFINED) over(index, status);
  }

  void call_some(bool waits) {
    check::set_case(waits ? "MPI_Waitsome" : "MPI_Testsome");
    const int were_due = due(count_);
    const bool counts = active(count_) != 0;
    int indices[kSlots], completed = 77, done = 0;
    MPI_Status statuses[kSlots];
    do {
      const auto function = waits ? MPI_Waitsome : MPI_Testsome;
      function(count_, handles_.data(), &completed, indices, statuses);
      CHECK_EQ(completed == MPI_UNDEFINED, !counts);
      CHECK(std::is_sorted(indices, indices + std::max(completed, 0)));
      for (int i = 0; i < completed; ++i) over(indices[i], statuses[i]);
      done += std::max(completed, 0);
    } while (done < were_due);
    CHECK_EQ(done, were_due);
  }

  // The calls that leave the requests as they are.
  void ask() {
#if MPI_LEVEL >= 41
    check::set_case("MPI_Request_get_status_any and _some");
    const int were_due = due(count_);
    const bool counts = active(count_) != 0;
    const std::vector<MPI_Request> before = handles_;
    int index = 77, flag = -1, completed = 77, indices[kSlots];
    MPI_Status status, statuses[kSlots];
    do {
      MPI_Request_get_status_any(count_, handles_.data(), &index, &flag, &status);
    } while (were_due != 0 && !flag);
    CHECK_EQ(flag, int(were_due != 0 || !counts));
    if (index != MPI_UNDEFINED) CHECK(slots_[index].kind != Kind::none && slots_[index].due);
    do {
      MPI_Request_get_status_some(count_, handles_.data(), &completed, indices, statuses);
    } while (completed < were_due && counts);
    CHECK_EQ(completed, counts ? were_due : MPI_UNDEFINED);
    CHECK(handles_ == before);
#endif
  }

  static constexpr int kPersistentTag = 10000, kOtherWay = 11000;

  std::mt19937 random_;
  std::vector<MPI_Request> handles_;
  Slot slots_[kSlots];
  int count_ = kSlots;  // of the handles in a call
  int next_tag_ = 0;
};

int left() { return (check::rank + check::size - 1) % check::size; }
int right() { return (check::rank + 1) % check::size; }

// The messages arrive while the calls wait, in an order that the receiver does not know.
void messages_in_any_order(bool some) {
  check::set_case(some ? "MPI_Waitsome while messages come" : "MPI_Waitany while messages come");
  constexpr int kMessages = 1000;
  std::vector<int> values(kMessages, -1), order(kMessages), indices(kMessages);
  std::vector<MPI_Request> handles(kMessages), sends(kMessages);
  for (int i = 0; i < kMessages; ++i) {
    order[i] = i;
    MPI_Irecv(&values[i], 1, MPI_INT, left(), i, MPI_COMM_WORLD, &handles[i]);
  }
  std::shuffle(order.begin(), order.end(), std::mt19937(unsigned(check::rank)));
  MPI_Barrier(MPI_COMM_WORLD);
  int received = 0;
  for (int i = 0; i < kMessages; ++i) {
    MPI_Isend(&order[i], 1, MPI_INT, right(), order[i], MPI_COMM_WORLD, &sends[i]);
    if (i % 3 != 0) continue;
    int completed = 1;
    const auto wait =
        some ? MPI_Waitsome(kMessages, handles.data(), &completed, indices.data(),
                            MPI_STATUSES_IGNORE)
             : MPI_Waitany(kMessages, handles.data(), indices.data(), MPI_STATUS_IGNORE);
    CHECK_EQ(wait, MPI_SUCCESS);
    for (int k = 0; k < completed; ++k) CHECK_EQ(values[indices[k]], indices[k]);
    received += std::max(completed, 0);
  }
  for (int index = 0; index != MPI_UNDEFINED;) {
    MPI_Waitany(kMessages, handles.data(), &index, MPI_STATUS_IGNORE);
    if (index != MPI_UNDEFINED) ++received;
  }
  CHECK_EQ(received, kMessages);
  MPI_Waitall(kMessages, sends.data(), MPI_STATUSES_IGNORE);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  const unsigned seeds = check::size <= 4 ? 20 : 4;  // each rank has its own
  for (unsigned seed = 0; seed < seeds; ++seed) {
    Model(100 * unsigned(check::rank) + seed).run(3000);
  }
  messages_in_any_order(false);
  messages_in_any_order(true);
  return check::finish();
}
