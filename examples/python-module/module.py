"""A Porchlight module in Python: receives a visitor, starts a session of its own, is signed out both ways.

docs/modules.md tells what it does and why, README.md how to start it.
"""

import base64
import html
import json
import os
import secrets
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.padding import MGF1, OAEP
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from jwt.utils import base64url_decode

PORTAL = os.environ["PORTAL"]
MODULE = os.environ["MODULE"]
SECRET = os.environ["SECRET"]
ORIGIN = os.environ["ORIGIN"]
LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout"
HINTS = ("appState", "userId", "roleId", "loggenInId")
SESSION_SECONDS = 8 * 3600
IS_HTTPS = ORIGIN.startswith("https:")
COOKIE = "__Host-session" if IS_HTTPS else "session"

KEYS_SECONDS = 300
ASK_AGAIN_SECONDS = 60

# Only a module that must have the password has a key.
private_key = None
if os.environ.get("KEY_FILE"):
    with open(os.environ["KEY_FILE"], "rb") as pem:
        private_key = load_pem_private_key(pem.read(), password=None)

keys = {}
keys_at = float("-inf")
keys_lock = threading.Lock()
sessions = {}
lock = threading.Lock()


class Refused(Exception):
    """The visitor is told to sign in again; the reason is for the log."""


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect is an error: its target would get the secret."""

    def redirect_request(self, *_):
        return None


portal = urllib.request.build_opener(NoRedirects)


def key_of(kid):
    """Kept for five minutes; an unknown `kid` asks again, at most once a minute. Raises Refused."""
    global keys, keys_at
    with keys_lock:
        age = time.monotonic() - keys_at
        if age > KEYS_SECONDS or (kid not in keys and age > ASK_AGAIN_SECONDS):
            with portal.open(f"{PORTAL}/api/Handoff/Keys", timeout=10) as response:
                key_set = jwt.PyJWKSet.from_dict(json.load(response))
            keys = {each.key_id: each.key for each in key_set.keys}
            keys_at = time.monotonic()
        if kid not in keys:
            raise Refused("the token is signed by no key of the portal")
        return keys[kid]


def verify(token, kind):
    """The claims of a token that the portal signed for this module. Raises Refused."""
    try:
        header = jwt.get_unverified_header(token)
        if header.get("typ") != kind:
            raise Refused("the token is of another kind")
        return jwt.decode(
            token,
            key_of(header.get("kid")),
            algorithms=["ES256"],
            audience=MODULE,
            issuer=PORTAL,
            leeway=30,
            options={"require": ["exp", "iat", "sub", "jti", *(["nbf"] if kind == "handoff+jwt" else [])]},
        )
    except (OSError, ValueError, jwt.PyJWTError) as error:
        raise Refused(f"the token: {error}") from error


def verify_arrival(query):
    """The token of a visitor whose address is as the portal made it. Raises Refused."""
    try:
        token = base64.b64decode(query.get("token", ""), validate=True).decode("ascii")
    except ValueError as error:
        raise Refused("the token is not base64") from error
    claims = verify(token, "handoff+jwt")
    for name in HINTS:
        if query.get(name) != str(claims.get(name)):
            raise Refused(f"{name} was changed on the way")
    if not {"otp", "mfa"} & set(claims.get("amr", [])):
        raise Refused("the sign-in had no second factor")
    return token


def redeem(token):
    """Who it is; once, from server to server. Raises Refused."""
    basic = base64.b64encode(f"{MODULE}:{SECRET}".encode()).decode()
    request = urllib.request.Request(
        f"{PORTAL}/api/Handoff/Redeem",
        data=json.dumps({"token": token}).encode(),
        headers={"Authorization": f"Basic {basic}", "Content-Type": "application/json"},
    )
    try:
        with portal.open(request, timeout=10) as response:
            return json.load(response)["data"]
    except urllib.error.HTTPError as error:
        raise Refused(f"Redeem: {error.code} {flag_of(error)}") from error
    except (OSError, ValueError) as error:
        raise Refused(f"Redeem: {error}") from error


def flag_of(error):
    """A proxy that stands between may have answered with a page."""
    try:
        return json.load(error)["errorFlag"]
    except (ValueError, KeyError, TypeError):
        return "without an envelope"


def open_credential(sealed, person):
    """The password of the sign-in that was redeemed; None when none came along. Raises Refused."""
    if not sealed or private_key is None:
        return None
    try:
        head, *parts = sealed.split(".")
        header = json.loads(base64url_decode(head))
        if (header["alg"], header["enc"]) != ("RSA-OAEP-256", "A256GCM"):
            raise ValueError("it is of another kind")
        wrapped, iv, body, tag = map(base64url_decode, parts)
        key = private_key.decrypt(wrapped, OAEP(MGF1(SHA256()), SHA256(), label=None))
        content = json.loads(AESGCM(key).decrypt(iv, body + tag, head.encode()))
        # Everybody has the public key: what binds it to this sign-in is inside.
        bound, password = (content["txn"], content["aud"]), content["pwd"]
    except (ValueError, KeyError, TypeError, InvalidTag) as error:
        raise Refused("the credential does not open") from error
    if bound != (person["appState"], MODULE):
        raise Refused("the credential is of another sign-in")
    return password


def begin_session(person):
    """A session of this module's own. Old ones go."""
    key = secrets.token_urlsafe(32)
    now = time.monotonic()
    with lock:
        for old in [k for k, (until, _) in sessions.items() if until < now]:
            del sessions[old]
        sessions[key] = (now + SESSION_SECONDS, person)
    return key


def end_sessions(sid, sub):
    """Those of one session of the portal; a person may have others."""
    with lock:
        for key, (_, person) in list(sessions.items()):
            if person["loggedInId"] == sid and str(person["userId"]) == sub:
                del sessions[key]


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(address.query))
        if address.path not in ("/", "/login", "/sign-out"):
            return self.answer(404, "There is nothing here.")
        if "token" in query:
            return self.receive(query)
        key = self.session_key()
        until, person = sessions.get(key, (0, None))
        if until < time.monotonic():
            person = None
        if person is None:
            return self.answer(401, "Nobody is signed in here.", link=f"{PORTAL}/account/signin")
        if address.path == "/sign-out":
            return self.sign_out(key, person)
        name = html.escape(person["memberName"])
        more = " Your password came along." if person["hasPassword"] else ""
        return self.answer(200, f"Welcome, {name}. Role {person['roleId']}.{more}", link="/sign-out")

    def do_POST(self):
        if self.path != "/signed-out":
            return self.answer(404, "There is nothing here.")
        try:
            length = min(int(self.headers.get("Content-Length", "0")), 16384)
            form = dict(urllib.parse.parse_qsl(self.rfile.read(length).decode("ascii")))
            claims = verify(form.get("logout_token", ""), "logout+jwt")
            if LOGOUT_EVENT not in claims.get("events", {}) or not claims.get("sid"):
                raise Refused("it does not say that a session is over")
        except (Refused, ValueError) as refused:
            self.log_message("refused: %s", refused)
            return self.answer(400, "That is no logout token for this module.")
        end_sessions(claims["sid"], claims["sub"])
        return self.answer(200, "It is over.")

    def receive(self, query):
        try:
            person = redeem(verify_arrival(query))
            password = open_credential(query.get("credential"), person)
        except Refused as refused:
            self.log_message("refused: %s", refused)
            return self.answer(403, "Please sign in again.", link=f"{PORTAL}/account/signin")
        # Here a module would use the password, at once; it is kept nowhere.
        person = {**person, "hasPassword": password is not None}
        cookie = f"{COOKIE}={begin_session(person)}; Path=/; HttpOnly; SameSite=Lax"
        return self.redirect("/", cookie + ("; Secure" if IS_HTTPS else ""))

    def sign_out(self, key, person):
        with lock:
            sessions.pop(key, None)
        ids = {"appState": "appState", "loggenInId": "loggedInId", "roleId": "roleId", "userId": "userId"}
        query = {"success": "true", **{name: person[field] for name, field in ids.items()}}
        return self.redirect(f"{PORTAL}/account/Signout?{urllib.parse.urlencode(query)}", f"{COOKIE}=; Path=/; Max-Age=0")

    def session_key(self):
        cookie = SimpleCookie(self.headers.get("Cookie", "")).get(COOKIE)
        return cookie.value if cookie else ""

    def redirect(self, location, cookie):
        self.send_response(303)
        self.send_header("Location", location)
        self.send_header("Set-Cookie", cookie)
        self.guard()

    def answer(self, status, text, link=None):
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.guard()
        more = f'<p><a href="{html.escape(link)}">Go on</a></p>' if link else ""
        self.wfile.write(f"<!doctype html><title>{MODULE}</title><p>{text}</p>{more}".encode())

    def guard(self):
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
        self.end_headers()

    def log_message(self, format, *args):
        # The path alone: the query has the token.
        print(self.path.split("?", 1)[0], format % args if "refused" in format else "", flush=True)


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Handler).serve_forever()
