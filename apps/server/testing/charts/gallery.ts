import type { Field, Visualization } from '@querypost/visualization'

/** A chart of the gallery in the documentation: a type, and a query on the sample shop that it suits. */
export interface GalleryChart {
  name: string
  title: string
  description: string
  fields: Field[]
  /** The columns are those of `fields`, in the same order. */
  sql: string
  visualization: Pick<Visualization, 'type' | 'jsxConfig' | 'columns'>
}

const column = (name: string, type: Field['type']): Field => ({ name, type })
const valid = `status not in ('canceled', 'refunded')`
const byMonth = (measure: string) => `date_trunc('month', ordered_on)::date::varchar as month, ${measure}`
const revenue = `sum(amount) filter (where ${valid}) as revenue`
const euros = { name: 'revenue', title: 'Revenue', format: { style: 'currency' as const, currency: 'EUR' } }
const lastYear = `ordered_on >= date '2025-01-01' and ordered_on < date '2026-01-01'`
const ofCustomers = 'from orders join customers using (customer_id)'
const ofProducts = 'from orders join products using (product_id)'

export const gallery: GalleryChart[] = [
  {
    name: 'line',
    title: 'Line, split by a column',
    description: 'One line per channel, the largest first. A target and a note mark what matters.',
    fields: [column('month', 'date'), column('channel', 'string'), column('revenue', 'decimal')],
    sql: `select ${byMonth('channel')}, ${revenue} from orders where ${lastYear} group by month, channel order by month, channel`,
    visualization: {
      type: 'line',
      columns: [euros],
      jsxConfig: `<LineChart>
  <CartesianGrid vertical={false} />
  <XAxis dataKey="month" />
  <YAxis />
  <Legend />
  <Line dataKey="revenue" seriesKey="channel" type="monotone" />
  <ReferenceLine y={500000} label="Target" />
  <ReferenceLine x="2025-04-01" label="Spring promotion" />
</LineChart>`,
    },
  },
  {
    name: 'area',
    title: 'Area, stacked to 100%',
    description: 'How the shares of the categories change.',
    fields: [column('month', 'date'), column('category', 'string'), column('revenue', 'decimal')],
    sql: `select ${byMonth('category')}, ${revenue} ${ofProducts} where ${lastYear} group by month, category order by month, category`,
    visualization: {
      type: 'area',
      columns: [euros],
      jsxConfig: `<AreaChart stackOffset="expand">
  <XAxis dataKey="month" />
  <YAxis />
  <Legend />
  <Area dataKey="revenue" seriesKey="category" stackId="all" fillOpacity={0.7} />
</AreaChart>`,
    },
  },
  {
    name: 'bar',
    title: 'Bar, stacked, the rest combined',
    description: '`topN={3}` combines the other countries as “Other”.',
    fields: [column('month', 'date'), column('country', 'string'), column('revenue', 'decimal')],
    sql: `select ${byMonth('country')}, ${revenue} ${ofCustomers} where ${lastYear} group by month, country order by month, country`,
    visualization: {
      type: 'bar',
      columns: [euros],
      jsxConfig: `<BarChart>
  <CartesianGrid vertical={false} />
  <XAxis dataKey="month" />
  <YAxis />
  <Legend />
  <Bar dataKey="revenue" seriesKey="country" topN={3} stackId="all" />
</BarChart>`,
    },
  },
  {
    name: 'combo',
    title: 'Combo, with a second axis',
    description: 'Revenue as bars with its trend, and the number of orders as a line with its own axis.',
    fields: [column('month', 'date'), column('revenue', 'decimal'), column('orders', 'integer')],
    sql: `select ${byMonth(revenue)}, count(*)::integer as orders from orders where ${lastYear} group by month order by month`,
    visualization: {
      type: 'combo',
      columns: [euros],
      jsxConfig: `<ComposedChart>
  <CartesianGrid vertical={false} />
  <XAxis dataKey="month" />
  <YAxis />
  <YAxis yAxisId="right" orientation="right" />
  <Legend />
  <Bar dataKey="revenue" trend="linear" />
  <Line dataKey="orders" yAxisId="right" />
</ComposedChart>`,
    },
  },
  {
    name: 'scatter',
    title: 'Scatter, with size and color',
    description: 'Each point is a product: its price, the pieces sold, its revenue as the size, its category as the color.',
    fields: [column('price', 'decimal'), column('pieces', 'integer'), column('revenue', 'decimal'), column('category', 'string')],
    sql: `select products.unit_price as price, sum(quantity)::integer as pieces, ${revenue}, category ${ofProducts} where ${lastYear} group by product_id, price, category order by product_id`,
    visualization: {
      type: 'scatter',
      columns: [euros],
      jsxConfig: `<ScatterChart>
  <CartesianGrid />
  <XAxis dataKey="price" type="number" />
  <YAxis dataKey="pieces" type="number" />
  <ZAxis dataKey="revenue" />
  <Legend />
  <Scatter seriesKey="category" />
</ScatterChart>`,
    },
  },
  {
    name: 'pie',
    title: 'Pie',
    description: 'The parts of a whole; the smallest beyond eleven are combined.',
    fields: [column('channel', 'string'), column('revenue', 'decimal')],
    sql: `select channel, ${revenue} from orders where ${lastYear} group by channel order by revenue desc`,
    visualization: { type: 'pie', columns: [euros], jsxConfig: '<PieChart>\n  <Legend />\n  <Pie dataKey="revenue" nameKey="channel" innerRadius="40%" />\n</PieChart>' },
  },
  {
    name: 'heatmap',
    title: 'Heat map',
    description: 'When people order: by weekday and hour.',
    fields: [column('weekday', 'string'), column('hour', 'integer'), column('orders', 'integer')],
    sql: `select strftime(ordered_at, '%a') as weekday, hour(ordered_at)::integer as hour, count(*)::integer as orders from orders where ${lastYear}
      group by weekday, hour, isodow(ordered_at) order by isodow(ordered_at), hour`,
    visualization: {
      type: 'heatmap',
      jsxConfig: '<HeatmapChart>\n  <XAxis dataKey="hour" />\n  <YAxis dataKey="weekday" />\n  <Heatmap dataKey="orders" />\n</HeatmapChart>',
    },
  },
  {
    name: 'funnel',
    title: 'Funnel',
    description: 'Each step and its share of the first.',
    fields: [column('step', 'string'), column('orders', 'integer')],
    sql: `select * from (values ('Ordered', (select count(*)::integer from orders where ${lastYear})),
      ('Shipped', (select count(shipped_at)::integer from orders where ${lastYear})),
      ('Kept', (select count(*)::integer from orders where ${lastYear} and shipped_at is not null and ${valid})),
      ('Rated', (select count(rating)::integer from orders where ${lastYear} and shipped_at is not null and ${valid}))) as steps (step, orders)`,
    visualization: { type: 'funnel', jsxConfig: '<FunnelChart>\n  <Funnel dataKey="orders" nameKey="step" />\n</FunnelChart>' },
  },
  {
    name: 'histogram',
    title: 'Histogram',
    description: 'How large orders are.',
    fields: [column('amount', 'decimal')],
    sql: `select amount from orders where ${lastYear} and amount < 400 order by order_id`,
    visualization: {
      type: 'histogram',
      columns: [{ name: 'amount', format: { style: 'currency', currency: 'EUR' } }],
      jsxConfig: '<HistogramChart>\n  <CartesianGrid vertical={false} />\n  <XAxis />\n  <YAxis />\n  <Histogram dataKey="amount" />\n</HistogramChart>',
    },
  },
  {
    name: 'map',
    title: 'Map of countries',
    description: 'Countries by their English names or ISO codes.',
    fields: [column('country', 'string'), column('revenue', 'decimal')],
    sql: `select country, ${revenue} ${ofCustomers} where ${lastYear} group by country order by country`,
    visualization: { type: 'map', columns: [euros], jsxConfig: '<MapChart>\n  <Map dataKey="revenue" nameKey="country" />\n</MapChart>' },
  },
  {
    name: 'number',
    title: 'Number, compared with the period before',
    description: 'The latest period, the change, the target and the course of the values.',
    fields: [column('month', 'date'), column('revenue', 'decimal')],
    sql: `select ${byMonth(revenue)} from orders where ${lastYear} group by month order by month`,
    visualization: {
      type: 'number',
      columns: [euros],
      jsxConfig: '<NumberChart>\n  <Number dataKey="revenue" timeKey="month" compare="previous" target={2000000} sparkline />\n</NumberChart>',
    },
  },
  {
    name: 'pivot',
    title: 'Pivot table',
    description: 'Groups down the side and across the top, with exact totals.',
    fields: [column('category', 'string'), column('channel', 'string'), column('revenue', 'decimal')],
    sql: `select category, channel, ${revenue} ${ofProducts} where ${lastYear} group by category, channel order by category, channel`,
    visualization: {
      type: 'pivot',
      columns: [euros],
      jsxConfig: '<PivotTable>\n  <PivotRow dataKey="category" />\n  <PivotColumn dataKey="channel" />\n  <PivotValue dataKey="revenue" aggregate="sum" />\n</PivotTable>',
    },
  },
]
