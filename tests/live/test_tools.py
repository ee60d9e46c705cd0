"""Each of the classic tools on an embedded desktop with two screens, seen by apps and programs outside Handrail."""
import os
import signal
import time
import unittest

from support import jpeg, png, xlib
from support.desk import APPS, FULL, Desk, EventLog, gone, most_seconds, wait_until

SHIFT, CONTROL = 1, 4
BLUE, ORANGE = (0x33, 0x66, 0xCC), (0xEE, 0x88, 0x11)
SECOND_SCREEN_X = 1280
MIXED = "Grüße, 東京 🎉"


def close_to(color, wanted, by=6):
    return all(abs(a - b) <= by for a, b in zip(color, wanted))


class Tools(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.desk = Desk("--screen", "1280x800", "--screen", "1024x768")
        cls.addClassCleanup(cls.desk.stop)
        cls.probe = cls.desk.open("probe_x11", "--motion", "--color", "3366cc", geometry="500x350+60+80")
        cls.far = cls.desk.open("probe_x11", "--color", "ee8811", geometry="300x200+1480+200")
        cls.editor = cls.desk.open("editor_gtk3", geometry="420x300+700+90").wait_focus()
        cls.client = cls.desk.mcp()

    def setUp(self):
        self.client.do("switch_display", {"display": 0})
        self.client.do("screenshot")
        self.before = self.desk.idle_state()
        self.x, self.y, self.width, self.height = self.probe.content()
        xlib.put_pointer(self.desk, 5, 795)
        self.client.do("cursor_position")
        self.settle()

    def tearDown(self):
        self.assertEqual(self.desk.idle_state(), self.before, "keys, buttons and keyboard are as they were")

    def settle(self):
        """Everything that the probe got so far is in its log, and of no interest any more."""
        self.probe.forget()

    def inside(self, dx, dy):
        return [self.x + dx, self.y + dy]

    def click_editor(self):
        x, y, _, _ = self.editor.content()
        self.client.do("left_click", {"coordinate": [x + 30, y + 150]})
        self.editor.wait_focus()

    def clear_editor(self):
        self.click_editor()
        self.client.do("key", {"text": "ctrl+a"})
        self.client.do("key", {"text": "Delete"})
        self.editor.log.wait(lambda _: self.editor.log.text() == "", what="an empty editor")
        self.editor.log.forget()

    def test_every_tool_has_a_row(self):
        rows = {name.removeprefix("test_tool_") for name in dir(self) if name.startswith("test_tool_")}
        self.assertEqual(rows, set(self.client.tools()))
        self.assertEqual(len(rows), 24)

    # Clicks

    def check_clicks(self, tool, button, count):
        at = self.inside(41, 52)
        reply = self.client.do(tool, {"coordinate": at})
        self.assertIn(reply.effect, ("confirmed", "unverified"))
        self.check_presses(button, count, at, 0)
        self.settle()
        at = self.inside(self.width - 1, self.height - 1)
        self.client.do(tool, {"coordinate": at, "text": "ctrl+shift"})
        self.check_presses(button, count, at, SHIFT | CONTROL)

    def check_presses(self, button, count, at, state):
        self.probe.log.wait_count("release", count)
        seen = self.probe.log.events("press", "release")
        self.assertEqual([e["event"] for e in seen], ["press", "release"] * count)
        for event in seen:
            self.assertEqual((event["button"], [event["root_x"], event["root_y"]]), (button, at))
            self.assertEqual(event["state"] & 0xFF, state)
            self.assertFalse(event["sent"], "a real event, not one that a client made up")
        self.assertLess(seen[-1]["t"] - seen[0]["t"], most_seconds(0.4 * count) * 1000)

    def test_tool_left_click(self):
        self.check_clicks("left_click", 1, 1)

    def test_tool_double_click(self):
        self.check_clicks("double_click", 1, 2)

    def test_tool_triple_click(self):
        self.check_clicks("triple_click", 1, 3)

    def test_tool_right_click(self):
        self.check_clicks("right_click", 3, 1)

    def test_tool_middle_click(self):
        self.check_clicks("middle_click", 2, 1)

    def test_tool_left_click_drag(self):
        start, corner, end = self.inside(20, 20), self.inside(300, 40), self.inside(310, 290)
        self.client.do("left_click_drag", {"start_coordinate": start, "path": [corner], "coordinate": end})
        self.probe.log.wait_count("release", 1)
        seen = self.probe.log.events("press", "release", "motion")
        places = [[e["root_x"], e["root_y"]] for e in seen]
        kinds = [e["event"] for e in seen]
        press, release = kinds.index("press"), kinds.index("release")
        self.assertEqual((places[press], places[release]), (start, end))
        self.assertIn(corner, places[press:release])
        self.assertEqual(kinds.count("press"), 1)
        held = seen[press + 1:release]
        self.assertGreater(len(held), 5, "apps need motion on the way to see a drag")
        self.assertTrue(all(e["state"] & 256 for e in held), "the button is down all the way")
        self.settle()
        self.client.do("mouse_move", {"coordinate": start})
        self.client.do("left_click_drag", {"coordinate": end, "text": "shift"})
        self.probe.log.wait_count("release", 1)
        press, release = self.probe.log.events("press")[0], self.probe.log.events("release")[0]
        self.assertEqual([press["root_x"], press["root_y"]], start, "a drag without a start begins at the pointer")
        self.assertEqual([release["root_x"], release["root_y"]], end)
        self.assertEqual(press["state"] & 0xFF, SHIFT)

    # Moving

    def test_tool_mouse_move(self):
        for at in (self.inside(7, 9), self.inside(400, 300), self.inside(0, 0),
                   self.inside(self.width - 1, self.height - 1)):
            reply = self.client.do("mouse_move", {"coordinate": at})
            pointer = self.desk.state()["pointer"]
            self.assertEqual([pointer["x"], pointer["y"]], at)
            self.assertEqual(reply.structured["at"], at)
        self.probe.log.wait(lambda events: any(e["event"] == "motion" for e in events))
        self.assertEqual(self.probe.received("press", "release"), [])

    def test_tool_cursor_position(self):
        for at in ([17, 23], [1279, 0], [640, 799]):
            xlib.put_pointer(self.desk, *at)
            reply = self.client.do("cursor_position")
            self.assertEqual(reply.structured["at"], at)
            self.assertEqual(reply.structured["display"], 0)

    def test_tool_scroll(self):
        buttons = {"up": 4, "down": 5, "left": 6, "right": 7}
        for direction, button in buttons.items():
            for amount in (1, 7):
                self.settle()
                at = self.inside(100 + amount, 120)
                self.client.do("scroll", {"coordinate": at, "scroll_direction": direction, "scroll_amount": amount})
                seen = self.probe.log.wait_count("release", amount)
                self.assertEqual(len(self.probe.log.events("press")), amount)
                self.assertTrue(all(e["button"] == button and [e["root_x"], e["root_y"]] == at for e in seen), seen)
        self.settle()
        self.client.do("scroll", {"coordinate": at, "scroll_direction": "up", "scroll_amount": 2, "text": "ctrl"})
        self.probe.log.wait_count("release", 2)
        self.assertTrue(all(e["state"] & 0xFF == CONTROL for e in self.probe.log.events("press")))

    # Low level

    def test_tool_left_mouse_down(self):
        at = self.inside(77, 33)
        self.client.do("mouse_move", {"coordinate": at})
        self.client.do("left_mouse_down")
        press = self.probe.log.wait_count("press", 1)[0]
        self.assertEqual((press["button"], [press["root_x"], press["root_y"]]), (1, at))
        self.assertEqual(self.desk.state()["pointer"]["buttons"], 1)
        self.client.do("mouse_move", {"coordinate": self.inside(90, 60)})
        self.assertEqual(self.desk.state()["pointer"]["buttons"], 1, "it stays down while the pointer moves")
        self.client.do("left_mouse_up")

    def test_tool_left_mouse_up(self):
        self.client.do("mouse_move", {"coordinate": self.inside(77, 33)})
        self.client.do("left_mouse_down")
        self.client.do("mouse_move", {"coordinate": self.inside(177, 133)})
        self.client.do("left_mouse_up")
        release = self.probe.log.wait_count("release", 1)[0]
        self.assertEqual([release["root_x"], release["root_y"]], self.inside(177, 133))
        self.assertEqual(self.desk.state()["pointer"]["buttons"], 0)

    # Keyboard

    def test_tool_type(self):
        self.clear_editor()
        self.client.do("type", {"text": MIXED + "\nsecond line\t!"})
        wanted = MIXED + "\nsecond line\t!"
        self.editor.log.wait(lambda _: self.editor.log.text() == wanted, what=repr(wanted))

    def test_tool_key(self):
        self.clear_editor()
        self.client.do("type", {"text": "abc"})
        for name, text in (("Left", "abc"), ("BackSpace", "ac"), ("End", "ac"), ("x", "acx"), ("Enter", "acx\n"),
                           ("shift+a", "acx\nA"), ("minus", "acx\nA-"), ("+", "acx\nA-+")):
            self.client.do("key", {"text": name})
            self.editor.log.wait(lambda _, text=text: self.editor.log.text() == text, what=f"{name}: {text!r}")
        self.client.do("key", {"text": "BackSpace", "repeat": 4})
        self.editor.log.wait(lambda _: self.editor.log.text() == "acx", what="four characters less")
        self.editor.log.forget()
        self.client.do("key", {"text": "ctrl+shift+F5"})
        seen = self.editor.log.wait(lambda events: [e for e in events if e["event"] == "key" and e["keyval"] == 0xFFC2])
        self.assertEqual(seen[0]["state"] & 0xFF, SHIFT | CONTROL)

    def test_tool_hold_key(self):
        self.clear_editor()
        began = time.monotonic()
        self.client.do("hold_key", {"text": "ctrl+F7", "duration": 0.6})
        self.assertGreaterEqual(time.monotonic() - began, 0.6)
        f7 = 0xFFC4
        self.editor.log.wait(lambda events: any(e["event"] == "key_release" and e["keyval"] == f7 for e in events))
        # A slow app sees the first key late, and so for a shorter time.
        if FULL:
            down = [e["t"] for e in self.editor.log.events("key") if e["keyval"] == f7]
            up = [e["t"] for e in self.editor.log.events("key_release") if e["keyval"] == f7]
            held = (up[-1] - down[0]) / 1000
            self.assertGreaterEqual(held, 0.58)
            self.assertLess(held, 1.0)

    # Applications and displays

    def test_tool_open_application(self):
        self.client.do("request_access", {"apps": [{"app": "org.xfce.mousepad", "tier": "full"}], "reason": "To write."})
        reply = self.client.do("open_application", {"app": "org.xfce.mousepad"})
        self.assertEqual(reply.effect, "confirmed")
        window = reply.structured["window"]
        row = next(w for w in self.desk.state()["windows"] if w["id"] == window)
        self.assertEqual(row["class"].lower(), "mousepad")
        self.assertTrue(row["viewable"])
        again = self.client.do("open_application", {"app": "Mousepad"})
        self.assertTrue(again.structured["was_running"])
        os.kill(row["pid"], signal.SIGTERM)
        wait_until(lambda: gone(row["pid"]), what="the end of the app")
        missing = self.client.call("open_application", {"app": "no.such.app"})
        self.assertTrue(missing.is_error)
        self.assertEqual(missing.error["code"], "not_found")

    def test_tool_switch_display(self):
        self.client.do("switch_display", {"display": 1})
        stale = self.client.call("left_click", {"coordinate": self.inside(10, 10)})
        self.assertEqual(stale.error.get("code"), "target_stale", "coordinates of the other display are refused")
        shot = self.client.do("screenshot", {"format": "png"})
        picture = png.decode(shot.image)
        self.assertEqual((picture.width, picture.height), (1024, 768))
        x, y, width, height = self.far.content()
        self.assertEqual(picture.pixel(x - SECOND_SCREEN_X + width // 2, y + height // 2), ORANGE)
        self.far.forget()
        self.client.do("left_click", {"coordinate": [x - SECOND_SCREEN_X + 3, y + 4]})
        press = self.far.log.wait_count("press", 1)[0]
        self.assertEqual((press["root_x"], press["root_y"]), (x + 3, y + 4))
        self.assertEqual(self.client.call("switch_display", {"display": 2}).error["code"], "argument_invalid")

    # Clipboard

    def test_tool_read_clipboard(self):
        log = EventLog(self.desk.home.folder / "logs" / "clip.jsonl")
        content = self.desk.home.folder / "logs" / "clip.txt"
        content.write_text(MIXED * 500)
        pid = self.desk.launch([str(APPS / "clip_x11"), "own", "--log", str(log.path), f"UTF8_STRING=@{content}"])
        log.wait_count("owner", 1)
        self.assertEqual(self.client.do("read_clipboard").structured["text"], MIXED * 500)
        os.kill(pid, signal.SIGTERM)
        wait_until(lambda: gone(pid))
        self.assertTrue(self.client.do("read_clipboard").structured["empty"])

    def test_tool_write_clipboard(self):
        for text in ("x" * 100_000 + MIXED, MIXED):
            self.client.do("write_clipboard", {"text": text})
            self.assertEqual(self.desk.oracle("clip_x11", "read", "UTF8_STRING"), text)
        self.assertIn("UTF8_STRING", self.desk.oracle("clip_x11", "targets").split("\n"))
        self.assertEqual(self.client.do("read_clipboard").structured["text"], MIXED, "our own is read back as well")

    # Looking

    def test_tool_screenshot(self):
        shot = self.client.do("screenshot", {"format": "png"})
        picture = png.decode(shot.image)
        self.assertEqual(shot.images[0]["mimeType"], "image/png")
        self.assertEqual((picture.width, picture.height), (1280, 800))
        right, low = self.width - 1, self.height - 1
        for dx, dy in ((0, 0), (right, 0), (0, low), (right, low), (right // 2, low // 2)):
            self.assertEqual(picture.pixel(self.x + dx, self.y + dy), BLUE, (dx, dy))
        for x, y in ((self.x - 8, self.y + 100), (self.x + right + 8, self.y + 100), (self.x + 100, self.y + low + 12)):
            self.assertNotEqual(picture.pixel(x, y), BLUE, "beside the window is not the window")
        common = self.client.do("screenshot")
        self.assertEqual(common.images[0]["mimeType"], "image/jpeg")
        picture = jpeg.decode(common.image)
        self.assertTrue(close_to(picture.pixel(self.x + 200, self.y + 200), BLUE))
        self.assertEqual([picture.width, picture.height], [common.structured["width"], common.structured["height"]])
        self.assertEqual(common.structured["bytes"], len(common.image))
        self.assertFalse(any(len(c.get("text", "")) > 2000 for c in common.result["content"]), "no picture in text")

    def test_tool_zoom(self):
        corner = self.inside(-100, -50)
        region = [corner[0] + 50, corner[1], corner[0] + 150, corner[1] + 100]
        zoomed = self.client.do("zoom", {"region": region})
        picture = jpeg.decode(zoomed.image)
        scale = picture.width / 100
        self.assertGreaterEqual(scale, 1)
        self.assertTrue(close_to(picture.pixel(75 * scale, 75 * scale), BLUE), picture.pixel(75 * scale, 75 * scale))
        self.assertFalse(close_to(picture.pixel(25 * scale, 75 * scale), BLUE))
        # The basis stays that of the full screenshot.
        self.settle()
        self.client.do("left_click", {"coordinate": self.inside(11, 12)})
        press = self.probe.log.wait_count("press", 1)[0]
        self.assertEqual([press["root_x"], press["root_y"]], self.inside(11, 12))

    # Flow

    def test_tool_wait(self):
        began = time.monotonic()
        reply = self.client.do("wait", {"duration": 0.4})
        took = time.monotonic() - began
        self.assertGreaterEqual(took, 0.4)
        self.assertLess(took, most_seconds(1.2))
        self.assertGreaterEqual(reply.structured["waited"], 0.4)

    def test_tool_computer_batch(self):
        self.clear_editor()
        x, y, _, _ = self.editor.content()
        reply = self.client.do("computer_batch", {"actions": [
            {"action": "left_click", "coordinate": self.inside(9, 9)},
            {"action": "right_click", "coordinate": self.inside(19, 9)},
            {"action": "left_click", "coordinate": [x + 30, y + 150]},
            {"action": "wait", "duration": 0.2},
            {"action": "type", "text": "one "},
            {"action": "key", "text": "T"},
            {"action": "screenshot"}]})
        self.assertEqual(reply.structured["done"], 7)
        self.assertEqual([s["action"] for s in reply.structured["steps"]],
                         ["left_click", "right_click", "left_click", "wait", "type", "key", "screenshot"])
        self.assertEqual(len(reply.images), 1)
        self.editor.log.wait(lambda _: self.editor.log.text() == "one T")
        self.assertEqual([e["button"] for e in self.probe.log.wait_count("press", 2)], [1, 3])
        self.check_batch_stops()
        self.check_invalid_batch_does_nothing()

    def check_batch_stops(self):
        self.settle()
        reply = self.client.call("computer_batch", {"actions": [
            {"action": "left_click", "coordinate": self.inside(5, 5)},
            {"action": "open_application", "app": "no.such.app"},
            {"action": "middle_click", "coordinate": self.inside(5, 5)},
            {"action": "type", "text": "never"}]})
        self.assertTrue(reply.is_error)
        self.assertEqual((reply.structured["done"], reply.structured["skipped"]), (1, 2))
        self.assertEqual(reply.effect, "partial")
        self.fence()
        self.assertEqual([e["button"] for e in self.probe.log.events("press")], [1, 3])

    def check_invalid_batch_does_nothing(self):
        for bad in ({"action": "left_click", "coordinate": [1, "2"]}, {"action": "type"}, {"action": "no_tool"},
                    {"action": "computer_batch", "actions": []}, {"action": "key", "text": "no+such+key"},
                    {"action": "wait", "duration": 1, "coordinate": [1, 1]}, {}, 7):
            self.settle()
            reply = self.client.call("computer_batch", {"actions": [
                {"action": "left_click", "coordinate": self.inside(5, 5)}, bad]})
            self.assertTrue(reply.is_error, bad)
            self.assertEqual(reply.error["code"], "argument_invalid", bad)
            self.assertIn("actions[1]", reply.error["field"], bad)
            self.fence()
            self.assertEqual([e["button"] for e in self.probe.log.events("press")], [3], bad)

    def fence(self):
        """A click that the probe has seen: whatever was sent before it has been seen as well."""
        self.client.do("right_click", {"coordinate": self.inside(31, 31)})
        self.probe.log.wait(lambda events: any(e["event"] == "release" and e["button"] == 3 for e in events))

    # Permission

    def test_tool_request_access(self):
        reply = self.client.do("request_access", {
            "apps": [{"app": "org.xfce.mousepad", "tier": "full"}], "reason": "To write a note.",
            "clipboard_read": True})
        self.assertEqual([(g["app"], g["tier"], g["source"]) for g in reply.structured["granted"]
                          if g["app"] == "org.xfce.mousepad"], [("org.xfce.mousepad", "full", "policy")])
        self.assertTrue(reply.structured["clipboard_read"])

    def test_tool_list_granted_applications(self):
        self.client.do("request_access", {"apps": [{"app": "galculator", "tier": "click"}], "reason": "To add."})
        listed = self.client.do("list_granted_applications").structured["granted"]
        self.assertIn({"app": "galculator", "tier": "click", "source": "policy", "persist": "session"}, listed)


if __name__ == "__main__":
    unittest.main()
