// Receives webhooks from Querypost.
//
//     npm install @querypost/webhooks
//     QUERYPOST_WEBHOOK_SECRET=whsec_… node receiver.ts        (Node 22.18 or newer; before that: npx tsx receiver.ts)
//
// It listens on this machine only: let your https proxy pass requests on to it.
import { randomUUID } from 'node:crypto'
import { link, mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verify, WebhookVerificationError } from '@querypost/webhooks'

// One secret, or several with a space between them while a secret is rotated.
const secrets = (process.env['QUERYPOST_WEBHOOK_SECRET'] ?? '').split(' ')
const maxBodyBytes = 1024 * 1024

const server = createServer((request, response) => {
  void receive(request).then(
    ({ status, text }) => response.writeHead(status).end(text),
    (error: unknown) => {
      console.error(error)
      response.writeHead(500).end() // it will be sent again
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
    console.log(isNew ? 'stored' : 'had already', event.id, event.type)
    return { status: 204 }
  } catch (error) {
    if (error instanceof WebhookVerificationError) return { status: error.status, text: error.code }
    throw error
  }
}

/** The bytes as they came: parsed and written again they differ, and the signature with them. */
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
 * Keeps the event as the file `events/<id>`; false if it is there already. The work is done by whoever takes the files from
 * there, after the answer. The file appears whole or not at all, whatever crashes.
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
