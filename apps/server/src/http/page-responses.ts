import { type TSchema, Type } from 'typebox'

/**
 * Declarations for routes of the web app without JSON in the request or response, so that a missing schema is never an oversight:
 * `page-contract.test.ts` fails for a route that has neither a schema nor one of these.
 */
declare module 'fastify' {
  interface FastifyContextConfig {
    /** This POST, PUT or PATCH ignores its body. */
    takesNoBody?: boolean
    /** The body is a file, which is streamed. */
    takesFile?: boolean
    /** Of a file that can be sent with an Idempotency-Key. */
    fileMaxBytes?: number
  }
}

/** For a write without a body. Spread into the route's options. */
export const noBody = { config: { takesNoBody: true } } as const

/** For a route whose body is a file (`uploads.ts`). Spread into the route's options. */
export const fileBody = { config: { takesFile: true } } as const

/** 204: a response without a body. */
export const noContent = { 204: Type.Unsafe<undefined>({ type: 'null', description: 'Done.' }) } as const

/** 302: the browser itself visits the route and is redirected. */
export const redirectResponse = { 302: Type.Unsafe<undefined>({ type: 'null', description: 'The browser is redirected.' }) } as const

/** 200 with a file or another stream of bytes, which no schema serializes. */
export const binaryResponse = (...contentTypes: string[]) => ({
  200: {
    description: 'The file.',
    content: Object.fromEntries(
      contentTypes.map((type) => [type.split(';')[0]!, { schema: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) }]),
    ),
  },
})

/** 200 with server-sent events; the schema describes each event's `data`. */
export const eventStreamResponse = (data: TSchema) => ({
  200: {
    description: 'The stream. The schema describes the data of its events.',
    content: { 'text/event-stream': { schema: Type.Unsafe<unknown>(data) } },
  },
})
