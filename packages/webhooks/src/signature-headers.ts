import { joinBytes, type RawBody } from './bytes.ts'
import { readSecrets } from './secrets.ts'
import { digest, writeSignature } from './signature.ts'

export interface SignatureHeadersOptions {
  /** The event's id, the same as in the body. */
  id: string
  body: RawBody
  /** `whsec_…` */
  secret: string
  /** The send time. Now by default. */
  sentAt?: Date | undefined
}

/** The headers that Querypost sends with a body, both families, for a receiver's own tests. */
export async function signatureHeaders(options: SignatureHeadersOptions) {
  const { id, body, secret, sentAt = new Date() } = options
  const timestamp = String(Math.floor(sentAt.getTime() / 1000))
  const bytes = await digest(readSecrets(secret)[0]!, joinBytes(`${id}.${timestamp}.`, body))
  return {
    'svc-webhook-id': id,
    'svc-webhook-timestamp': timestamp,
    'svc-webhook-signature': writeSignature('svc', bytes),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': writeSignature('standard', bytes),
  }
}
