import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { anthropicStream, openaiStream } from './model-streams.ts'
import type { ScriptedAnswer } from './scripted-answer.ts'

export interface ModelRequestSeen {
  path: string
  headers: IncomingHttpHeaders
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

/** A scripted answer, or a function of the request for answers that depend on it. */
export type Script = ScriptedAnswer | ((request: ModelRequestSeen) => ScriptedAnswer)

/**
 * A scripted model: a server on loopback with an OpenAI-compatible API (`/v1/chat/completions`) and Anthropic's API
 * (`/v1/messages`), which streams its answers, with tool calls in pieces. It records every request.
 */
export interface ModelServer {
  /** The base URL for the settings. */
  url: string
  requests: ModelRequestSeen[]
  /** Adds to the script. Once it is used up, requests are answered with 418. */
  script(...answers: Script[]): void
  /** Drops the rest of the script. */
  forget(): void
  /** Resolves after this many requests. */
  seen(count: number): Promise<void>
  close(): Promise<void>
}

export async function startModelServer(options: { always?: Script } = {}): Promise<ModelServer> {
  const requests: ModelRequestSeen[] = []
  const answers: Script[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = { path: request.url!, headers: request.headers, body: await readJson(request) }
    requests.push(seen)
    for (const { count, resolve } of waiting) if (requests.length >= count) resolve()
    const next = answers.shift() ?? options.always ?? { status: 418, body: { error: { message: 'The script is over.' } } }
    answer(response, seen, typeof next === 'function' ? next(seen) : next)
  }
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    script: (...more) => void answers.push(...more),
    forget: () => void answers.splice(0),
    seen: (count) =>
      requests.length >= count ? Promise.resolve() : new Promise((resolve) => waiting.push({ count, resolve })),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answer(response: ServerResponse, { path, body }: ModelRequestSeen, scripted: ScriptedAnswer): void {
  if (scripted === 'hang') return
  if ('status' in scripted) {
    response.writeHead(scripted.status, { 'content-type': 'application/json', ...scripted.headers })
    response.end(JSON.stringify(scripted.body ?? { error: { message: 'As the script says.' } }))
    return
  }
  if ('raw' in scripted) {
    response.writeHead(200, { 'content-type': scripted.contentType }).end(scripted.raw)
    return
  }
  const stream = path.endsWith('/messages') ? anthropicStream : openaiStream
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if ('cutAfter' in scripted) {
    // Break the connection only after the data has been sent, or it would be lost.
    response.write(stream.beginning(scripted.cutAfter, body.model), () => response.destroy())
  } else if ('endsAfter' in scripted) {
    response.end(stream.beginning(scripted.endsAfter, body.model))
  } else {
    for (const event of stream.whole(scripted, body.model)) response.write(event)
    response.end()
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return text === '' ? undefined : JSON.parse(text)
}
