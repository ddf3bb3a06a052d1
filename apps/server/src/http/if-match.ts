import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TObject, type TProperties, Type } from 'typebox'
import type { BasedOn } from '../domain/content-version.ts'
import { Refusal } from '../domain/refusal.ts'

/** The version that a change is based on, from the header `If-Match: "<version>"`. */
export function requireVersion(request: FastifyRequest): number {
  const version = readVersion(request)
  if (version === undefined) throw invalid('is required: the version that you change, such as "3"')
  return version
}

/** Undefined if the header is missing. */
export function readVersion(request: FastifyRequest): number | undefined {
  const given = request.headers['if-match']
  if (given === undefined) return undefined
  const version = /^"([1-9]\d{0,8})"$/.exec(given)?.[1]
  if (version === undefined) throw invalid('must be a version in double quotes, such as "3"')
  return Number(version)
}

/** For changes that need no version. `*` stands for any. */
export function readBasedOn(request: FastifyRequest): BasedOn {
  const given = request.headers['if-match']
  if (given === undefined || given === '*') return {}
  const version = /^"([\da-z]{1,40})"$/.exec(given)?.[1]
  if (version === undefined) throw invalid('must be a version in double quotes')
  return { version }
}

const invalid = (message: string) =>
  new Refusal('invalid_request', `The header If-Match ${message}.`, [{ path: 'if-match', message }])

/** The version of an object as its ETag, to be sent back as `If-Match`. */
export const etagOf = ({ version }: { version: number | string }) => `"${version}"`

/** The response with the version of its object as `ETag`. */
export function withEtag<Body extends { version: number | string }>(reply: FastifyReply, body: Body): Body {
  reply.header('etag', etagOf(body))
  return body
}

export const OptionalIfMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      description: 'The `version` that you have read, in double quotes. If the object has changed since, nothing is changed.',
      // Any version: an example with one would be stale.
      examples: ['*'],
    }),
  ),
})

/** Under an object that has no version of its own. */
export const ContentVersion = Type.String({
  description: 'Differs if anything differs that you can change. Send it as `If-Match`, in double quotes.',
  examples: ['b5bb9d8014a0f9b1d61e'],
})

/** The schema of an object with its version. */
export const versioned = <Properties extends TProperties>({ properties, title, description }: TObject<Properties> & Annotations) =>
  Type.Object(
    { ...properties, version: ContentVersion },
    { ...(title !== undefined && { title }), ...(description !== undefined && { description }) },
  )

interface Annotations {
  title?: string
  description?: string
}
