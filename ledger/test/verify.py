"""Verifies receipts with nothing but Python's standard library: VKEY as argument; on each line of standard input a file's SHA-256 in
hexadecimal and the receipt in base64. Prints for each what happened to the file: "published", "received" (somebody sent it to the organisation), the
name of another event, or "no" when it is not proved. Knows RFC 6962, RFC 8032 and three C2SP formats, and none of the product's code."""
import sys, base64, functools
from hashlib import sha256, sha512

P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P

def point(raw):
    y = int.from_bytes(raw, "little") & (1 << 255) - 1
    xx = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(xx, (P + 3) // 8, P)
    x = x if x * x % P == xx else x * pow(2, (P - 1) // 4, P) % P
    assert y < P and x * x % P == xx
    x = x if x & 1 == raw[31] >> 7 else P - x
    return x, y, 1, x * y % P

def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P

def times(k, p):
    q = (0, 1, 1, 0)
    for bit in bin(k)[2:]:
        q = add(q, q) if bit == "0" else add(add(q, q), p)
    return q

@functools.cache
def signed(text, signature, key):
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    k = int.from_bytes(sha512(r + key + text).digest(), "little") % L
    base = point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    one, other = times(s, base), add(point(r), times(k, point(key)))
    return s < L and all((one[i] * other[2] - other[i] * one[2]) % P == 0 for i in (0, 1))

EVENTS = {1: "published", 2: "STATE_CHANGED", 3: "NOTIFIED", 4: "received", 5: "RETENTION_EXTENDED", 6: "FORGOTTEN"}

def text(body):  # behind its length of two bytes
    end = 2 + int.from_bytes(body[:2], "big")
    assert len(body) >= end
    body[2:end].decode()
    return body[end:]

def verify(checksum, receipt, vkey):
    name, key_id, key = vkey.split("+", 2)
    head, note, signatures = receipt.decode().split("\n\n")
    first, extra, index, *proof = head.split("\n")
    origin, size, root = note.split("\n")[:3]
    index, size, statement = int(index[6:]), int(size), base64.b64decode(extra[6:], validate=True)
    body = text(statement[25:])  # after the label, the event, the time and the document
    named, rest = body[:32].hex(), text(body[40:])  # after the size and the owner: type, state, three hashes
    event, public = EVENTS[statement[16]], rest[0] == 1
    assert statement[:16] == b"tn.statement/v1\0" and rest[0] in (1, 2, 3) and rest[1] in (1, 2, 3, 4, 5) and len(rest) == 98
    assert max(int.from_bytes(statement[17:25], "big"), int.from_bytes(body[32:40], "big")) < 2**53
    entry = b"\x02" + statement if public else b"\x01" + sha256(statement).digest()
    node, at, last = sha256(b"\x00" + entry).digest(), index, size - 1
    for sibling in (base64.b64decode(line, validate=True) for line in proof):
        left = at & 1 or at == last
        node = sha256(b"\x01" + (sibling + node if left else node + sibling)).digest()
        while left and not at & 1 and at:
            at, last = at >> 1, last >> 1
        at, last = at >> 1, last >> 1
    own = [base64.b64decode(line.split(" ")[2]) for line in signatures.splitlines() if line.startswith(f"— {name} ")]
    right = [signed(note.encode() + b"\n", raw[4:], base64.b64decode(key)[1:]) for raw in own if raw[:4].hex() == key_id]
    proved = named == checksum and index < size and last == 0 and node == base64.b64decode(root) and origin == name and right != [] and all(right)
    return event if proved else "no"

for line in sys.stdin:
    try:
        print(verify(line.split()[0], base64.b64decode(line.split()[1]), sys.argv[1]))
    except Exception:
        print("no")
