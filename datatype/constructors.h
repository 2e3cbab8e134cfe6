// The constructors of derived datatypes (MPI 5.0, 5.1.2 to 5.1.4 and 5.1.9). Arguments and names
// are the standard's; counts and displacements have 64 bits.
#pragma once

#include <span>

#include "datatype/datatype.h"

namespace atl::datatype {

// The new type, or the reason of the failure; a failed call has no effect.
struct Made {
  boost::intrusive_ptr<Datatype> type;
  Problem problem;

  explicit operator bool() const { return type != nullptr; }
};

using Counts = std::span<const Count>;

// Each array has one entry per block. MPI_Type_get_contents reports `form`.
Made make_contiguous(Count count, const Datatype& oldtype, Form form = Form::plain);
Made make_vector(Count count, Count blocklength, Count stride, const Datatype& oldtype,
                 Form form = Form::plain);
Made make_hvector(Count count, Count blocklength, Count stride, const Datatype& oldtype,
                  Form form = Form::plain);
Made make_indexed(Counts blocklengths, Counts displacements, const Datatype& oldtype,
                  Form form = Form::plain);
Made make_hindexed(Counts blocklengths, Counts displacements, const Datatype& oldtype,
                   Form form = Form::plain);
Made make_indexed_block(Count blocklength, Counts displacements, const Datatype& oldtype,
                        Form form = Form::plain);
Made make_hindexed_block(Count blocklength, Counts displacements, const Datatype& oldtype,
                         Form form = Form::plain);
Made make_struct(Counts blocklengths, Counts displacements, std::span<const Datatype* const> types,
                 Form form = Form::plain);
Made make_dup(const Datatype& oldtype);
Made make_resized(const Datatype& oldtype, Count lb, Count extent, Form form = Form::plain);

// The values are those of MPI_ORDER_ and MPI_DISTRIBUTE_ in the standard ABI.
enum class Order : int { c = 0xC, fortran = 0xF };
enum class Distribution : int { none = 16, block = 17, cyclic = 18 };
inline constexpr Count kDefaultDistributionArgument = 19;

// Each array has one entry per dimension, at least one.
Made make_subarray(Counts sizes, Counts subsizes, Counts starts, Order order,
                   const Datatype& oldtype, Form form = Form::plain);
Made make_darray(Count size, Count rank, Counts gsizes, std::span<const Distribution> distribs,
                 Counts dargs, Counts psizes, Order order, const Datatype& oldtype,
                 Form form = Form::plain);

// Types that are predefined in the standard but have no handle value in the ABI: committed,
// unnamed. `value` and `index` are basic. The types of MPI_Type_create_f90_* have the layout of
// `basic` and store the requested arguments.
Made make_value_index(const Datatype& value, const Datatype& index,
                      Combiner combiner = Combiner::value_index);
Made make_f90(Combiner combiner, Counts arguments, const Datatype& basic);

}  // namespace atl::datatype
