import { type Check, failed, ok, skipped } from '../checks.ts'
import { headerValues } from './captured-request.ts'
import type { Findings } from './findings.ts'
import { describeReserialization } from './reserialized.ts'

const useRawBody =
  "Verify the raw bytes, before anything parses them: express.raw(), a Fastify parser with parseAs: 'buffer',\n" +
  'await request.arrayBuffer(), request.get_data() in Flask, php://input in PHP.'

/** Checks whether the body is the signed one, and if not, what changed it. */
export function judgeBody(findings: Findings): Check {
  const { request, match, claims } = findings
  const size = `${request.body.length} bytes`
  if (match && match.variant.changes.length === 0) return ok('body', `${size}, unchanged.`)
  if (match) {
    // Changes are undone starting from what arrived, so the last one undone happened first.
    const changes = match.variant.changes.toReversed().join(', and ')
    return failed('body', `The body ${changes}. With that undone, the signature matches.`, useRawBody)
  }
  const fault = checkLength(findings) ?? checkText(request.body)
  if (fault) return fault
  if (claims.length === 0) return skipped('body', `${size}.`)
  if (looksUnchanged(findings)) return ok('body', `${size}, in the form that Querypost writes.`)
  const { value, change } = describeReserialization(Buffer.from(request.body).toString('utf8'))
  if (value === undefined) return failed('body', `${size} that are not JSON.`, useRawBody)
  const isChanged = JSON.stringify(value) !== Buffer.from(request.body).toString('utf8')
  const cause = isChanged
    ? `The body ${change}, or was changed in another way`
    : 'The headers name another event than the body, or the body was changed'
  return failed('body', `${cause}. Undoing common changes did not make the signature match.`, useRawBody)
}

function checkLength({ request }: Findings): Check | undefined {
  const announced = Number(headerValues(request.headers, 'content-length')[0])
  const { length } = request.body
  if (!Number.isInteger(announced) || announced === length) return undefined
  return announced > length
    ? failed(
        'body',
        `${announced - length} of ${announced} bytes are missing.`,
        'Capture the whole body; some tools truncate it.',
      )
    : failed('body', `The body has ${length} bytes, but Content-Length is ${announced}: something was added.`, useRawBody)
}

function checkText(body: Uint8Array): Check | undefined {
  if (body.length === 0)
    return failed('body', 'The body is empty.', 'It was probably read before; capture it where it arrives.')
  const text = Buffer.from(body).toString('utf8')
  if (!text.includes('\uFFFD')) return undefined
  return failed('body', 'The body contains \uFFFD: characters were lost because it was decoded with the wrong charset.', useRawBody)
}

/** True if the body is serialized as Querypost does it and has the id of the headers. */
export function looksUnchanged({ request, claims }: Pick<Findings, 'request' | 'claims'>): boolean {
  const text = Buffer.from(request.body).toString('utf8')
  const { value, original, inOrder } = describeReserialization(text)
  if (typeof value !== 'object' || value === null || original !== undefined || inOrder !== undefined) return false
  return (value as { id?: unknown }).id === claims[0]?.id
}
