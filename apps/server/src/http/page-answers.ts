import { type TSchema, Type } from 'typebox'

/**
 * What the routes of the pages declare where no JSON goes in or out, so that a missing schema is never an oversight:
 * `page-contract.test.ts` fails for a route that has neither a schema nor one of these.
 */
declare module 'fastify' {
  interface FastifyContextConfig {
    /** Nothing is read from the body of this POST, PUT or PATCH. */
    takesNoBody?: boolean
    /** The body is a file, streamed as it comes. */
    takesFile?: boolean
  }
}

/** For a route that changes something and takes no body. Spread into the route's options. */
export const noBody = { config: { takesNoBody: true } } as const

/** For a route whose body is a file (`uploads.ts`). Spread into the route's options. */
export const fileBody = { config: { takesFile: true } } as const

/** 204: the answer has no body. */
export const noContent = { 204: Type.Unsafe<undefined>({ type: 'null', description: 'Done.' }) } as const

/** 302: the browser itself visits the route, and is sent on. */
export const redirectAnswer = { 302: Type.Unsafe<undefined>({ type: 'null', description: 'The browser is sent on.' }) } as const

/** 200 with a file or another stream of bytes, which no schema serialises. */
export const binaryAnswer = (...contentTypes: string[]) => ({
  200: {
    description: 'The file.',
    content: Object.fromEntries(
      contentTypes.map((type) => [type.split(';')[0]!, { schema: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) }]),
    ),
  },
})

/** 200 with server-sent events; the schema is that of each event's `data`. */
export const eventStreamAnswer = (data: TSchema) => ({
  200: {
    description: 'The stream. The schema is that of the events’ data.',
    content: { 'text/event-stream': { schema: Type.Unsafe<unknown>(data) } },
  },
})
