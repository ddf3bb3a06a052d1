import { expect, test } from 'vitest'
import { tryCommand } from '../../testing/command-context.ts'

const environment = { QUERYPOST_URL: 'https://querypost.test', QUERYPOST_API_KEY: `qp_live_${'k'.repeat(32)}` }
const empty = { tables: [], references: [], isComplete: true, usedBy: { references: [], boards: [], automations: [] } }
const full = {
  tables: [
    { analyticalDatabaseConfigId: 'db_1', schema: 'main', name: 'orders', columns: ['id', 'total'], readsAllColumns: false },
    { analyticalDatabaseConfigId: 'db_1', schema: null, name: 'customers', columns: [], readsAllColumns: true },
  ],
  references: [{ shortId: 'h5w8r3tzqa', title: 'Countries' }],
  isComplete: false,
  usedBy: { references: [], boards: [{ shortId: 'b2c3d4e5f6', title: 'Sales' }], automations: [{ id: 'automation_1', name: 'Daily' }] },
}

function lineage(args: string[], answer: object) {
  const requested: string[] = []
  const fetch = (async (url: string) => {
    requested.push(new URL(url).pathname)
    return Response.json(answer)
  }) as typeof globalThis.fetch
  return { requested, ended: tryCommand(['lineage', ...args], { environment, fetch }) }
}

test('shows what a query reads and what uses it', async () => {
  const { requested, ended } = lineage(['https://querypost.test/q/k7Rm2QwXn4'], full)
  const { exitCode, stdout, stderr } = await ended
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(requested).toEqual(['/api/references/k7Rm2QwXn4/lineage'])
  expect(stdout).toMatchInlineSnapshot(`
    "Reads
      table main.orders (id, total)
      table customers (all columns)
      query h5w8r3tzqa  Countries
      possibly more, which the SQL does not tell

    Used by
      board b2c3d4e5f6  Sales
      automation automation_1  Daily
    "
  `)
})

test('says that nothing is read or uses it, and prints JSON', async () => {
  expect((await lineage(['k7Rm2QwXn4'], empty).ended).stdout).toBe('Reads\n  nothing\n\nUsed by\n  nothing\n')
  expect(JSON.parse((await lineage(['k7Rm2QwXn4', '--json'], full).ended).stdout)).toEqual(full)
})

test('needs exactly one query', async () => {
  expect((await lineage([], empty).ended).exitCode).toBe(2)
  expect((await lineage(['k7Rm2QwXn4', 'h5w8r3tzqa'], empty).ended).exitCode).toBe(2)
})
