"""Looks up the addresses of host names in threads of its own, so that a name server that does not
answer holds up nobody who plays."""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from functools import partial


class Resolver:
    """`threads`: how many names it looks up at a time. Its methods are to be called with a
    deadline."""

    def __init__(self, threads: int) -> None:
        self._threads = ThreadPoolExecutor(threads, "names")

    async def addresses(self, host: str, port: int) -> list[str]:
        """The addresses of a host, at least one. OSError if there is none, UnicodeError for what is
        no name."""
        look = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        found = await asyncio.get_running_loop().run_in_executor(self._threads, look)
        return [str(each[4][0]) for each in found]

    async def connected(self, host: str, port: int) -> socket.socket:
        """A socket that is connected to a host: to the first of its addresses that answers.
        OSError."""
        trouble: OSError = OSError("no address")
        for address in await self.addresses(host, port):
            made = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
            made.setblocking(False)
            try:
                await asyncio.get_running_loop().sock_connect(made, (address, port))
            except OSError as error:
                trouble = error
                made.close()
            except BaseException:
                made.close()
                raise
            else:
                return made
        raise trouble

    def close(self) -> None:
        """No name is looked up any more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
