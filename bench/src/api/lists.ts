import { makeCursorCodec } from '@querypost/server/background-work'
import { openConnection, requestMessage } from '../load/connection.ts'
import { type Measurement, ratioGoal } from '../report.ts'
import { median } from '../statistics.ts'
import { takeTurns } from '../take-turns.ts'
import { bareStatements } from './bare-keyset.ts'
import { callApi } from './caller.ts'
import { type FilledOrganization, fillOrganization } from './fill-lists.ts'
import { secretKey } from './service.ts'
import type { World } from './world.ts'

const rounds = 8
const requestsPerRound = 30
const limit = 100
const large = 1_000_000

const lists = { references: '/api/queries/refs', queries: '/api/queries' } as const
type List = keyof typeof lists

/** Measures a page with a thousand and with a million items, against the minimal statement. */
export async function measureLists(world: World): Promise<Measurement[]> {
  const thousand = await fillOrganization(world, { name: 'thousand', size: 1000 })
  const million = await fillOrganization(world, { name: 'million', size: large })
  const connection = await openConnection({ port: world.service.port })
  const bare = await bareStatements(world, million)

  const page = (organization: FilledOrganization, list: List, cursor?: string) => {
    const path = `${lists[list]}?limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`
    const message = requestMessage({ path, key: organization.key })
    return () => medianOfMany(async () => expect200(await connection.request(message)))
  }
  const measurements: Measurement[] = []
  for (const list of Object.keys(lists) as List[]) {
    const [middleOfThousand, middleOfMillion] = [
      await middleCursor(world, thousand, list),
      await middleCursor(world, million, list),
    ]
    const figures = await takeTurns(rounds, {
      firstOfThousand: page(thousand, list),
      firstOfMillion: page(million, list),
      laterOfThousand: page(thousand, list, middleOfThousand),
      laterOfMillion: page(million, list, middleOfMillion),
      bareFirst: () => medianOfMany(bare[list].first),
      bareLater: () => medianOfMany(bare[list].later),
      ourFirst: () => medianOfMany(bare[list].ourFirst),
      ourLater: () => medianOfMany(bare[list].ourLater),
    })
    const ms = Object.fromEntries(Object.entries(figures).map(([name, values]) => [name, median(values)]))
    const line = (what: string, ours: number, ceiling: Measurement['ceiling'] & object, goal = {}): Measurement => ({
      what: `${lists[list]}?limit=${limit}, ${what}`,
      unit: 'ms',
      ours,
      ceiling,
      ...goal,
    })
    for (const which of ['first', 'later']) {
      const [thousandMs, millionMs] = [ms[`${which}OfThousand`]!, ms[`${which}OfMillion`]!]
      const Which = which === 'first' ? 'First' : 'Later'
      const name = which === 'first' ? 'first page' : 'page in the middle, by cursor'
      measurements.push(
        line(`${name}, 1,000,000 items`, millionMs, { what: 'at 1,000 items', value: thousandMs }, {
          goal: ratioGoal({ ours: millionMs, ceiling: thousandMs, atMost: 1.5 }),
        }),
        line(`${name}, whole request`, millionMs, { what: 'bare keyset SQL', value: ms[`bare${Which}`]! }),
        line(`${name}, its statement alone`, ms[`our${Which}`]!, { what: 'bare keyset SQL', value: ms[`bare${Which}`]! }),
      )
    }
  }
  connection.close()
  await bare.close()
  return measurements
}

async function medianOfMany(act: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < requestsPerRound; index++) {
    const startedMs = performance.now()
    await act()
    times.push(performance.now() - startedMs)
  }
  return median(times)
}

function expect200(answer: { status: number }): void {
  if (answer.status !== 200) throw new Error(`A page answered ${answer.status}.`)
}

/** A real cursor, moved to the middle of the list instead of following five thousand pages. */
async function middleCursor(world: World, organization: FilledOrganization, list: List): Promise<string> {
  const { nextCursor } = await callApi<{ nextCursor: string }>(world.service, `${lists[list]}?limit=1`, organization.key)
  const codec = makeCursorCodec({ secretKey: Buffer.from(secretKey) })
  const { rows } = await world.sql('select system_identifier::text as id from pg_control_system()')
  const cursor = codec.decode(nextCursor, {
    list,
    organizationId: organization.id,
    systemIdentifier: (rows[0] as { id: string }).id,
    now: new Date(),
  })
  const { middle } = organization
  const id = list === 'references' ? middle.referenceId : middle.queryId
  return codec.encode({ ...cursor, after: { createdAt: middle.createdAt, id } })
}
