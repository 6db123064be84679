"""Receivers of notifications on this machine: a mail server, and web hooks with various faults."""

import asyncio
import threading
import zlib
from contextlib import asynccontextmanager, contextmanager


class MailSink:
    """Receives letters, and stores their recipients and text.

    Args:
        silent: accept connections and send nothing.
        drips: send the greeting one character at a time, without end.
    """

    def __init__(self, silent=False, drips=False):
        self.silent, self.drips, self.letters, self.port, self.open = silent, drips, [], 0, 0

    async def serve(self, reader, writer):
        def say(text):
            writer.write(f"{text}\r\n".encode())

        if self.silent or self.drips:
            self.open += 1
            gone = asyncio.create_task(reader.read())
            while not gone.done():
                writer.write(b"2" if self.drips else b"")
                await asyncio.sleep(0.01)
            self.open -= 1
            writer.close()
            return
        say("220 here")
        to, text, data = [], [], False
        while line := (await reader.readline()).decode():
            word = line.strip()
            if data and word == ".":
                self.letters.append((to, "".join(text)))
                data = False
                say("250 taken")
            elif data:
                text.append(line)
            elif word.upper().startswith("RCPT TO:"):
                to.append(word[8:])
                say("250 yes")
            elif word.upper() == "DATA":
                data = True
                say("354 go on")
            elif word.upper() == "QUIT":
                say("221 bye")
                break
            else:
                say("250 yes")
        writer.close()


@asynccontextmanager
async def mail_sink(**how):
    sink = MailSink(**how)
    async with await asyncio.start_server(sink.serve, "127.0.0.1", 0) as server:
        sink.port = server.sockets[0].getsockname()[1]
        yield sink
        server.close()


@contextmanager
def mail_sink_beside():
    """The same in a thread, for a server in a separate process."""
    begun, sinks, ends = threading.Event(), [], []

    async def go():
        end = asyncio.Event()
        async with mail_sink() as sink:
            sinks.append(sink)
            ends.append((asyncio.get_running_loop(), end))
            begun.set()
            await end.wait()

    thread = threading.Thread(target=lambda: asyncio.run(go()))
    thread.start()
    begun.wait(300)
    yield sinks[0]
    loop, end = ends[0]
    loop.call_soon_threadsafe(end.set)
    thread.join(300)


class HookSink:
    """A server of web hooks: the received requests, and its answers by path."""

    def __init__(self):
        self.heads, self.sent, self.port, self.ended = [], 0, 0, asyncio.Event()

    async def serve(self, reader, writer):
        try:
            first = await reader.readexactly(1)
            if first == b"\x16":  # a TLS handshake
                return
            head = (first + await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            self.heads.append(head)
            async for chunk in self.answer(head.split()[1].split("?")[0]):
                writer.write(chunk)
                await writer.drain()
                self.sent += len(chunk)
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()
            self.ended.set()

    async def answer(self, path):
        if path == "/silent":
            await asyncio.Event().wait()
        elif path == "/drip":
            yield b"HTTP/1.1 200 OK\r\nx: "
            while True:
                yield b"a"
                await asyncio.sleep(0.01)
        elif path == "/head":
            yield b"HTTP/1.1 200 OK\r\n"
            while True:
                yield b"x: " + b"a" * 4096 + b"\r\n"
        elif path in ("/bomb", "/zipped"):
            yield (
                b"HTTP/1.1 200 OK\r\n"
                + (b"content-encoding: gzip\r\n" if path == "/zipped" else b"")
                + b"\r\n"
            )
            squeezed, zeros = zlib.compressobj(9, wbits=31), bytes(1 << 20)
            while True:
                yield (
                    squeezed.compress(zeros) + squeezed.flush(zlib.Z_SYNC_FLUSH)
                    if path == "/zipped"
                    else zeros
                )
                await asyncio.sleep(0)
        elif path.startswith("/to/"):
            yield (
                "HTTP/1.1 307 Elsewhere\r\nlocation:"
                f" http://{path[4:]}:{self.port}/\r\ncontent-length: 0\r\n\r\n".encode()
            )
        elif path == "/no":
            yield b"HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n"
        else:
            yield b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"


@asynccontextmanager
async def hook_sink(host="127.0.0.1", port=0):
    sink = HookSink()
    async with await asyncio.start_server(sink.serve, host, port) as server:
        sink.port = server.sockets[0].getsockname()[1]
        yield sink
        server.close()
