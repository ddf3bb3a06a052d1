import { type Check, failed, ok, skipped } from '../check.ts'
import { valuesOf } from './captured-request.ts'
import type { Found } from './found.ts'
import { writtenAgain } from './written-again.ts'

const takeRaw =
  "Verify the bytes as they came, before anything parses them: express.raw(), a Fastify parser with parseAs: 'buffer',\n" +
  'await request.arrayBuffer(), request.get_data() in Flask, php://input in PHP.'

/** Whether the body is the one that was signed, and if not, what has happened to it. */
export function judgeBody(found: Found): Check {
  const { request, fit, claims } = found
  const size = `${request.body.length} bytes`
  if (fit && fit.variant.changes.length === 0) return ok('body', `${size}, unchanged.`)
  if (fit) {
    // Undone one after the other from what arrived, so the last one undone happened first.
    const changes = fit.variant.changes.toReversed().join(', and ')
    return failed('body', `It ${changes}. Before that, the signature fits.`, takeRaw)
  }
  const lost = faultOfLength(found) ?? faultOfText(request.body)
  if (lost) return lost
  if (claims.length === 0) return skipped('body', `${size}.`)
  if (looksUntouched(found)) return ok('body', `${size}, and it looks as Querypost writes it.`)
  const { value, how } = writtenAgain(Buffer.from(request.body).toString('utf8'))
  if (value === undefined) return failed('body', `${size} that are no JSON.`, takeRaw)
  const isChanged = JSON.stringify(value) !== Buffer.from(request.body).toString('utf8')
  const what = isChanged
    ? `It ${how}, or changed otherwise`
    : 'Its headers name another event than it does, or it was changed'
  return failed('body', `${what}; no usual change could be undone so that the signature fits.`, takeRaw)
}

function faultOfLength({ request }: Found): Check | undefined {
  const announced = Number(valuesOf(request.headers, 'content-length')[0])
  const { length } = request.body
  if (!Number.isInteger(announced) || announced === length) return undefined
  return announced > length
    ? failed(
        'body',
        `${announced - length} of its ${announced} bytes are missing.`,
        'Capture all of it; some tools cut what they show.',
      )
    : failed('body', `It has ${length} bytes, but Content-Length says ${announced}: something added to it.`, takeRaw)
}

function faultOfText(body: Uint8Array): Check | undefined {
  if (body.length === 0)
    return failed('body', 'It is empty.', 'Something has read it before; capture it where it arrives.')
  const text = Buffer.from(body).toString('utf8')
  if (!text.includes('\uFFFD')) return undefined
  return failed('body', 'It holds \uFFFD, where letters were lost: its bytes were read in a wrong charset.', takeRaw)
}

/** It is written in the very way of Querypost, about the event that the headers name: nothing has gone over it. */
export function looksUntouched({ request, claims }: Pick<Found, 'request' | 'claims'>): boolean {
  const text = Buffer.from(request.body).toString('utf8')
  const { value, original, inOrder } = writtenAgain(text)
  if (typeof value !== 'object' || value === null || original !== undefined || inOrder !== undefined) return false
  return (value as { id?: unknown }).id === claims[0]?.id
}
