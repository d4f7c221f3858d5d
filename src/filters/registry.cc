#include "filters/registry.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace heddle {
namespace {

constexpr auto kFilters = [] {
  using namespace filter_property;
  return std::to_array<FilterInfo>({
#define X(id, name, argument, properties, costs_preemptions, preserves) \
  {FilterKind::id, name, FilterArgument::argument, properties, costs_preemptions, preserves},
      HEDDLE_FILTERS(X)
#undef X
  });
}();

using Maker = std::unique_ptr<Filter> (*)(uint64_t, const FilterContext&);
constexpr Maker kMakers[] = {
#define X(id, ...) make_##id##_filter,
    HEDDLE_FILTERS(X)
#undef X
};

const FilterInfo* find(std::string_view name) {
  for (const FilterInfo& info : kFilters)
    if (info.name == name) return &info;
  return nullptr;
}

std::string known_names() {
  std::string names;
  for (const FilterInfo& info : kFilters) {
    if (!names.empty()) names += ", ";
    names += info.name;
  }
  return names;
}

std::string parse_one(std::string_view text, std::vector<FilterSpec>& specs) {
  const size_t colon = text.find(':');
  const std::string name(text.substr(0, colon));
  const FilterInfo* info = find(name);
  if (info == nullptr) return "there is no filter '" + name + "'; known are " + known_names();
  if (has_filter(specs, info->kind)) return "the filter '" + name + "' is given twice";
  FilterSpec spec{info->kind, 0};
  if (colon == std::string_view::npos) {
    if (info->argument == FilterArgument::Required)
      return "the filter '" + name + "' needs a number, as in " + name + ":100";
  } else {
    if (info->argument == FilterArgument::None || info->argument == FilterArgument::Script)
      return "the filter '" + name + "' takes no number";
    const std::string_view digits = text.substr(colon + 1);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), spec.argument);
    if (error != std::errc() || end != digits.data() + digits.size() || spec.argument == 0)
      return "the filter '" + name + "' needs a positive number after the colon";
  }
  specs.push_back(spec);
  return {};
}

}  // namespace

std::span<const FilterInfo> filters() {
  return kFilters;
}

const FilterInfo& filter_info(FilterKind kind) {
  return kFilters[static_cast<size_t>(kind)];
}

const FilterInfo* filter_with(std::span<const FilterSpec> specs, uint8_t property) {
  for (const FilterSpec& spec : specs)
    if (filter_info(spec.kind).has(property)) return &filter_info(spec.kind);
  return nullptr;
}

bool has_filter(std::span<const FilterSpec> specs, FilterKind kind) {
  return std::any_of(specs.begin(), specs.end(),
                     [&](const FilterSpec& spec) { return spec.kind == kind; });
}

std::string parse_filters(std::string_view text, std::vector<FilterSpec>& specs) {
  while (!text.empty()) {
    const size_t comma = text.find(',');
    std::string mistake = parse_one(text.substr(0, comma), specs);
    if (!mistake.empty()) return mistake;
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return {};
}

std::vector<std::unique_ptr<Filter>> make_filters(std::span<const FilterSpec> specs,
                                                  FilterContext context) {
  context.super_steps = has_filter(specs, FilterKind::super_step);
  std::vector<std::unique_ptr<Filter>> made;
  for (const FilterInfo& info : kFilters)
    for (const FilterSpec& spec : specs)
      if (spec.kind == info.kind)
        made.push_back(kMakers[static_cast<size_t>(spec.kind)](spec.argument, context));
  return made;
}

}  // namespace heddle
