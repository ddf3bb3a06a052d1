import type { Caller } from '../../model/caller.ts'
import type { Users } from '../../model/lineage.ts'
import type { DeletedReference } from '../../model/reference.ts'
import { deleteReference, getReference, type ReferencesDeps } from '../references/references.ts'
import { Refusal, type RefusalDetail } from '../refusal.ts'
import { readUsers } from './reference-lineage.ts'

/** Deletes a reference. One that others use is deleted only if the caller has confirmed it. */
export async function deleteUnlessUsed(
  deps: ReferencesDeps,
  caller: Caller,
  { shortId, evenIfUsed }: { shortId: string; evenIfUsed: boolean },
): Promise<DeletedReference> {
  if (!evenIfUsed) {
    await getReference(deps, caller, shortId)
    refuseIfUsed(await readUsers(deps, caller.organizationId, shortId))
  }
  return deleteReference(deps, caller, shortId)
}

function refuseIfUsed({ references, boards, automations }: Users): void {
  const details: RefusalDetail[] = [
    ...references.map(({ shortId, title }) => ({ path: `/references/${shortId}`, message: title })),
    ...boards.map(({ shortId, title }) => ({ path: `/boards/${shortId}`, message: title })),
    ...automations.map(({ id, name }) => ({ path: `/automations/${id}`, message: name })),
  ]
  if (details.length === 0) return
  const others = details.length === 1 ? '1 other item uses' : `${details.length} other items use`
  throw new Refusal('reference_in_use', `${others} this saved query and would stop working. To delete it anyway, add evenIfUsed=true.`, details)
}
