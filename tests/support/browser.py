"""Browsers on a desktop of the tests, and the page of widgets that they show. The page tells what was done to it to
the server that it came from, which is this process: the browser's accessibility tree has no part in that."""
import http.server
import json
import pathlib
import threading

from support.desk import PATIENCE, EventLog, wait_until

PAGE = pathlib.Path(__file__).resolve().parent.parent / "apps" / "widgets.html"


class PageServer:
    """Serves the page on a loopback port of its own and writes down what the page says."""

    def __init__(self, folder):
        self.log = EventLog(folder / "page.jsonl")
        self.log.path.parent.mkdir(parents=True, exist_ok=True)
        lock, path = threading.Lock(), self.log.path

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self, status, body=b"", kind="text/html; charset=utf-8"):
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                if self.path.partition("?")[0] == "/":
                    self.answer(200, PAGE.read_bytes())
                else:
                    self.answer(404)

            def do_POST(self):
                row = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with lock, open(path, "a", encoding="utf-8") as file:
                    file.write(json.dumps(row) + "\n")
                self.answer(204)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self):
        self._server.shutdown()
        self._server.server_close()


def chromium_words(folder, url, *words):
    """A browser with a profile of its own that asks for nothing and calls nobody."""
    return ["/usr/bin/chromium", "--no-sandbox", f"--user-data-dir={folder}", "--no-first-run", "--disable-gpu",
            "--no-default-browser-check", "--password-store=basic", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", *words, f"--app={url}"]


# Nothing but the page: no greeting, no question, no call home.
FIREFOX_SETTINGS = {
    "app.normandy.enabled": False, "browser.aboutwelcome.enabled": False, "browser.preonboarding.enabled": False,
    "browser.shell.checkDefaultBrowser": False, "browser.startup.page": 0, "browser.tabs.inTitlebar": 0,
    "datareporting.policy.dataSubmissionEnabled": False, "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False, "termsofuse.bypassNotification": True,
}


def firefox_words(folder, url):
    folder.mkdir(parents=True)
    (folder / "user.js").write_text("".join(f'user_pref("{name}", {json.dumps(value)});\n'
                                            for name, value in FIREFOX_SETTINGS.items()))
    return ["/usr/bin/firefox-esr", "--no-remote", "--profile", str(folder), "--width", "700", "--height", "700",
            "--new-window", url]


def window_titled(desk, title):
    """The row of the window of that title, as the window manager has it."""
    return wait_until(lambda: next((w for w in desk.state()["windows"] if title in w["title"]), None), PATIENCE * 2,
                      lambda: f"a window titled {title} among {desk.state()['windows']}")
