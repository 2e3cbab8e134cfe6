// Collectives of derived datatypes that are others on each rank, arrays of types among them, and
// reductions by an operation of the program's own whose order counts.
#include <memory>
#include <vector>

#include "test/check.h"
#include "test/coll/elements.h"
#include "test/coll/forms.h"
#include "test/soak/data.h"
#include "test/soak/operation.h"

namespace soak {
namespace {

struct CallPlan {
  Community* at = nullptr;
  int community = 0;
  coll::Form form = coll::Form::blocking;
  BaseKind kind = BaseKind::bytes;
  std::size_t bases = 0;  // of a block, or elements
  std::uint64_t pattern = 0;
  int root = 0;

  // What rank `from` gives to `to`, or to all.
  Contents block(int from, int to = 0) const {
    return {kind, bases, pattern + std::uint64_t(from) * 1021 + std::uint64_t(to)};
  }
};

// A call in one of its forms; a persistent one is started twice.
class Call : public Operation {
 public:
  explicit Call(const CallPlan& plan) : plan_(plan), at_(*plan.at) {}

  int steps() const override { return plan_.form == coll::Form::persistent ? 2 : 1; }
  std::vector<int> uses() const override { return {plan_.community}; }

  void step(int number, check::Random& own) override {
    if (!at_.member()) return;
    if (number == 0) {
      prepare(own);
      fill();
      launch();
    } else {
      MPI_Wait(&request_, MPI_STATUS_IGNORE);
      verify();
      fill();
      MPI_Start(&request_);
    }
  }

  void collect(std::vector<Pending>& pending) override {
    if (request_ != MPI_REQUEST_NULL) pending.push_back({&request_, nullptr});
  }

  void finish() override {
    if (!at_.member()) return;
    verify();
    if (request_ != MPI_REQUEST_NULL) MPI_Request_free(&request_);
    release();
  }

 protected:
  virtual void prepare(check::Random& own) = 0;  // makes the buffers
  virtual void fill() = 0;
  virtual void launch() = 0;
  virtual void verify() = 0;  // what came; nothing of it stays in the buffers
  virtual void release() = 0;

  template <class Blocking, class Starting, class Making>
  void in_form(Blocking blocking, Starting starting, Making making) {
    if (plan_.form == coll::Form::blocking) {
      blocking();
    } else if (plan_.form == coll::Form::nonblocking) {
      starting();
    } else {
      making();
      MPI_Start(&request_);
    }
  }

  bool is_root() const { return at_.rank == plan_.root; }
  int size() const { return at_.size(0); }

  CallPlan plan_;
  const Community& at_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

#define LAUNCH(name, iname, ...)                                                          \
  in_form([&] { MPI_##name(__VA_ARGS__); }, [&] { MPI_##iname(__VA_ARGS__, &request_); }, \
          [&] { MPI_##name##_init(__VA_ARGS__, MPI_INFO_NULL, &request_); })

using Buffer = std::unique_ptr<MessageBuffer>;

class Bcast : public Call {
 public:
  using Call::Call;

 protected:
  void prepare(check::Random& own) override {
    buffer_ = std::make_unique<MessageBuffer>(plan_.kind, plan_.bases, true, own);
  }
  void fill() override {
    if (is_root()) buffer_->fill(plan_.block(plan_.root));
  }
  void launch() override {
    LAUNCH(Bcast, Ibcast, buffer_->address(), buffer_->count(), buffer_->type(), plan_.root,
           at_.comm);
  }
  void verify() override { buffer_->verify(plan_.block(plan_.root)); }
  void release() override { buffer_.reset(); }

 private:
  Buffer buffer_;
};

// From all to the root, or to all.
class Gather : public Call {
 public:
  Gather(const CallPlan& plan, bool to_all) : Call(plan), to_all_(to_all) {}

 protected:
  void prepare(check::Random& own) override {
    out_ = std::make_unique<MessageBuffer>(plan_.kind, plan_.bases, true, own);
    in_ = std::make_unique<MessageBuffer>(plan_.kind, plan_.bases, gets() ? size() : 0, own);
  }
  void fill() override { out_->fill(plan_.block(at_.rank)); }
  void launch() override {
    const int count = in_->count() / size();
    if (to_all_) {
      LAUNCH(Allgather, Iallgather, out_->address(), out_->count(), out_->type(), in_->address(),
             count, in_->type(), at_.comm);
    } else {
      LAUNCH(Gather, Igather, out_->address(), out_->count(), out_->type(), in_->address(), count,
             in_->type(), plan_.root, at_.comm);
    }
  }
  void verify() override {
    std::vector<Contents> blocks;
    for (int from = 0; gets() && from < size(); ++from) blocks.push_back(plan_.block(from));
    in_->verify(blocks);
  }
  void release() override {
    in_.reset();
    out_.reset();
  }

 private:
  bool gets() const { return to_all_ || is_root(); }

  bool to_all_;
  Buffer out_, in_;
};

class Scatter : public Call {
 public:
  using Call::Call;

 protected:
  void prepare(check::Random& own) override {
    out_ = std::make_unique<MessageBuffer>(plan_.kind, plan_.bases, is_root() ? size() : 0, own);
    in_ = std::make_unique<MessageBuffer>(plan_.kind, plan_.bases, true, own);
  }
  void fill() override {
    std::vector<Contents> blocks;
    for (int to = 0; is_root() && to < size(); ++to) blocks.push_back(plan_.block(plan_.root, to));
    out_->fill(blocks);
  }
  void launch() override {
    LAUNCH(Scatter, Iscatter, out_->address(), out_->count() / size(), out_->type(), in_->address(),
           in_->count(), in_->type(), plan_.root, at_.comm);
  }
  void verify() override { in_->verify(plan_.block(plan_.root, at_.rank)); }
  void release() override {
    in_.reset();
    out_.reset();
  }

 private:
  Buffer out_, in_;
};

// Each pair of ranks exchanges blocks of a kind and a length of its own.
class Alltoallw : public Call {
 public:
  using Call::Call;

 protected:
  void prepare(check::Random& own) override {
    for (int peer = 0; peer < size(); ++peer) {
      add(out_, contents(at_.rank, peer), own);
      add(in_, contents(peer, at_.rank), own);
    }
  }
  void fill() override {
    for (int peer = 0; peer < size(); ++peer) {
      out_.buffers[std::size_t(peer)]->fill(contents(at_.rank, peer));
    }
  }
  void launch() override {
    const auto call = [&](auto function, auto... more) {
      function(out_.base(), out_.counts.data(), out_.places.data(), out_.types.data(), in_.base(),
               in_.counts.data(), in_.places.data(), in_.types.data(), at_.comm, more...);
    };
    in_form([&] { call(MPI_Alltoallw_c); }, [&] { call(MPI_Ialltoallw_c, &request_); },
            [&] { call(MPI_Alltoallw_init_c, MPI_INFO_NULL, &request_); });
  }
  void verify() override {
    for (int peer = 0; peer < size(); ++peer) {
      in_.buffers[std::size_t(peer)]->verify(contents(peer, at_.rank));
    }
  }
  void release() override {
    out_ = {};
    in_ = {};
  }

 private:
  // The arguments of one side. Displacements count from the first block.
  struct Side {
    std::vector<Buffer> buffers;
    std::vector<MPI_Count> counts;
    std::vector<MPI_Aint> places;
    std::vector<MPI_Datatype> types;
    void* base() const { return buffers.front()->address(); }
  };

  Contents contents(int from, int to) const {
    check::Random random(plan_.block(from, to).pattern);
    const auto kind = BaseKind(random.below(std::uint64_t(BaseKind::count)));
    return {kind, random.below(plan_.bases + 1), random.next()};
  }

  static void add(Side& side, const Contents& contents, check::Random& own) {
    side.buffers.push_back(
        std::make_unique<MessageBuffer>(contents.kind, contents.bases, true, own));
    const MessageBuffer& buffer = *side.buffers.back();
    side.counts.push_back(buffer.count());
    side.types.push_back(buffer.type());
    MPI_Aint first = 0, address = 0;
    MPI_Get_address(side.base(), &first);
    MPI_Get_address(buffer.address(), &address);
    side.places.push_back(MPI_Aint_diff(address, first));
  }

  Side out_, in_;
};

// Products of matrices, over all ranks or those before.
class Product : public Call {
 public:
  enum class What { to_root, to_all, scan, exclusive, count };

  Product(const CallPlan& plan, What what) : Call(plan), what_(what) {}

 protected:
  // All ranks give the same datatype (MPI 5.0, 6.9.1).
  void prepare(check::Random&) override {
    types_ = coll::make_types();
    const coll::Type type = types_[plan_.pattern % types_.size()];
    type_ = type.handle;
    out_ = std::make_unique<coll::Buffer>(type, count());
    in_ = std::make_unique<coll::Buffer>(type, count());
    MPI_Op_create(coll::multiply, 0, &operation_);
  }
  void fill() override { out_->put(0, given(at_.rank)); }
  void launch() override {
    void *out = out_->address(), *in = in_->address();
    switch (what_) {
      case What::to_root:
        return LAUNCH(Reduce, Ireduce, out, in, count(), type_, operation_, plan_.root, at_.comm);
      case What::to_all:
        return LAUNCH(Allreduce, Iallreduce, out, in, count(), type_, operation_, at_.comm);
      case What::scan: return LAUNCH(Scan, Iscan, out, in, count(), type_, operation_, at_.comm);
      default: return LAUNCH(Exscan, Iexscan, out, in, count(), type_, operation_, at_.comm);
    }
  }
  void verify() override {
    const int ranks = what_ == What::scan        ? at_.rank + 1
                      : what_ == What::exclusive ? at_.rank
                      : what_ == What::to_all    ? size()
                      : is_root()                ? size()
                                                 : 0;
    if (ranks == 0) return;  // whatever is there
    coll::Values all = given(0);
    for (int rank = 1; rank < ranks; ++rank) all = coll::product(all, given(rank));
    in_->expect(0, all, "product");
    in_->rest();
  }
  void release() override {
    in_.reset();
    out_.reset();
    MPI_Op_free(&operation_);
    for (coll::Type& type : types_) MPI_Type_free(&type.handle);
  }

 private:
  int count() const { return int(plan_.bases); }
  coll::Values given(int rank) const {
    return coll::values(rank + int(plan_.pattern % 1000), count());
  }

  What what_;
  std::vector<coll::Type> types_;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  MPI_Op operation_ = MPI_OP_NULL;
  std::unique_ptr<coll::Buffer> out_, in_;
};

#undef LAUNCH

// So many that all blocks of a rank together have about so many bytes.
std::size_t draw_bases(check::Random& random, BaseKind kind, int ranks) {
  constexpr std::size_t kMostBytes = 1 << 20;
  const std::size_t most = kMostBytes / std::size_t(ranks);
  return draw_bytes(random, random.one_in(6) ? most : most / 64) / base(kind).bytes;
}

}  // namespace

std::unique_ptr<Operation> draw_typed_collective(Draw& draw) {
  const int number = draw.any();
  if (number < 0 || draw.at(number).inter) return nullptr;
  check::Random& random = draw.random;
  CallPlan plan;
  plan.at = &draw.at(number);
  plan.community = number;
  plan.form = coll::Form(random.below(std::uint64_t(coll::Form::count)));
  plan.kind = BaseKind(random.below(std::uint64_t(BaseKind::count)));
  plan.pattern = random.next();
  plan.root = int(random.below(std::uint64_t(plan.at->size(0))));
  plan.bases = draw_bases(random, plan.kind, plan.at->size(0));
  switch (random.below(6)) {
    case 0: return std::make_unique<Bcast>(plan);
    case 1: return std::make_unique<Gather>(plan, true);
    case 2: return std::make_unique<Gather>(plan, false);
    case 3: return std::make_unique<Scatter>(plan);
    case 4: plan.bases %= 4096; return std::make_unique<Alltoallw>(plan);
    default:
      plan.bases %= 300;
      return std::make_unique<Product>(
          plan, Product::What(random.below(std::uint64_t(Product::What::count))));
  }
}

}  // namespace soak
