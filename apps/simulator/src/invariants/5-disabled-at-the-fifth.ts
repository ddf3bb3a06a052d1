import type { NotificationKind } from '@querypost/server/model'
import type { EndpointRow } from '@querypost/server/testing'
import type { Commit, Judge, Observed } from '../world/observed.ts'
import { firstOf } from './1-reaches-its-end.ts'

/**
 * 5. Disabled exactly at the fifth consecutive exhausted event; never otherwise; creator notified once.
 *
 * The judge keeps its own count from the deliveries it saw end: a success resets it to 0, an exhausted event adds one, and successes
 * come first within a commit. Enabling an endpoint also resets it. At the third the creator is warned.
 */
export function disabledAtTheFifth(observed: Observed): Judge {
  const counts = new Map<string, number>()

  function judgeEndpoint(endpointId: string, before: EndpointRow, commit: Commit): string | undefined {
    const { plan, row } = observed.endpoints.get(endpointId)!
    const isTouched = row !== before || commit.changes.some(({ after }) => after?.endpointId === endpointId)
    if (!isTouched && commit.notifications.length === 0) return undefined
    const notifications = commit.notifications.filter((notification) => notification.endpointId === endpointId)
    const expected = expect(endpointId, before, commit)
    if (row.state !== expected.state) {
      return `${endpointId} is ${row.state} after ${expected.count} exhausted events in a row; it was ${before.state}`
    }
    if (!row.isDeleted && row.consecutiveFailures !== expected.count) {
      return `${endpointId} counts ${row.consecutiveFailures} exhausted events in a row; there were ${expected.count}`
    }
    const kinds = notifications.map(({ kind }) => kind).toSorted()
    if (kinds.join() !== expected.notices.toSorted().join()) {
      return `the creator of ${endpointId} was notified of [${kinds.join(', ')}], not [${expected.notices.join(', ')}]`
    }
    const stranger = notifications.find(({ userId }) => userId !== plan.creator)
    return stranger && `${stranger.userId} was notified about ${endpointId}, whose creator is ${plan.creator}`
  }

  function expect(endpointId: string, before: EndpointRow, { cause, changes }: Commit) {
    let count = counts.get(endpointId) ?? 0
    let state = before.state
    const notices: NotificationKind[] = []
    if (cause.by === 'person' && cause.endpointId === endpointId) {
      // A person may enable or disable at any time.
      state = observed.endpoints.get(endpointId)!.row.state
      if (cause.deed.startsWith('enable')) count = 0
    } else if (cause.by === 'worker' && cause.call === 'record') {
      const ended = changes.filter(({ before, after }) => after?.endpointId === endpointId && after.state !== before?.state)
      if (ended.some(({ after }) => after!.state === 'delivered')) count = 0
      for (const { after } of ended) {
        if (after!.state !== 'exhausted' || state === 'disabled' || before.isDeleted) continue
        count += 1
        if (count === 3) notices.push('endpoint_failing')
        if (count !== 5) continue
        state = 'disabled'
        notices.push('endpoint_disabled')
      }
    }
    counts.set(endpointId, count)
    return { count, state, notices }
  }

  return {
    invariant: 5,
    committed: (commit) =>
      firstOf(commit.endpointsBefore, ([endpointId, before]) => judgeEndpoint(endpointId, before, commit)),
  }
}
