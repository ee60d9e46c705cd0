"""A desktop of a person's, with what an agent's work on it can leave behind, to be compared with itself before and
after."""
from security import server_support as sup
from security.harness import CALL_PATIENCE

AT = [350, 330]
# Away from where a window manager that draws the minimising moves frames along.
CLICKED = [1120, 640]
# Characters that no key of the layout makes are typed with keys that are lent meanwhile.
LENT = "".join(chr(0x2600 + i) + "x" for i in range(40))
PATH = [[250 + 13 * i % 300, 260 + 7 * i % 200] for i in range(60)]
HIDE = 'isolation = "hide"\nstale_pixels = false\nperson_pause_ms = 0\n'


class Scene:
    """A desktop with a person's windows and clipboards, an app that is granted in full and one to click at."""

    def __init__(self, s, closing):
        self.s = s
        s.end_server()
        self.clicker = s.app("actor_x11", "clicker")
        for path, title, geometry in ((s.attacker_path, "private-1", "300x200+60+500"),
                                      (s.attacker_path, "private-2", "300x200+800+100"),
                                      (self.clicker, "clicker", "200x120+1020+580")):
            closing.enter_context(s.play(path, title=title, geometry=geometry))
            s.window_titled(title)
        s.default()
        s.end_server()
        self.person = closing.enter_context(s.play(s.attacker_path, title="private-3", geometry="250x150+500+80"))
        s.window_titled("private-3")
        s.focus(self.person)

    def serve(self, config=HIDE):
        s = self.s
        s.end_server()
        s.focus(self.person)
        self.clips = [sup.Clip(s, "CLIPBOARD"), sup.Clip(s, "PRIMARY")]
        s.hand.move(5, 795)
        s.serve("--grant", f"{s.actor_path}:full", "--grant", f"{self.clicker}:click", config=config)
        s.client.tools()
        self.before = sup.picture(s)
        s.client.do("screenshot", timeout=CALL_PATIENCE)
        return s.client

    def work(self):
        """Starts everything that leaves traces, one after the other. Returns the numbers of the calls."""
        calls = [("left_click", {"coordinate": AT}), ("type", {"text": LENT}), ("left_mouse_down", {}),
                 ("mouse_move", {"coordinate": [400, 380]}), ("left_mouse_up", {}),
                 ("left_click_drag", {"start_coordinate": AT, "coordinate": [500, 400], "path": PATH}),
                 ("left_click", {"coordinate": CLICKED}), ("screenshot", {}), ("left_click", {"coordinate": AT}),
                 ("hold_key", {"text": "shift", "duration": 0.2}), ("left_click", {"coordinate": CLICKED})]
        return [(self.s.client.start_call(tool, arguments), tool) for tool, arguments in calls]

    def back(self, what, clips=True):
        return sup.wait_picture(self.s, self.before, self.clips if clips else (), what)


def prove_picture(s, t, scene):
    """A key that is down, a hidden window, another clipboard and another keyboard map are noticed."""
    before = sup.picture(s)
    s.hand.down("a")
    t.proof(sup.picture(s)["pressed"] != before["pressed"], "a key that is down")
    s.hand.up("a")
    scene.person.tell("unmap")
    t.proof(sup.picture(s)["windows"] != before["windows"], "a window that is away")
    scene.person.tell("map")
    s.window_titled("private-3")
    clip = sup.Clip(s)
    t.proof(clip.is_whole(), "a clipboard")
    s.end(clip.process)
    t.proof(not clip.is_whole(), "an empty clipboard")
    s.focus(scene.person)
