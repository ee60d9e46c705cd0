#include "actions/clipboard.h"

#include <fmt/format.h>

#include "actions/context.h"
#include "base/nearest.h"

namespace handrail::actions {
namespace {

using catalog::action;
using catalog::Category;
using catalog::Example;
using catalog::NoResult;
using catalog::Tier;
using catalog::Touches;

constexpr std::size_t kMaxReadBytes = 16000;

const std::string& plain_text() {
  static const std::string mime = "text/plain;charset=utf-8";
  return mime;
}

Result<Outcome> run_read(ActionContext& context, const ReadClipboard& read) {
  ClipboardText result;
  auto text = context.clipboard(read.selection, plain_text());
  if (text.ok()) {
    result.text = std::move(text).value();
  } else if (text.error().code == Code::not_found) {
    result.empty = true;
  } else {
    return std::move(text).error();
  }
  const std::size_t whole = result.text.size();
  result.text = shortened(result.text, kMaxReadBytes);
  Outcome outcome = observed(describe::encode(result));
  outcome.text =
      result.empty ? "There is no text on the clipboard."
      : whole > kMaxReadBytes
          ? fmt::format("{} bytes of text on the clipboard, of which the first {} follow.", whole, kMaxReadBytes)
          : fmt::format("{} bytes of text on the clipboard.", whole);
  outcome.untrusted = result.text;
  return outcome;
}

Result<Outcome> run_write(ActionContext& context, const WriteText& write) {
  return context.perform(WriteClipboard{write.selection, {{plain_text(), write.text}}});
}

constexpr std::array kRead{Example{"What was copied.", "{}"}};
constexpr std::array kWrite{Example{"Prepare a paste.", R"({"text": "hello"})"}};

constexpr std::array kClipboardActions{
    action<ReadClipboard, ClipboardText, run_read>("read_clipboard", Category::clipboard, Touches::nothing, Tier::full,
                                                   Capability::clipboard, "Read the text on the clipboard.", kRead),
    action<WriteText, NoResult, run_write>("write_clipboard", Category::clipboard, Touches::clipboard, Tier::full,
                                           Capability::clipboard, "Put text on the clipboard.", kWrite),
};

}  // namespace

std::span<const catalog::ActionSpec> clipboard_actions() { return kClipboardActions; }

}  // namespace handrail::actions
