import type { Caller } from '../../model/caller.ts'
import type { ModelBudget, ModelLimit, ModelPrice } from '../../model/model-budget.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db, Tx } from '../../store/db.ts'
import {
  lockModelBudget,
  readModelBudget,
  removePrices,
  writeModelBudget,
  writePrice,
} from '../../store/model-budgets/model-budgets-table.ts'
import { requireAdmin } from '../access/require-admin.ts'
import { checkModelName } from './check-model-name.ts'
import { changesOf } from '../audit/changes.ts'
import { recordChange } from '../audit/record-action.ts'
import { badInput } from '../people/check-text.ts'

export async function getModelBudget(deps: { db: Db }, caller: Caller): Promise<ModelBudget> {
  return readModelBudget(deps.db, caller.organizationId)
}

/** Replaces the limits and prices. A changed price applies from today on; a removed one is also removed from the past. */
export async function putModelBudget(
  deps: { db: Db; clock: Clock; random: Random },
  caller: Caller,
  given: ModelBudget,
): Promise<ModelBudget> {
  requireAdmin(caller)
  const { organizationId } = caller
  const budget = check(given)
  return deps.db.transaction().execute(async (tx) => {
    await lockModelBudget(tx, organizationId)
    const before = await readModelBudget(tx, organizationId)
    const { currency, limits } = budget
    await writeModelBudget(tx, { organizationId, currency, limits, updatedBy: caller.userId, updatedAt: deps.clock.now() })
    await replacePrices(tx, { organizationId, before: before.prices, after: budget.prices })
    const changes = changesOf(auditFields(before), auditFields(budget))
    const subject = { type: 'model_budget', id: null, name: null } as const
    await recordChange({ ...deps, tx }, caller, { action: 'model_budget.changed', subject, details: { changes } })
    return readModelBudget(tx, organizationId)
  })
}

async function replacePrices(
  tx: Tx,
  { organizationId, before, after }: { organizationId: string; before: ModelPrice[]; after: ModelPrice[] },
): Promise<void> {
  for (const { model } of before) {
    if (!after.some((price) => price.model === model)) await removePrices(tx, { organizationId, model })
  }
  for (const price of after) {
    const known = before.find(({ model }) => model === price.model)
    const isSame = known?.inputPrice === price.inputPrice && known.outputPrice === price.outputPrice
    if (!isSame) await writePrice(tx, { ...price, organizationId })
  }
}

function check({ currency, limits, prices }: ModelBudget): ModelBudget {
  const checked = {
    currency: currency === null ? null : checkCurrency(currency),
    limits: checkLimits(limits),
    prices: checkPrices(prices),
  }
  const needsCurrency = prices.length > 0 || limits.some(({ unit }) => unit === 'money')
  if (needsCurrency && currency === null) throw badInput('/currency', 'is required for prices and for limits in money')
  return checked
}

function checkCurrency(given: string): string {
  const currency = given.trim().toUpperCase()
  if (!/^[A-Z]{3}$/.test(currency)) throw badInput('/currency', 'must be three letters, such as EUR')
  return currency
}

function checkLimits(limits: ModelLimit[]): ModelLimit[] {
  const seen = new Set<string>()
  limits.forEach(({ scope, period, unit, amount }, index) => {
    const name = `${scope} ${period} ${unit}`
    if (seen.has(name)) throw badInput(`/limits/${index}`, 'is given twice')
    seen.add(name)
    if (unit === 'tokens' && !Number.isInteger(amount)) throw badInput(`/limits/${index}/amount`, 'must be a whole number of tokens')
  })
  return limits
}

function checkPrices(prices: ModelPrice[]): ModelPrice[] {
  const seen = new Set<string>()
  return prices.map((price, index) => {
    const model = checkModelName(price.model, `/prices/${index}/model`)
    if (seen.has(model)) throw badInput(`/prices/${index}/model`, 'has two prices')
    seen.add(model)
    return { ...price, model }
  })
}

/** One field per limit and per price, so that the audit log shows what changed. */
function auditFields({ currency, limits, prices }: ModelBudget): Record<string, unknown> {
  return {
    currency,
    limits: limits.map(({ scope, period, unit, amount }) => `${amount} ${unit} per ${scope} and ${period}`),
    prices: prices.map(({ model, inputPrice, outputPrice }) => `${model}: ${inputPrice} in, ${outputPrice} out`),
  }
}
