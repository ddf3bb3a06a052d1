import { describe, expect, test } from 'vitest'
import { baseUrl, now, resultsOf } from '../testing/worlds.ts'
import type { Draft } from './draft.ts'
import { publish } from './publish.ts'

function draft(world: string, text: string, question = 'How are we doing?'): Draft {
  return { text, question, results: resultsOf(world), now, baseUrl }
}
/** A result of one cell. */
const note = (text: string): Draft['results'] =>
  new Map([['r1', { runId: 'run_1', fields: [{ name: 'note', type: 'string' }], rows: [[text]], parameters: {}, title: null }]])
/** The struck places of an answer. */
const struck = (world: string, text: string, question?: string) =>
  publish(draft(world, text, question)).figures.flatMap(({ isProven, text: shown }) => (isProven ? [] : [shown]))

const germany = "{{r1: revenue_eur where country = 'Germany'}}"
const france = "{{r1: revenue_eur where country = 'France'}}"
const lastWeek = "{{r1: revenue where week = '2025-12-22'}}"
const fall = "change(revenue where week = '2025-12-15', revenue where week = '2025-12-22')"

test('prints figures as links to their runs, and says where they are', () => {
  const { text, figures, usedRunIds } = publish(draft('countries', `Revenue in Germany was **${germany}**.`))
  expect(text).toBe('Revenue in Germany was **[€ 1,204,333](https://querypost.test/runs/run_countries)**.')
  expect(figures).toEqual([
    {
      id: 'f1', text: '€ 1,204,333', isProven: true, value: '1204332.5', unit: '€', runId: 'run_countries',
      expression: "revenue_eur where country = 'Germany'", start: 26, end: 37, reason: null,
    },
  ])
  expect(text.slice(26, 37)).toBe('€ 1,204,333')
  expect(usedRunIds).toEqual(['run_countries'])
})

test('strikes what is not proven, and says why', () => {
  const { text, figures, usedRunIds } = publish(draft('countries', 'Revenue was 5 million.'))
  expect(text).toBe('Revenue was ~~5 million~~.')
  expect(figures).toEqual([
    {
      id: 'f1', text: '5 million', isProven: false, value: null, unit: null, runId: null,
      expression: null, start: 14, end: 23, reason: 'This number was not computed from a result.',
    },
  ])
  expect(usedRunIds).toEqual([])
})

test('a placeholder that cannot be computed reads "unknown", with the problem', () => {
  const { text, figures } = publish(draft('countries', 'Revenue was {{r1: turnover}} and {{r1: }}.'))
  expect(text).toBe('Revenue was ~~unknown~~ and ~~unknown~~.')
  expect(figures.map(({ expression, reason }) => [expression, reason])).toEqual([
    ['r1: turnover', expect.stringContaining('There is no column turnover')],
    ['r1:', expect.stringContaining('Expected a column or a function')],
  ])
})

test('labels are data: markup in them is escaped', () => {
  const results = note('[9,999](https://evil.test) **{{r1: note}}**')
  const { text } = publish({ ...draft('countries', 'The note is {{r1: note}}.'), results })
  expect(text).toBe('The note is [\\[9,999\\](https\\://evil.test) \\*\\*{{r1\\: note}}\\*\\*](https://querypost.test/runs/run_1).')
})

describe('numbers', () => {
  test.each([
    ['a number', 'Revenue was 1,234.50.', ['1,234.50']],
    ['a number with its unit', 'We lost $12k and 3 %.', ['$12k', '3 %']],
    ['digits of another script', 'It was ٣٤ and 十二万 and Ⅻ.', ['٣٤', '十二万', 'Ⅻ']],
    ['words', 'Twelve orders, a dozen, half, two-thirds.', ['Twelve', 'dozen', 'half', 'two-thirds']],
    ['words of other languages', 'zweihundertvierzig, trois cents, duecentomila', ['zweihundertvierzig', 'trois cents', 'duecentomila']],
    ['words of even more languages', 'twaalf, veinte, vinte', ['twaalf', 'veinte', 'vinte']],
    ['multiples', 'Revenue doubled, then halved.', ['doubled', 'halved']],
    ['letters apart', 'It was t w e l v e and twel-ve.', ['t w e l v e', 'twel-ve']],
    ['words in a script that is not known', 'Выручка была двенадцать.', ['Выручка была двенадцать']],
    ['Roman numerals where a number is expected', 'Revenue was XII percent.', ['XII percent']],
    ['Roman numerals after a colon', 'New customers: XII.', ['XII']],
    ['Roman numerals beside a noun', 'There were xlii customers, and XIV more orders.', ['xlii', 'XIV more']],
    ['a single Roman numeral after a measure', 'Orders: V', ['V']],
  ])('strikes %s', (_, text, expected) => {
    expect(struck('countries', text)).toEqual(expected)
  })

  test.each([
    ['list markers', '1. first\n2. second\n   1. nested\n3. third'],
    ['"one" for a noun', 'I can tell which one of the countries this one is.'],
    ['Roman numerals of names', 'Phase II of Project IX follows the mix of CD and XL sizes (see part iv).'],
    ['phrases with "up" and "down"', 'I add them up, then break it down. Adding both up takes long.'],
    ['words that are numbers elsewhere', 'The report is due once the elf is here.'],
  ])('leaves %s', (_, text) => {
    expect(struck('countries', text)).toEqual([])
  })

  test('strikes an ordered list that does not count from one', () => {
    expect(struck('countries', 'Orders:\n\n1500. in all')).toEqual(['1500'])
  })

  test('a number of the question may be repeated beside the same word, with the same unit', () => {
    const question = 'What are the top 5 products over 20%?'
    expect(struck('products', 'These are the top 5 products over 20%.', question)).toEqual([])
    expect(struck('products', 'Revenue was 5, and 20 was lost.', question)).toEqual(['5', '20'])
    expect(struck('products', 'The top 5% products.', question)).toEqual(['5%'])
  })

  test('a number in a label is part of a name, but a bare number needs the name of its column', () => {
    expect(struck('products', 'The Alder Day Pack 20L sells well.')).toEqual([])
    expect(struck('orders', 'Order 219834 is the biggest.')).toEqual([])
    expect(struck('orders', 'Revenue was 219834.')).toEqual(['219834'])
    expect(struck('ages', 'The age group 18-24 is young, and 25-34 is not.')).toEqual(['25-34'])
  })

  test('a cell that reads like a statement is not a name', () => {
    expect(publish({ ...draft('countries', 'The revenue was 7000.'), results: note('revenue was 7000') }).text).toBe('The revenue was ~~7000~~.')
  })

  test('values of parameters may be named with them', () => {
    expect(struck('products', 'The row limit is 8.')).toEqual([])
    expect(struck('products', 'We sold 8.')).toEqual(['8'])
  })

  test('elements of list parameters may be named with them', () => {
    const results = new Map([['r1', { ...note('x').get('r1')!, parameters: { store_numbers: [12, 15] } }]])
    expect(publish({ ...draft('countries', 'The store numbers are 12 and 15.'), results }).text).toBe('The store numbers are 12 and 15.')
    expect(publish({ ...draft('countries', 'The store numbers are 12 and 16.'), results }).text).toContain('~~16~~')
  })
})

describe('obfuscation', () => {
  test.each([
    ['entities', 'It was &#49;&#x32;.', 'It was ~~12~~.'],
    ['unknown entities', 'It was &frac35;.', 'It was \\&frac~~35~~;.'],
    ['zero-width characters', 'It was 1\u200b2\u00ad3\u2060.', 'It was ~~123~~.'],
    ['emphasis', 'It was 1**2**3.', 'It was ~~123~~.'],
    ['emphasis that goes on', 'It was **12** 000 and 4.', 'It was **~~12 000~~** and ~~4~~.'],
    ['HTML', 'It was 1<b>2</b><!-- x -->.', 'It was ~~12~~.'],
    ['code', 'It was `12`.', 'It was ~~12~~.'],
    ['code blocks', '```\nrevenue 12\n```', '\nrevenue ~~12~~\n'],
    ['links elsewhere', 'It was [12](https://evil.test).', 'It was ~~12~~.'],
    ['forged run links', `It was [12](${baseUrl}/runs/run_countries).`, 'It was ~~12~~.'],
    ['images', '![12](https://evil.test/x.png)', '~~12~~'],
    ['strikes', 'It was ~~12~~.', 'It was ~~12~~.'],
    ['reference links', '[a][b]\n\n[b]: https://evil.test', '\\[a\\]\\[b\\]\n\n\\[b\\]: https://evil.test'],
    ['number words', 'It was tw<i>el</i>ve.', 'It was ~~twelve~~.'],
  ])('sees through %s', (_, text, expected) => {
    expect(publish(draft('countries', text)).text).toBe(expected)
  })

  test('keeps links into the service, code without numbers, and text with signs', () => {
    const text = `See [the query](${baseUrl}/q/abcdefghij), \`select *\` and R&D.`
    expect(publish(draft('countries', text)).text).toBe(text)
  })
})

describe('beside a figure', () => {
  test.each([
    ['another unit', `Revenue in Germany was ${germany} million.`, ['million']],
    ['another currency', `Revenue in Germany was $${germany}.`, ['$']],
    ['percent', `Revenue in Germany was ${germany}%.`, ['%']],
    ['a sign', `Revenue in Germany was −${germany}.`, ['−']],
    ['a limit', `Revenue in Germany was more than ${germany}.`, ['more than']],
    ['a limit after it', `Revenue in Germany was ${germany} or more.`, ['or more']],
    ['more digits', `Revenue in Germany was ${germany},000.`, ['000']],
    ['digits before it', `Revenue in Germany was 1${germany}.`, ['1']],
    ['a noun that is not in the result', `Revenue in Germany was ${germany} kilograms.`, ['€ 1,204,333']],
    ['the name of another column', `Germany had ${germany} orders.`, ['€ 1,204,333']],
    ['a denial', `Germany did not reach revenue of ${germany}.`, ['€ 1,204,333']],
    ['a rate', `Revenue in Germany was ${germany} per day.`, ['€ 1,204,333']],
    ['a total said of each row', 'Each country had a revenue of {{r1: sum(revenue_eur)}}.', ['€ 3,632,911']],
    ['another meaning', `The revenue target of Germany was ${germany}.`, ['€ 1,204,333']],
    ['another figure', `Revenue in Germany was ${germany}${germany}.`, ['€ 1,204,333', '€ 1,204,333']],
  ])('%s is struck', (_, text, expected) => {
    expect(struck('countries', text)).toEqual(expected)
  })

  test.each([
    ['its own unit', `Revenue in Germany was ${germany} euros.`],
    ['its own name', `Germany made ${germany} revenue.`],
    ['about', `Revenue in Germany was about ${germany}.`],
    ['parentheses', `Germany leads by revenue (${germany}).`],
    ['a dash', `Revenue in Germany – ${germany} – is the highest.`],
  ])('%s is fine', (_, text) => {
    expect(struck('countries', text)).toEqual([])
  })
})

describe('rows', () => {
  test.each([
    ['another row', `Revenue in France was ${germany}.`],
    ['no row', `Revenue was ${germany}.`],
    ['another heading', `## France\n\nRevenue was ${germany}.`],
    ['another lead', `France:\n\n- Revenue: ${germany}`],
    ['another row of a table', `| Country | Revenue |\n|---|---|\n| France | ${germany} |`],
    ['another row in the sentence before', `France is next. Its revenue was ${germany}.`],
    ['a total under the name of a row', '## Germany\n\nRevenue was {{r1: sum(revenue_eur)}}.'],
    ['a total in a sentence about a row', 'Germany had revenue of {{r1: sum(revenue_eur)}}.'],
    ['too few labels', "Revenue in Germany was {{r1: sum(revenue_eur) where country in ('Germany', 'France')}}."],
    ['a printed label of another row', `{{r1: country where country = 'France'}} made ${germany} revenue.`],
  ])('a figure beside %s is not proven', (_, text) => {
    expect(struck('countries', text)).toHaveLength(1)
  })

  test('several labels and figures are paired by their order', () => {
    expect(struck('countries', `Germany and France made ${germany} and ${france} revenue.`)).toEqual([])
    expect(struck('countries', `Germany and France made ${france} and ${germany} revenue.`)).toHaveLength(2)
    expect(struck('countries', `Germany made ${germany} revenue, France made ${germany} revenue.`)).toEqual(['€ 1,204,333'])
    expect(struck('countries', `Germany beat France with revenue of ${germany}.`)).toHaveLength(1)
  })

  test('the question may name the row, unless it names several', () => {
    expect(struck('countries', `Revenue was ${germany}.`, 'How is Germany doing?')).toEqual([])
    expect(struck('countries', `Revenue was ${germany}.`, 'How are Germany and France doing?')).toHaveLength(1)
    expect(struck('countries', 'Revenue was {{r1: sum(revenue_eur)}}.', 'How is Germany doing?')).toHaveLength(1)
  })

  test('countries are known by their names and codes in several languages', () => {
    expect(struck('visits', "Allemagne: {{r1: visits where country_code = 'DE'}} visits")).toEqual([])
    expect(struck('visits', "The UK had {{r1: visits where country_code = 'GB'}} visits.")).toEqual([])
    expect(struck('visits', "The US had {{r1: visits where country_code = 'GB'}} visits.")).toHaveLength(1)
  })

  test('conditions on numbers have to be said, with the same comparison', () => {
    const count = '{{r1: count(*) where revenue_eur > 500000}}'
    expect(struck('countries', `${count} countries have revenue above 500,000.`)).toEqual([])
    expect(struck('countries', `${count} countries have revenue below 500,000.`)).toEqual(['3', '500,000'])
    expect(struck('countries', `There are ${count} countries.`)).toEqual(['3'])
  })
})

describe('columns', () => {
  test.each([
    ['another column', 'countries', `Orders in Germany: ${germany}`],
    ['no name', 'countries', `Germany: ${germany}`],
    ['another header', 'countries', `| | Orders |\n|---|---|\n| Germany | ${germany} |`],
    ['a similar column', 'cohorts', "In December 2025, {{r1: new_customers where month = '2025-12-01'}} returning customers came."],
  ])('a figure with %s is not proven', (_, world, text) => {
    expect(struck(world, text)).toHaveLength(1)
  })

  test('synonyms of the draft name columns, too', () => {
    const text = `Germany's gmv was ${germany}.`
    expect(publish(draft('countries', text)).figures[0]!.isProven).toBe(false)
    expect(publish({ ...draft('countries', text), synonyms: { revenue_eur: ['GMV'] } }).figures[0]!.isProven).toBe(true)
  })

  test.each([
    ['an average', 'Revenue was {{r1: avg(revenue_eur)}}.', 'The average revenue was {{r1: avg(revenue_eur)}}.'],
    ['a maximum', 'Revenue was {{r1: max(revenue_eur)}}.', 'The highest revenue was {{r1: max(revenue_eur)}}.'],
    ['a median', 'Revenue was {{r1: median(revenue_eur)}}.', 'The median revenue was {{r1: median(revenue_eur)}}.'],
  ])('%s has to be called that', (_, wrong, right) => {
    expect(struck('countries', wrong)).toHaveLength(1)
    expect(struck('countries', right)).toEqual([])
  })

  test('nothing else may be called an average', () => {
    expect(struck('countries', 'Average revenue was {{r1: sum(revenue_eur)}}.')).toEqual(['Average'])
  })
})

describe('periods', () => {
  test.each([
    'December 22, 2025', 'Dec 22', '22 December 2025', '2025-12-22', '22.12.2025', '12/22/2025', 'the week of December 22', 'week 52',
    'last week', 'den 22. Dezember 2025', 'le 22 décembre', 'el 22 de diciembre de 2025',
  ])('a label may be spelled %s', (period) => {
    expect(struck('weeks', `Revenue (${period}): ${lastWeek}`)).toEqual([])
  })

  const others = ['December 15', '2025-12-15', 'week 51', 'this week', 'December 2025', '2025', 'Q4 2025']
  test.each(others)('%s is not the week of December 22', (period) => {
    expect(struck('weeks', `Revenue (${period}): ${lastWeek}`)).not.toEqual([])
  })

  test.each([['March 2019'], ['Q2 2017'], ['2016'], ['Tuesday'], ['yesterday'], ['week 7']])('%s is not in the data', (period) => {
    expect(struck('weeks', `The shop opened in ${period}.`)).toEqual([period])
    expect(struck('weeks', `The shop opened in ${period}.`, `Did it open in ${period}?`)).toEqual([])
  })

  test('a number is not a year because it looks like one', () => {
    expect(struck('weeks', 'We sold 2025 lamps.')).toEqual(['2025'])
    expect(struck('weeks', 'We sold lamps in 2025.')).toEqual([])
  })

  test('a period covers all its rows', () => {
    expect(struck('weeks', "In December, revenue was {{r1: sum(revenue) where week >= '2025-12-01'}}.")).toEqual([])
    expect(struck('weeks', "In November, revenue was {{r1: sum(revenue) where week >= '2025-12-01'}}.")).toHaveLength(1)
    expect(struck('weeks', "Since December 8, revenue was {{r1: sum(revenue) where week >= '2025-12-08'}}.")).toEqual([])
    const span = "{{r1: sum(revenue) where week >= '2025-11-03' and week <= '2025-11-17'}}"
    expect(struck('weeks', `From November 3 to November 17, revenue was ${span}.`)).toEqual([])
    expect(struck('weeks', `From November 3 to November 24, revenue was ${span}.`)).toHaveLength(1)
  })
})

describe('changes', () => {
  test.each([
    [`Revenue was {{r1: ${fall}}} from the week of December 15 to the week of December 22.`],
    [`In the week of December 22, revenue was {{r1: ${fall}}} from the week before.`],
    [`In the week of December 22, revenue fell {{r1: ${fall} | amount}} compared with December 15.`],
    [`Revenue {{r1: ${fall} | verb}} between December 15 and December 22.`],
    [`Revenue dropped from {{r1: revenue where week = '2025-12-15'}} on December 15 to ${lastWeek} on December 22.`],
  ])('%s is proven', (text) => {
    expect(struck('weeks', text)).toEqual([])
  })

  test.each([
    [`Revenue rose {{r1: ${fall} | amount}} from December 15 to December 22.`, ['rose']],
    [`Revenue fell {{r1: ${fall} | amount}} from December 22 to December 15.`, ['29.1%']],
    [`In the week of December 22, revenue was {{r1: ${fall}}} from December 8.`, ['down 29.1%']],
    [`In the week of December 22, revenue was {{r1: ${fall}}} from the year before.`, ['down 29.1%']],
    [`In the week of December 22, revenue was {{r1: ${fall}}}.`, ['down 29.1%']],
    [`Revenue was {{r1: ${fall} | amount}}, December 15, December 22.`, ['29.1%']],
    ['Revenue went up ↑.', ['up ↑']],
    [`Revenue grew from {{r1: revenue where week = '2025-12-15'}} on December 15 to ${lastWeek} on December 22.`, ['grew']],
  ])('%s is not', (text, expected) => {
    expect(struck('weeks', text)).toEqual(expected)
  })

  test('a ratio has a subject and a base', () => {
    const ratio = "{{r1: ratio(revenue_eur where country = 'Germany', revenue_eur where country = 'France')}}"
    expect(struck('countries', `Germany made ${ratio} as much revenue as France.`)).toEqual([])
    expect(struck('countries', `France made ${ratio} as much revenue as Germany.`)).toHaveLength(1)
  })
})

test('calls a column by the names that the organization gave it', () => {
  const text = "Takings in Germany were {{r1: net_amount_eur where country = 'Germany'}}."
  const fields = [{ name: 'country', type: 'string' }, { name: 'net_amount_eur', type: 'decimal' }] as const
  const rows = [['Germany', '12.50'], ['France', '3.00']]
  const results = new Map([['r1', { runId: 'run_1', fields: [...fields], rows, parameters: {}, title: null }]])
  const unproven = (synonyms: Draft['synonyms']) =>
    publish({ ...draft('countries', text), results, ...(synonyms && { synonyms }) }).figures.filter(({ isProven }) => !isProven)
  expect(unproven({ 'Net amount': ['takings'] })).toEqual([])
  expect(unproven({ 'Gross amount': ['takings'] })).toHaveLength(1)
  expect(unproven(undefined)).toHaveLength(1)
})

describe('words for none', () => {
  const october = "{{r1: signups where month = '2025-10-01'}}"
  const september = "{{r1: signups where month = '2025-09-01'}}"

  test.each([
    ['Nobody signed up in October.', ['Nobody']],
    ['No one signed up in October.', ['No one']],
    ['None of our visitors signed up.', ['None']],
    ['Not a single person signed up, not one.', ['Not a single', 'not one']],
    ['People never signed up.', ['never']],
    ['Nothing happened in October.', ['Nothing']],
    ['October had no signups.', ['no signups']],
    ['There were no new signups in October.', ['no new signups']],
    ['October did not bring any signups.', ['any signups']],
    ['October passed without signups.', ['without signups']],
    ['Niemand hat sich im Oktober registriert.', ['Niemand']],
    ['Im Oktober gab es keine Anmeldungen.', ['keine Anmeldungen']],
    ['Personne ne s’est inscrit en octobre.', ['Personne']],
    ['En octubre no se registró nadie.', ['nadie']],
    ['In ottobre non si è iscritto nessuno.', ['nessuno']],
    ['Ninguém se inscreveu em outubro.', ['Ninguém']],
    ['In oktober heeft niemand zich aangemeld.', ['niemand']],
    [`Nobody signed up in September: ${september} signups.`, ['Nobody']],
    [`Nobody signed up in October; in September, ${september} did.`, ['Nobody']],
  ])('strikes %s', (text, expected) => {
    expect(struck('signups', text)).toEqual(expected)
  })

  test.each([
    [`Nobody signed up in October: ${october} signups.`],
    [`No signups in October (${october}).`],
    [`October had no signups: ${october}.`],
    ['The result has no rows about Portugal, and I never guess.'],
    ['There is no column for it, and no data.'],
    ['There is nothing to compare it with.'],
  ])('allows %s', (text) => {
    expect(struck('signups', text)).toEqual([])
  })

  test('allows what the question says', () => {
    expect(struck('signups', 'I cannot tell why nobody signed up.', 'Why has nobody signed up?')).toEqual([])
  })

  test('does not take a figure that is struck itself as proof', () => {
    expect(struck('signups', `Nobody signed up in September: ${october} signups.`)).toEqual(['Nobody', '0'])
  })
})

describe('while a text is being written', () => {
  const partial = (text: string) => publish({ ...draft('countries', text), isPartial: true }).text

  test.each([
    ['an unfinished placeholder', 'Revenue was {{r1: revenue_e', 'Revenue was '],
    ['half of its braces', 'Revenue in Germany was {', 'Revenue in Germany was '],
    ['an unfinished word', 'Revenue in Germ', 'Revenue in '],
    ['an unfinished number', 'Revenue was bad. It was 12', 'Revenue was bad. It was '],
    ['a figure whose unit may follow', `Revenue in Germany was ${germany}`, 'Revenue in Germany was '],
    ['a figure whose row may follow', `Revenue was ${germany} in `, 'Revenue was '],
  ])('withholds %s', (_, text, expected) => {
    expect(partial(text)).toBe(expected)
  })

  test('shows each finished sentence as it will stay', () => {
    const text = `Revenue was good. In Germany, it was ${germany} in all. Orders were 12 and more. The end`
    const whole = publish(draft('countries', text)).text
    for (let end = 0; end <= text.length; end++) expect(whole.startsWith(partial(text.slice(0, end)).trimEnd())).toBe(true)
  })
})
