import { request } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestPerson, TestService } from './test-service.ts'

/** What a page receives: an event, or the comment that keeps the connection alive. */
export type Heard = { id?: string; event: string; data: unknown } | 'heartbeat'

export interface Listening {
  status: number
  headers: IncomingHttpHeaders
  /** The next event or heartbeat; undefined when the stream has ended. */
  next(): Promise<Heard | undefined>
  /** Closes the connection, as a page that is left. */
  close(): void
}

/** Listens to a stream as a browser does: over a real connection with the user's session. */
export async function listenToEvents(
  service: Pick<TestService, 'app'>,
  person: Pick<TestPerson, 'session'>,
  options: { url: string; headers?: Record<string, string> },
): Promise<Listening> {
  const { server } = service.app
  if (!server.listening) await service.app.listen({ host: '127.0.0.1', port: 0 })
  const cookie = Object.entries(person.session).map(([name, value]) => `${name}=${value}`).join('; ')
  const clientRequest = request({
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    path: options.url,
    headers: { cookie, ...options.headers },
    agent: false,
  })
  clientRequest.end()
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    clientRequest.once('response', resolve)
    clientRequest.once('error', reject)
  })
  const frames = framesOf(response)
  return {
    status: response.statusCode!,
    headers: response.headers,
    async next() {
      for (;;) {
        const frame = await frames.next()
        if (frame.done) return undefined
        const heard = readFrame(frame.value)
        if (heard) return heard
      }
    },
    close: () => void clientRequest.destroy(),
  }
}

async function* framesOf(response: IncomingMessage): AsyncGenerator<string> {
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) {
    const parts = (text + String(chunk)).split('\n\n')
    text = parts.pop()!
    yield* parts
  }
}

/** Undefined for a frame that only sets the browser's retry time. */
function readFrame(frame: string): Heard | undefined {
  if (frame.startsWith(':')) return 'heartbeat'
  const fields = Object.fromEntries(
    frame.split('\n').map((line) => {
      const end = line.indexOf(': ')
      return [line.slice(0, end), line.slice(end + 2)]
    }),
  )
  if (fields['event'] === undefined) return undefined
  return {
    ...(fields['id'] !== undefined && { id: fields['id'] }),
    event: fields['event'],
    data: JSON.parse(fields['data']!) as unknown,
  }
}
