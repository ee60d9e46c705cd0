#include "policy/special_apps.h"

#include <algorithm>
#include <array>

namespace handrail::policy {
namespace {

constexpr SpecialKind kPrompt{"password_prompt", "a password prompt", true, true, GrantTier::read, Sentinel::secrets};
constexpr SpecialKind kLocker{"screen_locker", "a screen locker", true, true, GrantTier::read, Sentinel::secrets};
constexpr SpecialKind kPortal{
    "consent_prompt", "a prompt for the person's consent", true, true, GrantTier::read, Sentinel::system_settings};
constexpr SpecialKind kOwn{"handrail", "a part of Handrail", true, true, GrantTier::read, Sentinel::none};
constexpr SpecialKind kDesktop{"desktop_shell", "a part of the desktop itself", true, true, GrantTier::read,
                               Sentinel::shell};
constexpr SpecialKind kViewer{"remote_desktop", "a viewer of another desktop", false, false,
                              GrantTier::full,  Sentinel::other_desktop};
constexpr SpecialKind kMachine{"virtual_machine", "a virtual machine",    false, false,
                               GrantTier::full,   Sentinel::other_desktop};
constexpr SpecialKind kInterpreter{
    "terminal", "an interpreter, which counts as a terminal", false, false, GrantTier::click, Sentinel::shell};
constexpr SpecialKind kWebApp{"browser", "a web app of a browser", false, false, GrantTier::read, Sentinel::none};
constexpr SpecialKind kBrowser{"browser", "a browser", false, false, GrantTier::read, Sentinel::none};
constexpr SpecialKind kIde{"ide",          "an IDE, which counts as a terminal", false, false, GrantTier::click,
                           Sentinel::shell};

enum class Fit { whole, starts, ends, holds };

struct NameRule {
  std::string_view name;
  Fit fit;
  const SpecialKind* kind;
};

constexpr std::array kRules{
    // Whoever types here gives a secret away or uses another's authority.
    NameRule{"polkit", Fit::holds, &kPrompt},
    NameRule{"policykit", Fit::holds, &kPrompt},
    NameRule{"pinentry", Fit::holds, &kPrompt},
    NameRule{"askpass", Fit::holds, &kPrompt},
    NameRule{"ask-password", Fit::holds, &kPrompt},
    NameRule{"gcr-prompter", Fit::holds, &kPrompt},
    NameRule{"gcr4-", Fit::starts, &kPrompt},
    NameRule{"org.gnome.gcr", Fit::starts, &kPrompt},
    NameRule{"gnome-keyring", Fit::starts, &kPrompt},
    NameRule{"keyring-prompt", Fit::holds, &kPrompt},
    NameRule{"kwalletd", Fit::starts, &kPrompt},
    NameRule{"org.kde.kwalletd", Fit::starts, &kPrompt},
    NameRule{"ksecretd", Fit::starts, &kPrompt},
    NameRule{"ksecretprompter", Fit::whole, &kPrompt},
    NameRule{"kcheckpass", Fit::whole, &kPrompt},
    NameRule{"kdesu", Fit::starts, &kPrompt},
    NameRule{"gksu", Fit::starts, &kPrompt},
    NameRule{"lxqt-sudo", Fit::whole, &kPrompt},
    NameRule{"lxsudo", Fit::whole, &kPrompt},
    NameRule{"ktsuss", Fit::whole, &kPrompt},
    NameRule{"beesu", Fit::whole, &kPrompt},
    NameRule{"su-to-root", Fit::whole, &kPrompt},
    NameRule{"pkexec", Fit::whole, &kPrompt},
    NameRule{"pkttyagent", Fit::whole, &kPrompt},
    NameRule{"gpg-agent", Fit::whole, &kPrompt},
    NameRule{"fprintd", Fit::starts, &kPrompt},
    NameRule{"passwd", Fit::whole, &kPrompt},

    NameRule{"xsecurelock", Fit::starts, &kLocker},
    NameRule{"auth_x11", Fit::whole, &kLocker},
    NameRule{"authproto_pam", Fit::whole, &kLocker},
    NameRule{"i3lock", Fit::starts, &kLocker},
    NameRule{"betterlockscreen", Fit::whole, &kLocker},
    NameRule{"light-locker", Fit::starts, &kLocker},
    NameRule{"screensaver", Fit::holds, &kLocker},
    NameRule{"kscreenlocker", Fit::starts, &kLocker},
    NameRule{"screenlocker", Fit::holds, &kLocker},
    NameRule{"swaylock", Fit::starts, &kLocker},
    NameRule{"hyprlock", Fit::whole, &kLocker},
    NameRule{"waylock", Fit::whole, &kLocker},
    NameRule{"gtklock", Fit::whole, &kLocker},
    NameRule{"physlock", Fit::whole, &kLocker},
    NameRule{"slock", Fit::whole, &kLocker},
    NameRule{"sxlock", Fit::whole, &kLocker},
    NameRule{"vlock", Fit::starts, &kLocker},
    NameRule{"alock", Fit::whole, &kLocker},
    NameRule{"xlock", Fit::starts, &kLocker},
    NameRule{"xtrlock", Fit::whole, &kLocker},
    NameRule{"mate-lock", Fit::starts, &kLocker},
    NameRule{"dde-lock", Fit::whole, &kLocker},
    NameRule{"-greeter", Fit::ends, &kLocker},
    NameRule{"slick-greeter", Fit::starts, &kLocker},

    NameRule{"xdg-desktop-portal", Fit::starts, &kPortal},
    NameRule{"org.freedesktop.impl.portal", Fit::starts, &kPortal},

    NameRule{"handrail", Fit::whole, &kOwn},

    // Menus and hot keys of these start anything.
    NameRule{"gnome-shell", Fit::starts, &kDesktop},
    NameRule{"plasmashell", Fit::whole, &kDesktop},
    NameRule{"cinnamon", Fit::whole, &kDesktop},
    NameRule{"xfce4-panel", Fit::starts, &kDesktop},
    NameRule{"xfdesktop", Fit::whole, &kDesktop},
    NameRule{"lxpanel", Fit::whole, &kDesktop},
    NameRule{"lxqt-panel", Fit::whole, &kDesktop},
    NameRule{"mate-panel", Fit::whole, &kDesktop},
    NameRule{"gnome-panel", Fit::whole, &kDesktop},
    NameRule{"budgie-panel", Fit::whole, &kDesktop},
    NameRule{"budgie-wm", Fit::whole, &kDesktop},
    NameRule{"wingpanel", Fit::whole, &kDesktop},
    NameRule{"polybar", Fit::whole, &kDesktop},
    NameRule{"waybar", Fit::whole, &kDesktop},
    NameRule{"tint2", Fit::whole, &kDesktop},
    NameRule{"openbox", Fit::whole, &kDesktop},
    NameRule{"xfwm4", Fit::whole, &kDesktop},
    NameRule{"mutter", Fit::starts, &kDesktop},
    NameRule{"metacity", Fit::whole, &kDesktop},
    NameRule{"marco", Fit::whole, &kDesktop},
    NameRule{"muffin", Fit::whole, &kDesktop},
    NameRule{"gala", Fit::whole, &kDesktop},
    NameRule{"compiz", Fit::whole, &kDesktop},
    NameRule{"kwin_", Fit::starts, &kDesktop},
    NameRule{"kwin", Fit::whole, &kDesktop},
    NameRule{"fluxbox", Fit::whole, &kDesktop},
    NameRule{"blackbox", Fit::whole, &kDesktop},
    NameRule{"icewm", Fit::whole, &kDesktop},
    NameRule{"jwm", Fit::whole, &kDesktop},
    NameRule{"fvwm", Fit::starts, &kDesktop},
    NameRule{"i3", Fit::whole, &kDesktop},
    NameRule{"i3bar", Fit::whole, &kDesktop},
    NameRule{"bspwm", Fit::whole, &kDesktop},
    NameRule{"herbstluftwm", Fit::whole, &kDesktop},
    NameRule{"dwm", Fit::whole, &kDesktop},
    NameRule{"twm", Fit::whole, &kDesktop},
    NameRule{"enlightenment", Fit::whole, &kDesktop},
    NameRule{"sway", Fit::whole, &kDesktop},
    NameRule{"labwc", Fit::whole, &kDesktop},
    NameRule{"xorg", Fit::whole, &kDesktop},
    NameRule{"xwayland", Fit::whole, &kDesktop},

    // A whole other desktop behind one window.
    NameRule{"remmina", Fit::holds, &kViewer},
    NameRule{"freerdp", Fit::holds, &kViewer},
    NameRule{"rdesktop", Fit::whole, &kViewer},
    NameRule{"krdc", Fit::ends, &kViewer},
    NameRule{"vinagre", Fit::whole, &kViewer},
    NameRule{"gnome-connections", Fit::whole, &kViewer},
    NameRule{"org.gnome.connections", Fit::whole, &kViewer},
    NameRule{"vncviewer", Fit::holds, &kViewer},
    NameRule{"vnc-viewer", Fit::holds, &kViewer},
    NameRule{"remote-viewer", Fit::holds, &kViewer},
    NameRule{"virt-viewer", Fit::holds, &kViewer},
    NameRule{"spicy", Fit::whole, &kViewer},
    NameRule{"teamviewer", Fit::holds, &kViewer},
    NameRule{"anydesk", Fit::holds, &kViewer},
    NameRule{"rustdesk", Fit::holds, &kViewer},
    NameRule{"nxplayer", Fit::starts, &kViewer},
    NameRule{"nomachine", Fit::holds, &kViewer},
    NameRule{"x2goclient", Fit::holds, &kViewer},
    NameRule{"xpra", Fit::whole, &kViewer},
    NameRule{"parsecd", Fit::whole, &kViewer},
    NameRule{"moonlight-qt", Fit::whole, &kViewer},
    NameRule{"moonlight_stream", Fit::holds, &kViewer},
    NameRule{"wfica", Fit::whole, &kViewer},
    NameRule{"selfservice", Fit::whole, &kViewer},
    NameRule{"vmware-view", Fit::starts, &kViewer},
    NameRule{"horizon-client", Fit::starts, &kViewer},
    NameRule{"tlclient", Fit::whole, &kViewer},
    NameRule{"scrcpy", Fit::whole, &kViewer},
    NameRule{"looking-glass", Fit::starts, &kViewer},
    NameRule{"xephyr", Fit::whole, &kViewer},
    NameRule{"xnest", Fit::whole, &kViewer},
    NameRule{"qemu", Fit::starts, &kMachine},
    NameRule{"virtualbox", Fit::holds, &kMachine},
    NameRule{"vboxsdl", Fit::whole, &kMachine},
    NameRule{"vmware", Fit::starts, &kMachine},
    NameRule{"vmplayer", Fit::whole, &kMachine},
    NameRule{"gnome-boxes", Fit::whole, &kMachine},
    NameRule{"org.gnome.boxes", Fit::whole, &kMachine},
    NameRule{"virt-manager", Fit::holds, &kMachine},
    NameRule{"quickemu", Fit::whole, &kMachine},
    NameRule{"quickgui", Fit::whole, &kMachine},
    NameRule{"waydroid", Fit::starts, &kMachine},
    NameRule{"genymotion", Fit::starts, &kMachine},

    NameRule{"minibrowser", Fit::whole, &kBrowser},
    NameRule{"x-www-browser", Fit::whole, &kBrowser},
    NameRule{"www-browser", Fit::whole, &kBrowser},
    NameRule{"sensible-browser", Fit::whole, &kBrowser},
    NameRule{"x-terminal-emulator", Fit::whole, &kInterpreter},
    NameRule{"exo-open", Fit::whole, &kInterpreter},
    NameRule{"jetbrains-", Fit::starts, &kIde},
};

// Without version numbers, which program_names() takes off.
constexpr std::array<std::string_view, 77> kInterpreters{
    "ash",    "awk",     "bash",     "bun",         "busybox", "bwrap",      "cjs",     "csh",    "dash",      "deno",
    "doas",   "dotnet",  "electron", "elixir",      "elvish",  "env",        "erl",     "expect", "fish",      "gawk",
    "gdb",    "ghci",    "gjs",      "gjs-console", "groovy",  "guile",      "ipython", "iex",    "java",      "javaw",
    "jshell", "julia",   "ksh",      "lua",         "luajit",  "mawk",       "mksh",    "mono",   "mono-sgen", "nc",
    "node",   "nodejs",  "nu",       "nw",          "octave",  "octave-gui", "perl",    "php",    "pwsh",      "pypy",
    "python", "pythonw", "qml",      "qmlscene",    "r",       "racket",     "rscript", "ruby",   "runuser",   "sbcl",
    "screen", "sh",      "socat",    "ssh",         "su",      "sudo",       "tclsh",   "tcsh",   "telnet",    "tmux",
    "toybox", "wish",    "xonsh",    "yash",        "zsh",     "jjs",        "rhino"};

// The dynamic loader runs any file that it is given, and Wine any program of another system.
constexpr std::array<std::string_view, 5> kInterpreterStarts{"ld-linux", "ld-musl", "ld.so", "ld-2", "wine"};

bool fits(const NameRule& rule, std::string_view name) {
  switch (rule.fit) {
    case Fit::whole: return name == rule.name;
    case Fit::starts: return name.starts_with(rule.name);
    case Fit::ends: return name.ends_with(rule.name);
    case Fit::holds: return name.find(rule.name) != std::string_view::npos;
  }
  return true;
}

// Chromium's ids of extensions: 32 letters from a to p; any letter counts, since being wrong is only stricter.
bool extension_id(std::string_view text) {
  return text.size() >= 32 && std::all_of(text.begin(), text.begin() + 32, [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace

std::optional<SpecialKind> special_kind(std::string_view name) {
  if (name.empty()) return std::nullopt;
  const NameRule* found = nullptr;
  for (const NameRule& rule : kRules) {
    if (!fits(rule, name)) continue;
    if (found == nullptr || (rule.kind->denied && !found->kind->denied) ||
        (rule.kind->denied == found->kind->denied && rule.kind->most < found->kind->most)) {
      found = &rule;
    }
  }
  if (found == nullptr) return std::nullopt;
  return *found->kind;
}

bool runs_others(std::string_view name) {
  return std::find(kInterpreters.begin(), kInterpreters.end(), name) != kInterpreters.end() ||
         std::any_of(kInterpreterStarts.begin(), kInterpreterStarts.end(),
                     [name](std::string_view start) { return name.starts_with(start); });
}

SpecialKind interpreter_kind() { return kInterpreter; }

std::optional<SpecialKind> kind_of_class(std::string_view window_class) {
  constexpr std::string_view kCrx = "crx_";
  if (window_class.starts_with(kCrx) && extension_id(window_class.substr(kCrx.size()))) return kWebApp;
  // "chrome-<id>-Default", and the same of other browsers; pages that were made apps have their address there.
  for (const std::string_view browser : {"chrome-", "chromium-", "msedge-", "brave-", "vivaldi-", "opera-"}) {
    if (!window_class.starts_with(browser)) continue;
    const std::string_view rest = window_class.substr(browser.size());
    if (extension_id(rest) || rest.find("__") != std::string_view::npos) return kWebApp;
  }
  return special_kind(window_class);
}

bool clashes(std::string_view executable) {
  constexpr std::array<std::string_view, 5> kClashing{"zed", "rio", "slack", "zoom", "pulsar"};
  return std::find(kClashing.begin(), kClashing.end(), executable) != kClashing.end();
}

}  // namespace handrail::policy
