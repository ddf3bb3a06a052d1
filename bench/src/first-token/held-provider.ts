import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An OpenAI-compatible provider on loopback whose answers are written by the benchmark. */
export interface HeldProvider {
  url: string
  /** The next request that waits for an answer. */
  next(): Promise<HeldAnswer>
  close(): Promise<void>
}

export interface HeldAnswer {
  say(text: string): void
  end(): void
}

export async function startHeldProvider(): Promise<HeldProvider> {
  const requests: HeldAnswer[] = []
  const waiting: ((answer: HeldAnswer) => void)[] = []
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
      const answer = heldAnswer(response)
      const resolve = waiting.shift()
      if (resolve) resolve(answer)
      else requests.push(answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    next() {
      const known = requests.shift()
      return known ? Promise.resolve(known) : new Promise((resolve) => waiting.push(resolve))
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function heldAnswer(response: ServerResponse): HeldAnswer {
  const send = (delta: object, finish_reason: string | null = null) => {
    const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'held', choices: [{ index: 0, delta, finish_reason }] }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  return {
    say: (text) => send({ role: 'assistant', content: text }),
    end() {
      send({}, 'stop')
      response.end('data: [DONE]\n\n')
    },
  }
}
