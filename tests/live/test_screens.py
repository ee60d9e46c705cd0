"""Where clicks land on two screens of different size, in every unit, and what a covered window's picture shows."""
import pathlib
import random
import unittest

from support import png
from support.desk import Desk, trials

SCREENS = [(0, 0, 1280, 800), (1280, 0, 1024, 768)]
UNITS = {"pixels": None, "normalized_0_100": 100, "normalized_0_1000": 1000}
GREEN, RED = (0x22, 0xAA, 0x44), (0xCC, 0x22, 0x22)


class TwoScreens(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.desk = Desk("--screen", "1280x800", "--screen", "1024x768")
        cls.addClassCleanup(cls.desk.stop)
        # One window over everything, without a window manager in between: it sees every point of both screens.
        cls.probe = cls.desk.open("probe_x11", "--override-redirect", geometry="2304x800+0+0")

    def points(self, display):
        x, y, width, height = SCREENS[display]
        pick = random.Random(display)
        fixed = [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1), (width // 2, height // 2)]
        return fixed + [(pick.randrange(width), pick.randrange(height)) for _ in range(trials(15, 500))]

    def click_error(self, client, display, wanted, unit):
        """How far from the wanted pixel of a display the click was seen, in pixels along the worse axis."""
        x, y, width, height = SCREENS[display]
        whole = UNITS[unit]
        if whole is None:
            coordinate = list(wanted)
        else:
            # The middle of the pixel, in parts of the picture.
            coordinate = [round((wanted[0] + 0.5) / width * whole, 4), round((wanted[1] + 0.5) / height * whole, 4)]
        self.probe.forget()
        client.do("left_click", {"coordinate": coordinate})
        press = self.probe.log.wait_count("press", 1)[0]
        self.probe.log.wait_count("release", 1)
        return max(abs(press["root_x"] - x - wanted[0]), abs(press["root_y"] - y - wanted[1]))

    def test_clicks_land_within_one_pixel(self):
        for unit in UNITS:
            with self.desk.mcp("--coordinates", unit) as client:
                for display in range(2):
                    client.do("switch_display", {"display": display})
                    shot = client.do("screenshot")
                    self.assertEqual(shot.structured["area"], list(SCREENS[display]))
                    errors = [self.click_error(client, display, p, unit) for p in self.points(display)]
                    print(f"{unit} display {display}: n={len(errors)}, largest error {max(errors)} px")
                    self.assertLessEqual(max(errors), 1)

    def test_points_outside_are_refused(self):
        with self.desk.mcp() as client:
            client.do("switch_display", {"display": 1})
            client.do("screenshot")
            for point in ([1024, 10], [10, 768], [-1, 5], [5, -1], [1e9, 1e9]):
                reply = client.call("left_click", {"coordinate": point})
                self.assertTrue(reply.is_error, point)
                self.assertIn("coordinate", reply.error.get("field", ""))

    def test_pointer_position_on_both(self):
        with self.desk.mcp() as client:
            for display, (x, y, width, height) in enumerate(SCREENS):
                client.do("switch_display", {"display": display})
                client.do("screenshot")
                client.do("mouse_move", {"coordinate": [width - 1, height - 1]})
                pointer = self.desk.state()["pointer"]
                self.assertEqual((pointer["x"], pointer["y"]), (x + width - 1, y + height - 1))
                where = client.do("cursor_position").structured
                self.assertEqual((where["at"], where["display"]), ([width - 1, height - 1], display))


class LargeScreen(unittest.TestCase):
    """A picture that is smaller than its screen: coordinates are those of the picture."""

    def test_scaled_coordinates(self):
        with Desk("--size", "2560x1600") as desk, desk.mcp() as client:
            probe = desk.open("probe_x11", "--override-redirect", geometry="2560x1600+0+0")
            shot = client.do("screenshot").structured
            self.assertLess(shot["width"], 2560)
            scale = 2560 / shot["width"], 1600 / shot["height"]
            pick = random.Random(3)
            for _ in range(trials(10, 200)):
                at = [pick.randrange(shot["width"]), pick.randrange(shot["height"])]
                probe.forget()
                client.do("left_click", {"coordinate": at})
                press = probe.log.wait_count("press", 1)[0]
                for seen, wanted, factor in zip((press["root_x"], press["root_y"]), at, scale):
                    # Inside the block of pixels that this pixel of the picture stands for.
                    self.assertGreaterEqual(seen, wanted * factor - 1)
                    self.assertLessEqual(seen, (wanted + 1) * factor + 1)


class CoveredWindow(unittest.TestCase):
    def picture(self, desk, *words):
        path = pathlib.Path(desk.home.folder / "shot.png")
        done = desk.home.run("do", "--desktop", desk.name, "screenshot", "--format", "png", "--save", path, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return png.decode(path.read_bytes())

    def test_shows_the_window_and_not_its_cover(self):
        with Desk() as desk:
            below = desk.open("probe_x11", "--color", "22aa44", geometry="300x200+200+200")
            cover = desk.open("probe_x11", "--color", "cc2222", geometry="500x400+100+100")
            x, y, width, height = below.content()
            screen = self.picture(desk)
            self.assertEqual(screen.pixel(x + width // 2, y + height // 2), RED, "the cover is on top")
            alone = self.picture(desk, "--window", below.window)
            colors = {alone.pixel(alone.width // 2, alone.height // 2),
                      alone.pixel(alone.width // 2 - 100, alone.height // 2)}
            self.assertEqual(colors, {GREEN})
            self.assertFalse(any(alone.pixel(px, py) == RED for px in range(0, alone.width, 7)
                                 for py in range(0, alone.height, 7)))
            self.assertGreaterEqual((alone.width, alone.height), (width, height))
            order = [w["id"] for w in desk.state()["windows"]]
            self.assertLess(order.index(below.window), order.index(cover.window), "looking raises nothing")


if __name__ == "__main__":
    unittest.main()
