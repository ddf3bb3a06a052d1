import { type Check, failed, ok, skipped } from '../checks.ts'
import { looksUnchanged } from './judge-body.ts'
import { secretBytes, describeSize } from './examine-secrets.ts'
import type { Findings } from './findings.ts'

const whereToFindIt = 'You find it under Webhooks, on the endpoint’s page, in *Secret and test*.'

/** Checks which secret signed the request, and if none did, whether the secrets or the body are probably at fault. */
export function judgeSecret(findings: Findings): Check {
  const { secrets, match, claims } = findings
  if (secrets.length === 0)
    return failed('secret', 'No secret was given.', `Set QUERYPOST_WEBHOOK_SECRET. ${whereToFindIt}`)
  // The library rejects all requests while one of its secrets is unreadable.
  const faulty = secrets.find(({ fault }) => fault !== undefined)
  if (faulty) {
    const hint = match?.secret === faulty ? ' Without that, it matches.' : ''
    return failed('secret', `${capitalize(faulty.label)} ${faulty.fault}.${hint}`, `Copy the whole secret. ${whereToFindIt}`)
  }
  if (match) {
    const isFirst = match.secret === secrets[0]
    if (secrets.length === 1) return ok('secret', 'The secret matches.')
    const rotated = ', not with the first. If the first was the current secret, it has been rotated'
    return ok('secret', `Signed with ${match.secret.label}${isFirst ? '' : rotated}.`)
  }
  if (claims.length === 0) return skipped('secret', 'Not checked: the request has no complete signature.')
  const odd = secrets.find(({ keyBytes }) => keyBytes !== secretBytes)
  if (odd)
    return failed(
      'secret',
      `${capitalize(odd.label)} does not match. ${describeSize(odd.keyBytes)}.`,
      `Copy the whole secret. ${whereToFindIt}`,
    )
  const none = secrets.length === 1 ? 'The secret does not match' : `None of the ${secrets.length} secrets match`
  if (!looksUnchanged(findings)) return skipped('secret', `${none}, unless the body was changed. Check the body first.`)
  return failed(
    'secret',
    `${none}, but the body looks unchanged. It is probably the secret of another endpoint, or an old one.`,
    `Each endpoint has its own secret. ${whereToFindIt} After a rotation, requests are signed with the new secret.`,
  )
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
