import { signatureHeaders, verify, WebhookVerificationError } from '@querypost/webhooks'
import { type Check, failed, ok, skipped } from '../check.ts'
import type { Fit } from './find-fit.ts'
import type { Found } from './found.ts'

/** What is in it, once it is known that a holder of the secret sent it; whatever the clock says. */
export async function judgeEvent({ claims, fit }: Pick<Found, 'claims' | 'fit'>): Promise<Check> {
  if (!fit) return skipped('event', 'Not looked at: who sent it is not certain.')
  const { id, type } = readLoosely(fit.variant.body)
  const named = claims[0]?.id
  if (id !== undefined && named !== undefined && id !== named) {
    return failed(
      'event',
      `The header says ${JSON.stringify(named)}, the body ${JSON.stringify(id)}.`,
      fit.id === id
        ? 'The body’s id is the one that was signed: something changed the header.'
        : 'A holder of the secret signed it so. Is the secret used by another sender too?',
    )
  }
  try {
    await verifySigned(fit)
    return ok('event', `${type ?? 'An event'}, ${fit.id}`)
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    return failed('event', error.message, 'Send a test event from the endpoint’s page, and compare.')
  }
}

/** By the library, at the moment of sending and with what was signed, so that only the event itself can be at fault. */
async function verifySigned({ id, timestamp, variant: { body }, secret }: Fit): Promise<void> {
  const sentAt = new Date(Number(timestamp) * 1000)
  const headers = await signatureHeaders({ id, body, secret: secret.usable!, sentAt })
  await verify({ body, headers, secret: secret.usable!, now: sentAt, toleranceSeconds: 0 })
}

function readLoosely(body: Uint8Array): { id?: string; type?: string } {
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
