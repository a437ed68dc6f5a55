"""A real browser, and somebody who sits at it: sees what the page shows, presses keys, clicks.

Whatever the browser complains of fails the test: errors of scripts, refused content, requests that fail.
A test in which requests must fail says so with `Person.forgives`.
"""

import os
import re
import shutil
from pathlib import Path

from playwright.sync_api import expect

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",  # the page is drawn without one, which costs half as much as to imitate one
    "--enable-unsafe-swiftshader",  # for the map alone
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
DESK = {"width": 1280, "height": 800}
PATIENCE = 600_000  # milliseconds; the worker yields to all else that a busy machine does

expect.set_options(timeout=PATIENCE)


def find_chromium():
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


class Person:
    """One browser profile with one page open."""

    def __init__(self, browser, name, shots, **options):
        self.name = name
        self._shots = shots
        self._complaints, self._forgiven = [], []
        self.context = browser.new_context(**{"viewport": DESK, **options})
        self.context.set_default_timeout(PATIENCE)
        self.context.on("console", lambda said: said.type == "error" and self._complaints.append(said.text))
        self.context.on("weberror", lambda error: self._complaints.append(str(error.error)))
        self.context.on("dialog", self._answer)
        self.page = self.context.new_page()
        self.keyboard = self.page.keyboard

    def _answer(self, dialog):
        """Leaving the page may ask whether that is meant; it is. Nothing else may ask."""
        if dialog.type != "beforeunload":
            self._complaints.append(f"{dialog.type} {dialog.message}")
        dialog.accept()

    def enter(self, studio):
        """Open the link for the first time, and say who is there."""
        self.page.goto(studio.url)
        self.page.get_by_label("Your name").fill(self.name)
        self.keyboard.press("Enter")
        return self

    def enter_again(self, studio):
        """Open the link of a studio that knows us."""
        self.page.goto(studio.url)
        expect(self.button(self.name, exact=True)).to_be_visible()

    @property
    def sample(self):
        """Where the id of the sample on the desk stands."""
        return self.page.get_by_role("main").locator(".id")

    def sees(self):
        """The id of the sample on the desk."""
        return self.sample.text_content()

    def press(self, *keys):
        for key in keys:
            self.keyboard.press(key)

    def label(self, n, key_of):
        """Label ``n`` samples as fast as they come, with the key that their id asks for; id -> key."""
        done = {}
        for _ in range(n):
            name = self.sees()
            done[name] = key_of(name)
            self.press(done[name])
        return done

    def is_saved(self):
        expect(self.page.get_by_text("saved", exact=True)).to_be_visible()

    def button(self, name, exact=False):
        return self.page.get_by_role("button", name=name, exact=exact)

    def open_tab(self, name):
        self.page.get_by_role("tab", name=name).locator("visible=true").click()
        return self.panel()

    def panel(self):
        """What the open tab shows, as soon as all of it is there."""
        panel = self.page.get_by_role("tabpanel")
        expect(panel.get_by_text("Looking…")).to_have_count(0)
        return panel

    def history(self):
        """The strip of what was done, newest first."""
        return self.page.get_by_role("navigation", name="Your history").get_by_role("button")

    def forgives(self, pattern):
        """From now on: complaints that match do not count."""
        self._forgiven.append(re.compile(pattern))

    def shoot(self, name):
        self._shots.mkdir(parents=True, exist_ok=True)
        return self.page.screenshot(path=self._shots / f"{name}.png")

    def leave(self):
        """Close the browser, and say what it complained of."""
        self.context.close()
        wrong = [said for said in self._complaints if not any(one.search(said) for one in self._forgiven)]
        assert not wrong, wrong


def screenshot_folder(factory):
    """Where TRIGPOINT_SCREENSHOTS says, or beside the other files of the test run."""
    chosen = os.environ.get("TRIGPOINT_SCREENSHOTS")
    return Path(chosen) if chosen else factory.getbasetemp() / "screenshots"
