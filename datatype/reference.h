// Shared ownership of datatypes: a type lives until the last handle, type and
// communication that uses it lets go.
#pragma once

#include <boost/smart_ptr/intrusive_ptr.hpp>

namespace atl::datatype {

class Datatype;

using Reference = boost::intrusive_ptr<const Datatype>;

// One reference more or less; for those that cannot keep a Reference.
void intrusive_ptr_add_ref(const Datatype* type);
void intrusive_ptr_release(const Datatype* type);

}  // namespace atl::datatype
