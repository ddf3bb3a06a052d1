import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toAutomationContent } from './draft.ts'
import { draftFromDescription, parseDescription, type ParsedDescription } from './parse-description.ts'
import { keyOf } from './reports/report-draft.ts'

const references = ['Revenue by week', 'Revenue', 'Stock', 'Monday shop report', 'Late orders', 'KPI', 'Twice', 'Twice'].map(
  (title, at) => ({ title, shortId: `short${at}` }),
)
const timeZones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'America/Louisville', 'America/Kentucky/Louisville']
const boards = ['Revenue', 'Shop overview'].map((title, at) => ({ title, shortId: `board${at}` }))
const groups = [{ id: 'group_sales', name: 'Sales' }, { id: 'group_north', name: 'North group' }]
const channels = [
  { id: 'chn_sales', kind: 'slack_webhook', name: '#sales' },
  { id: 'chn_teams', kind: 'teams', name: 'Everybody' },
] as const
const bot = { id: 'chn_bot', kind: 'slack_bot', name: 'Shop', conversations: [{ id: 'C1', name: '#sales' }, { id: 'C2', name: '#finance' }] } as const
const context = { references, timeZone: 'Europe/Berlin', timeZones, boards, channels: [...channels], userId: 'user_1', groups }
const read = (text: string) => parseDescription(text, context)
const titles = ({ references: found }: ParsedDescription) => found.map(({ title }) => title)

describe('schedule', () => {
  test.each([
    ['every day at 8', '0 8 * * *'],
    ['Each day at 08:05', '5 8 * * *'],
    ['At 8 every weekday', '0 8 * * 1-5'],
    ['every working day at 8:30 pm', '30 20 * * 1-5'],
    ['on weekdays at 17.45', '45 17 * * 1-5'],
    ['from Monday to Friday at noon', '0 12 * * 1-5'],
    ['every Tue through Thu at 9am', '0 9 * * 2,3,4'],
    ['every Monday at 7', '0 7 * * 1'],
    ['on Mondays and Thursdays at 7 a.m.', '0 7 * * 1,4'],
    ['every Mon, Wed and Fri at midnight', '0 0 * * 1,3,5'],
    ['every week on Friday at 16:00', '0 16 * * 5'],
    ['every weekend at 10', '0 10 * * 0,6'],
    ['every evening at 8', '0 20 * * *'],
    ['every Monday evening at 7', '0 19 * * 1'],
    ['every day at 6 in the evening', '0 18 * * *'],
    ['every day at 12 am', '0 0 * * *'],
    ['every day at 12 pm', '0 12 * * *'],
    ['every day at 8 and 17', '0 8,17 * * *'],
    ['every day at 9 o’clock', '0 9 * * *'],
    ['9am every day', '0 9 * * *'],
    ['on the 15th of every month at 8', '0 8 15 * *'],
    ['every month on the 1st at 8', '0 8 1 * *'],
    ['on the last day of the month at 18:00', '0 18 L * *'],
    ['on the first Monday of every month at 8', '0 8 * * 1#1'],
    ['every hour', '0 * * * *'],
    ['hourly', '0 * * * *'],
    ['every 2 hours', '0 */2 * * *'],
    ['every 15 minutes', '*/15 * * * *'],
  ])('%s: %s', (words, cron) => {
    const { schedule, assumptions, notUnderstood } = read(`${words}, tell me what changed in Revenue by week`)
    expect(schedule).toEqual({ cron, timeZone: 'Europe/Berlin' })
    expect([assumptions, notUnderstood]).toEqual([[], []])
  })

  test.each([
    ['every morning', '0 8 * * *', 'No time given: using 08:00.'],
    ['every Friday afternoon', '0 14 * * 5', 'No time given: using 14:00.'],
    ['every week at 9', '0 9 * * 1', 'No day of the week given: using Monday.'],
    ['every month at 9', '0 9 1 * *', 'No day of the month given: using the 1st.'],
    ['at 9:15', '15 9 * * *', 'No days given: using every day.'],
  ])('states the assumption made for “%s”', (words, cron, assumption) => {
    const { schedule, assumptions, notUnderstood } = read(`${words}, look at Stock`)
    expect(schedule?.cron).toBe(cron)
    expect([assumptions, notUnderstood]).toEqual([[assumption], []])
  })

  test.each([
    ['every other week, look at Stock', /every other week/],
    ['every 3 days at 8, look at Stock', /every 3 days/],
    ['every quarter, look at Stock', /every quarter/],
    ['every 7 minutes look at Stock', /divides 60/],
    ['on the 32nd of every month look at Stock', /no month has that day/],
    ['every day at 25:00 look at Stock', /25:00/],
    ['every day at 13 pm look at Stock', /13 pm/],
    ['every day at 8 and 9:30 look at Stock', /Ignored 09:30/],
    ['every Monday at 8 look at Stock, and every Friday too', /every Friday/],
    ['every hour at 8 look at Stock', /time of day/],
    ['every day at 8 EST look at Stock', /several time zones/],
    ['every day at 8 Eastern time look at Stock', /Eastern time/],
    ['every day at 8 Europe/Atlantis look at Stock', /Europe\/Atlantis/],
    ['every day at 8 look at “No such thing”', /No query is named “No such thing”/],
    ['every day at 8 look at Twice', /Several queries are named “Twice”/],
    ['every day at 8 look at what sells', /No query title/],
    ['every day at 8', /No instructions/],
  ])('reports what it can’t read: %s', (words, remark) => {
    expect(read(words).notUnderstood.join('\n')).toMatch(remark)
  })

  test('without a schedule it runs manually, and says so', () => {
    const parsed = read('Look at Stock on Monday, at 3 places')
    expect(parsed.schedule).toBeUndefined()
    expect(parsed.assumptions).toEqual(['No schedule given: runs manually.'])
    expect(parsed.instructions).toBe('Look at Stock on Monday, at 3 places.')
  })
})

describe('time zone', () => {
  test.each([
    ['every day at 8 Berlin time', 'Europe/Berlin'],
    ['every day at 8 in New York', 'America/New_York'],
    ['every day at 8 New York time', 'America/New_York'],
    ['every day at 8 UTC', 'UTC'],
    ['every day at 8 (asia/kolkata)'.replace('asia/kolkata', 'Asia/kolkata'), 'Asia/Kolkata'],
  ])('%s', (words, timeZone) => {
    expect(read(`${words}, look at Stock`).schedule).toEqual({ cron: '0 8 * * *', timeZone })
  })

  test('ignores a place that the instructions are about, and a city with two time zones', () => {
    const { schedule, instructions } = read('Every day at 8 tell me how Stock did in New York')
    expect(schedule?.timeZone).toBe('Europe/Berlin')
    expect(instructions).toBe('Tell me how Stock did in New York.')
    expect(read('every day at 8 Louisville time look at Stock').notUnderstood.join()).toMatch(/Louisville time/)
  })
})

describe('queries', () => {
  test('finds queries by title, longest title first, and lists them in the order of the text', () => {
    const found = read('Every day at 8 compare stock with REVENUE by  week')
    expect(titles(found)).toEqual(['Stock', 'Revenue by week'])
    expect(titles(read('Every day at 8: Revenue, Revenue by week and Revenue'))).toEqual(['Revenue', 'Revenue by week'])
  })

  test('does not read a schedule from the words of a title', () => {
    const found = read('When somebody asks, sum up the Monday shop report')
    expect(titles(found)).toEqual(['Monday shop report'])
    expect(found.schedule).toBeUndefined()
  })

  test('matches whole words only, and short titles only in quotation marks', () => {
    expect(titles(read('Every day at 8 say what stocks do'))).toEqual([])
    expect(titles(read('Every day at 8 say what the KPI does'))).toEqual([])
    expect(titles(read('Every day at 8 say what the "kpi" does'))).toEqual(['KPI'])
  })

  test('finds a query by its permalink', () => {
    expect(read('Every day at 8 look at https://querypost.test/q/short2').references).toEqual([references[2]])
    expect(read('Every day at 8 look at /q/elsewhere').references).toEqual([{ shortId: 'elsewhere', title: 'elsewhere' }])
  })
})

describe('condition', () => {
  test.each([
    ['When Stock changes, tell me how', { reference: 'short2', kind: 'changed' }],
    ['Whenever the result of Stock has changed, tell me how', { reference: 'short2', kind: 'changed' }],
    ['If Late orders has more than 5 rows, tell me how', { reference: 'short4', kind: 'row_count', comparison: '>', number: 5 }],
    ['As soon as Late orders has any rows, tell me how', { reference: 'short4', kind: 'row_count', comparison: '>', number: 0 }],
    ['When Late orders returns no rows, tell me how', { reference: 'short4', kind: 'row_count', comparison: '=', number: 0 }],
  ])('%s', (words, condition) => {
    const parsed = read(words)
    expect(parsed).toMatchObject({ condition, instructions: 'Tell me how.', schedule: { cron: '0 * * * *' } })
    expect(parsed.assumptions.join()).toContain('every hour')
  })

  test('uses the schedule to refresh the result', () => {
    const parsed = read('Every day at 8, when Stock changes, tell me how')
    expect(parsed).toMatchObject({ schedule: { cron: '0 8 * * *' }, assumptions: [], notUnderstood: [] })
    const content = toAutomationContent(draftFromDescription(parsed, { timeZone: 'UTC', agent: 'model' }))
    expect(content).toEqual({
      name: 'Watch: Stock',
      instructions: 'Tell me how.',
      agent: 'model',
      references: ['short2'],
      schedule: { cron: '0 8 * * *', timeZone: 'Europe/Berlin' },
      condition: { reference: 'short2', kind: 'changed', everyTime: false },
      strict: false,
      enabled: true,
    })
  })

  test('leaves any other “when” in the instructions', () => {
    const { condition, instructions } = read('Every day at 8 look at Stock, and when it fell say why')
    expect(condition).toBeUndefined()
    expect(instructions).toBe('Look at Stock, and when it fell say why.')
  })
})

describe('alert', () => {
  test.each<[string, object[]]>([
    ['Tell me when income falls by more than 20 % compared with last week in Stock', [{ kind: 'change', column: 'income', direction: 'down', by: '20', unit: 'percent', against: 'week' }]],
    ['Alert me if orders in Stock rise by 1,500 since yesterday', [{ kind: 'change', column: 'orders', direction: 'up', by: '1500', unit: 'absolute', against: 'day' }]],
    ['Alert me if there are new rows in Stock by id', [{ kind: 'new_rows', keyColumns: 'id' }]],
    ['Tell me if there are no rows in Stock', [{ kind: 'no_rows' }]],
    ['Look at Stock when updated_at is older than 2 days', [{ kind: 'stale', column: 'updated_at', hours: '48' }]],
    ['Look at Stock, but only if amount is above 100 for 3 runs', [{ kind: 'threshold', column: 'amount', comparison: '>', number: '100', forRuns: '3' }]],
    ['Tell me when the number of rows in Stock is at most 5', [{ kind: 'threshold', column: '', comparison: '<=', number: '5' }]],
    ['Tell me when Stock has fewer than 5 rows for 2 runs', [{ kind: 'threshold', column: '', comparison: '<', number: '5', forRuns: '2' }]],
    ['Warn me when total is unusual in Stock', [{ kind: 'unusual', column: 'total', deviations: '3' }]],
    ['Warn me when total in Stock is above 10, or if there are no rows', [{ kind: 'threshold', column: 'total', number: '10' }, { kind: 'no_rows' }]],
  ])('%s', (words, tests) => {
    const parsed = read(words)
    expect(parsed.condition).toMatchObject({ kind: 'alert', reference: 'short2', tests })
    expect([parsed.notUnderstood, parsed.notPossible, parsed.schedule?.cron]).toEqual([[], [], '0 * * * *'])
  })

  test.each<[string, object, RegExp]>([
    ['Tell me when Revenue falls by more than 20 % compared with last week', { kind: 'change', column: '', against: 'week' }, /column to compare/],
    ['Alert me if there are new rows in Stock', { kind: 'new_rows', keyColumns: '' }, /identify a row/],
    ['Alert me when there is no data for 2 days in Stock', { kind: 'stale', column: '', hours: '48' }, /time of each row/],
  ])('asks for what is missing: %s', (words, test, remark) => {
    const parsed = read(words)
    expect(parsed.condition).toMatchObject({ tests: [test] })
    expect(parsed.notUnderstood.join()).toMatch(remark)
  })

  test.each<[string, RegExp]>([
    ['Tell me when total in Stock falls by 20 % compared with last year', /not with “year”/],
    ['Tell me when total in Stock is above 10 for 3 hours', /results in a row, not hours/],
    ['Tell me when total in Stock is above 10 and when amount is below 5', /can’t require several at once/],
    ['Tell me when total in Stock will exceed 10', /can’t predict/],
  ])('says what an alert can’t do: %s', (words, remark) => {
    expect(read(words).notPossible.join()).toMatch(remark)
  })

  test('fills the form', () => {
    const parsed = read('Every day at 8, alert me when total in Stock drops by 5 %')
    expect(parsed.assumptions).toContain('Nothing to compare with given: using the previous result.')
    expect(toAutomationContent(draftFromDescription(parsed, { timeZone: 'UTC', agent: 'digest' }))).toMatchObject({
      name: 'Alert: Stock',
      instructions: 'Explain why the alert fired.',
      schedule: { cron: '0 8 * * *' },
      condition: {
        reference: 'short2',
        kind: 'alert',
        tests: [{ kind: 'change', severity: 'warning', column: 'total', aggregate: 'first', against: 'previous', direction: 'down', by: 5, unit: 'percent' }],
      },
    })
  })
})

test('fills the form from a whole sentence', () => {
  const words = 'Every weekday at 8 look at Revenue by week and tell me what changed'
  const content = toAutomationContent(draftFromDescription(read(words), { timeZone: 'UTC', agent: 'digest' }))
  expect(content).toEqual({
    name: 'Weekdays: Revenue by week',
    instructions: 'Look at Revenue by week and tell me what changed.',
    agent: 'digest',
    references: ['short0'],
    schedule: { cron: '0 8 * * 1-5', timeZone: 'Europe/Berlin' },
    condition: null,
    strict: false,
    enabled: true,
  })
})

test('reads the schedule from “a weekly report” and keeps it in the instructions', () => {
  const { schedule, instructions, assumptions } = read('Write a weekly report about Stock')
  expect(schedule?.cron).toBe('0 8 * * 1')
  expect(instructions).toBe('Write a weekly report about Stock.')
  expect(assumptions).toHaveLength(2)
  expect(read('Write a weekly report about Stock every Friday at 9').schedule?.cron).toBe('0 9 * * 5')
})

test('parses any text, and keeps every word that it doesn’t understand', () => {
  const vocabulary = 'every|each|day|Monday|and|,|at|8|8:30|pm|Stock|Revenue by week|“|”|UTC|in|Berlin|time|when|changes|month|of|the|1st'
  const pieces = fc.constantFrom(...vocabulary.split('|'), 'tell', 'apple', '/q/short1', 'hours', '\n', '(', '[', '\\', '😀')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 25 }), (words) => {
      const { schedule, instructions } = read(words.join(' '))
      expect((schedule?.cron ?? '* * * * *').split(' ')).toHaveLength(5)
      // These words are not part of any schedule, so they must stay.
      for (const word of ['tell', 'apple', '😀']) expect(instructions.toLowerCase().includes(word)).toBe(words.includes(word))
    }),
    { seed: 5, numRuns: 400 },
  )
})

test('says what automations cannot do', () => {
  const parsed = read('Every Monday at 8 look at Revenue and post it to Discord')
  expect(parsed.notPossible).toEqual([expect.stringContaining('not to other messengers')])
  expect(parsed.schedule?.cron).toBe('0 8 * * 1')
  expect(read('Every Monday at 8 look at Revenue').notPossible).toEqual([])
})

describe('where reports go', () => {
  const targetsOf = ({ reports }: ParsedDescription) =>
    reports.map(({ target, recipients, boardShortId }) => [
      target,
      recipients.map((recipient) => (recipient.kind === 'member' ? recipient.kind : keyOf(recipient))).join(),
      boardShortId,
    ])

  test.each([
    ['every Monday at 8 e-mail finance@example.com the revenue board and post it in #sales', [['email', 'finance@example.com', 'board0'], ['chn_sales', '', 'board0']]],
    ['Every day at 9, check Stock and e-mail me', [['email', 'member', '']]],
    ['Check Stock every day at 9 and e-mail it to a@example.com and b@example.com', [['email', 'a@example.com,b@example.com', '']]],
    ['Check Stock every day at 9, then post the summary to Microsoft Teams', [['chn_teams', '', '']]],
    ['Check Stock every day at 9 and send it to our Slack channel', [['chn_sales', '', '']]],
    ['Check Stock every day at 9 and send it to the sales team, our North group and a@example.com', [['email', 'group_sales,group_north,a@example.com', '']]],
    ['Every Friday at 16 e-mail the Sales group the revenue board', [['email', 'group_sales', 'board0']]],
    ['Every Friday at 16 send the Shop overview board to Boss@Example.com', [['email', 'boss@example.com', 'board1']]],
  ])('%s', (text, targets) => {
    const parsed = read(text)
    expect(targetsOf(parsed)).toEqual(targets)
    expect(parsed.notPossible).toEqual([])
    expect(parsed.notUnderstood.filter((remark) => !remark.startsWith('No instructions'))).toEqual([])
    expect(parsed.instructions).not.toMatch(/@|#|e-?mail|post|board\b(?! “)/i)
  })

  test('says which channel is missing', () => {
    const parsed = read('Every Monday at 8 look at Stock and post it in #finance')
    expect(parsed.reports).toEqual([])
    expect(parsed.notUnderstood).toEqual(['No channel for #finance yet. An admin can add it in Settings, Channels.'])
  })

  test('finds the channels that a Slack bot can see', () => {
    const withBot = (text: string) => parseDescription(text, { ...context, channels: [...channels, { ...bot, conversations: [...bot.conversations] }] })
    const parsed = withBot('Every Monday at 8 look at Stock and post it in #Finance')
    expect(parsed.reports).toMatchObject([{ target: 'chn_bot', conversation: 'C2' }])
    expect(parsed.notUnderstood.filter((remark) => remark.includes('channel'))).toEqual([])
    // A channel that is set up by itself is the one that is meant.
    expect(withBot('Every Monday at 8 look at Stock and post it in #sales').reports).toMatchObject([{ target: 'chn_sales', conversation: '' }])
    const vague = parseDescription('Every Monday at 8 look at Stock and post it on Slack', { ...context, channels: [{ ...bot, conversations: [] }] })
    expect(vague.reports).toEqual([])
    expect(vague.notUnderstood).toContain('Shop has several channels. Name one, such as #sales.')
  })

  test('says that a board is not found', () => {
    const parsed = read('Every Monday at 8 e-mail me the logistics board')
    expect(parsed.notUnderstood).toContain('No board named “logistics” found. Choose the board in the form.')
  })

  test('addresses and channels in instructions stay there', () => {
    expect(read('Every Monday look at Stock and count customers with an @example.com address').reports).toEqual([])
    expect(read('Every Monday look at Stock and say which teams sold most').reports).toEqual([])
    expect(read('Every Monday look at Stock and say how the Sales team did').reports).toEqual([])
  })
})
