// Which objects a pointer may point to: inclusion constraints over the whole module, without regard
// to the order of statements, to callers or to members (Andersen's analysis).
//
// An object is a global variable, a function, an alloca, or a call that allocates. A number may be
// a pointer that was cast, so numbers are followed, too.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <map>
#include <set>
#include <vector>

namespace heddle::frontend {

class PointsTo {
 public:
  explicit PointsTo(llvm::Module& module);

  using Objects = std::set<const llvm::Value*>;
  // By the value; for constants too.
  Objects objects(const llvm::Value* pointer) const;
  // What may be stored in the object.
  Objects contents(const llvm::Value* object) const;
  // Functions that the pointer may be, in the order of the module.
  std::vector<llvm::Function*> functions(const llvm::Value* pointer) const;
  // Objects that may be reached from these through what is stored in them; those included.
  Objects reachable(const Objects& from) const;

 private:
  using Node = unsigned;
  using Numbers = std::set<unsigned>;
  struct Facts {
    Numbers objects;                             // that it may point to
    std::set<Node> copies;                       // nodes that get all of them
    std::vector<Node> loads;                     // nodes that get the contents of all of them
    std::vector<Node> stores;                    // nodes whose objects all of them get as contents
    std::vector<const llvm::CallBase*> calls;    // through this pointer
    std::vector<const llvm::CallBase*> creates;  // of threads with this start routine
  };

  Node node(const llvm::Value* value);
  Node contents_node(unsigned object);
  unsigned object(const llvm::Value* value);
  void point(Node node, unsigned object);
  void copy(Node from, Node to);
  void load(Node pointer, Node to);
  void store(Node pointer, Node from);
  void constant(const llvm::Constant* constant, Node node);
  void initial(const llvm::Constant* constant, Node contents);
  void instruction(const llvm::Instruction& instruction);
  void call(const llvm::CallBase& call);
  void connect(const llvm::CallBase& call, const llvm::Function& callee);
  void connect_thread(const llvm::CallBase& call, const llvm::Function& start);
  void solve();
  void visit(Node node);

  llvm::Module& module_;
  std::map<const llvm::Value*, Node> nodes_;
  std::vector<Facts> facts_;
  std::map<const llvm::Value*, unsigned> numbers_;  // of objects
  std::vector<const llvm::Value*> objects_;
  std::map<unsigned, Node> contents_;
  std::map<const llvm::Function*, Node> results_;
  Node thread_results_ = 0;
  std::set<Node> todo_;
};

// Whether a call makes memory.
bool allocates(const llvm::CallBase& call);

}  // namespace heddle::frontend
