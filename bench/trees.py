"""Accessibility trees of real apps, beside pyatspi, libatspi and dogtail, in one run."""
import json
import pathlib
import shutil
import subprocess
import time

from scene import read_line

HERE = pathlib.Path(__file__).parent
MOST_SECONDS = 150  # that a peer may take for one tree


def page(desktop):
    path = pathlib.Path(desktop.folder.name) / "page.html"
    rows = "".join(f"<p>Paragraph {i} <a href='#{i}'>link {i}</a> <button>Button {i}</button></p>" for i in range(1200))
    path.write_text(f"<title>Long page</title>{rows}")
    return str(path)


def chromium(desktop, profile):
    return ["chromium", "--no-sandbox", "--force-renderer-accessibility", "--no-first-run",
            f"--user-data-dir={desktop.folder.name}/{profile}", page(desktop)]


def firefox(desktop, profile):
    folder = pathlib.Path(desktop.folder.name) / f"firefox-{profile}"
    folder.mkdir(exist_ok=True)
    return ["firefox-esr", "--no-remote", "--profile", str(folder), page(desktop)]


# Rows that the panels are given on top of their own.
MORE = {"panel_qt5 of 300": 288, "panel_gtk3 of 300": 288}
# Nobody listens before its page is there: the bridge of an app gathers its objects when somebody first does.
LATE = ("chromium met late", "firefox met late")
TREES = ("panel_gtk3", "panel_gtk4", "panel_qt5", *MORE, "mousepad", "chromium", LATE[0], "firefox", LATE[1],
         "libreoffice")


def apps(desktop, folder):
    """(name, command) of what is installed."""
    for name in ("panel_gtk3", "panel_gtk4", "panel_qt5", *MORE):
        program = name.split(" ", maxsplit=1)[0]
        yield name, [str(folder / program), "--log", f"{desktop.folder.name}/{program}.log"]
    home = desktop.folder.name
    others = {
        "mousepad": ("mousepad", ["mousepad", "--disable-server"]),
        "chromium": ("chromium", chromium(desktop, "chromium")),
        LATE[0]: ("chromium", chromium(desktop, "late")),
        "firefox": ("firefox-esr", firefox(desktop, "early")),
        LATE[1]: ("firefox-esr", firefox(desktop, "late")),
        "libreoffice": ("soffice", ["soffice", "--calc", "--norestore", "--nologo",
                                    f"-env:UserInstallation=file://{home}/office"]),
    }
    for name, (program, command) in others.items():
        if shutil.which(program):
            yield name, command


def start_bus(desktop):
    bus = desktop.start(["dbus-daemon", "--session", "--nofork", "--print-address=1"], stdout=-1)
    desktop.env.update(DBUS_SESSION_BUS_ADDRESS=read_line(bus.stdout).strip(), NO_AT_BRIDGE="0",
                       QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1", GSETTINGS_BACKEND="memory")
    desktop.start(["/usr/libexec/at-spi-bus-launcher", "--launch-immediately"])
    enabled = ["gdbus", "call", "--session", "--dest", "org.a11y.Bus", "--object-path", "/org/a11y/bus", "--method",
               "org.freedesktop.DBus.Properties.Set", "org.a11y.Status", "IsEnabled", "<true>"]
    desktop.wait_for(lambda: subprocess.run(enabled, env=desktop.env, capture_output=True, check=False).returncode == 0,
                     "accessibility")


def lines(desktop, command):
    try:
        run = subprocess.run(command, env=desktop.env, capture_output=True, text=True, check=False,
                             timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        return []
    return [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]


def peers(folder, pid, first):
    """The others, by their commands. They read twice, as ours does; the second time counts."""
    yield "pyatspi", ["/usr/bin/python3", str(HERE / "pyatspi_reader.py"), pid, "2"]
    yield "libatspi", [str(folder / "bench_libatspi"), pid, "2"]
    # It takes minutes for a page.
    if first:
        yield "dogtail", ["/usr/bin/python3", str(HERE / "dogtail_reader.py"), pid]


def process_of(desktop, title):
    """The process that has a window of this name; None when there is none yet."""
    return next(iter(desktop.ask("xdotool", "search", "--name", title, "getwindowpid").split()), None)


def begin(desktop, name, command, tool):
    """Starts an app; (what to stop, the process whose tree it is)."""
    app = desktop.start(command, stdin=-1)
    pid = str(app.pid)
    for number in range(MORE.get(name, 0)):
        app.stdin.write(f"add Row {number}\n".encode())
    if name in LATE:
        desktop.wait_for(lambda: process_of(desktop, "Long page"), name)
        desktop.settle()
        return app, pid
    if name == "libreoffice":
        desktop.wait_for(lambda: process_of(desktop, "Calc"), name)
        pid = process_of(desktop, "Calc")
    last = None
    until = time.monotonic() + 20
    # Until it shows the same twice.
    while time.monotonic() < until:
        now = [line["nodes"] for line in lines(desktop, [tool, pid, "1"])]
        if now and now == last and now[0] > 0:
            break
        last = now
    return app, pid


def measure(results, desktop, folder, rounds):
    start_bus(desktop)
    tool = str(folder / "bench_trees")
    for name, command in apps(desktop, folder):
        app, pid = begin(desktop, name, command, tool)
        group = f"tree {name}"
        for number in range(rounds):
            for line in lines(desktop, [tool, pid, "1"]):
                for what, value in line.items():
                    results.add(group, f"handrail {what}", value)
            for peer, peer_command in peers(folder, pid, number == 0 and not name.startswith(("firefox", "libreoffice"))):
                for line in lines(desktop, peer_command)[-1:]:
                    results.add(group, f"{peer} whole", line["whole"])
                    results.add(group, f"{peer} nodes", line["nodes"])
        desktop.stop(app)
