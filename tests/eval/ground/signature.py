"""The check of a signed request: AWS's Signature Version 4, with which its command line signs what it sends."""

import hashlib
import hmac
import re
import urllib.parse


def derived(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def is_signed(secret: str, method: str, target: str, headers: dict[str, str], body: bytes = b"") -> bool:
    """Whether the request was signed with this secret. The names of `headers` are in lower case."""
    found = re.fullmatch(
        r"AWS4-HMAC-SHA256 Credential=[^/]+/(\d{8})/([\w-]+)/([\w-]+)/aws4_request, ?"
        r"SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})",
        headers.get("authorization", ""),
    )
    if not found:
        return False
    day, region, service, names, signature = found.groups()
    path, _, query = target.partition("?")
    if service != "s3":
        # Only S3 signs a path as it is sent.
        path = urllib.parse.quote(path)
    pairs = sorted(pair if "=" in pair else pair + "=" for pair in query.split("&") if pair)
    lines = "".join(f"{name}:{' '.join(headers.get(name, '').split())}\n" for name in names.split(";"))
    payload = headers.get("x-amz-content-sha256") or hashlib.sha256(body).hexdigest()
    if re.fullmatch("[0-9a-f]{64}", payload) and payload != hashlib.sha256(body).hexdigest():
        return False
    request = "\n".join([method, path, "&".join(pairs), lines, names, payload])
    scope = f"{day}/{region}/{service}/aws4_request"
    text = "\n".join(
        ["AWS4-HMAC-SHA256", headers.get("x-amz-date", ""), scope, hashlib.sha256(request.encode()).hexdigest()]
    )
    key = f"AWS4{secret}".encode()
    for part in (day, region, service, "aws4_request"):
        key = derived(key, part)
    return hmac.compare_digest(derived(key, text).hex(), signature)
