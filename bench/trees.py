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


def apps(desktop, folder):
    for name in ("panel_gtk3", "panel_gtk4", "panel_qt5"):
        yield name, [str(folder / name), "--log", f"{desktop.folder.name}/{name}.log"]
    if shutil.which("chromium"):
        yield "chromium", ["chromium", "--no-sandbox", "--force-renderer-accessibility", "--no-first-run",
                           f"--user-data-dir={desktop.folder.name}/chromium", page(desktop)]


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
    """The others, by their commands."""
    yield "pyatspi", ["/usr/bin/python3", str(HERE / "pyatspi_reader.py"), pid, "1"]
    yield "libatspi", [str(folder / "bench_libatspi"), pid, "1"]
    # It takes minutes for a page.
    if first:
        yield "dogtail", ["/usr/bin/python3", str(HERE / "dogtail_reader.py"), pid]


def measure(results, desktop, folder, rounds):
    start_bus(desktop)
    tool = str(folder / "bench_trees")
    for name, command in apps(desktop, folder):
        app = desktop.start(command, stdin=-1)
        last = None
        until = time.monotonic() + 20
        # Until it shows the same twice.
        while time.monotonic() < until:
            now = [line["nodes"] for line in lines(desktop, [tool, str(app.pid), "1"])]
            if now and now == last and now[0] > 0:
                break
            last = now
        group = f"tree {name}"
        for number in range(rounds):
            for line in lines(desktop, [tool, str(app.pid), "1"]):
                for what, value in line.items():
                    results.add(group, f"handrail {what}", value)
            for peer, peer_command in peers(folder, str(app.pid), number == 0):
                for line in lines(desktop, peer_command):
                    results.add(group, f"{peer} whole", line["whole"])
                    results.add(group, f"{peer} nodes", line["nodes"])
        desktop.stop(app)
