import type { Field, FieldType } from '../src/field.ts'
import type { StoredResult } from '../src/draft.ts'

/** Results like those of a shop's analysts, which the corpora write about. */
function result(
  runId: string,
  title: string | null,
  fields: Record<string, FieldType>,
  rows: unknown[][],
  parameters: Record<string, unknown> = {},
): StoredResult {
  return { runId, title, fields: Object.entries(fields).map(([name, type]): Field => ({ name, type })), rows, parameters }
}

const weeks = result(
  'run_weeks',
  'Revenue by week',
  { week: 'date', revenue: 'integer', lost_revenue: 'integer' },
  [
    ['2025-10-06', 402118, 19021],
    ['2025-10-13', 398770, 18004],
    ['2025-10-20', 411902, 20117],
    ['2025-10-27', 420411, 21950],
    ['2025-11-03', 431287, 20488],
    ['2025-11-10', 455093, 23019],
    ['2025-11-17', 470226, 24410],
    ['2025-11-24', 612873, 31877],
    ['2025-12-01', 540018, 27745],
    ['2025-12-08', 501734, 26102],
    ['2025-12-15', 476259, 25393],
    ['2025-12-22', 337506, 22187],
  ],
  { start_date: '2025-10-06', end_date: '2025-12-28' },
)

const countries = result(
  'run_countries',
  null,
  { country: 'string', revenue_eur: 'decimal', orders: 'integer', customers: 'integer' },
  [
    ['Germany', '1204332.50', 9120, 6011],
    ['France', '830911.20', 7004, 4890],
    ['Netherlands', '512008.75', 4410, 3105],
    ['Spain', '498120.00', 4398, 3320],
    ['Italy', '301777.10', 2890, 2214],
    ['Austria', '188450.60', 1502, 1123],
    ['Japan', '97310.40', 640, 588],
  ],
  { year: 2025 },
)

const channels = result(
  'run_channels',
  'Revenue by channel',
  { month: 'date', channel: 'string', revenue: 'integer', orders: 'integer' },
  [
    ['2025-09-01', 'web', 610200, 5100],
    ['2025-09-01', 'app', 402310, 3900],
    ['2025-09-01', 'phone', 120400, 640],
    ['2025-10-01', 'web', 633870, 5230],
    ['2025-10-01', 'app', 455020, 4310],
    ['2025-10-01', 'phone', 111950, 601],
    ['2025-11-01', 'web', 720115, 6012],
    ['2025-11-01', 'app', 561700, 5205],
    ['2025-11-01', 'phone', 104220, 566],
    ['2025-12-01', 'web', 690340, 5777],
    ['2025-12-01', 'app', 603915, 5590],
    ['2025-12-01', 'phone', 98310, 530],
  ],
)

const products = result(
  'run_products',
  'Top products',
  { product: 'string', category: 'string', pieces: 'integer', revenue: 'integer' },
  [
    ['Aurora Sunrise Lamp', 'Lighting', 9920, 1284330],
    ['Cedar Knit Scarf', 'Clothing', 12011, 345880],
    ['Basalt Wool Blanket', 'Home', 4130, 230770],
    ['Alder Day Pack 20L', 'Bags', 6702, 620114],
    ['Fjord Wash Bag', 'Bags', 5119, 179200],
    ['Linden Desk Lamp', 'Lighting', 3008, 240640],
    ['Maple Serving Board', 'Kitchen', 2755, 96400],
    ['Juniper Mug', 'Kitchen', 18802, 282030],
  ],
  { row_limit: 8 },
)

const refunds = result(
  'run_refunds',
  'Refund rate of a warehouse',
  { warehouse: 'string', refund_rate_percent: 'number', refund_rate_before_percent: 'number', orders: 'integer' },
  [['Rotterdam', 57.2, 5, 1836]],
  { warehouse: 'Rotterdam' },
)

const signups = [120, 131, 128, 140, 133, 90, 84, 125, 138, 150, 149, 61, 99, 87]
const activeUsers = [5100, 5180, 5220, 5301, 5290, 4400, 4210, 5150, 5330, 5402, 5399, 5320, 4500, 4306]

const days = result(
  'run_days',
  null,
  { day: 'date', signups: 'integer', active_users: 'integer' },
  signups.map((count, at) => [`2025-12-${String(at + 8).padStart(2, '0')}`, count, activeUsers[at]]),
)

const cohorts = result(
  'run_cohorts',
  'New and returning customers',
  { month: 'date', new_customers: 'integer', returning_customers: 'integer' },
  [
    ['2025-07-01', 902, 5120],
    ['2025-08-01', 870, 5233],
    ['2025-09-01', 1011, 5499],
    ['2025-10-01', 987, 5761],
    ['2025-11-01', 1053, 6213],
    ['2025-12-01', 1048, 6458],
  ],
)

const orders = result(
  'run_orders',
  'Biggest orders',
  { order_id: 'integer', customer: 'string', amount_usd: 'decimal', status: 'string', ordered_at: 'timestamp' },
  [
    [219834, 'Nordwind GmbH', '18420.00', 'paid', '2025-12-03T09:12:44.000Z'],
    [218305, 'Atelier Blanc', '15110.50', 'paid', '2025-11-28T15:40:02.000Z'],
    [218866, 'Kestrel Ltd', '14999.99', 'refunded', '2025-12-01T08:01:10.000Z'],
    [219727, 'Nordwind GmbH', '12030.00', 'paid', '2025-12-19T17:22:31.000Z'],
    [218049, 'Harbor & Sons', '9800.25', 'cancelled', '2025-11-25T11:11:11.000Z'],
    [219001, 'Casa Verde', '9120.00', 'paid', '2025-12-09T13:05:59.000Z'],
    [217940, 'Kestrel Ltd', '8875.40', 'paid', '2025-11-21T10:30:00.000Z'],
    [219500, 'Osaka Trading', '7420.00', 'refunded', '2025-12-15T02:44:18.000Z'],
  ],
)

const latency = result(
  'run_latency',
  null,
  { endpoint: 'string', requests: 'integer', p95_latency_ms: 'number', error_rate_percent: 'number' },
  [
    ['/api/queries', 182044, 212.4, 0.12],
    ['/api/results', 96510, 640.75, 0.48],
    ['/api/events', 44871, 88.1, 0.03],
    ['/app/api/chats', 12090, 1204.2, 1.7],
  ],
)

const quarters = result(
  'run_quarters',
  'Profit by quarter',
  { quarter: 'date', revenue_eur: 'integer', costs_eur: 'integer', profit_eur: 'integer' },
  [
    ['2024-01-01', 2810000, 2440000, 370000],
    ['2024-04-01', 2990500, 2520300, 470200],
    ['2024-07-01', 2760900, 2480100, 280800],
    ['2024-10-01', 3620400, 2990700, 629700],
    ['2025-01-01', 3010300, 2600900, 409400],
    ['2025-04-01', 3205100, 2660000, 545100],
    ['2025-07-01', 2950200, 2701200, 249000],
    ['2025-10-01', 3990800, 3105500, 885300],
  ],
)

const visits = result(
  'run_visits',
  null,
  { country_code: 'string', visits: 'integer', conversion_rate_percent: 'number' },
  [
    ['DE', 310220, 2.9],
    ['FR', 251004, 2.4],
    ['US', 190330, 1.8],
    ['GB', 120877, 2.1],
    ['JP', 40102, 0.9],
  ],
)

const ages = result(
  'run_ages',
  null,
  { age_group: 'string', users: 'integer', churn_percent: 'number' },
  [
    ['18-24', 20110, 6.1],
    ['25-34', 40870, 4.4],
    ['35-49', 31290, 3.2],
    ['50+', 12044, 2.7],
  ],
)

const total = result(
  'run_total',
  null,
  { revenue: 'decimal', orders: 'integer', average_order_value: 'decimal' },
  [['6042516.30', 69822, '86.54']],
  { start_date: '2025-01-01', end_date: '2025-12-31' },
)

const support = result(
  'run_support',
  null,
  { team: 'string', tickets: 'integer', first_response_minutes: 'number', is_escalated: 'boolean' },
  [
    ['Billing', 410, 42, false],
    ['Billing', 37, 18, true],
    ['Shipping', 655, 61.5, false],
    ['Shipping', 92, 25, true],
    ['Product', 288, 80, false],
    ['Product', 12, 33, true],
  ],
)

const monthlySignups = result(
  'run_signups',
  'Signups by month',
  { month: 'date', signups: 'integer' },
  [
    ['2025-09-01', 41],
    ['2025-10-01', 0],
    ['2025-11-01', 12],
    ['2025-12-01', 27],
  ],
)

/** The results of each world, by the names that placeholders use. */
export const worlds: Record<string, Record<string, StoredResult>> = {
  weeks: { r1: weeks },
  countries: { r1: countries },
  channels: { r1: channels },
  products: { r1: products },
  refunds: { r1: refunds },
  days: { r1: days },
  cohorts: { r1: cohorts },
  orders: { r1: orders },
  latency: { r1: latency },
  quarters: { r1: quarters },
  visits: { r1: visits },
  ages: { r1: ages },
  total: { r1: total },
  support: { r1: support },
  signups: { r1: monthlySignups },
  shop: { r1: weeks, r2: countries, r3: products },
}

/** When all answers of the corpora are written: a Tuesday. */
export const now = new Date('2025-12-30T10:00:00Z')
export const baseUrl = 'https://querypost.test'

export const resultsOf = (world: string): Map<string, StoredResult> =>
  new Map(Object.entries(worlds[world]!).flatMap(([name, one]) => [[name, one], [one.runId, one]] as const))
