import type { Caller } from '../../model/caller.ts'
import type { ReferenceInFull } from '../../model/reference.ts'
import { inOneTransaction } from '../../store/joined-transaction.ts'
import { Refusal } from '../refusal.ts'
import { type ReferencesDeps, saveReference } from './references.ts'

type GivenReference = Parameters<typeof saveReference>[2]

/** Saves all of them or none. A refusal names the first item that cannot be saved. */
export function saveReferences(deps: ReferencesDeps, caller: Caller, items: GivenReference[]): Promise<ReferenceInFull[]> {
  return inOneTransaction(deps.db, async () => {
    const saved: ReferenceInFull[] = []
    for (const [index, item] of items.entries()) {
      try {
        saved.push(await saveReference(deps, caller, item))
      } catch (error) {
        throw error instanceof Refusal ? refusalOfItem(error, index) : error
      }
    }
    return saved
  })
}

function refusalOfItem({ code, message, details }: Refusal, index: number): Refusal {
  const place = `/items/${index}`
  const placed = details?.map((detail) => ({ path: `${place}${detail.path}`, message: detail.message }))
  return new Refusal(code, message, placed ?? [{ path: place, message }])
}
