#include "cli/project.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace heddle {
namespace {

// Some files that are not TOML ("[[=") are noticed by assertions of the library only.
struct NotToml {};
[[noreturn]] void not_toml() {
  throw NotToml();
}

}  // namespace
}  // namespace heddle

#undef NDEBUG  // or the library would rely on what it asserts
#define TOML_ASSERT(condition) \
  if (!(condition)) ::heddle::not_toml()
#define TOML_EXCEPTIONS 1
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

namespace heddle {
namespace {

namespace fs = std::filesystem;

// Reads one table, and complains about the first thing that is wrong.
class Reader {
 public:
  Reader(const toml::table& table, std::string file) : table_(table), file_(std::move(file)) {}

  std::string text(const char* key) {
    known_.insert(key);
    const toml::node* node = table_.get(key);
    if (node == nullptr) return "";
    if (const auto value = node->value_exact<std::string>(); value && !value->empty())
      return *value;
    complain(*node, fmt::format("{} must be a text", key));
    return "";
  }

  // Whoever gives the value a word of its own could not be overruled by another value.
  std::vector<std::string> options() {
    std::vector<std::string> list = texts("options");
    for (const std::string& option : list)
      if (!option.starts_with('-') || option == "--")
        complain(*table_.get("options"),
                 fmt::format("\"{}\" is no option; options are written like \"--bound=2\", sources "
                             "and arguments belong to a [[target]]",
                             option));
    return list;
  }

  std::vector<std::string> texts(const char* key) {
    known_.insert(key);
    const toml::node* node = table_.get(key);
    std::vector<std::string> list;
    if (node == nullptr) return list;
    const toml::array* array = node->as_array();
    if (array == nullptr) complain(*node, fmt::format("{} must be a list of texts", key));
    for (size_t i = 0; array != nullptr && i < array->size(); ++i) {
      const auto value = array->get(i)->value_exact<std::string>();
      if (!value) complain(*array->get(i), fmt::format("{} must be a list of texts", key));
      list.push_back(value.value_or(""));
    }
    return list;
  }

  const toml::array* tables(const char* key) {
    known_.insert(key);
    const toml::node* node = table_.get(key);
    if (node == nullptr) return nullptr;
    if (node->is_array_of_tables()) return node->as_array();
    complain(*node, fmt::format("{} is written as [[{}]]", key, key));
    return nullptr;
  }

  void complain(const toml::node& node, const std::string& what) {
    if (complaint_.empty())
      complaint_ = fmt::format("{}:{}: {}", file_, node.source().begin.line, what);
  }

  // What nobody has asked for is a mistake.
  std::string complaint() {
    for (const auto& [key, node] : table_)
      if (!known_.contains(std::string(key.str())))
        complain(node, fmt::format("there is no {}; known are: {}", key.str(), list_of_known()));
    return complaint_;
  }

 private:
  std::string list_of_known() const {
    std::string text;
    for (const std::string& key : known_) text += (text.empty() ? "" : ", ") + key;
    return text;
  }

  const toml::table& table_;
  std::string file_;
  std::set<std::string> known_;
  std::string complaint_;
};

Result<ProjectTarget> read_target(const toml::table& table, const std::string& file) {
  Reader reader(table, file);
  ProjectTarget target;
  target.name = reader.text("name");
  target.inputs = reader.texts("sources");
  if (std::string program = reader.text("program"); !program.empty()) {
    if (!target.inputs.empty())
      reader.complain(table, "a target has either sources or a program, not both");
    target.inputs.push_back(std::move(program));
  }
  target.flags = reader.texts("flags");
  target.options = reader.options();
  target.arguments = reader.texts("arguments");
  if (target.inputs.empty())
    reader.complain(table, "a target needs sources = [\"…\"] or program = \"…\"");
  if (target.name.find('/') != std::string::npos)
    reader.complain(table, fmt::format("reports are called after a target, so its name \"{}\" "
                                       "cannot have a slash in it",
                                       target.name));
  if (std::string complaint = reader.complaint(); !complaint.empty()) return Error{complaint};
  return target;
}

bool is_taken(const std::string& name, const std::vector<ProjectTarget>& targets) {
  return std::any_of(targets.begin(), targets.end(),
                     [&](const ProjectTarget& other) { return other.name == name; });
}

// Of a target that has none: that of its program, and a number if it has several.
std::string free_name(const ProjectTarget& target, const std::vector<ProjectTarget>& others) {
  const std::string stem =
      target.inputs.empty() ? "" : fs::path(target.inputs.front()).stem().string();
  std::string name = stem;
  for (int number = 2; is_taken(name, others); ++number) name = fmt::format("{}-{}", stem, number);
  return name;
}

std::string name_of(std::string_view option) {
  return std::string(option.substr(0, option.find('=')));
}

enum class FileState : uint8_t { None, Usable, OfAnother };

FileState state_of(const fs::path& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return FileState::None;
  return status.st_uid == geteuid() || status.st_uid == 0 ? FileState::Usable
                                                          : FileState::OfAnother;
}

Result<toml::table> parse(std::string_view text, const std::string& file) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    return Error{fmt::format("{}:{}: {}", file, error.source().begin.line, error.description())};
  } catch (const NotToml&) {
    return Error{fmt::format("{}: not TOML; a key or a bracket is missing or misplaced", file)};
  }
}

}  // namespace

Result<Project> parse_project(std::string_view text, const std::string& file) {
  Result<toml::table> table = parse(text, file);
  if (!table) return table.error();
  Reader reader(*table, file);
  Project project;
  project.folder = fs::path(file).parent_path().string();
  project.file = file;
  project.options = reader.options();
  for (const char* key : {"suppressions", "properties"})
    if (const std::string named = reader.text(key); !named.empty())
      project.options.push_back(
          fmt::format("--{}={}", key, (fs::path(project.folder) / named).string()));
  if (const toml::array* targets = reader.tables("target"))
    for (const toml::node& node : *targets) {
      Result<ProjectTarget> target = read_target(*node.as_table(), file);
      if (!target) return target.error();
      if (is_taken(target->name, project.targets))
        reader.complain(
            node,
            fmt::format("two targets are called {}, and so would their reports be", target->name));
      if (target->name.empty()) target->name = free_name(*target, project.targets);
      project.targets.push_back(std::move(*target));
    }
  if (std::string complaint = reader.complaint(); !complaint.empty()) return Error{complaint};
  return project;
}

Result<FoundProject> find_project() {
  std::error_code error;
  FoundProject found;
  for (fs::path folder = fs::current_path(error); !error; folder = folder.parent_path()) {
    const fs::path file = folder / kProjectFile;
    const FileState state = state_of(file);
    if (state == FileState::OfAnother && found.not_read.empty()) found.not_read = file.string();
    if (state == FileState::Usable) {
      std::ifstream in(file);
      std::stringstream text;
      text << in.rdbuf();
      Result<Project> project = parse_project(text.str(), file.string());
      if (!project) return project.error();
      found.project = std::move(*project);
      return found;
    }
    if (folder == folder.parent_path()) break;
  }
  return found;
}

std::vector<std::string> with_defaults(std::span<const std::string> defaults,
                                       std::span<const std::string> words) {
  const auto end = std::find(words.begin(), words.end(), "--");
  std::set<std::string> given;
  for (auto word = words.begin(); word != end; ++word)
    if (word->starts_with("--")) given.insert(name_of(*word));
  std::vector<std::string> result;
  for (const std::string& option : defaults)
    if (!given.contains(name_of(option))) result.push_back(option);
  result.insert(result.end(), words.begin(), words.end());
  return result;
}

std::vector<std::string> words_for(const Project& project, const ProjectTarget& target,
                                   std::span<const std::string> words) {
  std::vector<std::string> all = with_defaults(target.options, words);
  all = with_defaults(project.options, all);
  for (const std::vector<std::string>* more : {&target.flags, &target.inputs})
    all.insert(all.end(), more->begin(), more->end());
  if (target.arguments.empty()) return all;
  all.emplace_back("--");
  all.insert(all.end(), target.arguments.begin(), target.arguments.end());
  return all;
}

}  // namespace heddle
