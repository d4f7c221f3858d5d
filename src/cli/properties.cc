#include "cli/properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "cli/process.h"
#include "cli/text_file.h"
#include "report/function_lookup.h"

namespace heddle {
namespace {

constexpr std::string_view kSetting = "property=";
constexpr char kWanted[] = "an invariant takes no arguments and returns bool";

std::string_view trimmed(std::string_view line) {
  size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

std::string_view without_comment(std::string_view line) {
  for (size_t i = 0; i < line.size(); ++i)
    if (line[i] == '#' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t'))
      return line.substr(0, i);
  return line;
}

// A name may have blanks in brackets: "(anonymous namespace)::f".
Property parse_line(std::string_view line) {
  size_t end = 0;
  for (int depth = 0; end < line.size(); ++end) {
    if (line[end] == '(' || line[end] == '<') ++depth;
    if (line[end] == ')' || line[end] == '>') --depth;
    if (depth == 0 && (line[end] == ' ' || line[end] == '\t')) break;
  }
  return {std::string(line.substr(0, end)), std::string(trimmed(line.substr(end))), ""};
}

template <size_t N>
void set_text(std::string_view text, char (&field)[N]) {
  std::memset(field, 0, N);
  std::memcpy(field, text.data(), std::min(text.size(), N - 1));
}

// Libraries of the program that are not the system's, as the dynamic linker finds them.
std::vector<std::string> libraries_of(const std::string& program) {
  std::vector<std::string> libraries;
  std::string text = output_of({"/lib64/ld-linux-x86-64.so.2", "--list", program});
  std::string_view rest = text;
  while (!rest.empty()) {
    const size_t newline = rest.find('\n');
    std::string_view line = rest.substr(0, newline);
    rest.remove_prefix(newline == std::string_view::npos ? rest.size() : newline + 1);
    if (size_t arrow = line.find(" => "); arrow != std::string_view::npos)
      line.remove_prefix(arrow + 4);
    line = trimmed(line.substr(0, line.rfind(" (")));
    const bool of_system = line.starts_with("/usr/lib") || line.starts_with("/lib");
    if (line.starts_with('/') && !of_system && !line.ends_with("/libheddle.so"))
      libraries.emplace_back(line);
  }
  return libraries;
}

std::string listed(const std::vector<NamedFunction>& functions) {
  std::vector<std::string> words;
  for (const NamedFunction& function : functions) {
    words.push_back(function.source.empty() ? function.name
                                            : fmt::format("{}:{}", function.source, function.name));
    if (words.size() == 5) break;
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

// What is wrong with it as an invariant; "" if nothing is known to be.
std::string complaint_about(const FunctionKind& kind) {
  if (!kind.known) return "";
  if (kind.needs_object)
    return fmt::format("is a member function that needs an object; {}", kWanted);
  if (kind.parameters > 0)
    return fmt::format("takes {} argument{}; {}", kind.parameters, kind.parameters == 1 ? "" : "s",
                       kWanted);
  if (kind.result.empty()) return fmt::format("returns nothing; {}", kWanted);
  if (kind.result_bytes == 0 || kind.result_bytes > 8)
    return fmt::format("returns {}; {}", kind.result, kWanted);
  return "";
}

// The files in which functions are looked for: the program first, its libraries if need be.
class Places {
 public:
  explicit Places(const std::string& program) : program_(program) {
    files_.push_back({"", std::make_unique<FunctionLookup>(program)});
  }

  Result<ChannelProperty> resolve(const Property& property) {
    for (size_t i = 0; more(i); ++i) {
      const std::vector<NamedFunction> found = files_[i].functions->find(property.name);
      if (found.size() > 1)
        return Error{fmt::format("{}: {} may be any of {}; write more of its name, or FILE:NAME",
                                 property.where, property.name, listed(found))};
      if (!found.empty()) return judge(property, found.front(), files_[i]);
    }
    std::vector<std::string> similar;
    for (const File& file : files_)
      for (std::string& name : file.functions->similar(property.name))
        similar.push_back(std::move(name));
    return Error{fmt::format(
        "{}: there is no function {} in {}{}", property.where, property.name, program_,
        similar.empty() ? "; if it is static or inline, the compiler may have left it out: "
                          "__attribute__((used)) keeps it"
                        : fmt::format("; did you mean {}?", fmt::join(similar, " or ")))};
  }

 private:
  struct File {
    std::string path;  // "" for the program
    std::unique_ptr<FunctionLookup> functions;
  };

  bool more(size_t i) {
    if (i < files_.size()) return true;
    if (all_) return false;
    all_ = true;
    for (const std::string& library : libraries_of(program_))
      files_.push_back({library, std::make_unique<FunctionLookup>(library)});
    return i < files_.size();
  }

  static Result<ChannelProperty> judge(const Property& property, const NamedFunction& function,
                                       const File& file) {
    const FunctionKind kind = file.functions->kind_of(function);
    if (std::string complaint = complaint_about(kind); !complaint.empty())
      return Error{fmt::format("{}: {} {}", property.where, function.name, complaint)};
    ChannelProperty result{};
    if (file.path.size() >= sizeof result.library)
      return Error{fmt::format("{}: the path of {} is too long", property.where, file.path)};
    result.function = function.address;
    result.result_bytes = kind.known ? kind.result_bytes : 1;
    set_text(file.path, result.library);
    set_text(function.name, result.name);
    set_text(property.message, result.message);
    return result;
  }

  std::string program_;
  std::vector<File> files_;
  bool all_ = false;
};

}  // namespace

Result<std::vector<Property>> parse_properties(std::string_view text, const std::string& file) {
  std::vector<Property> properties;
  for (int number = 1; !text.empty(); ++number) {
    const size_t newline = text.find('\n');
    std::string_view line = trimmed(without_comment(text.substr(0, newline)));
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    if (line.empty()) continue;
    Property property = parse_line(line);
    property.where = fmt::format("{}:{}", file, number);
    auto same = [&](const Property& other) { return other.name == property.name; };
    if (auto other = std::find_if(properties.begin(), properties.end(), same);
        other != properties.end())
      return Error{fmt::format("{}: {} is named before, at {}", property.where, property.name,
                               other->where)};
    properties.push_back(std::move(property));
  }
  if (properties.empty())
    return Error{fmt::format("{} names no function; write one name per line", file)};
  if (properties.size() > kMostProperties)
    return Error{fmt::format("{} names more than {} functions", file, kMostProperties)};
  return properties;
}

Result<std::vector<Property>> read_properties(const std::string& file) {
  Result<std::string> text = read_text(file, "properties");
  if (!text) return text.error();
  return parse_properties(*text, file);
}

std::string to_setting(const Property& property) {
  return fmt::format("{}{}{}{}", kSetting, property.name, property.message.empty() ? "" : " ",
                     property.message);
}

bool property_from_setting(std::string_view setting, const std::string& file, Property& property) {
  if (!setting.starts_with(kSetting) || setting.size() == kSetting.size()) return false;
  property = parse_line(setting.substr(kSetting.size()));
  property.where = file;
  return true;
}

Result<std::vector<ChannelProperty>> resolve_properties(const std::vector<Property>& properties,
                                                        const std::string& program) {
  std::vector<ChannelProperty> resolved;
  if (properties.empty()) return resolved;
  Places places(program);
  for (const Property& property : properties) {
    Result<ChannelProperty> one = places.resolve(property);
    if (!one) return one.error();
    resolved.push_back(*one);
  }
  return resolved;
}

void put_properties(const std::vector<ChannelProperty>& properties, ChannelHeader& header) {
  std::copy(properties.begin(), properties.end(), header.properties);
  header.property_count = static_cast<uint32_t>(properties.size());
}

}  // namespace heddle
