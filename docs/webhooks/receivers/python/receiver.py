"""Receives webhooks from Querypost, with nothing but the standard library (Python 3.9 or newer).

    QUERYPOST_WEBHOOK_SECRET=whsec_… python3 receiver.py

It listens on this machine only: let your https proxy pass requests on to it.
"""
import base64
import hashlib
import hmac
import json
import os
import re
import tempfile
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MAX_BODY_BYTES = 1024 * 1024


class Refused(Exception):
    """The request must not be trusted. The text is a code, to be logged and answered."""


def read_keys(secrets):
    """One key for each secret; several while a secret is rotated."""
    if not secrets or not all(re.fullmatch(r"whsec_[A-Za-z0-9+/]{32,86}={0,2}", secret) for secret in secrets):
        raise ValueError("bad_secret: QUERYPOST_WEBHOOK_SECRET is the whole whsec_… from the endpoint's settings")
    return [base64.b64decode(secret[len("whsec_"):], validate=True) for secret in secrets]


def verify(body, headers, keys, now_seconds=None, tolerance_seconds=300):
    """The event, as a dict. `body` is the raw bytes, `headers` a dict with names in lower case."""
    event_id, timestamp, signature = (header(headers, part) for part in ("id", "timestamp", "signature"))
    # With these two forms the signed text can be divided in one way only.
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,255}", event_id):
        raise Refused("bad_id")
    if not re.fullmatch(r"[1-9][0-9]{0,11}", timestamp):
        raise Refused("bad_timestamp")
    given = [text for text in signature.split(" ") if re.fullmatch(r"v1=[0-9a-f]{64}", text)]
    if not given:
        raise Refused("bad_signature_format")

    signed = f"{event_id}.{timestamp}.".encode() + body
    expected = ["v1=" + hmac.new(key, signed, hashlib.sha256).hexdigest() for key in keys]
    if not any([hmac.compare_digest(one, other) for one in given for other in expected]):
        raise Refused("signature_mismatch")

    age_seconds = (int(time.time()) if now_seconds is None else now_seconds) - int(timestamp)
    if age_seconds > tolerance_seconds:
        raise Refused("timestamp_too_old")
    if age_seconds < -tolerance_seconds:
        raise Refused("timestamp_too_new")

    try:
        event = json.loads(body.decode("utf-8"))
    except ValueError:
        raise Refused("bad_envelope") from None
    forms = {"id": str, "type": str, "data": dict}
    if not isinstance(event, dict) or not all(isinstance(event.get(name), form) for name, form in forms.items()):
        raise Refused("bad_envelope")
    if event["id"] != event_id:
        raise Refused("id_mismatch")
    return event


def header(headers, part):
    value = headers.get(f"svc-webhook-{part}")
    if not value:
        raise Refused("missing_header")
    if ", " in value:  # servers join repeated headers so
        raise Refused("duplicate_header")
    return value


def store(event_id, body):
    """Keeps the event as the file `events/<id>`; false if it is there already.

    The work is done by whoever takes the files from there, after the answer. The file appears whole or not at all,
    whatever crashes.
    """
    os.makedirs("events", exist_ok=True)
    with tempfile.NamedTemporaryFile(dir="events", prefix=".") as file:
        file.write(body)
        file.flush()
        os.fsync(file.fileno())
        try:
            os.link(file.name, os.path.join("events", event_id))
            return True
        except FileExistsError:
            return False


class Receiver(BaseHTTPRequestHandler):
    timeout = 10  # for who sends slowly
    keys = []

    def do_POST(self):
        try:
            self.answer(*self.receive())
        except Exception:
            self.answer(500)  # it will be sent again
            raise

    def receive(self):
        if self.path != "/hook":
            return (404,)
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MAX_BODY_BYTES:
            return (413,)
        body = self.rfile.read(int(length))
        headers = {name.lower(): ", ".join(self.headers.get_all(name)) for name in self.headers}
        try:
            event = verify(body, headers, self.keys)
        except Refused as refused:
            return 400, str(refused)
        print("stored" if store(event["id"], body) else "had already", event["id"], event["type"], flush=True)
        return (204,)

    def answer(self, status, text=""):
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())


def main():
    Receiver.keys = read_keys(os.environ.get("QUERYPOST_WEBHOOK_SECRET", "").split(" "))
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4000"))), Receiver)
    print(f"Listening on http://127.0.0.1:{server.server_port}/hook", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
