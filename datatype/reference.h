// Shared ownership of datatypes: a type lives until the last handle, type and communication that
// uses it releases its reference.
#pragma once

#include <boost/smart_ptr/intrusive_ptr.hpp>

namespace atl::datatype {

class Datatype;

using Reference = boost::intrusive_ptr<const Datatype>;

// Add or release one reference, for owners that cannot store a Reference. The release pairs with
// itself, see datatype.h.
void intrusive_ptr_add_ref(const Datatype* type);
void intrusive_ptr_release(const Datatype* type);

}  // namespace atl::datatype
