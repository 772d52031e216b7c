"""The service's Ed25519 key: made on the first start, kept in a file that its owner alone may read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from beliefmerge.errors import UsageError
from beliefmerge.ledger.core.heads import statement
from beliefmerge.ledger.store.files import make_directory, sync, sync_directory
from beliefmerge.ledger.store.log import Head
from beliefmerge.ledger.wire import SignedHead

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class Signer:
    """Signs heads. `public_key` is in hex."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public_key = key.public_key().public_bytes_raw().hex()

    @classmethod
    def open(cls, path: Path) -> Signer:
        """The key in the file `path`, made where there is none. Raises UsageError."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        try:
            if not path.exists():
                _make(path)
            seed = bytes.fromhex(path.read_text(encoding="ascii").strip())
            return cls(Ed25519PrivateKey.from_private_bytes(seed))
        except (OSError, ValueError) as error:
            cause = error.strerror if isinstance(error, OSError) else "no Ed25519 key (64 hexadecimal digits)"
            raise UsageError(f"{path}: {cause}") from None

    def sign(self, tenant: str, head: Head) -> SignedHead:
        """The statement that `tenant`'s chain ends at `head`, signed."""
        digest = head.hash.hex()
        signature = self.sign_bytes(statement(tenant, head.seq, digest)).hex()
        return SignedHead(tenant=tenant, seq=head.seq, hash=digest, public_key=self.public_key, signature=signature)

    def sign_bytes(self, message: bytes) -> bytes:
        """The signature of `message`: 64 bytes."""
        return self._key.sign(message)


def _make(path: Path) -> None:
    """Write a new key under another name, then give it its own: of two that start at once, one's key is kept."""
    make_directory(path.parent, 0o700)
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(handle, os.urandom(32).hex().encode() + b"\n")
        sync(handle)
    finally:
        os.close(handle)
    try:
        os.link(new, path)
    except FileExistsError:
        pass
    finally:
        new.unlink()
    sync_directory(path.parent)
