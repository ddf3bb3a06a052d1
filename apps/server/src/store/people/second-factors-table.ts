import type { Db, Tx } from '../db.ts'

export interface SecondFactorRow {
  userId: string
  sealedKey: Uint8Array
  lastUsedStep: number
  createdAt: Date
}

export async function findSecondFactor(db: Db | Tx, userId: string): Promise<SecondFactorRow | undefined> {
  return db
    .selectFrom('second_factors')
    .select(['user_id as userId', 'sealed_key as sealedKey', 'last_used_step as lastUsedStep', 'created_at as createdAt'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** False if the user already has one. */
export async function insertSecondFactor(tx: Tx, factor: SecondFactorRow): Promise<boolean> {
  const inserted = await tx
    .insertInto('second_factors')
    .values({
      user_id: factor.userId,
      sealed_key: factor.sealedKey,
      last_used_step: factor.lastUsedStep,
      created_at: factor.createdAt,
    })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Its recovery codes are deleted with it. False if there was none. */
export async function deleteSecondFactor(tx: Tx, userId: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('second_factors').where('user_id', '=', userId).executeTakeFirst()
  return numDeletedRows > 0n
}

/** True for only one caller per step. */
export async function claimStep(db: Db | Tx, options: { userId: string; step: number }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('second_factors')
    .set({ last_used_step: options.step })
    .where('user_id', '=', options.userId)
    .where('last_used_step', '<', options.step)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function replaceRecoveryCodes(tx: Tx, options: { userId: string; hashes: Uint8Array[] }): Promise<void> {
  const { userId, hashes } = options
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await tx.insertInto('recovery_codes').values(hashes.map((hash) => ({ user_id: userId, code_hash: hash }))).execute()
}

/** True for only one caller per code. */
export async function claimRecoveryCode(
  db: Db | Tx,
  options: { userId: string; hash: Uint8Array; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recovery_codes')
    .set({ used_at: options.now })
    .where('user_id', '=', options.userId)
    .where('code_hash', '=', options.hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function countUnusedRecoveryCodes(db: Db | Tx, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
