"""Who visits a studio: requests to an application in this process, or people at a browser at a real one."""

import asyncio

import httpx
import pytest
from playwright.sync_api import sync_playwright

from studio import pools
from studio.browser import FLAGS, PROGRAMS, Person, find_chromium, screenshot_folder
from studio.running import studios


class Visitor:
    """Speaks HTTP to an ASGI application on a loop that runs only while it is asked something."""

    def __init__(self, app, base, **headers):
        self.runner = asyncio.Runner()
        transport = httpx.ASGITransport(app)
        self.client = httpx.AsyncClient(transport=transport, base_url=base, headers=headers)

    def run(self, coroutine):
        return self.runner.run(coroutine)

    def request(self, method, path, **more):
        return self.run(self.client.request(method, path, **more))

    def get(self, path, **more):
        return self.request("GET", path, **more)

    def post(self, path, **more):
        return self.request("POST", path, **more)

    def close(self):
        self.run(self.client.aclose())
        self.runner.close()


def make_visits():
    """A maker of visitors, and then their end."""
    visitors = []

    def call(app, base="http://127.0.0.1:8300", **headers):
        visitors.append(Visitor(app, base, **headers))
        return visitors[-1]

    yield call
    for visitor in visitors:
        visitor.close()


visit = pytest.fixture(make_visits)
visit_all = pytest.fixture(make_visits, scope="module", name="visit_all")


@pytest.fixture(scope="module")
def browser():
    """Chromium without a window.

    For one file of tests, not for all: while playwright runs there is an event loop in this thread, and
    tests of other files start loops of their own.
    """
    program = find_chromium()
    if program is None:
        pytest.skip(f"tests in a browser need one of {', '.join(PROGRAMS)} on PATH")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def join(browser, tmp_path_factory):
    """Makes people: join(studio, "Ada", more options of a browser context)."""
    people = []
    shots = screenshot_folder(tmp_path_factory)

    def call(studio=None, name="Ada", **options):
        people.append(Person(browser, name, shots, **options))
        return people[-1] if studio is None else people[-1].enter(studio)

    yield call
    for person in people:
        person.leave()


@pytest.fixture(scope="session")
def graph_cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def studio(tmp_path_factory, graph_cache):
    """Starts studios: studio(pool, "--budget", "60")."""
    with studios(tmp_path_factory, graph_cache) as start:
        yield start


@pytest.fixture(scope="module")
def shared_studio(tmp_path_factory, graph_cache):
    """The same for all tests of a file, which must not mind each other's labels."""
    with studios(tmp_path_factory, graph_cache) as start:
        yield start


@pytest.fixture(scope="session")
def digits(tmp_path_factory):
    return pools.digits(tmp_path_factory.mktemp("digits"))
