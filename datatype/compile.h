#pragma once

#include <memory>

namespace atl::datatype {

class Datatype;
class Program;

// The program of a type: depends on nothing but its type map, as runs of bytes.
std::shared_ptr<const Program> compile(const Datatype& type);

}  // namespace atl::datatype
