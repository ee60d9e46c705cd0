// The contract suite's desk on the simulated desktop.
#include <xkbcommon/xkbcommon.h>

#include <thread>

#include "contract/desk.h"
#include "platform/sim/sim_computer.h"

namespace handrail::contract {
namespace {

sim::SimSpec spec_of(Layout layout) {
  const auto app = [](const char* id, const char* name) {
    sim::AppSpec spec;
    spec.app.id = id;
    spec.app.name = name;
    spec.window.title = name;
    return spec;
  };
  sim::SimSpec spec;
  if (layout == Layout::two) spec.displays.push_back({"SIM-1", {1280, 0, 1024, 600}, 1});
  spec.apps = {app("contract-notes", "Contract Notes"), app("contract-painter", "Contract Painter")};
  return spec;
}

std::optional<Received::Kind> kind_of(sim::EventKind kind) {
  switch (kind) {
    case sim::EventKind::motion: return Received::Kind::motion;
    case sim::EventKind::press: return Received::Kind::press;
    case sim::EventKind::release: return Received::Kind::release;
    case sim::EventKind::wheel: return Received::Kind::wheel;
    case sim::EventKind::key_down: return Received::Kind::key_down;
    case sim::EventKind::key_up: return Received::Kind::key_up;
    case sim::EventKind::focus_in:
    case sim::EventKind::focus_out: return std::nullopt;
  }
  return std::nullopt;
}

class SimDesk : public Desk {
 public:
  explicit SimDesk(Layout layout) : sim_(spec_of(layout)) {}

  Computer& computer() override { return sim_; }

  OpenApp open_probe(const std::string& title, const Rect& frame, Colour colour) override {
    sim::WindowSpec spec;
    spec.title = title;
    spec.bounds = frame;
    spec.colour = {static_cast<std::uint8_t>(colour.red), static_cast<std::uint8_t>(colour.green),
                   static_cast<std::uint8_t>(colour.blue)};
    return open(spec);
  }

  OpenApp open_editor(const std::string& title, const Rect& frame) override {
    sim::WindowSpec spec;
    spec.title = title;
    spec.bounds = frame;
    spec.fields = {{{0, 0, frame.width, frame.height}}};
    return open(spec);
  }

  void kill(WindowId window) override { sim_.vanish(window); }

  std::vector<Received> received(WindowId window) override {
    std::vector<Received> all;
    for (const sim::Event& event : sim_.log(window)) {
      const std::optional<Received::Kind> kind = kind_of(event.kind);
      if (!kind) continue;
      const Key key{xkb_keysym_to_lower(event.key.keysym)};
      all.push_back({*kind, event.at, event.button, event.wheel, key, event.modifiers});
    }
    return all;
  }

  std::string text(WindowId window) override { return sim_.text(window); }

  DeskState state() override {
    DeskState state;
    sim_.with_desktop([&](sim::Desktop& desktop) {
      for (const auto& window : desktop.windows()) {
        state.windows.push_back(
            {window->id, window->spec.title, window->spec.bounds, window->content(), desktop.shown(*window)});
      }
      state.active = desktop.focused();
      state.buttons_down.assign(desktop.buttons_down().begin(), desktop.buttons_down().end());
      state.keys_down = !desktop.keys_down().empty();
      state.pointer = desktop.pointer();
    });
    return state;
  }

  void app_copies(Selection selection, const std::string& mime, const std::string& bytes) override {
    sim_.with_desktop([&](sim::Desktop& desktop) { desktop.clipboards().set(selection, {{mime, bytes}}); });
  }

  std::string app_pastes(Selection selection, const std::string& mime) override {
    std::string found;
    sim_.with_desktop([&](sim::Desktop& desktop) {
      for (const ClipItem& item : desktop.clipboards().items(selection)) {
        if (item.mime == mime) found = item.bytes;
      }
    });
    return found;
  }

  void lose_server() override { sim_.lose_server(); }
  void restore_server() override { sim_.restart_server(); }

  // Nothing happens here by itself.
  bool wait_for_news(Deadline) override { return false; }

  void when_received(WindowId window, Received::Kind kind, std::function<void()> act) override {
    sim_.after_event(1, [this, window, kind, act = std::move(act)] {
      for (const Received& event : received(window)) {
        if (event.kind == kind) return act();
      }
      when_received(window, kind, act);
    });
  }

  void meanwhile(std::function<void()> act, const std::function<void()>& wait) override {
    std::thread other(std::move(act));
    wait();
    other.join();
  }

 private:
  OpenApp open(const sim::WindowSpec& spec) {
    OpenApp opened;
    opened.window = sim_.add_window(spec);
    sim_.with_desktop([&](sim::Desktop& desktop) {
      const sim::SimWindow* window = desktop.find(opened.window);
      opened.pid = window->spec.pid;
      opened.content = window->content();
    });
    return opened;
  }

  sim::SimComputer sim_;
};

}  // namespace

std::unique_ptr<Desk> make_desk(Layout layout) { return std::make_unique<SimDesk>(layout); }

}  // namespace handrail::contract
