import type { FastifyRequest } from 'fastify'
import { Refusal } from '../domain/refusal.ts'

/** The version that a change is based on, from the header `If-Match: "<version>"`. */
export function requireVersion(request: FastifyRequest): number {
  const version = readVersion(request)
  if (version !== undefined) return version
  throw invalid('is required: the version that you change, such as "3"')
}

/** Undefined if the header is missing. */
export function readVersion(request: FastifyRequest): number | undefined {
  const given = request.headers['if-match']
  if (given === undefined) return undefined
  const version = /^"([1-9]\d{0,8})"$/.exec(given)?.[1]
  if (version === undefined) throw invalid('must be a version in double quotes, such as "3"')
  return Number(version)
}

const invalid = (message: string) =>
  new Refusal('invalid_request', `The header If-Match ${message}.`, [{ path: 'if-match', message }])

/** The version of an object as its ETag, to be sent back as `If-Match`. */
export const etagOf = ({ version }: { version: number }) => `"${version}"`
