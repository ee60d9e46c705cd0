#include "policy/gates/services.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/json.h"

namespace handrail::policy::gates {
namespace {

struct Forbidden {
  std::string_view name;  // a service or an interface, or what its names begin with
  std::string_view why;
};

constexpr std::string_view kStarts = "starts programs outside every gate";
constexpr std::string_view kSecrets = "holds passwords and keys";
constexpr std::string_view kRights = "decides what programs may do";
constexpr std::string_view kEnds = "ends the session or the machine";
constexpr std::string_view kHands = "sees and acts for every app";
constexpr std::string_view kAccessibility = "switches accessibility, for which there is `setup`";
constexpr std::string_view kLock = "locks and unlocks the screen, for which there is `lock_screen`";

constexpr std::array kForbidden{
    Forbidden{"org.freedesktop.systemd1", kStarts},
    Forbidden{"org.freedesktop.Flatpak", kStarts},
    Forbidden{"org.freedesktop.portal.Flatpak", kStarts},
    Forbidden{"org.freedesktop.portal.Background", kStarts},
    Forbidden{"org.freedesktop.portal.OpenURI", kStarts},
    Forbidden{"org.freedesktop.portal.DynamicLauncher", kStarts},
    Forbidden{"org.gnome.Terminal", kStarts},
    Forbidden{"org.gnome.Console", kStarts},
    Forbidden{"org.gnome.Ptyxis", kStarts},
    Forbidden{"org.xfce.Terminal", kStarts},
    Forbidden{"org.kde.konsole", kStarts},
    Forbidden{"org.kde.yakuake", kStarts},
    Forbidden{"org.kde.klauncher", kStarts},
    Forbidden{"org.kde.KLauncher", kStarts},
    Forbidden{"org.kde.krunner", kStarts},
    Forbidden{"org.gnome.Shell", kStarts},
    Forbidden{"org.Cinnamon", kStarts},
    Forbidden{"org.kde.KWin", kStarts},
    Forbidden{"org.kde.plasmashell", kStarts},
    Forbidden{"org.kde.PlasmaShell", kStarts},
    Forbidden{"org.guake3", kStarts},
    Forbidden{"net.tenshu.Terminator", kStarts},
    Forbidden{"com.gexperts.Tilix", kStarts},
    Forbidden{"org.awesomewm", kStarts},
    Forbidden{"org.kde.kglobalaccel", kStarts},
    Forbidden{"org.xfce.Xfconf", kStarts},
    Forbidden{"ca.desrt.dconf", kStarts},
    Forbidden{"org.xfce.FileManager", kStarts},
    Forbidden{"org.xfce.Thunar", kStarts},
    Forbidden{"org.freedesktop.IBus", kSecrets},
    Forbidden{"org.kde.klipper", kSecrets},
    Forbidden{"org.freedesktop.secrets", kSecrets},
    Forbidden{"org.freedesktop.Secret", kSecrets},
    Forbidden{"org.freedesktop.portal.Secret", kSecrets},
    Forbidden{"org.gnome.keyring", kSecrets},
    Forbidden{"org.gnome.seahorse", kSecrets},
    Forbidden{"org.kde.kwalletd", kSecrets},
    Forbidden{"org.kde.KWallet", kSecrets},
    Forbidden{"org.keepassxc", kSecrets},
    Forbidden{"org.gnome.OnlineAccounts", kSecrets},
    Forbidden{"org.freedesktop.PolicyKit1", kRights},
    Forbidden{"org.freedesktop.impl.portal", kRights},
    Forbidden{"org.freedesktop.login1", kEnds},
    Forbidden{"org.gnome.SessionManager", kEnds},
    Forbidden{"org.mate.SessionManager", kEnds},
    Forbidden{"org.xfce.SessionManager", kEnds},
    Forbidden{"org.xfce.Session", kEnds},
    Forbidden{"org.kde.ksmserver", kEnds},
    Forbidden{"org.kde.KSMServerInterface", kEnds},
    Forbidden{"org.kde.Shutdown", kEnds},
    Forbidden{"org.kde.LogoutPrompt", kEnds},
    Forbidden{"org.freedesktop.portal.RemoteDesktop", kHands},
    Forbidden{"org.freedesktop.portal.InputCapture", kHands},
    Forbidden{"org.freedesktop.portal.ScreenCast", kHands},
    Forbidden{"org.freedesktop.portal.Screenshot", kHands},
    Forbidden{"org.freedesktop.portal.Clipboard", kHands},
    Forbidden{"org.freedesktop.portal.GlobalShortcuts", kHands},
    Forbidden{"org.gnome.Mutter", kHands},
    Forbidden{"org.a11y", kAccessibility},
    Forbidden{"org.freedesktop.ScreenSaver", kLock},
    Forbidden{"org.gnome.ScreenSaver", kLock},
    Forbidden{"org.xfce.ScreenSaver", kLock},
    Forbidden{"org.cinnamon.ScreenSaver", kLock},
    Forbidden{"org.mate.ScreenSaver", kLock},
    Forbidden{"org.kde.screensaver", kLock},
};

// Of the bus itself: what only tells.
constexpr std::array<std::string_view, 8> kBusMethods{
    "ListNames", "ListActivatableNames", "NameHasOwner", "GetNameOwner", "GetId", "Introspect", "Get", "GetAll"};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// "org.kde.kwalletd" covers "org.kde.kwalletd5" and "org.kde.kwalletd.x".
bool begins(std::string_view name, std::string_view start) {
  return name.size() >= start.size() &&
         std::ranges::equal(name.substr(0, start.size()), start, [](char a, char b) { return lower(a) == lower(b); });
}

constexpr std::string_view kProperties = "org.freedesktop.DBus.Properties";

// The interface whose property is read or set; empty for other calls, and where none is named.
std::string property_of(const CallService& call) {
  if (call.interface != kProperties) return "";
  const auto arguments = parse_json(call.arguments);
  const bool named = arguments.ok() && arguments->is_array() && !arguments->empty() && arguments->front().is_string();
  return named ? arguments->front().get<std::string>() : "";
}

Verdict never(const CallService& call, std::string_view why) {
  return deny(Code::gate_refused,
              fmt::format("{} ({}) {}, so agents never call it.", call.destination, call.interface, why),
              "Do it with the actions that there are for it, or ask the person to do this part.");
}

}  // namespace

Verdict services(const UseFacts& facts) {
  const auto* call = std::get_if<CallService>(&facts.plan);
  if (call == nullptr || call->offered) return allow();
  const std::string about = property_of(*call);
  for (const Forbidden& row : kForbidden) {
    const bool meant =
        begins(call->destination, row.name) || begins(call->interface, row.name) || begins(about, row.name);
    if (meant) return never(*call, row.why);
  }
  if (call->interface == kProperties && about.empty()) {
    return deny(Code::argument_invalid, "The first argument names no interface.",
                "Name the interface that the property is of; without one nobody can judge the call.");
  }
  const bool of_the_bus = call->destination == "org.freedesktop.DBus" || call->interface == "org.freedesktop.DBus" ||
                          begins(call->interface, "org.freedesktop.DBus.Monitoring") ||
                          begins(call->interface, "org.freedesktop.DBus.Debug");
  if (of_the_bus && std::ranges::find(kBusMethods, call->method) == kBusMethods.end()) {
    return never(*call, "changes the message bus itself");
  }
  for (const TargetFacts& target : facts.targets) {
    const Standing& standing = target.standing;
    const bool in_full = standing.granted() && standing.tier == GrantTier::full;
    if (standing.kind == StandingKind::denied || (standing.app.most < GrantTier::full && !in_full)) {
      return deny(Code::access_denied,
                  fmt::format("{} owns this service, and it may not be used in full.",
                              standing.app.name.empty() ? "A program" : standing.app.name),
                  "Do not route round its tier; ask the person to do this part.");
    }
  }
  return allow();
}

}  // namespace handrail::policy::gates
