"""ClickHouse's HTTP interface on the engine inside chdb, as far as the service uses it.

Each request runs in a process of its own, which is killed when the client closes the connection. It first creates the tables of the
fixture, then applies the request's settings, so that unknown ones fail as on a server, and then runs the statement. Rows are sent as the
engine returns them, and a slow client slows it down.
"""
import json
import re
import select
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

NOT_SETTINGS = {"database", "default_format", "query_id"}
ROWS_BEGIN = b'\t"data":\n\t[\n'
ROWS_END = b'\n\t],\n'


def execute(fixture, sql, parameters):
    """The parts of the response: its status, then its body."""
    from chdb import session

    opened = session.Session()
    has_begun = False
    try:
        for statement in fixture:
            opened.query(statement)
        # Last of all, because after it no setting can be changed.
        for name, value in sorted(parameters.items(), key=lambda item: item[0] == "readonly"):
            if name not in NOT_SETTINGS:
                opened.query("SET %s = '%s'" % (name, value))
        for piece in pieces_of(opened, sql, parameters.get("default_format", "TabSeparated")):
            if not has_begun:
                yield b"200\n"
            has_begun = True
            yield piece
    except Exception as error:
        # Like a server, which has sent the status before it computes the last rows.
        yield (b"" if has_begun else b"500\n") + str(error).removeprefix("Streaming query failed: ").encode()


def pieces_of(opened, sql, format_name):
    """The body. The engine returns rows of JSONCompact in documents of their own, which this makes one of."""
    has_format = re.search(r"\bformat\s+\w+[\s;]*$", sql, re.IGNORECASE)
    if format_name != "JSONCompact" or has_format or not re.match(r"\s*(select|with)\b", sql, re.IGNORECASE):
        yield opened.query(sql, format_name).bytes()
        return
    counts = {b"rows": 0, b"rows_read": 0, b"bytes_read": 0}
    tail = None
    for part in opened.send_query(sql, format_name):
        head, _, rest = part.bytes().partition(ROWS_BEGIN)
        rows, _, after = rest.rpartition(ROWS_END)
        yield head + ROWS_BEGIN + rows if tail is None else b",\n" + rows
        counts[b"rows"] += int(re.search(rb'"rows": (\d+)', after)[1])
        counts[b"rows_read"] += part.storage_rows_read()
        counts[b"bytes_read"] += part.storage_bytes_read()
        tail = after
    if tail is None:
        # There are no rows.
        yield opened.query(sql, format_name).bytes()
    else:
        yield ROWS_END + re.sub(rb'"(\w+)": \d+(?=[,\n])', lambda match: with_count(match, counts), tail)


def with_count(match, counts):
    return b'"%s": %d' % (match[1], counts[match[1]]) if match[1] in counts else match[0]


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
        except ConnectionError:
            # The client stopped the statement while rows were sent.
            self.close_connection = True
        finally:
            process.kill()
            process.wait()
            process.stdout.close()

    def answer(self, output, format_name):
        has_begun = False
        while True:
            ready, _, _ = select.select([output, self.connection], [], [])
            if self.connection in ready:
                self.close_connection = True
                return
            piece = output.read1(1 << 20)
            if not has_begun:
                # The status is written at once, so the first piece has all of it.
                status, _, piece = (piece or b"500\nThe engine ended.").partition(b"\n")
                self.begin(int(status), format_name)
                has_begun = True
                self.send_piece(piece)
            elif piece:
                self.send_piece(piece)
            else:
                self.wfile.write(b"0\r\n\r\n")
                return

    def begin(self, status, format_name):
        self.send_response(status)
        self.send_header("content-type", "text/plain")
        self.send_header("x-clickhouse-format", format_name)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()

    def send_piece(self, piece):
        if piece:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))


if sys.argv[1] == "execute":
    for piece in execute(*json.load(sys.stdin)):
        sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
else:
    fixture = json.loads(sys.argv[1])
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
