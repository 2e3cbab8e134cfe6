// Attributes whose callbacks count, on a communicator and its copy.
#include <memory>
#include <vector>

#include "test/check.h"
#include "test/soak/operation.h"

namespace soak {
namespace {

// What the callbacks of a key have been called for.
struct Calls {
  int copied = 0;
  int deleted = 0;
};

// The value of an attribute is a number; that of a copy is one more.
int copy(MPI_Comm, int, void* extra, void* value, void* copied, int* flag) {
  ++static_cast<Calls*>(extra)->copied;
  *static_cast<void**>(copied) = static_cast<char*>(value) + 1;
  *flag = 1;
  return MPI_SUCCESS;
}

int forget(MPI_Comm, int, void*, void* extra) {
  ++static_cast<Calls*>(extra)->deleted;
  return MPI_SUCCESS;
}

// Set before the communicator is duplicated, looked up in the copy, deleted with it.
class Attributes : public Operation {
 public:
  Attributes(Draw& draw, int community)
      : at_(draw.at(community)), community_(community), value_(draw.random.below(1 << 30)) {}

  int steps() const override { return 3; }
  std::vector<int> uses() const override { return {community_}; }

  void step(int number, check::Random&) override {
    if (!at_.member()) return;
    if (number == 0) set();
    if (number == 1) duplicate();
    if (number == 2) remove();
  }

 private:
  void* value(std::uint64_t more) const { return reinterpret_cast<void*>(value_ + more); }

  static void expect(MPI_Comm comm, int key, void* value) {
    void* found = nullptr;
    int flag = -1;
    MPI_Comm_get_attr(comm, key, &found, &flag);
    CHECK(flag == 1 && found == value);
  }

  void set() {
    MPI_Comm_create_keyval(copy, forget, &key_, &calls_);
    MPI_Comm_set_attr(at_.comm, key_, value(1));
    CHECK_EQ(calls_.deleted, 0);
    MPI_Comm_set_attr(at_.comm, key_, value(2));
    CHECK_EQ(calls_.deleted, 1);
  }

  void duplicate() {
    // Other operations may have duplicated the communicator between two steps.
    const int copied = calls_.copied;
    MPI_Comm_dup(at_.comm, &twin_);
    CHECK_EQ(calls_.copied, copied + 1);
    expect(twin_, key_, value(3));
    expect(at_.comm, key_, value(2));
  }

  void remove() {
    const int deleted = calls_.deleted;
    MPI_Comm_delete_attr(twin_, key_);
    CHECK_EQ(calls_.deleted, deleted + 1);
    MPI_Comm_free(&twin_);
    CHECK_EQ(calls_.deleted, deleted + 1);
    MPI_Comm_delete_attr(at_.comm, key_);
    CHECK_EQ(calls_.deleted, deleted + 2);
    MPI_Comm_free_keyval(&key_);
  }

  const Community& at_;
  int community_;
  std::uintptr_t value_;
  int key_ = MPI_KEYVAL_INVALID;
  Calls calls_;
  MPI_Comm twin_ = MPI_COMM_NULL;
};

}  // namespace

std::unique_ptr<Operation> draw_attributes(Draw& draw) { return draw_on_any<Attributes>(draw); }

}  // namespace soak
