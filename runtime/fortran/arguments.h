// Conversion of arguments between Fortran and C. Each object here exists for one call: its
// constructor reads the Fortran argument, it converts to the C argument, and its destructor writes
// the result back. Numbers need no conversion: INTEGER is int.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "runtime/fortran/cfi_descriptor.h"
#include "runtime/fortran/handle_conversion.h"
#include "runtime/fortran/pending.h"
#include "runtime/fortran/sentinels.h"

namespace atl::fortran {

// The value of .TRUE. differs between compilers, but its lowest bit is always 1.
inline int logical(const MPI_Fint* value) { return *value & 1; }

// An array of the C type; a short one is on the stack.
template <class T>
class Array {
 public:
  explicit Array(int size) : size_(size > 0 ? size : 0) {
    if (size_ > kShort) long_.reset(new T[static_cast<std::size_t>(size_)]);
  }

  T* data() { return long_ ? long_.get() : short_; }
  int size() const { return size_; }
  T& operator[](int i) { return data()[i]; }

 private:
  static constexpr int kShort = 16;

  int size_;
  T short_[kShort];
  std::unique_ptr<T[]> long_;
};

// Called after a call with a request argument, which may have completed the request.
template <class Handle>
void named([[maybe_unused]] MPI_Fint before, [[maybe_unused]] MPI_Fint now) {
  if constexpr (std::is_same_v<Handle, MPI_Request>) after_call(before, now);
}

// An output handle. The variable is unchanged when the call fails.
template <class Handle>
class OutHandle {
 public:
  explicit OutHandle(MPI_Fint* variable) : variable_(variable) {}
  OutHandle(const OutHandle&) = delete;
  OutHandle& operator=(const OutHandle&) = delete;
  ~OutHandle() {
    if (handle_ != untouched()) *variable_ = number(handle_);
  }

  operator Handle*() { return &handle_; }

  static Handle untouched() { return reinterpret_cast<Handle>(~std::uintptr_t{0}); }

 private:
  MPI_Fint* variable_;
  Handle handle_ = untouched();
};

// An output handle that C may change again when the request completes (MPI_Comm_idup). Destroyed
// after the other arguments of the call.
template <class Handle>
class LateHandle {
 public:
  LateHandle(MPI_Fint* variable, MPI_Fint* request)
      : cell_(std::make_unique<Cell>(variable)), request_(request) {
    *request = number(MPI_REQUEST_NULL);  // in case the call fails
  }
  LateHandle(const LateHandle&) = delete;
  LateHandle& operator=(const LateHandle&) = delete;
  ~LateHandle() {
    cell_->after_call();
    if (*request_ != number(MPI_REQUEST_NULL)) keep(*request_, std::move(cell_));
  }

  operator Handle*() { return &cell_->handle; }

 private:
  struct Cell : Pending {
    explicit Cell(MPI_Fint* variable) : variable(variable) {}
    void after_call() override {
      if (handle != OutHandle<Handle>::untouched()) *variable = number(handle);
    }

    MPI_Fint* variable;
    Handle handle = OutHandle<Handle>::untouched();
  };

  std::unique_ptr<Cell> cell_;
  MPI_Fint* request_;
};

template <class Handle>
class InOutHandle {
 public:
  explicit InOutHandle(MPI_Fint* variable)
      : variable_(variable), before_(handle<Handle>(variable)), handle_(before_) {}
  InOutHandle(const InOutHandle&) = delete;
  InOutHandle& operator=(const InOutHandle&) = delete;
  ~InOutHandle() {
    const MPI_Fint before = *variable_;
    if (handle_ != before_) *variable_ = number(handle_);
    named<Handle>(before, *variable_);
  }

  operator Handle*() { return &handle_; }

 private:
  MPI_Fint* variable_;
  Handle before_;
  Handle handle_;
};

// A request that C only reads.
class InRequest {
 public:
  explicit InRequest(const MPI_Fint* variable) : number_(*variable) {}
  InRequest(const InRequest&) = delete;
  InRequest& operator=(const InRequest&) = delete;
  ~InRequest() { after_call(number_, number_); }

  operator MPI_Request() { return handle<MPI_Request>(&number_); }

 private:
  MPI_Fint number_;
};

template <class Handle>
class InHandles {
 public:
  InHandles(const MPI_Fint* variables, int size) : variables_(variables), handles_(size) {
    for (int i = 0; i < handles_.size(); ++i) handles_[i] = handle<Handle>(&variables[i]);
  }
  InHandles(const InHandles&) = delete;
  InHandles& operator=(const InHandles&) = delete;
  ~InHandles() {
    for (int i = 0; i < handles_.size(); ++i) named<Handle>(variables_[i], variables_[i]);
  }

  operator Handle*() { return handles_.data(); }

 private:
  const MPI_Fint* variables_;
  Array<Handle> handles_;
};

template <class Handle>
class OutHandles {
 public:
  OutHandles(MPI_Fint* variables, int size) : variables_(variables), handles_(size) {
    for (int i = 0; i < handles_.size(); ++i) handles_[i] = OutHandle<Handle>::untouched();
  }
  OutHandles(const OutHandles&) = delete;
  OutHandles& operator=(const OutHandles&) = delete;
  ~OutHandles() {
    for (int i = 0; i < handles_.size(); ++i) {
      if (handles_[i] != OutHandle<Handle>::untouched()) variables_[i] = number(handles_[i]);
    }
  }

  operator Handle*() { return handles_.data(); }

 private:
  MPI_Fint* variables_;
  Array<Handle> handles_;
};

template <class Handle>
class InOutHandles {
 public:
  InOutHandles(MPI_Fint* variables, int size)
      : variables_(variables), before_(size), handles_(size) {
    for (int i = 0; i < handles_.size(); ++i) {
      handles_[i] = before_[i] = handle<Handle>(&variables[i]);
    }
  }
  InOutHandles(const InOutHandles&) = delete;
  InOutHandles& operator=(const InOutHandles&) = delete;
  ~InOutHandles() {
    for (int i = 0; i < handles_.size(); ++i) {
      const MPI_Fint before = variables_[i];
      if (handles_[i] != before_[i]) variables_[i] = number(handles_[i]);
      named<Handle>(before, variables_[i]);
    }
  }

  operator Handle*() { return handles_.data(); }

 private:
  MPI_Fint* variables_;
  Array<Handle> before_;
  Array<Handle> handles_;
};

// An array that an operation under way may still read. Destroyed after the other arguments of the
// call.
template <class Handle>
class KeptHandles {
 public:
  KeptHandles(const MPI_Fint* variables, int size, MPI_Fint* request)
      : cell_(std::make_unique<Cell>(variables, size)), request_(request) {
    *request = number(MPI_REQUEST_NULL);  // in case the call fails
  }
  KeptHandles(const KeptHandles&) = delete;
  KeptHandles& operator=(const KeptHandles&) = delete;
  ~KeptHandles() {
    if (*request_ != number(MPI_REQUEST_NULL)) keep(*request_, std::move(cell_));
  }

  operator const Handle*() const { return cell_->handles; }

 private:
  struct Cell : Pending {
    Cell(const MPI_Fint* variables, int size) : handles(variables, size) {}
    void after_call() override {}

    InHandles<Handle> handles;
  };

  std::unique_ptr<Cell> cell_;
  MPI_Fint* request_;
};

// A persistent request that is passed to MPI_Start.
class StartedRequest : public InOutHandle<MPI_Request> {
 public:
  explicit StartedRequest(MPI_Fint* variable) : InOutHandle(variable) { before_start(*variable); }
};

class StartedRequests : public InOutHandles<MPI_Request> {
 public:
  StartedRequests(MPI_Fint* variables, int size) : InOutHandles(variables, size) {
    for (int i = 0; i < size; ++i) before_start(variables[i]);
  }
};

class OutLogical {
 public:
  explicit OutLogical(MPI_Fint* variable) : variable_(variable), value_(*variable) {}
  OutLogical(const OutLogical&) = delete;
  OutLogical& operator=(const OutLogical&) = delete;
  ~OutLogical() { *variable_ = value_ != 0; }

  operator int*() { return &value_; }

 private:
  MPI_Fint* variable_;
  int value_;
};

class InLogicals {
 public:
  InLogicals(const MPI_Fint* variables, int size) : values_(size) {
    for (int i = 0; i < values_.size(); ++i) values_[i] = logical(&variables[i]);
  }

  operator int*() { return values_.data(); }

 private:
  Array<int> values_;
};

// C writes into the Fortran array; the destructor converts the values in place.
class OutLogicals {
 public:
  OutLogicals(MPI_Fint* variables, int size) : variables_(variables), size_(size) {}
  OutLogicals(const OutLogicals&) = delete;
  OutLogicals& operator=(const OutLogicals&) = delete;
  ~OutLogicals() {
    for (int i = 0; i < size_; ++i) variables_[i] = variables_[i] != 0;
  }

  operator int*() { return variables_; }

 private:
  MPI_Fint* variables_;
  int size_;
};

// Indices count from 1 in Fortran (MPI 5.0, 3.7.5).
class OutIndex {
 public:
  explicit OutIndex(MPI_Fint* variable) : variable_(variable) {}
  OutIndex(const OutIndex&) = delete;
  OutIndex& operator=(const OutIndex&) = delete;
  ~OutIndex() {
    if (index_ != kUntouched) *variable_ = index_ == MPI_UNDEFINED ? index_ : index_ + 1;
  }

  operator int*() { return &index_; }

 private:
  static constexpr int kUntouched = -1;

  MPI_Fint* variable_;
  int index_ = kUntouched;
};

// The first `*count` indices of an array. C sets `*count` during the call.
class OutIndices {
 public:
  OutIndices(MPI_Fint* variables, const MPI_Fint* count) : variables_(variables), count_(count) {}
  OutIndices(const OutIndices&) = delete;
  OutIndices& operator=(const OutIndices&) = delete;
  ~OutIndices() {
    for (int i = 0; i < *count_; ++i) ++variables_[i];  // none where it is MPI_UNDEFINED
  }

  operator int*() { return variables_; }

 private:
  MPI_Fint* variables_;
  const MPI_Fint* count_;
};

// An INTEGER of MPI-1 that is an MPI_Aint in C: its lower half, so that differences of addresses
// are correct.
class OutInteger {
 public:
  explicit OutInteger(MPI_Fint* variable) : variable_(variable), value_(*variable) {}
  OutInteger(const OutInteger&) = delete;
  OutInteger& operator=(const OutInteger&) = delete;
  ~OutInteger() { *variable_ = static_cast<MPI_Fint>(value_); }

  operator MPI_Aint*() { return &value_; }

 private:
  MPI_Fint* variable_;
  MPI_Aint value_;
};

class WideIntegers {
 public:
  WideIntegers(const MPI_Fint* variables, int size) : values_(size) {
    for (int i = 0; i < values_.size(); ++i) values_[i] = variables[i];
  }

  operator MPI_Aint*() { return values_.data(); }

 private:
  Array<MPI_Aint> values_;
};

// An address that C returns. MPI_BUFFER_AUTOMATIC is converted to its Fortran sentinel.
class OutAddress {
 public:
  explicit OutAddress(void* variable) : variable_(static_cast<void**>(variable)) {}
  explicit OutAddress(MPI_Aint* variable) : OutAddress(static_cast<void*>(variable)) {}
  OutAddress(const OutAddress&) = delete;
  OutAddress& operator=(const OutAddress&) = delete;
  ~OutAddress() {
    if (address_ == MPI_BUFFER_AUTOMATIC) address_ = &mpi_atoll_sentinels_.buffer_automatic;
    if (address_ != &address_) *variable_ = address_;
  }

  operator void*() { return &address_; }

 private:
  void** variable_;
  void* address_ = &address_;  // unchanged: C never returns this address
};

// A string for C, without the trailing blanks of the Fortran string.
class String {
 public:
  String(const char* text, std::size_t length) : text_(text, trimmed(text, length)) {}
  explicit String(const Descriptor& text)
      : String(static_cast<const char*>(text.base_addr), text.elem_len) {}

  operator const char*() const { return text_.c_str(); }

 private:
  static std::size_t trimmed(const char* text, std::size_t length) {
    while (length > 0 && text[length - 1] == ' ') --length;
    return length;
  }

  std::string text_;
};

// A key or value of an info object: without leading blanks too (MPI 5.0, 10).
class Key : public String {
 public:
  using String::String;
  operator const char*() const {
    const char* text = String::operator const char*();
    while (*text == ' ') ++text;
    return text;
  }
};

// A string that C returns, padded with blanks for Fortran. Unchanged when C writes nothing.
class OutString {
 public:
  OutString(char* text, std::size_t length, int room)  // room: includes C's terminating null
      : text_(text), length_(length), string_(new char[room > 0 ? room : 1]) {
    string_[0] = kUntouched;
  }
  OutString(const OutString&) = delete;
  OutString& operator=(const OutString&) = delete;
  ~OutString();

  operator char*() { return string_.get(); }

 private:
  static constexpr char kUntouched = '\1';

  char* text_;
  std::size_t length_;
  std::unique_ptr<char[]> string_;
};

// The length of a string, which includes the terminating null in C.
class StringLength {
 public:
  explicit StringLength(MPI_Fint* variable)
      : variable_(variable), length_(*variable > 0 ? *variable + 1 : *variable) {}
  StringLength(const StringLength&) = delete;
  StringLength& operator=(const StringLength&) = delete;
  ~StringLength() { *variable_ = length_ > 0 ? length_ - 1 : length_; }

  operator int*() { return &length_; }

 private:
  MPI_Fint* variable_;
  int length_;
};

// An array of triplets.
inline int (*triplets(MPI_Fint* numbers))[3] { return reinterpret_cast<int(*)[3]>(numbers); }

// The number of elements of arrays without a length argument in C.
int peers(const MPI_Fint* comm);                      // other ranks in a collective operation
int peers(const MPI_Fint* comm, const void* buffer);  // 0 if `buffer` is MPI_IN_PLACE
int destinations(const MPI_Fint* comm);               // neighbours
int sources(const MPI_Fint* comm);
int dimensions(const MPI_Fint* comm);  // of a Cartesian grid

}  // namespace atl::fortran
