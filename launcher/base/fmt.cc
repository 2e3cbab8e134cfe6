// The code of the formatting library, compiled once and linked into mpiexec: Debian's
// shared library would also load that of C++, and loading both takes longer than a
// rank takes to start.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {

// Declared as extern templates by fmt/format.h.
template FMT_API auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;

}  // namespace detail
FMT_END_NAMESPACE
