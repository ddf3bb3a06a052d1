import type { Caller } from '../../model/caller.ts'
import { embedLimits, type EmbedSecret } from '../../model/sharing/embedding.ts'
import type { Clock } from '../../ports/clock.ts'
import { type Random, randomText } from '../../ports/random.ts'
import type { Db, Tx } from '../../store/db.ts'
import { findEmbedOrigins, setEmbedOrigins } from '../../store/people/organizations-table.ts'
import {
  deleteEmbedSecret,
  expireEmbedSecret,
  insertEmbedSecret,
  readEmbedSecrets,
} from '../../store/sharing/embed-secrets-table.ts'
import { requireAdmin } from '../access/require-admin.ts'
import { changesOf } from '../audit/changes.ts'
import { recordAction, recordChange } from '../audit/record-action.ts'
import { isId, newId } from '../ids.ts'
import { badInput, checkText } from '../people/check-text.ts'
import { Refusal } from '../refusal.ts'
import type { Sealer } from '../sealing.ts'

export interface EmbeddingDeps {
  db: Db
  clock: Clock
  random: Random
  sealer: Sealer
}

export interface Embedding {
  origins: string[]
  secrets: EmbedSecret[]
}

/** The only time that a secret is shown. */
export interface NewEmbedSecret {
  id: string
  name: string
  secret: string
}

/** What embedding an organization has set up: the sites, and the secrets that sign tokens. */
export async function getEmbedding(deps: Pick<EmbeddingDeps, 'db'>, caller: Caller): Promise<Embedding> {
  requireAdmin(caller)
  const { organizationId } = caller
  return { origins: await findEmbedOrigins(deps.db, organizationId), secrets: await readEmbedSecrets(deps.db, organizationId) }
}

export async function editEmbedOrigins(deps: EmbeddingDeps, caller: Caller, given: string[]): Promise<Embedding> {
  requireAdmin(caller)
  const { organizationId } = caller
  const origins = [...new Set(given.map((text, at) => checkOrigin(text, `/origins/${at}`)))]
  await deps.db.transaction().execute(async (tx) => {
    const before = await findEmbedOrigins(tx, organizationId)
    await setEmbedOrigins(tx, organizationId, origins)
    await recordChange({ ...deps, tx }, caller, {
      action: 'embedding.origins_changed',
      subject: { type: 'organization', id: organizationId, name: null },
      details: { changes: changesOf({ origins: before }, { origins }) },
    })
  })
  return getEmbedding(deps, caller)
}

/** An origin as browsers write it. `https` is required, except on this machine, where people try things out. */
export function checkOrigin(text: string, path: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isLocal = url?.hostname === 'localhost' || url?.hostname === '127.0.0.1'
  const isOrigin = url && (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)) && url.href === `${url.origin}/`
  // These have a meaning in a content security policy.
  if (!isOrigin || /[*;,\s'"]/.test(url.origin)) throw badInput(path, 'must be an origin such as https://app.example.com, without a path')
  return url.origin
}

const lettersAndDigits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 285 random bits, more than HS256 can use. */
const secretLength = 48

export async function createEmbedSecret(deps: EmbeddingDeps, caller: Caller, input: { name: string }): Promise<NewEmbedSecret> {
  requireAdmin(caller)
  const name = checkText({ path: '/name', text: input.name, maxCharacters: 100 })
  return deps.db.transaction().execute(async (tx) => {
    const created = await insert(deps, tx, caller, name)
    await recordAction({ ...deps, tx }, caller, { action: 'embed_secret.created', subject: subjectOf(created) })
    return created
  })
}

/** Replaces a secret. Tokens that the old one signed are accepted until the overlap ends, so that servers can be changed one by one. */
export async function rotateEmbedSecret(
  deps: EmbeddingDeps,
  caller: Caller,
  { id, overlapHours }: { id: string; overlapHours: number },
): Promise<NewEmbedSecret> {
  requireAdmin(caller)
  const { organizationId } = caller
  const expiresAt = new Date(deps.clock.now().getTime() + overlapHours * 3600_000)
  return deps.db.transaction().execute(async (tx) => {
    const old = isId(id) ? await expireEmbedSecret(tx, { organizationId, id, expiresAt }) : undefined
    if (!old) throw noSuchSecret(id)
    const created = await insert(deps, tx, caller, old.name)
    const details = { newSecretId: created.id, overlapHours }
    await recordAction({ ...deps, tx }, caller, { action: 'embed_secret.rotated', subject: subjectOf({ id, name: old.name }), details })
    return created
  })
}

/** Ends a secret at once. Tokens that it signed stop working. */
export async function revokeEmbedSecret(deps: EmbeddingDeps, caller: Caller, id: string): Promise<void> {
  requireAdmin(caller)
  await deps.db.transaction().execute(async (tx) => {
    const secret = isId(id) ? await deleteEmbedSecret(tx, { organizationId: caller.organizationId, id }) : undefined
    if (!secret) throw noSuchSecret(id)
    await recordAction({ ...deps, tx }, caller, { action: 'embed_secret.revoked', subject: subjectOf({ id, name: secret.name }) })
  })
}

async function insert(deps: EmbeddingDeps, tx: Tx, { organizationId, userId }: Caller, name: string): Promise<NewEmbedSecret> {
  const id = newId(deps.random, 'embed')
  const secret = randomText(deps.random, lettersAndDigits, secretLength)
  const sealedSecret = deps.sealer.seal(secret, id)
  await insertEmbedSecret(tx, { id, organizationId, name, sealedSecret, createdBy: userId, now: deps.clock.now() })
  if ((await readEmbedSecrets(tx, organizationId)).length > embedLimits.secrets) {
    throw new Refusal('invalid_request', `Your organization has ${embedLimits.secrets} embedding secrets, the maximum. Revoke some first.`)
  }
  return { id, name, secret }
}

const subjectOf = ({ id, name }: { id: string; name: string }) => ({ type: 'embed_secret', id, name }) as const

const noSuchSecret = (id: string) =>
  new Refusal('embed_secret_not_found', `There is no embedding secret ${JSON.stringify(id)} that could be changed. It may have been replaced or revoked.`)
