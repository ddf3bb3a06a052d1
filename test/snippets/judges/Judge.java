/** Stands before the receiver's class in one file with it, so that one start of Java compiles and runs both. */
final class Judge {
  public static void main(String[] arguments) throws Exception {
    for (Object each : (List<?>) new Receiver.Json(Files.readString(Path.of("vectors.json"))).read()) {
      Map<?, ?> vector = (Map<?, ?>) each;
      Map<?, ?> headers = (Map<?, ?>) vector.get("headers");
      List<String> secrets = ((List<?>) vector.get("secrets")).stream().map(secret -> (String) secret).toList();
      try {
        Map<?, ?> event = Receiver.verify(
            Base64.getDecoder().decode((String) vector.get("bodyBase64")),
            name -> headers.containsKey(name) ? List.of((String) headers.get(name)) : null,
            Receiver.readKeys(secrets),
            ((Double) vector.get("now")).longValue(),
            ((Double) vector.get("toleranceSeconds")).longValue());
        System.out.println("verdict " + event.get("id") + " " + event.get("type"));
      } catch (Receiver.VerificationError | IllegalArgumentException error) {
        System.out.println("verdict " + error.getMessage());
      }
    }
    Receiver.main(arguments);
  }
}
