import { isProjectFile, type KnownItem, type KnownItems, type Plan, planChanges, type PlannedChange, planMarks } from '@querypost/project'
import { type HeadersLike, type SignedRequest, verifySignature, WebhookVerificationError } from '@querypost/webhooks'
import type { Caller, Origin } from '../../model/caller.ts'
import type { KnownFiles } from '../../model/git-repository.ts'
import { inOneTransaction } from '../../store/joined-transaction.ts'
import {
  findRepositoryAccess,
  lockRepository,
  recordPush,
  type RepositoryAccess,
} from '../../store/repositories/git-repositories-table.ts'
import { isId } from '../ids.ts'
import { type AppliedItem, applyProject } from '../project/apply-project.ts'
import type { ProjectDeps } from '../project/change-project-item.ts'
import { readProject } from '../project/read-project.ts'
import { Refusal } from '../refusal.ts'
import type { Sealer } from '../sealing.ts'
import { ArchiveError, readGitArchive } from './read-git-archive.ts'

/**
 * A *push* of a repository: all of its files, signed as our webhooks are. The service compares them with what the last push left, and
 * applies the difference as the member who added the repository. Files that are gone are deleted items.
 *
 * A push is applied only if it was signed after the last one, so a recorded request cannot bring an earlier state back.
 */
export type PushDeps = ProjectDeps & { sealer: Sealer }

export interface GivenPush {
  headers: HeadersLike
  body: Uint8Array
  origin: Origin
}

export type PushedChange = Pick<PlannedChange, 'action' | 'kind' | 'path' | 'words'>

/** Before the body of a request is read. Says no more about a repository that does not exist than about a wrong signature. */
export async function requireRepository({ db }: Pick<PushDeps, 'db'>, id: string): Promise<RepositoryAccess> {
  const access = isId(id) ? await findRepositoryAccess(db, id) : undefined
  return access ?? refuseSignature('The signature was not made with the secret of this repository.')
}

export async function receivePush(deps: PushDeps, id: string, push: GivenPush): Promise<PushedChange[]> {
  const access = await requireRepository(deps, id)
  const { sentAt, body } = await requireSignature(deps, id, access, push)
  const caller = await callerFor(deps, access, push.origin)
  const texts = await readTexts(body)
  return inOneTransaction(deps.db, async () => {
    const { known, lastSignedAt } = await deps.db.transaction().execute(async (tx) => {
      const locked = await lockRepository(tx, { organizationId: caller.organizationId, id })
      return locked ?? refuseSignature('The repository was removed.')
    })
    if (lastSignedAt && sentAt <= lastSignedAt) throw outdated()
    const plan = await makePlan(deps, caller, { texts, known: new Map(Object.entries(known)), url: access.url })
    const applied = await applyProject(deps, caller, plan)
    const next = nextKnown(plan, applied)
    await deps.db.transaction().execute((tx) => recordPush(tx, { id, known: next, signedAt: sentAt, now: deps.clock.now() }))
    return plan.changes.map(({ action, kind, path, words }) => ({ action, kind, path, words }))
  })
}

async function requireSignature({ sealer, clock }: PushDeps, id: string, access: RepositoryAccess, push: GivenPush): Promise<SignedRequest> {
  const secret = access.sealedSecrets.map((sealed) => sealer.open(sealed, id))
  try {
    return await verifySignature({ headers: push.headers, body: push.body, secret, now: clock.now() })
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    return refuseSignature(error.code === 'missing_header' ? missingHeaders : error.message)
  }
}

const missingHeaders = 'Send the headers svc-webhook-id, svc-webhook-timestamp and svc-webhook-signature.'

function refuseSignature(message: string): never {
  throw new Refusal('signature_invalid', message)
}

const outdated = () =>
  new Refusal('push_outdated', 'A push that was signed at the same time or later has been applied. Sign the current files again and send them.')

/** The member who added the repository, who must still be an admin. */
async function callerFor({ findMember }: PushDeps, { organizationId, createdBy: userId }: RepositoryAccess, origin: Origin): Promise<Caller> {
  const member = await findMember({ organizationId, userId })
  if (member?.role === 'admin') return { organizationId, userId, role: 'admin', triggerId: userId, origin }
  throw new Refusal('forbidden', 'The person who added this repository is no longer an admin. Ask an admin to add it again.')
}

async function readTexts(archive: Uint8Array): Promise<Map<string, string>> {
  try {
    return await readGitArchive(archive, isProjectFile)
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    throw new Refusal('invalid_request', `The body ${error.message}. Send what git archive --format=tar writes.`)
  }
}

async function makePlan(
  deps: PushDeps,
  caller: Caller,
  { texts, known, url }: { texts: Map<string, string>; known: KnownItems; url: string },
) {
  const { parseTree } = await import('@querypost/project/files')
  const { items: files, faults } = parseTree(texts)
  if (faults.length > 0) {
    const details = faults.map(({ file, message }) => ({ path: file, message }))
    throw new Refusal('invalid_request', `${faults[0]!.file} ${faults[0]!.message}`, details)
  }
  const stored = await readProject(deps, caller)
  const plan = planChanges({ files, stored, known, deletes: true })
  if (plan.conflicts.length > 0) throw conflicts(plan)
  return { ...plan, marks: planMarks(plan, { stored, managed: { url } }) }
}

function conflicts({ conflicts: found }: Plan): Refusal {
  const details = found.map(({ path, words }) => ({ path, message: words }))
  return new Refusal('project_conflict', `Nothing was changed. ${found[0]!.path}: ${found[0]!.words}.`, details)
}

function nextKnown({ unchanged }: Plan, applied: AppliedItem[]): KnownFiles {
  const now = applied.map(({ path, kind, id, hash, name }): [string, KnownItem] => [path, { kind, id, hash, name }])
  return Object.fromEntries([...unchanged, ...now])
}
