import type { Caller } from '../../model/caller.ts'
import { type GitRepository, repositoryLimits } from '../../model/git-repository.ts'
import { managedUrlMaxLength } from '../../model/managed-item.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import {
  deleteRepository as deleteStored,
  insertRepository,
  listRepositories as listStored,
  replaceRepositorySecret,
} from '../../store/repositories/git-repositories-table.ts'
import { requireAdmin } from '../access/require-admin.ts'
import { recordAction } from '../audit/record-action.ts'
import { isId, newId } from '../ids.ts'
import { isWebAddress } from '../web-address.ts'
import { badInput, checkText } from '../people/check-text.ts'
import { Refusal } from '../refusal.ts'
import type { Sealer } from '../sealing.ts'
import { newSecret } from '../webhooks/secret.ts'

export interface RepositoriesDeps {
  db: Db
  clock: Clock
  random: Random
  sealer: Sealer
}

/** The only time that a secret is shown. */
export interface NewRepositorySecret {
  id: string
  name: string
  secret: string
}

export async function listRepositories({ db }: Pick<RepositoriesDeps, 'db'>, caller: Caller): Promise<GitRepository[]> {
  requireAdmin(caller)
  return listStored(db, caller.organizationId)
}

export async function createRepository(
  deps: RepositoriesDeps,
  caller: Caller,
  input: { name: string; url: string },
): Promise<NewRepositorySecret> {
  requireAdmin(caller)
  const { organizationId, userId } = caller
  const name = checkText({ path: '/name', text: input.name, maxCharacters: repositoryLimits.nameCharacters })
  const url = input.url.trim()
  if (!isWebAddress(url) || url.length > managedUrlMaxLength) throw badInput('/url', 'must be an address that begins with https://')
  const id = newId(deps.random, 'repo')
  const secret = newSecret(deps.random)
  await deps.db.transaction().execute(async (tx) => {
    await insertRepository(tx, { id, organizationId, name, url, sealedSecret: deps.sealer.seal(secret, id), createdBy: userId, now: deps.clock.now() })
    if ((await listStored(tx, organizationId)).length > repositoryLimits.repositories) {
      throw new Refusal('invalid_request', `Your organization has ${repositoryLimits.repositories} repositories, the maximum. Remove one first.`)
    }
    await recordAction({ ...deps, tx }, caller, { action: 'git_repository.added', subject: subjectOf({ id, name }) })
  })
  return { id, name, secret }
}

/** Requests that the old secret signed are accepted until the overlap ends, so that the repository's settings can be changed. */
export async function rotateRepositorySecret(
  deps: RepositoriesDeps,
  caller: Caller,
  { id, overlapHours }: { id: string; overlapHours: number },
): Promise<NewRepositorySecret> {
  requireAdmin(caller)
  const { organizationId } = caller
  const secret = newSecret(deps.random)
  const previousUntil = new Date(deps.clock.now().getTime() + overlapHours * 3600_000)
  return deps.db.transaction().execute(async (tx) => {
    const sealedSecret = deps.sealer.seal(secret, id)
    const repository = isId(id) ? await replaceRepositorySecret(tx, { organizationId, id, sealedSecret, previousUntil }) : undefined
    if (!repository) throw noSuchRepository(id)
    const subject = subjectOf({ id, name: repository.name })
    await recordAction({ ...deps, tx }, caller, { action: 'git_repository.secret_rotated', subject, details: { overlapHours } })
    return { id, name: repository.name, secret }
  })
}

/** Its requests are refused from then on. What it pushed stays, and stays managed. */
export async function removeRepository(deps: RepositoriesDeps, caller: Caller, id: string): Promise<void> {
  requireAdmin(caller)
  await deps.db.transaction().execute(async (tx) => {
    const repository = isId(id) ? await deleteStored(tx, { organizationId: caller.organizationId, id }) : undefined
    if (!repository) throw noSuchRepository(id)
    await recordAction({ ...deps, tx }, caller, { action: 'git_repository.removed', subject: subjectOf({ id, name: repository.name }) })
  })
}

const subjectOf = ({ id, name }: { id: string; name: string }) => ({ type: 'git_repository', id, name }) as const

const noSuchRepository = (id: string) =>
  new Refusal('git_repository_not_found', `There is no repository ${JSON.stringify(id.slice(0, 100))}. It may have been removed.`)
