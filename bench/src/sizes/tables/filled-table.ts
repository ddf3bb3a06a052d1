import type { Sizes } from '../sizes.ts'

/** A table, and the statement that fills it. */
export interface FilledTable {
  table: string
  statement(sizes: Sizes): string
}

/** An `insert` of what a `select` finds: `row` has an expression for each column. */
export const filled = (table: string, rowsOf: (sizes: Sizes) => { from: string; row: Record<string, string> }): FilledTable => ({
  table,
  statement(sizes) {
    const { from, row } = rowsOf(sizes)
    return `insert into ${table} (${Object.keys(row).join(', ')})\nselect ${Object.values(row).join(',\n  ')}\nfrom ${from}`
  },
})

export const numbers = (name: string, last: number, first = 1) => `generate_series(${first}::bigint, ${Math.max(last, first)}::bigint) as ${name}`

/** For each number `i`: its organization `k`. */
export const owner = ({ organizations }: Sizes) => `lateral (select pg_temp.organization_of(i, ${organizations}) as k offset 0) as owner`

/** Names an expression. `offset 0` keeps the planner from computing it again wherever it is used. */
export const called = (name: string, expression: string) => `lateral (select ${expression} as ${name} offset 0) as ${name}_of`

export const organizationId = `pg_temp.new_id('org', k)`
export const adminId = 'pg_temp.user_id(k, 1)'
/** The member with this number, whatever it is. */
export const memberId = (number: string) => `pg_temp.user_id(k, 1 + ${number} % 10)`
export const databaseId = `pg_temp.new_id('db', k * 10 + 1)`
export const jsonOf = (value: unknown) => `'${JSON.stringify(value).replaceAll("'", "''")}'::jsonb`
