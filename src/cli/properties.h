// The property file: functions of the program that must return true in every state (SCALE's
// invariants). One name per line, optionally with a sentence behind it that reports repeat; "#"
// begins a comment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "channel/channel.h"
#include "cli/result.h"

namespace heddle {

struct Property {
  std::string name;     // as FunctionLookup::find takes it
  std::string message;  // "" if none
  std::string where;    // it was named: "FILE:3"
};

Result<std::vector<Property>> read_properties(const std::string& file);
Result<std::vector<Property>> parse_properties(std::string_view text, const std::string& file);

// As a setting of a trace, and back: false if it is not about a property.
std::string to_setting(const Property& property);
bool property_from_setting(std::string_view setting, const std::string& file, Property& property);

// Finds the functions in the program or in the libraries that it is linked with, those of the
// system excepted.
Result<std::vector<ChannelProperty>> resolve_properties(const std::vector<Property>& properties,
                                                        const std::string& program);

void put_properties(const std::vector<ChannelProperty>& properties, ChannelHeader& header);

}  // namespace heddle
