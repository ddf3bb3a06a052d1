import type { Tx } from '../db.ts'

/** True for only one caller until `lastBefore` has passed the time of this notice. */
export async function claimSignInNotice(
  tx: Tx,
  options: { userId: string; now: Date; lastBefore: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ sign_in_notice_at: options.now })
    .where('id', '=', options.userId)
    .where((eb) => eb.or([eb('sign_in_notice_at', 'is', null), eb('sign_in_notice_at', '<=', options.lastBefore)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
