import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { claimDueEvaluations } from '../../../domain/evaluations/claim-due-evaluations.ts'
import type { TestQuestion } from '../../../model/question-set.ts'
import { openAgentFetch } from '../../../../testing/agent-fetch.ts'
import { at, expectRefusal } from '../../../../testing/http/requests.ts'
import { pollPause } from '../../../../testing/poll-pause.ts'
import { type ModelRequestSeen, type ModelServer, startModelServer } from '../../../../testing/servers/model-server.ts'
import type { ScriptedAnswer } from '../../../../testing/servers/scripted-answer.ts'
import { ruleKindsOf, storeKinds } from '../../../../testing/store/test-store.ts'
import { startTestService, type TestOrganization, type TestPerson, type TestService } from '../../../../testing/test-service.ts'

const setsUrl = '/app/api/question-sets'

/** Evaluations through the routes, the workers and a scripted model. They use leases, so they are tested on both stores. */
describe.each(storeKinds)('evaluations on %s', (kind) => {
  const agentFetch = openAgentFetch()
  let service: TestService
  let shop: TestOrganization
  let member: TestPerson
  let server: ModelServer
  /** What the model runs for each question, and whether it names the run. */
  let behaviors: Record<string, { sql: string[]; names?: number } | 'hang' | 'no query'>

  beforeAll(async () => {
    service = await startTestService(kind, { agentFetch: agentFetch.fetch })
    shop = await service.addOrganization('shop')
    member = await shop.addPerson('member', 'member@shop.test')
    server = await startModelServer({ always: behave })
  })
  afterAll(async () => {
    await service.stop()
    await server.close()
    await agentFetch.close()
  })
  beforeEach(async () => {
    behaviors = {}
    await service.clock.advance(1)
    const model = { provider: 'openai_compatible', baseUrl: server.url, model: 'scripted' }
    await shop.admin.page('PUT', '/app/api/model-settings', model)
    await shop.admin.page('PUT', '/app/api/model-budget', { currency: null, limits: [], prices: [] })
  })

  /** Runs the statements one after the other, then names one of the runs, then answers. */
  function behave({ body }: ModelRequestSeen): ScriptedAnswer {
    const messages: { role: string; content: string }[] = body.messages
    const asked = messages.find(({ role }) => role === 'user')!.content
    const behavior = Object.entries(behaviors).find(([question]) => asked.includes(question))![1]
    if (behavior === 'hang') return 'hang'
    if (behavior === 'no query') return { text: 'I do not know.' }
    const answers = messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
    const { sql, names } = behavior
    if (answers.length < sql.length) {
      return { toolCalls: [{ name: 'run_sql', input: { databaseId: shop.databaseId, sql: sql[answers.length]! } }] }
    }
    if (names !== undefined && answers.length === sql.length) {
      const runId = /\brun_\w{10,}/.exec(answers[names]!)![0]
      return { toolCalls: [{ name: 'answer_with_run', input: { runId } }] }
    }
    return { text: 'Done.' }
  }

  const question = (text: string, changes: Partial<TestQuestion> = {}): TestQuestion => ({
    text,
    databaseId: shop.databaseId,
    expectedSql: 'select count(*) from numbers',
    expectedRows: null,
    isOrdered: false,
    tolerance: 0,
    ...changes,
  })
  let sets = 0
  async function createSet(questions: TestQuestion[]): Promise<{ id: string; name: string }> {
    const answer = await shop.admin.page('POST', setsUrl, { name: `Set ${(sets += 1)}`, questions })
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json()
  }
  async function start(setId: string, body?: object) {
    const answer = await shop.admin.page('POST', `${setsUrl}/${setId}/evaluations`, body)
    expect(answer.statusCode, answer.body).toBe(202)
    return answer.json()
  }
  const read = async (id: string) => (await shop.admin.page('GET', `/app/api/evaluations/${id}`)).json()
  async function whenEnded(id: string) {
    for (;;) {
      const evaluation = await read(id)
      if (evaluation.endedAt !== null) return evaluation
      await pollPause()
    }
  }
  const outcomes = ({ answers }: { answers: { status: string }[] }) => answers.map(({ status }) => status)

  test('asks every question, a few at a time, and counts the correct results', async () => {
    behaviors = {
      'all numbers': { sql: ['select 10 as n'] },
      'odd numbers': { sql: ['select n from numbers where n % 2 = 1 order by n desc'] },
      'sorted numbers': { sql: ['select n from numbers order by n desc'] },
      'average': { sql: ['select 4.503'] },
      'even numbers': { sql: ['select 4'] },
      'nothing': 'no query',
      'broken': { sql: ['select 1'] },
    }
    const { id } = await createSet([
      question('Count all numbers.'),
      question('List the odd numbers.', { expectedSql: null, expectedRows: [[1], [3], [5], [7], [9]] }),
      question('List the sorted numbers.', { expectedSql: 'select n from numbers order by n', isOrdered: true }),
      question('What is the average?', { expectedSql: 'select avg(n) from numbers', tolerance: 0.01 }),
      question('How many even numbers are there?', { expectedSql: null, expectedRows: [[5]] }),
      question('Tell me nothing.'),
      question('This one is broken.', { expectedSql: 'select missing from numbers' }),
    ])
    const started = await start(id, { label: 'First' })
    expect(started).toMatchObject({ label: 'First', model: 'scripted', trigger: 'person', score: null, endedAt: null })
    expect(started.counts).toMatchObject({ running: 4, waiting: 3 })
    const evaluation = await whenEnded(started.id)
    expect(outcomes(evaluation)).toEqual(['correct', 'correct', 'wrong', 'correct', 'wrong', 'failed', 'failed'])
    expect(evaluation).toMatchObject({ score: 3 / 7, counts: { correct: 3, wrong: 2, failed: 2, running: 0, waiting: 0 } })
    expect(evaluation.answers[2].explanation).toBe('Row 1 differs. Expected [0], got [9].')
    expect(evaluation.answers[4].explanation).toBe('A row is missing or differs. Expected [5].')
    expect(evaluation.answers[5].explanation).toBe('The model ran no query that completed.')
    expect(evaluation.answers[6].explanation).toMatch(/^The expected result is not available: .*missing/)

    // The chats can be opened, but are not listed.
    const chatPath = new URL(evaluation.answers[0].chatUrl).pathname
    expect((await member.page('GET', `/app/api${chatPath}`)).statusCode).toBe(200)
    expect((await member.page('GET', '/app/api/chats')).json().items).toEqual([])

    // What the model used is counted for evaluations.
    const { sources } = (await shop.admin.page('GET', '/app/api/model-usage')).json()
    expect(sources).toMatchObject([{ kind: 'evaluations', name: 'Evaluations' }])
  })

  test.each(ruleKindsOf(kind))('keeps a history, and shows what changed between two evaluations', async () => {
    behaviors = { 'one': { sql: ['select 1'] }, 'two': { sql: ['select 1'] }, 'three': { sql: ['select 3'] } }
    const questions = ['one', 'two', 'three'].map((word, index) => question(`Answer ${word}.`, { expectedSql: `select ${index + 1}` }))
    const { id, name } = await createSet(questions)
    const before = await whenEnded((await start(id)).id)
    await service.clock.advance(1)
    behaviors = { 'one': { sql: ['select 9'] }, 'two': { sql: ['select 2'] }, 'four': { sql: ['select 4'] } }
    const changed = [...questions.slice(0, 2), question('Answer four.', { expectedSql: 'select 4' })]
    expect((await shop.admin.page('PUT', `${setsUrl}/${id}`, { name, questions: changed })).statusCode).toBe(200)
    const after = await whenEnded((await start(id)).id)
    const { items } = (await member.page('GET', `${setsUrl}/${id}/evaluations`)).json()
    expect(items.map((each: { id: string }) => each.id)).toEqual([after.id, before.id])
    const shown = (await member.page('GET', `${setsUrl}/${id}`)).json()
    expect(shown).toMatchObject({ questionCount: 3, latestEvaluation: { id: after.id, score: 2 / 3 } })
    const comparison = (await member.page('GET', `/app/api/evaluations/${after.id}/comparison?with=${before.id}`)).json()
    expect(comparison).toMatchObject({ before: { id: before.id, score: 2 / 3 }, after: { id: after.id, score: 2 / 3 } })
    expect(comparison.questions.map(({ question: text, change }: { question: string; change: string }) => [text, change])).toEqual([
      ['Answer one.', 'regressed'],
      ['Answer two.', 'improved'],
      ['Answer four.', 'added'],
      ['Answer three.', 'removed'],
    ])
    const unknown = await member.page('GET', `/app/api/evaluations/${after.id}/comparison?with=evaluation_other`)
    expectRefusal(unknown, 'evaluation_not_found')
  })

  test('starts on its schedule, once per due time, and skips a time without a model', async () => {
    behaviors = { 'all numbers': { sql: ['select 10'] } }
    const { id, name } = await createSet([question('Count all numbers.')])
    const nightly = { name, questions: [question('Count all numbers.')], schedule: { cron: '0 2 * * *', timeZone: 'UTC' } }
    const saved = (await shop.admin.page('PUT', `${setsUrl}/${id}`, nightly)).json()
    expect(saved.nextDueAt).toBe('2026-01-06T02:00:00.000Z')
    const { services } = service
    const claimAtOnce = () => Promise.all(Array.from({ length: 3 }, () => claimDueEvaluations(services, { isStopping: () => false })))
    const comeDue = () => services.db.updateTable('question_sets').set({ next_due_at: new Date(0) }).where('id', '=', id).execute()
    await comeDue()
    await claimAtOnce()
    const { latestEvaluation, nextDueAt } = (await shop.admin.page('GET', `${setsUrl}/${id}`)).json()
    expect(nextDueAt).toBe(saved.nextDueAt)
    expect(await whenEnded(latestEvaluation.id)).toMatchObject({ trigger: 'schedule', score: 1 })
    await shop.admin.page('DELETE', '/app/api/model-settings')
    await comeDue()
    await claimAtOnce()
    expect((await shop.admin.page('GET', `${setsUrl}/${id}`)).json().nextDueAt).toBe(saved.nextDueAt)
    expect((await shop.admin.page('GET', `${setsUrl}/${id}/evaluations`)).json().items).toHaveLength(1)
  })

  test.each(ruleKindsOf(kind))('names are unique within the organization, ignoring case', async () => {
    const { name } = await createSet([])
    const taken = at('/name')
    expectRefusal(await shop.admin.page('POST', setsUrl, { name: name.toUpperCase(), questions: [] }), 'question_set_name_taken', taken)
    const { id } = await createSet([])
    expectRefusal(await shop.admin.page('PUT', `${setsUrl}/${id}`, { name, questions: [] }), 'question_set_name_taken', taken)
  })

  describe.each(ruleKindsOf(kind))('rules on %s', () => {
    test('compares the run that the model names, otherwise the last one', async () => {
      behaviors = {
        'first': { sql: ['select 1', 'select 2'], names: 0 },
        'last': { sql: ['select 1', 'select 2'] },
      }
      const { id } = await createSet([
        question('Take the first.', { expectedSql: 'select 1' }),
        question('Take the last.', { expectedSql: 'select 2' }),
      ])
      expect(outcomes(await whenEnded((await start(id)).id))).toEqual(['correct', 'correct'])
    })

    describe('with knowledge that is not saved', () => {
      const instructions = { kind: 'instructions', databaseId: null, text: 'Even numbers are called pairs.' }
      const metric = (changes: object = {}) => {
        const definition = { kind: 'sql', databaseId: shop.databaseId, sql: 'count(*)' }
        return { kind: 'metric', id: null, name: 'New', description: '', unit: null, synonyms: [], definition, ownerId: null, ...changes }
      }
      const promptsOf = (from: number) => server.requests.slice(from).map(({ body }) => JSON.stringify(body.messages))
      const baselineOf = async (id: string) => (await shop.admin.page('GET', `${setsUrl}/${id}/baseline`)).json().evaluation

      test('only its own answers know of it, and it is compared with the knowledge as it is', async () => {
        behaviors = { 'pairs': { sql: ['select 1'] } }
        const { id, name } = await createSet([question('How many pairs are there?', { expectedSql: 'select 5' })])
        expect(await baselineOf(id)).toBeNull()
        const baseline = await whenEnded((await start(id)).id)
        expect(await baselineOf(id)).toMatchObject({ id: baseline.id, proposal: null })

        behaviors = { 'pairs': { sql: ['select 5'] } }
        let from = server.requests.length
        const tried = await whenEnded((await start(id, { proposal: instructions })).id)
        expect(tried).toMatchObject({ proposal: { kind: 'instructions', name: 'Instructions' }, baselineId: baseline.id, score: 1 })
        expect(promptsOf(from).every((prompt) => prompt.includes('Even numbers are called pairs.'))).toBe(true)

        from = server.requests.length
        await service.clock.advance(1)
        await whenEnded((await start(id)).id)
        expect(promptsOf(from).some((prompt) => prompt.includes('Even numbers are called pairs.'))).toBe(false)
        expect((await shop.admin.page('GET', '/app/api/knowledge/instructions')).json().items[0].text).toBe('')

        const url = `/app/api/evaluations/${tried.id}/comparison?with=${baseline.id}`
        const { questions } = (await shop.admin.page('GET', url)).json()
        expect(questions).toMatchObject([{ change: 'improved', before: { sql: 'select 1' }, after: { sql: 'select 5' } }])

        const { items } = (await shop.admin.page('GET', '/app/api/audit-log?action=knowledge.tried')).json()
        expect(items[0]).toMatchObject({ subject: { type: 'question_set', name }, details: { evaluationId: tried.id, kind: 'instructions' } })
      })

      test('a proposal is neither the latest evaluation nor a baseline, and a change of the knowledge ends the baseline', async () => {
        behaviors = { 'count': { sql: ['select 10'] } }
        const { id } = await createSet([question('Please count.')])
        const baseline = await whenEnded((await start(id)).id)
        await service.clock.advance(1)
        await whenEnded((await start(id, { proposal: instructions })).id)
        expect((await shop.admin.page('GET', `${setsUrl}/${id}`)).json().latestEvaluation.id).toBe(baseline.id)
        expect(await baselineOf(id)).toMatchObject({ id: baseline.id })
        await service.clock.advance(1)
        const saved = { name: `Numbers ${id}`, definition: metric().definition }
        expect((await shop.admin.page('POST', '/app/api/knowledge/metrics', saved)).statusCode).toBe(201)
        expect(await baselineOf(id)).toBeNull()
      })

      test.each([
        ['a metric without a name', '/proposal/name', () => metric({ name: ' ' })],
        ['instructions that are too long', '/proposal/text', () => ({ kind: 'instructions', databaseId: null, text: 'x'.repeat(8001) })],
        ['a metric without SQL', '/proposal/definition/sql', () => metric({ definition: { kind: 'sql', databaseId: shop.databaseId, sql: '' } })],
      ])('rejects %s', async (_, path, proposal) => {
        const { id } = await createSet([question('Please count.')])
        expectRefusal(await shop.admin.page('POST', `${setsUrl}/${id}/evaluations`, { proposal: proposal() }), 'invalid_request', at(path))
      })
      test('rejects what does not exist, a proposal at a budget’s limit, and members', async () => {
        const { id } = await createSet([question('Please count.')])
        const attempt = (proposal: object, by: TestPerson = shop.admin) => by.page('POST', `${setsUrl}/${id}/evaluations`, { proposal })
        expectRefusal(await attempt({ ...instructions, databaseId: 'db_other' }), 'database_not_found')
        expectRefusal(await attempt(metric({ id: 'knowledge_other' })), 'knowledge_not_found')
        const table = { kind: 'table', databaseId: shop.databaseId, schema: 'main', table: 'missing', description: null, columns: {} }
        expectRefusal(await attempt(table), 'table_not_found')
        expectRefusal(await attempt(instructions, member), 'forbidden')
        const limit = { scope: 'organization', period: 'day', unit: 'tokens', amount: 0 }
        await shop.admin.page('PUT', '/app/api/model-budget', { currency: null, limits: [limit], prices: [] })
        expectRefusal(await attempt(instructions), 'model_budget_exhausted')
      })
    })

    test('a person can stop it: questions in progress are interrupted, the others are not asked', async () => {
      behaviors = { 'wait': 'hang' }
      const { id } = await createSet(Array.from({ length: 6 }, (_, index) => question(`Please wait, number ${index}.`)))
      const before = server.requests.length
      const started = await start(id)
      await server.seen(before + 4)
      expectRefusal(await shop.admin.page('POST', `${setsUrl}/${id}/evaluations`), 'evaluation_already_running')
      expectRefusal(await shop.admin.page('DELETE', `${setsUrl}/${id}`), 'evaluation_already_running')
      expect((await shop.admin.page('POST', `/app/api/evaluations/${started.id}/stop`)).statusCode).toBe(200)
      const evaluation = await whenEnded(started.id)
      expect(evaluation).toMatchObject({ score: 0, counts: { stopped: 6 } })
      expect(evaluation.answers[0].explanation).toBe('Stopped by admin.')
      expect(evaluation.answers[5].explanation).toBe('Stopped by admin before it started.')
      expectRefusal(await shop.admin.page('POST', `/app/api/evaluations/${started.id}/stop`), 'evaluation_already_ended')
      expect((await shop.admin.page('DELETE', `${setsUrl}/${id}`)).statusCode).toBe(204)
      expectRefusal(await shop.admin.page('GET', `/app/api/evaluations/${started.id}`), 'evaluation_not_found')
    })

    test('cannot start without a model, at a budget’s limit, or without questions', async () => {
      const { id } = await createSet([question('Count.')])
      const startUrl = `${setsUrl}/${id}/evaluations`
      const limit = { scope: 'organization', period: 'day', unit: 'tokens', amount: 0 }
      await shop.admin.page('PUT', '/app/api/model-budget', { currency: null, limits: [limit], prices: [] })
      expectRefusal(await shop.admin.page('POST', startUrl), 'model_budget_exhausted')
      await shop.admin.page('DELETE', '/app/api/model-settings')
      expectRefusal(await shop.admin.page('POST', startUrl), 'model_not_configured')
      expectRefusal(await shop.admin.page('POST', startUrl, { label: 'x'.repeat(101) }), 'invalid_request', at('/label'))
      const empty = await createSet([])
      expectRefusal(await shop.admin.page('POST', `${setsUrl}/${empty.id}/evaluations`), 'invalid_request', at('/questions'))
    })

    test.each([
      ['/name', { name: ' ' }],
      ['/questions/0/text', { questions: [{ text: ' ' }] }],
      ['/questions/1/text', { questions: [{}, {}] }],
      ['/questions/0', { questions: [{ expectedRows: [[1]] }] }],
      ['/questions/0', { questions: [{ expectedSql: null }] }],
      ['/questions/0/expectedSql', { questions: [{ expectedSql: ' ' }] }],
      ['/questions/0/expectedRows/1', { questions: [{ expectedSql: null, expectedRows: [[1], [1, 2]] }] }],
      ['/questions/0/tolerance', { questions: [{ tolerance: -1 }] }],
      ['/schedule/cron', { schedule: { cron: 'daily', timeZone: 'UTC' } }],
    ])('%s is checked: %j', async (path, change) => {
      const questions = 'questions' in change ? change.questions.map((each) => Object.assign(question('Count.'), each)) : []
      const answer = await shop.admin.page('POST', setsUrl, { name: 'Checked', ...change, questions })
      expectRefusal(answer, 'invalid_request', at(path))
    })

    test('members can read sets and evaluations, and change nothing', async () => {
      const { id, name } = await createSet([question('Count.')])
      expect((await member.page('GET', setsUrl)).json().items.map((set: { id: string }) => set.id)).toContain(id)
      expectRefusal(await member.page('POST', setsUrl, { name: 'Mine', questions: [] }), 'forbidden')
      expectRefusal(await member.page('PUT', `${setsUrl}/${id}`, { name, questions: [] }), 'forbidden')
      expectRefusal(await member.page('DELETE', `${setsUrl}/${id}`), 'forbidden')
      expectRefusal(await member.page('POST', `${setsUrl}/${id}/evaluations`), 'forbidden')
    })
  })
})
