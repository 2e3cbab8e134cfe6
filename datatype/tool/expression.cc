#include "datatype/tool/expression.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <functional>
#include <map>
#include <variant>
#include <vector>

#include "datatype/constructors.h"
#include "datatype/predefined.h"

namespace atl::datatype {
namespace {

// An argument: a number, a type, or a list of them in brackets.
struct Value {
  std::variant<Count, Reference, std::vector<Value>> content;
  std::size_t place;
};
using Values = std::vector<Value>;

// The arguments of one constructor, read in order.
class Arguments {
 public:
  Arguments(const Values& values, std::size_t place) : values_(values), place_(place) {}

  Count number() { return number_in(next("a number")); }

  const Datatype& type() { return type_in(next("a type")); }

  std::vector<Count> numbers() {
    std::vector<Count> numbers;
    for (const Value& value : list()) numbers.push_back(number_in(value));
    return numbers;
  }

  std::vector<const Datatype*> types() {
    std::vector<const Datatype*> types;
    for (const Value& value : list()) types.push_back(&type_in(value));
    return types;
  }

  // Checks that no more arguments follow and that these lists have one entry per block or
  // dimension.
  void end(std::initializer_list<std::size_t> lengths = {}) const {
    if (next_ != values_.size()) {
      throw BadExpression("more arguments than it takes", values_[next_].place);
    }
    for (const std::size_t length : lengths) {
      if (length != *lengths.begin()) throw BadExpression("lists of different lengths", place_);
    }
  }

 private:
  const Value& next(const char* wanted) {
    if (next_ == values_.size()) throw BadExpression(std::string(wanted) + " is missing", place_);
    return values_[next_++];
  }

  const Values& list() {
    const Value& value = next("a list");
    const auto* list = std::get_if<Values>(&value.content);
    if (list == nullptr) throw BadExpression("want a list in brackets", value.place);
    return *list;
  }

  static Count number_in(const Value& value) {
    const auto* number = std::get_if<Count>(&value.content);
    if (number == nullptr) throw BadExpression("want a number", value.place);
    return *number;
  }

  static const Datatype& type_in(const Value& value) {
    const auto* type = std::get_if<Reference>(&value.content);
    if (type == nullptr) throw BadExpression("want a type", value.place);
    return **type;
  }

  const Values& values_;
  std::size_t place_;
  std::size_t next_ = 0;
};

Made strided(Arguments& in, Made (*make)(Count, Count, Count, const Datatype&, Form)) {
  const Count count = in.number();
  const Count blocklength = in.number();
  const Count stride = in.number();
  const Datatype& oldtype = in.type();
  in.end();
  return make(count, blocklength, stride, oldtype, Form::plain);
}

Made listed(Arguments& in, Made (*make)(Counts, Counts, const Datatype&, Form)) {
  const std::vector<Count> blocklengths = in.numbers();
  const std::vector<Count> displacements = in.numbers();
  const Datatype& oldtype = in.type();
  in.end({blocklengths.size(), displacements.size()});
  return make(blocklengths, displacements, oldtype, Form::plain);
}

Made equal_blocks(Arguments& in, Made (*make)(Count, Counts, const Datatype&, Form)) {
  const Count blocklength = in.number();
  const std::vector<Count> displacements = in.numbers();
  const Datatype& oldtype = in.type();
  in.end();
  return make(blocklength, displacements, oldtype, Form::plain);
}

Made contiguous(Arguments& in) {
  const Count count = in.number();
  const Datatype& oldtype = in.type();
  in.end();
  return make_contiguous(count, oldtype);
}

Made structure(Arguments& in) {
  const std::vector<Count> blocklengths = in.numbers();
  const std::vector<Count> displacements = in.numbers();
  const std::vector<const Datatype*> types = in.types();
  in.end({blocklengths.size(), displacements.size(), types.size()});
  return make_struct(blocklengths, displacements, types);
}

Made subarray(Arguments& in) {
  const std::vector<Count> sizes = in.numbers();
  const std::vector<Count> subsizes = in.numbers();
  const std::vector<Count> starts = in.numbers();
  const auto order = static_cast<Order>(in.number());
  const Datatype& oldtype = in.type();
  in.end({sizes.size(), subsizes.size(), starts.size()});
  return make_subarray(sizes, subsizes, starts, order, oldtype);
}

Made darray(Arguments& in) {
  const Count size = in.number();
  const Count rank = in.number();
  const std::vector<Count> gsizes = in.numbers();
  std::vector<Distribution> distribs;
  for (const Count number : in.numbers()) distribs.push_back(static_cast<Distribution>(number));
  const std::vector<Count> dargs = in.numbers();
  const std::vector<Count> psizes = in.numbers();
  const auto order = static_cast<Order>(in.number());
  const Datatype& oldtype = in.type();
  in.end({gsizes.size(), distribs.size(), dargs.size(), psizes.size()});
  return make_darray(size, rank, gsizes, distribs, dargs, psizes, order, oldtype);
}

Made resized(Arguments& in) {
  const Datatype& oldtype = in.type();
  const Count lb = in.number();
  const Count extent = in.number();
  in.end();
  return make_resized(oldtype, lb, extent);
}

Made duplicate(Arguments& in) {
  const Datatype& oldtype = in.type();
  in.end();
  return make_dup(oldtype);
}

using Constructor = std::function<Made(Arguments&)>;

const std::map<std::string_view, Constructor> kConstructors = {
    {"contiguous", contiguous},
    {"vector", [](Arguments& in) { return strided(in, make_vector); }},
    {"hvector", [](Arguments& in) { return strided(in, make_hvector); }},
    {"indexed", [](Arguments& in) { return listed(in, make_indexed); }},
    {"hindexed", [](Arguments& in) { return listed(in, make_hindexed); }},
    {"indexed_block", [](Arguments& in) { return equal_blocks(in, make_indexed_block); }},
    {"hindexed_block", [](Arguments& in) { return equal_blocks(in, make_hindexed_block); }},
    {"struct", structure},
    {"subarray", subarray},
    {"darray", darray},
    {"resized", resized},
    {"dup", duplicate},
};

const std::map<std::string_view, Count> kWords = {
    {"c", static_cast<Count>(Order::c)},
    {"fortran", static_cast<Count>(Order::fortran)},
    {"none", static_cast<Count>(Distribution::none)},
    {"block", static_cast<Count>(Distribution::block)},
    {"cyclic", static_cast<Count>(Distribution::cyclic)},
    {"default", kDefaultDistributionArgument},
};

// The predefined type `word`, "double" or "MPI_DOUBLE"; null when there is none.
Datatype* named(std::string_view word) {
  for (Datatype* type : kPredefined) {
    if (type == nullptr) continue;
    const std::string_view name = type->name();
    if (std::ranges::equal(word, name.substr(std::string_view("MPI_").size()), {},
                           [](unsigned char c) { return std::toupper(c); }) ||
        word == name) {
      return type;
    }
  }
  return nullptr;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Reference type() {
    const Value read = value();
    const auto* type = std::get_if<Reference>(&read.content);
    if (type == nullptr) throw BadExpression("want a type", read.place);
    if (skip(); next_ != text_.size()) throw BadExpression("nothing more can follow", next_);
    return *type;
  }

 private:
  void skip() {
    while (next_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[next_]))) ++next_;
  }

  bool take(char wanted) {
    skip();
    if (next_ == text_.size() || text_[next_] != wanted) return false;
    ++next_;
    return true;
  }

  Value value() {
    skip();
    const std::size_t place = next_;
    if (take('[')) return {values(']'), place};
    if (next_ < text_.size() && (text_[next_] == '-' || std::isdigit(here()))) {
      return {product(), place};
    }
    const std::string_view name = word();
    if (name.empty()) throw BadExpression("want a type, a number or a list", place);
    if (take('(')) return {made(name, place), place};
    if (const auto known = kWords.find(name); known != kWords.end()) return {known->second, place};
    if (Datatype* type = named(name)) return {Reference(type), place};
    throw BadExpression("no type is called '" + std::string(name) + "'", place);
  }

  // Parses a list up to the closing bracket.
  Values values(char closing) {
    Values values;
    if (take(closing)) return values;
    do {
      if (nesting_ == kMostNested) throw BadExpression("nested too deeply", next_);
      ++nesting_;
      values.push_back(value());
      --nesting_;
    } while (take(','));
    if (!take(closing)) throw BadExpression(std::string("want ',' or '") + closing + "'", next_);
    return values;
  }

  Reference made(std::string_view name, std::size_t place) {
    const auto constructor = kConstructors.find(name);
    if (constructor == kConstructors.end()) {
      throw BadExpression("no constructor is called '" + std::string(name) + "'", place);
    }
    const Values read = values(')');
    Arguments arguments(read, place);
    const Made made = constructor->second(arguments);
    if (!made) throw BadExpression(made.problem.text(), place);
    return made.type;
  }

  // Parses numbers separated by '*'.
  Count product() {
    Count product = 1;
    do {
      skip();
      Count factor = 0;
      const char* begin = text_.data() + next_;
      const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), factor);
      if (error != std::errc() || __builtin_mul_overflow(product, factor, &product)) {
        throw BadExpression("want a number of at most 64 bits", next_);
      }
      next_ += static_cast<std::size_t>(end - begin);
    } while (take('*'));
    return product;
  }

  std::string_view word() {
    const std::size_t begin = next_;
    while (next_ < text_.size() && (std::isalnum(here()) || text_[next_] == '_')) ++next_;
    return text_.substr(begin, next_ - begin);
  }

  unsigned char here() const { return static_cast<unsigned char>(text_[next_]); }

  static constexpr int kMostNested = 500;

  std::string_view text_;
  std::size_t next_ = 0;
  int nesting_ = 0;
};

}  // namespace

Reference read_type(std::string_view text) { return Parser(text).type(); }

}  // namespace atl::datatype
