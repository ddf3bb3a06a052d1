import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Tx } from '../../store/db.ts'
import { insertNotification } from '../../store/notifications/insert-notification.ts'
import { newId } from '../ids.ts'
import type { NotificationKind } from '../../model/notification.ts'

/**
 * Tells one person, in the transaction of what it tells: once when that commits, never when it does not.
 */
export async function notify(
  deps: { tx: Tx; clock: Clock; random: Random },
  input: { organizationId: string; userId: string; kind: NotificationKind; message: string; link: string },
): Promise<void> {
  await insertNotification(deps.tx, { ...input, id: newId(deps.random, 'ntf'), createdAt: deps.clock.now() })
}
