import { isUtf8 } from 'node:buffer'
import type { FastifyBodyParser, FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../domain/refusal.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is parsed as JSON, whatever the content type. */
    anyContentType?: boolean
  }
}

type Done = NonNullable<Parameters<FastifyBodyParser<Buffer>>[2]>

/** Bodies are JSON. An empty body counts as no body, even with a content type. */
export function addBodyParsers(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  const parse = (request: FastifyRequest, bytes: Buffer, done: Done) => {
    if (bytes.length === 0) return done(null)
    // Decoding would silently replace invalid bytes.
    if (!isUtf8(bytes)) return done(new Refusal('invalid_request', 'The body is not UTF-8. Send JSON encoded as UTF-8.'))
    return parseJson(request, bytes.toString(), (error, body) =>
      error
        ? done(new Refusal('invalid_request', 'The body is not valid JSON, or has a forbidden key such as __proto__. Send a JSON object.'))
        : done(null, body),
    )
  }
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) =>
    parse(request, body as Buffer, done),
  )
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0 || request.routeOptions.config.anyContentType) return parse(request, body as Buffer, done)
    const given = request.headers['content-type']
    const message = given ? `not ${given}` : 'but Content-Type is missing'
    done(new Refusal('invalid_request', `Send the body as JSON with Content-Type: application/json, ${message}.`))
  })
}

/** For routes whose body is optional; a missing body is treated as `{}`. Spread into the route's options. */
export const optionalBody = {
  config: { anyContentType: true },
  preValidation: async (request: FastifyRequest): Promise<void> => {
    if (request.body === undefined) request.body = {}
  },
}
