"""Receives webhooks from Querypost. Requires Python 3.9 or newer and only the standard library.

    QUERYPOST_WEBHOOK_SECRET=whsec_… python3 receiver.py

It listens on localhost only: put your HTTPS proxy in front of it.
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


class VerificationError(Exception):
    """The request is not genuine. The message is an error code to log and return."""


def read_keys(secrets):
    """Decodes the secrets; during rotation there are several."""
    if not secrets or not all(re.fullmatch(r"whsec_[A-Za-z0-9+/]{32,86}={0,2}", secret) for secret in secrets):
        raise ValueError("bad_secret: QUERYPOST_WEBHOOK_SECRET must be the full whsec_… secret from the endpoint's settings")
    return [base64.b64decode(secret[len("whsec_"):], validate=True) for secret in secrets]


def verify(body, headers, keys, now_seconds=None, tolerance_seconds=300):
    """Returns the verified event as a dict. `body` is the raw bytes; `headers` is a dict with lowercase names."""
    event_id, timestamp, signature = (header(headers, part) for part in ("id", "timestamp", "signature"))
    # Strict formats for id and timestamp leave only one way to split the signed text.
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,255}", event_id):
        raise VerificationError("bad_id")
    if not re.fullmatch(r"[1-9][0-9]{0,11}", timestamp):
        raise VerificationError("bad_timestamp")
    given = [text for text in signature.split(" ") if re.fullmatch(r"v1=[0-9a-f]{64}", text)]
    if not given:
        raise VerificationError("bad_signature_format")

    signed = f"{event_id}.{timestamp}.".encode() + body
    expected = ["v1=" + hmac.new(key, signed, hashlib.sha256).hexdigest() for key in keys]
    if not any([hmac.compare_digest(one, other) for one in given for other in expected]):
        raise VerificationError("signature_mismatch")

    age_seconds = (int(time.time()) if now_seconds is None else now_seconds) - int(timestamp)
    if age_seconds > tolerance_seconds:
        raise VerificationError("timestamp_too_old")
    if age_seconds < -tolerance_seconds:
        raise VerificationError("timestamp_too_new")

    try:
        event = json.loads(body.decode("utf-8"))
    except ValueError:
        raise VerificationError("bad_envelope") from None
    forms = {"id": str, "type": str, "data": dict}
    if not isinstance(event, dict) or not all(isinstance(event.get(name), form) for name, form in forms.items()):
        raise VerificationError("bad_envelope")
    if event["id"] != event_id:
        raise VerificationError("id_mismatch")
    return event


def header(headers, part):
    value = headers.get(f"svc-webhook-{part}")
    if not value:
        raise VerificationError("missing_header")
    if ", " in value:  # servers join repeated headers this way
        raise VerificationError("duplicate_header")
    return value


def store(event_id, body):
    """Stores the event as the file `events/<id>`; returns False if it already exists.

    Process the files separately, after the response. The file appears complete or not at all, even after a crash.
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
    timeout = 10  # seconds, for slow clients
    keys = []

    def do_POST(self):
        try:
            self.answer(*self.receive())
        except Exception:
            self.answer(500)  # the event will be sent again
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
        except VerificationError as error:
            return 400, str(error)
        print("stored" if store(event["id"], body) else "duplicate", event["id"], event["type"], flush=True)
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
