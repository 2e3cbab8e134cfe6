#include "datatype/compile.h"

#include "datatype/datatype.h"

namespace atl::datatype {
namespace {

class Flattener {
 public:
  void add(const Datatype& type, Count at) {
    if (type.size() == 0) return;
    const Structure& structure = type.structure();
    if (std::holds_alternative<Basic>(structure)) {
      add_run(at, type.size());
    } else if (const auto* strided = std::get_if<Strided>(&structure)) {
      for (Count i = 0; i < strided->count; ++i) {
        add_block(*type.children()[0], at + i * strided->stride, strided->blocklength);
      }
    } else if (const auto* listed = std::get_if<Listed>(&structure)) {
      for (std::size_t i = 0; i < listed->displacements.size(); ++i) {
        add_block(*type.children()[0], at + listed->displacement(i), listed->length(i));
      }
    } else if (const auto* fields = std::get_if<Fields>(&structure)) {
      for (std::size_t i = 0; i < fields->displacements.size(); ++i) {
        add_block(*type.children()[i], at + fields->displacements[i], fields->blocklengths[i]);
      }
    }
  }

  std::vector<Block> blocks;

 private:
  void add_block(const Datatype& type, Count at, Count length) {
    for (Count i = 0; i < length; ++i) add(type, at + i * type.extent());
  }

  void add_run(Count at, std::size_t bytes) {
    if (!blocks.empty() && blocks.back().offset + static_cast<Count>(blocks.back().bytes) == at) {
      blocks.back().bytes += bytes;
    } else {
      blocks.push_back({at, bytes});
    }
  }
};

}  // namespace

std::shared_ptr<const Program> compile(const Datatype& type) {
  Flattener flattener;
  flattener.add(type, 0);
  return std::make_shared<Program>(std::move(flattener.blocks));
}

}  // namespace atl::datatype
