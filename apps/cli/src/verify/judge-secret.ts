import { type Check, failed, ok, skipped } from '../check.ts'
import { looksUntouched } from './judge-body.ts'
import { secretBytes, sizeOf } from './examine-secrets.ts'
import type { Found } from './found.ts'

const whereItIs = 'It is under Webhooks, on the endpoint’s page, in *Secret and test*.'

/** Whether one of the secrets signed it; and where none did, whether the secrets or the body are the ones to doubt. */
export function judgeSecret(found: Found): Check {
  const { secrets, fit, claims } = found
  if (secrets.length === 0)
    return failed('secret', 'No secret was given.', `Set QUERYPOST_WEBHOOK_SECRET. ${whereItIs}`)
  // The library refuses to begin with any that it cannot read.
  const faulty = secrets.find(({ fault }) => fault !== undefined)
  if (faulty) {
    const fits = fit?.secret === faulty ? ' Put right, it fits.' : ''
    return failed('secret', `${capital(faulty.label)} ${faulty.fault}.${fits}`, `Copy it whole. ${whereItIs}`)
  }
  if (fit) {
    const isFirst = fit.secret === secrets[0]
    if (secrets.length === 1) return ok('secret', 'It is the one that signed this.')
    const rotated = ', not with the first. If that one is the current secret, the next has been made current meanwhile'
    return ok('secret', `Signed with ${fit.secret.label}${isFirst ? '' : rotated}.`)
  }
  if (claims.length === 0) return skipped('secret', 'Not tried: the request has no whole signature.')
  const odd = secrets.find(({ keyBytes }) => keyBytes !== secretBytes)
  if (odd)
    return failed(
      'secret',
      `${capital(odd.label)} does not fit. ${sizeOf(odd.keyBytes)}.`,
      `Copy it whole. ${whereItIs}`,
    )
  const none = secrets.length === 1 ? 'It did not sign this' : `None of the ${secrets.length} signed this`
  if (!looksUntouched(found)) return skipped('secret', `${none}, unless the body was changed; see there first.`)
  return failed(
    'secret',
    `${none}, and the body looks as Querypost wrote it. So it is the secret of another endpoint, or an old one.`,
    `Each endpoint has its own. ${whereItIs} After a rotation the next secret signs.`,
  )
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
