/** Chance with a seed: the same results in every run. */
export function makeChance(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const cities = ['Berlin', 'Paris', 'Rome', 'Madrid', 'Vienna', 'Oslo', 'Lisbon', 'Prague']
const fields = [
  { name: 'id', type: 'integer' },
  { name: 'customer', type: 'string' },
  { name: 'city', type: 'string' },
  { name: 'ordered_at', type: 'timestamp' },
  { name: 'amount', type: 'decimal' },
  { name: 'items', type: 'integer' },
  { name: 'is_paid', type: 'boolean' },
]
type Row = [number, string, string, string, string, number, boolean]

function makeRow(id: number, chance: () => number): Row {
  const orderedAt = new Date(1_700_000_000_000 + Math.floor(chance() * 3e10)).toISOString()
  const customer = `customer ${Math.floor(chance() * 1e6)}`
  return [id, customer, cities[Math.floor(chance() * cities.length)]!, orderedAt, (chance() * 10_000).toFixed(2), Math.floor(chance() * 1000), chance() < 0.5]
}

/** The documents of daily results: each day, a share of the rows at random places changes, in one cell or in all. */
export function* dailyDocuments(options: {
  rowCount: number
  days: number
  share: number
  changes: 'one cell' | 'all cells'
}): Generator<Buffer> {
  const chance = makeChance(7)
  const rows = Array.from({ length: options.rowCount }, (_, id) => JSON.stringify(makeRow(id, chance)))
  for (let day = 0; day < options.days; day++) {
    for (let change = 0; day > 0 && change < options.rowCount * options.share; change++) {
      const id = Math.floor(chance() * options.rowCount)
      const before = JSON.parse(rows[id]!) as Row
      const after = makeRow(id, chance)
      rows[id] = JSON.stringify(options.changes === 'all cells' ? after : before.with(4, after[4]))
    }
    yield Buffer.from(`{"fields":${JSON.stringify(fields)},"rows":[${rows.join(',')}],"rowCount":${rows.length}}`)
  }
}
