"""Looks up host names in separate threads, so that a slow name server delays no game."""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from functools import partial


class Resolver:
    """Looks up host names. Call its methods with a deadline.

    Args:
        threads: the number of look-ups at a time.
    """

    def __init__(self, threads: int) -> None:
        self._threads = ThreadPoolExecutor(threads, "names")

    async def addresses(self, host: str, port: int) -> list[str]:
        """Return the addresses of a host, at least one. Raise `OSError` if there is none, and
        `UnicodeError` if the name is malformed.
        """
        look = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
        found = await asyncio.get_running_loop().run_in_executor(self._threads, look)
        return [str(each[4][0]) for each in found]

    async def connected(self, host: str, port: int) -> socket.socket:
        """Return a socket connected to the first address of a host that answers. Raise `OSError` if
        none does.
        """
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
        """Stop the threads and cancel pending look-ups."""
        self._threads.shutdown(wait=False, cancel_futures=True)
