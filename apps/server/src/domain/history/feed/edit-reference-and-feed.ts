import type { Caller } from '../../../model/caller.ts'
import type { ChangeFeed } from '../../../model/change-feed.ts'
import { inOneTransaction } from '../../../store/joined-transaction.ts'
import type { BasedOn } from '../../content-version.ts'
import { editReference, getVersionedReference, lockExisting, type ReferenceEdit, type ReferencesDeps, type VersionedReference } from '../../references/references.ts'
import { changeFeed, type FeedEdit, type FeedSettingsDeps } from './feed-settings.ts'

/** Changes a reference and the settings of its change feed, both or neither. */
export function editReferenceAndFeed(
  deps: ReferencesDeps & FeedSettingsDeps,
  caller: Caller,
  shortId: string,
  options: { edit: ReferenceEdit; feed: FeedEdit; basedOn: BasedOn; signal: AbortSignal },
): Promise<VersionedReference & ChangeFeed> {
  const { edit, feed, basedOn, signal } = options
  return inOneTransaction(deps.db, async () => {
    if (Object.keys(edit).length > 0) await editReference(deps, caller, shortId, edit, basedOn)
    else if (basedOn.version !== undefined) await deps.db.transaction().execute((tx) => lockExisting(tx, caller, shortId, basedOn))
    const changed = await changeFeed(deps, caller, { shortId, ...feed, signal })
    const { version } = await getVersionedReference(deps, caller, shortId)
    return { ...changed, version }
  })
}
