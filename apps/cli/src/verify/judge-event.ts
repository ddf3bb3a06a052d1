import { signatureHeaders, verify, WebhookVerificationError } from '@querypost/webhooks'
import { type Check, failed, ok, skipped } from '../checks.ts'
import type { Match } from './find-match.ts'
import type { Findings } from './findings.ts'

/** Checks the event itself, once the signature proves the sender; the clock does not matter here. */
export async function judgeEvent({ claims, match }: Pick<Findings, 'claims' | 'match'>): Promise<Check> {
  if (!match) return skipped('event', 'Not checked: the sender is not proven.')
  const { id, type } = readIdAndType(match.variant.body)
  const named = claims[0]?.id
  if (id !== undefined && named !== undefined && id !== named) {
    return failed(
      'event',
      `The header names ${JSON.stringify(named)}, the body ${JSON.stringify(id)}.`,
      match.id === id
        ? 'The body’s id was signed, so something changed the header.'
        : 'It was signed like this. Does another sender use the same secret?',
    )
  }
  try {
    await verifySigned(match)
    return ok('event', `${type ?? 'An event'}, ${match.id}`)
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    return failed('event', error.message, 'Send a test event from the endpoint’s page and compare.')
  }
}

/** Verifies the signed content as of the send time, so that only the event itself can be at fault. */
async function verifySigned({ id, timestamp, variant: { body }, secret }: Match): Promise<void> {
  const sentAt = new Date(Number(timestamp) * 1000)
  const headers = await signatureHeaders({ id, body, secret: secret.usable!, sentAt })
  await verify({ body, headers, secret: secret.usable!, now: sentAt, toleranceSeconds: 0 })
}

function readIdAndType(body: Uint8Array): { id?: string; type?: string } {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return {}
  }
  if (typeof value !== 'object' || value === null) return {}
  const { id, type } = value as Record<string, unknown>
  return { ...(typeof id === 'string' && { id }), ...(typeof type === 'string' && { type }) }
}
