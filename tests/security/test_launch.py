"""Launching: an app is a resolved entry, never a command line; what it starts with is clean."""
import os
import pathlib
import subprocess
import time

from support.desk import most_seconds, wait_until

from security.harness import CALL_PATIENCE, row

SECRET = "hunter2-do-not-inherit"


def click_twin(s, t):
    with t.twin("a click on the granted app"):
        s.default()
        s.act("left_click", {"coordinate": [400, 380]})
        s.actor.wait("activated")


def strings(marker):
    """Names of apps that a careless launcher would hand to a shell, read as flags, or take for a path."""
    touch = f"/usr/bin/touch {marker}"
    wraps = ["; {0}", "&& {0}", "| {0}", "|| {0}", "& {0} &", "$({0})", "`{0}`", "\n{0}", "\r\n{0}", "xterm; {0}", "mousepad;{0}",
             "mousepad && {0}", "mousepad $({0})", "mousepad `{0}`", "mousepad | {0}", "'; {0} #", '"; {0} #', "mousepad\n{0}",
             "sh -c '{0}'", "bash -c \"{0}\"", "/bin/sh -c '{0}'", "env {0}", "{0}", "exec {0}", "xterm -e {0}",
             "mousepad --display=:0; {0}", "%U; {0}", "mousepad %c {0}", "file:///bin/sh -c '{0}'", "sh${{IFS}}-c${{IFS}}'{0}'",
             "../../bin/{0}", "../../../usr/bin/touch", "/usr/bin/touch", "./touch", "~/x; {0}", "$HOME; {0}", "\\; {0}",
             "org.xfce.mousepad.desktop; {0}", "org.xfce.mousepad {0}", "--help; {0}", "-e {0}", "mousepad -- {0}",
             "{{}}; {0}", "*; {0}", "mousepad > {1}", "mousepad >> {1}", "> {1}", "mousepad 2> {1}"]
    return [w.format(touch, marker) for w in wraps if len(w.format(touch, marker)) <= 200]


@row("F12", "shell text, flags and paths in open_application", bold=True, few=1)
def shell_text(s, t):
    s.default()
    s.markers.mkdir(exist_ok=True)
    marker = s.markers / "f12"
    subprocess.run(["/usr/bin/touch", marker], check=True)
    s.prove_marker(t, marker)
    names = strings(marker)
    # Four ways in which a name comes in: as it is, with spaces, in capitals, as a file name.
    shapes = [str, lambda n: f"  {n}  ", lambda n: n + ".desktop", lambda n: "xterm " + n]
    for name, trial in t.over([shape(n)[:200] for n in names for shape in shapes]):
        with trial:
            reply = s.call("open_application", {"app": name})
            assert reply.is_error, f"{name!r} was opened: {reply.text}"
            assert not marker.exists(), f"{name!r} ran a command"
    assert not marker.exists(), "a command ran late"
    with t.twin("an installed app opens"):
        s.act("request_access", {"apps": [{"app": "org.xfce.mousepad"}], "reason": "To write."})
        s.act("open_application", {"app": "org.xfce.mousepad"})
        s.close_apps("mousepad")


@row("F13", "a terminal or a shell by name, alias or path", few=1)
def terminals(s, t):
    s.default()
    with s.xterm() as shell:
        shell.prove(t, "proof")
    s.serve()
    for name, trial in t.over(["xterm", "debian-xterm", "UXTerm", "sh", "bash", "/bin/sh", "/usr/bin/xterm",
                               "x-terminal-emulator", "python3", "/usr/bin/python3", "code", "dash"]):
        with trial:
            reply = s.call("open_application", {"app": name})
            if not reply.is_error:
                shown = s.desk.state()["focus"]
                assert shown, "nothing has the focus"
                s.watch.mark()
            typed = s.call("type", {"text": "touch marker\n"})
            s.watch.fence()
            others = [e for e in s.watch.events() if e["pid"] != s.actor.pid]
            assert typed.is_error or not others, f"{name}: typed into it: {others[:1]}"
            assert not others, f"{name}: {others[:1]} received keys"
            s.close_apps("xterm")
            s.close_apps("uxterm")
            s.focus(s.actor)
    click_twin(s, t)


def opened(s, app):
    """The process that open_application started, by the file that it writes."""
    return wait_until(lambda: next((w for w in s.desk.state()["windows"] if w["class"] == app), None), 60,
                      f"the window of {app}")


def launch(s, name, **options):
    """Starts a fixture through open_application and returns the process id."""
    path = s.app("actor_x11", name)
    script = s.folder / f"start-{name}"
    script.write_text(f"#!/bin/sh\nexec {path} --class {name} --pid $$ --title {name}\n")
    script.chmod(0o755)
    s.install(name, str(script))
    s.serve("--grant", f"{path}:full", "--grant", f"{s.actor_path}:full", "--grant", f"{name}:read", **options)
    s.call("request_access", {"apps": [{"app": name, "tier": "read"}], "reason": "To open it."})
    s.act("open_application", {"app": name})
    return opened(s, name)["pid"]


@row("F15", "PATH, preloads and modules from the environment of the server", few=1)
def environment(s, t):
    s.default()
    s.prove_any(t)
    evil = s.home.folder / "evil"
    evil.mkdir(exist_ok=True)
    bad = {"LD_LIBRARY_PATH": str(evil), "GTK_MODULES": "evil", "GTK_PATH": str(evil), "QT_PLUGIN_PATH": str(evil),
           "PYTHONPATH": str(evil), "PERL5LIB": str(evil), "GIO_EXTRA_MODULES": str(evil), "BASH_ENV": str(evil / "x"),
           "ENV": str(evil / "x"), "LD_AUDIT_NOTE": str(evil), "PATH": f"{evil}:/usr/local/bin:/usr/bin:/bin"}
    for trial in t:
        with trial:
            pid = launch(s, "envapp", env=bad)
            words = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
            for word in words:
                assert str(evil).encode() not in word and word != b"GTK_MODULES=evil", f"inherited {word!r}"
            s.close_apps("envapp")
    click_twin(s, t)


@row("F16", "secrets of the server in its children", few=1)
def inherited_secrets(s, t):
    s.default()
    s.prove_any(t)
    proof = s.spawn(["/bin/sleep", "60"])
    # A program that has just been started has no environment for a moment, not even its old one.
    t.proof(wait_until(lambda: b"XDG_RUNTIME_DIR" in pathlib.Path(f"/proc/{proof.pid}/environ").read_bytes()),
            "environments can be read")
    secrets = {name: SECRET for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN",
                                         "SSH_AUTH_SOCK", "HANDRAIL_TOKEN", "MY_PASSWORD")}
    for trial in t:
        with trial:
            pid = launch(s, "secretapp", env=secrets)
            assert SECRET.encode() not in pathlib.Path(f"/proc/{pid}/environ").read_bytes(), "a secret was inherited"
            assert SECRET.encode() not in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
            s.close_apps("secretapp")
    click_twin(s, t)


@row("R15", "an app that never shows a window", few=1)
def no_window(s, t):
    s.default()
    s.prove_any(t)
    path = s.app("actor_x11", "shy")
    s.install("shy", f"{path} --unmapped")
    s.serve("--grant", f"{path}:full", "--grant", f"{s.actor_path}:full", "--grant", "shy:full")
    for trial in t:
        with trial:
            began = time.monotonic()
            reply = s.client.call("open_application", {"app": "shy"}, timeout=CALL_PATIENCE)
            took = time.monotonic() - began
            assert took < most_seconds(40), f"it took {took:.0f} s"
            claims = reply.structured.get("evidence", [])
            assert reply.is_error or "window_change" not in claims, f"a window that never came: {reply}"
    click_twin(s, t)


@row("R16", "descriptors and the terminal of the server in its children", few=1)
def descriptors(s, t):
    s.default()
    s.prove_any(t)
    ours = s.home.folder / "home" / "open-in-the-server"
    ours.write_text("x")
    with open(ours, "rb") as held:
        os.set_inheritable(held.fileno(), True)
        for trial in t:
            with trial:
                pid = launch(s, "fdapp", pass_fds=[held.fileno()])
                server = {os.readlink(p) for p in links(s.client.process.pid)}
                t.proof(str(ours) in server, "the server holds the file")
                child = {p.name: os.readlink(p) for p in links(pid)}
                assert str(ours) not in child.values(), f"inherited {ours}"
                mine = {v for v in child.values() if v.startswith(("pipe:", "anon_inode:", "socket:"))}
                # Its own connection to the X server is the only one that it may share with nobody.
                assert not mine & server, f"shared with the server: {mine & server}"
                assert child.get("0") == "/dev/null", f"standard input is {child.get('0')}"
                s.close_apps("fdapp")
    click_twin(s, t)


def links(pid):
    return [p for p in pathlib.Path(f"/proc/{pid}/fd").iterdir() if p.is_symlink()]
