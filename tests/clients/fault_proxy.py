"""A TCP proxy in front of the server that answers 503 or cuts an answer, a number of times."""

import contextlib
import select
import socket
import struct
import threading

SLOW_DOWN = (
    b'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>SlowDown</Code>'
    b"<Message>Please reduce your request rate.</Message></Error>"
)


class FaultProxy:
    """Use it in a `with`. `faults` counts what it did; a fault ends its connection.

    slow_down: so many connections get a 503 as the answer to their first request.
    cut: so many connections are reset once `cut_after` bytes of answers have passed.
    """

    def __init__(self, server_port, slow_down=0, cut=0, cut_after=256 * 1024):
        self.server_port = server_port
        self.slow_down, self.cut, self.cut_after = slow_down, cut, cut_after
        self.faults = 0
        self._lock = threading.Lock()

    def __enter__(self):
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        # Closing alone does not wake the thread that accepts.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        with contextlib.suppress(OSError), client:
            if self._takes("slow_down"):
                self._refuse(client)
                return
            with socket.create_connection(("127.0.0.1", self.server_port)) as server:
                self._relay(client, server)

    def _takes(self, fault):
        """Whether this connection is one for the fault."""
        with self._lock:
            left = getattr(self, fault)
            if left > 0:
                setattr(self, fault, left - 1)
                self.faults += 1
            return left > 0

    def _refuse(self, client):
        head = b""
        while b"\r\n\r\n" not in head:
            piece = client.recv(65536)
            if not piece:
                with self._lock:  # no request came: the fault is for another connection
                    self.slow_down, self.faults = self.slow_down + 1, self.faults - 1
                return
            head += piece
        body = b"" if head.startswith(b"HEAD ") else SLOW_DOWN
        client.sendall(
            b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/xml\r\n"
            b"Connection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(SLOW_DOWN), body)
        )
        client.shutdown(socket.SHUT_WR)
        client.settimeout(5)  # what the client is still sending is read, so that no reset follows
        while client.recv(65536):
            pass

    # Both ways in one thread: a socket that another thread still reads from is not reset on close.
    def _relay(self, client, server):
        passed = 0
        open_ends = {client: server, server: client}
        while open_ends:
            for source in select.select(list(open_ends), [], [])[0]:
                piece = source.recv(65536)
                if not piece:
                    open_ends.pop(source).shutdown(socket.SHUT_WR)
                    continue
                passed += len(piece) if source is server else 0
                if passed > self.cut_after and self._takes("cut"):
                    reset_on_close = struct.pack("ii", 1, 0)
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset_on_close)
                    return
                open_ends[source].sendall(piece)
