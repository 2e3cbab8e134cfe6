// The loops behind reduction_kernels.h. They are compiled once per instruction set: this file is
// included twice, each time inside a different namespace.

template <class T>
struct Complex {
  T re, im;
  friend Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
  // As in Fortran, without the special treatment of infinities, so that the loop vectorizes.
  friend Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
};

template <class V, class I>
struct Pair {
  V value;
  I index;
};

// Integers wrap: an overflow in the user's data must not be undefined behaviour here. Narrow
// integers are converted to unsigned instead of being promoted to int.
template <class T>
constexpr auto wrapping(T value) {
  if constexpr (std::is_floating_point_v<T> || !std::is_arithmetic_v<T>) {
    return value;
  } else if constexpr (sizeof(T) < sizeof(unsigned)) {
    return static_cast<unsigned>(value);
  } else {
    return static_cast<std::make_unsigned_t<T>>(value);
  }
}
inline auto wrapping(__int128 value) { return static_cast<unsigned __int128>(value); }

struct Sum {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(wrapping(a) + wrapping(b));
  }
};
struct Prod {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(wrapping(a) * wrapping(b));
  }
};
struct Min {
  template <class T>
  static T of(T a, T b) {
    return a < b ? a : b;
  }
};
struct Max {
  template <class T>
  static T of(T a, T b) {
    return a > b ? a : b;
  }
};
struct Band {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Bor {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Bxor {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct Land {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>((a != 0) & (b != 0));
  }
};
struct Lor {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>((a != 0) | (b != 0));
  }
};
struct Lxor {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>((a != 0) ^ (b != 0));
  }
};
// Equal values give the smaller index (MPI 5.0, 6.9.4).
struct Minloc {
  template <class P>
  static P of(P a, P b) {
    if (a.value == b.value) return {a.value, a.index < b.index ? a.index : b.index};
    return a.value < b.value ? a : b;
  }
};
struct Maxloc {
  template <class P>
  static P of(P a, P b) {
    if (a.value == b.value) return {a.value, a.index < b.index ? a.index : b.index};
    return a.value > b.value ? a : b;
  }
};

template <class T, class Operation>
void loop(const void* left, const void* right, void* out, std::size_t count) {
  const T* a = static_cast<const T*>(left);
  const T* b = static_cast<const T*>(right);
  T* c = static_cast<T*>(out);
#pragma GCC ivdep  // `out` is one of them or apart from both
  for (std::size_t i = 0; i < count; ++i) c[i] = Operation::of(a[i], b[i]);
}

template <class T>
Kernel arithmetic(Code code) {
  switch (code) {
    case Code::sum: return loop<T, Sum>;
    case Code::prod: return loop<T, Prod>;
    case Code::min: return loop<T, Min>;
    case Code::max: return loop<T, Max>;
    default: return nullptr;
  }
}

template <class T>
Kernel bitwise(Code code) {
  switch (code) {
    case Code::band: return loop<T, Band>;
    case Code::bor: return loop<T, Bor>;
    case Code::bxor: return loop<T, Bxor>;
    default: return nullptr;
  }
}

template <class T>
Kernel logical(Code code) {
  switch (code) {
    case Code::land: return loop<T, Land>;
    case Code::lor: return loop<T, Lor>;
    case Code::lxor: return loop<T, Lxor>;
    default: return nullptr;
  }
}

template <class T>
Kernel complex(Code code) {
  switch (code) {
    case Code::sum: return loop<Complex<T>, Sum>;
    case Code::prod: return loop<Complex<T>, Prod>;
    default: return nullptr;
  }
}

template <class V, class I>
Kernel pair(Code code) {
  switch (code) {
    case Code::minloc: return loop<Pair<V, I>, Minloc>;
    case Code::maxloc: return loop<Pair<V, I>, Maxloc>;
    default: return nullptr;
  }
}

// Calls then.operator()<T>() with the C++ type of an element.
template <class Then>
Kernel with_integer(Element element, Then then) {
  switch (element) {
    case Element::i8: return then.template operator()<std::int8_t>();
    case Element::u8: return then.template operator()<std::uint8_t>();
    case Element::i16: return then.template operator()<std::int16_t>();
    case Element::u16: return then.template operator()<std::uint16_t>();
    case Element::i32: return then.template operator()<std::int32_t>();
    case Element::u32: return then.template operator()<std::uint32_t>();
    case Element::i64: return then.template operator()<std::int64_t>();
    case Element::u64: return then.template operator()<std::uint64_t>();
    case Element::i128: return then.template operator()<__int128>();
    default: return nullptr;
  }
}

template <class Then>
Kernel with_floating(Element element, Then then) {
  switch (element) {
    case Element::f16: return then.template operator()<_Float16>();
    case Element::f32: return then.template operator()<float>();
    case Element::f64: return then.template operator()<double>();
    case Element::f80: return then.template operator()<long double>();
    case Element::f128: return then.template operator()<__float128>();
    default: return nullptr;
  }
}

template <class Then>
Kernel with_any(Element element, Then then) {
  const Kernel found = with_integer(element, then);
  return found != nullptr ? found : with_floating(element, then);
}

// The index is an integer, or has the type of the value: MPI_2REAL.
Kernel find_pair(Code code, const Operand& operand) {
  return with_any(operand.element, [&]<class V>() {
    if (operand.index == operand.element) return pair<V, V>(code);
    return with_integer(operand.index, [&]<class I>() { return pair<V, I>(code); });
  });
}

Kernel find_kernel(Code code, const Operand& operand) {
  const Element element = operand.element;
  const auto plain = [&]<class T>() { return arithmetic<T>(code); };
  const auto bits = [&]<class T>() { return bitwise<T>(code); };
  const auto truth = [&]<class T>() { return logical<T>(code); };
  switch (operand.group) {
    case Group::c_integer:
      if (const Kernel found = with_integer(element, truth)) return found;
      [[fallthrough]];
    case Group::integer:
      if (const Kernel found = with_integer(element, bits)) return found;
      return with_integer(element, plain);
    case Group::floating: return with_floating(element, plain);
    case Group::logical: return with_integer(element, truth);
    case Group::complex: return with_floating(element, [&]<class T>() { return complex<T>(code); });
    case Group::byte: return with_integer(element, bits);
    case Group::pair: return find_pair(code, operand);
  }
  return nullptr;
}
