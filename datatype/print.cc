#include "datatype/print.h"

#include <span>

#include "datatype/walk.h"

namespace atl::datatype {
namespace {

constexpr std::size_t kMostNumbers = 8;  // of a list

std::string name_of(Combiner combiner) {
  constexpr const char* kNames[] = {
      "named",    "dup",           "contiguous",     "vector",  "hvector",    "indexed",
      "hindexed", "indexed_block", "hindexed_block", "struct",  "subarray",   "darray",
      "f90_real", "f90_complex",   "f90_integer",    "resized", "value_index"};
  return kNames[static_cast<std::size_t>(combiner) - static_cast<std::size_t>(Combiner::named)];
}

template <class Number>
std::string list(std::span<const Number> numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size() && i < kMostNumbers; ++i) {
    text += (i == 0 ? "" : " ") + std::to_string(numbers[i]);
  }
  if (numbers.size() > kMostNumbers) {
    text += " ... " + std::to_string(numbers.back()) + " (" + std::to_string(numbers.size()) + ")";
  }
  return text;
}

// The arguments by their names in the standard.
std::string arguments(const Contents& contents) {
  const std::span<const Count> all = contents.arguments;
  const auto one = [&](const char* name, std::size_t i) {
    return std::string(" ") + name + "=" + std::to_string(all[i]);
  };
  const auto many = [&](const char* name, std::size_t first, Count number) {
    return std::string(" ") + name + "=[" +
           list(all.subspan(first, static_cast<std::size_t>(number))) + "]";
  };
  switch (contents.combiner) {
    case Combiner::contiguous: return one("count", 0);
    case Combiner::vector:
    case Combiner::hvector: return one("count", 0) + one("blocklength", 1) + one("stride", 2);
    case Combiner::indexed:
    case Combiner::hindexed:
    case Combiner::structure:
      return many("blocklengths", 1, all[0]) +
             many("displacements", 1 + static_cast<std::size_t>(all[0]), all[0]);
    case Combiner::indexed_block:
    case Combiner::hindexed_block: return one("blocklength", 1) + many("displacements", 2, all[0]);
    case Combiner::resized: return one("lb", 0) + one("extent", 1);
    case Combiner::subarray: {
      const auto n = static_cast<std::size_t>(all[0]);
      return many("sizes", 1, all[0]) + many("subsizes", 1 + n, all[0]) +
             many("starts", 1 + 2 * n, all[0]) + (all.back() == 0xC ? " C" : " Fortran");
    }
    case Combiner::darray: {
      const auto n = static_cast<std::size_t>(all[2]);
      return one("size", 0) + one("rank", 1) + many("gsizes", 3, all[2]) +
             many("distribs", 3 + n, all[2]) + many("dargs", 3 + 2 * n, all[2]) +
             many("psizes", 3 + 3 * n, all[2]) + (all.back() == 0xC ? " C" : " Fortran");
    }
    case Combiner::f90_real:
    case Combiner::f90_complex: return one("p", 0) + one("r", 1);
    case Combiner::f90_integer: return one("r", 0);
    default: return "";
  }
}

std::string bounds_text(const Datatype& type) {
  return "size " + std::to_string(type.size()) + ", lb " + std::to_string(type.lower_bound()) +
         ", extent " + std::to_string(type.extent());
}

void append_tree(std::string& text, const Datatype& type, std::size_t indent) {
  text.append(2 * indent, ' ');
  const bool named = type.contents().combiner == Combiner::named;
  text += named ? type.name() : name_of(type.contents().combiner) + arguments(type.contents());
  text += ": " + bounds_text(type) + "\n";
  for (const Reference& inner : type.contents().types) append_tree(text, *inner, indent + 1);
}

std::string node_text(const Node& node) {
  std::string text;
  for (const Dimension& loop : node.dimensions) {
    const std::string count = loop.count == 0 ? "each element" : std::to_string(loop.count);
    text += count + " by " + std::to_string(loop.stride) + ": ";
  }
  switch (node.kind) {
    case Node::Kind::run: return text + std::to_string(node.block) + " bytes";
    case Node::Kind::blocks:
      return text + "blocks of " + std::to_string(node.block) + " at " +
             list(std::span<const Count>(node.offsets));
    case Node::Kind::ragged:
      return text + "blocks at " + list(std::span<const Count>(node.offsets)) + " from bytes " +
             list(std::span<const std::size_t>(node.starts));
    case Node::Kind::sequence: break;
  }
  for (std::size_t i = 0; i < node.parts.size() && i < kMostNumbers; ++i) {
    text += (i == 0 ? "" : ", ") + std::string("node ") + std::to_string(node.parts[i].node) +
            " at " + std::to_string(node.parts[i].offset);
  }
  if (node.parts.size() > kMostNumbers) {
    text += " ... (" + std::to_string(node.parts.size()) + " in all)";
  }
  return text;
}

}  // namespace

std::string tree_text(const Datatype& type) {
  std::string text;
  append_tree(text, type, 0);
  return text;
}

std::string map_text(const Datatype& type, std::size_t most) {
  std::string text = "{";
  std::size_t entries = 0;
  auto visit = [&](const Datatype& basic, Count at, Count number) {
    for (Count i = 0; i < number && entries < most; ++i, ++entries) {
      text += (entries == 0 ? "(" : ", (") + basic.name() + ", " +
              std::to_string(at + i * basic.extent()) + ")";
    }
    return entries < most;
  };
  walk(type, 0, 1, visit);
  if (entries < type.basic_values()) {
    text += ", ... " + std::to_string(type.basic_values()) + " in all";
  }
  return text + "}";
}

std::string program_text(const Program& program) {
  std::string text = "at " + std::to_string(program.offset()) + ", " +
                     std::to_string(program.contiguous_blocks()) + " runs an element\n";
  for (std::size_t i = 0; i < program.nodes().size(); ++i) {
    text += "node " + std::to_string(i) + ": " + node_text(program.nodes()[i]) + "\n";
  }
  return text;
}

}  // namespace atl::datatype
