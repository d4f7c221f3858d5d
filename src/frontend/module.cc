#include "frontend/module.h"

#include <fmt/format.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Program.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <array>
#include <fstream>
#include <string_view>

#include "frontend/library.h"

namespace heddle::frontend {
namespace {

constexpr std::string_view kCompilers[] = {"clang-19", "/usr/lib/llvm-19/bin/clang", "clang"};

// What belongs to making machine code or linking and means nothing here.
bool is_for_linking(std::string_view flag) {
  return flag.starts_with("-l") || flag.starts_with("-L") || flag.starts_with("-O") ||
         flag.starts_with("-g") || flag == "-s" || flag == "-rdynamic" || flag == "-pie" ||
         flag == "-no-pie" || flag.starts_with("-Wl,");
}

std::string find_compiler() {
  for (std::string_view name : kCompilers)
    if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(name)) return *path;
  return "";
}

// A file that is removed when it is no longer needed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const char* ending) {
    llvm::sys::fs::createTemporaryFile("heddle-prove", ending, path_);
  }
  ~TemporaryFile() { llvm::sys::fs::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::string path() const { return path_.str().str(); }

 private:
  llvm::SmallString<64> path_;
};

bool compile_one(const Options& options, const std::string& compiler, const std::string& source,
                 const std::string& object) {
  std::vector<std::string> words = {compiler,
                                    "-O1",
                                    "-Xclang",
                                    "-disable-llvm-passes",
                                    "-g",
                                    "-Xclang",
                                    "-fno-use-ctor-homing",  // all members, for their names
                                    "-fno-discard-value-names",
                                    "-pthread",
                                    "-D_FORTIFY_SOURCE=0",
                                    "-D_GLIBCXX_TSAN=1",  // each count of a shared_ptr by itself
                                    "-Wno-everything",
                                    "-emit-llvm",
                                    "-c"};
  if (!options.include.empty()) words.insert(words.end(), {"-I", options.include});
  for (const std::string& flag : options.flags)
    if (!is_for_linking(flag)) words.push_back(flag);
  words.insert(words.end(), {"-o", object, source});
  const std::vector<llvm::StringRef> references(words.begin(), words.end());
  return llvm::sys::ExecuteAndWait(compiler, references) == 0;
}

std::unique_ptr<llvm::Module> read(const std::string& object, llvm::LLVMContext& context,
                                   std::string& sentence) {
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseIRFile(object, diagnostic, context);
  if (!module) sentence = diagnostic.getMessage().str();
  return module;
}

// Only what the module calls, and does not define, becomes part of it.
bool add_library(const std::string& compiler, llvm::LLVMContext& context, llvm::Module& whole,
                 std::string& sentence) {
  const std::string text = library_source(whole);
  if (text.empty()) return true;
  const TemporaryFile source("c");
  const TemporaryFile object("bc");
  std::ofstream(source.path()) << text;
  Options plain;
  plain.flags = {"-fno-builtin", "-ffreestanding"};
  if (!compile_one(plain, compiler, source.path(), object.path())) {
    sentence = "the definitions of library functions do not compile; the messages are above";
    return false;
  }
  std::unique_ptr<llvm::Module> module = read(object.path(), context, sentence);
  if (!module) return false;
  if (!llvm::Linker::linkModules(whole, std::move(module), llvm::Linker::LinkOnlyNeeded))
    return true;
  sentence = "the definitions of library functions do not fit the program's declarations";
  return false;
}

// Without one, LLVM ends the process at an error. It lives as long as the context.
class ErrorCollector : public llvm::DiagnosticHandler {
 public:
  bool handleDiagnostics(const llvm::DiagnosticInfo& information) override {
    if (information.getSeverity() != llvm::DS_Error) return true;
    llvm::raw_string_ostream stream(errors_);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    stream << ": ";
    information.print(printer);
    return true;
  }
  const std::string& errors() const { return errors_; }

 private:
  std::string errors_;
};

std::string errors_of(const llvm::LLVMContext& context) {
  return static_cast<const ErrorCollector*>(context.getDiagHandlerPtr())->errors();
}

}  // namespace

std::unique_ptr<llvm::Module> compile(const Options& options, llvm::LLVMContext& context,
                                      std::string& sentence) {
  const std::string compiler = find_compiler();
  if (compiler.empty()) {
    sentence = "there is no clang-19; install the package clang-19";
    return nullptr;
  }
  context.setDiagnosticHandler(std::make_unique<ErrorCollector>());
  std::unique_ptr<llvm::Module> whole;
  for (const std::string& source : options.sources) {
    const TemporaryFile object("bc");
    if (!compile_one(options, compiler, source, object.path())) {
      sentence = fmt::format("{} does not compile; the compiler's messages are above", source);
      return nullptr;
    }
    std::unique_ptr<llvm::Module> module = read(object.path(), context, sentence);
    if (!module) return nullptr;
    if (!whole) {
      whole = std::move(module);
    } else if (llvm::Linker::linkModules(*whole, std::move(module))) {
      sentence =
          fmt::format("{} cannot be linked with the other sources{}", source, errors_of(context));
      return nullptr;
    }
  }
  if (!add_library(compiler, context, *whole, sentence)) return nullptr;
  return whole;
}

}  // namespace heddle::frontend
