import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { inViewOf } from '../../store/access/in-view-of.ts'
import type { Tx } from '../../store/db.ts'
import { insertNotification } from '../../store/notifications/insert-notification.ts'
import { isNotification, removeNotification } from '../../store/notifications/notifications-table.ts'
import { readViewer } from '../access/read-access.ts'
import { newId } from '../ids.ts'
import type { NotificationKind } from '../../model/notification.ts'

/**
 * Notifies one person in the same transaction as the event itself: exactly once if it commits, never if it does not. A person who may
 * not see what it is about gets none.
 */
export async function notify(
  deps: { tx: Tx; clock: Clock; random: Random },
  input: { organizationId: string; userId: string; kind: NotificationKind; message: string; link: string },
): Promise<void> {
  const { tx } = deps
  const id = newId(deps.random, 'ntf')
  await insertNotification(tx, { ...input, id, createdAt: deps.clock.now() })
  const viewer = await readViewer(tx, input)
  if (viewer && !(await inViewOf(tx, viewer, () => isNotification(tx, id)))) await removeNotification(tx, id)
}
