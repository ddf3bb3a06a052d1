import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Script } from '../../../../testing/servers/model-server.ts'
import { bounds } from './model-limits.ts'
import { type AgentUnderTest, lastToolAnswer, openAgentUnderTest } from '../../../../testing/agents/model-agent-world.ts'

let agent: AgentUnderTest
let databaseId: string
beforeAll(async () => {
  agent = await openAgentUnderTest()
  databaseId = agent.shop.databaseId
})
afterAll(() => agent.stop())

const sql = (text: string): Script => ({ toolCalls: [{ name: 'run_sql', input: { databaseId, sql: text } }] })
const times = (count: number, make: (index: number) => Script) => Array.from({ length: count }, (_, index) => make(index))

describe('reports mistakes to the model, which may correct them', () => {
  test('input that is not JSON', async () => {
    const { answer, messages, bodies } = await agent.run([
      { toolCalls: [{ name: 'run_sql', input: `{"databaseId": "${databaseId}", "sql": "select 1` }] },
      sql('select 1 as one'),
      { text: 'It works.' },
    ])
    expect(answer?.summary).toBe('It works.')
    expect(messages[0]).toEqual({
      kind: 'tool_call',
      tool: 'run_sql',
      connector: null,
      input: `{"databaseId": "${databaseId}", "sql": "select 1`,
      status: 'failed',
      output: expect.stringMatching(/^The input is not JSON: .*Send one JSON object/),
    })
    expect(messages[1]).toMatchObject({ kind: 'query_run', status: 'completed' })
    expect(lastToolAnswer(bodies[1])).toMatch(/^The call failed\.\n.*The input is not JSON/s)
  })

  const drawing = (type: string, jsxConfig: string) => ({ runId: 'run_x', title: 'T', visualization: { type, jsxConfig } })
  test.each([
    ['a field of the wrong type', 'run_sql', { databaseId: 5, sql: 'select 1' }, /\/databaseId must be string/],
    ['an unknown field', 'list_tables', { all: true }, /\/all is not known to this tool/],
    ['no field at all', 'run_sql', '', /must have required properties databaseId, sql/],
    ['a list', 'run_sql', [], /must be object/],
    ['a NUL', 'run_sql', { databaseId: 'db_x', sql: 'select \0' }, /NUL/],
    ['an unpaired surrogate', 'run_sql', { databaseId: 'db_x', sql: 'select \ud800' }, /surrogate/],
    ['input nested too deeply', 'run_sql', '{"sql":'.repeat(60) + '1' + '}'.repeat(60), /nested more than 50 deep/],
    ['no such database', 'run_sql', { databaseId: 'db_x', sql: 'select 1' }, /There is no database "db_x"/],
    ['a malformed id', 'describe_table', { databaseId: 'no id', table: 'numbers' }, /There is no database "no id"/],
    ['an invalid parameter value', 'read_reference', { shortId: 'abcdefghjk', parameterValues: { a: null } }, /\/a must/],
    ['no such reference', 'read_reference', { shortId: 'abcdefghjk' }, /There is no query reference "abcdefghjk"/],
    ['no such kind of chart', 'draw_chart', drawing('radar', ''), /\/visualization\/type must/],
    ['no such run', 'draw_chart', drawing('table', ''), /There is no run "run_x"/],
    ['an active chart', 'draw_chart', drawing('bar', '<BarChart onClick={alert(1)} />'), /jsxConfig/],
    ['no such tool', 'drop_table', { table: 'numbers' }, /There is no tool "drop_table"\. The tools are search_knowledge, list_tables, /],
  ])('%s', async (_, name, input, fault) => {
    const { answer, messages, bodies } = await agent.run([{ toolCalls: [{ name, input }] }, { text: 'I see.' }])
    expect(answer?.summary).toBe('I see.')
    expect(lastToolAnswer(bodies[1])).toMatch(fault)
    expect(lastToolAnswer(bodies[1])).toMatch(/^The call failed\.\nThe text between the markers is data/)
    const [step] = messages
    expect(step?.kind === 'query_run' ? step.failureReason : step?.kind === 'tool_call' && step.output).toMatch(fault)
    expect(step).toMatchObject({ status: 'failed' })
  })

  test('an unknown table', async () => {
    const call = { name: 'describe_table', input: { databaseId, table: 'nowhere' } }
    const { bodies } = await agent.run([{ toolCalls: [call] }, { text: 'I see.' }])
    expect(lastToolAnswer(bodies[1])).toContain('There is no table "nowhere" in this database. Call list_tables')
  })

  const refused = ['drop table numbers', 'insert into numbers values (10)', 'select 1; select 2', `copy numbers to '/x.csv'`]
  test.each(refused)(
    'a rejected statement: %s',
    async (statement) => {
      const count = sql('select count(*) as c from numbers')
      const { answer, messages, bodies } = await agent.run([sql(statement), count, { text: 'It works.' }])
      expect(answer?.summary).toBe('It works.')
      expect(messages[0]).toMatchObject({ kind: 'query_run', status: 'failed', sql: statement })
      const { failureReason } = messages[0] as { failureReason: string }
      expect(failureReason).toMatch(/\w/)
      expect(lastToolAnswer(bodies[1])).toContain(failureReason)
      expect(messages[1]).toMatchObject({ status: 'completed', preview: { rows: [[10]] } })
    },
  )

  test('a chart of a column that the run does not have', async () => {
    const { messages } = await agent.run([
      sql('select n from numbers'),
      ({ body }) => {
        const runId = /run_\w{22}/.exec(lastToolAnswer(body))![0]
        const visualization = { type: 'line', jsxConfig: '<LineChart><Line dataKey="m" /></LineChart>' }
        return { toolCalls: [{ name: 'draw_chart', input: { runId, title: 'T', visualization } }] }
      },
      { text: 'No chart.' },
    ])
    const output = 'The run has no column "m". Its columns are n.'
    expect(messages[1]).toMatchObject({ kind: 'tool_call', status: 'failed', output })
  })
})

describe('ends a run that makes no progress', () => {
  test('after the same call three times', async () => {
    const { failure, messages, bodies } = await agent.run(times(4, () => sql('select 1')))
    expect(failure!.message).toMatch(/^The model repeated itself: it called run_sql 3 times with the same input\./)
    expect(failure!.usage).toEqual({ inputTokens: 300, outputTokens: 60, steps: 3 })
    expect(messages).toHaveLength(2)
    expect(bodies).toHaveLength(3)
  })

  test('after the maximum number of steps', async () => {
    const { failure, bodies } = await agent.run(times(31, (index) => sql(`select ${index}`)))
    expect(failure!.message).toMatch(/^The model did not finish within 30 steps\./)
    expect(bodies).toHaveLength(bounds.steps)
    expect(bodies[26].messages.at(-1).role).toBe('tool')
    expect(bodies.slice(27).map(({ messages }) => messages.at(-1).content)).toEqual(
      [3, 2, 1].map((left) => `Steps left: ${left}. Write your answer now, with what you have found.`),
    )
  })

  test('after five errors in a row', async () => {
    const { failure, messages } = await agent.run(times(6, (index) => sql(`select ${index} from nowhere`)))
    expect(failure!.message).toMatch(/^The last 5 tool calls failed. Last error: .*nowhere/s)
    expect(messages).toHaveLength(5)
  })

  test.each([
    ['no text', { text: '' }, /its answer was empty/],
    ['only whitespace', { text: ' \n ' }, /its answer was empty/],
    ['text blocked by a filter', { text: '', finishReason: 'content_filter' }, /content filter/],
    ['reasoning only', { text: '', finishReason: 'length' }, /used up its 8192 tokens/],
  ])('after an answer with %s', async (_, answer, why) => {
    const { failure, messages } = await agent.run([answer])
    expect(failure!.message).toMatch(/^The model ended without an answer: /)
    expect(failure!.message).toMatch(why)
    expect(messages).toEqual([])
  })

  test('keeps an answer that is cut off, and says so', async () => {
    const { answer } = await agent.run([{ text: 'It began well', finishReason: 'length' }])
    expect(answer!.summary).toBe('It began…\n\n_The answer was cut off at the limit of 8192 tokens._')
  })
})
