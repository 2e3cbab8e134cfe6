// The code of the formatting library, compiled once and into mpiexec: Debian's
// shared library would bring that of C++ with it, and the two take longer to load
// than a rank takes to start.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {

// Declared as extern templates by fmt/format.h.
template FMT_API auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;

}  // namespace detail
FMT_END_NAMESPACE
