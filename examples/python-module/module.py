"""A Porchlight module in Python: receives a visitor, starts a session of its own, signs out.

docs/modules.md tells what it does and why. It needs PyJWT 2.6 or newer with cryptography (Debian: python3-jwt), and:

    PORTAL=https://login.example.org MODULE=admin SECRET=... ORIGIN=https://admin.example.org PORT=8080 python3 module.py
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

PORTAL = os.environ["PORTAL"]
MODULE = os.environ["MODULE"]
SECRET = os.environ["SECRET"]
ORIGIN = os.environ["ORIGIN"]
HINTS = ("appState", "userId", "roleId", "loggenInId")
SESSION_SECONDS = 8 * 3600
IS_HTTPS = ORIGIN.startswith("https:")
COOKIE = "__Host-session" if IS_HTTPS else "session"

keys = jwt.PyJWKClient(f"{PORTAL}/api/Handoff/Keys", cache_keys=True, lifespan=300)
sessions = {}
lock = threading.Lock()


class Refused(Exception):
    """The visitor is told to sign in again; the reason is for the log."""


def verify(query):
    """The token and its claims. Raises Refused."""
    try:
        token = base64.b64decode(query.get("token", ""), validate=True).decode("ascii")
        if jwt.get_unverified_header(token).get("typ") != "handoff+jwt":
            raise Refused("the token is of another kind")
        claims = jwt.decode(
            token,
            keys.get_signing_key_from_jwt(token).key,
            algorithms=["ES256"],
            audience=MODULE,
            issuer=PORTAL,
            leeway=30,
            options={"require": ["exp", "nbf", "iat", "sub", "jti"]},
        )
    except (ValueError, jwt.PyJWTError) as error:
        raise Refused(f"the token: {error}") from error
    for name in HINTS:
        if query.get(name) != str(claims.get(name)):
            raise Refused(f"{name} was changed on the way")
    if "otp" not in claims.get("amr", []):
        raise Refused("the sign-in had no second factor")
    return token, claims


def redeem(token):
    """Who it is; once, from server to server. Raises Refused."""
    basic = base64.b64encode(f"{MODULE}:{SECRET}".encode()).decode()
    request = urllib.request.Request(
        f"{PORTAL}/api/Handoff/Redeem",
        data=json.dumps({"token": token}).encode(),
        headers={"Authorization": f"Basic {basic}", "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return json.load(response)["data"]
    except urllib.error.HTTPError as error:
        raise Refused(f"Redeem: {error.code} {json.load(error)['errorFlag']}") from error


def begin_session(person):
    """A session of this module's own. Old ones go."""
    key = secrets.token_urlsafe(32)
    now = time.monotonic()
    with lock:
        for old in [k for k, (until, _) in sessions.items() if until < now]:
            del sessions[old]
        sessions[key] = (now + SESSION_SECONDS, person)
    return key


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(address.query))
        if address.path not in ("/", "/login", "/sign-out"):
            return self.answer(404, "There is nothing here.")
        if "token" in query:
            return self.receive(query)
        key = self.session_key()
        _, person = sessions.get(key, (0, None))
        if person is None:
            return self.answer(401, "Nobody is signed in here.", link=f"{PORTAL}/account/signin")
        if address.path == "/sign-out":
            return self.sign_out(key, person)
        name = html.escape(person["memberName"])
        return self.answer(200, f"Welcome, {name}. Role {person['roleId']}.", link="/sign-out")

    def receive(self, query):
        try:
            token, _ = verify(query)
            person = redeem(token)
        except Refused as refused:
            self.log_message("refused: %s", refused)
            return self.answer(403, "Please sign in again.", link=f"{PORTAL}/account/signin")
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
