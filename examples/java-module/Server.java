import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/**
 * A Porchlight module in Java: receives a visitor, starts a session of its own, is signed out both ways.
 * docs/modules.md tells what it does and why, README.md how to start it. It needs the JDK alone.
 */
public final class Server {
    private static final String PORTAL = System.getenv("PORTAL");
    private static final String MODULE = System.getenv("MODULE");
    private static final String SECRET = System.getenv("SECRET");
    private static final boolean IS_HTTPS = System.getenv("ORIGIN").startsWith("https:");
    private static final String COOKIE = IS_HTTPS ? "__Host-session" : "session";
    private static final String LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
    private static final long LEEWAY_S = 30;
    private static final long KEYS_MS = Duration.ofMinutes(5).toMillis();
    private static final long ASK_AGAIN_MS = Duration.ofMinutes(1).toMillis();
    private static final long SESSION_MS = Duration.ofHours(8).toMillis();
    private static final int FORM_BYTES = 16_384;

    /** Follows no redirect, as it is made: the target would get the secret. */
    private static final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private static final Map<String, Session> sessions = new ConcurrentHashMap<>();
    private static Map<String, PublicKey> keys = Map.of();
    private static long keysAt = -KEYS_MS;

    private record Session(long until, Map<?, ?> person) {}

    /** The visitor is told to sign in again; the reason is for the log. */
    private static final class Refused extends Exception {
        Refused(String message) {
            super(message);
        }
    }

    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8080"));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.createContext("/", exchange -> {
            try {
                handle(exchange);
            } catch (Exception error) {
                // The path alone: the query has the token. A portal that cannot be reached ends here, too.
                System.out.println(exchange.getRequestURI().getPath() + " refused: " + error.getMessage());
                answer(exchange, 403, "Please sign in again.", PORTAL + "/account/signin");
            } finally {
                exchange.close();
            }
        });
        server.start();
    }

    private static void handle(HttpExchange exchange) throws Exception {
        String path = exchange.getRequestURI().getPath();
        if (exchange.getRequestMethod().equals("POST") && path.equals("/signed-out")) {
            signedOut(exchange);
            return;
        }
        boolean isKnown = List.of("/", "/login", "/sign-out").contains(path);
        if (!exchange.getRequestMethod().equals("GET") || !isKnown) {
            answer(exchange, 404, "There is nothing here.", "");
            return;
        }
        Map<String, String> query = form(exchange.getRequestURI().getRawQuery());
        if (query.containsKey("token")) {
            String key = beginSession(redeem(verifyArrival(query)));
            redirect(exchange, "/", COOKIE + "=" + key + "; Path=/; HttpOnly; SameSite=Lax" + (IS_HTTPS ? "; Secure" : ""));
            return;
        }
        String key = cookie(exchange);
        Session session = sessions.get(key);
        if (session == null || session.until() < now()) {
            answer(exchange, 401, "Nobody is signed in here.", PORTAL + "/account/signin");
            return;
        }
        Map<?, ?> person = session.person();
        if (path.equals("/sign-out")) {
            sessions.remove(key);
            String to = PORTAL + "/account/Signout?success=true"
                + "&appState=" + encode(person.get("appState")) + "&loggenInId=" + encode(person.get("loggedInId"))
                + "&roleId=" + encode(person.get("roleId")) + "&userId=" + encode(person.get("userId"));
            redirect(exchange, to, COOKIE + "=; Path=/; Max-Age=0");
            return;
        }
        answer(exchange, 200, "Welcome, " + person.get("memberName") + ". Role " + person.get("roleId") + ".", "/sign-out");
    }

    /** The portal's session is over: so is what began with it. A person may have other sessions. */
    private static void signedOut(HttpExchange exchange) throws Exception {
        byte[] body = exchange.getRequestBody().readNBytes(FORM_BYTES);
        try {
            Map<?, ?> claims = claimsOf(form(new String(body, StandardCharsets.US_ASCII)).getOrDefault("logout_token", ""), "logout+jwt");
            boolean isEvent = claims.get("events") instanceof Map<?, ?> events && events.containsKey(LOGOUT_EVENT);
            if (!isEvent || !(claims.get("sid") instanceof String sid)) {
                throw new Refused("it does not say that a session is over");
            }
            String sub = String.valueOf(claims.get("sub"));
            sessions.values().removeIf(each -> sid.equals(each.person().get("loggedInId"))
                && sub.equals(String.valueOf(each.person().get("userId"))));
        } catch (Refused refused) {
            System.out.println("/signed-out refused: " + refused.getMessage());
            answer(exchange, 400, "That is no logout token for this module.", "");
            return;
        }
        answer(exchange, 200, "It is over.", "");
    }

    /** The token of a visitor whose address is as the portal made it. */
    private static String verifyArrival(Map<String, String> query) throws Exception {
        String token;
        try {
            token = new String(Base64.getDecoder().decode(query.get("token")), StandardCharsets.US_ASCII);
        } catch (IllegalArgumentException error) {
            throw new Refused("the token is not base64");
        }
        Map<?, ?> claims = claimsOf(token, "handoff+jwt");
        for (String name : List.of("appState", "userId", "roleId", "loggenInId")) {
            if (!String.valueOf(claims.get(name)).equals(query.get(name))) {
                throw new Refused(name + " was changed on the way");
            }
        }
        if (!(claims.get("amr") instanceof List<?> amr) || !(amr.contains("otp") || amr.contains("mfa"))) {
            throw new Refused("the sign-in had no second factor");
        }
        return token;
    }

    /** The claims of a token that the portal signed for this module. */
    private static Map<?, ?> claimsOf(String token, String kind) throws Exception {
        String[] parts = token.split("\\.", -1);
        if (parts.length != 3) {
            throw new Refused("the token is none");
        }
        Map<?, ?> header;
        Map<?, ?> claims;
        byte[] signature;
        try {
            header = (Map<?, ?>) Json.read(text(parts[0]));
            claims = (Map<?, ?>) Json.read(text(parts[1]));
            signature = Base64.getUrlDecoder().decode(parts[2]);
        } catch (IllegalArgumentException | ClassCastException error) {
            throw new Refused("the token is none");
        }
        if (!"ES256".equals(header.get("alg")) || !kind.equals(header.get("typ"))) {
            throw new Refused("the token is of another kind");
        }
        Signature verifier = Signature.getInstance("SHA256withECDSAinP1363Format");
        verifier.initVerify(keyOf(String.valueOf(header.get("kid"))));
        verifier.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
        if (signature.length != 64 || !verifier.verify(signature)) {
            throw new Refused("the token was changed");
        }
        long seconds = System.currentTimeMillis() / 1000;
        if (!PORTAL.equals(claims.get("iss"))) {
            throw new Refused("the token is of another portal");
        }
        if (!MODULE.equals(claims.get("aud"))) {
            throw new Refused("the token is for another module");
        }
        if (!(claims.get("exp") instanceof Long exp) || exp <= seconds - LEEWAY_S) {
            throw new Refused("the token has expired");
        }
        // A logout token has no nbf.
        Object from = claims.get(kind.equals("handoff+jwt") ? "nbf" : "iat");
        if (!(from instanceof Long begin) || begin >= seconds + LEEWAY_S) {
            throw new Refused("the token is of the future");
        }
        return claims;
    }

    /** Kept for five minutes; an unknown kid asks again, at most once a minute. */
    private static synchronized PublicKey keyOf(String kid) throws Exception {
        long age = now() - keysAt;
        if (age >= KEYS_MS || (!keys.containsKey(kid) && age > ASK_AGAIN_MS)) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(PORTAL + "/api/Handoff/Keys")).timeout(Duration.ofSeconds(10)).build();
            Map<?, ?> set = (Map<?, ?>) Json.read(client.send(request, HttpResponse.BodyHandlers.ofString()).body());
            Map<String, PublicKey> found = new LinkedHashMap<>();
            for (Object each : (List<?>) set.get("keys")) {
                Map<?, ?> jwk = (Map<?, ?>) each;
                found.put(String.valueOf(jwk.get("kid")), publicKey(jwk));
            }
            keys = found;
            keysAt = now();
        }
        PublicKey key = keys.get(kid);
        if (key == null) {
            throw new Refused("the token is signed by no key of the portal");
        }
        return key;
    }

    private static PublicKey publicKey(Map<?, ?> jwk) throws GeneralSecurityException {
        AlgorithmParameters curve = AlgorithmParameters.getInstance("EC");
        curve.init(new ECGenParameterSpec("secp256r1"));
        ECPoint point = new ECPoint(number(jwk.get("x")), number(jwk.get("y")));
        return KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(point, curve.getParameterSpec(ECParameterSpec.class)));
    }

    private static BigInteger number(Object part) {
        return new BigInteger(1, Base64.getUrlDecoder().decode((String) part));
    }

    /** Who it is; once, from server to server. */
    private static Map<?, ?> redeem(String token) throws Exception {
        String basic = Base64.getEncoder().encodeToString((MODULE + ":" + SECRET).getBytes(StandardCharsets.UTF_8));
        // What was verified is base64url and dots alone.
        HttpRequest request = HttpRequest.newBuilder(URI.create(PORTAL + "/api/Handoff/Redeem"))
            .timeout(Duration.ofSeconds(10))
            .header("Authorization", "Basic " + basic)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"token\":\"" + token + "\"}"))
            .build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        Object answer;
        try {
            answer = Json.read(response.body());
        } catch (IllegalArgumentException error) {
            // A proxy that stands between may have answered with a page.
            throw new Refused("Redeem: " + response.statusCode() + " without an envelope");
        }
        Map<?, ?> envelope = answer instanceof Map<?, ?> map ? map : Map.of();
        if (response.statusCode() != 200 || !(envelope.get("data") instanceof Map<?, ?> person)) {
            throw new Refused("Redeem: " + response.statusCode() + " " + envelope.get("errorFlag"));
        }
        return person;
    }

    /** A session of this module's own. Old ones go. */
    private static String beginSession(Map<?, ?> person) {
        sessions.values().removeIf(each -> each.until() < now());
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        String key = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        sessions.put(key, new Session(now() + SESSION_MS, person));
        return key;
    }

    /** Steady: it does not jump when somebody sets the clock. */
    private static long now() {
        return System.nanoTime() / 1_000_000;
    }

    private static String cookie(HttpExchange exchange) {
        for (String line : exchange.getRequestHeaders().getOrDefault("Cookie", List.of())) {
            for (String pair : line.split("; *")) {
                if (pair.startsWith(COOKIE + "=")) {
                    return pair.substring(COOKIE.length() + 1);
                }
            }
        }
        return "";
    }

    private static Map<String, String> form(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String pair : (text == null ? "" : text).split("&")) {
            int at = pair.indexOf('=');
            if (at > 0) {
                values.putIfAbsent(decode(pair.substring(0, at)), decode(pair.substring(at + 1)));
            }
        }
        return values;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static String encode(Object value) {
        return URLEncoder.encode(String.valueOf(value), StandardCharsets.UTF_8);
    }

    private static String text(String part) {
        return new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8);
    }

    private static void redirect(HttpExchange exchange, String location, String cookie) throws IOException {
        exchange.getResponseHeaders().set("Location", location);
        exchange.getResponseHeaders().set("Set-Cookie", cookie);
        send(exchange, 303, "");
    }

    private static void answer(HttpExchange exchange, int status, String text, String link) throws IOException {
        String more = link.isEmpty() ? "" : "<p><a href=\"" + escape(link) + "\">Go on</a></p>";
        send(exchange, status, "<!doctype html><title>" + MODULE + "</title><p>" + escape(text) + "</p>" + more);
    }

    private static void send(HttpExchange exchange, int status, String html) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
        exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.getResponseHeaders().set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
        byte[] bytes = html.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }

    /** JSON (RFC 8259), because the JDK has none; a real module takes a library. Whole numbers are Long. */
    private static final class Json {
        private static final int MOST_LEVELS = 20;
        private final String text;
        private int at = 0;

        private Json(String text) {
            this.text = text;
        }

        /** Throws IllegalArgumentException. */
        static Object read(String text) {
            Json json = new Json(text);
            Object value = json.value(0);
            if (json.peek() != 0) {
                throw json.wrong();
            }
            return value;
        }

        private Object value(int level) {
            if (level > MOST_LEVELS) {
                throw wrong();
            }
            char next = peek();
            if (next == '{') {
                Map<String, Object> map = new LinkedHashMap<>();
                for (boolean isFirst = true; !ends('}', isFirst); isFirst = false) {
                    String name = string();
                    expect(':');
                    map.put(name, value(level + 1));
                }
                return map;
            }
            if (next == '[') {
                List<Object> list = new ArrayList<>();
                for (boolean isFirst = true; !ends(']', isFirst); isFirst = false) {
                    list.add(value(level + 1));
                }
                return list;
            }
            if (next == '"') {
                return string();
            }
            int begin = at;
            while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || "+-.".indexOf(text.charAt(at)) >= 0)) {
                at++;
            }
            String word = text.substring(begin, at);
            return switch (word) {
                case "true" -> true;
                case "false" -> false;
                case "null" -> null;
                default -> word.matches("-?[0-9]{1,18}") ? (Object) Long.valueOf(word) : Double.valueOf(word);
            };
        }

        /** Whether a list or an object ends here; steps over its bracket or comma. */
        private boolean ends(char bracket, boolean isFirst) {
            if (isFirst) {
                at++;
            }
            if (peek() == bracket) {
                at++;
                return true;
            }
            if (!isFirst) {
                expect(',');
            }
            return false;
        }

        private String string() {
            expect('"');
            StringBuilder out = new StringBuilder();
            while (at < text.length() && text.charAt(at) != '"') {
                char next = text.charAt(at++);
                if (next != '\\') {
                    out.append(next);
                    continue;
                }
                char escaped = at < text.length() ? text.charAt(at++) : 0;
                int plain = "\"\\/bfnrt".indexOf(escaped);
                if (plain >= 0) {
                    out.append("\"\\/\b\f\n\r\t".charAt(plain));
                } else if (escaped == 'u' && at + 4 <= text.length()) {
                    out.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    at += 4;
                } else {
                    throw wrong();
                }
            }
            expect('"');
            return out.toString();
        }

        /** What comes next, or 0 at the end. */
        private char peek() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            return at < text.length() ? text.charAt(at) : 0;
        }

        private void expect(char wanted) {
            if (peek() != wanted) {
                throw wrong();
            }
            at++;
        }

        private IllegalArgumentException wrong() {
            return new IllegalArgumentException("This is no JSON, at " + at);
        }
    }
}
