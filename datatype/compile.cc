#include "datatype/compile.h"

#include <unordered_map>
#include <utility>

#include "datatype/build.h"
#include "datatype/datatype.h"
#include "datatype/normalise.h"

namespace atl::datatype {
namespace {

// Converts a tree of types into loops. Each type is processed once, however often it occurs in the
// tree.
class Compiler {
 public:
  Compiler() : normaliser_(shapes_) {}

  Sequence sequence(const Datatype& type) { return normaliser_.canonical(std::move(of(type))); }
  const Shapes& shapes() const { return shapes_; }

 private:
  Sequence& of(const Datatype& type) {
    if (const auto known = known_.find(&type); known != known_.end()) return known->second;
    return known_.emplace(&type, normaliser_.folded(written(type))).first->second;
  }

  Sequence written(const Datatype& type) {
    if (type.size() == 0) return {};
    const Structure& structure = type.structure();
    if (const auto* strided = std::get_if<Strided>(&structure)) {
      const Sequence block = elements(*type.children()[0], strided->blocklength);
      return normaliser_.repeated(block, strided->count, strided->stride);
    }
    if (const auto* listed = std::get_if<Listed>(&structure)) return blocks(type, *listed);
    if (const auto* fields = std::get_if<Fields>(&structure)) return blocks(type, *fields);
    return {{0, Shape::run(type.size())}};
  }

  // `number` consecutive elements.
  Sequence elements(const Datatype& type, Count number) {
    return normaliser_.repeated(of(type), number, type.extent());
  }

  Sequence blocks(const Datatype& type, const Listed& listed) {
    const Datatype& child = *type.children()[0];
    Sequence all;
    all.reserve(listed.displacements.size());
    if (is_dense(child)) {
      const Item element = of(child).front();
      for (std::size_t i = 0; i < listed.displacements.size(); ++i) {
        if (listed.length(i) == 0) continue;
        const Shape run = Shape::run(child.size() * static_cast<std::size_t>(listed.length(i)));
        normaliser_.append(all, {element.offset + listed.displacement(i), run});
      }
      return all;
    }
    Sequence block;
    Count length = 0;
    for (std::size_t i = 0; i < listed.displacements.size(); ++i) {
      if (listed.length(i) != length) block = elements(child, length = listed.length(i));
      normaliser_.append(all, block, listed.displacement(i));
    }
    return all;
  }

  // Whether any number of elements is one contiguous block.
  bool is_dense(const Datatype& type) {
    const Sequence& element = of(type);
    return element.size() == 1 && element[0].shape.is_run() &&
           std::cmp_equal(type.size(), type.extent());
  }

  Sequence blocks(const Datatype& type, const Fields& fields) {
    Sequence all;
    for (std::size_t i = 0; i < fields.displacements.size(); ++i) {
      const Sequence block = elements(*type.children()[i], fields.blocklengths[i]);
      normaliser_.append(all, block, fields.displacements[i]);
    }
    return all;
  }

  Shapes shapes_;
  Normaliser normaliser_;
  std::unordered_map<const Datatype*, Sequence> known_;
};

}  // namespace

std::shared_ptr<const Program> compile(const Datatype& type) {
  Compiler compiler;
  const Sequence sequence = compiler.sequence(type);
  return build(sequence, compiler.shapes(), type.extent());
}

}  // namespace atl::datatype
