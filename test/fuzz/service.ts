import type { Readable } from 'node:stream'
import type { InjectOptions } from 'fastify'
import { startTestService, type TestService } from '@querypost/server/testing/suites'
import { collectRoutes, type FuzzRoute, pageRoutes, publishedRoutes } from './routes.ts'
import type { Send } from './run.ts'

/** Starts the service and lists all its routes: those of the API and of the web app. */
export async function startService(): Promise<{ service: TestService; routes: FuzzRoute[] }> {
  const { started: service, routes } = await collectRoutes(() => startTestService('postgres'))
  const document: unknown = (await service.app.inject('/api/openapi.json')).json()
  return { service, routes: [...publishedRoutes(document), ...pageRoutes(routes)] }
}

/** Sends a request to the service. For an event stream, which has no end, the headers are the response. */
export const send: Send = async ({ service }, { method, url, headers, body }) => {
  const payload = body === undefined ? {} : { payload: body }
  const asked = { method, url, headers, ...payload, payloadAsStream: true } as InjectOptions
  const answer = await service.app.inject(asked)
  const stream = answer.stream()
  const isEndless = String(answer.headers['content-type']).startsWith('text/event-stream')
  const text = isEndless ? '' : await textOf(stream)
  if (isEndless) stream.destroy()
  return { status: answer.statusCode, headers: answer.headers, body: text }
}

async function textOf(stream: Readable): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}
