import { hkdfSync } from 'node:crypto'
import type { Caller } from '../../../model/caller.ts'

/**
 * The secret that signs events for listeners: one per member, in the same format as an endpoint's. It is derived rather than
 * stored, so a developer configures it once, whichever process answers and whichever key is used. Endpoint secrets are for admins;
 * this secret reveals nothing about them or about another member's.
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
