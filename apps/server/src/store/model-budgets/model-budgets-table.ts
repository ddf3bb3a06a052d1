import { sql } from 'kysely'
import type { ModelBudget, ModelLimit, ModelPrice } from '../../model/model-budget.ts'
import type { Db, Tx } from '../db.ts'
import { storeNow } from '../store-now.ts'

/** Without a stored budget: no limits. */
export async function readModelBudget(db: Db | Tx, organizationId: string): Promise<ModelBudget> {
  const stored = await db
    .selectFrom('model_budgets')
    .select(['currency', 'limits'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return { currency: stored?.currency ?? null, limits: stored?.limits ?? [], prices: await readPrices(db, organizationId) }
}

/** Locks the organization's budget against changes until the transaction ends. */
export async function lockModelBudget(tx: Tx, organizationId: string): Promise<void> {
  await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute()
}

export async function writeModelBudget(
  tx: Tx,
  budget: { organizationId: string; currency: string | null; limits: ModelLimit[]; updatedBy: string; updatedAt: Date },
): Promise<void> {
  const content = {
    currency: budget.currency,
    limits: JSON.stringify(budget.limits),
    updated_by: budget.updatedBy,
    updated_at: budget.updatedAt,
  }
  await tx
    .insertInto('model_budgets')
    .values({ organization_id: budget.organizationId, ...content })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(content))
    .execute()
}

/** The price applies from today on; a model's first price applies to all days. */
export async function writePrice(tx: Tx, price: ModelPrice & { organizationId: string }): Promise<void> {
  await sql`
    insert into model_prices (organization_id, model, from_day, input_price, output_price)
    select ${price.organizationId}, ${price.model},
      case when exists (select from model_prices where organization_id = ${price.organizationId} and model = ${price.model})
        then (${storeNow} at time zone 'UTC')::date else '-infinity'::date end,
      ${price.inputPrice}::numeric, ${price.outputPrice}::numeric
    on conflict (organization_id, model, from_day) do update set
      input_price = excluded.input_price, output_price = excluded.output_price`.execute(tx)
}

/** Removes all prices that the model has had. */
export async function removePrices(tx: Tx, options: { organizationId: string; model: string }): Promise<void> {
  await tx
    .deleteFrom('model_prices')
    .where('organization_id', '=', options.organizationId)
    .where('model', '=', options.model)
    .execute()
}

async function readPrices(db: Db | Tx, organizationId: string): Promise<ModelPrice[]> {
  const { rows } = await sql<ModelPrice>`
    select distinct on (model) model, input_price::double precision as "inputPrice", output_price::double precision as "outputPrice"
    from model_prices
    where organization_id = ${organizationId}
    order by model, from_day desc`.execute(db)
  return rows
}
