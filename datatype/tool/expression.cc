#include "datatype/tool/expression.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

#include "datatype/predefined.h"

namespace atl::datatype {
namespace {

struct Failure {
  std::string text;
};

// "MPI_DOUBLE" is double and MPI_DOUBLE.
bool is_called(std::string_view name, std::string_view word) {
  if (name == word) return true;
  constexpr std::string_view kPrefix = "MPI_";
  if (!name.starts_with(kPrefix)) return false;
  return std::ranges::equal(name.substr(kPrefix.size()), word,
                            [](char a, char b) { return std::tolower(a) == b; });
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Reference whole() {
    Reference parsed = type();
    skip_blanks();
    if (at_ != text_.size()) fail("nothing more");
    return parsed;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    throw Failure{"expected " + expected + " at \"" + std::string(text_.substr(at_)) + "\""};
  }

  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  bool next_is(char wanted) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  void expect(char wanted) {
    if (!next_is(wanted)) fail(std::string("'") + wanted + "'");
  }

  std::string_view word() {
    skip_blanks();
    const std::size_t start = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) {
      ++at_;
    }
    return text_.substr(start, at_ - start);
  }

  // Arguments; all but the first follow a comma.
  void comma() {
    if (!first_) expect(',');
    first_ = false;
  }

  Count number() {
    comma();
    skip_blanks();
    Count value = 0;
    const char* const start = text_.data() + at_;
    const auto [end, error] = std::from_chars(start, text_.data() + text_.size(), value);
    if (error != std::errc()) fail("a number");
    at_ += static_cast<std::size_t>(end - start);
    return value;
  }

  template <class Element>
  auto list(Element element) {
    comma();
    expect('[');
    std::vector<decltype(element())> all;
    first_ = true;
    while (!next_is(']')) all.push_back(element());
    first_ = false;
    return all;
  }

  std::vector<Count> numbers() {
    return list([this] { return number(); });
  }

  Reference argument_type() {
    comma();
    return type();
  }

  Order order() {
    comma();
    const std::string_view name = word();
    if (name != "c" && name != "fortran") fail("c or fortran");
    return name == "c" ? Order::c : Order::fortran;
  }

  Reference type() {
    const std::string_view name = word();
    if (!next_is('(')) return named(name);
    first_ = true;
    const Made made = constructed(name);
    expect(')');
    first_ = false;
    if (!made) throw Failure{std::string(name) + ": " + made.problem.text()};
    return made.type;
  }

  Reference named(std::string_view name) const {
    for (const Datatype* type : kPredefined) {
      if (type != nullptr && is_called(type->name(), name)) return type;
    }
    throw Failure{"no datatype is called \"" + std::string(name) + "\""};
  }

  // The order in which arguments are read is theirs, so each has its statement.
  Made constructed(std::string_view name) {
    if (name == "dup") return make_dup(*argument_type());
    if (name == "contiguous") {
      const Count count = number();
      return make_contiguous(count, *argument_type());
    }
    if (name == "vector" || name == "hvector") {
      const Count count = number();
      const Count blocklength = number();
      const Count stride = number();
      const auto make = name == "vector" ? make_vector : make_hvector;
      return make(count, blocklength, stride, *argument_type(), Form::plain);
    }
    if (name == "resized") {
      const Reference old = argument_type();
      const Count lb = number();
      return make_resized(*old, lb, number());
    }
    return with_lists(name);
  }

  Made with_lists(std::string_view name) {
    if (name == "indexed_block" || name == "hindexed_block") {
      const Count blocklength = number();
      const std::vector<Count> displacements = numbers();
      const auto make = name == "indexed_block" ? make_indexed_block : make_hindexed_block;
      return make(blocklength, displacements, *argument_type(), Form::plain);
    }
    if (name != "indexed" && name != "hindexed" && name != "struct" && name != "subarray") {
      throw Failure{"no constructor is called \"" + std::string(name) + "\""};
    }
    const std::vector<Count> first = numbers();
    const std::vector<Count> second = numbers();
    if (first.size() != second.size()) fail("lists of the same length");
    if (name == "subarray") return subarray(first, second);
    if (name == "struct") return structure(first, second);
    const auto make = name == "indexed" ? make_indexed : make_hindexed;
    return make(first, second, *argument_type(), Form::plain);
  }

  Made subarray(const std::vector<Count>& sizes, const std::vector<Count>& subsizes) {
    const std::vector<Count> starts = numbers();
    if (starts.size() != sizes.size()) fail("lists of the same length");
    const Order order_of_memory = order();
    return make_subarray(sizes, subsizes, starts, order_of_memory, *argument_type());
  }

  Made structure(const std::vector<Count>& lengths, const std::vector<Count>& displacements) {
    const std::vector<Reference> kept = list([this] { return argument_type(); });
    if (kept.size() != lengths.size()) fail("lists of the same length");
    std::vector<const Datatype*> types;
    for (const Reference& type : kept) types.push_back(type.get());
    return make_struct(lengths, displacements, types);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool first_ = true;  // of the arguments of a constructor or the elements of a list
};

}  // namespace

Parsed parse_type(std::string_view text) {
  try {
    return {Parser(text).whole(), ""};
  } catch (const Failure& failure) {
    return {nullptr, failure.text};
  }
}

}  // namespace atl::datatype
