/**
 * How a receiver verifies a request, in the languages that receivers are written in. Each is complete, needs nothing but what it says,
 * and refuses what is not genuine or not fresh; a test runs them against real signatures.
 */
export interface Snippet {
  name: string
  label: string
  /** How to get what it needs, where it needs anything. */
  install?: string
  text: string
}

export function snippetsFor(endpointId: string): Snippet[] {
  return [
    { name: 'typescript', label: 'TypeScript', install: 'npm install @querypost/webhooks', text: typescript(endpointId) },
    { name: 'node', label: 'Node.js', text: node(endpointId) },
    { name: 'python', label: 'Python', text: python(endpointId) },
    { name: 'go', label: 'Go', text: go(endpointId) },
    { name: 'ruby', label: 'Ruby', text: ruby(endpointId) },
  ]
}

const typescript = (endpointId: string) => `// Querypost endpoint ${endpointId}
import { verify } from '@querypost/webhooks'

export async function receive(request: Request): Promise<Response> {
  const event = await verify({
    body: await request.arrayBuffer(), // the raw bytes, not parsed JSON
    headers: request.headers,
    secret: process.env['QUERYPOST_WEBHOOK_SECRET']!, // whsec_…
  })
  console.log(event.id, event.type) // store it under its id: it may arrive more than once
  return new Response(null, { status: 204 })
}
`

const node = (endpointId: string) => `// Querypost endpoint ${endpointId}
import { createHmac, timingSafeEqual } from 'node:crypto'

const key = Buffer.from(process.env.QUERYPOST_WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64')

/** body: the raw bytes as a Buffer; headers: request.headers. Throws when the request is not genuine. */
export function verify(body, headers) {
  const id = headers['svc-webhook-id']
  const timestamp = headers['svc-webhook-timestamp']
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) throw new Error('too old, or a clock is wrong')
  const digest = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\`).update(body).digest('hex')
  const expected = Buffer.from(\`v1=\${digest}\`)
  const given = Buffer.from(String(headers['svc-webhook-signature']))
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new Error('not signed by Querypost')
  return JSON.parse(body) // store it under its id: it may arrive more than once
}
`

const python = (endpointId: string) => `# Querypost endpoint ${endpointId}
import base64, hashlib, hmac, json, os, time

KEY = base64.b64decode(os.environ["QUERYPOST_WEBHOOK_SECRET"].replace("whsec_", "", 1))


def verify(body: bytes, headers) -> dict:
    """body: the raw bytes; headers: as your framework gives them. Raises ValueError when the request is not genuine."""
    event_id, timestamp = headers["svc-webhook-id"], headers["svc-webhook-timestamp"]
    if not abs(time.time() - int(timestamp)) <= 300:
        raise ValueError("too old, or a clock is wrong")
    signed = f"{event_id}.{timestamp}.".encode() + body
    expected = "v1=" + hmac.new(KEY, signed, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(expected.encode(), headers["svc-webhook-signature"].encode()):
        raise ValueError("not signed by Querypost")
    return json.loads(body)  # store it under its id: it may arrive more than once
`

const go = (endpointId: string) => `// Querypost endpoint ${endpointId}
package receiver

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"os"
	"strconv"
	"strings"
	"time"
)

// Verify takes the raw body and a way to its headers, such as request.Header.Get.
func Verify(body []byte, header func(string) string) error {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("QUERYPOST_WEBHOOK_SECRET"), "whsec_"))
	if err != nil || len(key) == 0 {
		return errors.New("QUERYPOST_WEBHOOK_SECRET is not a secret")
	}
	id, timestamp := header("svc-webhook-id"), header("svc-webhook-timestamp")
	sentAt, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(sentAt, 0)).Abs() > 5*time.Minute {
		return errors.New("too old, or a clock is wrong")
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := "v1=" + hex.EncodeToString(mac.Sum(nil))
	if !hmac.Equal([]byte(expected), []byte(header("svc-webhook-signature"))) {
		return errors.New("not signed by Querypost")
	}
	return nil // store the event under its id: it may arrive more than once
}
`

const ruby = (endpointId: string) => `# Querypost endpoint ${endpointId}
require "json"
require "openssl"

KEY = ENV.fetch("QUERYPOST_WEBHOOK_SECRET").delete_prefix("whsec_").unpack1("m")

# body: the raw bytes; headers: by their names in lower case. Raises when the request is not genuine.
def verify(body, headers)
  id, timestamp = headers.fetch("svc-webhook-id"), headers.fetch("svc-webhook-timestamp")
  raise "too old, or a clock is wrong" unless (Time.now.to_i - Integer(timestamp, 10)).abs <= 300
  expected = "v1=" + OpenSSL::HMAC.hexdigest("SHA256", KEY, "#{id}.#{timestamp}.".b + body.b)
  given = headers.fetch("svc-webhook-signature")
  raise "not signed by Querypost" unless OpenSSL.secure_compare(expected, given)
  JSON.parse(body) # store it under its id: it may arrive more than once
end
`
