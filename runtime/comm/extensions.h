// Objects that layers above comm/ keep with a communicator, a session or a window.
//
// comm/ owns and destroys them without knowing their types. Each layer declares its slot beside
// the type that it stores:
//   inline constexpr ExtensionSlot<Channel> kChannelSlot{Extension::collective_channel};
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace atl {

enum class Extension : std::uint8_t {
  attached_buffer,
  collective_channel,
  topology,
  one_sided,
  count
};

// `T` may be const: then nobody changes the object, and several communicators may share it.
template <class T>
struct ExtensionSlot {
  Extension index;
};

class Extensions {
 public:
  // Null when the slot is empty.
  template <class T>
  T* get(ExtensionSlot<T> slot) const {
    return static_cast<T*>(objects_[static_cast<std::size_t>(slot.index)].get());
  }
  template <class T>
  std::shared_ptr<T> share(ExtensionSlot<T> slot) const {
    return std::static_pointer_cast<T>(objects_[static_cast<std::size_t>(slot.index)]);
  }
  // Replaces what the slot held.
  template <class T>
  void set(ExtensionSlot<T> slot, std::shared_ptr<T> object) {
    objects_[static_cast<std::size_t>(slot.index)] =
        std::const_pointer_cast<std::remove_const_t<T>>(std::move(object));
  }
  template <class T>
  void clear(ExtensionSlot<T> slot) {
    objects_[static_cast<std::size_t>(slot.index)].reset();
  }
  // What MPI_Comm_dup hands on (MPI 5.0, 7.4.2): the topology, which both then share.
  void inherit_from(const Extensions& original) {
    constexpr auto kTopology = static_cast<std::size_t>(Extension::topology);
    objects_[kTopology] = original.objects_[kTopology];
  }

 private:
  std::array<std::shared_ptr<void>, static_cast<std::size_t>(Extension::count)> objects_;
};

}  // namespace atl
