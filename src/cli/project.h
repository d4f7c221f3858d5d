// .heddle.toml: what a project wants of every check, and which programs it has checked.
//
//   options = ["--strategy=icb", "--bound=2"]   # of every check in this folder and below
//   suppressions = "known.supp"                 # short for an option, the file beside this one
//   properties = "bank.properties"
//
//   [[target]]                                  # run by `heddle check` without a program
//   name = "bank"
//   sources = ["bank.c"]                        # or: program = "build/bank_test"
//   flags = ["-DN=3"]
//   options = ["--time=20"]
//   arguments = ["3"]
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/result.h"

namespace heddle {

inline constexpr const char* kProjectFile = ".heddle.toml";

struct ProjectTarget {
  std::string name;
  std::vector<std::string> inputs;     // sources, or one program
  std::vector<std::string> flags;      // for the compiler
  std::vector<std::string> options;    // of heddle check
  std::vector<std::string> arguments;  // of the program
};

struct Project {
  std::string file;
  std::string folder;  // all names of files are relative to it
  std::vector<std::string> options;
  std::vector<ProjectTarget> targets;
};

Result<Project> parse_project(std::string_view text, const std::string& file);

struct FoundProject {
  std::optional<Project> project;
  std::string not_read;  // a nearer file that belongs to another user; "" if there is none
};

// Of the file in the current folder or the nearest above it; none if there is no such file. Files
// of other users are not read: they could make us write anywhere.
Result<FoundProject> find_project();

// The words of a check, and in front of them the defaults that they do not give another value to.
std::vector<std::string> with_defaults(std::span<const std::string> defaults,
                                       std::span<const std::string> words);

// The words of the check of one target; those of the command line count more.
std::vector<std::string> words_for(const Project& project, const ProjectTarget& target,
                                   std::span<const std::string> words);

}  // namespace heddle
