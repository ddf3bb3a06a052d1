/** The board that is measured, and the same charts on a page of their own. */
export const tileCount = 30
export const rowCount = 10_000
/** How many tiles a desktop shows at first. */
export const shownTiles = 9

export const chartJsx = '<LineChart><XAxis dataKey="minute" /><YAxis /><Line dataKey="orders" /><Line dataKey="revenue" /></LineChart>'

export const sqlOf = (tile: number) =>
  `select timestamp '2026-01-01' + interval (n) minute as minute, (n * ${tile + 7}) % 997 as orders, round(sin(n / ${50 + tile}) * 1000) as revenue, 'Product ' || (n % 50) as product from range(${rowCount}) as numbers (n)`

export const firstMinuteMs = Date.UTC(2026, 0, 1)

/** What that SQL gives at a minute. */
export const valuesAt = (tile: number, minute: number) => ({
  orders: (minute * (tile + 7)) % 997,
  revenue: Math.round(Math.sin(minute / (50 + tile)) * 1000),
})
