// Options about standard input, output and error.
#include <fmt/format.h>

#include "launcher/base/text.h"
#include "launcher/cli/option_table.h"

namespace atl::launcher {
namespace {

constexpr const char* kRankLabel = "[%r] ";

void set_label(OptionWords&, Plan& plan, Part&) { plan.output.label = kRankLabel; }
void set_time(OptionWords&, Plan& plan, Part&) { plan.output.time = true; }
void set_merge(OptionWords&, Plan& plan, Part&) { plan.output.merge = true; }

void set_label_pattern(OptionWords& words, Plan& plan, Part&) { plan.output.label = words.next(); }

std::string file_name(OptionWords& words) {
  std::string name = words.next();
  if (name.empty()) words.fail("the name is empty");
  return name;
}

// A percent sign in the name itself is no pattern.
std::string escaped(std::string_view name) {
  std::string text;
  for (const char letter : name) text += letter == '%' ? "%%" : std::string(1, letter);
  return text;
}

void set_files(std::string_view base, Plan& plan) {
  plan.output.output_files = escaped(base) + ".%r.out";
  plan.output.error_files = escaped(base) + ".%r.err";
}

// As Open MPI names them, whose first job is 1.
void set_folder(std::string_view folder, Plan& plan) {
  plan.output.output_files = escaped(folder) + "/1/rank.%r/stdout";
  plan.output.error_files = escaped(folder) + "/1/rank.%r/stderr";
}

void set_both_files(OptionWords& words, Plan& plan, Part&) { set_files(file_name(words), plan); }

void set_output_pattern(OptionWords& words, Plan& plan, Part&) {
  plan.output.output_files = file_name(words);
}

void set_error_pattern(OptionWords& words, Plan& plan, Part&) {
  plan.output.error_files = file_name(words);
}

// As Open MPI 5 writes the above.
void set_output(OptionWords& words, Plan& plan, Part&) {
  for (const std::string& word : split(words.next(), ',')) {
    if (word == "tag" || word == "tag-detailed" || word == "tag-fullname" || word == "rank") {
      plan.output.label = kRankLabel;
    } else if (word == "timestamp") {
      plan.output.time = true;
    } else if (word == "merge") {
      plan.output.merge = true;
    } else if (word.starts_with("file=") && word.size() > 5) {
      set_files(word.substr(5), plan);
    } else if (word.starts_with("dir=") && word.size() > 4) {
      set_folder(word.substr(4), plan);
    } else {
      words.fail(fmt::format("'{}' is none of tag, timestamp, merge, file=BASE, dir=FOLDER", word));
    }
  }
}

void set_input(OptionWords& words, Plan& plan, Part&) {
  const std::string word = words.next();
  if (word == "all") {
    plan.input.kind = InputChoice::Kind::all;
  } else if (word == "none") {
    plan.input.kind = InputChoice::Kind::none;
  } else {
    plan.input.kind = InputChoice::Kind::one;
    plan.input.rank = parse_number(word, 0, words, "a rank, all or none");
  }
}

constexpr Option kOptions[] = {
    {"-l --tag-output -prepend-rank", "", "Start each line of output with its rank: [3] text.",
     set_label},
    {"--timestamp-output", "", "Start each line of output with the time when it came.", set_time},
    {"-prepend-pattern", "PATTERN",
     "Start each line of output with PATTERN, in which %r is the rank, %h this machine, %p the "
     "process id of mpiexec and %% a percent sign.",
     set_label_pattern},
    {"--merge", "",
     "Print lines that ranks have in common once, with all their ranks: [0-2,5] text.", set_merge},
    {"--output-filename", "BASE",
     "Write the output of rank 3 to the files BASE.3.out and BASE.3.err, and so on.",
     set_both_files},
    {"-outfile-pattern", "PATTERN",
     "Write standard output to the file of this name, in which %r, %h and %p are as above. Folders "
     "that are missing are made.",
     set_output_pattern},
    {"-errfile-pattern", "PATTERN", "The same for standard error.", set_error_pattern},
    {"--output", "WORDS",
     "The same in one option, separated by commas: tag, timestamp, merge, file=BASE; or "
     "dir=FOLDER, "
     "for the files FOLDER/1/rank.3/stdout and stderr.",
     set_output},
    {"--stdin -s", "RANK",
     "Who reads the standard input of mpiexec: a rank (without the option, rank 0), all or none. "
     "The others read an empty file.",
     set_input},
};

}  // namespace

std::span<const Option> output_options() { return kOptions; }

}  // namespace atl::launcher
