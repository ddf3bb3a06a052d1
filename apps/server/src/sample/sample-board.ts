import type { ColumnSettings } from '@querypost/visualization'
import { checkBoard } from '../domain/boards/check-board.ts'
import { newId, newShortId } from '../domain/ids.ts'
import type { BoardContent, Tile } from '../model/board.ts'
import type { Caller } from '../model/caller.ts'
import type { ParameterDefinition } from '../model/parameter.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import { insertBoard } from '../store/boards/boards-table.ts'
import type { Tx } from '../store/db.ts'
import { chartMargin, country as anyCountry, period, type SampleQuery } from './sample-queries.ts'
import type { SeededReference } from './sample-knowledge.ts'

/** Whole weeks, so that the last one can be compared with the one before. */
const weeks = period('last 26 weeks')

const countries = ['Australia', 'France', 'Germany', 'Japan', 'Spain', 'Sweden', 'United Kingdom', 'United States']
const country: ParameterDefinition = {
  ...anyCountry,
  description: '',
  options: { values: ['All', ...countries].map((value) => ({ value })) },
}

const isOfCountry = `{{country}} in ('All', customers.country)`
const isSold = `orders.status not in ('canceled', 'refunded')`

/** One number a week: the last one, compared with the week before, and a line of all of them. */
function weeklyNumber(
  { title, description, name, column, expression, props = '' }: Record<'title' | 'description' | 'name' | 'column' | 'expression', string> & { props?: string },
  columns: ColumnSettings[] = [],
): SampleQuery {
  return {
    title,
    description,
    sql: `select
  date_trunc('week', orders.ordered_on)::date as week,
  ${expression} as ${column}
from orders
join customers using (customer_id)
where orders.ordered_on between {{period.start}} and {{period.end}}
  and ${isOfCountry}
group by week
order by week`,
    parameters: [weeks, country],
    visualization: {
      type: 'number',
      jsxConfig: `<NumberChart>
  <Number dataKey="${column}" name="${name}" timeKey="week" compare="previous" sparkline={true}${props} />
</NumberChart>`,
      marginConfig: chartMargin,
      columns,
    },
  }
}

const euros = (name: string): ColumnSettings => ({ name, format: { style: 'currency', currency: 'EUR', decimals: 0 } })

/** Queries of the sample board that are not among the other sample queries. */
export const sampleBoardQueries: SampleQuery[] = [
  weeklyNumber(
    {
      title: 'Weekly revenue',
      description: 'Revenue of the last week of a period, compared with the week before.',
      name: 'Revenue',
      column: 'revenue',
      expression: `coalesce(sum(orders.amount) filter (where ${isSold}), 0)::integer`,
    },
    [euros('revenue')],
  ),
  weeklyNumber({
    title: 'Weekly orders',
    description: 'Orders of the last week of a period, compared with the week before.',
    name: 'Orders',
    column: 'orders',
    expression: 'count(*)',
  }),
  weeklyNumber({
    title: 'Weekly refund rate',
    description: 'Percentage of the orders of the last week of a period that were canceled or refunded.',
    name: 'Refund rate',
    column: 'refund_rate_percent',
    expression: `round(100.0 * count(*) filter (where not (${isSold})) / count(*), 1)`,
    props: ' isLowerBetter={true}',
  }),
  {
    title: 'Weekly revenue by country',
    description: 'Revenue of each week, with one line per country.',
    sql: `select
  date_trunc('week', orders.ordered_on)::date as week,
  customers.country,
  sum(orders.amount)::integer as revenue
from orders
join customers using (customer_id)
where orders.ordered_on between {{period.start}} and {{period.end}}
  and ${isOfCountry}
  and ${isSold}
group by week, customers.country
order by week, customers.country`,
    parameters: [weeks, country],
    visualization: {
      type: 'line',
      jsxConfig: `<LineChart>
  <CartesianGrid strokeDasharray="3 3" vertical={false} />
  <XAxis dataKey="week" minTickGap={32} />
  <YAxis width={72} />
  <Tooltip />
  <Legend />
  <Line dataKey="revenue" seriesKey="country" topN={8} strokeWidth={2} dot={false} />
</LineChart>`,
      marginConfig: chartMargin,
      columns: [euros('revenue')],
    },
  },
  {
    title: 'Refund rate by country',
    description: 'Percentage of orders that were canceled or refunded, by country.',
    sql: `select
  customers.country,
  round(100.0 * count(*) filter (where not (${isSold})) / count(*), 1) as refund_rate_percent,
  count(*) as orders
from orders
join customers using (customer_id)
where orders.ordered_on between {{period.start}} and {{period.end}}
group by customers.country
order by refund_rate_percent desc, customers.country`,
    parameters: [weeks],
    visualization: {
      type: 'bar',
      jsxConfig: `<BarChart layout="vertical">
  <CartesianGrid strokeDasharray="3 3" horizontal={false} />
  <XAxis type="number" />
  <YAxis type="category" dataKey="country" width={120} />
  <Tooltip />
  <Bar dataKey="refund_rate_percent" name="Refund rate (%)" />
</BarChart>`,
      marginConfig: chartMargin,
    },
  },
]

const introduction = `A fictional shop with two years of orders. New orders are added every day. Choose a period above, or click a country to see only its
figures.`

/** The sample board of a first start. `shortIdOf` gives the short id of the sample query with a title. */
export function sampleBoardOf(shortIdOf: (title: string) => string): BoardContent {
  const query = (title: string, place: Pick<Tile, 'id' | 'x' | 'y' | 'width' | 'height'>, more: Partial<Tile> = {}): Tile => ({
    kind: 'reference',
    referenceShortId: shortIdOf(title),
    parameterMapping: { period: 'period' },
    ...place,
    ...more,
  })
  const ofCountry = { parameterMapping: { period: 'period', country: 'country' } }
  const byCountry = { filters: { column: 'country', parameter: 'country' } }
  return {
    title: 'Shop overview',
    description: 'Revenue, products and refunds of the sample shop.',
    parameters: [weeks, country],
    tabs: [],
    tiles: [
      query('Weekly revenue', { id: 'revenue', x: 0, y: 0, width: 4, height: 3 }, ofCountry),
      query('Weekly orders', { id: 'orders', x: 4, y: 0, width: 4, height: 3 }, ofCountry),
      query('Weekly refund rate', { id: 'refund-rate', x: 8, y: 0, width: 4, height: 3 }, ofCountry),
      query('Weekly revenue by country', { id: 'countries', x: 0, y: 3, width: 8, height: 6 }, { ...ofCountry, ...byCountry }),
      query('Refund rate by country', { id: 'refunds', x: 8, y: 3, width: 4, height: 6 }, byCountry),
      { id: 'products-and-customers', kind: 'heading', text: 'Products and customers', x: 0, y: 9, width: 12, height: 1 },
      query('Top products', { id: 'products', x: 0, y: 10, width: 6, height: 6 }),
      query('New and returning customers', { id: 'customers', x: 6, y: 10, width: 6, height: 6 }, ofCountry),
      { id: 'introduction', kind: 'text', text: introduction, x: 0, y: 16, width: 12, height: 1 },
    ],
  }
}

/** Returns the short id of the board. */
export async function seedBoard(
  deps: { tx: Tx; clock: Clock; random: Random },
  { organizationId, userId }: Caller,
  references: ReadonlyMap<string, SeededReference>,
): Promise<string> {
  const content = sampleBoardOf((title) => references.get(title)!.shortId)
  const shortIds = [...references.values()].map(({ shortId }) => shortId)
  checkBoard(content, { referenceShortIds: new Set(shortIds), imageIds: new Set(), boardShortIds: new Set() })
  const shortId = newShortId(deps.random)
  await insertBoard(deps.tx, {
    ...content,
    id: newId(deps.random, 'board'),
    organizationId,
    shortId,
    folderId: null,
    createdBy: userId,
    now: deps.clock.now(),
  })
  return shortId
}
