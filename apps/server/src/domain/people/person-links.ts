import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db, Tx } from '../../store/db.ts'
import { findLink, insertLink, markLinkUsed } from '../../store/people/person-links-table.ts'
import type { LinkPurpose } from '../../model/people.ts'
import { Refusal } from '../refusal.ts'
import { secretHash } from './secret-hash.ts'
import { isToken, newToken } from './tokens.ts'

/**
 * A *link* lets its holder do one thing as one person, once: finish the first start (`welcome`) or choose a new password
 * (`password_reset`). Its *token* is in the fragment of the URL, which browsers never send, so it reaches no log and no other site.
 * The store keeps the token's hash.
 *
 * - A link stops working once it is used, once it expires, and once its person changes the password in another way.
 * - Reading a link does not use it up, because mail scanners open links too.
 */
const kinds = {
  welcome: {
    page: 'welcome',
    lifetimeMs: 24 * 3600_000,
    remedy: 'Sign in with your e-mail and password. If nobody has signed in yet, a restart prints a new link.',
  },
  password_reset: {
    page: 'reset',
    lifetimeMs: 3600_000,
    remedy: 'Request a new one on the sign-in page, or ask your administrator.',
  },
} satisfies Record<LinkPurpose, { page: string; lifetimeMs: number; remedy: string }>

export async function makeLink(
  deps: { db: Db; clock: Clock; random: Random },
  { userId, purpose }: { userId: string; purpose: LinkPurpose },
): Promise<{ token: string }> {
  const token = newToken(deps.random)
  const createdAt = deps.clock.now()
  const expiresAt = new Date(createdAt.getTime() + kinds[purpose].lifetimeMs)
  await insertLink(deps.db, { tokenHash: secretHash(token), purpose, userId, createdAt, expiresAt })
  return { token }
}

export function linkUrl(options: { baseUrl: string; purpose: LinkPurpose; token: string }): string {
  return `${options.baseUrl}/${kinds[options.purpose].page}#${options.token}`
}

interface Given {
  token: string
  purpose: LinkPurpose
}

/** Whose link it is. Throws an error that says why the link is not valid. */
export async function readLink(deps: { db: Db; clock: Clock }, given: Given): Promise<{ userId: string }> {
  const { token, purpose } = given
  const link = isToken(token) ? await findLink(deps.db, { tokenHash: secretHash(token), purpose }) : undefined
  if (!link) throw notValid(purpose, 'This link is incomplete or has been replaced.')
  if (link.usedAt) throw notValid(purpose, 'This link has already been used.')
  if (link.expiresAt <= deps.clock.now()) throw notValid(purpose, 'This link has expired.')
  return { userId: link.userId }
}

/** The same, and uses the link up. If it is used twice at the same time, one use fails. */
export async function useLink(deps: { tx: Tx; clock: Clock }, given: Given): Promise<{ userId: string }> {
  const { userId } = await readLink({ db: deps.tx, clock: deps.clock }, given)
  const isOurs = await markLinkUsed(deps.tx, { tokenHash: secretHash(given.token), usedAt: deps.clock.now() })
  if (!isOurs) throw notValid(given.purpose, 'This link has already been used.')
  return { userId }
}

const notValid = (purpose: LinkPurpose, what: string) => new Refusal('link_not_valid', `${what} ${kinds[purpose].remedy}`)
