"""Finding and pressing elements through the server, marks on a picture, and the wait for a quiet screen; pyatspi and
dogtail find and press the same button in the same run. The app's own log says when it was pressed."""
import json
import pathlib
import time

from inputs import place
from mcp import handrail
from scene import read_line
from trees import start_bus

HERE = pathlib.Path(__file__).parent
# What is pressed in turn, since an app shows nothing new when a button is pressed again. A button of Qt shows itself
# pressed for 100 ms before it acts, its check box acts at once; one of GTK 4 does after 250 ms whatever it is.
BUTTONS = ("push button", ("Button 2", "Button 3", "Button 4"))
APPS = {"widgets_gtk3": BUTTONS, "widgets_gtk4": BUTTONS, "widgets_qt5": ("check box", ("Check",))}
PEERS = ("pyatspi", "dogtail")


class App:
    """One of the fixtures, and what it says was done to it."""

    def __init__(self, desktop, folder, name):
        self.desktop = desktop
        self.role, self.names = APPS[name]
        self.log = pathlib.Path(desktop.folder.name) / f"{name}.log"
        self.process = desktop.start([str(folder / name), "--title", name, "--geometry", "1600x960+40+40", "--log",
                                      str(self.log)], stdin=-1)
        desktop.wait_for(lambda: any(event["event"] == "ready" for event in self.events()), name)
        self.window = int(place(desktop, name)[0])

    def events(self):
        whole = self.log.read_text().rpartition("\n")[0] if self.log.exists() else ""
        return [json.loads(line) for line in whole.splitlines()]

    def pressed_after(self, at_ms):
        """When it was first pressed after that; None when it was not."""
        return next((event["t"] for event in self.events()
                     if event["event"] == "did" and event["what"] in ("press", "check") and event["t"] >= at_ms), None)

    def reaction(self, at_ms):
        self.desktop.wait_for(lambda: self.pressed_after(at_ms) is not None, "the press")
        return self.pressed_after(at_ms) - at_ms


def use(client, action, **arguments):
    """(milliseconds, what the one tool says as structure)."""
    took, result = client.tool("computer_use", action=action, **arguments)
    return took, result["structuredContent"]


def number_of(client, app, name):
    rows = use(client, "capture", window_id=app.window, mode="ax")[1]["elements"]
    return next(row["n"] for row in rows if row.get("name") == name)


def act(results, group, client, app):
    """A round of ours: find, press, press and see what came of it, a picture with marks and one without."""
    expected = [{"is": "element", "name": app.names[0], "role": app.role}]
    results.add(group, "handrail find", use(client, "verify_state", expect=expected)[0])
    wall, _ = use(client, "click", element=number_of(client, app, app.names[0]))
    results.add(group, "handrail press", app.reaction(client.sent_at_ms))
    results.add(group, "handrail press wall", wall)
    wall, reply = use(client, "click", element=number_of(client, app, app.names[-1]), capture_after=True)
    results.add(group, "handrail press and picture wall", wall)
    for what in ("first_change_ms", "settled_ms"):
        results.add(group, f"handrail {what}", reply["settled"][what])
    plain, _ = use(client, "capture", window_id=app.window, mode="vision")
    marked, _ = use(client, "capture", window_id=app.window, mode="som")
    results.add(group, "handrail picture", plain)
    results.add(group, "handrail marks", marked - plain)


def act_by_peer(results, group, app, peer, rounds):
    process = app.desktop.start(["/usr/bin/python3", str(HERE / "peer_acts.py"), peer, str(app.process.pid), app.role,
                                 *app.names], stdin=-1, stdout=-1)
    for _ in range(rounds):
        process.stdin.write(b"go\n")
        line = json.loads(read_line(process.stdout))
        results.add(group, f"{peer} find", line["find"])
        results.add(group, f"{peer} press", app.reaction(line["at_ms"]))
        results.add(group, f"{peer} press wall", line["press"])
    app.desktop.stop(process)


def measure(results, desktop, programs, rounds):
    start_bus(desktop)
    for name in APPS:
        app = App(desktop, programs.folder, name)
        group = f"elements {name}"
        with handrail(desktop, programs, str(programs.folder / name), surface="universal") as client:
            desktop.wait_for(lambda: use(client, "capture", window_id=app.window, mode="ax")[1]["elements"], "elements")
            # An app that was just met is read whole at each look.
            until = time.monotonic() + 3.5
            while time.monotonic() < until:
                use(client, "wait", seconds=0.5)
            # The first act of a turn takes the desktop.
            use(client, "click", element=number_of(client, app, app.names[0]))
            for _ in range(rounds):
                act(results, group, client, app)
        for peer in PEERS:
            # dogtail waits for a second after each press.
            act_by_peer(results, group, app, peer, rounds if peer == "pyatspi" else min(rounds, 5))
        desktop.stop(app.process)
