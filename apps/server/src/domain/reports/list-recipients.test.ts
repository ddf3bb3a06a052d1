import { describe, expect, test } from 'vitest'
import { groupByValues, listRecipients } from './list-recipients.ts'

const ada = { id: 'user_ada', email: 'Ada@shop.test', role: 'admin' } as const
const ben = { id: 'user_ben', email: 'ben@shop.test', role: 'member' } as const
const members = [ada, ben]
const emailsOf = (listed: { email: string }[]) => listed.map(({ email }) => email)
const cleo = { id: 'user_cleo', email: 'cleo@shop.test', role: 'member' } as const
const groups = [{ id: 'group_sales', memberIds: [ada.id, ben.id, 'user_gone'] }, { id: 'group_empty', memberIds: [] }]
const sales = { kind: 'group', groupId: 'group_sales' } as const
const berlin = { store: 'Berlin' }

describe('recipients', () => {
  test('are members, roles and outside addresses, each once', () => {
    const recipients = [
      { kind: 'everyone' },
      { kind: 'admins' },
      { kind: 'member', userId: ben.id },
      { kind: 'address', email: 'Guest@example.com' },
      { kind: 'address', email: 'guest@example.com' },
    ] as const
    expect(listRecipients({ recipients, entries: [], members, groups })).toEqual([
      { email: 'ada@shop.test', userId: ada.id, values: null },
      { email: 'ben@shop.test', userId: ben.id, values: null },
      { email: 'guest@example.com', userId: null, values: null },
    ])
  })

  test('are the members of a group, once even if they are also named', () => {
    const recipients = [sales, { kind: 'member', userId: ben.id }, { kind: 'member', userId: cleo.id }, sales] as const
    expect(emailsOf(listRecipients({ recipients, entries: [], members: [...members, cleo], groups }))).toEqual([
      'ada@shop.test',
      'ben@shop.test',
      'cleo@shop.test',
    ])
  })

  test('in a group that has no members or was deleted are nobody', () => {
    const recipients = ['group_empty', 'group_deleted'].map((groupId) => ({ kind: 'group', groupId }) as const)
    expect(listRecipients({ recipients, entries: [], members, groups })).toEqual([])
  })

  test('get the values of their group', () => {
    const listed = listRecipients({ recipients: [{ kind: 'everyone' }], entries: [{ recipient: sales, values: berlin }], members: [...members, cleo], groups })
    expect(listed.map(({ email, values }) => [email, values])).toEqual([
      ['ada@shop.test', berlin],
      ['ben@shop.test', berlin],
      ['cleo@shop.test', null],
    ])
  })

  test('include a member by address, who need not confirm, and no member who left', () => {
    const recipients = [{ kind: 'address', email: 'ADA@shop.test' }, { kind: 'member', userId: 'user_gone' }] as const
    expect(listRecipients({ recipients, entries: [], members, groups })).toEqual([{ email: 'ada@shop.test', userId: ada.id, values: null }])
  })

  test('with values of their own do not get the report for everyone', () => {
    const entries = [{ recipient: { kind: 'member', userId: ben.id }, values: berlin }] as const
    expect(listRecipients({ recipients: [{ kind: 'everyone' }], entries, members, groups })).toEqual([
      { email: 'ben@shop.test', userId: ben.id, values: berlin },
      { email: 'ada@shop.test', userId: ada.id, values: null },
    ])
  })

  test('with several sets of values get each of them once', () => {
    const recipient = { kind: 'address', email: 'guest@example.com' } as const
    const paris = { store: 'Paris' }
    const listed = listRecipients({ recipients: [], entries: [berlin, paris, { ...berlin }].map((values) => ({ recipient, values })), members, groups })
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
