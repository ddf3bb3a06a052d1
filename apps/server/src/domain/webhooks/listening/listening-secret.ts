import { hkdfSync } from 'node:crypto'
import type { Caller } from '../../../model/caller.ts'

/**
 * What signs the events that somebody listens to: one secret for each member, in the form of an endpoint's. It is
 * derived and not stored, so a developer puts it into the environment once, whichever process answers and whichever
 * key is used. Endpoints' secrets are for admins; this one says nothing of them, nor of another member's.
 */
export interface ListeningSecrets {
  of(member: Pick<Caller, 'organizationId' | 'userId'>): string
}

export function makeListeningSecrets(options: { secretKey: Uint8Array }): ListeningSecrets {
  return {
    of({ organizationId, userId }) {
      const purpose = JSON.stringify(['querypost listening secret v1', organizationId, userId])
      return `whsec_${Buffer.from(hkdfSync('sha256', options.secretKey, '', purpose, 32)).toString('base64')}`
    },
  }
}
