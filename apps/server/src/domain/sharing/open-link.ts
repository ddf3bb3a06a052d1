import { type Viewer, publicLinkLimits } from '../../model/sharing/public-link.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import { findOpenLink, type OpenLink } from '../../store/sharing/public-links-table.ts'
import { verifyPassword } from '../people/passwords.ts'
import { secretHash } from '../people/secret-hash.ts'
import type { SignInThrottle } from '../people/sign-in-throttle.ts'
import { Refusal } from '../refusal.ts'
import type { Sealer } from '../sealing.ts'

/**
 * Decides whether someone with the token of a public link may open it. A link with a password also needs a *pass*, which the viewer gets
 * for the password. A pass is sealed for the link and its password, so another link's pass is worthless, and a new password ends all
 * passes.
 */
export interface OpenLinkDeps {
  db: Db
  clock: Clock
  sealer: Sealer
}

const passLifetimeMs = 12 * 3600_000

export async function openLink(
  deps: OpenLinkDeps,
  { token, pass }: { token: string; pass?: string | undefined },
): Promise<Viewer> {
  const link = await getOpenLink(deps, token)
  if (link.passwordHash !== null && !isValidPass(deps, link, pass)) {
    throw new Refusal('public_link_password_required', 'This page has a password. Enter it to continue.')
  }
  const { passwordHash: _, ...viewer } = link
  return { ...viewer, lockedValues: {}, runLimits: publicLinkLimits.runs, tokenExpiresAt: null }
}

/** For the status of the link's page. */
export const isOpenLink = async ({ db }: Pick<OpenLinkDeps, 'db'>, token: string): Promise<boolean> =>
  (await findOpenLink(db, secretHash(token))) !== undefined

/** Returns a pass for the right password. */
export async function unlockLink(
  deps: OpenLinkDeps & { throttle: SignInThrottle },
  { token, password, address }: { token: string; password: string; address: string | null },
): Promise<{ pass: string }> {
  const link = await getOpenLink(deps, token)
  const { passwordHash } = link
  if (passwordHash !== null) {
    const { isRight } = await deps.throttle.attempt({ linkId: link.id, address }, () => verifyPassword(password, passwordHash))
    if (!isRight) throw new Refusal('public_link_password_wrong', 'This is not the password. Check it and try again.')
  }
  const until = deps.clock.now().getTime() + passLifetimeMs
  return { pass: Buffer.from(deps.sealer.seal(String(until), contextOf(link))).toString('base64url') }
}

async function getOpenLink({ db }: Pick<OpenLinkDeps, 'db'>, token: string): Promise<OpenLink> {
  const link = await findOpenLink(db, secretHash(token))
  if (!link) {
    throw new Refusal('public_link_not_found', 'This link doesn’t work. It may have expired or been revoked.')
  }
  return link
}

function isValidPass({ sealer, clock }: OpenLinkDeps, link: OpenLink, pass: string | undefined): boolean {
  if (pass === undefined) return false
  try {
    return Number(sealer.open(Buffer.from(pass, 'base64url'), contextOf(link))) > clock.now().getTime()
  } catch {
    return false
  }
}

const contextOf = ({ id, passwordHash }: OpenLink) => `pass for ${id} with ${passwordHash}`
