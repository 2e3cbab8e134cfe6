#pragma once

#include <memory>

namespace atl::datatype {

class Datatype;
class Program;

// Compiles a type. The program depends only on the contiguous blocks of bytes in the type map.
std::shared_ptr<const Program> compile(const Datatype& type);

}  // namespace atl::datatype
