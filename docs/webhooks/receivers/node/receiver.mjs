// Receives webhooks from Querypost. Requires Node 20 or newer and no packages.
//
//     QUERYPOST_WEBHOOK_SECRET=whsec_… node receiver.mjs
//
// It listens on localhost only: put your HTTPS proxy in front of it.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { link, mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'

const maxBodyBytes = 1024 * 1024

/** The request is not genuine. The message is an error code to log and return. */
export class VerificationError extends Error {}

/** Decodes the secrets; during rotation there are several. */
export function readKeys(secrets) {
  if (secrets.length === 0 || !secrets.every((secret) => /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/.test(secret))) {
    throw new Error("bad_secret: QUERYPOST_WEBHOOK_SECRET must be the full whsec_… secret from the endpoint's settings")
  }
  return secrets.map((secret) => Buffer.from(secret.slice('whsec_'.length), 'base64'))
}

/** Returns the verified event. `body` is the raw bytes; `headers` has lowercase names, like `request.headers`. */
export function verify({ body, headers, keys, nowSeconds = Math.floor(Date.now() / 1000), toleranceSeconds = 300 }) {
  const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((part) => {
    const value = headers[`svc-webhook-${part}`]
    if (!value) throw new VerificationError('missing_header')
    if (value.includes(', ')) throw new VerificationError('duplicate_header') // servers join repeated headers this way
    return value
  })
  // Strict formats for id and timestamp leave only one way to split the signed text.
  if (!/^[A-Za-z0-9_-]{1,255}$/.test(id)) throw new VerificationError('bad_id')
  if (!/^[1-9][0-9]{0,11}$/.test(timestamp)) throw new VerificationError('bad_timestamp')
  const given = signature.split(' ').filter((text) => /^v1=[0-9a-f]{64}$/.test(text))
  if (given.length === 0) throw new VerificationError('bad_signature_format')

  const expected = keys.map(
    (key) => `v1=${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('hex')}`,
  )
  const matches = given.flatMap((one) => expected.map((other) => timingSafeEqual(Buffer.from(one), Buffer.from(other))))
  if (!matches.includes(true)) throw new VerificationError('signature_mismatch')

  const ageSeconds = nowSeconds - Number(timestamp)
  if (ageSeconds > toleranceSeconds) throw new VerificationError('timestamp_too_old')
  if (ageSeconds < -toleranceSeconds) throw new VerificationError('timestamp_too_new')

  const event = readJson(body)
  if (!isObject(event) || typeof event.id !== 'string' || typeof event.type !== 'string' || !isObject(event.data)) {
    throw new VerificationError('bad_envelope')
  }
  if (event.id !== id) throw new VerificationError('id_mismatch')
  return event
}

const isObject = (value) => Object.prototype.toString.call(value) === '[object Object]'

function readJson(body) {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body))
  } catch {
    throw new VerificationError('bad_envelope')
  }
}

/**
 * Stores the event as the file `events/<id>`; returns false if it already exists. Process the files separately, after the
 * response. The file appears complete or not at all, even after a crash.
 */
async function store(id, body) {
  await mkdir('events', { recursive: true })
  const temporary = `events/.${randomUUID()}`
  await writeFile(temporary, body, { flush: true })
  try {
    await link(temporary, `events/${id}`)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  } finally {
    await rm(temporary)
  }
}

async function receive(request, keys) {
  if (request.method !== 'POST' || request.url !== '/hook') return { status: 404 }
  const chunks = []
  let sizeBytes = 0
  for await (const chunk of request) {
    sizeBytes += chunk.length
    if (sizeBytes <= maxBodyBytes) chunks.push(chunk)
  }
  if (sizeBytes > maxBodyBytes) return { status: 413 }
  const body = Buffer.concat(chunks)
  try {
    const event = verify({ body, headers: request.headers, keys })
    console.log((await store(event.id, body)) ? 'stored' : 'duplicate', event.id, event.type)
    return { status: 204 }
  } catch (error) {
    if (error instanceof VerificationError) return { status: 400, text: error.message }
    throw error
  }
}

export function main() {
  const keys = readKeys((process.env.QUERYPOST_WEBHOOK_SECRET ?? '').split(' '))
  const server = createServer((request, response) => {
    receive(request, keys).then(
      ({ status, text }) => response.writeHead(status).end(text),
      (error) => {
        console.error(error)
        response.writeHead(500).end() // the event will be sent again
      },
    )
  })
  server.listen(Number(process.env.PORT ?? 4000), '127.0.0.1', () => {
    console.log(`Listening on http://127.0.0.1:${server.address().port}/hook`)
  })
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main()
