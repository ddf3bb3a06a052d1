import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { sql as statement } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditAction } from '../model/audit-action.ts'
import { databaseFolder } from '../domain/databases/engines.ts'
import { makeLink } from '../domain/people/person-links.ts'
import type { Email, Mail } from '../ports/mail.ts'
import { startTestService, testPassword, type TestOrganization, type TestService } from '../../testing/test-service.ts'
import { testChannel } from '../../testing/channels/test-channel.ts'
import { ifMatch } from '../../testing/http/board-requests.ts'
import { anyone, newPassword, tokenIn } from '../../testing/http/people.ts'
import { appWith } from '../../testing/people/second-factor.ts'
import { publish, settle } from '../../testing/http/webhook-requests.ts'

/**
 * Writes that leave no audit record, and why. Every other route that is not a GET is called below and must leave exactly the listed
 * records.
 */
const unrecorded: Record<string, string> = {
  'POST /app/api/welcome/read': 'reads',
  'POST /app/api/password-reset/read': 'reads',
  'POST /app/api/invitations/read': 'reads',
  'POST /app/api/account/second-factor/offer': 'stores nothing',
  'POST /app/api/sign-in/second-factor/offer': 'stores nothing',
  'POST /app/api/databases/test': 'tests settings that are not stored',
  'POST /app/api/databases/:id/tables/preview': 'stores nothing',
  'POST /app/api/databases/:id/estimate': 'runs nothing',
  'POST /app/api/webhook-endpoints/check': 'checks a URL that is not stored',
  'POST /app/api/webhook-endpoints/:id/replay/count': 'counts',
  'POST /app/api/data-connectors/:id/test': 'reads the connector’s description',
  'POST /app/api/model-settings/test': 'asks the model one question',
  'POST /app/api/schedules/preview': 'computes due times',
  'POST /app/api/automations/:id/reports/preview': 'sends nothing',
  'POST /app/api/automations/backtest': 'changes nothing',
  'POST /app/api/automations/digest-backtest': 'changes nothing',
  'POST /app/api/automations/:id/model-backtest': 'changes nothing; the model’s use is counted',
  'POST /app/api/references/:shortId/history-fill': 'its runs record who requested them',
  'DELETE /app/api/references/:shortId/history-fill': 'requests no more runs',
  'POST /app/api/report-links/read': 'reads',
  'POST /api/question-sets/:id/evaluations': 'the evaluation records who requested it',
  'POST /app/api/question-sets/:id/evaluations': 'the evaluation records who requested it',
  'POST /app/api/evaluations/:id/stop': 'the answers record who stopped them',
  'POST /api/queries/:queryId/refresh': 'the run records who requested it',
  'POST /app/api/queries/:queryId/runs': 'the run records who requested it',
  'POST /app/api/references/:shortId/runs': 'the run records who requested it',
  'POST /api/boards/:shortId/refresh': 'the runs record who requested them',
  'POST /app/api/boards/:shortId/refresh': 'the runs record who requested them',
  'POST /api/boards/:shortId/results': 'reads',
  'POST /app/api/boards/:shortId/results': 'reads',
  'POST /app/api/boards/:shortId/short-results': 'reads',
  'POST /app/api/boards/draft': 'saves no board; a query that the model saves is recorded as such',
  'PUT /app/api/references/:shortId/favorite': 'only affects the user’s own favorites',
  'DELETE /app/api/references/:shortId/favorite': 'only affects the user’s own favorites',
  'POST /app/api/references/:shortId/views': 'only affects the user’s own list',
  'PUT /app/api/boards/:shortId/favorite': 'only affects the user’s own favorites',
  'DELETE /app/api/boards/:shortId/favorite': 'only affects the user’s own favorites',
  'POST /app/api/boards/:shortId/views': 'only affects the user’s own list',
  'POST /app/api/references/:shortId/comment-threads': 'the comment names its author',
  'POST /app/api/boards/:shortId/comment-threads': 'the comment names its author',
  'POST /app/api/comment-threads/:threadId/comments': 'the comment names its author',
  'PATCH /app/api/comment-threads/:threadId': 'the thread names who resolved it',
  'PATCH /app/api/comments/:commentId': 'only the author can edit a comment',
  'POST /app/api/runs/:runId/cancel': 'the run records who stopped it',
  'POST /api/automations/:id/runs': 'the run records who requested it',
  'POST /app/api/automations/:id/runs': 'the run records who requested it',
  'POST /app/api/automation-runs/:id/stop': 'the run records who stopped it',
  'POST /api/chats': 'the chat records the author',
  'POST /app/api/chats': 'the chat records the author',
  'POST /api/chats/:shortId/messages': 'the chat records the author',
  'POST /app/api/chats/:shortId/messages': 'the chat records the author',
  'PUT /app/api/chats/:shortId/messages/:number/feedback': 'the list of feedback names the author',
  'DELETE /app/api/chats/:shortId/messages/:number/feedback': 'only affects the user’s own feedback',
  'POST /app/api/chats/:shortId/stop': 'the chat records who stopped it',
  'POST /app/api/notifications/read': 'only affects the user’s own notifications',
  'PATCH /app/api/notifications/settings': 'only affects the user’s own notifications',
  'POST /app/api/notifications/test-email': 'sends an e-mail to the user',
}

let service: TestService
let shop: TestOrganization
const routes: string[] = []
const emails: Email[] = []
const mail: Mail = { send: async (email) => void emails.push(email), close: async () => {} }

beforeAll(async () => {
  const collect = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      const writing = [method].flat().filter((each) => !['GET', 'HEAD', 'OPTIONS'].includes(each))
      routes.push(...writing.map((each) => `${each} ${url}`))
    })
  }
  subscribe('fastify.initialization', collect)
  service = await startTestService('postgres', { worker: false, mail })
  unsubscribe('fastify.initialization', collect)
  service.services.channels.kinds.teams = testChannel()
  shop = await service.addOrganization('shop')
})
afterAll(() => service.stop())

const called = new Set<string>()

interface Given {
  /** Values for the parameters of the path, in order. */
  ids?: string[]
  search?: string
  body?: object
  /** The version that a change is based on. */
  version?: number
}

test('every write by a person or a program is recorded in its transaction', async () => {
  const { admin } = shop
  const by = (given: object) => anyone(service, given as Record<string, string>)
  let answer: LightMyRequestResponse

  /** Calls a route and compares its audit records with the expected ones. */
  async function step(route: string, sent: Promise<LightMyRequestResponse>, ...expected: AuditAction[]) {
    answer = await sent
    expect(answer.statusCode, `${route}: ${answer.body}`).toBeLessThan(300)
    await service.services.pendingJobs.settled()
    expect((await newActions()).toSorted(), route).toEqual(expected.toSorted())
    called.add(route)
    return answer.body ? answer.json() : undefined
  }
  const call = (route: string, { ids = [], search = '', body, version }: Given) => {
    const [method, url] = route.split(' ') as ['POST', string]
    const filled = `${ids.reduce((filling, id) => filling.replace(/:\w+/, id), url)}${search}`
    const headers = ifMatch(version)
    return filled.startsWith('/api') ? admin.api(method, filled, body, headers) : admin.page(method, filled, body, headers)
  }
  let seen = new Set<string>()
  async function newActions(): Promise<AuditAction[]> {
    const rows = await service.services.db.selectFrom('audit_log').select(['id', 'action']).execute()
    const fresh = rows.filter(({ id }) => !seen.has(id))
    seen = new Set(rows.map(({ id }) => id))
    return fresh.map(({ action }) => action)
  }
  const act = (route: string, given: Given, ...expected: AuditAction[]) => step(route, call(route, given), ...expected)
  await newActions()

  // Accounts and sessions
  await act('PATCH /app/api/account', { body: { name: 'Ada' } }, 'account.changed')
  await act('PATCH /app/api/account', { body: { name: 'Ada' } })
  const credentials = { email: admin.email, password: testPassword }
  await step('POST /app/api/session', by({}).post('/app/api/session', credentials), 'session.started')
  const sessions = (await admin.page('GET', '/app/api/account/sessions')).json<{ items: { id: string; isCurrent: boolean }[] }>()
  const other = sessions.items.find(({ isCurrent }) => !isCurrent)!.id
  await act('DELETE /app/api/account/sessions/:id', { ids: [other] }, 'session.ended')
  const passwords = { currentPassword: testPassword, newPassword }
  await act('POST /app/api/account/password', { body: passwords }, 'password.changed')
  // A new session opens the organization that the account joined first.
  service.clock.leap(1000)
  const bank = await act('POST /app/api/organizations', { body: { name: 'Bank' } }, 'organization.created', 'member.joined')
  const there = { organizationId: bank.id }
  await act('POST /app/api/session/organization', { body: there }, 'session.started')
  await act('POST /app/api/session/organization', { body: { organizationId: admin.caller.organizationId } }, 'session.started')

  // Links: the account is a member of two organizations, and both get a record
  const request = by({}).post('/app/api/password-reset/request', { email: admin.email })
  await step('POST /app/api/password-reset/request', request, 'password.reset_requested', 'password.reset_requested')
  const token = tokenIn(/\S+#\S+/.exec(emails.at(-1)!.text)![0])
  const chosen = by({}).post('/app/api/password-reset', { token, password: testPassword })
  await step('POST /app/api/password-reset', chosen, 'password.reset', 'password.reset', 'session.started')
  admin.session['querypost_session'] = answer!.cookies[0]!.value
  const welcome = await makeLink(service.services, { userId: admin.caller.userId, purpose: 'welcome' })
  const own = { token: welcome.token, name: 'Ada L.', password: testPassword, organizationName: 'Shop' }
  const finished = ['account.changed', 'account.changed', 'session.started'] as const
  await step('POST /app/api/welcome', by({}).post('/app/api/welcome', own), ...finished, 'organization.changed')
  admin.session['querypost_session'] = answer!.cookies[0]!.value

  // People
  await act('POST /app/api/invitations', { body: { email: 'bob@shop.test', role: 'member' } }, 'invitation.created')
  const acceptance = { token: tokenIn(answer!.json().url), name: 'Bob', password: testPassword }
  const accepted = by({}).post('/app/api/invitations/accept', acceptance)
  await step('POST /app/api/invitations/accept', accepted, 'member.joined', 'session.started')
  const bobs = Object.fromEntries(answer!.cookies.map(({ name, value }) => [name, value]))
  const bob = (await by(bobs).get('/app/api/session')).json().user.id as string
  await step('DELETE /app/api/session', by(bobs).delete('/app/api/session'), 'session.ended')
  await act('PATCH /app/api/members/:userId', { ids: [bob], body: { role: 'admin' } }, 'member.role_changed')
  await act('PATCH /app/api/members/:userId', { ids: [bob], body: { role: 'admin' } })

  // The second factor: the admin is a member of two organizations, and both get a record
  const second = '/app/api/account/second-factor'
  const twice = (action: AuditAction) => [action, action] as const
  const offered = (await admin.page('POST', `${second}/offer`, { password: testPassword })).json()
  const app = appWith(offered.key, service.clock)
  const nextCode = () => {
    service.clock.leap(60_000)
    return app.code()
  }
  await act(`POST ${second}`, { body: { offer: offered.offer, code: app.code() } }, ...twice('second_factor.turned_on'))
  const secrets = () => ({ body: { password: testPassword, code: nextCode() } })
  const renewed = await act(`POST ${second}/recovery-codes`, secrets(), ...twice('second_factor.recovery_codes_replaced'))
  const half = async (email: string) => {
    const pending = await by({}).post('/app/api/session', { email, password: testPassword })
    return by({ querypost_sign_in: pending.cookies[0]!.value })
  }
  const inSecondStep = await half('admin@shop.test')
  await step('POST /app/api/sign-in/code', inSecondStep.post('/app/api/sign-in/code', { code: nextCode() }), 'session.started')
  const recovered = inSecondStep.post('/app/api/sign-in/code', { code: renewed.recoveryCodes[0] })
  await step('POST /app/api/sign-in/code', recovered, ...twice('second_factor.recovery_code_used'), 'session.started')
  await act('PATCH /app/api/organization', { body: { secondFactorRequired: true } }, 'organization.changed')
  const settingUp = await half('bob@shop.test')
  const bobsOffer = (await settingUp.post('/app/api/sign-in/second-factor/offer')).json()
  const confirmed = { offer: bobsOffer.offer, code: appWith(bobsOffer.key, service.clock).code() }
  const setUp = settingUp.post('/app/api/sign-in/second-factor', confirmed)
  await step('POST /app/api/sign-in/second-factor', setUp, 'second_factor.turned_on', 'session.started')
  await act('DELETE /app/api/members/:userId/second-factor', { ids: [bob] }, 'second_factor.reset')
  await act('DELETE /app/api/members/:userId/second-factor', { ids: [bob] })
  await act('PATCH /app/api/organization', { body: { secondFactorRequired: false } }, 'organization.changed')
  await act(`POST ${second}/turn-off`, secrets(), ...twice('second_factor.turned_off'))

  await act('DELETE /app/api/members/:userId', { ids: [bob] }, 'member.removed')
  const eve = { email: 'eve@shop.test', role: 'admin' }
  const invitation = await act('POST /app/api/invitations', { body: eve }, 'invitation.created')
  await act('DELETE /app/api/invitations/:id', { ids: [invitation.id] }, 'invitation.withdrawn')
  const key = await act('POST /app/api/api-keys', { body: { name: 'Nightly' } }, 'api_key.created')
  await act('PATCH /app/api/api-keys/:id', { ids: [key.id], body: { name: 'Daily' } }, 'api_key.changed')
  await act('DELETE /app/api/api-keys/:id', { ids: [key.id] }, 'api_key.revoked')
  await act('PATCH /app/api/organization', { body: { name: 'Shop & Sons', webhooksEnabled: true } }, 'organization.changed')

  // Databases
  const file = { name: 'Twin', engine: 'duckdb', settings: { file: 'numbers.duckdb' } }
  const twin = await act('POST /app/api/databases', { body: file }, 'database.created')
  const folder = databaseFolder({ ...service.services, organizationId: admin.caller.organizationId })
  const bytes = await readFile(path.join(folder, 'numbers.duckdb'))
  await act('POST /app/api/databases/upload', { search: '?name=Sent', body: bytes }, 'database.created')
  await act('POST /app/api/databases/saved-queries', {}, 'database.created')
  await act('POST /app/api/databases/uploads', {}, 'database.created')
  await act('POST /app/api/databases/:id/test', { ids: [twin.id] }, 'database.tested')
  await act('PATCH /app/api/databases/:id', { ids: [twin.id], body: { name: 'Double' } }, 'database.changed')
  const table = { ids: [twin.id], search: '?name=pairs&format=csv', body: Buffer.from('a,b\n1,2\n') }
  await act('POST /app/api/databases/:id/tables', table, 'database.table_imported')
  const changed = '/app/api/databases/:id/tables/:schema/:table'
  await act(`PATCH ${changed}`, { ids: [twin.id, 'main', 'pairs'], body: { name: 'couples' } }, 'database.table_renamed')
  await act(`DELETE ${changed}`, { ids: [twin.id, 'main', 'couples'] }, 'database.table_deleted')
  await act('DELETE /app/api/databases/:id', { ids: [twin.id] }, 'database.deleted')

  // Queries and references
  const sql = { sql: 'select 1', analyticalDatabaseConfigId: shop.databaseId }
  const query = await act('POST /app/api/queries', { body: sql }, 'query.created')
  const { shortId } = await act('POST /app/api/references', { body: { queryId: query.id } }, 'reference.created')
  const edit = { title: 'One', sql: 'select 2' }
  await act('PATCH /app/api/references/:shortId', { ids: [shortId], body: edit }, 'query.created', 'reference.changed')
  await act('PATCH /app/api/references/:shortId', { ids: [shortId], body: edit })
  await act('PUT /app/api/references/:shortId/tags', { ids: [shortId], body: { tags: ['weekly'] } }, 'reference.changed')
  await act('PUT /app/api/references/:shortId/tags', { ids: [shortId], body: { tags: ['weekly'] } })
  await act('POST /app/api/references/:shortId/versions/:version/restore', { ids: [shortId, '1'] }, 'reference.changed')
  await act('POST /app/api/references/:shortId/versions/:version/restore', { ids: [shortId, '1'] })
  for (const actions of [['change_feed.changed'], []] as const) {
    await act('PATCH /app/api/references/:shortId/change-feed', { ids: [shortId], body: { publishesChanges: true } }, ...actions)
  }
  for (const actions of [['change_feed.changed'], []] as const) {
    await act('PATCH /api/references/:shortId', { ids: [shortId], body: { publishesChanges: false } }, ...actions)
  }
  const [reference] = (await statement<{ id: string }>`select id from query_references where short_id = ${shortId}`.execute(service.services.db)).rows
  await statement`
    insert into archive_objects (id, organization_id, content_hash, key_id, chain_length, chain_bytes, place, document_bytes, stored_bytes, written_at, created_at)
    values ('arc_a', ${admin.caller.organizationId}, 'hash', 'arc_a', 0, 0, 'files', 1, 1, now(), now())`.execute(service.services.db)
  await statement`
    insert into archived_results (reference_id, run_id, organization_id, query_id, parameter_values, parameter_types, at, row_count, size_bytes, result_hash, object_id)
    values (${reference!.id}, 'run_a', ${admin.caller.organizationId}, ${query.id}, '{}', '{}', now(), 1, 1, 'hash', 'arc_a')`.execute(service.services.db)
  for (const actions of [['result.pinned'], []] as const) await act('PUT /app/api/references/:shortId/results/:runId/pin', { ids: [shortId, 'run_a'] }, ...actions)
  for (const actions of [['result.unpinned'], []] as const) await act('DELETE /app/api/references/:shortId/results/:runId/pin', { ids: [shortId, 'run_a'] }, ...actions)
  for (const actions of [['result_history.changed'], []] as const) {
    await act('PATCH /app/api/references/:shortId/history-settings', { ids: [shortId], body: { days: 30 } }, ...actions)
    await act('PATCH /app/api/result-history', { body: { days: 60 } }, ...actions)
  }
  await act('DELETE /app/api/references/:shortId', { ids: [shortId] }, 'reference.deleted')
  await act('POST /app/api/references/:shortId/restore', { ids: [shortId] }, 'reference.restored')
  await act('POST /app/api/references/:shortId/restore', { ids: [shortId] })

  // Sharing
  const links = '/app/api/references/:shortId/public-links'
  const link = await act(`POST ${links}`, { ids: [shortId], body: {} }, 'public_link.created')
  await act('PATCH /app/api/public-links/:id', { ids: [link.id], body: { showsSql: true } }, 'public_link.changed')
  await act('PATCH /app/api/public-links/:id', { ids: [link.id], body: { showsSql: true } })
  await act('DELETE /app/api/public-links/:id', { ids: [link.id] }, 'public_link.revoked')
  await act('PUT /app/api/embedding/origins', { body: { origins: ['https://app.example.com'] } }, 'embedding.origins_changed')
  await act('PUT /app/api/embedding/origins', { body: { origins: ['https://app.example.com'] } })
  const secret = await act('POST /app/api/embed-secrets', { body: { name: 'Portal' } }, 'embed_secret.created')
  await act('POST /app/api/embed-secrets/:id/rotate', { ids: [secret.id], body: { overlapHours: 1 } }, 'embed_secret.rotated')
  await act('DELETE /app/api/embed-secrets/:id', { ids: [secret.id] }, 'embed_secret.revoked')
  const repository = await act('POST /app/api/git-repositories', { body: { name: 'analytics', url: 'https://git.example/' } }, 'git_repository.added')
  await act('POST /app/api/git-repositories/:id/rotate', { ids: [repository.id], body: { overlapHours: 1 } }, 'git_repository.secret_rotated')
  await act('DELETE /app/api/git-repositories/:id', { ids: [repository.id] }, 'git_repository.removed')

  const published = await act('POST /api/queries/refs', { body: { queryId: query.id } }, 'reference.created')
  await act('PUT /api/queries/refs/:shortId', { ids: [published.shortId], body: { title: 'Two' } }, 'reference.changed')
  await act('DELETE /api/queries/refs/:shortId', { ids: [published.shortId] }, 'reference.deleted')

  // Programs that write
  await act('POST /api/databases/:id/queries', { ids: [shop.databaseId], body: { sql: 'select 7' } }, 'query.created')
  const written = { title: 'Seven', sql: 'select 7', analyticalDatabaseConfigId: shop.databaseId }
  const saved = await act('POST /api/references', { body: written }, 'query.created', 'reference.created')
  await act('POST /api/references/batch', { body: { items: [{ ...written, title: 'One more' }] } }, 'query.created', 'reference.created')
  await act('PATCH /api/references/:shortId', { ids: [saved.shortId], body: { title: '7' } }, 'reference.changed')
  const weekly7 = { name: 'Seven', instructions: 'Tell.', references: [saved.shortId] }
  const made = await act('POST /api/automations', { body: weekly7 }, 'automation.created')
  await act('PATCH /api/automations/:id', { ids: [made.id], body: { name: '7' } }, 'automation.changed')
  await act('DELETE /api/automations/:id', { ids: [made.id] }, 'automation.deleted')
  await act('DELETE /api/references/:shortId', { ids: [saved.shortId] }, 'reference.deleted')
  const receiver = { url: 'https://hooks.example/7?token=secret', eventTypes: ['automation.run.failed'] }
  const receiving = await act('POST /api/webhook-endpoints', { body: receiver }, 'webhook_endpoint.created')
  await act('PATCH /api/webhook-endpoints/:id', { ids: [receiving.id], body: { description: '7' } }, 'webhook_endpoint.changed')
  await act('POST /api/webhook-endpoints/:id/rotate-secret', { ids: [receiving.id] }, 'webhook_endpoint.secret_rotated')
  await act('DELETE /api/webhook-endpoints/:id', { ids: [receiving.id] }, 'webhook_endpoint.deleted')
  const seven = { name: 'Seven', definition: { kind: 'sql', databaseId: shop.databaseId, sql: 'select 7' } }
  const manifest = { metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json' } }
  await act('POST /api/knowledge/dbt', { search: `?databaseId=${shop.databaseId}`, body: manifest }, 'knowledge.dbt_imported')
  const search = `?databaseId=${shop.databaseId}`
  await act('DELETE /api/knowledge/dbt', { search: `${search}&project=dbt` }, 'knowledge.dbt_deleted')
  await act('POST /app/api/knowledge/dbt', { search, body: manifest }, 'knowledge.dbt_imported')
  await act('DELETE /app/api/knowledge/dbt', { search: `${search}&project=dbt` }, 'knowledge.dbt_deleted')
  const metric7 = await act('POST /api/knowledge/metrics', { body: seven }, 'knowledge.changed')
  await act('PUT /api/knowledge/metrics/:id', { ids: [metric7.id], body: { ...seven, unit: '€' }, version: 1 }, 'knowledge.changed')
  await act('DELETE /api/knowledge/metrics/:id', { ids: [metric7.id] }, 'knowledge.deleted')
  const about7 = { text: 'Which number?', databaseId: shop.databaseId, expectedSql: 'select 7', expectedRows: null, isOrdered: false, tolerance: 0 }
  const set7 = await act('POST /api/question-sets', { body: { name: 'Seven', questions: [about7] } }, 'question_set.created')
  await act('PUT /api/question-sets/:id', { ids: [set7.id], body: { name: '7', questions: [about7] } }, 'question_set.changed')
  await act('DELETE /api/question-sets/:id', { ids: [set7.id] }, 'question_set.deleted')

  // Boards and folders
  for (const root of ['/api', '/app/api']) {
    const folder = await act(`POST ${root}/folders`, { body: { name: 'Finance' } }, 'folder.created')
    await act(`PATCH ${root}/folders/:id`, { ids: [folder.id], body: { name: 'Money' } }, 'folder.changed')
    await act(`PATCH ${root}/folders/:id`, { ids: [folder.id], body: { name: 'Money' } })
    await act(`DELETE ${root}/folders/:id`, { ids: [folder.id] }, 'folder.deleted')
    const board = await act(`POST ${root}/boards`, { body: { title: 'Revenue' } }, 'board.created')
    const costs = { ids: [board.shortId], body: { title: 'Costs' } }
    await act(`PATCH ${root}/boards/:shortId`, { ...costs, version: 1 }, 'board.changed')
    await act(`PATCH ${root}/boards/:shortId`, { ...costs, version: 2 })
    if (root === '/app/api') {
      await act(`POST ${root}/boards/:shortId/public-links`, { ids: [board.shortId], body: {} }, 'public_link.created')
      await act(`POST ${root}/boards/:shortId/versions/:version/restore`, { ids: [board.shortId, '2'] }, 'board.restored')
      await act(`POST ${root}/boards/:shortId/duplicate`, { ids: [board.shortId] }, 'board.created')
      await act(`PUT ${root}/boards/:shortId/tags`, { ids: [board.shortId], body: { tags: ['weekly'] } }, 'board.changed')
    }
    if (root === '/app/api') {
      const { comments } = (await admin.page('POST', `${root}/boards/${board.shortId}/comment-threads`, { text: 'Why?' })).json()
      await act(`DELETE ${root}/comments/:commentId`, { ids: [comments[0].id] }, 'comment.deleted')
    }
    const version = root === '/api' ? 2 : 3
    await act(`DELETE ${root}/boards/:shortId`, { ids: [board.shortId], version }, 'board.deleted')
  }
  const items = [{ kind: 'reference', shortId }]
  const weekly = { items: [{ ...items[0], add: ['monthly'], remove: [] }] }
  const pushed = { path: 'pushed/folder.yaml', id: null, expectedHash: null, content: { name: 'Pushed' } }
  await act('POST /api/project/apply', { body: { folders: [pushed] } }, 'folder.created')
  await act('POST /api/project/apply', { body: { folders: [{ ...pushed, content: { name: 'Tried' } }], isDryRun: true } })
  const marked = { kind: 'folder', path: 'marked', id: null, url: 'https://git.example/marked/folder.yaml' }
  const withMark = { folders: [{ ...pushed, path: 'marked', content: { name: 'Marked' } }], managed: [marked] }
  await act('POST /api/project/apply', { body: withMark }, 'folder.created', 'organization.managed_items_changed')
  const shelf = await act('POST /app/api/folders', { body: { name: 'Shelf' } }, 'folder.created')
  await act('POST /app/api/items/move', { body: { items: [{ ...items[0], folderId: shelf.id }] } }, 'reference.changed')
  await act('POST /app/api/items/move', { body: { items: [{ ...items[0], folderId: shelf.id }] } })
  await act('POST /app/api/items/tag', { body: weekly }, 'reference.changed')
  await act('POST /app/api/items/tag', { body: weekly })
  await act('POST /app/api/items/delete', { body: { items } }, 'reference.deleted')
  await act('POST /app/api/items/restore', { body: { items } }, 'reference.restored')
  const deleted = { kind: 'reference', shortId: published.shortId }
  await act('POST /app/api/items/remove', { body: { items: [deleted] } }, 'reference.removed')
  await act('POST /app/api/board-images', { body: Buffer.from('GIF89a') }, 'board_image.created')

  // Knowledge
  const mark = '/app/api/references/:shortId/verification'
  await act(`PUT ${mark}`, { ids: [shortId] }, 'reference.verified')
  await act(`PUT ${mark}`, { ids: [shortId] })
  await act(`DELETE ${mark}`, { ids: [shortId] }, 'reference.unverified')
  await act(`DELETE ${mark}`, { ids: [shortId] })
  const known = '/app/api/knowledge'
  const euros = { databaseId: null, text: 'Amounts are in euros.', version: 0 }
  await act(`PUT ${known}/instructions`, { body: euros }, 'knowledge.changed')
  await act(`PUT ${known}/instructions`, { body: { ...euros, version: 1 } })
  const revenue = { name: 'Revenue', definition: { kind: 'sql', databaseId: shop.databaseId, sql: 'select 1' } }
  const metric = await act(`POST ${known}/metrics`, { body: revenue }, 'knowledge.changed')
  const renamed = { ids: [metric.id], body: { ...revenue, name: 'Net revenue', version: 1 } }
  await act(`PUT ${known}/metrics/:id`, renamed, 'knowledge.changed')
  await act(`POST ${known}/items/:id/restore`, { ids: [metric.id], body: { number: 1 } }, 'knowledge.restored')
  await act(`DELETE ${known}/metrics/:id`, { ids: [metric.id] }, 'knowledge.deleted')
  await admin.page('GET', `/app/api/databases/${shop.databaseId}/tables`)
  const digits = { databaseId: shop.databaseId, schema: 'main', table: 'numbers' }
  const about = { ...digits, description: 'Digits', columns: { n: 'The digit' }, version: 0 }
  await act(`PUT ${known}/tables`, { body: about }, 'knowledge.changed')
  const target = { kind: 'table', ...digits, column: 'n' }
  const suggest = () => act(`POST ${known}/suggestions`, { body: { text: 'From 0.', target } }, 'knowledge.suggested')
  const suggestion = { ids: [(await suggest()).id], body: { text: 'From 0 to 9.', target } }
  await act(`POST ${known}/suggestions/:id/accept`, suggestion, 'knowledge.suggestion_accepted', 'knowledge.changed')
  await act(`POST ${known}/suggestions/:id/decline`, { ids: [(await suggest()).id] }, 'knowledge.suggestion_declined')

  // Groups and access
  const group = await act('POST /app/api/groups', { body: { name: 'Sales' } }, 'group.created')
  await act('PATCH /app/api/groups/:id', { ids: [group.id], body: { name: 'Sellers' } }, 'group.changed')
  await act('PATCH /app/api/groups/:id', { ids: [group.id], body: { name: 'Sellers' } })
  const levels = { levels: [{ groupId: group.id, level: 'manage' }] }
  await act('PUT /app/api/access/databases/:databaseId', { ids: [shop.databaseId], body: levels }, 'database.access_changed')
  await act('PUT /app/api/access/databases/:databaseId', { ids: [shop.databaseId], body: levels })
  const restricted = await act('POST /app/api/folders', { body: { name: 'Restricted' } }, 'folder.created')
  const viewing = { levels: [{ groupId: null, level: 'view' }] }
  await act('PUT /app/api/access/folders/:folderId', { ids: [restricted.id], body: viewing }, 'folder.access_changed')
  await act('DELETE /app/api/groups/:id', { ids: [group.id] }, 'group.deleted')
  const viewed = await shop.addPerson('member', 'viewed@shop.test')
  await newActions()
  await act('PUT /app/api/session/viewed-member', { body: { userId: viewed.caller.userId } }, 'member.view_started')
  await act('DELETE /app/api/session/viewed-member', {}, 'member.view_ended')
  const attributes = { attributes: { region: 'north' } }
  await act('PUT /app/api/access/members/:userId/attributes', { ids: [shop.admin.caller.userId], body: attributes }, 'member.attributes_changed')
  await act('PUT /app/api/access/members/:userId/attributes', { ids: [shop.admin.caller.userId], body: attributes })
  const rules = { rules: [{ attribute: 'region', kind: 'parameter', name: 'region', automationValue: null }] }
  const ruled = '/app/api/access/databases/:databaseId/row-rules'
  await act(`PUT ${ruled}`, { ids: [shop.databaseId], body: rules }, 'database.row_rules_changed')
  await act(`PUT ${ruled}`, { ids: [shop.databaseId], body: rules })
  await act(`PUT ${ruled}`, { ids: [shop.databaseId], body: { rules: [] } }, 'database.row_rules_changed')

  // Webhooks
  const hook = { url: 'https://hooks.example/a?token=secret', eventTypes: ['automation.run.failed'] }
  const endpoint = await act('POST /app/api/webhook-endpoints', { body: hook }, 'webhook_endpoint.created')
  const ids = [endpoint.id]
  const one = '/app/api/webhook-endpoints/:id'
  await act(`PATCH ${one}`, { ids, body: { description: 'Mine' } }, 'webhook_endpoint.changed')
  await act(`POST ${one}/test`, { ids }, 'webhook_endpoint.test_sent')
  const sample = { type: 'automation.run.failed', endpointId: endpoint.id }
  await act('POST /api/events/samples', { body: sample }, 'webhook_endpoint.test_sent')
  await act('POST /api/events/samples', { body: { type: 'automation.run.failed' } })
  await act(`POST ${one}/rotate-secret`, { ids }, 'webhook_endpoint.secret_rotated')
  await act(`POST ${one}/rotate-secret`, { ids })
  await act(`POST ${one}/rotate-secret`, { ids, body: { activate: true } }, 'webhook_endpoint.secret_activated')
  await act(`DELETE ${one}/next-secret`, { ids })
  await act(`POST ${one}/rotate-secret`, { ids }, 'webhook_endpoint.secret_rotated')
  await act(`DELETE ${one}/next-secret`, { ids }, 'webhook_endpoint.secret_cancelled')
  await act(`GET ${one}/secret`, { ids }, 'webhook_endpoint.secret_shown')
  await act(`POST ${one}/disable`, { ids }, 'webhook_endpoint.disabled')
  await act(`POST ${one}/disable`, { ids })
  const enabled = ['webhook_endpoint.enabled', 'webhook_endpoint.held_sent'] as const
  await act(`POST ${one}/enable`, { ids, body: { sendHeld: true } }, ...enabled)
  await act(`POST ${one}/send-held`, { ids }, 'webhook_endpoint.held_sent')
  const { deliveryIds } = await publish(service, shop, 'automation.run.failed')
  await settle(service, deliveryIds[0]!, 'exhausted')
  await act('POST /app/api/deliveries/:id/resend', { ids: [deliveryIds[0]!] }, 'delivery.resent')
  await act(`POST ${one}/replay`, { ids, body: { count: 10 } }, 'webhook_endpoint.replayed')
  await act(`DELETE ${one}`, { ids }, 'webhook_endpoint.deleted')

  // Automations and agents
  const automation = { name: 'Daily', instructions: 'Tell.', references: [shortId] }
  const { id } = await act('POST /app/api/automations', { body: automation }, 'automation.created')
  const paused = { name: 'Weekly', enabled: false }
  await act('PATCH /app/api/automations/:id', { ids: [id], body: paused }, 'automation.changed', 'automation.disabled')
  await act('PATCH /app/api/automations/:id', { ids: [id], body: { enabled: true } }, 'automation.enabled')
  const alert = { condition: { reference: shortId, kind: 'alert', tests: [{ kind: 'no_rows' }] } }
  await act('PATCH /app/api/automations/:id', { ids: [id], body: alert }, 'automation.changed')
  await act('POST /app/api/automations/:id/snooze', { ids: [id], body: { until: null } }, 'automation.snoozed')

  // Channels and reports
  const channel = await act('POST /app/api/channels', { body: { kind: 'teams', name: 'Sales', secret: 'https://teams.example/secret' } }, 'channel.created')
  const oneChannel = { ids: [channel.id] }
  await act('PATCH /app/api/channels/:id', { ...oneChannel, body: { name: 'Sales team' } }, 'channel.changed')
  await act('PATCH /app/api/channels/:id', { ...oneChannel, body: { name: 'Sales team' } })
  await act('PATCH /app/api/channels/:id', { ...oneChannel, body: { secret: 'https://teams.example/secret' } }, 'channel.changed')
  await act('PATCH /app/api/channels/:id', { ...oneChannel, body: { state: 'disabled' } }, 'channel.disabled')
  await act('PATCH /app/api/channels/:id', { ...oneChannel, body: { state: 'enabled' } }, 'channel.enabled')
  await act('POST /app/api/channels/:id/test', oneChannel, 'channel.test_sent')
  await act('DELETE /app/api/channels/:id', oneChannel, 'channel.deleted')
  const all = '/app/api/automations/:id/reports'
  const email = 'guest@example.com'
  const toGuest = { content: { kind: 'summary' }, target: { kind: 'email', recipients: [{ kind: 'address', email }] } }
  const report = await act(`POST ${all}`, { ids: [id], body: toGuest }, 'report.created')
  const reportIds = [id, report.id]
  await act(`PATCH ${all}/:reportId`, { ids: reportIds, body: { when: 'notable' } }, 'report.changed')
  await act(`PATCH ${all}/:reportId`, { ids: reportIds, body: { when: 'notable' } })
  await act(`POST ${all}/:reportId/test`, { ids: reportIds, body: { to: 'me' } }, 'report.test_sent')
  service.clock.leap(3600_000)
  await act(`POST ${all}/:reportId/confirmations`, { ids: reportIds, body: { email } }, 'report.confirmation_sent')
  const [delivery] = (await admin.page('GET', '/app/api/report-deliveries')).json().items
  await service.services.db.updateTable('report_deliveries').set({ state: 'failed', next_attempt_at: null }).execute()
  await act('POST /app/api/report-deliveries/:id/resend', { ids: [delivery.id] }, 'report.resent')
  await act('POST /app/api/report-deliveries/:id/resend', { ids: [delivery.id] })
  const { reportLinks } = service.services
  const { organizationId } = admin.caller
  const inEmails = '/app/api/report-links'
  const linked = (name: string, given: string) => by({}).post(`${inEmails}/${name}`, { token: given })
  const confirm = reportLinks.tokenOf({ kind: 'confirm', organizationId, email })
  await step(`POST ${inEmails}/confirm`, linked('confirm', confirm), 'report.address_confirmed')
  await step(`POST ${inEmails}/confirm`, linked('confirm', confirm))
  const leave = reportLinks.tokenOf({ kind: 'unsubscribe', organizationId, reportId: report.id, email })
  await step(`POST ${inEmails}/unsubscribe`, linked('unsubscribe', leave), 'report.unsubscribed')
  await step(`POST ${inEmails}/unsubscribe`, linked('unsubscribe', leave))
  await step(`POST ${inEmails}/resubscribe`, linked('resubscribe', leave), 'report.resubscribed')
  await act(`DELETE ${all}/:reportId`, { ids: reportIds }, 'report.deleted')

  await act('DELETE /app/api/automations/:id', { ids: [id] }, 'automation.deleted')
  const model = { provider: 'anthropic', model: 'large', apiKey: 'sk-secret-model-key' }
  await act('PUT /app/api/model-settings', { body: model }, 'model_settings.changed')
  await act('PUT /app/api/model-settings', { body: { ...model, apiKey: 'sk-secret-other-key' } }, 'model_settings.changed')
  const { shortId: chat } = (await admin.page('POST', '/app/api/chats', { text: 'How many?' })).json()
  await act('PATCH /app/api/chats/:shortId', { ids: [chat], body: { title: 'Orders' } }, 'chat.renamed')
  await act('PATCH /app/api/chats/:shortId', { ids: [chat], body: { title: 'Orders' } })
  await act('DELETE /app/api/chats/:shortId', { ids: [chat] }, 'chat.deleted')
  await act('DELETE /app/api/model-settings', {}, 'model_settings.deleted')
  const limit = { scope: 'person', period: 'day', unit: 'money', amount: 2.5 }
  const budget = { currency: 'EUR', limits: [limit], prices: [{ model: 'large', inputPrice: 3, outputPrice: 15 }] }
  await act('PUT /app/api/model-budget', { body: budget }, 'model_budget.changed')
  await act('PUT /app/api/model-budget', { body: budget })
  const question = { text: 'How many?', databaseId: shop.databaseId, expectedSql: 'select 1', expectedRows: null }
  const questions = { name: 'Checks', questions: [{ ...question, isOrdered: false, tolerance: 0 }] }
  const set = await act('POST /app/api/question-sets', { body: questions }, 'question_set.created')
  await act('PUT /app/api/question-sets/:id', { ids: [set.id], body: { ...questions, name: 'More' } }, 'question_set.changed')
  await act('PUT /app/api/question-sets/:id', { ids: [set.id], body: { ...questions, name: 'More' } })
  await act('DELETE /app/api/question-sets/:id', { ids: [set.id] }, 'question_set.deleted')
  const crm = { name: 'CRM', url: 'https://mcp.example/?token=secret', headers: { authorization: 'Bearer secret' } }
  const connector = await act('POST /app/api/data-connectors', { body: crm }, 'data_connector.created')
  const elsewhere = { ids: [connector.id], body: { headers: { 'x-key': 'secret' }, enabled: false } }
  await act('PATCH /app/api/data-connectors/:id', elsewhere, 'data_connector.changed')
  await act('DELETE /app/api/data-connectors/:id', { ids: [connector.id] }, 'data_connector.deleted')

  const rows = await service.services.db.selectFrom('audit_log').selectAll().execute()
  expect(JSON.stringify(rows.map(({ details, subject_name }) => [details, subject_name]))).not.toMatch(/secret"|token=|sk-/)
  expect(rows.filter(({ actor_kind }) => actor_kind === 'key').map(({ action }) => action).toSorted()).toEqual([
    'automation.changed',
    'automation.created',
    'automation.deleted',
    'board.changed',
    'board.created',
    'board.deleted',
    'change_feed.changed',
    'folder.changed',
    'folder.created',
    'folder.created',
    'folder.created',
    'folder.deleted',
    'knowledge.changed',
    'knowledge.changed',
    'knowledge.dbt_deleted',
    'knowledge.dbt_imported',
    'knowledge.deleted',
    'organization.managed_items_changed',
    'query.created',
    'query.created',
    'query.created',
    'question_set.changed',
    'question_set.created',
    'question_set.deleted',
    'reference.changed',
    'reference.changed',
    'reference.created',
    'reference.created',
    'reference.created',
    'reference.deleted',
    'reference.deleted',
    'webhook_endpoint.changed',
    'webhook_endpoint.created',
    'webhook_endpoint.deleted',
    'webhook_endpoint.secret_rotated',
    'webhook_endpoint.test_sent',
  ])
})

test('covers every write of /api and /app/api', () => {
  const writes = routes.filter((route) => /^\w+ \/(app\/)?api\//.test(route))
  const known = [...called, ...Object.keys(unrecorded)].filter((route) => !route.startsWith('GET'))
  expect([...new Set(writes)].toSorted()).toEqual(known.toSorted())
})
