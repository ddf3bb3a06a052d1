import { expect, test } from 'vitest'
import type { ModelBudget } from '../../api/model-budget.ts'
import { draftOf, readDraft } from './budget-draft.ts'

const budget: ModelBudget = {
  currency: 'EUR',
  limits: [
    { scope: 'organization', period: 'month', unit: 'money', amount: 200 },
    { scope: 'person', period: 'day', unit: 'tokens', amount: 500_000 },
  ],
  prices: [{ model: 'large', inputPrice: 3, outputPrice: 15.5 }],
}

test('reads a stored budget back unchanged', () => {
  expect(readDraft(draftOf(budget, 'large'))).toEqual({ budget, faults: {} })
})

test('offers a line for the price of the connected model, and leaves it out while it is blank', () => {
  const draft = draftOf(budget, 'small')
  expect(draft.prices).toEqual([
    { model: 'large', inputPrice: '3', outputPrice: '15.5' },
    { model: 'small', inputPrice: '', outputPrice: '' },
  ])
  expect(readDraft(draft)).toEqual({ budget, faults: {} })
})

test.each([
  ['1,000,000', 1_000_000],
  ['1 000', 1000],
  [' 5 ', 5],
  ['0', 0],
])('reads %j as %d tokens', (text, amount) => {
  const { budget: read } = readDraft({ currency: '', amounts: { 'person day tokens': text }, prices: [] })
  expect(read).toEqual({ currency: null, limits: [{ scope: 'person', period: 'day', unit: 'tokens', amount }], prices: [] })
})

test.each([
  ['person day tokens', 'many'],
  ['person day tokens', '1.5'],
  ['person day tokens', '-1'],
  ['person day money', '1,5'],
])('rejects %s of %j', (name, text) => {
  expect(Object.keys(readDraft({ currency: '', amounts: { [name]: text }, prices: [] }).faults)).toEqual([name])
})

test('rejects a price without a model, or with one price only', () => {
  const prices = [
    { model: '', inputPrice: '1', outputPrice: '2' },
    { model: 'large', inputPrice: '1', outputPrice: '' },
  ]
  expect(Object.keys(readDraft({ currency: 'EUR', amounts: {}, prices }).faults)).toEqual(['price 0', 'price 1'])
})
