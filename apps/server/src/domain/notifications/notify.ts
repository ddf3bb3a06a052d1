import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Tx } from '../../store/db.ts'
import { insertNotification } from '../../store/notifications/insert-notification.ts'
import { newId } from '../ids.ts'
import type { NotificationKind } from '../../model/notification.ts'

/** Notifies one person in the same transaction as the event itself: exactly once if it commits, never if it does not. */
export async function notify(
  deps: { tx: Tx; clock: Clock; random: Random },
  input: { organizationId: string; userId: string; kind: NotificationKind; message: string; link: string },
): Promise<void> {
  await insertNotification(deps.tx, { ...input, id: newId(deps.random, 'ntf'), createdAt: deps.clock.now() })
}
