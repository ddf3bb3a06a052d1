import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/** A webhook receiver on this machine, with a certificate that the service trusts. */
export interface Receiver {
  url: string
  /** Every request so far, oldest first. */
  received: { headers: Record<string, string>; body: Buffer }[]
  /** The response to all further requests. */
  answer: { status: number; body: string }
  stop(): Promise<void>
}

export async function startReceiver({ key, cert }: { key: string; cert: string }): Promise<Receiver> {
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
    received,
    answer: { status: 200, body: 'thank you' },
    async stop() {
      await new Promise((resolve) => server.close(resolve).closeAllConnections())
    },
  }
  return receiver
}
