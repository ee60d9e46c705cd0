#include "model/input_plan.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace handrail {
namespace {

template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};
// Clang 14 does not deduce it.
template <class... Cases>
Match(Cases...) -> Match<Cases...>;

std::string_view name(Button button) {
  constexpr std::array<std::string_view, 5> names{"left", "middle", "right", "x1", "x2"};
  return names[static_cast<std::size_t>(button)];
}

std::string_view name(WindowVerb verb) {
  constexpr std::array<std::string_view, 10> names{"focus", "move",     "resize",  "minimise", "close",
                                                   "place", "maximise", "restore", "raise",    "send"};
  return names[static_cast<std::size_t>(verb)];
}

// Whether the key makes a shortcut of the printable keys pressed with it.
bool starts_shortcut(Key key) {
  for (const Modifier modifier : {Modifier::ctrl, Modifier::alt, Modifier::super}) {
    const std::uint32_t left = key_of(modifier).keysym;
    if (key.keysym == left || key.keysym == left + 1) return true;
  }
  return false;
}

bool prints(Key key) {
  const bool keyboard_function = key.keysym >= 0xfd00 && key.keysym <= 0xffff;
  const bool vendor_function = key.keysym >= 0x10000000;
  return !keyboard_function && !vendor_function;
}

// Counts lead bytes; the text is valid UTF-8.
std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1u : 0u;
  return count;
}

// `shortcut`: printable keys pressed one by one can spell a secret; beside a modifier they are commands.
std::string describe_step(const Step& step, bool shortcut) {
  const auto key_word = [&](Key key) { return prints(key) && !shortcut ? "character" : handrail::name(key); };
  return std::visit(Match{
                        [](const MoveTo& s) { return fmt::format("move to {:g},{:g}", s.at.x, s.at.y); },
                        [](const ButtonDown& s) { return fmt::format("{} button down", name(s.button)); },
                        [](const ButtonUp& s) { return fmt::format("{} button up", name(s.button)); },
                        [](const Wheel& s) { return fmt::format("wheel {} right {} down", s.right, s.down); },
                        [&](const KeyDown& s) { return fmt::format("{} down", key_word(s.key)); },
                        [&](const KeyUp& s) { return fmt::format("{} up", key_word(s.key)); },
                        [](const TypeText& s) { return fmt::format("type {} characters", characters(s.text)); },
                        [](const Pause& s) { return fmt::format("pause {} ms", s.span.count()); },
                    },
                    step);
}

std::string describe_input(const InputPlan& plan) {
  // A drag has hundreds of steps; a line has room for some.
  constexpr std::size_t kShown = 12;
  std::string out;
  int shortcut_keys = 0;
  for (std::size_t i = 0; i < plan.steps.size() && i < kShown; ++i) {
    const Step& step = plan.steps[i];
    if (const auto* down = std::get_if<KeyDown>(&step); down && starts_shortcut(down->key)) ++shortcut_keys;
    if (i > 0) out += ", ";
    out += describe_step(step, shortcut_keys > 0);
    if (const auto* up = std::get_if<KeyUp>(&step); up && starts_shortcut(up->key)) --shortcut_keys;
  }
  if (plan.steps.size() > kShown) out += fmt::format(", and {} more steps", plan.steps.size() - kShown);
  if (out.empty()) out = "no steps";
  return plan.seat ? fmt::format("{}, with a pointer of its own on window {:#x}", out, plan.seat->window) : out;
}

std::string describe_act(const ActOnElement& act) {
  constexpr std::array<std::string_view, 6> kVerbs{"press", "set the value of",     "type into", "scroll to",
                                                   "focus", "choose in the menu of"};
  std::string out = fmt::format("{} the {} of process {}", kVerbs[static_cast<std::size_t>(act.verb)], act.element.role,
                                act.element.pid);
  if (act.verb == ElementVerb::insert) out += fmt::format(" {} characters", characters(act.text));
  if (act.verb == ElementVerb::set_value) out += fmt::format(" to {} characters", characters(act.text));
  return out;
}

std::string describe_file(const ChangeFile& change) {
  switch (change.verb) {
    case FileVerb::write: {
      constexpr std::array<std::string_view, 3> kModes{"create", "replace", "append to"};
      return fmt::format("{} the file {} ({} bytes)", kModes[static_cast<std::size_t>(change.mode)], change.path,
                         change.bytes.size());
    }
    case FileVerb::remove:
      return fmt::format("delete {}{}", change.path, change.recursive ? " with what is in it" : "");
    case FileVerb::move: return fmt::format("move {} to {}", change.path, change.to);
    case FileVerb::make_folder: break;
  }
  return fmt::format("make the folder {}", change.path);
}

std::string describe_run(const RunProgram& run) {
  std::size_t bytes = run.input.size();
  for (const std::string& word : run.argv) bytes += word.size();
  return fmt::format("run {} in the sandbox ({} bytes of arguments and input)",
                     run.argv.empty() ? "nothing" : run.argv.front(), bytes);
}

std::string describe_change(const ChangeWindow& change) {
  const Rect& frame = change.frame;
  std::string out = fmt::format("{} window {:#x}", name(change.verb), change.window);
  if (change.verb == WindowVerb::move) out += fmt::format(" to {:g},{:g}", frame.x, frame.y);
  if (change.verb == WindowVerb::resize) out += fmt::format(" to {:g}x{:g}", frame.width, frame.height);
  if (change.verb == WindowVerb::place)
    out += fmt::format(" at {:g},{:g} with {:g}x{:g}", frame.x, frame.y, frame.width, frame.height);
  if (change.verb == WindowVerb::send)
    out += change.workspace < 0 ? " to all workspaces" : fmt::format(" to workspace {}", change.workspace);
  return out;
}

std::string describe_app(const ChangeApp& change) {
  constexpr std::array<std::string_view, 3> kVerbs{"hide", "show", "quit"};
  std::string out = fmt::format("{} app {} (process {}, {} windows)", kVerbs[static_cast<std::size_t>(change.verb)],
                                change.app, change.pid, change.windows.size());
  if (change.force) out += ", and end it when it does not go";
  return out;
}

std::string describe_system(const ChangeSystem& change) {
  switch (change.verb) {
    case SystemVerb::notify:
      return fmt::format("show a notification of {} characters", characters(change.title) + characters(change.text));
    case SystemVerb::set_brightness: return fmt::format("set the brightness to {} percent", change.percent);
    case SystemVerb::lock_screen: return "lock the screen";
    case SystemVerb::enable_accessibility: break;
  }
  return "switch accessibility on";
}

std::string describe_call(const CallService& call) {
  return fmt::format("call {}.{} of {} at {} with {} bytes of arguments", call.interface, call.method, call.destination,
                     call.path, call.arguments.size());
}

}  // namespace

std::string summary(const Plan& plan) {
  return std::visit(Match{
                        [](const InputPlan& p) { return describe_input(p); },
                        [](const OpenApp& p) {
                          std::string out = fmt::format("open app {}", p.app);
                          if (!p.file.empty()) out += fmt::format(" with file {}", p.file);
                          return p.raise ? out : out + ", behind what is in front";
                        },
                        [](const WriteClipboard& p) {
                          std::string out =
                              p.selection == Selection::clipboard ? "write clipboard:" : "write primary selection:";
                          for (const ClipItem& item : p.items)
                            out += fmt::format(" {} ({} bytes)", item.mime, item.bytes.size());
                          return out;
                        },
                        [](const ChangeWindow& p) { return describe_change(p); },
                        [](const ActOnElement& p) { return describe_act(p); },
                        [](const ChangeFile& p) { return describe_file(p); },
                        [](const RunProgram& p) { return describe_run(p); },
                        [](const EndProcess& p) { return fmt::format("end process {}", p.pid); },
                        [](const SwitchWorkspace& p) { return fmt::format("switch to workspace {}", p.workspace); },
                        [](const ChangeApp& p) { return describe_app(p); },
                        [](const ChangeSystem& p) { return describe_system(p); },
                        [](const CallService& p) { return describe_call(p); },
                    },
                    plan);
}

}  // namespace handrail
