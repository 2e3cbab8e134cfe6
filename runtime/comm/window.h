// Windows (MPI 5.0, chapter 12), reduced to what they share with other objects: a name,
// attributes and an error handler. runtime/rma keeps the rest in an extension.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <utility>

#include "runtime/comm/extensions.h"
#include "runtime/core/handle_table.h"
#include "runtime/objects/attributes.h"
#include "runtime/objects/errhandler.h"

namespace atl {

class Window {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::win;

  Attributes<MPI_Win> attributes;
  Extensions extensions;  // what the layers above keep with it

  const std::string& name() const { return name_; }  // as the program set it
  void set_name(std::string name) { name_ = std::move(name); }

  Errhandler& errhandler() const { return errhandler_.get(); }
  void set_errhandler(Errhandler& errhandler) { errhandler_.set(errhandler); }

 private:
  std::string name_;
  HeldErrhandler errhandler_{initial_errhandler()};
};

inline HandleTable<Window> windows;

// Null when `handle` names no window.
inline Window* find_window(MPI_Win handle) {
  return windows.find(reinterpret_cast<std::uintptr_t>(handle));
}

template <>
inline MPI_Win handle_from_int(int number) {
  return reinterpret_cast<MPI_Win>(windows.from_int(number));
}

inline MPI_Win handle_of(Window& window) {
  return reinterpret_cast<MPI_Win>(HandleTable<Window>::handle(window));
}

}  // namespace atl
