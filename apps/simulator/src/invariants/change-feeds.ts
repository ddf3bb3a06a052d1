import type { WorkChange } from '../store/memory-work.ts'
import { contentOf } from '../world/feed-port.ts'
import { worldBeganAt } from '../world/machine.ts'
import type { Cause, Judge, Observed } from '../world/observed.ts'
import { firstOf } from './1-reaches-its-end.ts'

/** What the feed of a query should contain. */
interface Expected {
  /** Completed runs, in the order in which they ended. */
  runIds: string[]
  /** The place of the run of the newest change. */
  place: number
  number: number
  hash: string | undefined
}

/**
 * Change feeds. Changes are numbered 1, 2, 3, … in the order in which runs ended, each from the result of the one before, with an event in the
 * same commit. At the end, every kept result that differs from the one before is a change.
 */
export function changeFeeds(observed: Observed): Judge {
  const work = observed.work!
  const feeds = new Map<string, Expected>()
  const feedOf = (id: string) => {
    const feed = feeds.get(id) ?? { runIds: [], place: -1, number: 0, hash: undefined }
    feeds.set(id, feed)
    return feed
  }

  function judgeChange({ after }: Extract<WorkChange, { table: 'feedChanges' }>, changes: WorkChange[]): string | undefined {
    const feed = feedOf(after.feedId)
    const who = `change ${after.number} of ${after.feedId}`
    if (after.number !== feed.number + 1) return `${who} follows change ${feed.number}`
    if (feed.hash !== undefined && feed.hash !== after.fromHash) return `${who} does not begin with the result of the one before`
    if (after.fromHash === after.toHash) return `${who} changes nothing`
    const place = feed.runIds.indexOf(after.runId)
    if (place <= feed.place) return `${who} is about a run that ended before that of the change before`
    if (!changes.some((other) => other.table === 'feedEvents' && other.after.id === after.id)) return `${who} has no event`
    Object.assign(feed, { number: after.number, hash: after.toHash, place })
    return undefined
  }

  function judgeFeed({ before, after }: Extract<WorkChange, { table: 'feeds' }>, cause: Cause): string | undefined {
    if (!before || cause.by !== 'worker' || after.leaseNumber === before.leaseNumber) return undefined
    const earlyMs = (before.nextAttemptAt?.getTime() ?? Infinity) - worldBeganAt - observed.nowMs()
    return earlyMs > 0 ? `the feed of ${after.id} was claimed ${earlyMs} ms before it was due` : undefined
  }

  /** The contents that the changes should lead to, one after the other. */
  function expectedOf({ runIds }: Expected): string[] {
    const contents = runIds.filter((id) => work.tables.keptResults.has(id)).map((id) => contentOf(work.tables.runs.get(id)!.resultHash!))
    return contents.filter((content, index) => index > 0 && content !== contents[index - 1])
  }

  return {
    invariant: 'change feeds',
    committed({ work: changes, cause }) {
      return firstOf(changes, (change) => {
        if (change.table === 'runs' && change.before?.status === 'running' && change.after.status === 'completed') {
          feedOf(change.after.queryId).runIds.push(change.after.id)
        }
        if (change.table === 'feedChanges') return judgeChange(change, changes)
        return change.table === 'feeds' ? judgeFeed(change, cause) : undefined
      })
    },
    ended() {
      if (!work.tables.areChangesPublished) return undefined
      return firstOf([...feeds.entries()], ([id, feed]) => {
        const changes = [...work.tables.feedChanges.values()].filter(({ feedId }) => feedId === id)
        const [wanted, recorded] = [expectedOf(feed).join(', '), changes.map(({ toHash }) => toHash).join(', ')]
        return wanted === recorded ? undefined : `the feed of ${id} has ${recorded || 'no changes'} instead of ${wanted || 'none'}`
      })
    },
  }
}
