#include "runtime/objects/keyvals.h"

#include <limits>

namespace atl {
namespace {

constexpr int kFirst = 1000;  // predefined keyvals are below

int next() {
  static int last = kFirst - 1;
  last = last == std::numeric_limits<int>::max() ? kFirst : last + 1;
  return last;
}

}  // namespace

template <class Handle>
Keyval<Handle>& Keyvals<Handle>::create(typename Keyval<Handle>::Copy* copy,
                                        typename Keyval<Handle>::Delete* remove,
                                        void* extra_state) {
  int number = next();
  while (knows(number)) number = next();
  auto made = std::make_shared<Keyval<Handle>>();
  made->number = number;
  made->copy = copy;
  made->remove = remove;
  made->extra_state = extra_state;
  return *(table_[number] = std::move(made));
}

template <class Handle>
void Keyvals<Handle>::free(int number) {
  const auto found = table_.find(number);
  if (found == table_.end()) return;
  std::erase_if(freed_, [](const auto& one) { return one.second.expired(); });
  freed_[number] = found->second;
  table_.erase(found);
}

template <class Handle>
void Keyvals<Handle>::add_standard(int number, const char* name) {
  auto made = std::make_shared<Keyval<Handle>>();
  made->number = number;
  made->standard = name;
  table_[number] = std::move(made);
}

template class Keyvals<MPI_Comm>;
template class Keyvals<MPI_Datatype>;
template class Keyvals<MPI_Win>;

}  // namespace atl
