// A Porchlight module in C#: receives a visitor, starts a session of its own, is signed out both ways.
// docs/modules.md tells what it does and why, README.md how to start it. It needs ASP.NET Core 8 alone.

using System.Collections.Concurrent;
using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

var portal = Setting("PORTAL");
var module = Setting("MODULE");
var secret = Setting("SECRET");
var isHttps = Setting("ORIGIN").StartsWith("https:", StringComparison.Ordinal);
var cookieName = isHttps ? "__Host-session" : "session";
var sessionLife = TimeSpan.FromHours(8);

var http = new HttpClient(new SocketsHttpHandler { AllowAutoRedirect = false }) { Timeout = TimeSpan.FromSeconds(10) };
var keys = new KeySet(http, $"{portal}/api/Handoff/Keys");
var sessions = new ConcurrentDictionary<string, Session>();

var builder = WebApplication.CreateBuilder();
// Its request log would have the address, and with it the token.
builder.Logging.SetMinimumLevel(LogLevel.Warning);
builder.WebHost.UseUrls($"http://127.0.0.1:{Environment.GetEnvironmentVariable("PORT") ?? "8080"}");
var app = builder.Build();

app.Use(async (context, next) =>
{
    context.Response.Headers["Referrer-Policy"] = "no-referrer";
    context.Response.Headers.CacheControl = "no-store";
    context.Response.Headers.ContentSecurityPolicy = "default-src 'none'; frame-ancestors 'none'";
    try
    {
        await next(context);
    }
    catch (Exception error) when (error is Refused or HttpRequestException or TaskCanceledException or JsonException)
    {
        // The path alone: the query has the token.
        Console.WriteLine($"{context.Request.Path} refused: {error.Message}");
        await Answer(context, 403, "Please sign in again.", $"{portal}/account/signin");
    }
});
app.MapGet("/", Visit);
app.MapGet("/login", Visit);
app.MapGet("/sign-out", SignOut);
app.MapPost("/signed-out", SignedOut);
app.Run();

async Task Visit(HttpContext context)
{
    if (context.Request.Query.ContainsKey("token"))
    {
        var token = await VerifyArrival(context.Request.Query);
        var key = BeginSession(await Redeem(token));
        var options = new CookieOptions { Path = "/", HttpOnly = true, SameSite = SameSiteMode.Lax, Secure = isHttps };
        context.Response.Cookies.Append(cookieName, key, options);
        context.Response.Headers.Location = "/";
        context.Response.StatusCode = StatusCodes.Status303SeeOther;
        return;
    }
    if (Current(context) is not { } session)
    {
        await Answer(context, 401, "Nobody is signed in here.", $"{portal}/account/signin");
        return;
    }
    var person = session.Person;
    await Answer(context, 200, $"Welcome, {person.MemberName}. Role {person.RoleId}.", "/sign-out");
}

async Task SignOut(HttpContext context)
{
    if (Current(context) is not { } session)
    {
        await Answer(context, 401, "Nobody is signed in here.", $"{portal}/account/signin");
        return;
    }
    sessions.TryRemove(context.Request.Cookies[cookieName] ?? "", out _);
    var person = session.Person;
    var query = QueryString.Create(new Dictionary<string, string?>
    {
        ["success"] = "true",
        ["appState"] = person.AppState,
        ["loggenInId"] = person.LoggedInId,
        ["roleId"] = $"{person.RoleId}",
        ["userId"] = $"{person.UserId}",
    });
    context.Response.Cookies.Delete(cookieName, new CookieOptions { Path = "/", Secure = isHttps });
    context.Response.Headers.Location = $"{portal}/account/Signout{query}";
    context.Response.StatusCode = StatusCodes.Status303SeeOther;
}

// The portal's session is over: so is what began with it. A person may have other sessions.
async Task SignedOut(HttpContext context)
{
    try
    {
        if (!context.Request.HasFormContentType) throw new Refused("it is no form");
        var form = await context.Request.ReadFormAsync();
        var claims = await ClaimsOf(form["logout_token"].ToString(), "logout+jwt");
        var isEvent = claims.TryGetProperty("events", out var events)
            && events.ValueKind == JsonValueKind.Object
            && events.TryGetProperty("http://schemas.openid.net/event/backchannel-logout", out _);
        var (sid, sub) = (Text(claims, "sid"), Text(claims, "sub"));
        if (!isEvent || sid == "") throw new Refused("it does not say that a session is over");
        foreach (var (key, session) in sessions)
        {
            var isIt = session.Person.LoggedInId == sid && $"{session.Person.UserId}" == sub;
            if (isIt) sessions.TryRemove(key, out _);
        }
    }
    catch (Refused refused)
    {
        Console.WriteLine($"/signed-out refused: {refused.Message}");
        await Answer(context, 400, "That is no logout token for this module.", "");
        return;
    }
    await Answer(context, 200, "It is over.", "");
}

// The token of a visitor whose address is as the portal made it.
async Task<string> VerifyArrival(IQueryCollection query)
{
    string token;
    try
    {
        token = Encoding.ASCII.GetString(Convert.FromBase64String(query["token"].ToString()));
    }
    catch (FormatException)
    {
        throw new Refused("the token is not base64");
    }
    var claims = await ClaimsOf(token, "handoff+jwt");
    foreach (var name in new[] { "appState", "userId", "roleId", "loggenInId" })
    {
        if (query[name].ToString() != Text(claims, name)) throw new Refused($"{name} was changed on the way");
    }
    var hasCode = claims.TryGetProperty("amr", out var amr)
        && amr.ValueKind == JsonValueKind.Array
        && amr.EnumerateArray().Any(each => each.ValueKind == JsonValueKind.String && each.GetString() is "otp" or "mfa");
    if (!hasCode) throw new Refused("the sign-in had no second factor");
    return token;
}

// The claims of a token that the portal signed for this module.
async Task<JsonElement> ClaimsOf(string token, string kind)
{
    const long leeway = 30;
    var parts = token.Split('.');
    if (parts.Length != 3) throw new Refused("the token is none");
    JsonElement header, claims;
    byte[] signature;
    try
    {
        header = JsonSerializer.Deserialize<JsonElement>(Web.Decode(parts[0]));
        claims = JsonSerializer.Deserialize<JsonElement>(Web.Decode(parts[1]));
        signature = Web.Decode(parts[2]);
    }
    catch (Exception error) when (error is FormatException or JsonException)
    {
        throw new Refused("the token is none");
    }
    var areObjects = header.ValueKind == JsonValueKind.Object && claims.ValueKind == JsonValueKind.Object;
    if (!areObjects || Text(header, "alg") != "ES256" || Text(header, "typ") != kind)
        throw new Refused("the token is of another kind");
    using var key = ECDsa.Create(await keys.Find(Text(header, "kid")));
    var signed = Encoding.ASCII.GetBytes($"{parts[0]}.{parts[1]}");
    // The signature's form is that of JWS: r and s, one after the other.
    if (!key.VerifyData(signed, signature, HashAlgorithmName.SHA256, DSASignatureFormat.IeeeP1363FixedFieldConcatenation))
        throw new Refused("the token was changed");
    var now = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
    if (Text(claims, "iss") != portal) throw new Refused("the token is of another portal");
    if (Text(claims, "aud") != module) throw new Refused("the token is for another module");
    if (!(Number(claims, "exp") > now - leeway)) throw new Refused("the token has expired");
    // A logout token has no nbf.
    var from = Number(claims, kind == "handoff+jwt" ? "nbf" : "iat");
    if (!(from < now + leeway)) throw new Refused("the token is of the future");
    return claims;
}

// Who it is; once, from server to server.
async Task<Person> Redeem(string token)
{
    using var request = new HttpRequestMessage(HttpMethod.Post, $"{portal}/api/Handoff/Redeem");
    var basic = Convert.ToBase64String(Encoding.UTF8.GetBytes($"{module}:{secret}"));
    request.Headers.Authorization = new AuthenticationHeaderValue("Basic", basic);
    request.Content = JsonContent.Create(new { token });
    using var response = await http.SendAsync(request);
    Envelope? answer;
    try
    {
        answer = JsonSerializer.Deserialize<Envelope>(await response.Content.ReadAsByteArrayAsync(), Web.Options);
    }
    catch (JsonException)
    {
        // A proxy that stands between may have answered with a page.
        throw new Refused($"Redeem: {(int)response.StatusCode} without an envelope");
    }
    if (!response.IsSuccessStatusCode || answer?.Data is not { } person)
        throw new Refused($"Redeem: {(int)response.StatusCode} {answer?.ErrorFlag}");
    return person;
}

// A session of this module's own. Old ones go.
string BeginSession(Person person)
{
    var now = Environment.TickCount64;
    foreach (var (old, session) in sessions)
    {
        if (session.Until < now) sessions.TryRemove(old, out _);
    }
    var key = Convert.ToHexString(RandomNumberGenerator.GetBytes(32));
    sessions[key] = new Session(now + (long)sessionLife.TotalMilliseconds, person);
    return key;
}

Session? Current(HttpContext context) =>
    sessions.TryGetValue(context.Request.Cookies[cookieName] ?? "", out var session) && session.Until > Environment.TickCount64
        ? session
        : null;

Task Answer(HttpContext context, int status, string text, string link)
{
    var encoder = HtmlEncoder.Default;
    var more = link == "" ? "" : $"<p><a href=\"{encoder.Encode(link)}\">Go on</a></p>";
    context.Response.StatusCode = status;
    context.Response.ContentType = "text/html; charset=utf-8";
    return context.Response.WriteAsync($"<!doctype html><title>{module}</title><p>{encoder.Encode(text)}</p>{more}");
}

static string Setting(string name) =>
    Environment.GetEnvironmentVariable(name) ?? throw new InvalidOperationException($"{name} is not set");

// Text and numbers as the query writes them; '' for what is not there.
static string Text(JsonElement claims, string name) =>
    !claims.TryGetProperty(name, out var value) ? ""
    : value.ValueKind == JsonValueKind.String ? value.GetString() ?? ""
    : value.ValueKind == JsonValueKind.Number ? value.GetRawText()
    : "";

static long? Number(JsonElement claims, string name) =>
    claims.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.Number && value.TryGetInt64(out var number)
        ? number
        : null;

/// <summary>The visitor is told to sign in again; the reason is for the log.</summary>
sealed class Refused(string message) : Exception(message);

sealed record Person(long UserId, string MemberName, int RoleId, string AppState, string LoggedInId);

sealed record Session(long Until, Person Person);

sealed record Envelope(string? ErrorFlag, Person? Data);

sealed record Jwk(string Kid, string X, string Y);

sealed record JwkSet(List<Jwk> Keys);

static class Web
{
    public static readonly JsonSerializerOptions Options = new(JsonSerializerDefaults.Web);

    /// <summary>Decodes base64url. Throws FormatException.</summary>
    public static byte[] Decode(string part)
    {
        var text = part.Replace('-', '+').Replace('_', '/');
        return Convert.FromBase64String(text.PadRight(text.Length + (4 - text.Length % 4) % 4, '='));
    }
}

/// <summary>The portal's keys: kept for five minutes; an unknown kid asks again, at most once a minute.</summary>
sealed class KeySet(HttpClient http, string address)
{
    private readonly SemaphoreSlim turn = new(1);
    private Dictionary<string, ECParameters> known = [];
    private long? askedAt;

    public async Task<ECParameters> Find(string kid)
    {
        await turn.WaitAsync();
        try
        {
            var age = askedAt is { } at ? TimeSpan.FromMilliseconds(Environment.TickCount64 - at) : TimeSpan.MaxValue;
            if (age > TimeSpan.FromMinutes(5) || (!known.ContainsKey(kid) && age > TimeSpan.FromMinutes(1)))
            {
                var set = await http.GetFromJsonAsync<JwkSet>(address, Web.Options);
                known = (set?.Keys ?? []).ToDictionary(key => key.Kid, ToParameters);
                askedAt = Environment.TickCount64;
            }
            return known.TryGetValue(kid, out var found) ? found : throw new Refused("the token is signed by no key of the portal");
        }
        finally
        {
            turn.Release();
        }
    }

    private static ECParameters ToParameters(Jwk key) => new()
    {
        Curve = ECCurve.NamedCurves.nistP256,
        Q = new ECPoint { X = Web.Decode(key.X), Y = Web.Decode(key.Y) },
    };
}
