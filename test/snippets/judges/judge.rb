require "json"
require "socket"
require "stringio"

$stdout.sync = true
$application = nil
def run(application) = $application = application
load "receiver.ru"

JSON.parse(File.read("vectors.json")).each do |vector|
  verifier = Verifier.new(vector["secrets"])
  event = verifier.verify(
    vector["bodyBase64"].unpack1("m"),
    vector["headers"],
    now_seconds: vector["now"],
    tolerance_seconds: vector["toleranceSeconds"]
  )
  puts "verdict #{event["id"]} #{event["type"]}"
rescue VerificationError, ArgumentError => error
  puts "verdict #{error.message}"
end

# The least of a Rack server: what Puma gives to the application, one request at a time.
server = TCPServer.new("127.0.0.1", 0)
puts "Listening on http://127.0.0.1:#{server.addr[1]}/hook"
loop do
  client = server.accept
  method, path = client.gets.split(" ")
  env = { "REQUEST_METHOD" => method, "PATH_INFO" => path }
  while (line = client.gets.chomp) != ""
    name, value = line.split(": ", 2)
    env["HTTP_#{name.upcase.tr("-", "_")}"] = value
  end
  env["rack.input"] = StringIO.new(client.read(env["HTTP_CONTENT_LENGTH"].to_i))
  status, headers, parts =
    begin
      $application.call(env)
    rescue StandardError => error
      [500, {}, [error.message]]
    end
  lines = ["HTTP/1.1 #{status} Answered", *headers.map { |pair| pair.join(": ") }, "connection: close", "", parts.join]
  client.write(lines.join("\r\n"))
  client.close
end
