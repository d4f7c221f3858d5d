"""A headless Chromium, driven through chromedriver's WebDriver protocol with the standard library."""
import base64
import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request

KEYS = {"Home": "\ue011", "End": "\ue010", "Left": "\ue012", "Right": "\ue014", "Up": "\ue013",
        "Down": "\ue015", "PageUp": "\ue00e", "PageDown": "\ue00f", "Escape": "\ue00c"}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the protocol's name for a reference


def missing():
    """The sentence for a machine without the browser; None if it is there."""
    for program in ("chromium", "chromedriver"):
        if not shutil.which(program):
            return f"{program} is not installed (Debian packages chromium and chromium-driver)"
    return None


class Browser:
    def __init__(self, profile, width=1360, height=860):
        with socket.socket() as probe:
            probe.bind(("localhost", 0))
            port = probe.getsockname()[1]
        self.driver = subprocess.Popen(["chromedriver", f"--port={port}"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.base = f"http://localhost:{port}"
        self.wait_for_driver()
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--hide-scrollbars", f"--user-data-dir={profile}",
                     f"--window-size={width},{height}"]
        answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"args": arguments, "binary": shutil.which("chromium")},
            "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.base += f"/session/{answer['sessionId']}"

    def wait_for_driver(self):
        for _ in range(200):
            try:
                if self.call("GET", "/status")["ready"]:
                    return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.05)
        raise RuntimeError("chromedriver did not start")

    def call(self, method, path, body=None):
        data = None if method in ("GET", "DELETE") else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"},
                                         method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()) from None

    def close(self):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()

    def open(self, url):
        self.call("POST", "/url", {"url": url})
        self.until("return document.body.dataset.ready !== undefined")

    def resize(self, width, height):
        self.call("POST", "/window/rect", {"width": width, "height": height})

    def view(self, width, height):
        """The size of the page itself, whatever the browser puts around it."""
        self.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}})

    def run(self, script, *arguments):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_until_done(self, script, *arguments):
        """What `script` gives to the function that is its last argument."""
        return self.call("POST", "/execute/async", {"script": script, "args": list(arguments)})

    def until(self, script):
        for _ in range(600):
            if self.run(script):
                return
            time.sleep(0.05)
        raise AssertionError(f"never true: {script}")

    def find(self, selector):
        found = self.call("POST", "/element", {"using": "css selector", "value": selector})
        return found[ELEMENT]

    def text(self, selector):
        return self.call("GET", f"/element/{self.find(selector)}/text")

    def click(self, selector):
        self.call("POST", f"/element/{self.find(selector)}/click")

    def click_at(self, selector, x, y):
        """x and y from the top left corner of the element."""
        left, top = self.run("const r = document.querySelector(arguments[0])"
                             ".getBoundingClientRect(); return [r.left, r.top]", selector)
        self.call("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "x": round(left + x), "y": round(top + y)},
            {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}]})

    def keys(self, *names):
        """Presses keys wherever the focus is."""
        strokes = []
        for name in names:
            value = KEYS.get(name, name)
            strokes += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys",
                                                    "actions": strokes}]})

    def type(self, selector, text):
        self.call("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def screenshot(self):
        return base64.b64decode(self.call("GET", "/screenshot"))

    def complaints(self):
        """What the page's scripts complained about."""
        return [entry["message"] for entry in self.call("POST", "/se/log", {"type": "browser"})
                if entry["level"] == "SEVERE"]
