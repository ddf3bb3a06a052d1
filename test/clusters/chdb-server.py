"""ClickHouse's HTTP interface on the engine inside chdb, as far as the service uses it.

Each request runs in a process of its own, which is killed when the client closes the connection. It first creates the tables of the
fixture, then applies the request's settings, so that unknown ones fail as on a server, and then runs the statement.
"""
import json
import re
import select
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

NOT_SETTINGS = {"database", "default_format", "query_id"}


def execute(fixture, sql, parameters):
    """The status and the body of the response."""
    from chdb import session

    opened = session.Session()
    try:
        for statement in fixture:
            opened.query(statement)
        # Last of all, because after it no setting can be changed.
        for name, value in sorted(parameters.items(), key=lambda item: item[0] == "readonly"):
            if name not in NOT_SETTINGS:
                opened.query("SET %s = '%s'" % (name, value))
        return 200, opened.query(sql, parameters.get("default_format", "TabSeparated")).bytes()
    except Exception as error:
        return 500, str(error).encode()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        sql = self.rfile.read(int(self.headers["content-length"])).decode()
        parameters = dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))
        request = json.dumps([fixture, sql, parameters]).encode()
        process = subprocess.Popen([sys.executable, __file__, "execute"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            process.stdin.write(request)
            process.stdin.close()
            chosen = re.search(r"\bformat\s+(\w+)[\s;]*$", sql, re.IGNORECASE)
            self.answer(process.stdout, chosen[1] if chosen else parameters.get("default_format", "TabSeparated"))
        finally:
            process.kill()
            process.wait()
            process.stdout.close()

    def answer(self, output, format_name):
        pieces = []
        while True:
            ready, _, _ = select.select([output, self.connection], [], [])
            if self.connection in ready:
                self.close_connection = True
                return
            piece = output.read1(1 << 20)
            if not piece:
                break
            pieces.append(piece)
        status, _, body = (b"".join(pieces) or b"500\nThe engine ended.").partition(b"\n")
        self.send_response(int(status))
        self.send_header("content-type", "text/plain")
        self.send_header("x-clickhouse-format", format_name)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if sys.argv[1] == "execute":
    status, body = execute(*json.load(sys.stdin))
    sys.stdout.buffer.write(b"%d\n" % status + body)
else:
    fixture = json.loads(sys.argv[1])
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
