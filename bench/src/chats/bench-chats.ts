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
  const { rows } = await world.sql('select id from users limit 1')
  const pages = await signIn(world.service)
  for (const messages of [5, 10, 500, 5000]) await addChat(world, { organizationId: organization.id, userId: rows[0].id, messages })
  await world.sql('analyze chats, chat_messages, agent_runs')
  const open = (messages: number) => () =>
    elapsedMs(async () => {
      for (let count = 0; count < requestsPerRound; count++) await pages.get(`/app/api/chats/${shortIdOf(messages)}`)
    })
  const took = await takeTurns(rounds, { five: open(5), ten: open(10), fiveHundred: open(500), fiveThousand: open(5000) })
  return [
    // Twice as many messages are shown as in the shortest chat, and as many as in the others.
    compared(500, took.fiveHundred, { messages: 5, figures: took.five }, 1.2),
    compared(500, took.fiveHundred, { messages: 10, figures: took.ten }, 1.1),
    compared(5000, took.fiveThousand, { messages: 500, figures: took.fiveHundred }, 1.1),
  ]
}

const shortIdOf = (messages: number) => `chat${String(messages).padStart(6, '2').replaceAll('0', 'a').replaceAll('1', 'b')}`

interface NewChat {
  organizationId: string
  userId: string
  messages: number
}

async function addChat(world: World, { organizationId, userId, messages }: NewChat): Promise<void> {
  const id = `chat_bench_${messages}`
  const rows = Array.from({ length: 10 }, (_, index) => [`2026-01-${index + 10}`, index * 1000, `${index}.50`])
  const preview = { fields: [{ name: 'day', type: 'date' }, { name: 'orders', type: 'integer' }, { name: 'revenue', type: 'decimal' }], rows }
  const step = { kind: 'query_run', runId: 'run_1', reference: null, sql: 'select day, orders, revenue from days', parameterValues: {}, status: 'completed', rowCount: 10, preview, failureReason: null }
  await world.sql(
    `insert into chats (id, organization_id, short_id, title, revision, message_count, created_by, created_at, updated_at)
     values ($1, $2, $3, 'Orders', $4, $4, $5, now(), now())`,
    [id, organizationId, shortIdOf(messages), messages, userId],
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
  await world.sql(
    `insert into agent_runs (id, organization_id, chat_id, agent, status, trigger, trigger_id, user_id, instructions, summary,
       requested_at, started_at, ended_at)
     select $1 || number, $2, $1, 'model', 'completed', 'question', $4, $4, '', '', at, at, at
     from generate_series(1, $3::integer) as number, lateral (select now() + number * interval '1 second' as at) as moment`,
    [id, organizationId, messages / messagesPerExchange, userId],
  )
}

const benchmark = {
  name: 'chats',
  title: 'Opening chats',
  limitMinutes: 10,
  makeWorld: () => makeWorld(),
  parts: { opening: measureOpening },
}
