"""Visitors who say nothing, half of something, or take no answer: real sockets at a real server."""

import asyncio
import contextlib
import json
import socket
import threading
import time

import pytest

from studio.pools import DIGITS
from trigpoint.studio import _connections
from trigpoint.studio._serve import _Server, bind

HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n"
LARGE = 50_000_000  # more than the system keeps for us


async def app(scope, receive, send):
    """/slow waits for ever, /reads reads what is posted, /refused does not, /large answers much."""
    more = scope["path"] == "/reads"
    while more:
        more = (await receive()).get("more_body", False)
    if scope["path"] == "/slow":
        await asyncio.Event().wait()
    body = b"x" * LARGE if scope["path"] == "/large" else b"here"
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


@pytest.fixture
def server(monkeypatch):
    """Patient, until a test is in a hurry."""
    monkeypatch.setattr(_connections, "PATIENCE", 600)
    monkeypatch.setattr(_connections, "STUCK", 600)
    started = threading.Event()
    running = _Server(app, started.set)
    with bind("127.0.0.1", 0) as listener:
        thread = threading.Thread(target=lambda: asyncio.run(running.serve([listener])))
        thread.start()
        started.wait()
        running.port = listener.getsockname()[1]
        yield running
        running.stop()
        running.stop()
        thread.join()


@pytest.fixture
def visit(server):
    with contextlib.ExitStack() as stack:

        def connect(said=b"", source="127.0.0.1"):
            place = ("127.0.0.1", server.port)
            visitor = stack.enter_context(socket.create_connection(place, source_address=(source, 0)))
            visitor.settimeout(120)
            visitor.sendall(said)
            return visitor

        yield connect


def is_ended(visitor):
    """Wait until the server has closed the connection; what else it says is passed over."""
    with contextlib.suppress(ConnectionError):
        while visitor.recv(1_000_000):
            pass
    return True


def is_ended_while_it_drips(visitor, drop):
    try:
        for _ in range(12_000):
            visitor.sendall(drop)
            time.sleep(0.01)
    except ConnectionError:
        return True
    return False


def asks(visitor, path="/"):
    visitor.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    return visitor.recv(1000)


def is_there(server, count):
    end = time.monotonic() + 600
    while len(server.server_state.connections) != count:
        assert time.monotonic() < end
        time.sleep(0.01)


def are_busy(server, count):
    end = time.monotonic() + 600
    while sum(one.busy for one in list(server.server_state.connections)) != count:
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize("said", [b"", b"G", HEAD, b"\r\n"])
def test_a_head_that_does_not_come(monkeypatch, server, visit, said):
    monkeypatch.setattr(_connections, "PATIENCE", 0.2)
    assert is_ended(visit(said))


def test_drops_of_a_head_do_not_help(monkeypatch, visit):
    monkeypatch.setattr(_connections, "PATIENCE", 0.2)
    assert is_ended_while_it_drips(visit(HEAD), b"a: b\r\n")


def test_the_second_head_of_a_connection_has_no_more_time(monkeypatch, visit):
    visitor = visit()
    assert b"200 OK" in asks(visitor)
    visitor.sendall(HEAD)
    monkeypatch.setattr(_connections, "PATIENCE", 0.2)
    assert is_ended(visitor)


def test_drops_of_a_body_that_nobody_wants(monkeypatch, visit):
    """uvicorn reads on after its answer, for ever."""
    visitor = visit(b"POST /refused HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
    assert b"200 OK" in visitor.recv(1000)
    monkeypatch.setattr(_connections, "PATIENCE", 0.2)
    assert is_ended_while_it_drips(visitor, b"x")


def test_who_works_may_take_longer(monkeypatch, server, visit):
    visitor = visit(HEAD.replace(b"/ ", b"/slow ") + b"\r\n")
    are_busy(server, 1)
    monkeypatch.setattr(_connections, "PATIENCE", 0.2)
    assert is_ended(visit())  # so much time has passed, and more
    is_there(server, 1)
    visitor.settimeout(0.05)
    with pytest.raises(TimeoutError):
        visitor.recv(1)


def test_an_answer_that_is_not_taken(monkeypatch, server, visit):
    monkeypatch.setattr(_connections, "STUCK", 0.3)
    visit(HEAD.replace(b"/ ", b"/large ") + b"\r\n")
    is_there(server, 1)
    is_there(server, 0)


def test_an_answer_that_is_taken_slowly_comes_whole(monkeypatch, visit):
    """It is complete for the server long before the visitor has it, which is no idle connection."""
    visitor = visit(HEAD.replace(b"/ ", b"/large ") + b"\r\n")
    count = len(visitor.recv(1000))
    monkeypatch.setattr(_connections, "PATIENCE", 0.2)
    while count < LARGE:
        piece = visitor.recv(500_000)
        assert piece
        count += len(piece)
        time.sleep(0.02)


def test_where_there_are_too_many_the_longest_idle_one_goes(monkeypatch, server, visit):
    monkeypatch.setattr(_connections, "MOST", 4)
    others = [visit(HEAD) for _ in range(4)]
    is_there(server, 4)
    assert b"200 OK" in asks(visit())
    assert is_ended(others[0])
    assert b"200 OK" in asks(visit())
    assert is_ended(others[1])
    others[3].sendall(b"\r\n")
    assert b"200 OK" in others[3].recv(1000)


def test_a_body_that_does_not_come_makes_room(monkeypatch, server, visit):
    """It has more time than a head, and is no reason to send others away."""
    monkeypatch.setattr(_connections, "MOST", 2)
    said = b"POST /reads HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1234"
    first, second = visit(said), visit(said)
    are_busy(server, 2)
    assert b"200 OK" in asks(visit())
    assert is_ended(first)
    second.sendall(b"56789")
    assert b"200 OK" in second.recv(1000)


def test_the_address_with_the_most_connections_makes_room(monkeypatch, server, visit):
    monkeypatch.setattr(_connections, "MOST", 4)
    person = visit(HEAD, source="127.0.0.2")  # first, and longest idle
    is_there(server, 1)
    for _ in range(20):
        visit(HEAD, source="127.0.0.3")
    is_there(server, 4)
    person.sendall(b"\r\n")
    assert b"200 OK" in person.recv(1000)


def test_where_all_are_busy_the_next_one_is_told(monkeypatch, server, visit):
    monkeypatch.setattr(_connections, "MOST", 2)
    for _ in range(2):
        visit(HEAD.replace(b"/ ", b"/slow ") + b"\r\n")
    are_busy(server, 2)
    said = b""
    visitor = visit(HEAD + b"\r\n")
    while piece := visitor.recv(1000):
        said += piece
    said = said.decode()
    assert said.startswith("HTTP/1.1 503 Service Unavailable\r\n")
    assert "connection: close" in said.lower()
    assert json.loads(said.partition("\r\n\r\n")[2]) == {"error": _connections.FULL}


@pytest.mark.slow
@pytest.mark.parametrize("files", [256, 1024])
def test_people_label_beside_400_visitors_who_say_half(studio, digits, files):
    """Also where the system gives a process few files to open, as some do."""
    running = studio(digits, "--budget", "60", "--classes", DIGITS)
    running.limit_open_files(files)
    head = b"GET /api/state HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    with contextlib.ExitStack() as stack:

        def crowd(n):
            for _ in range(n):
                place = ("127.0.0.1", running.port)
                stack.enter_context(socket.create_connection(place)).sendall(head)

        crowd(400)
        for i in range(40):
            with running.client() as ada:  # who comes anew each time
                label = {"kind": "label", "sample": i, "value": "3", "client": f"c{i}"}
                body = {"annotator": "Ada", "held": [], "want": 0, "actions": [label]}
                assert ada.post("/api/actions", json=body).json()["saved"][0]["client"] == f"c{i}"
            crowd(10)
    assert len(running.labels()) == 40


def test_few_files_mean_fewer_connections(monkeypatch):
    import resource

    for files, most in (
        (256, 128),
        (100_000, _connections.MOST),
        (resource.RLIM_INFINITY, _connections.MOST),
    ):
        monkeypatch.setattr(resource, "getrlimit", lambda _, files=files: (files, files))
        assert _connections.most_connections() == most
