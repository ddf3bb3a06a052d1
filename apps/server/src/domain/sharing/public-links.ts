import type { Caller } from '../../model/caller.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import { type PublicLink, publicLinkLimits, type ViewerOptions } from '../../model/sharing/public-link.ts'
import type { Clock } from '../../ports/clock.ts'
import { type Random, randomText } from '../../ports/random.ts'
import {
  deletePublicLink,
  findPublicLink,
  insertPublicLink,
  lockPublicLink,
  readPublicLinksOf,
  readPublicLinksPage,
  updatePublicLink,
} from '../../store/sharing/public-links-table.ts'
import { requireAdmin } from '../access/require-admin.ts'
import { requireSharing } from '../access/require-sharing.ts'
import { auditValue, changesOf } from '../audit/changes.ts'
import { recordAction, recordChange } from '../audit/record-action.ts'
import { isId, newId } from '../ids.ts'
import type { ItemAddress } from '../items/items.ts'
import type { ListCursorCodec } from '../pagination/list-cursor.ts'
import { readListPage, withKeys } from '../pagination/list-page.ts'
import { badInput } from '../people/check-text.ts'
import { hashPassword } from '../people/passwords.ts'
import { secretHash } from '../people/secret-hash.ts'
import { Refusal } from '../refusal.ts'
import type { Sealer } from '../sealing.ts'
import { checkViewerOptions } from './check-viewer-options.ts'
import { readItemToShare, readSharedItem, type SharedItemDeps } from './shared-item.ts'

export interface PublicLinksDeps extends SharedItemDeps {
  clock: Clock
  random: Random
  sealer: Sealer
}

/** The link with its token, for those who may share it. It is null if SECRET_KEY was changed since the link was created. */
export type PublicLinkWithToken = PublicLink & { token: string | null }

export interface NewLink extends ViewerOptions {
  expiresAt: Date | null
  password: string | null
}

const lettersAndDigits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 142 random bits: no rate of guessing finds one. */
const tokenLength = 24

export async function createPublicLink(
  deps: PublicLinksDeps,
  caller: Caller,
  address: ItemAddress,
  input: NewLink,
): Promise<PublicLinkWithToken> {
  const { organizationId } = caller
  const key = { organizationId, ...address }
  const { title, parameters } = await readItemToShare(deps, key)
  await requireSharing(deps.db, caller)
  const { password, expiresAt, ...given } = input
  checkExpiry(deps, expiresAt)
  const options = checkViewerOptions(parameters, given)
  const passwordHash = password === null ? null : await hashPassword(deps, password)
  const token = randomText(deps.random, lettersAndDigits, tokenLength)
  const id = newId(deps.random, 'link')
  const link = await deps.db.transaction().execute(async (tx) => {
    await insertPublicLink(tx, {
      ...key,
      id,
      tokenHash: secretHash(token),
      sealedToken: deps.sealer.seal(token, id),
      passwordHash,
      options,
      expiresAt,
      createdBy: caller.userId,
      now: deps.clock.now(),
    })
    const links = await readPublicLinksOf(tx, key)
    if (links.length > publicLinkLimits.linksOfItem) {
      throw new Refusal('invalid_request', `There are ${publicLinkLimits.linksOfItem} links to this, the maximum. Revoke some first.`)
    }
    const details = { ...auditFields({ ...options, expiresAt }), ...address, hasPassword: passwordHash !== null }
    await recordAction({ ...deps, tx }, caller, { action: 'public_link.created', subject: subjectOf({ id, title }), details })
    return links.find((each) => each.id === id)!
  })
  return { ...link, token }
}

/** The links to one item, newest first. */
export async function listPublicLinksOf(deps: PublicLinksDeps, caller: Caller, address: ItemAddress): Promise<PublicLinkWithToken[]> {
  const key = { organizationId: caller.organizationId, ...address }
  await readSharedItem(deps, key)
  return (await readPublicLinksOf(deps.db, key)).map(withToken(deps))
}

/** All links of the organization, newest first. */
export async function listPublicLinks(
  deps: PublicLinksDeps & { listCursors: ListCursorCodec },
  caller: Caller,
  request: PageRequest,
): Promise<Page<PublicLinkWithToken>> {
  requireAdmin(caller)
  const { organizationId } = caller
  return readListPage(deps, {
    place: { organizationId, list: 'public links' },
    request,
    async read(page) {
      const links = (await readPublicLinksPage(deps.db, { organizationId, ...page })).map(withToken(deps))
      return { rows: withKeys(links, ({ createdAt, id }) => ({ createdAt: createdAt.toISOString(), id })) }
    },
  })
}

/** `password`: null removes it, undefined keeps it. */
export type LinkEdit = Partial<NewLink>

export async function editPublicLink(
  deps: PublicLinksDeps,
  caller: Caller,
  id: string,
  edit: LinkEdit,
): Promise<PublicLinkWithToken> {
  const { organizationId } = caller
  const { password, ...changes } = edit
  if (changes.expiresAt !== undefined) checkExpiry(deps, changes.expiresAt)
  const passwordHash = typeof password === 'string' ? await hashPassword(deps, password) : password
  const found = isId(id) ? await findPublicLink(deps.db, { organizationId, id }) : undefined
  if (!found || found.title === null) throw noSuchLink(id)
  await requireSharing(deps.db, caller)
  // Read before the transaction, which may have the only connection to the store.
  const { parameters } = await readSharedItem(deps, found)
  return deps.db.transaction().execute(async (tx) => {
    const before = await lockPublicLink(tx, { organizationId, id })
    if (!before) throw noSuchLink(id)
    const { expiresAt, ...given } = { ...settingsOf(before), ...changes }
    const options = checkViewerOptions(parameters, given)
    await updatePublicLink(tx, id, { options, expiresAt, ...(passwordHash !== undefined && { passwordHash }) })
    const after = (await lockPublicLink(tx, { organizationId, id }))!
    const fieldsOf = (link: PublicLink) => ({ ...auditFields(settingsOf(link)), hasPassword: link.hasPassword })
    // The record of a new password that replaces another one says only that.
    const isReplaced = typeof password === 'string' && before.hasPassword
    await recordChange({ ...deps, tx }, caller, {
      action: 'public_link.changed',
      subject: subjectOf(after),
      details: {
        changes: {
          ...changesOf(fieldsOf(before), fieldsOf(after)),
          ...(isReplaced && { password: { before: null, after: 'changed' } }),
        },
      },
    })
    return withToken(deps)(after)
  })
}

export async function revokePublicLink(deps: PublicLinksDeps, caller: Caller, id: string): Promise<void> {
  const { organizationId } = caller
  await deps.db.transaction().execute(async (tx) => {
    const link = isId(id) ? await lockPublicLink(tx, { organizationId, id }) : undefined
    if (!link) throw noSuchLink(id)
    await deletePublicLink(tx, id)
    const details = { kind: link.kind, shortId: link.shortId, viewCount: link.viewCount }
    await recordAction({ ...deps, tx }, caller, { action: 'public_link.revoked', subject: subjectOf(link), details })
  })
}

const withToken =
  ({ sealer }: Pick<PublicLinksDeps, 'sealer'>) =>
  (link: PublicLink): PublicLinkWithToken => {
    try {
      return { ...link, token: sealer.open(link.sealedToken, link.id) }
    } catch {
      return { ...link, token: null }
    }
  }

const settingsOf = ({ parameters, showsSql, allowsRefresh, downloads, expiresAt }: PublicLink) => ({
  parameters,
  showsSql,
  allowsRefresh,
  downloads,
  expiresAt,
})

const auditFields = ({ parameters, showsSql, allowsRefresh, downloads, expiresAt }: Omit<NewLink, 'password'>) => ({
  parameters: auditValue(parameters),
  showsSql,
  allowsRefresh,
  downloads,
  expiresAt: auditValue(expiresAt),
})

const subjectOf = ({ id, title }: { id: string; title: string | null }) => ({ type: 'public_link', id, name: title }) as const

function checkExpiry({ clock }: Pick<PublicLinksDeps, 'clock'>, expiresAt: Date | null): void {
  if (expiresAt !== null && expiresAt <= clock.now()) throw badInput('/expiresAt', 'must be in the future')
}

const noSuchLink = (id: string) =>
  new Refusal('public_link_not_found', `There is no public link ${JSON.stringify(id)}. It may have been revoked.`)
