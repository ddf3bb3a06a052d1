import type { LimitPeriod, LimitScope, LimitUnit, ModelBudget, ModelLimit } from '../../api/model-budget.ts'

/** A budget while it is edited: amounts are the text in the inputs, and an empty one means no limit. */
export interface BudgetDraft {
  currency: string
  /** By `limitName`. */
  amounts: Record<string, string>
  prices: { model: string; inputPrice: string; outputPrice: string }[]
}

export const limitRows = [
  { scope: 'organization', period: 'day', label: 'Organization, per day' },
  { scope: 'organization', period: 'month', label: 'Organization, per month' },
  { scope: 'person', period: 'day', label: 'Each person, per day' },
  { scope: 'person', period: 'month', label: 'Each person, per month' },
] as const satisfies { scope: LimitScope; period: LimitPeriod; label: string }[]

export const limitUnits = ['tokens', 'money'] as const satisfies LimitUnit[]

export const limitName = ({ scope, period, unit }: Omit<ModelLimit, 'amount'>) => `${scope} ${period} ${unit}`

/** The stored budget as a draft. The connected model gets a line for its price. */
export function draftOf({ currency, limits, prices }: ModelBudget, model: string | undefined): BudgetDraft {
  const priced = prices.map((price) => ({ model: price.model, inputPrice: String(price.inputPrice), outputPrice: String(price.outputPrice) }))
  const isPriced = model === undefined || prices.some((price) => price.model === model)
  return {
    currency: currency ?? '',
    amounts: Object.fromEntries(limits.map((limit) => [limitName(limit), String(limit.amount)])),
    prices: isPriced ? priced : [...priced, { model, inputPrice: '', outputPrice: '' }],
  }
}

export interface ReadBudget {
  budget: ModelBudget
  /** Messages by `limitName`, or by `price <index>`. Nothing may be saved while there are any. */
  faults: Record<string, string>
}

/** Reads the inputs. Lines without any price are left out. */
export function readDraft({ currency, amounts, prices }: BudgetDraft): ReadBudget {
  const faults: Record<string, string> = {}
  const limits = limitRows.flatMap(({ scope, period }) =>
    limitUnits.flatMap((unit): ModelLimit[] => {
      const name = limitName({ scope, period, unit })
      const text = (amounts[name] ?? '').trim()
      if (text === '') return []
      const amount = readNumber(text)
      if (amount === undefined || (unit === 'tokens' && !Number.isInteger(amount))) {
        faults[name] = unit === 'tokens' ? 'Enter a whole number, or leave it blank.' : 'Enter an amount, or leave it blank.'
        return []
      }
      return [{ scope, period, unit, amount }]
    }),
  )
  const given = prices.flatMap((price, index) => {
    if (price.inputPrice.trim() === '' && price.outputPrice.trim() === '') return []
    const [inputPrice, outputPrice] = [readNumber(price.inputPrice), readNumber(price.outputPrice)]
    if (price.model.trim() === '' || inputPrice === undefined || outputPrice === undefined) {
      faults[`price ${index}`] = 'Enter a model and both prices.'
      return []
    }
    return [{ model: price.model.trim(), inputPrice, outputPrice }]
  })
  return { budget: { currency: currency.trim() === '' ? null : currency.trim(), limits, prices: given }, faults }
}

/** Accepts thousands separators, as in 1,000,000. */
function readNumber(text: string): number | undefined {
  const plain = text.trim().replaceAll(/[\s,_](?=\d{3}(\D|$))/g, '')
  return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : undefined
}
