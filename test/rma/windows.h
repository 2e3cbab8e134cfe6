// Windows of every flavor with the same interface, for tests that hold whatever the window is.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "test/check.h"

namespace rma {

enum class Flavor {
  allocate,
  shared,
  shared_noncontig,
  create,            // on memory of the program
  create_alloc_mem,  // on memory of MPI_Alloc_mem
  dynamic,
  dynamic_alloc_mem,
};
constexpr const char* kFlavors[] = {
    "allocate",         "shared",  "shared_noncontig",  "create",
    "create_alloc_mem", "dynamic", "dynamic_alloc_mem",
};
constexpr Flavor kAllFlavors[] = {
    Flavor::allocate,         Flavor::shared,  Flavor::shared_noncontig,  Flavor::create,
    Flavor::create_alloc_mem, Flavor::dynamic, Flavor::dynamic_alloc_mem,
};

inline const char* name_of(Flavor flavor) { return kFlavors[int(flavor)]; }
inline bool is_dynamic(Flavor flavor) {
  return flavor == Flavor::dynamic || flavor == Flavor::dynamic_alloc_mem;
}

// MPICH 4.0 confuses addresses where a size of MPI_Win_allocate is no multiple of 16.
inline std::size_t whole_lines(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

// A window of `bytes` in this rank, which may differ between ranks. Bytes are addressed
// alike in all flavors: at(target, byte) is the displacement. Made and freed by all together.
class Window {
 public:
  explicit Window(Flavor flavor, std::size_t bytes, int unit = 1, MPI_Comm comm = MPI_COMM_WORLD,
                  MPI_Info info = MPI_INFO_NULL)
      : flavor_(flavor), bytes_(bytes), comm_(comm) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &size_);
    switch (flavor) {
      case Flavor::allocate: MPI_Win_allocate(size_of(), unit, info, comm, &base_, &win_); break;
      case Flavor::shared:
        MPI_Win_allocate_shared(size_of(), unit, info, comm, &base_, &win_);
        break;
      case Flavor::shared_noncontig: make_noncontig(unit, info); break;
      case Flavor::create:
      case Flavor::create_alloc_mem:
        take_memory();
        MPI_Win_create(base_, size_of(), unit, info, comm, &win_);
        break;
      case Flavor::dynamic:
      case Flavor::dynamic_alloc_mem: make_dynamic(info); break;
    }
    units_.resize(std::size_t(size_));
    MPI_Allgather(&unit, 1, MPI_INT, units_.data(), 1, MPI_INT, comm);
  }

  ~Window() {
    if (is_dynamic(flavor_)) MPI_Barrier(comm_);  // nobody detaches what others still access
    if (is_dynamic(flavor_) && bytes_ > 0) MPI_Win_detach(win_, base_);
    MPI_Win_free(&win_);
    if (from_alloc_mem()) MPI_Free_mem(base_);
  }

  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  operator MPI_Win() const { return win_; }
  Flavor flavor() const { return flavor_; }
  std::size_t bytes() const { return bytes_; }
  int rank() const { return rank_; }
  int size() const { return size_; }

  // The own memory.
  std::byte* memory() const { return static_cast<std::byte*>(base_); }
  template <class T>
  T* as() const {
    return static_cast<T*>(base_);
  }

  // The displacement of a byte, which is a multiple of the target's unit, at `target`.
  MPI_Aint at(int target, std::size_t byte) const {
    if (is_dynamic(flavor_)) {
      return MPI_Aint_add(addresses_[std::size_t(target)], MPI_Aint(byte));
    }
    return MPI_Aint(byte) / units_[std::size_t(target)];
  }

  // Stores of this process to its own memory by `stores` are seen by all operations of
  // others that come after a later barrier.
  template <class Stores>
  void local(Stores stores) const {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank_, 0, win_);
    stores();
    MPI_Win_unlock(rank_, win_);
  }

 private:
  MPI_Aint size_of() const { return MPI_Aint(bytes_); }
  bool from_alloc_mem() const {
    return flavor_ == Flavor::create_alloc_mem || flavor_ == Flavor::dynamic_alloc_mem;
  }

  void take_memory() {
    if (from_alloc_mem()) {
      MPI_Alloc_mem(size_of() + 1, MPI_INFO_NULL, &base_);
    } else {
      words_.resize(bytes_ / sizeof(Word) + 1);
      base_ = words_.data();
    }
  }

  void make_noncontig(int unit, MPI_Info info) {
    MPI_Info own;
    if (info == MPI_INFO_NULL) {
      MPI_Info_create(&own);
    } else {
      MPI_Info_dup(info, &own);
    }
    MPI_Info_set(own, "alloc_shared_noncontig", "true");
    MPI_Win_allocate_shared(size_of(), unit, own, comm_, &base_, &win_);
    MPI_Info_free(&own);
  }

  void make_dynamic(MPI_Info info) {
    take_memory();
    MPI_Win_create_dynamic(info, comm_, &win_);
    if (bytes_ > 0) MPI_Win_attach(win_, base_, size_of());
    MPI_Aint address;
    MPI_Get_address(base_, &address);
    addresses_.resize(std::size_t(size_));
    MPI_Allgather(&address, 1, MPI_AINT, addresses_.data(), 1, MPI_AINT, comm_);
  }

  struct alignas(64) Word {
    std::byte bytes[64];
  };

  Flavor flavor_;
  std::size_t bytes_;
  MPI_Comm comm_;
  MPI_Win win_ = MPI_WIN_NULL;
  void* base_ = nullptr;
  int rank_ = 0, size_ = 0;
  std::vector<int> units_;
  std::vector<MPI_Aint> addresses_;  // of dynamic memory
  std::vector<Word> words_;
};

// Flavors that the MPI has: others than Atoll refuse some.
inline std::vector<Flavor> flavors() {
  std::vector<Flavor> all;
  for (Flavor flavor : kAllFlavors) {
    const char* only = std::getenv("FLAVOR");  // for other MPIs, which crash with some
    if (only != nullptr && std::strcmp(only, name_of(flavor)) != 0) continue;
    all.push_back(flavor);
  }
  return all;
}

// Other MPIs may need calls of a target, however passive.
inline void help_other_mpi() {
  if (check::on_atoll()) return;
  int come;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &come, MPI_STATUS_IGNORE);
}

}  // namespace rma
