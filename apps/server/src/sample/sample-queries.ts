import type { Visualization } from '@querypost/visualization'
import type { ParameterDefinition } from '../model/parameter.ts'
import { monthOf, shopCalendar } from './shop-calendar.ts'

/** A sample query of a first start, with the reference that points to it. */
export interface SampleQuery {
  title: string
  description: string
  sql: string
  parameters: ParameterDefinition[]
  /** Checked when it is stored. `jsxConfig` is empty for a `table` and a simple `number`, which are drawn from the result alone. */
  visualization: Visualization | null
}

export const chartMargin = { top: 16, right: 24, bottom: 8, left: 16 }
const noMargin = { top: 0, right: 0, bottom: 0, left: 0 }

/** The period of a query: `{{period.start}}` to `{{period.end}}`, inclusive. */
export function period(defaultValue: string): ParameterDefinition {
  return {
    name: 'period',
    displayName: 'Period',
    type: 'dateRange',
    defaultValue,
    description: 'Both days are included.',
  }
}

export const country: ParameterDefinition = {
  name: 'country',
  displayName: 'Country',
  type: 'text',
  defaultValue: 'All',
  description: 'A country such as Germany or Japan, or All.',
}

const includeCanceled: ParameterDefinition = {
  name: 'include_canceled',
  displayName: 'Include canceled orders',
  type: 'boolean',
  defaultValue: 'false',
  description: 'Whether canceled and refunded orders count.',
}

function rowLimit(defaultValue: string): ParameterDefinition {
  return {
    name: 'row_limit',
    displayName: 'Rows',
    type: 'number',
    defaultValue,
    description: 'Maximum number of rows.',
  }
}

/** The sample queries for a shop that was first started on this day. */
export function sampleQueriesOf(firstStartOn: string): SampleQuery[] {
  const { launchedOn, incident, radioUntil } = shopCalendar(firstStartOn)
  return [
    {
      title: 'Revenue by week',
      description:
        'Weekly revenue, and revenue lost to canceled and refunded orders. Look for the year-end peaks, the spring ' +
        `promotion, and the week in ${monthOf(incident.firstDay)} when Rotterdam could not ship.`,
      sql: `select
  date_trunc('week', ordered_on)::date as week,
  coalesce(sum(amount) filter (where status not in ('canceled', 'refunded')), 0)::integer as revenue,
  coalesce(sum(amount) filter (where status in ('canceled', 'refunded')), 0)::integer as lost_revenue
from orders
where ordered_on between {{period.start}} and {{period.end}}
group by week
order by week`,
      parameters: [period('last 104 weeks')],
      visualization: {
        type: 'line',
        jsxConfig: `<LineChart>
  <CartesianGrid strokeDasharray="3 3" vertical={false} />
  <XAxis dataKey="week" minTickGap={32} />
  <YAxis width={72} />
  <Tooltip />
  <Legend />
  <Line dataKey="revenue" name="Revenue (€)" type="monotone" strokeWidth={2} dot={false} />
  <Line dataKey="lost_revenue" name="Canceled or refunded (€)" type="monotone" strokeWidth={2} dot={false} />
</LineChart>`,
        marginConfig: chartMargin,
      },
    },
    {
      title: 'Top products',
      description:
        `The products that earned most in a period. The Aurora Sunrise Lamp was launched in ${monthOf(launchedOn)}; ` +
        `choose a period before ${monthOf(radioUntil)} to see the Meridian Pocket Radio in its place.`,
      sql: `select
  products.name as product,
  products.category,
  sum(orders.amount)::integer as revenue,
  sum(orders.quantity)::integer as pieces
from orders
join products using (product_id)
where orders.ordered_on between {{period.start}} and {{period.end}}
  and ({{include_canceled}} or orders.status not in ('canceled', 'refunded'))
group by products.name, products.category
order by revenue desc, product
limit {{row_limit}}`,
      parameters: [period('last 6 months'), rowLimit('12'), includeCanceled],
      visualization: {
        type: 'bar',
        jsxConfig: `<BarChart layout="vertical">
  <CartesianGrid strokeDasharray="3 3" horizontal={false} />
  <XAxis type="number" />
  <YAxis type="category" dataKey="product" width={180} />
  <Tooltip />
  <Bar dataKey="revenue" name="Revenue (€)" />
</BarChart>`,
        marginConfig: chartMargin,
      },
    },
    {
      title: 'Revenue by channel in a country',
      description: 'Revenue by sales channel in a country. Over two years, the app took over much of the web’s share.',
      sql: `select
  orders.channel,
  sum(orders.amount)::integer as revenue,
  count(*) as orders
from orders
join customers using (customer_id)
where orders.ordered_on between {{period.start}} and {{period.end}}
  and {{country}} in ('All', customers.country)
  and orders.status not in ('canceled', 'refunded')
group by orders.channel
order by revenue desc`,
      parameters: [country, period('last 12 months')],
      visualization: {
        type: 'pie',
        jsxConfig: `<PieChart>
  <Tooltip />
  <Legend />
  <Pie dataKey="revenue" nameKey="channel" innerRadius="50%" outerRadius="80%" label />
</PieChart>`,
        marginConfig: chartMargin,
      },
    },
    {
      title: 'New and returning customers',
      description: 'Customers with an order in each month: new ones who signed up that month, and returning ones.',
      sql: `with
  active_customers as (
    select distinct
      date_trunc('month', orders.ordered_at)::date as month,
      date_trunc('month', customers.signed_up_at)::date as cohort,
      customers.customer_id
    from orders
    join customers using (customer_id)
    where orders.ordered_at::date between {{period.start}} and {{period.end}}
      and {{country}} in ('All', customers.country)
  )
select
  month,
  count(*) filter (where cohort = month) as new_customers,
  count(*) filter (where cohort < month) as returning_customers
from active_customers
group by month
order by month`,
      parameters: [period('last 12 months'), country],
      visualization: {
        type: 'area',
        jsxConfig: `<AreaChart>
  <CartesianGrid strokeDasharray="3 3" vertical={false} />
  <XAxis dataKey="month" minTickGap={32} />
  <YAxis />
  <Tooltip />
  <Legend />
  <Area dataKey="returning_customers" name="Returning" stackId="customers" fillOpacity={0.35} />
  <Area dataKey="new_customers" name="New" stackId="customers" fillOpacity={0.35} />
</AreaChart>`,
        marginConfig: chartMargin,
      },
    },
    {
      title: 'Refund rate of a warehouse',
      description:
        'Percentage of a warehouse’s orders that were canceled or refunded, compared with the same number of days before. ' +
        'The default is the week in which Rotterdam could not ship.',
      sql: `with
  period as (
    select
      cast({{period.start}} as date) as starts_on,
      cast({{period.end}} as date) as ends_on,
      date_diff('day', starts_on, ends_on)::integer + 1 as days
  ),
  judged as (
    select
      orders.ordered_on >= period.starts_on as is_current,
      100.0 * (orders.status in ('canceled', 'refunded'))::integer as refund_percent
    from orders, period
    where orders.ordered_on between period.starts_on - period.days and period.ends_on
      and orders.warehouse = {{warehouse}}
  )
select
  round(avg(refund_percent) filter (where is_current), 1) as refund_rate_percent,
  round(avg(refund_percent) filter (where not is_current), 1) as refund_rate_before_percent,
  count(*) filter (where is_current) as orders
from judged`,
      parameters: [
        {
          name: 'warehouse',
          displayName: 'Warehouse',
          type: 'text',
          defaultValue: 'Rotterdam',
          description: 'Rotterdam, Columbus, Sydney or Osaka.',
        },
        period(`${incident.firstDay}..${incident.lastDay}`),
      ],
      visualization: { type: 'number', jsxConfig: '', marginConfig: noMargin },
    },
    {
      title: 'Biggest orders',
      description: 'The largest orders of a period, with their customer, product and status.',
      sql: `select
  orders.order_id,
  orders.ordered_at,
  customers.name as customer,
  customers.country,
  customers.is_business,
  products.name as product,
  orders.quantity,
  orders.unit_price,
  orders.discount_percent,
  orders.coupon_code,
  orders.amount,
  orders.status,
  orders.shipped_at
from orders
join customers using (customer_id)
join products using (product_id)
where orders.ordered_on between {{period.start}} and {{period.end}}
  and orders.amount >= {{minimum_amount}}
  and ({{include_canceled}} or orders.status not in ('canceled', 'refunded'))
order by orders.amount desc, orders.order_id
limit {{row_limit}}`,
      parameters: [
        period('last 12 months'),
        {
          name: 'minimum_amount',
          displayName: 'Smallest amount (€)',
          type: 'number',
          defaultValue: '500',
          description: 'Orders below this amount are left out.',
        },
        rowLimit('500'),
        { ...includeCanceled, defaultValue: 'true' },
      ],
      visualization: { type: 'table', jsxConfig: '', marginConfig: noMargin },
    },
  ]
}
