// Receives webhooks from Querypost.
//
//     npm install @querypost/webhooks
//     QUERYPOST_WEBHOOK_SECRET=whsec_… node receiver.ts        (Node 22.18 or newer; before that: npx tsx receiver.ts)
//
// It listens on localhost only: put your HTTPS proxy in front of it.
import { randomUUID } from 'node:crypto'
import { link, mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verify, WebhookVerificationError } from '@querypost/webhooks'

// One secret, or several separated by spaces during rotation.
const secrets = (process.env['QUERYPOST_WEBHOOK_SECRET'] ?? '').split(' ')
const maxBodyBytes = 1024 * 1024

const server = createServer((request, response) => {
  void receive(request).then(
    ({ status, text }) => response.writeHead(status).end(text),
    (error: unknown) => {
      console.error(error)
      response.writeHead(500).end() // the event will be sent again
    },
  )
})

async function receive(request: IncomingMessage): Promise<{ status: number; text?: string }> {
  if (request.method !== 'POST' || request.url !== '/hook') return { status: 404 }
  const body = await readBody(request)
  if (body === undefined) return { status: 413 }
  try {
    const event = await verify({ body, headers: request.headers, secret: secrets })
    const isNew = await store(event.id, body)
    console.log(isNew ? 'stored' : 'duplicate', event.id, event.type)
    return { status: 204 }
  } catch (error) {
    if (error instanceof WebhookVerificationError) return { status: error.status, text: error.code }
    throw error
  }
}

/** Reads the raw bytes. Parsing and serializing JSON would change them, and the signature would no longer match. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    if (sizeBytes <= maxBodyBytes) chunks.push(chunk)
  }
  return sizeBytes <= maxBodyBytes ? Buffer.concat(chunks) : undefined
}

/**
 * Stores the event as the file `events/<id>`; returns false if it already exists. Process the files separately, after the
 * response. The file appears complete or not at all, even after a crash.
 */
async function store(id: string, body: Buffer): Promise<boolean> {
  await mkdir('events', { recursive: true })
  const temporary = `events/.${randomUUID()}`
  await writeFile(temporary, body, { flush: true })
  try {
    await link(temporary, `events/${id}`)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(temporary)
  }
}

server.listen(Number(process.env['PORT'] ?? 4000), '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`)
})
