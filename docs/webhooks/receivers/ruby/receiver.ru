# Receives webhooks from Querypost as a Rack application. Requires Ruby 3.0 or newer and only the standard library.
# Ruby has no built-in web server, so run it with any Rack server, for example Puma:
#
#     gem install puma
#     QUERYPOST_WEBHOOK_SECRET=whsec_… puma --bind tcp://127.0.0.1:4000 receiver.ru
#
# It listens on localhost only: put your HTTPS proxy in front of it.
require "fileutils"
require "json"
require "openssl"
require "tempfile"

# The request is not genuine. The message is an error code to log and return.
class VerificationError < StandardError; end

class Verifier
  # One secret, or several during rotation.
  def initialize(secrets)
    unless secrets.any? && secrets.all? { |secret| secret.match?(%r{\Awhsec_[A-Za-z0-9+/]{32,86}={0,2}\z}) }
      raise ArgumentError, "bad_secret: QUERYPOST_WEBHOOK_SECRET must be the full whsec_… secret from the endpoint's settings"
    end
    @keys = secrets.map { |secret| secret.delete_prefix("whsec_").unpack1("m0") }
  end

  # Returns the verified event as a Hash. `body` is the raw bytes; `headers` is a Hash with lowercase names.
  def verify(body, headers, now_seconds: Time.now.to_i, tolerance_seconds: 300)
    id, timestamp, signature = %w[id timestamp signature].map { |part| header(headers, "svc-webhook-#{part}") }
    # Strict formats for id and timestamp leave only one way to split the signed text.
    raise VerificationError, "bad_id" unless id.match?(/\A[A-Za-z0-9_-]{1,255}\z/)
    raise VerificationError, "bad_timestamp" unless timestamp.match?(/\A[1-9][0-9]{0,11}\z/)
    given = signature.split(" ").grep(/\Av1=[0-9a-f]{64}\z/)
    raise VerificationError, "bad_signature_format" if given.empty?

    signed = "#{id}.#{timestamp}.".b + body.b
    expected = @keys.map { |key| "v1=#{OpenSSL::HMAC.hexdigest("SHA256", key, signed)}" }
    matches = given.product(expected).map { |one, other| OpenSSL.fixed_length_secure_compare(one, other) }
    raise VerificationError, "signature_mismatch" if matches.none?

    age_seconds = now_seconds - timestamp.to_i
    raise VerificationError, "timestamp_too_old" if age_seconds > tolerance_seconds
    raise VerificationError, "timestamp_too_new" if age_seconds < -tolerance_seconds

    event = read_json(body)
    forms = { "id" => String, "type" => String, "data" => Hash }
    unless event.is_a?(Hash) && forms.all? { |name, form| event[name].is_a?(form) }
      raise VerificationError, "bad_envelope"
    end
    raise VerificationError, "id_mismatch" unless event["id"] == id
    event
  end

  private

  def header(headers, name)
    value = headers[name].to_s
    raise VerificationError, "missing_header" if value.empty?
    raise VerificationError, "duplicate_header" if value.include?(", ") # servers join repeated headers this way
    value
  end

  def read_json(body)
    text = body.dup.force_encoding(Encoding::UTF_8)
    raise VerificationError, "bad_envelope" unless text.valid_encoding?
    JSON.parse(text)
  rescue JSON::ParserError
    raise VerificationError, "bad_envelope"
  end
end

class Receiver
  MAX_BODY_BYTES = 1024 * 1024

  def initialize(verifier)
    @verifier = verifier
  end

  def call(env)
    return answer(404) unless env["REQUEST_METHOD"] == "POST" && env["PATH_INFO"] == "/hook"
    body = env["rack.input"]&.read(MAX_BODY_BYTES + 1) || ""
    return answer(413) if body.bytesize > MAX_BODY_BYTES
    names = env.keys.grep(/\AHTTP_SVC_WEBHOOK_/)
    headers = names.to_h { |name| [name.delete_prefix("HTTP_").downcase.tr("_", "-"), env[name]] }
    event = @verifier.verify(body, headers)
    puts "#{store(event["id"], body) ? "stored" : "duplicate"} #{event["id"]} #{event["type"]}"
    answer(204)
  rescue VerificationError => error
    answer(400, error.message)
  end

  private

  def answer(status, text = nil)
    [status, text ? { "content-type" => "text/plain" } : {}, [text].compact]
  end

  # Stores the event as the file `events/<id>`; returns false if it already exists. Process the files separately, after the
  # response. The file appears complete or not at all, even after a crash.
  def store(id, body)
    FileUtils.mkdir_p("events")
    Tempfile.create(".", "events", binmode: true) do |file|
      file.write(body)
      file.fsync
      File.link(file.path, File.join("events", id))
      true
    rescue Errno::EEXIST
      false
    end
  end
end

run Receiver.new(Verifier.new(ENV.fetch("QUERYPOST_WEBHOOK_SECRET", "").split(/ /, -1)))
