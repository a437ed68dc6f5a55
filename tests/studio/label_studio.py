"""A Label Studio of its own, as people run it: a process with its data in a folder."""

import os
import shutil
import subprocess
import time
from contextlib import contextmanager

import httpx

from studio.running import free_port

PROGRAM = "TRIGPOINT_LABEL_STUDIO"
TOKEN = "0123456789abcdef" * 2 + "01234567"
EMAIL = "owner@example.org"
PATIENCE = 600  # seconds; it makes a database at its first start


def find_label_studio():
    """The program, or None."""
    return os.environ.get(PROGRAM) or shutil.which("label-studio")


class Project:
    """A project, through the API."""

    def __init__(self, client, config):
        self._client = client
        answer = client.post("/api/projects", json={"title": "trigpoint", "label_config": config})
        assert answer.status_code == 201, answer.text
        self.number = answer.json()["id"]

    def add_tasks(self, tasks):
        answer = self._client.post(f"/api/projects/{self.number}/import", json=tasks)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def upload(self, path):
        """A file, as somebody drops it on the page."""
        files = {"file": (path.name, path.read_bytes())}
        answer = self._client.post(f"/api/projects/{self.number}/import", files=files)
        assert answer.status_code == 201, answer.text

    def add_storage(self, folder):
        body = {"path": str(folder), "project": self.number, "title": "pool", "use_blob_urls": True}
        answer = self._client.post("/api/storages/localfiles", json=body)
        assert answer.status_code == 201, answer.text

    def tasks(self):
        query = {"project": self.number, "fields": "all", "page_size": 1000}
        return self._client.get("/api/tasks", params=query).raise_for_status().json()["tasks"]

    def annotate(self, task, result):
        """As the user of the token."""
        answer = self._client.post(f"/api/tasks/{task}/annotations/", json={"result": result})
        assert answer.status_code == 201, answer.text

    def fetch(self, address):
        return self._client.get(address)

    def export(self, kind, path):
        query = {"exportType": kind, "download_all_tasks": "true"}
        answer = self._client.get(f"/api/projects/{self.number}/export", params=query)
        path.write_bytes(answer.raise_for_status().content)
        return path


@contextmanager
def label_studio(program, folder, root):
    """A function that makes projects in a Label Studio that serves pictures below ``root``."""
    port = free_port()
    settings = {
        "LABEL_STUDIO_BASE_DATA_DIR": str(folder),
        "LABEL_STUDIO_LOCAL_FILES_SERVING_ENABLED": "true",
        "LABEL_STUDIO_LOCAL_FILES_DOCUMENT_ROOT": str(root),
        "COLLECT_ANALYTICS": "false",
        "LATEST_VERSION_CHECK": "false",
        "SENTRY_DSN": "",
        "FRONTEND_SENTRY_DSN": "",
        "XDG_CONFIG_HOME": str(folder),
    }
    who = ["--username", EMAIL, "--password", "Secret-1234", "--user-token", TOKEN]
    where = ["--internal-host", "127.0.0.1", "--port", str(port)]
    command = [program, "start", "--no-browser", *where, *who, "--enable-legacy-api-token"]
    with (folder / "output.txt").open("wb") as sink:
        process = subprocess.Popen(
            command, stdout=sink, stderr=sink, cwd=folder, env={**os.environ, **settings}
        )
    try:
        address = f"http://127.0.0.1:{port}"
        headers = {"authorization": f"Token {TOKEN}"}
        with httpx.Client(base_url=address, headers=headers, timeout=PATIENCE) as client:
            _wait(client, process, folder)
            yield lambda config: Project(client, config)
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _wait(client, process, folder):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        assert process.poll() is None, (folder / "output.txt").read_text()[-2000:]
        try:
            if client.get("/api/projects").status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.5)
    raise AssertionError((folder / "output.txt").read_text()[-2000:])
