#include "engine/plan_facts.h"

#include <algorithm>

#include "base/json.h"

namespace handrail::engine {

InputPlan with_held(const InputPlan& plan, const std::vector<Key>& held) {
  InputPlan whole = plan;
  std::vector<Step> down;
  for (const Key key : held) down.push_back(KeyDown{key});
  whole.steps.insert(whole.steps.begin(), down.begin(), down.end());
  return whole;
}

std::vector<KeyChord> chords_of(const InputPlan& plan) {
  std::vector<KeyChord> chords;
  std::vector<PhysicalKey> held;
  for (const Step& step : plan.steps) {
    if (const auto* down = std::get_if<KeyDown>(&step)) {
      const PhysicalKey key{0, {down->key.keysym}};
      KeyChord chord{key, held};
      if (std::ranges::find(chords, chord) == chords.end()) chords.push_back(std::move(chord));
      held.push_back(key);
    } else if (const auto* up = std::get_if<KeyUp>(&step)) {
      std::erase_if(held, [&](const PhysicalKey& key) { return key.keysyms.front() == up->key.keysym; });
    }
  }
  return chords;
}

std::vector<Point> points_of(const Plan& plan) {
  std::vector<Point> points;
  if (const auto* act = std::get_if<ActOnElement>(&plan); act != nullptr && act->at) points.push_back(*act->at);
  if (const auto* input = std::get_if<InputPlan>(&plan)) {
    for (const Step& step : input->steps) {
      if (const auto* move = std::get_if<MoveTo>(&step)) points.push_back(move->at);
    }
  }
  return points;
}

bool uses_seat(const Plan& plan) {
  if (const auto* act = std::get_if<ActOnElement>(&plan)) return act->verb == ElementVerb::focus;
  if (const auto* input = std::get_if<InputPlan>(&plan)) return !input->seat;
  if (const auto* open = std::get_if<OpenApp>(&plan)) return open->raise;
  const auto* system = std::get_if<ChangeSystem>(&plan);
  if (system != nullptr) return system->verb == SystemVerb::lock_screen;
  return std::holds_alternative<ChangeWindow>(plan) || std::holds_alternative<SwitchWorkspace>(plan) ||
         std::holds_alternative<ChangeApp>(plan);
}

bool types(const InputPlan& plan) {
  return std::ranges::any_of(plan.steps, [](const Step& step) {
    return std::holds_alternative<TypeText>(step) || std::holds_alternative<KeyDown>(step);
  });
}

std::vector<Selection> pastes(const InputPlan& plan) {
  constexpr std::uint32_t kSmallV = 0x76, kBigV = 0x56, kInsert = 0xff63, kPaste = 0x1008ff6d;
  bool modified = false, clipboard = false, primary = false;
  for (const Step& step : plan.steps) {
    if (const auto* press = std::get_if<ButtonDown>(&step)) primary = primary || press->button == Button::middle;
    const auto* down = std::get_if<KeyDown>(&step);
    if (down == nullptr) continue;
    const std::uint32_t keysym = down->key.keysym;
    if (keysym == kPaste || (modified && (keysym == kSmallV || keysym == kBigV))) clipboard = true;
    // Terminals take the selection, editors the clipboard.
    if (modified && keysym == kInsert) clipboard = primary = true;
    modified = modified || (keysym >= 0xffe1 && keysym <= 0xffee);
  }
  std::vector<Selection> selections;
  if (clipboard) selections.push_back(Selection::clipboard);
  if (primary) selections.push_back(Selection::primary);
  return selections;
}

bool writes_text(const ActOnElement& act) {
  return act.verb == ElementVerb::set_value || act.verb == ElementVerb::insert;
}

std::vector<std::string> deeds_of(const ActOnElement& act) {
  std::vector<std::string> names = act.path;
  if (act.verb == ElementVerb::press || act.verb == ElementVerb::menu) names.push_back(act.text);
  // What a menu of its own, or a button, is called is what it does; a text is called by what it is for.
  if (act.verb == ElementVerb::press) names.push_back(act.element.name);
  std::erase_if(names, [](const std::string& name) { return name.empty(); });
  return names;
}

// The method, and the action that it is asked for.
std::vector<std::string> deeds_of(const CallService& call) {
  std::vector<std::string> names{call.method};
  const auto arguments = parse_json(call.arguments);
  if (arguments.ok() && arguments->is_array() && !arguments->empty() && arguments->front().is_string()) {
    names.push_back(arguments->front().get<std::string>());
  }
  return names;
}

policy::TextWindow typed(policy::TextWindow window, const InputPlan& plan) {
  Chord down;
  for (const Step& step : plan.steps) {
    if (const auto* text = std::get_if<TypeText>(&step)) window.type(text->text);
    if (const auto* key = std::get_if<KeyDown>(&step)) {
      down.keys.push_back(key->key);
      const bool modifier = key->key.keysym >= 0xffe1 && key->key.keysym <= 0xffee;
      if (!modifier) window.press(down);
    }
    if (const auto* key = std::get_if<KeyUp>(&step)) std::erase(down.keys, key->key);
  }
  return window;
}

}  // namespace handrail::engine
