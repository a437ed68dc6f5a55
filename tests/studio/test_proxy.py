"""Behind a real nginx and a real Caddy with HTTPS, each with the configuration that docs/studio.md shows."""

import re
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect, sync_playwright

from studio.browser import FLAGS, PROGRAMS, Person, find_chromium, screenshot_folder
from studio.pools import DIGITS, digit_of, write_csv
from studio.running import free_port

PAGE = Path(__file__).parents[2] / "docs" / "studio.md"
NAME = "label.example.com"
PATIENCE = 600  # seconds

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """(certificate, key) for the name, signed by itself."""
    if shutil.which("openssl") is None:
        pytest.skip("a certificate is made with openssl, which is not on PATH")
    folder = tmp_path_factory.mktemp("tls")
    files = folder / "cert.pem", folder / "key.pem"
    made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    named = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
    command = ["openssl", "req", "-x509", *made, *named, "-out", files[0], "-keyout", files[1]]
    subprocess.run(command, check=True, capture_output=True)
    return files


def shown(kind):
    """The configuration in the documentation."""
    (block,) = re.findall(rf"^```{kind}\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    return block


def changed(text, **changes):
    """With the places of a test for those of a server."""
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def nginx(folder, front, back, certificate):
    places = {
        "listen 443 ssl": f"listen 127.0.0.1:{front} ssl",
        "127.0.0.1:8300": f"127.0.0.1:{back}",
        "/etc/ssl/label.example.com.pem": str(certificate[0]),
        "/etc/ssl/label.example.com.key": str(certificate[1]),
    }
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder / kind};\n" for kind in kinds)
    site = changed(shown("nginx"), **places)
    rest = f"pid {folder / 'pid'};\ndaemon off;\nmaster_process off;\nevents {{}}\n"
    text = f"{rest}http {{\naccess_log off;\n{temporary}{site}}}\n"
    (folder / "nginx.conf").write_text(text)
    return ["nginx", "-p", folder, "-e", folder / "errors", "-c", folder / "nginx.conf"]


def caddy(folder, front, back, certificate):
    more = f"bind 127.0.0.1\n    tls {certificate[0]} {certificate[1]}"
    places = {
        f"{NAME} {{": f"https://{NAME}:{front} {{\n    {more}",
        "127.0.0.1:8300": f"127.0.0.1:{back}",
    }
    options = "{\n    admin off\n    auto_https disable_redirects\n}\n"
    (folder / "Caddyfile").write_text(options + changed(shown("caddy"), **places))
    return ["caddy", "run", "--config", folder / "Caddyfile", "--adapter", "caddyfile"]


def answers(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def proxy(make, folder, front, back, certificate):
    if shutil.which(make.__name__) is None:
        pytest.skip(f"{make.__name__} is not on PATH")
    with (folder / "said").open("wb") as sink:
        process = subprocess.Popen(
            make(folder, front, back, certificate),
            stdout=sink,
            stderr=sink,
            env={"PATH": "/usr/sbin:/usr/bin:/bin", "HOME": str(folder), "XDG_DATA_HOME": str(folder)},
        )
    try:
        end = time.monotonic() + PATIENCE
        while not answers(front):
            assert process.poll() is None, (folder / "said").read_text()
            assert time.monotonic() < end
            time.sleep(0.02)
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)


@pytest.fixture
def ada(tmp_path_factory):
    """Somebody in whose browser the name leads to this machine."""
    program = find_chromium()
    if program is None:
        pytest.skip(f"tests in a browser need one of {', '.join(PROGRAMS)} on PATH")
    with sync_playwright() as playwright:
        flags = [*FLAGS, f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
        chromium = playwright.chromium.launch(executable_path=program, args=flags)
        person = Person(chromium, "Ada", screenshot_folder(tmp_path_factory), ignore_https_errors=True)
        yield person
        person.leave()
        chromium.close()


def asked(front, path, method="GET", **headers):
    """Through the proxy, from somewhere else."""
    with httpx.Client(verify=False, timeout=PATIENCE) as client:
        known = {"host": f"{NAME}:{front}", "content-type": "application/json", **headers}
        return client.request(
            method,
            f"https://127.0.0.1:{front}{path}",
            headers=known,
            extensions={"sni_hostname": NAME},
            content=b"{}" if method == "POST" else None,
        )


@pytest.mark.parametrize("make", [nginx, caddy], ids=["nginx", "caddy"])
def test_a_day_behind_a_proxy(make, studio, digits, ada, certificate, tmp_path):
    front = free_port()
    public = f"https://{NAME}:{front}"
    running = studio(digits, "--budget", "60", "--classes", DIGITS, "--public-url", public)
    assert running.url.startswith(f"{public}/?token=")
    token = running.url.partition("token=")[2]
    with proxy(make, tmp_path, front, running.port, certificate):
        ada.enter(running)
        told = ada.label(5, digit_of)
        ada.is_saved()
        assert ada.page.url == f"{public}/"
        picture = ada.page.get_by_role("main").locator("img").first
        expect(picture).to_be_visible()
        assert picture.evaluate("picture => picture.naturalWidth") > 0
        (cookie,) = ada.context.cookies()
        flags = {name: cookie[name] for name in ("secure", "httpOnly", "sameSite", "path", "domain")}
        assert cookie["name"] == f"__Host-trigpoint-{running.port}"
        assert flags == {
            "secure": True,
            "httpOnly": True,
            "sameSite": "Strict",
            "path": "/",
            "domain": NAME,
        }

        rows = [(path.name, digit_of(path.name)) for path in sorted(digits.iterdir())[:40]]
        rows += [(f"unknown-{i:06d}", "3") for i in range(100_000)]  # 1.9 MB: nginx takes 1 by itself
        file = write_csv(tmp_path / "known.csv", ("id", "label"), rows)
        panel = ada.open_tab("Files")
        panel.locator("input[type=file]").set_input_files(file)
        panel.get_by_role("button", name="Import").click()
        expect(panel).to_contain_text("Imported")
        with ada.page.expect_download() as download:
            panel.get_by_role("link", name="Labels, CSV").click()
        labels = Path(download.value.path()).read_text()
        for name, label in {**dict(rows[:40]), **told}.items():
            assert f"\n{name},{label}," in labels
        ada.shoot(f"behind_{make.__name__}")

        known = {"cookie": f"{cookie['name']}={token}"}
        assert asked(front, "/api/state", **known).status_code == 200
        assert asked(front, "/api/state").status_code == 401
        assert asked(front, "/api/actions", "POST", **known, origin="https://evil.example").status_code == 403
        assert (
            asked(front, "/api/actions", "POST", **known, origin=public).status_code == 400
        )  # what is in it
    near = httpx.get(f"http://127.0.0.1:{running.port}/?token={token}")
    assert near.status_code == 403
    assert f"This studio is at {public}, as --public-url says" in near.text


@pytest.mark.parametrize("make", [nginx, caddy], ids=["nginx", "caddy"])
def test_without_the_option_the_page_names_it(make, studio, digits, certificate, tmp_path):
    front = free_port()
    running = studio(digits, "--classes", DIGITS)
    with proxy(make, tmp_path, front, running.port, certificate):
        answer = asked(front, f"/?token={running.url.partition('token=')[2]}")
    assert answer.status_code == 403
    assert "start the studio with --public-url and the address that browsers show." in answer.text
