import type { Caller } from '../../model/caller.ts'
import type { LinkedReference, Users } from '../../model/lineage.ts'
import type { DeletedReference } from '../../model/reference.ts'
import { readItemUsers } from '../../store/lineage/read-users.ts'
import type { BasedOn } from '../content-version.ts'
import { deleteItems } from '../items/change-items.ts'
import type { ItemAddress } from '../items/items.ts'
import { deleteReference, getReference, type ReferencesDeps } from '../references/references.ts'
import { Refusal, type RefusalDetail } from '../refusal.ts'
import { readReferencesReading, readUsers } from './reference-lineage.ts'

/** Deletes a reference. One that others use is deleted only if the caller has confirmed it. */
export async function deleteUnlessUsed(
  deps: ReferencesDeps,
  caller: Caller,
  { shortId, evenIfUsed, version }: BasedOn & { shortId: string; evenIfUsed: boolean },
): Promise<DeletedReference> {
  if (!evenIfUsed) {
    await getReference(deps, caller, shortId)
    refuseIfUsed(await readUsers(deps, caller.organizationId, shortId))
  }
  return deleteReference(deps, caller, shortId, { version })
}

/** Deletes many items. Those that items outside of the list use are deleted only if the caller has confirmed it. */
export async function deleteItemsUnlessUsed(
  deps: ReferencesDeps,
  caller: Caller,
  { items, evenIfUsed }: { items: ItemAddress[]; evenIfUsed: boolean },
): Promise<void> {
  if (!evenIfUsed) refuseIfUsed(await readUsersOutside(deps, caller, items))
  await deleteItems(deps, caller, items)
}

async function readUsersOutside({ db }: Pick<ReferencesDeps, 'db'>, { organizationId }: Caller, items: ItemAddress[]): Promise<Users> {
  const deleted = new Set(items.map(({ kind, shortId }) => `${kind} ${shortId}`))
  const shortIds = items.filter(({ kind }) => kind === 'reference').map(({ shortId }) => shortId)
  const { boards, automations } = await readItemUsers(db, { organizationId, shortIds })
  const references = new Map<string, LinkedReference>()
  for (const shortId of shortIds) {
    for (const reader of await readReferencesReading(db, organizationId, shortId)) references.set(reader.shortId, reader)
  }
  return {
    references: [...references.values()].filter(({ shortId }) => !deleted.has(`reference ${shortId}`)),
    boards: boards.filter(({ shortId }) => !deleted.has(`board ${shortId}`)),
    automations,
  }
}

function refuseIfUsed({ references, boards, automations }: Users): void {
  const details: RefusalDetail[] = [
    ...references.map(({ shortId, title }) => ({ path: `/references/${shortId}`, message: title })),
    ...boards.map(({ shortId, title }) => ({ path: `/boards/${shortId}`, message: title })),
    ...automations.map(({ id, name }) => ({ path: `/automations/${id}`, message: name })),
  ]
  if (details.length === 0) return
  const others = details.length === 1 ? '1 other item uses' : `${details.length} other items use`
  throw new Refusal('reference_in_use', `${others} what would be deleted, and would stop working. To delete it anyway, add evenIfUsed=true.`, details)
}
