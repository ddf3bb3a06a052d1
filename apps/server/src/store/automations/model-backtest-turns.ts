import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { storeNow, storeNowPlus } from '../store-now.ts'

/** The right to have the model write a past summary. It ends by itself if the process dies. */
export interface ModelBacktestTurn {
  organizationId: string
  leaseNumber: number
}

/** Undefined while another turn of the organization lasts. */
export async function takeModelBacktestTurn(
  db: Db,
  { organizationId, leaseMs }: { organizationId: string; leaseMs: number },
): Promise<ModelBacktestTurn | undefined> {
  const { rows } = await sql<ModelBacktestTurn>`
    insert into model_backtest_turns as turn (organization_id, lease_expires_at) values (${organizationId}, ${storeNowPlus(leaseMs)})
    on conflict (organization_id) do update
      set lease_number = turn.lease_number + 1, lease_expires_at = excluded.lease_expires_at
      where turn.lease_expires_at <= ${storeNow}
    returning organization_id as "organizationId", lease_number as "leaseNumber"`.execute(db)
  return rows[0]
}

/** Ending a turn that has expired changes nothing. */
export async function endModelBacktestTurn(db: Db, { organizationId, leaseNumber }: ModelBacktestTurn): Promise<void> {
  await sql`
    update model_backtest_turns set lease_expires_at = ${storeNow}
    where organization_id = ${organizationId} and lease_number = ${leaseNumber} and lease_expires_at > ${storeNow}`.execute(db)
}
