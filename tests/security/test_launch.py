"""Launching: an app is a resolved entry, never a command line; what it starts with is clean."""
import json
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
    s.end_server()
    desktop = getattr(s.desk, "name", None) or s.desk.display
    for name, trial in t.over(names[::6] + ["--help", "-e", "/bin/sh; x", "/proc/self/exe", "/dev/null", "/etc"]):
        with trial:
            done = s.home.run("do", "--desktop", desktop, "open_app", "--params",
                              json.dumps({"app": "org.xfce.mousepad", "file": name}))
            assert done.returncode != 0, f"{name!r} was opened as a file: {done.stdout}"
            assert not marker.exists(), f"{name!r} ran a command"
    s.serve()
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


@row("F18", "a terminal that a file manager opens", few=1)
def terminal_of_a_file_manager(s, t):
    s.default()
    path = s.app("actor_x11", "thunar")
    with s.play(path, geometry="300x200+40+40", title="files") as files, s.xterm() as shell:
        s.window_titled("files")
        shell.prove(t, "proof")
        s.serve("--grant", f"{path}:full", "--grant", f"{s.actor_path}:full")
        s.call("screenshot")
        for tool, arguments in (("type", {"text": "touch f18\n"}), ("key", {"text": "Return"}),
                                ("left_click", {"coordinate": [650, 450]}), ("right_click", {"coordinate": [650, 450]}),
                                ("middle_click", {"coordinate": [650, 450]})):
            for trial in t:
                with trial:
                    s.refused(tool, arguments, "target_granted")
                    assert not (s.markers / "f18").exists(), "a command ran"
        with t.twin("a click in the file manager"):
            s.act("left_click", {"coordinate": [150, 150]})
            files.wait("activated")


@row("F20", "files and sources by the address bar of a browser, and files handed to it", few=1)
def addresses(s, t):
    s.default()
    path = s.app("actor_x11", "firefox")
    s.install("firefox", str(path) + " %U")
    page_file = s.folder / "page.html"
    page_file.write_text("<p>secret</p>")
    with s.play(path, geometry="300x200+700+80", title="page") as page:
        s.window_titled("page")
        s.focus(page)
        s.prove_key(t, page)
        s.call("request_access", {"apps": [{"app": "firefox", "tier": "full"}], "reason": "To read a page."})
        for text, trial in t.over(["file:///etc/passwd\n", "view-source:https://example.org\n", "chrome://settings\n",
                                   "about:config\n", "javascript:alert(1)\n"]):
            with trial:
                s.focus(page)
                s.refused("type", {"text": text}, "tier", "target_granted")
        before = {window["id"] for window in s.desk.state()["windows"]}
        s.end_server()
        for trial in t:
            with trial:
                done = s.home.run("do", "--desktop", getattr(s.desk, "name", None) or s.desk.display, "open_app", "--app",
                                  "firefox", "--file", page_file, "--json")
                gate = json.loads(done.stdout)["error"].get("gate")
                assert gate in ("tier", "target_granted"), f"a browser was given a file: {done.stdout}"
                assert {window["id"] for window in s.desk.state()["windows"]} == before, "a window came"
    s.serve()
    click_twin(s, t)


@row("F22", "an app that starts and never shows a window", few=1)
def hanging_launch(s, t):
    s.default()
    script = s.folder / "hanger"
    script.write_text("#!/bin/sh\necho $$ >> " + str(s.folder / "hanger.pids") + "\nexec /bin/sleep 300\n")
    script.chmod(0o755)
    s.install("hanger", str(script))
    pids = s.folder / "hanger.pids"

    def running():
        return [int(pid) for pid in pids.read_text().split()] if pids.exists() else []
    proof = s.spawn([str(script)])
    t.proof(wait_until(lambda: proof.pid in running()), "that it was started is seen")
    s.serve("--grant", f"{s.actor_path}:full", "--grant", "hanger:read")
    s.call("request_access", {"apps": [{"app": "hanger", "tier": "read"}], "reason": "To open it."})
    for trial in t:
        with trial:
            began = time.monotonic()
            reply = s.call("open_application", {"app": "hanger"})
            assert time.monotonic() - began < most_seconds(20), "the call hangs"
            assert reply.structured.get("effect") != "confirmed", "it claims a window that nobody saw"
            assert len(running()) > 1, f"it was not started: {reply.text}"
    for pid in running():
        subprocess.run(["kill", "-9", str(pid)], check=False)
    click_twin(s, t)
