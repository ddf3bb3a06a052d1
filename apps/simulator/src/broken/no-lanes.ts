import { isSendable, soundRules } from '../store/memory-store.ts'
import type { BrokenEngine } from './broken-engine.ts'

/** Has one queue for all endpoints and claims the oldest due deliveries first, so that a backlog blocks everyone behind it. */
export const noLanes: BrokenEngine = {
  name: 'no lanes',
  noticedBy: [6],
  rules: {
    ...soundRules,
    choose(rows, { count, rooms, roomOfOthers }, rules) {
      const { now } = rows
      const due = [...rows.lanes]
        .flatMap(([, lane]) => lane)
        .filter((delivery) => isSendable(rows, rows.endpoints.get(delivery.endpointId)!, delivery))
        .filter((delivery) => delivery.nextAttemptAt! <= now && rules.isFree(delivery, now) && !rules.isBlocked(rows, delivery))
      due.sort((a, b) => a.nextAttemptAt!.getTime() - b.nextAttemptAt!.getTime())
      const left = new Map(rooms)
      const chosen = due.slice(0, count).filter(({ endpointId }) => {
        const room = left.get(endpointId) ?? roomOfOthers
        left.set(endpointId, room - 1)
        return room > 0
      })
      return { chosen, nextAfterLane: '' }
    },
  },
}
