"""What tests of the one tool `computer_use` share: calling it, and what of the desktop is the person's."""

TOOL = "computer_use"


class OneTool:
    """For test cases that have `desk`, and `client` on the universal surface."""

    def call(self, action, **arguments):
        return self.client.call(TOOL, {"action": action, **arguments})

    def use(self, action, **arguments):
        return self.client.do(TOOL, {"action": action, **arguments})

    def refused(self, action, **arguments):
        reply = self.call(action, **arguments)
        self.assertTrue(reply.is_error, f"{action} {arguments}: {reply}")
        return reply.structured["error"]

    def person_state(self):
        """Focus, pointer and windows in their order: what an act in the background leaves alone."""
        state = self.desk.state()
        return {"focus": state["focus"], "active": state["active"], "pointer": state["pointer"],
                "windows": [window["id"] for window in state["windows"]]}
