// The collective operations of MPI 5.0, 6.3 to 6.11: each a Call, as launch.h
// says, made of the arguments of the MPI function.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <optional>
#include <span>

#include "runtime/coll/algorithm.h"
#include "runtime/coll/blocks.h"
#include "runtime/coll/launch.h"
#include "runtime/op/op.h"

namespace atl::coll {

struct Barrier {
  explicit Barrier(Communicator& comm) : comm(comm) {}
  Fault check() const { return {}; }
  static constexpr const char* kName = "barrier";
  static std::span<const Algorithm<Barrier>> algorithms();

  Communicator& comm;
};

struct Bcast {
  Bcast(void* buffer, MPI_Count count, const Datatype* datatype, int root, Communicator& comm)
      : comm(comm),
        root(root),
        count(count),
        type(datatype),
        data{buffer, static_cast<std::size_t>(count), datatype} {}
  Fault check() const;
  static constexpr const char* kName = "bcast";
  static std::span<const Algorithm<Bcast>> algorithms();

  Communicator& comm;
  int root;
  MPI_Count count;
  datatype::Reference type;
  Data data;
};

// MPI_Gather and MPI_Gatherv. The rows of blocks are those of the root.
struct Gather {
  Gather(const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
         MPI_Count recvcount, const Datatype* recvtype, int root, Communicator& comm);
  Gather(const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
         Numbers recvcounts, Numbers displs, const Datatype* recvtype, int root,
         Communicator& comm);
  Fault check() const;
  void keep(KeptNumbers& kept);
  static constexpr const char* kName = "gather";
  static std::span<const Algorithm<Gather>> algorithms();

  // This rank's block, in a group of its own: the root's may be among all of them.
  Data own() const { return mine.in_place() && comm.rank() == root ? all[root] : mine[0]; }

  Communicator& comm;
  int root;
  Blocks mine;  // one
  Blocks all;
  Names names;
};

struct Scatter {
  Scatter(const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
          MPI_Count recvcount, const Datatype* recvtype, int root, Communicator& comm);
  Scatter(const void* sendbuf, Numbers sendcounts, Numbers displs, const Datatype* sendtype,
          void* recvbuf, MPI_Count recvcount, const Datatype* recvtype, int root,
          Communicator& comm);
  Fault check() const;
  void keep(KeptNumbers& kept);
  static constexpr const char* kName = "scatter";
  static std::span<const Algorithm<Scatter>> algorithms();

  // This rank's block, in a group of its own: the root's may be among all of them.
  Data own() const { return mine.in_place() && comm.rank() == root ? all[root] : mine[0]; }

  Communicator& comm;
  int root;
  Blocks all;
  Blocks mine;  // one
  Names names;
};

struct Allgather {
  Allgather(const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
            MPI_Count recvcount, const Datatype* recvtype, Communicator& comm);
  Allgather(const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
            Numbers recvcounts, Numbers displs, const Datatype* recvtype, Communicator& comm);
  Fault check() const;
  void keep(KeptNumbers& kept) { all.keep(kept, comm.peers()); }
  static constexpr const char* kName = "allgather";
  static std::span<const Algorithm<Allgather>> algorithms();

  // This rank's block, in a group of its own.
  Data own() const { return mine.in_place() ? all[comm.rank()] : mine[0]; }

  Communicator& comm;
  Blocks mine;  // one
  Blocks all;
  Names names;
};

// MPI_Alltoall, MPI_Alltoallv and MPI_Alltoallw.
struct Alltoall {
  Alltoall(const void* sendbuf, MPI_Count sendcount, const Datatype* sendtype, void* recvbuf,
           MPI_Count recvcount, const Datatype* recvtype, Communicator& comm);
  Alltoall(const void* sendbuf, Numbers sendcounts, Numbers sdispls, const Datatype* sendtype,
           void* recvbuf, Numbers recvcounts, Numbers rdispls, const Datatype* recvtype,
           Communicator& comm);
  Alltoall(const void* sendbuf, Numbers sendcounts, Numbers sdispls, const MPI_Datatype* sendtypes,
           void* recvbuf, Numbers recvcounts, Numbers rdispls, const MPI_Datatype* recvtypes,
           Communicator& comm);
  Fault check() const;
  void keep(KeptNumbers& kept);
  static constexpr const char* kName = "alltoall";
  static std::span<const Algorithm<Alltoall>> algorithms();

  // What this rank gives.
  const Blocks& given() const { return out.in_place() ? in : out; }

  Communicator& comm;
  Blocks out;
  Blocks in;
  Names out_names;
  Names in_names;
};

// What the reductions have in common: the contribution, or MPI_IN_PLACE, the
// result, and the operation.
struct Reducing {
  Reducing(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
           const Op& op);

  // Of a rank that gives a contribution, gets a result, or both: all elements, or some.
  Fault check(bool gives, bool gets) const { return check(gives, gets, count); }
  Fault check(bool gives, bool gets, MPI_Count some) const;

  bool in_place() const { return sendbuf == MPI_IN_PLACE; }
  Data contribution() const {
    void* from = in_place() ? recvbuf : const_cast<void*>(sendbuf);
    return {from, static_cast<std::size_t>(count), datatype.get()};
  }
  Data result() const { return {recvbuf, static_cast<std::size_t>(count), datatype.get()}; }
  const op::Reduction& reduction() const { return *reduction_; }

  const void* sendbuf;
  void* recvbuf;
  MPI_Count count;
  datatype::Reference datatype;

 private:
  std::optional<op::Reduction> reduction_;  // none without a committed datatype
};

struct Reduce {
  Reduce(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, const Op& op,
         int root, Communicator& comm)
      : comm(comm), root(root), with(sendbuf, recvbuf, count, datatype, op) {}
  Fault check() const;
  static constexpr const char* kName = "reduce";
  static std::span<const Algorithm<Reduce>> algorithms();

  Communicator& comm;
  int root;
  Reducing with;
};

struct Allreduce {
  Allreduce(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
            const Op& op, Communicator& comm)
      : comm(comm), with(sendbuf, recvbuf, count, datatype, op) {}
  Fault check() const;
  static constexpr const char* kName = "allreduce";
  static std::span<const Algorithm<Allreduce>> algorithms();

  Communicator& comm;
  Reducing with;
};

// MPI_Reduce_scatter_block and MPI_Reduce_scatter.
struct ReduceScatter {
  ReduceScatter(const void* sendbuf, void* recvbuf, MPI_Count recvcount, MPI_Datatype datatype,
                const Op& op, Communicator& comm);
  ReduceScatter(const void* sendbuf, void* recvbuf, Numbers recvcounts, MPI_Datatype datatype,
                const Op& op, Communicator& comm);
  Fault check() const;
  void keep(KeptNumbers& kept) { kept.keep(counts, comm.size()); }
  static constexpr const char* kName = "reduce_scatter";
  static std::span<const Algorithm<ReduceScatter>> algorithms();

  MPI_Count count_of(int rank) const { return listed ? counts[rank] : count; }

  Communicator& comm;
  MPI_Count count = 0;  // for each rank, or
  Numbers counts;       // one each:
  bool listed = false;
  Reducing with;
};

// MPI_Scan and MPI_Exscan.
struct Prefix {
  Prefix(bool exclusive, const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype,
         const Op& op, Communicator& comm)
      : exclusive(exclusive), comm(comm), with(sendbuf, recvbuf, count, datatype, op) {}
  Fault check() const;
  static constexpr const char* kName = "scan";
  static std::span<const Algorithm<Prefix>> algorithms();

  bool exclusive;
  Communicator& comm;
  Reducing with;
};
struct Scan : Prefix {
  template <class... Arguments>
  explicit Scan(Arguments&&... arguments) : Prefix(false, std::forward<Arguments>(arguments)...) {}
};
struct Exscan : Prefix {
  template <class... Arguments>
  explicit Exscan(Arguments&&... arguments) : Prefix(true, std::forward<Arguments>(arguments)...) {}
};

// Made where the tables are (algorithms.cc): the compiler then sees what is taken first.
extern template Fault run(const Barrier&);
extern template Fault run(const Bcast&);
extern template Fault run(const Gather&);
extern template Fault run(const Scatter&);
extern template Fault run(const Allgather&);
extern template Fault run(const Alltoall&);
extern template Fault run(const Reduce&);
extern template Fault run(const Allreduce&);
extern template Fault run(const ReduceScatter&);
extern template Fault run(const Scan&);
extern template Fault run(const Exscan&);

// What all must call alike.
Called call_of(const Barrier& call);
Called call_of(const Bcast& call);
Called call_of(const Gather& call);
Called call_of(const Scatter& call);
Called call_of(const Allgather& call);
Called call_of(const Alltoall& call);
Called call_of(const Reduce& call);
Called call_of(const Allreduce& call);
Called call_of(const ReduceScatter& call);
Called call_of(const Prefix& call);

// What is called between groups. Where it is not the same in both directions how much
// data there is the messages tell.
Called call_between_groups(const Barrier& call, const Channel& channel);
Called call_between_groups(const Bcast& call, const Channel& channel);
Called call_between_groups(const Gather& call, const Channel& channel);
Called call_between_groups(const Scatter& call, const Channel& channel);
Called call_between_groups(const Allgather& call, const Channel& channel);
Called call_between_groups(const Alltoall& call, const Channel& channel);
Called call_between_groups(const Reduce& call, const Channel& channel);
Called call_between_groups(const Allreduce& call, const Channel& channel);
Called call_between_groups(const ReduceScatter& call, const Channel& channel);

}  // namespace atl::coll
