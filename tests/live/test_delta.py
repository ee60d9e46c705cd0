"""A capture that tells only what changed since the last one. The oracle is what the panel was told to do."""
import unittest

from support.desk import APPS, Desk, wait_until

TOOLKITS = [name for name in ("gtk3", "gtk4", "qt5") if (APPS / f"panel_{name}").exists()]


class Delta(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.desk = Desk("--size", "1280x800")
        cls.addClassCleanup(cls.desk.stop)
        cls.client = cls.desk.mcp(surface="universal")

    def capture(self, app, **arguments):
        return self.client.do("computer_use", {"action": "capture", "window_id": app.window, "mode": "ax",
                                               **arguments}).structured

    def is_up(self, app):
        """The window manager may come to a window after its app says that it is there."""
        reply = self.client.call("computer_use", {"action": "capture", "window_id": app.window, "mode": "ax"})
        return not reply.is_error and len(reply.structured["elements"]) > 12

    def test_new_changed_and_gone(self):
        for toolkit in TOOLKITS:
            with self.subTest(toolkit):
                app = self.desk.open(f"panel_{toolkit}", geometry="400x700+20+40", title=f"delta {toolkit}",
                                     takes_orders=True)
                self.addCleanup(app.stop)
                wait_until(lambda: self.is_up(app), what="the elements")
                first = self.capture(app)
                number = {row["name"]: row["n"] for row in first["elements"]}

                app.order("name 0 Another")
                app.order("remove 3")
                app.order("add Newcomer")
                # An app takes its time: what came since is collected over all captures.
                came, changed, gone, look = {}, {}, set(), first["look"]

                def all_told():
                    nonlocal look
                    told = self.capture(app, since=look)
                    self.assertEqual(told["since"], look)
                    look = told["look"]
                    for row in told["elements"]:
                        (changed if row["n"] in number.values() else came)[row["name"]] = row["n"]
                    gone.update(told["gone"])
                    return "Newcomer" in came and "Another" in changed and number["Button 3"] in gone
                wait_until(all_told, what="what changed")
                self.assertEqual(changed["Another"], number["Button 0"])
                self.assertGreater(came["Newcomer"], max(number.values()))
                # What was not told is still there by its number.
                self.client.do("computer_use", {"action": "click", "element": number["Button 5"]})

                again = self.capture(app, since=first["look"])
                self.assertNotIn("since", again)
                self.assertGreater(len(again["elements"]), 12)


if __name__ == "__main__":
    unittest.main()
