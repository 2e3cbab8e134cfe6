// Communicators of all kinds, made from others. The plan frees them in any order.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "test/check.h"
#include "test/soak/operation.h"
#include "test/soak/where.h"

namespace soak {
namespace {

// Checks that a new communicator has the members that the plan says.
void verify(const Community& of) {
  int rank = -1, size = -1, inter = -1;
  MPI_Comm_rank(of.comm, &rank);
  MPI_Comm_size(of.comm, &size);
  MPI_Comm_test_inter(of.comm, &inter);
  CHECK_EQ(rank, of.rank);
  CHECK_EQ(size, of.size(of.side));
  CHECK_EQ(inter, int(of.inter));
  if (!of.inter) return;
  MPI_Comm_remote_size(of.comm, &size);
  CHECK_EQ(size, of.size(1 - of.side));
}

// One parent, and what is made of it.
class Maker : public Operation {
 public:
  Maker(Draw& draw, int parent) : communities_(draw.communities), parent_(parent) {}

  int steps() const override { return 1; }
  std::vector<int> uses() const override { return {parent_}; }
  std::vector<int> makes() const override { return made_; }

  void step(int, check::Random& own) override {
    if (parent().member()) make(own);
  }

  void finish() override {
    for (int index : made_) {
      if (at(index).member()) verify(at(index));
    }
  }

 protected:
  virtual void make(check::Random& own) = 0;

  Community& at(int index) { return communities_[std::size_t(index)]; }
  Community& parent() { return at(parent_); }
  // What the plan holds from now on.
  void add(Draw& draw, Community community) {
    community.locate(draw.self);
    made_.push_back(int(draw.communities.size()));
    draw.communities.push_back(std::move(community));
  }
  Community& made(int i) { return at(made_[std::size_t(i)]); }

 private:
  std::deque<Community>& communities_;
  int parent_;
  std::vector<int> made_;
};

class Duplicate : public Maker {
 public:
  Duplicate(Draw& draw, int parent) : Maker(draw, parent), way_(draw.random.below(3)) {
    Community twin;
    for (int side = 0; side < 2; ++side) twin.sides[side] = draw.at(parent).sides[side];
    twin.inter = draw.at(parent).inter;
    twin.ring = draw.at(parent).ring;  // a copy has the same topology
    add(draw, std::move(twin));
  }

  void collect(std::vector<Pending>& pending) override {
    if (request_ != MPI_REQUEST_NULL) pending.push_back({&request_, nullptr});
  }

 protected:
  void make(check::Random&) override {
    if (way_ == 0) {
      MPI_Comm_dup(parent().comm, &made(0).comm);
    } else if (way_ == 1) {
      MPI_Comm_idup(parent().comm, &made(0).comm, &request_);
    } else {
      MPI_Comm_dup_with_info(parent().comm, MPI_INFO_NULL, &made(0).comm);
    }
  }

 private:
  std::uint64_t way_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

// All ranks share memory, so all are in it, in the order of their keys.
class Node : public Maker {
 public:
  Node(Draw& draw, int parent) : Maker(draw, parent) {
    Community node;
    node.sides[0] = draw.at(parent).sides[0];
    backwards_ = draw.random.one_in(2);
    if (backwards_) std::ranges::reverse(node.sides[0]);
    add(draw, std::move(node));
  }

 protected:
  void make(check::Random&) override {
    const int key = backwards_ ? -parent().rank : parent().rank;
    MPI_Comm_split_type(parent().comm, MPI_COMM_TYPE_SHARED, key, MPI_INFO_NULL, &made(0).comm);
  }

 private:
  bool backwards_ = false;
};

// By colors and keys; some ranks may be in no part.
class Split : public Maker {
 public:
  Split(Draw& draw, int parent) : Maker(draw, parent) {
    const Members& members = draw.at(parent).sides[0];
    const int colors = 1 + int(draw.random.below(3));
    for (std::size_t i = 0; i < members.size(); ++i) {
      const bool out = draw.random.one_in(8);
      colors_.push_back(out ? MPI_UNDEFINED : int(draw.random.below(std::uint64_t(colors))));
      keys_.push_back(int(draw.random.below(4)) - 1);
    }
    for (int color = 0; color < colors; ++color) add_part(draw, members, color);
  }

 protected:
  void make(check::Random&) override {
    const auto rank = std::size_t(parent().rank);
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_split(parent().comm, colors_[rank], keys_[rank], &part);
    for (int index : makes()) {
      if (at(index).member()) at(index).comm = part;
    }
    CHECK_EQ(part == MPI_COMM_NULL, colors_[rank] == MPI_UNDEFINED);
  }

 private:
  void add_part(Draw& draw, const Members& members, int color) {
    std::vector<std::size_t> ranks;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (colors_[i] == color) ranks.push_back(i);
    }
    std::ranges::stable_sort(ranks, {}, [&](std::size_t i) { return keys_[i]; });
    Community part;
    for (std::size_t i : ranks) part.sides[0].push_back(members[i]);
    if (!ranks.empty()) add(draw, std::move(part));
  }

  std::vector<int> colors_, keys_;
};

// Of a group of some members in any order: by all of the parent, by the group alone, or by it
// without a parent.
class OfGroup : public Maker {
 public:
  OfGroup(Draw& draw, int parent)
      : Maker(draw, parent), way_(Way(draw.random.below(3))), tag_(draw.tag(0)) {
    const Members& members = draw.at(parent).sides[0];
    std::vector<int> ranks(members.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) ranks[i] = int(i);
    for (std::size_t i = ranks.size(); i > 1; --i) {
      std::swap(ranks[i - 1], ranks[draw.random.below(i)]);
    }
    ranks.resize(1 + draw.random.below(ranks.size()));
    ranks_ = std::move(ranks);
    Community group;
    for (int rank : ranks_) group.sides[0].push_back(members[std::size_t(rank)]);
    add(draw, std::move(group));
  }

 protected:
  void make(check::Random&) override {
    if (way_ != Way::all && !made(0).member()) return;
    MPI_Group all, some;
    MPI_Comm_group(parent().comm, &all);
    MPI_Group_incl(all, int(ranks_.size()), ranks_.data(), &some);
    if (way_ == Way::group) {
      MPI_Comm_create_group(parent().comm, some, tag_, &made(0).comm);
    } else if (way_ == Way::no_parent) {
      make_without_parent(some);
    } else {
      MPI_Comm_create(parent().comm, some, &made(0).comm);
    }
    CHECK_EQ(made(0).comm != MPI_COMM_NULL, made(0).member());
    MPI_Group_free(&some);
    MPI_Group_free(&all);
  }

 private:
  enum class Way { all, group, no_parent };

  // The string tells this call from others of the same time, in other threads too.
  void make_without_parent(MPI_Group some) {
    MPI_Errhandler handler;
    MPI_Comm_get_errhandler(parent().comm, &handler);
    const std::string name = std::to_string(thread()) + "/" + std::to_string(tag_);
    MPI_Comm_create_from_group(some, name.c_str(), MPI_INFO_NULL, handler, &made(0).comm);
    MPI_Errhandler_free(&handler);
  }

  Way way_;
  int tag_;
  std::vector<int> ranks_;  // in the parent
};

// Two parts of the parent, and a communicator between them.
class Between : public Maker {
 public:
  Between(Draw& draw, int parent) : Maker(draw, parent), tag_(draw.tag(0)) {
    const Members& members = draw.at(parent).sides[0];
    first_ = 1 + int(draw.random.below(members.size() - 1));
    Community parts[2], between;
    for (std::size_t i = 0; i < members.size(); ++i) {
      parts[int(i) < first_ ? 0 : 1].sides[0].push_back(members[i]);
    }
    for (int side = 0; side < 2; ++side) {
      leaders_[side] = int(draw.random.below(parts[side].sides[0].size()));
      between.sides[side] = parts[side].sides[0];
    }
    between.inter = true;
    add(draw, std::move(parts[0]));
    add(draw, std::move(parts[1]));
    add(draw, std::move(between));
  }

 protected:
  void make(check::Random&) override {
    const int side = parent().rank < first_ ? 0 : 1;
    const int leaders[] = {leaders_[0], first_ + leaders_[1]};  // in the parent
    MPI_Comm_split(parent().comm, side, 0, &made(side).comm);
    MPI_Intercomm_create(made(side).comm, leaders_[side], parent().comm, leaders[1 - side], tag_,
                         &made(2).comm);
  }

 private:
  int tag_;
  int first_ = 0;  // ranks of the parent in the first part
  int leaders_[2] = {0, 0};
};

class Merge : public Maker {
 public:
  Merge(Draw& draw, int parent) : Maker(draw, parent), high_(int(draw.random.below(2))) {
    const Community& between = draw.at(parent);
    Community all;
    for (int side : {high_, 1 - high_}) {
      all.sides[0].insert(all.sides[0].end(), between.sides[side].begin(),
                          between.sides[side].end());
    }
    add(draw, std::move(all));
  }

 protected:
  void make(check::Random&) override {
    MPI_Intercomm_merge(parent().comm, parent().side != high_, &made(0).comm);
  }

 private:
  int high_;  // the side that comes first
};

class Ring : public Maker {
 public:
  Ring(Draw& draw, int parent) : Maker(draw, parent) {
    Community ring;
    ring.sides[0] = draw.at(parent).sides[0];
    ring.ring = true;
    add(draw, std::move(ring));
  }

 protected:
  void make(check::Random&) override {
    const int size = parent().size(0), periodic = 1;
    MPI_Cart_create(parent().comm, 1, &size, &periodic, 0, &made(0).comm);
  }
};

}  // namespace

std::unique_ptr<Operation> draw_communicators(Draw& draw) {
  const int parent = draw.any();
  if (parent < 0) return nullptr;
  const Community& of = draw.at(parent);
  const std::uint64_t kind = draw.random.below(7);
  if (kind == 0) return std::make_unique<Duplicate>(draw, parent);
  if (of.inter) return std::make_unique<Merge>(draw, parent);
  switch (kind) {
    case 1: return std::make_unique<Split>(draw, parent);
    case 2: return std::make_unique<OfGroup>(draw, parent);
    case 3: return std::make_unique<Ring>(draw, parent);
    case 5: return std::make_unique<Node>(draw, parent);
    case 4:
      if (of.size(0) > 1) return std::make_unique<Between>(draw, parent);
      [[fallthrough]];
    default: return std::make_unique<Duplicate>(draw, parent);
  }
}

}  // namespace soak
