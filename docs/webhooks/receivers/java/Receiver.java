// Receives webhooks from Querypost. Requires JDK 17 or newer and no libraries.
//
//     QUERYPOST_WEBHOOK_SECRET=whsec_… java Receiver.java
//
// It listens on localhost only: put your HTTPS proxy in front of it.

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class Receiver {
  static final int MAX_BODY_BYTES = 1024 * 1024;

  /** The request is not genuine. The message is an error code to log and return. */
  static final class VerificationError extends Exception {
    VerificationError(String code) {
      super(code);
    }
  }

  /** Decodes the secrets; during rotation there are several. */
  static List<byte[]> readKeys(List<String> secrets) {
    if (secrets.isEmpty() || !secrets.stream().allMatch(secret -> secret.matches("whsec_[A-Za-z0-9+/]{32,86}={0,2}"))) {
      throw new IllegalArgumentException(
          "bad_secret: QUERYPOST_WEBHOOK_SECRET must be the full whsec_… secret from the endpoint's settings");
    }
    return secrets.stream().map(secret -> Base64.getDecoder().decode(secret.substring("whsec_".length()))).toList();
  }

  /** Returns the verified event. `body` is the raw bytes; `header` returns all values of a header. */
  static Map<?, ?> verify(
      byte[] body, Function<String, List<String>> header, List<byte[]> keys, long nowSeconds, long toleranceSeconds)
      throws VerificationError, GeneralSecurityException {
    String id = one(header, "svc-webhook-id");
    String timestamp = one(header, "svc-webhook-timestamp");
    String signature = one(header, "svc-webhook-signature");
    // Strict formats for id and timestamp leave only one way to split the signed text.
    if (!id.matches("[A-Za-z0-9_-]{1,255}")) throw new VerificationError("bad_id");
    if (!timestamp.matches("[1-9][0-9]{0,11}")) throw new VerificationError("bad_timestamp");
    List<String> given = Arrays.stream(signature.split(" ")).filter(text -> text.matches("v1=[0-9a-f]{64}")).toList();
    if (given.isEmpty()) throw new VerificationError("bad_signature_format");

    boolean isGenuine = false;
    for (byte[] key : keys) {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.US_ASCII));
      byte[] expected = ("v1=" + HexFormat.of().formatHex(mac.doFinal(body))).getBytes(StandardCharsets.US_ASCII);
      for (String text : given) isGenuine |= MessageDigest.isEqual(expected, text.getBytes(StandardCharsets.US_ASCII));
    }
    if (!isGenuine) throw new VerificationError("signature_mismatch");

    long ageSeconds = nowSeconds - Long.parseLong(timestamp);
    if (ageSeconds > toleranceSeconds) throw new VerificationError("timestamp_too_old");
    if (ageSeconds < -toleranceSeconds) throw new VerificationError("timestamp_too_new");

    if (!(readJson(body) instanceof Map<?, ?> event)
        || !(event.get("id") instanceof String)
        || !(event.get("type") instanceof String)
        || !(event.get("data") instanceof Map)) throw new VerificationError("bad_envelope");
    if (!event.get("id").equals(id)) throw new VerificationError("id_mismatch");
    return event;
  }

  private static String one(Function<String, List<String>> header, String name) throws VerificationError {
    String value = String.join(", ", Objects.requireNonNullElse(header.apply(name), List.<String>of()));
    if (value.isEmpty()) throw new VerificationError("missing_header");
    if (value.contains(", ")) throw new VerificationError("duplicate_header");
    return value;
  }

  private static Object readJson(byte[] body) throws VerificationError {
    try {
      return new Json(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString()).read();
    } catch (CharacterCodingException | IllegalArgumentException | IndexOutOfBoundsException error) {
      throw new VerificationError("bad_envelope");
    }
  }

  /**
   * Stores the event as the file events/&lt;id>; returns false if it already exists. Process the files separately, after the
   * response. The file appears complete or not at all, even after a crash.
   */
  static boolean store(String id, byte[] body) throws IOException {
    Path folder = Files.createDirectories(Path.of("events"));
    Path temporary = Files.createTempFile(folder, ".", "");
    try (FileChannel file = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
      for (ByteBuffer rest = ByteBuffer.wrap(body); rest.hasRemaining(); ) file.write(rest);
      file.force(true);
      Files.createLink(folder.resolve(id), temporary);
      return true;
    } catch (FileAlreadyExistsException error) {
      return false;
    } finally {
      Files.delete(temporary);
    }
  }

  static void receive(HttpExchange exchange, List<byte[]> keys) throws IOException {
    int status = 500; // unless everything succeeds; the event will be sent again
    String text = "";
    try {
      byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
      boolean isHook = exchange.getRequestMethod().equals("POST") && exchange.getRequestURI().getPath().equals("/hook");
      if (!isHook) {
        status = 404;
      } else if (body.length > MAX_BODY_BYTES) {
        status = 413;
      } else {
        long nowSeconds = System.currentTimeMillis() / 1000;
        Map<?, ?> event = verify(body, exchange.getRequestHeaders()::get, keys, nowSeconds, 300);
        boolean isNew = store((String) event.get("id"), body);
        System.out.println((isNew ? "stored " : "duplicate ") + event.get("id") + " " + event.get("type"));
        status = 204;
      }
    } catch (VerificationError error) {
      status = 400;
      text = error.getMessage();
    } catch (Exception error) {
      error.printStackTrace();
    }
    byte[] answer = text.getBytes(StandardCharsets.US_ASCII);
    exchange.sendResponseHeaders(status, answer.length == 0 ? -1 : answer.length);
    try (exchange) {
      exchange.getResponseBody().write(answer);
    }
  }

  public static void main(String[] arguments) throws IOException {
    String secrets = Objects.requireNonNullElse(System.getenv("QUERYPOST_WEBHOOK_SECRET"), "");
    List<byte[]> keys = readKeys(List.of(secrets.split(" ", -1)));
    int port = Integer.parseInt(Objects.requireNonNullElse(System.getenv("PORT"), "4000"));
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext("/", exchange -> receive(exchange, keys));
    server.setExecutor(Executors.newFixedThreadPool(16));
    server.start();
    System.out.println("Listening on http://127.0.0.1:" + server.getAddress().getPort() + "/hook");
  }

  /**
   * The JDK has no JSON parser. This one implements the whole grammar and only sees signed bodies; replace it with Jackson or Gson
   * if you have one. Objects become Maps, arrays Lists, numbers Doubles.
   */
  static final class Json {
    private final String text;
    private int at = 0;

    Json(String text) {
      this.text = text;
    }

    Object read() {
      Object value = value();
      space();
      if (at != text.length()) throw new IllegalArgumentException("unexpected text after the end");
      return value;
    }

    private Object value() {
      space();
      switch (text.charAt(at)) {
        case '{':
          Map<String, Object> map = new LinkedHashMap<>();
          members('}', () -> {
            space();
            String name = string();
            space();
            expect(":");
            map.put(name, value());
          });
          return map;
        case '[':
          List<Object> list = new ArrayList<>();
          members(']', () -> list.add(value()));
          return list;
        case '"':
          return string();
        case 't':
          return literal("true", true);
        case 'f':
          return literal("false", false);
        case 'n':
          return literal("null", null);
        default:
          return number();
      }
    }

    private void members(char end, Runnable member) {
      at++;
      space();
      if (text.charAt(at) == end) {
        at++;
        return;
      }
      for (; ; ) {
        member.run();
        space();
        char next = text.charAt(at++);
        if (next == end) return;
        if (next != ',') throw new IllegalArgumentException("missing comma");
      }
    }

    private String string() {
      expect("\"");
      StringBuilder read = new StringBuilder();
      for (; ; ) {
        char next = text.charAt(at++);
        if (next == '"') return read.toString();
        if (next < ' ') throw new IllegalArgumentException("control character in a string");
        read.append(next == '\\' ? escaped() : next);
      }
    }

    private char escaped() {
      char letter = text.charAt(at++);
      if (letter == 'u') return (char) HexFormat.fromHexDigits(text, at, at += 4);
      int known = "\"\\/bfnrt".indexOf(letter);
      if (known < 0) throw new IllegalArgumentException("unknown escape");
      return "\"\\/\b\f\n\r\t".charAt(known);
    }

    private Double number() {
      int start = at;
      while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) at++;
      String digits = text.substring(start, at);
      if (!digits.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) throw new IllegalArgumentException("not a value");
      return Double.valueOf(digits);
    }

    private Object literal(String word, Object meaning) {
      expect(word);
      return meaning;
    }

    private void expect(String word) {
      if (!text.startsWith(word, at)) throw new IllegalArgumentException("missing " + word);
      at += word.length();
    }

    private void space() {
      while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) at++;
    }
  }
}
