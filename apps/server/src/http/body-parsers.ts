import type { FastifyBodyParser, FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../domain/refusal.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its body is JSON whatever the content type says. */
    anyContentType?: boolean
  }
}

type Done = NonNullable<Parameters<FastifyBodyParser<string>>[2]>

/** Bodies are JSON. An empty body is no body, also where a client sends a content type with it. */
export function addBodyParsers(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  const parse = (request: FastifyRequest, text: string, done: Done) =>
    text === '' ? done(null) : parseJson(request, text, done)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    parse(request, body as string, done),
  )
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) => {
    if (body === '' || request.routeOptions.config.anyContentType) return parse(request, body as string, done)
    const given = request.headers['content-type']
    const message = given ? `not ${given}` : 'but there is no Content-Type'
    done(new Refusal('invalid_request', `Send the body as JSON with Content-Type: application/json, ${message}.`))
  })
}
