#include "frontend/frontend.h"

#include <llvm/IR/InstIterator.h>

#include "frontend/memory.h"
#include "frontend/module.h"
#include "frontend/prepare.h"
#include "frontend/rewrite.h"
#include "frontend/routine.h"
#include "frontend/verifier_calls.h"

namespace heddle::frontend {
namespace {

// Whether the program looks at what threads return.
bool uses_join_results(const llvm::Module& module) {
  const llvm::Function* join = module.getFunction(kJoin);
  if (join == nullptr) return false;
  for (const llvm::User* user : join->users())
    if (!user->use_empty()) return true;
  return false;
}

std::vector<std::string> verifier_functions(const llvm::Module& module) {
  std::vector<std::string> names;
  for (const llvm::Function& function : module)
    if (function.isDeclaration() &&
        (function.getName().starts_with("__VERIFIER_") || function.getName() == "reach_error"))
      names.push_back(function.getName().str());
  return names;
}

// Then a call is one of a function that is only declared.
bool drop_own_reach_error(llvm::Module& module) {
  llvm::Function* own = module.getFunction("reach_error");
  if (own == nullptr || own->isDeclaration()) return false;
  own->deleteBody();
  own->setComdat(nullptr);
  return true;
}

std::string base_name(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

}  // namespace

Translation translate(const Options& options) {
  Translation translation;
  llvm::LLVMContext llvm_context;
  std::unique_ptr<llvm::Module> module = compile(options, llvm_context, translation.sentence);
  if (module) translation.verifier_functions = verifier_functions(*module);
  if (!module) {
    translation.answer = Answer::CannotCompile;
    return translation;
  }
  if (options.reach_error_counts) translation.own_reach_error = drop_own_reach_error(*module);
  const Prepared prepared = prepare(*module, options);
  const std::vector<llvm::Function*>& roots = prepared.roots;
  if (prepared.answer != Answer::Graph) {
    translation.answer = prepared.answer;
    translation.sentence = prepared.sentence;
    return translation;
  }
  graph::Program& program = translation.program;
  program.name = base_name(options.sources.front());
  program.max_threads = options.max_threads;
  program.routines.resize(roots.size());
  Memory memory(*module, roots, options, program);
  Context context{options, memory, program, roots, uses_join_results(*module)};
  for (size_t i = 0; i < roots.size(); ++i) {
    program.routines[i].name = roots[i]->getName().str();
    RoutineTranslator(context, *roots[i], program.routines[i]).translate();
  }
  translation.verifier_calls = verifier_calls(roots, memory);
  return translation;
}

}  // namespace heddle::frontend
