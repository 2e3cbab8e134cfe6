#include "runtime/api/argument_checks.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "datatype/constructors.h"
#include "runtime/api/entry.h"

namespace atl::api {
namespace {

// A communicator of four ranks, in which this process is rank 0.
struct Four : Communicator {
  Four() : Communicator(RankMap::range(0, 1, 4), 0, 0) {
    set_name("MPI_COMM_WORLD");
    predefined = reinterpret_cast<std::uintptr_t>(MPI_COMM_WORLD);  // not in the handle table
  }
};

const Datatype& type(MPI_Datatype handle) {
  return *datatype::predefined(reinterpret_cast<std::uintptr_t>(handle));
}

template <class Handle>
Handle handle(std::uintptr_t value) {
  return reinterpret_cast<Handle>(value);
}

void refused(const Error& error, int error_class, const std::string& text) {
  CHECK(error.error_class() == error_class);
  CHECK(error.text() == text);
}

void accepted(const Error& error) { CHECK_FALSE(static_cast<bool>(error)); }

TEST_CASE("ranks are those of the communicator, and the special values of the argument") {
  const Four comm;
  for (int rank = 0; rank < 4; ++rank) {
    accepted(check::destination(rank, "dest", comm));
    accepted(check::source(rank, "source", comm));
    accepted(check::root(rank, "root", comm));
  }
  accepted(check::destination(MPI_PROC_NULL, "dest", comm));
  accepted(check::source(MPI_PROC_NULL, "source", comm));
  accepted(check::source(MPI_ANY_SOURCE, "source", comm));

  const std::string outside = " is outside communicator MPI_COMM_WORLD of size 4";
  refused(check::destination(4, "dest", comm), MPI_ERR_RANK, "dest=4" + outside);
  refused(check::destination(MPI_ANY_SOURCE, "dest", comm), MPI_ERR_RANK, "dest=-1" + outside);
  refused(check::source(-7, "source", comm), MPI_ERR_RANK, "source=-7" + outside);
  refused(check::root(MPI_PROC_NULL, "root", comm), MPI_ERR_ROOT, "root=-3" + outside);
}

TEST_CASE("tags are not negative; a receive may use MPI_ANY_TAG") {
  accepted(check::send_tag(0, "tag"));
  accepted(check::send_tag(check::kLargestTag, "tag"));
  accepted(check::receive_tag(MPI_ANY_TAG, "tag"));
  refused(check::send_tag(MPI_ANY_TAG, "tag"), MPI_ERR_TAG, "tag=-2 is negative");
  refused(check::receive_tag(-5, "recvtag"), MPI_ERR_TAG, "recvtag=-5 is negative");
}

TEST_CASE("counts and sizes are not negative") {
  accepted(check::count(0, "count"));
  accepted(check::count(std::numeric_limits<MPI_Count>::max(), "count"));
  refused(check::count(-1, "count"), MPI_ERR_COUNT, "count=-1 is negative");
  accepted(check::size(0, "size"));
  refused(check::size(-8, "size"), MPI_ERR_ARG, "size=-8 is negative");
}

TEST_CASE("a buffer may be null only when it has no data") {
  int value = 0;
  accepted(check::buffer(&value, "buf", 1, type(MPI_INT)));
  accepted(check::buffer(nullptr, "buf", 0, type(MPI_INT)));
  refused(check::buffer(nullptr, "buf", 2, type(MPI_INT)), MPI_ERR_BUFFER,
          "buf is a null pointer, but count is 2 (MPI_INT)");
  refused(check::buffer(MPI_IN_PLACE, "buf", 2, type(MPI_INT)), MPI_ERR_BUFFER,
          "buf is MPI_IN_PLACE, which has no meaning here");
  refused(check::buffer(MPI_BUFFER_AUTOMATIC, "buf", 2, type(MPI_INT)), MPI_ERR_BUFFER,
          "buf is MPI_BUFFER_AUTOMATIC, which has no meaning here");
}

TEST_CASE("null is MPI_BOTTOM to a datatype that holds addresses") {
  const datatype::Count address = 4096;
  const auto made = datatype::make_hindexed_block(1, {&address, 1}, type(MPI_INT));
  accepted(check::buffer(MPI_BOTTOM, "buf", 1, *made.type));
}

TEST_CASE("outputs must not be null") {
  int value = 0;
  accepted(check::address(&value, "flag"));
  refused(check::address(nullptr, "flag"), MPI_ERR_ARG, "flag is a null pointer");
  accepted(check::array(&value, "indices", 3));
  accepted(check::array(nullptr, "indices", 0));
  refused(check::array(nullptr, "indices", 3), MPI_ERR_ARG,
          "indices is a null pointer, but its length is 3");
}

TEST_CASE("callbacks must not be null") {
  void (*callback)(void*) = [](void*) {};
  accepted(check::function(callback, "free_fn"));
  callback = nullptr;
  refused(check::function(callback, "free_fn"), MPI_ERR_ARG, "free_fn is a null pointer");
}

TEST_CASE("the error names the kind of object that a wrong handle belongs to") {
  Group& group = *groups.find(groups.make(Four().members(), nullptr));
  const std::uintptr_t value = HandleTable<Group>::handle(group);
  Communicator* found = nullptr;
  const Error error = check::communicator(handle<MPI_Comm>(value), "comm", found);
  CHECK(error.error_class() == MPI_ERR_COMM);
  CHECK(error.text().ends_with(" is the handle of a group, not of a communicator"));
  groups.free(group);
}

TEST_CASE("communicators: null, never made, freed and made again") {
  Communicator* found = nullptr;
  refused(check::communicator(MPI_COMM_NULL, "comm", found), MPI_ERR_COMM, "comm is MPI_COMM_NULL");
  refused(check::communicator(handle<MPI_Comm>(0x7001), "comm", found), MPI_ERR_COMM,
          "comm=0x7001 is not a communicator; was it freed?");
  refused(check::communicator_at(nullptr, "comm", found), MPI_ERR_ARG, "comm is a null pointer");

  const auto members = Four().members();
  Communicator& first = communicators.make(members, 0, 5u);
  const MPI_Comm stale = Communicators::handle(first);
  accepted(check::communicator(stale, "comm", found));
  CHECK(found == &first);
  accepted(check::communicator_at(&stale, "comm", found));
  communicators.destroy(first);
  CHECK(check::communicator(stale, "comm", found).error_class() == MPI_ERR_COMM);

  Communicator& second = communicators.make(members, 0, 6u);
  CHECK(check::communicator(stale, "comm", found).error_class() == MPI_ERR_COMM);
  communicators.destroy(second);
}

TEST_CASE("datatypes") {
  const Datatype* found = nullptr;
  accepted(check::datatype(MPI_DOUBLE, "datatype", found));
  CHECK(found == &type(MPI_DOUBLE));
  refused(check::datatype(MPI_DATATYPE_NULL, "sendtype", found), MPI_ERR_TYPE,
          "sendtype is MPI_DATATYPE_NULL");
  CHECK(check::datatype(handle<MPI_Datatype>(767), "datatype", found).error_class() ==
        MPI_ERR_TYPE);
  CHECK(check::datatype(nullptr, "datatype", found).error_class() == MPI_ERR_TYPE);
}

TEST_CASE("error handlers and info objects") {
  Errhandler* found = nullptr;
  accepted(check::errhandler<MPI_Comm>(MPI_ERRORS_RETURN, "errhandler", found));
  CHECK(found == &errors_return());
  refused(check::errhandler<MPI_Win>(MPI_ERRHANDLER_NULL, "errhandler", found), MPI_ERR_ERRHANDLER,
          "errhandler is MPI_ERRHANDLER_NULL");
  refused(check::errhandler_at(nullptr, "errhandler"), MPI_ERR_ARG, "errhandler is a null pointer");
  const Info* hints = nullptr;
  accepted(check::hints(MPI_INFO_NULL, "info", hints));
  CHECK(hints == &no_hints());
  accepted(check::hints(MPI_INFO_ENV, "info", hints));
  CHECK(check::hints(handle<MPI_Info>(0x7001), "info", hints).error_class() == MPI_ERR_INFO);
  refused(check::info(MPI_INFO_NULL, "info", hints), MPI_ERR_INFO, "info is MPI_INFO_NULL");
  const MPI_Info env = MPI_INFO_ENV;
  refused(check::own_info_at(&env, "info"), MPI_ERR_INFO,
          "info=MPI_INFO_ENV can neither be changed nor freed");
}

TEST_CASE("keyvals: invalid, freed, of other objects, the standard's own") {
  Keyval<MPI_Comm>* found = nullptr;
  refused(check::keyval(MPI_KEYVAL_INVALID, "keyval", found), MPI_ERR_KEYVAL,
          "keyval is MPI_KEYVAL_INVALID");
  Keyval<MPI_Comm>& made = keyvals<MPI_Comm>.create(nullptr, nullptr, nullptr);
  const int number = made.number;
  accepted(check::keyval(number, "keyval", found));
  CHECK(found == &made);
  Keyval<MPI_Win>* other = nullptr;
  CHECK(check::keyval(number, "keyval", other).error_class() == MPI_ERR_KEYVAL);
  keyvals<MPI_Comm>.free(number);
  CHECK(check::own_keyval(number, "keyval", found).error_class() == MPI_ERR_KEYVAL);
  keyvals<MPI_Comm>.add_standard(MPI_TAG_UB, "MPI_TAG_UB");
  accepted(check::keyval(MPI_TAG_UB, "keyval", found));
  refused(check::own_keyval_at<MPI_Comm>(&found->number, "keyval"), MPI_ERR_KEYVAL,
          "keyval=MPI_TAG_UB belongs to the standard and cannot be changed");
}

TEST_CASE("thread levels") {
  for (int level :
       {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE}) {
    accepted(check::thread_level(level, "required"));
  }
  refused(check::thread_level(3, "required"), MPI_ERR_ARG, "required=3 is not a thread level");
}

TEST_CASE("results that do not fit into an int") {
  constexpr MPI_Count kTooLarge = MPI_Count{1} << 31;
  int result = 17;
  refused(check::narrow(kTooLarge, "size", &result), MPI_ERR_VALUE_TOO_LARGE,
          "size is 2147483648, too large for an int; the large-count form (_c) can give it out");
  CHECK(result == 17);
  accepted(check::narrow(kTooLarge - 1, "size", &result));
  CHECK(result == std::numeric_limits<int>::max());
  accepted(check::narrow_or_undefined(kTooLarge, "count", &result));
  CHECK(result == MPI_UNDEFINED);
  accepted(check::narrow_or_undefined(-3, "count", &result));
  CHECK(result == -3);
}

TEST_CASE("a call outside MPI_Init and MPI_Finalize") {
  Entry early("MPI_Send");
  process.phase = Phase::before_init;
  refused(early.open(), MPI_ERR_OTHER, "called before MPI_Init");
  Entry late("MPI_Send");
  process.phase = Phase::finalized;
  refused(late.open(), MPI_ERR_OTHER, "called after MPI_Finalize");
  process.phase = Phase::before_init;
}

TEST_CASE("the lock is held from open to close only if several threads may be in MPI") {
  const auto is_free = [] {
    const bool free = process.lock.try_lock();
    if (free) process.lock.unlock();
    return free;
  };
  process.phase = Phase::running;
  Entry single("MPI_Send");
  accepted(single.open());
  CHECK(is_free());
  CHECK(single.close({}) == MPI_SUCCESS);

  process.threaded = true;
  Entry multiple("MPI_Recv");
  accepted(multiple.open());
  CHECK_FALSE(is_free());
  CHECK(std::string(process.activity.call) == "MPI_Recv");
  CHECK(multiple.close({}) == MPI_SUCCESS);
  CHECK(is_free());
  process.threaded = false;
  process.phase = Phase::before_init;
}

TEST_CASE("close hands an error to the communicator's error handler") {
  Four comm;
  comm.set_errhandler(errors_return());
  process.phase = Phase::running;
  Entry entry("MPI_Send");
  accepted(entry.open());
  CHECK(entry.close(check::send_tag(-9, "tag"), &comm) == MPI_ERR_TAG);
  CHECK(last_sentence(MPI_ERR_TAG) == "MPI_Send: tag=-9 is negative");
  process.phase = Phase::before_init;
}

}  // namespace
}  // namespace atl::api
