import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../domain/refusal.ts'

/**
 * Rejects text that cannot be stored and returned unchanged: PostgreSQL does not allow NUL, and UTF-8 has no lone surrogates. Not
 * recursive, because a body may be nested as deeply as its size allows.
 */
export async function guardText(request: FastifyRequest): Promise<void> {
  const waiting: { path: string; value: unknown }[] = [
    // The body of an upload is a stream of bytes.
    { path: '', value: request.body instanceof Readable ? undefined : request.body },
    { path: '', value: request.query },
  ]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { path, value } = next
    if (typeof value === 'string') checkText(path, value)
    if (typeof value !== 'object' || value === null) continue
    if (path.length > 1000) throw invalid(path.slice(0, 100), 'is nested too deeply')
    for (const [key, inner] of Object.entries(value)) {
      checkText(path, key)
      waiting.push({ path: `${path}/${key}`, value: inner })
    }
  }
}

function checkText(path: string, text: string): void {
  if (text.includes('\0')) throw invalid(path, 'contains a NUL character')
  if (!text.isWellFormed()) throw invalid(path, 'contains half of a surrogate pair, which is not a valid character')
}

function invalid(path: string, message: string) {
  return new Refusal('invalid_request', `The request is not valid: ${path || 'the text'} ${message}.`, [{ path, message }])
}
