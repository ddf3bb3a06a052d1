import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeAuthority } from '@querypost/server/testing'

/** A customer's program on this machine, with a certificate of an authority that the service is told to trust. */
export interface Receiver {
  url: string
  /** What the service needs in order to reach it. */
  environment: Record<string, string>
  /** Every request so far, oldest first. */
  received: { headers: Record<string, string>; body: Buffer }[]
  /** From now on it answers so. */
  answer: { status: number; body: string }
  stop(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const folder = await mkdtemp(path.join(tmpdir(), 'querypost-receiver-'))
  const authority = await makeAuthority()
  const authorityFile = path.join(folder, 'authority.pem')
  await writeFile(authorityFile, authority.certificate)
  const { key, cert } = await authority.issue({ names: ['127.0.0.1'] })
  const received: Receiver['received'] = []
  const server = createServer({ key, cert }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(chunks) })
      response.writeHead(receiver.answer.status).end(receiver.answer.body)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const receiver: Receiver = {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/querypost`,
    environment: { NODE_EXTRA_CA_CERTS: authorityFile, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' },
    received,
    answer: { status: 200, body: 'thank you' },
    async stop() {
      await new Promise((resolve) => server.close(resolve).closeAllConnections())
      await rm(folder, { recursive: true, force: true })
    },
  }
  return receiver
}
