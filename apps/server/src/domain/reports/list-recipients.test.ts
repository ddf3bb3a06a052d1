import { describe, expect, test } from 'vitest'
import { groupByValues, listRecipients } from './list-recipients.ts'

const ada = { id: 'user_ada', email: 'Ada@shop.test', role: 'admin' } as const
const ben = { id: 'user_ben', email: 'ben@shop.test', role: 'member' } as const
const members = [ada, ben]
const berlin = { store: 'Berlin' }

describe('recipients', () => {
  test('are members, groups and outside addresses, each once', () => {
    const recipients = [
      { kind: 'everyone' },
      { kind: 'admins' },
      { kind: 'member', userId: ben.id },
      { kind: 'address', email: 'Guest@example.com' },
      { kind: 'address', email: 'guest@example.com' },
    ] as const
    expect(listRecipients({ recipients, entries: [], members })).toEqual([
      { email: 'ada@shop.test', userId: ada.id, values: null },
      { email: 'ben@shop.test', userId: ben.id, values: null },
      { email: 'guest@example.com', userId: null, values: null },
    ])
  })

  test('include a member by address, who need not confirm, and no member who left', () => {
    const recipients = [{ kind: 'address', email: 'ADA@shop.test' }, { kind: 'member', userId: 'user_gone' }] as const
    expect(listRecipients({ recipients, entries: [], members })).toEqual([{ email: 'ada@shop.test', userId: ada.id, values: null }])
  })

  test('with values of their own do not get the report for everyone', () => {
    const entries = [{ recipient: { kind: 'member', userId: ben.id }, values: berlin }] as const
    expect(listRecipients({ recipients: [{ kind: 'everyone' }], entries, members })).toEqual([
      { email: 'ben@shop.test', userId: ben.id, values: berlin },
      { email: 'ada@shop.test', userId: ada.id, values: null },
    ])
  })

  test('with several sets of values get each of them once', () => {
    const recipient = { kind: 'address', email: 'guest@example.com' } as const
    const paris = { store: 'Paris' }
    const listed = listRecipients({ recipients: [], entries: [berlin, paris, { ...berlin }].map((values) => ({ recipient, values })), members })
    expect(listed.map(({ values }) => values)).toEqual([berlin, paris])
  })
})

test('recipients with the same values, in whatever order, share one document', () => {
  const one = { email: 'a@example.com', userId: null, values: { store: 'Berlin', years: ['2025', '2026'] } }
  const two = { email: 'b@example.com', userId: null, values: { years: ['2025', '2026'], store: 'Berlin' } }
  const other = { email: 'c@example.com', userId: null, values: { store: 'Berlin', years: ['2026', '2025'] } }
  const none = { email: 'd@example.com', userId: null, values: null }
  expect(groupByValues([one, two, other, none]).map(({ recipients }) => recipients)).toEqual([[one, two], [other], [none]])
})
