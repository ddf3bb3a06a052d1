import { callApi, signIn } from '../api/caller.ts'
import { makeWorld, type World } from '../api/world.ts'
import { type Measurement, ratioGoal } from '../report.ts'
import { runParts } from '../run-parts.ts'
import { elapsedMs, median } from '../statistics.ts'
import { takeTurns } from '../take-turns.ts'

export const benchChats = (wanted: string[]): Promise<void> => runParts(benchmark, wanted)

const rounds = 40
const requestsPerRound = 10
/** A question, three steps with the first rows of their results, and an answer. */
const messagesPerExchange = 5

const msPerRequest = (figures: number[]) => median(figures) / requestsPerRound

const compared = (messages: number, figures: number[], other: { messages: number; figures: number[] }, atMost: number): Measurement => {
  const [ours, ceiling] = [msPerRequest(figures), msPerRequest(other.figures)]
  return {
    what: `open a chat with ${messages.toLocaleString('en-US')} messages`,
    unit: 'ms',
    ours,
    ceiling: { what: `one with ${other.messages}`, value: ceiling },
    goal: ratioGoal({ ours, ceiling, atMost }),
  }
}

/** Opens chats of different lengths through HTTP, as the page does. */
async function measureOpening(world: World): Promise<Measurement[]> {
  const { organization } = await callApi<{ organization: { id: string } }>(world.service, '/api/me')
  const pages = await signIn(world.service)
  for (const messages of [5, 100, 500, 5000]) await addChat(world, { organizationId: organization.id, messages })
  await world.sql('analyze chats, chat_messages')
  const open = (messages: number) => () =>
    elapsedMs(async () => {
      for (let count = 0; count < requestsPerRound; count++) await pages.get(`/app/api/chats/${shortIdOf(messages)}`)
    })
  const took = await takeTurns(rounds, { five: open(5), hundred: open(100), fiveHundred: open(500), fiveThousand: open(5000) })
  return [
    compared(500, took.fiveHundred, { messages: 5, figures: took.five }, 1.5),
    compared(500, took.fiveHundred, { messages: 100, figures: took.hundred }, 1.1),
    compared(5000, took.fiveThousand, { messages: 500, figures: took.fiveHundred }, 1.5),
  ]
}

const shortIdOf = (messages: number) => `chat${String(messages).padStart(6, '2').replaceAll('0', 'a').replaceAll('1', 'b')}`

async function addChat(world: World, { organizationId, messages }: { organizationId: string; messages: number }): Promise<void> {
  const id = `chat_bench_${messages}`
  const rows = Array.from({ length: 10 }, (_, index) => [`2026-01-${index + 10}`, index * 1000, `${index}.50`])
  const preview = { fields: [{ name: 'day', type: 'date' }, { name: 'orders', type: 'integer' }, { name: 'revenue', type: 'decimal' }], rows }
  const step = { kind: 'query_run', runId: 'run_1', reference: null, sql: 'select day, orders, revenue from days', parameterValues: {}, status: 'completed', rowCount: 10, preview, failureReason: null }
  await world.sql(
    `insert into chats (id, organization_id, short_id, title, revision, message_count, created_at, updated_at)
     values ($1, $2, $3, 'Orders', $4, $4, now(), now())`,
    [id, organizationId, shortIdOf(messages), messages],
  )
  await world.sql(
    `insert into chat_messages (chat_id, number, kind, content, revision, created_at)
     select $1, number, kind, case kind
         when 'question' then jsonb_build_object('kind', kind, 'text', 'How many orders on day ' || number || '?')
         when 'answer' then jsonb_build_object('kind', kind, 'text', 'There were ' || number || ' orders, more than on the day before.')
         else $3::jsonb end, number, now()
     from generate_series(1, $2::integer) as number,
       lateral (select case number % $4::integer when 1 then 'question' when 0 then 'answer' else 'query_run' end as kind) as what`,
    [id, messages, JSON.stringify(step), messagesPerExchange],
  )
}

const benchmark = {
  name: 'chats',
  title: 'Opening chats',
  limitMinutes: 10,
  makeWorld: () => makeWorld(),
  parts: { opening: measureOpening },
}
