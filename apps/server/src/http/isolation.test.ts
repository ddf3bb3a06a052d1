import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { notify } from '../domain/notifications/notify.ts'
import {
  startTestService,
  type TestOrganization,
  testPassword,
  type TestPerson,
  type TestService,
} from '../../testing/test-service.ts'
import { ruleKindsOf, storeKinds } from '../../testing/store/test-store.ts'
import type { ErrorCode } from '../model/error-code.ts'
import { addReportDelivery, testChannel } from '../../testing/channels/test-channel.ts'
import { createAutomation } from '../../testing/http/automation-requests.ts'
import { setUpModel } from '../../testing/http/chat-requests.ts'
import { at, expectRefusal, storeQuery, storeReference, unknownShortId } from '../../testing/http/requests.ts'
import { createEndpoint, publish } from '../../testing/http/webhook-requests.ts'

/** The other organization's objects, by the name of their id in a route's path or body. */
interface Belongings {
  queryId: string
  shortId: string
  runId: string
  databaseId: string
  keyId: string
  organizationId: string
  /** A member who is not an admin. */
  userId: string
  invitationId: string
  sessionId: string
  endpointId: string
  deliveryId: string
  notificationId: string
  automationId: string
  automationRunId: string
  chatShortId: string
  connectorId: string
  questionSetId: string
  evaluationId: string
  metricId: string
  suggestionId: string
  deletedShortId: string
  boardShortId: string
  imageId: string
  folderId: string
  threadId: string
  commentId: string
  linkId: string
  embedSecretId: string
  repositoryId: string
  channelId: string
  reportId: string
  reportDeliveryId: string
  groupId: string
}

const toChannel = ({ channelId }: Pick<Belongings, 'channelId'>) => ({ content: { kind: 'summary' }, target: { kind: 'channel', channelId } })

const firstVersion = { 'if-match': '"1"' }

/** For routes that change many items at once. */
const foreignItems = (change: object, name: 'shortId' | 'deletedShortId' = 'shortId') => ({
  code: 'invalid_request' as const,
  path: '/items/0',
  body: (of: Belongings) => ({ items: [{ kind: 'reference', shortId: of[name], ...change }] }),
})

/**
 * Every route that takes an id, in its path or body, with the error for a caller of another organization. A route that is missing here
 * fails the first test below. `path`: the field of the body that the error names.
 */
const routesWithIds: Record<
  string,
  {
    code: ErrorCode
    body?: (of: Belongings) => object
    path?: string
    search?: string | ((of: Belongings) => string)
    headers?: Record<string, string>
  }
> = {
  'GET /api/queries/refs/:shortId': { code: 'reference_not_found' },
  'POST /api/queries/refs': { code: 'query_not_found', body: ({ queryId }) => ({ queryId }) },
  'PUT /api/queries/refs/:shortId': { code: 'reference_not_found', body: () => ({ title: 'taken' }) },
  'DELETE /api/queries/refs/:shortId': { code: 'reference_not_found' },
  'GET /api/queries/:queryId': { code: 'query_not_found' },
  'GET /api/queries/:queryId/result': { code: 'query_not_found' },
  'POST /api/queries/:queryId/refresh': { code: 'query_not_found' },
  'POST /api/automations/:id/runs': { code: 'automation_not_found' },
  'GET /api/automation-runs/:id': { code: 'automation_run_not_found' },
  'POST /api/chats': {
    code: 'database_not_found',
    body: ({ databaseId }) => ({ question: 'Why?', analyticalDatabaseConfigId: databaseId }),
  },
  'GET /api/chats/:shortId': { code: 'chat_not_found' },
  'GET /api/chats/:shortId/events': { code: 'chat_not_found' },
  'POST /api/chats/:shortId/messages': { code: 'chat_not_found', body: () => ({ question: 'Why?' }) },
  'GET /api/automation-runs/:id/proof': { code: 'automation_run_not_found' },
  'GET /api/runs/:runId/result': { code: 'run_not_found' },
  'GET /api/chats/:shortId/messages/:number/proof': { code: 'chat_not_found' },
  'POST /api/events/samples': {
    code: 'endpoint_not_found',
    body: ({ endpointId }) => ({ type: 'automation.run.failed', endpointId }),
  },
  'POST /api/boards': { code: 'folder_not_found', body: ({ folderId }) => ({ title: 'Taken', folderId }) },
  'GET /api/boards/:shortId': { code: 'board_not_found' },
  'GET /api/boards/:shortId/lineage': { code: 'board_not_found' },
  'PATCH /api/boards/:shortId': { code: 'board_not_found', body: () => ({ title: 'Savings' }), headers: firstVersion },
  'DELETE /api/boards/:shortId': { code: 'board_not_found', headers: firstVersion },
  'POST /api/boards/:shortId/refresh': { code: 'board_not_found' },
  'POST /api/boards/:shortId/results': { code: 'board_not_found' },
  'GET /api/boards/:shortId/image.png': { code: 'board_not_found' },
  'POST /api/folders': {
    code: 'invalid_request',
    path: '/parentId',
    body: ({ folderId }) => ({ name: 'taken', parentId: folderId }),
  },
  'PATCH /api/folders/:id': { code: 'folder_not_found', body: () => ({ name: 'Taken' }) },
  'DELETE /api/folders/:id': { code: 'folder_not_found' },
  'POST /app/api/boards': {
    code: 'invalid_request',
    path: '/tiles/0/referenceShortId',
    body: ({ shortId }) => ({
      title: 'Taken',
      tiles: [{ kind: 'reference', referenceShortId: shortId, x: 0, y: 0, width: 6, height: 4 }],
    }),
  },
  'GET /app/api/references/:shortId/marks': { code: 'reference_not_found' },
  'PUT /app/api/references/:shortId/favorite': { code: 'reference_not_found' },
  'DELETE /app/api/references/:shortId/favorite': { code: 'reference_not_found' },
  'POST /app/api/references/:shortId/views': { code: 'reference_not_found' },
  'PUT /app/api/references/:shortId/tags': { code: 'reference_not_found', body: () => ({ tags: ['taken'] }) },
  'GET /api/databases/:id': { code: 'database_not_found' },
  'POST /api/databases/:id/queries': { code: 'database_not_found', body: () => ({ sql: 'select 1' }) },
  'POST /api/references': {
    code: 'database_not_found',
    body: ({ databaseId }) => ({ title: 'taken', sql: 'select 1', analyticalDatabaseConfigId: databaseId }),
  },
  'POST /api/references/batch': {
    code: 'database_not_found',
    path: '/items/0',
    body: ({ databaseId }) => ({ items: [{ title: 'taken', sql: 'select 1', analyticalDatabaseConfigId: databaseId }] }),
  },
  'GET /api/references/:shortId': { code: 'reference_not_found' },
  'DELETE /api/references/:shortId': { code: 'reference_not_found' },
  'POST /api/automations': {
    code: 'reference_not_found',
    path: '/references/0',
    body: ({ shortId }) => ({ name: 'taken', instructions: 'Tell.', references: [shortId] }),
  },
  'GET /api/automations/:id': { code: 'automation_not_found' },
  'GET /api/automations/:id/lineage': { code: 'automation_not_found' },
  'PATCH /api/automations/:id': { code: 'automation_not_found', body: () => ({ name: 'taken' }) },
  'DELETE /api/automations/:id': { code: 'automation_not_found' },
  'GET /api/webhook-endpoints/:id': { code: 'endpoint_not_found' },
  'PATCH /api/webhook-endpoints/:id': { code: 'endpoint_not_found', body: () => ({ description: 'taken' }) },
  'DELETE /api/webhook-endpoints/:id': { code: 'endpoint_not_found' },
  'POST /api/webhook-endpoints/:id/rotate-secret': { code: 'endpoint_not_found' },
  'POST /api/knowledge/metrics': {
    code: 'database_not_found',
    body: ({ databaseId }) => ({ name: 'theirs too', definition: { kind: 'sql', databaseId, sql: 'select 1' } }),
  },
  'POST /api/project/apply': {
    code: 'reference_not_found',
    path: 'a.automation.yaml/references/0',
    body: ({ shortId }) => ({
      automations: [{ path: 'a.automation.yaml', id: null, expectedHash: null, content: { name: 'taken', instructions: 'Tell.', queries: [shortId] } }],
    }),
  },
  'POST /api/knowledge/dbt': {
    code: 'database_not_found',
    body: () => ({ metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json' } }),
    search: ({ databaseId }) => `?databaseId=${databaseId}`,
  },
  'DELETE /api/knowledge/dbt': { code: 'database_not_found', search: ({ databaseId }) => `?databaseId=${databaseId}&project=dbt` },
  'POST /app/api/knowledge/dbt': {
    code: 'database_not_found',
    body: () => ({ metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json' } }),
    search: ({ databaseId }) => `?databaseId=${databaseId}`,
  },
  'DELETE /app/api/knowledge/dbt': { code: 'database_not_found', search: ({ databaseId }) => `?databaseId=${databaseId}&project=dbt` },
  'GET /api/knowledge/metrics/:id': { code: 'knowledge_not_found' },
  'PUT /api/knowledge/metrics/:id': {
    code: 'knowledge_not_found',
    headers: firstVersion,
    body: ({ databaseId }) => ({ name: 'taken', definition: { kind: 'sql', databaseId, sql: 'select 1' } }),
  },
  'DELETE /api/knowledge/metrics/:id': { code: 'knowledge_not_found' },
  'POST /api/question-sets': {
    code: 'database_not_found',
    path: '/questions/0/databaseId',
    body: ({ databaseId }) => ({ name: 'Mine too', questions: [testQuestion(databaseId)] }),
  },
  'GET /api/question-sets/:id': { code: 'question_set_not_found' },
  'PUT /api/question-sets/:id': {
    code: 'question_set_not_found',
    body: ({ databaseId }) => ({ name: 'taken', questions: [testQuestion(databaseId)] }),
  },
  'DELETE /api/question-sets/:id': { code: 'question_set_not_found' },
  'GET /api/references/:shortId/results': { code: 'reference_not_found' },
  'GET /api/references/:shortId/lineage': { code: 'reference_not_found' },
  'GET /api/references/:shortId/results/:runId': { code: 'reference_not_found' },
  'GET /api/references/:shortId/compare': { code: 'reference_not_found', search: ({ runId }) => `?from=${runId}&to=${runId}` },
  'GET /api/references/:shortId/why': { code: 'reference_not_found', search: ({ runId }) => `?from=${runId}&to=${runId}` },
  'GET /app/api/references/:shortId/past': { code: 'reference_not_found', search: () => '?at=2026-03-01T08:00Z' },
  'GET /app/api/boards/:shortId/past-results': { code: 'board_not_found', search: () => '?at=2026-03-01T08:00Z' },
  'GET /app/api/references/:shortId/why': { code: 'reference_not_found', search: ({ runId }) => `?from=${runId}&to=${runId}` },
  'GET /app/api/references/:shortId/compare': { code: 'reference_not_found', search: ({ runId }) => `?from=${runId}&to=${runId}` },
  'GET /app/api/references/:shortId/results': { code: 'reference_not_found' },
  'GET /app/api/references/:shortId/lineage': { code: 'reference_not_found' },
  'GET /app/api/references/:shortId/results/:runId': { code: 'reference_not_found' },
  'PUT /app/api/references/:shortId/results/:runId/pin': { code: 'reference_not_found' },
  'DELETE /app/api/references/:shortId/results/:runId/pin': { code: 'reference_not_found' },
  'PATCH /api/references/:shortId': { code: 'reference_not_found', body: () => ({ publishesChanges: true }) },
  'GET /api/references/:shortId/changes': { code: 'reference_not_found' },
  'GET /api/references/:shortId/changes/:number/rows': { code: 'reference_not_found' },
  'GET /api/references/:shortId/changes/:number/patch': { code: 'reference_not_found' },
  'GET /app/api/references/:shortId/change-feed': { code: 'reference_not_found' },
  'PATCH /app/api/references/:shortId/change-feed': { code: 'reference_not_found', body: () => ({ publishesChanges: true }) },
  'POST /app/api/references/:shortId/history-fill': { code: 'reference_not_found', body: () => ({ parameter: 'day', days: 1 }) },
  'DELETE /app/api/references/:shortId/history-fill': { code: 'reference_not_found' },
  'GET /app/api/references/:shortId/history-settings': { code: 'reference_not_found' },
  'PATCH /app/api/references/:shortId/history-settings': { code: 'reference_not_found', body: () => ({ days: 1 }) },
  'GET /app/api/references/:shortId/versions': { code: 'reference_not_found' },
  'GET /app/api/references/:shortId/versions/:version': { code: 'reference_not_found' },
  'POST /app/api/references/:shortId/versions/:version/restore': { code: 'reference_not_found' },
  'POST /app/api/items/move': foreignItems({ folderId: null }),
  'POST /app/api/items/tag': foreignItems({ add: ['taken'], remove: [] }),
  'POST /app/api/items/delete': { ...foreignItems({}), search: '?evenIfUsed=true' },
  'POST /app/api/items/restore': foreignItems({}),
  'POST /app/api/items/remove': foreignItems({}, 'deletedShortId'),
  'GET /app/api/references/:shortId/comment-threads': { code: 'reference_not_found' },
  'GET /app/api/references/:shortId/comment-counts': { code: 'reference_not_found' },
  'POST /app/api/references/:shortId/comment-threads': { code: 'reference_not_found', body: () => ({ text: 'Taken' }) },
  'GET /app/api/boards/:shortId/comment-threads': { code: 'board_not_found' },
  'GET /app/api/boards/:shortId/comment-counts': { code: 'board_not_found' },
  'POST /app/api/boards/:shortId/comment-threads': { code: 'board_not_found', body: () => ({ text: 'Taken' }) },
  'GET /app/api/comment-threads/:threadId': { code: 'comment_thread_not_found' },
  'PATCH /app/api/comment-threads/:threadId': { code: 'comment_thread_not_found', body: () => ({ isResolved: true }) },
  'POST /app/api/comment-threads/:threadId/comments': { code: 'comment_thread_not_found', body: () => ({ text: 'Taken' }) },
  'PATCH /app/api/comments/:commentId': { code: 'comment_not_found', body: () => ({ text: 'Taken' }) },
  'DELETE /app/api/comments/:commentId': { code: 'comment_not_found' },
  'GET /app/api/boards/:shortId/marks': { code: 'board_not_found' },
  'PUT /app/api/boards/:shortId/favorite': { code: 'board_not_found' },
  'DELETE /app/api/boards/:shortId/favorite': { code: 'board_not_found' },
  'POST /app/api/boards/:shortId/views': { code: 'board_not_found' },
  'PUT /app/api/boards/:shortId/tags': { code: 'board_not_found', body: () => ({ tags: ['taken'] }) },
  'GET /app/api/boards/:shortId': { code: 'board_not_found' },
  'GET /app/api/boards/:shortId/lineage': { code: 'board_not_found' },
  'GET /app/api/boards/:shortId/public-links': { code: 'board_not_found' },
  'POST /app/api/boards/:shortId/public-links': { code: 'board_not_found', body: () => ({}) },
  'GET /app/api/references/:shortId/public-links': { code: 'reference_not_found' },
  'POST /app/api/references/:shortId/public-links': { code: 'reference_not_found', body: () => ({}) },
  'PATCH /app/api/public-links/:id': { code: 'public_link_not_found', body: () => ({ showsSql: true }) },
  'DELETE /app/api/public-links/:id': { code: 'public_link_not_found' },
  'POST /app/api/embed-secrets/:id/rotate': { code: 'embed_secret_not_found', body: () => ({ overlapHours: 1 }) },
  'DELETE /app/api/embed-secrets/:id': { code: 'embed_secret_not_found' },
  'POST /app/api/git-repositories/:id/rotate': { code: 'git_repository_not_found', body: () => ({ overlapHours: 1 }) },
  'DELETE /app/api/git-repositories/:id': { code: 'git_repository_not_found' },
  'PATCH /app/api/boards/:shortId': { code: 'board_not_found', body: () => ({ title: 'Savings' }), headers: firstVersion },
  'DELETE /app/api/boards/:shortId': { code: 'board_not_found', headers: firstVersion },
  'POST /app/api/boards/:shortId/duplicate': { code: 'board_not_found' },
  'GET /app/api/boards/:shortId/export': { code: 'board_not_found' },
  'GET /app/api/boards/:shortId/versions': { code: 'board_not_found' },
  'GET /app/api/boards/:shortId/versions/:version': { code: 'board_not_found' },
  'POST /app/api/boards/:shortId/versions/:version/restore': { code: 'board_not_found', headers: firstVersion },
  'POST /app/api/boards/:shortId/results': { code: 'board_not_found' },
  'POST /app/api/boards/:shortId/short-results': { code: 'board_not_found', body: () => ({ tiles: [{ tileId: 'tile-1', maxRows: 1000 }] }) },
  'POST /app/api/boards/:shortId/refresh': { code: 'board_not_found' },
  'GET /app/api/board-images/:id': { code: 'board_image_not_found' },
  'POST /app/api/folders': {
    code: 'invalid_request',
    path: '/parentId',
    body: ({ folderId }) => ({ name: 'Taken too', parentId: folderId }),
  },
  'PATCH /app/api/folders/:id': { code: 'folder_not_found', body: () => ({ name: 'Taken' }) },
  'DELETE /app/api/folders/:id': { code: 'folder_not_found' },
  'GET /api/question-sets/:id/evaluations': { code: 'question_set_not_found' },
  'POST /api/question-sets/:id/evaluations': { code: 'question_set_not_found' },
  'GET /api/evaluations/:id': { code: 'evaluation_not_found' },
  'GET /api/evaluations/:id/comparison': { code: 'evaluation_not_found', search: ({ evaluationId }) => `?with=${evaluationId}` },
  'PATCH /app/api/api-keys/:id': { code: 'api_key_not_found', body: () => ({ name: 'Taken' }) },
  'DELETE /app/api/api-keys/:id': { code: 'api_key_not_found' },
  'POST /app/api/session/organization': {
    code: 'organization_not_found',
    body: ({ organizationId }) => ({ organizationId }),
  },
  'DELETE /app/api/account/sessions/:id': { code: 'session_not_found' },
  'DELETE /app/api/invitations/:id': { code: 'invitation_not_found' },
  'PATCH /app/api/members/:userId': { code: 'member_not_found', body: () => ({ role: 'member' }) },
  'DELETE /app/api/members/:userId/second-factor': { code: 'member_not_found' },
  'DELETE /app/api/members/:userId': { code: 'member_not_found' },
  'PATCH /app/api/groups/:id': { code: 'group_not_found', body: () => ({ name: 'Taken' }) },
  'DELETE /app/api/groups/:id': { code: 'group_not_found' },
  'PUT /app/api/access/databases/:databaseId': { code: 'database_not_found', body: () => ({ levels: [] }) },
  'PUT /app/api/access/databases/:databaseId/row-rules': { code: 'database_not_found', body: () => ({ rules: [] }) },
  'PUT /app/api/access/members/:userId/attributes': { code: 'member_not_found', body: () => ({ attributes: {} }) },
  'PUT /app/api/access/folders/:folderId': { code: 'folder_not_found', body: () => ({ levels: [] }) },
  'POST /app/api/databases/:id/test': { code: 'database_not_found' },
  'GET /app/api/databases/:id': { code: 'database_not_found' },
  'PATCH /app/api/databases/:id': { code: 'database_not_found', body: () => ({ name: 'taken' }) },
  'DELETE /app/api/databases/:id': { code: 'database_not_found' },
  'GET /app/api/databases/:id/tables': { code: 'database_not_found' },
  'POST /app/api/databases/:id/estimate': { code: 'database_not_found', body: () => ({ sql: 'select 1' }) },
  'GET /app/api/databases/:id/users': { code: 'database_not_found', search: '?schema=main&table=numbers' },
  'GET /api/databases/:id/users': { code: 'database_not_found', search: '?schema=main&table=numbers' },
  'GET /app/api/databases/:id/tables/:schema/:table/preview': { code: 'database_not_found' },
  'PATCH /app/api/databases/:id/tables/:schema/:table': { code: 'database_not_found', body: () => ({ name: 'numbers' }) },
  'DELETE /app/api/databases/:id/tables/:schema/:table': { code: 'database_not_found' },
  'POST /app/api/databases/:id/tables/preview': {
    code: 'database_not_found',
    search: '?format=csv',
    body: () => Buffer.from('a,b\n1,2\n'),
  },
  'POST /app/api/databases/:id/tables': {
    code: 'database_not_found',
    search: '?name=taken&format=csv',
    body: () => Buffer.from('a,b\n1,2\n'),
  },
  'POST /app/api/queries': {
    code: 'database_not_found',
    body: ({ databaseId }) => ({ sql: 'select 1', analyticalDatabaseConfigId: databaseId }),
  },
  'GET /app/api/queries/:queryId': { code: 'query_not_found' },
  'GET /app/api/queries/:queryId/result': { code: 'query_not_found' },
  'GET /app/api/queries/:queryId/runs': { code: 'query_not_found' },
  'POST /app/api/queries/:queryId/runs': { code: 'query_not_found' },
  'POST /app/api/references': { code: 'query_not_found', body: ({ queryId }) => ({ queryId }) },
  'GET /app/api/references/:shortId': { code: 'reference_not_found' },
  'PATCH /app/api/references/:shortId': {
    code: 'reference_not_found',
    body: () => ({ title: 'taken', sql: 'select 2', parameters: [], visualization: null }),
  },
  'PUT /app/api/references/:shortId/verification': { code: 'reference_not_found' },
  'DELETE /app/api/references/:shortId/verification': { code: 'reference_not_found' },
  'DELETE /app/api/references/:shortId': { code: 'reference_not_found' },
  'POST /app/api/references/:shortId/restore': { code: 'reference_not_found' },
  'GET /app/api/references/:shortId/options': { code: 'reference_not_found', search: '?valueColumn=n' },
  'POST /app/api/references/:shortId/runs': { code: 'reference_not_found' },
  'GET /app/api/runs/:runId': { code: 'run_not_found' },
  'POST /app/api/runs/:runId/cancel': { code: 'run_not_found' },
  'GET /app/api/runs/:runId/result': { code: 'run_not_found' },
  'GET /app/api/webhook-endpoints/:id': { code: 'endpoint_not_found' },
  'GET /app/api/webhook-endpoints/:id/series': { code: 'endpoint_not_found' },
  'PATCH /app/api/webhook-endpoints/:id': {
    code: 'endpoint_not_found',
    body: () => ({ url: 'https://taken.example/', description: 'taken', eventTypes: ['automation.run.failed'] }),
  },
  'POST /app/api/webhook-endpoints/:id/test': { code: 'endpoint_not_found' },
  'GET /app/api/webhook-endpoints/:id/secret': { code: 'endpoint_not_found' },
  'POST /app/api/webhook-endpoints/:id/rotate-secret': { code: 'endpoint_not_found' },
  'DELETE /app/api/webhook-endpoints/:id/next-secret': { code: 'endpoint_not_found' },
  'GET /app/api/webhook-endpoints/:id/deliveries': { code: 'endpoint_not_found' },
  'POST /app/api/webhook-endpoints/:id/replay/count': { code: 'endpoint_not_found' },
  'POST /app/api/webhook-endpoints/:id/replay': { code: 'endpoint_not_found', body: () => ({ count: 100 }) },
  'GET /app/api/deliveries/:id': { code: 'delivery_not_found' },
  'POST /app/api/deliveries/:id/resend': { code: 'delivery_not_found' },
  'POST /app/api/webhook-endpoints/:id/send-held': { code: 'endpoint_not_found' },
  'POST /app/api/webhook-endpoints/:id/disable': { code: 'endpoint_not_found' },
  'POST /app/api/webhook-endpoints/:id/enable': { code: 'endpoint_not_found', body: () => ({ sendHeld: true }) },
  'DELETE /app/api/webhook-endpoints/:id': { code: 'endpoint_not_found' },
  'PATCH /app/api/data-connectors/:id': {
    code: 'data_connector_not_found',
    body: () => ({ name: 'taken', url: 'https://taken.example/', headers: {}, enabled: false }),
  },
  'POST /app/api/data-connectors/:id/test': { code: 'data_connector_not_found' },
  'DELETE /app/api/data-connectors/:id': { code: 'data_connector_not_found' },
  'GET /app/api/question-sets/:id': { code: 'question_set_not_found' },
  'PUT /app/api/question-sets/:id': {
    code: 'question_set_not_found',
    body: ({ databaseId }) => ({ name: 'taken', questions: [testQuestion(databaseId)] }),
  },
  'DELETE /app/api/question-sets/:id': { code: 'question_set_not_found' },
  'POST /app/api/question-sets': {
    code: 'database_not_found',
    path: '/questions/0/databaseId',
    body: ({ databaseId }) => ({ name: 'Mine', questions: [testQuestion(databaseId)] }),
  },
  'GET /app/api/question-sets/:id/evaluations': { code: 'question_set_not_found' },
  'POST /app/api/question-sets/:id/evaluations': { code: 'question_set_not_found' },
  'GET /app/api/question-sets/:id/baseline': { code: 'question_set_not_found' },
  'GET /app/api/evaluations/:id': { code: 'evaluation_not_found' },
  'POST /app/api/evaluations/:id/stop': { code: 'evaluation_not_found' },
  'GET /app/api/evaluations/:id/comparison': { code: 'evaluation_not_found', search: ({ evaluationId }) => `?with=${evaluationId}` },
  'PUT /app/api/knowledge/instructions': {
    code: 'database_not_found',
    body: ({ databaseId }) => ({ databaseId, text: 'taken', version: 0 }),
  },
  'PUT /app/api/knowledge/metrics/:id': {
    code: 'knowledge_not_found',
    body: ({ databaseId }) => ({ name: 'taken', definition: { kind: 'sql', databaseId, sql: 'select 1' }, version: 1 }),
  },
  'POST /app/api/knowledge/metrics': {
    code: 'database_not_found',
    body: ({ databaseId }) => ({ name: 'theirs', definition: { kind: 'sql', databaseId, sql: 'select 1' } }),
  },
  'DELETE /app/api/knowledge/metrics/:id': { code: 'knowledge_not_found' },
  'PUT /app/api/knowledge/tables': {
    code: 'database_not_found',
    body: ({ databaseId }) => ({ databaseId, schema: 'main', table: 'numbers', description: 'taken', columns: {}, version: 0 }),
  },
  'POST /app/api/knowledge/suggestions': {
    code: 'chat_not_found',
    body: ({ chatShortId }) => ({
      text: 'taken',
      target: { kind: 'instructions', databaseId: null },
      chat: { shortId: chatShortId, messageNumber: 1 },
    }),
  },
  'POST /app/api/knowledge/suggestions/:id/accept': {
    code: 'knowledge_not_found',
    body: () => ({ text: 'taken', target: { kind: 'instructions', databaseId: null } }),
  },
  'POST /app/api/knowledge/suggestions/:id/decline': { code: 'knowledge_not_found' },
  'POST /app/api/knowledge/items/:id/restore': { code: 'knowledge_not_found', body: () => ({ number: 1 }) },
  'POST /app/api/automations': {
    code: 'reference_not_found',
    path: '/references/0',
    body: ({ shortId }) => ({ name: 'Taken', instructions: 'Tell me.', references: [shortId] }),
  },
  'GET /app/api/automations/:id': { code: 'automation_not_found' },
  'GET /app/api/automations/:id/lineage': { code: 'automation_not_found' },
  'PATCH /app/api/automations/:id': { code: 'automation_not_found', body: () => ({ name: 'taken', enabled: false }) },
  'POST /app/api/automations/backtest': {
    code: 'reference_not_found',
    body: ({ shortId }) => ({ condition: { reference: shortId, kind: 'alert', tests: [{ kind: 'no_rows' }] } }),
  },
  'POST /app/api/automations/digest-backtest': { code: 'reference_not_found', body: ({ shortId }) => ({ references: [shortId] }) },
  'GET /app/api/automations/:id/model-backtest': { code: 'automation_not_found' },
  'POST /app/api/automations/:id/model-backtest': { code: 'automation_not_found', body: () => ({ at: '2026-01-05T09:00:00.000Z' }) },
  'POST /app/api/automations/:id/snooze': { code: 'automation_not_found', body: () => ({ until: null }) },
  'GET /app/api/automations/:id/alert-changes': { code: 'automation_not_found' },
  'GET /app/api/automations/:id/runs': { code: 'automation_not_found' },
  'POST /app/api/automations/:id/runs': { code: 'automation_not_found' },
  'PATCH /app/api/channels/:id': { code: 'channel_not_found', body: () => ({ name: 'taken', state: 'disabled' }) },
  'DELETE /app/api/channels/:id': { code: 'channel_not_found' },
  'POST /app/api/channels/:id/test': { code: 'channel_not_found' },
  'GET /app/api/channels/:id/conversations': { code: 'channel_not_found' },
  'GET /app/api/channels/:id/slack-connection': { code: 'channel_not_found' },
  'GET /app/api/automations/:id/reports': { code: 'automation_not_found' },
  'POST /app/api/automations/:id/reports': { code: 'automation_not_found', body: toChannel },
  'POST /app/api/automations/:id/reports/preview': { code: 'automation_not_found', body: toChannel },
  'PATCH /app/api/automations/:id/reports/:reportId': { code: 'automation_not_found', body: () => ({ isEnabled: false }) },
  'DELETE /app/api/automations/:id/reports/:reportId': { code: 'automation_not_found' },
  'POST /app/api/automations/:id/reports/:reportId/test': { code: 'automation_not_found', body: () => ({ to: 'channel' }) },
  'POST /app/api/automations/:id/reports/:reportId/confirmations': {
    code: 'automation_not_found',
    body: () => ({ email: 'guest@example.com' }),
  },
  'DELETE /app/api/automations/:id': { code: 'automation_not_found' },
  'GET /app/api/report-deliveries/:id': { code: 'report_delivery_not_found' },
  'POST /app/api/report-deliveries/:id/resend': { code: 'report_delivery_not_found' },
  'GET /app/api/automation-runs/:id': { code: 'automation_run_not_found' },
  'POST /app/api/automation-runs/:id/stop': { code: 'automation_run_not_found' },
  'GET /app/api/chats/:shortId': { code: 'chat_not_found' },
  'GET /app/api/chats/:shortId/events': { code: 'chat_not_found' },
  'POST /app/api/chats/:shortId/messages': { code: 'chat_not_found', body: () => ({ text: 'Why?' }) },
  'POST /app/api/chats/:shortId/stop': { code: 'chat_not_found' },
  'GET /app/api/chats/:shortId/messages': { code: 'chat_not_found', search: '?before=1' },
  'PATCH /app/api/chats/:shortId': { code: 'chat_not_found', body: () => ({ title: 'taken' }) },
  'PUT /app/api/chats/:shortId/messages/:number/feedback': { code: 'chat_not_found', body: () => ({ isHelpful: false }) },
  'DELETE /app/api/chats/:shortId/messages/:number/feedback': { code: 'chat_not_found' },
  'DELETE /app/api/chats/:shortId': { code: 'chat_not_found' },
  'POST /app/api/chats': { code: 'database_not_found', body: ({ databaseId }) => ({ text: 'Why?', databaseId }) },
}

const testQuestion = (databaseId: string) => ({
  text: 'How many numbers are there?',
  databaseId,
  expectedSql: 'select count(*) from numbers',
  expectedRows: null,
  isOrdered: false,
  tolerance: 0,
})

/** Public routes among those below /api and /app/api or with path parameters. They expose no data of an organization. */
const openRoutes = [
  'GET /api/openapi.json',
  'GET /*',
  'GET /b/:shortId',
  'GET /q/:shortId',
  'GET /q/:shortId/edit',
  'GET /q/:shortId/results',
  'GET /q/:shortId/lineage',
  'GET /queries/:queryId',
  'GET /chats/:shortId',
  'GET /databases/:id',
  'GET /databases/:id/users',
  'GET /knowledge/:part',
  'GET /automations/:id',
  'GET /runs/:runId',
  'GET /evaluations/:id',
  'GET /evaluations/sets/:id',
  'GET /folders/:id',
  'GET /settings/webhooks/:id',
  'GET /s/:token',
  'GET /embed/:shortId',
  'POST /public/api/links/:token/unlock',
  'GET /assets/:name',
  'GET /app/email-frame',
  'GET /reports/unsubscribe/:token',
  'GET /docs/*',
  'POST /app/api/session',
  'GET /app/api/sign-in-options',
  'GET /app/api/sign-in/second-step',
  'POST /app/api/sign-in/code',
  'POST /app/api/sign-in/second-factor',
  'POST /app/api/sign-in/second-factor/offer',
  'GET /app/api/oidc/start',
  'GET /app/api/oidc/callback',
  'POST /app/api/welcome',
  'POST /app/api/welcome/read',
  'POST /app/api/password-reset',
  'POST /app/api/password-reset/read',
  'POST /app/api/password-reset/request',
  'POST /app/api/invitations/read',
  'POST /app/api/invitations/accept',
  'POST /app/api/report-links/read',
  'GET /app/api/report-links/files/:token',
  'POST /app/api/report-links/confirm',
  'POST /app/api/report-links/unsubscribe',
  'POST /app/api/report-links/resubscribe',
  'POST /reports/unsubscribe/:token',
  'POST /slack/events/:channelId',
  'POST /git/:id/push',
]

/** For viewers with a public link or an embedding token: `http/routes/shared` tests what they show, and to whom. */
const viewerRoutes = ['/public/api/links/:token', '/public/api/embed/:shortId'].flatMap((item) => [
  `GET ${item}`,
  `POST ${item}/results`,
  `POST ${item}/refresh`,
  `GET ${item}/download`,
  `GET ${item}/tiles/:tileId/result`,
  `GET ${item}/tiles/:tileId/download`,
  `GET ${item}/tiles/:tileId/image`,
])

/** Images: without a session of the organization, they do not exist. */
const imageRoutes = ['GET /q/:shortId/chart.png']

/** Uses another protocol: `http/routes/mcp-routes.test.ts` checks each tool in the same way. */
const protocolRoutes = ['GET /mcp', 'POST /mcp', 'DELETE /mcp']

/** Routes that need a caller and take no id. */
const ownRoutes = [
  'GET /app/api/result-history',
  'GET /app/api/storage',
  'PATCH /app/api/result-history',
  'GET /app/api/result-history/use',
  'GET /api/me',
  'GET /api/databases',
  'GET /api/references',
  'GET /api/automations',
  'GET /api/webhook-endpoints',
  'POST /api/webhook-endpoints',
  'GET /api/knowledge/metrics',
  'GET /api/project',
  'GET /api/knowledge/dbt',
  'GET /app/api/knowledge/dbt',
  'GET /api/events/stream',
  'GET /api/question-sets',
  'GET /api/queries',
  'GET /api/queries/refs',
  'GET /api/chats',
  'GET /api/boards',
  'GET /api/folders',
  'GET /app/api/boards',
  'POST /app/api/boards/draft',
  'POST /app/api/board-images',
  'GET /app/api/folders',
  'GET /app/api/managed-items',
  'GET /app/api/trash',
  'GET /app/api/session',
  'DELETE /app/api/session',
  'PUT /app/api/session/viewed-member',
  'DELETE /app/api/session/viewed-member',
  'GET /app/api/account',
  'PATCH /app/api/account',
  'POST /app/api/account/password',
  'GET /app/api/account/sessions',
  'GET /app/api/account/second-factor',
  'POST /app/api/account/second-factor',
  'POST /app/api/account/second-factor/offer',
  'POST /app/api/account/second-factor/recovery-codes',
  'POST /app/api/account/second-factor/turn-off',
  'GET /app/api/members',
  'GET /app/api/groups',
  'POST /app/api/groups',
  'GET /app/api/access',
  'GET /app/api/access/attributes',
  'GET /app/api/invitations',
  'POST /app/api/invitations',
  'POST /app/api/organizations',
  'GET /app/api/api-keys',
  'POST /app/api/api-keys',
  'GET /app/api/api-key-groups',
  'GET /app/api/databases',
  'POST /app/api/databases',
  'POST /app/api/databases/saved-queries',
  'POST /app/api/databases/upload',
  'POST /app/api/databases/uploads',
  'POST /app/api/databases/test',
  'GET /app/api/queries',
  'GET /app/api/references',
  'GET /app/api/references/best',
  'GET /app/api/favorites',
  'GET /app/api/recently-viewed',
  'GET /app/api/tags',
  'GET /app/api/search',
  'GET /app/api/runs',
  'GET /app/api/organization',
  'GET /app/api/public-links',
  'GET /app/api/embedding',
  'PUT /app/api/embedding/origins',
  'POST /app/api/embed-secrets',
  'GET /app/api/git-repositories',
  'POST /app/api/git-repositories',
  'PATCH /app/api/organization',
  'GET /app/api/notifications',
  'POST /app/api/notifications/read',
  'GET /app/api/notifications/events',
  'GET /app/api/notifications/settings',
  'PATCH /app/api/notifications/settings',
  'POST /app/api/notifications/test-email',
  'GET /app/api/webhook-endpoints',
  'POST /app/api/webhook-endpoints',
  'POST /app/api/webhook-endpoints/check',
  'GET /app/api/data-connectors',
  'POST /app/api/data-connectors',
  'GET /app/api/knowledge/instructions',
  'GET /app/api/knowledge/metrics',
  'GET /app/api/knowledge/verified-queries',
  'GET /app/api/knowledge/tables',
  'GET /app/api/knowledge/suggestions',
  'GET /app/api/knowledge/history',
  'GET /app/api/model-settings',
  'PUT /app/api/model-settings',
  'DELETE /app/api/model-settings',
  'POST /app/api/model-settings/test',
  'GET /app/api/question-sets',
  'GET /app/api/model-budget',
  'PUT /app/api/model-budget',
  'GET /app/api/model-usage',
  'GET /app/api/automations',
  'GET /app/api/channels',
  'POST /app/api/channels',
  'GET /app/api/report-deliveries',
  'GET /app/api/recipient-groups',
  'GET /app/api/audit-log',
  'GET /app/api/audit-log/actions',
  'GET /app/api/audit-log/export',
  'GET /app/api/audit-log/key-use',
  'GET /app/api/chats',
  'GET /app/api/chat-feedback',
  'POST /app/api/schedules/preview',
]

/** Which id `:id` is. */
const idsByPlace = [
  ['/api-keys/', 'keyId'],
  ['/account/sessions/', 'sessionId'],
  ['/invitations/', 'invitationId'],
  ['/webhook-endpoints/', 'endpointId'],
  ['/deliveries/', 'deliveryId'],
  ['/report-deliveries/', 'reportDeliveryId'],
  ['/channels/', 'channelId'],
  ['/groups/', 'groupId'],
  ['/automations/', 'automationId'],
  ['/automation-runs/', 'automationRunId'],
  ['/data-connectors/', 'connectorId'],
  ['/question-sets/', 'questionSetId'],
  ['/evaluations/', 'evaluationId'],
  ['/board-images/', 'imageId'],
  ['/app/api/public-links/', 'linkId'],
  ['/embed-secrets/', 'embedSecretId'],
  ['/git-repositories/', 'repositoryId'],
  ['/folders/', 'folderId'],
  ['/knowledge/metrics/', 'metricId'],
  ['/knowledge/items/', 'metricId'],
  ['/knowledge/suggestions/', 'suggestionId'],
] as const

/** Routes for admins only. */
const isForAdmins = (route: string) =>
  [
    // If the request names an endpoint.
    'POST /api/events/samples',
    'POST /app/api/databases',
    'POST /app/api/databases/upload',
    // Unless an admin has allowed uploads by members.
    'POST /app/api/databases/uploads',
    'POST /app/api/databases/test',
    'POST /app/api/databases/:id/test',
    'POST /app/api/databases/:id/tables',
    'POST /app/api/databases/:id/tables/preview',
    'PATCH /app/api/databases/:id/tables/:schema/:table',
    'DELETE /app/api/databases/:id/tables/:schema/:table',
    'PATCH /app/api/databases/:id',
    'DELETE /app/api/databases/:id',
    'PATCH /app/api/organization',
    'PATCH /app/api/result-history',
    'GET /app/api/storage',
    'POST /app/api/organizations',
    'GET /app/api/invitations',
    'POST /app/api/invitations',
    'DELETE /app/api/invitations/:id',
    'PATCH /app/api/members/:userId',
    'DELETE /app/api/members/:userId',
    'DELETE /app/api/members/:userId/second-factor',
    'POST /app/api/data-connectors',
    'PATCH /app/api/data-connectors/:id',
    'DELETE /app/api/data-connectors/:id',
    'POST /app/api/data-connectors/:id/test',
    'POST /app/api/items/remove',
    'PUT /app/api/references/:shortId/verification',
    'DELETE /app/api/references/:shortId/verification',
    'PUT /app/api/knowledge/instructions',
    'POST /api/knowledge/metrics',
    'POST /api/knowledge/dbt',
    'DELETE /api/knowledge/dbt',
    'POST /app/api/knowledge/dbt',
    'DELETE /app/api/knowledge/dbt',
    'PUT /api/knowledge/metrics/:id',
    'DELETE /api/knowledge/metrics/:id',
    'POST /api/question-sets',
    'PUT /api/question-sets/:id',
    'DELETE /api/question-sets/:id',
    'POST /app/api/knowledge/metrics',
    'PUT /app/api/knowledge/metrics/:id',
    'DELETE /app/api/knowledge/metrics/:id',
    'PUT /app/api/knowledge/tables',
    'POST /app/api/knowledge/suggestions/:id/accept',
    'POST /app/api/knowledge/suggestions/:id/decline',
    'POST /app/api/knowledge/items/:id/restore',
    'PUT /app/api/model-settings',
    'DELETE /app/api/model-settings',
    'POST /app/api/model-settings/test',
    'PUT /app/api/model-budget',
    'POST /app/api/question-sets',
    'PUT /app/api/question-sets/:id',
    'DELETE /app/api/question-sets/:id',
    'POST /app/api/question-sets/:id/evaluations',
    'POST /api/question-sets/:id/evaluations',
    'POST /app/api/evaluations/:id/stop',
    'POST /app/api/notifications/test-email',
    'GET /app/api/chat-feedback',
    'GET /app/api/public-links',
    'PUT /app/api/session/viewed-member',
    'POST /app/api/channels',
    'PATCH /app/api/channels/:id',
    'DELETE /app/api/channels/:id',
    'GET /app/api/channels/:id/slack-connection',
    'POST /app/api/channels/:id/test',
  ].includes(route) || /\/(webhook-endpoints|deliveries|audit-log|embedding|embed-secrets|git-repositories|groups|access)\b/.test(route)

/** Routes about things that no database or folder belongs to. */
const isAboutNothingHidden = (route: string) =>
  [
    'POST /app/api/session/organization',
    'GET /app/api/channels/:id/conversations',
    'GET /app/api/board-images/:id',
  ].includes(route)

const isForThoseWhoSeeEverything = (route: string) => /^DELETE \/(app\/)?api\/folders\/|^POST \/api\/project\/apply$/.test(route)

/** Valid bodies, so that these requests get as far as the permission check. */
const validBodies: Record<string, object> = {
  'POST /app/api/items/remove': { items: [{ kind: 'board', shortId: unknownShortId }] },
  'PUT /app/api/embedding/origins': { origins: [] },
  'POST /app/api/embed-secrets': { name: 'Portal' },
  'POST /app/api/git-repositories': { name: 'Mine', url: 'https://git.example/' },
  'POST /app/api/databases': { name: 'Mine', engine: 'duckdb', settings: { file: 'numbers.duckdb' } },
  'POST /app/api/databases/test': { engine: 'postgres', settings: { host: 'db.example', database: 'shop', user: 'reader' } },
  'PATCH /app/api/organization': { webhooksEnabled: false },
  'PATCH /app/api/result-history': { days: 30 },
  'POST /app/api/organizations': { name: 'Mine' },
  'POST /app/api/groups': { name: 'Mine' },
  'PUT /app/api/session/viewed-member': { userId: 'user_none' },
  'POST /app/api/invitations': { email: 'friend@shop.test', role: 'admin' },
  'POST /app/api/data-connectors': { name: 'Mine', url: 'https://mcp.example/' },
  'POST /app/api/channels': { kind: 'teams', name: 'Mine', secret: 'https://teams.example/mine' },
  'PUT /app/api/model-settings': { provider: 'anthropic', model: 'mine' },
  'PUT /app/api/model-budget': { currency: null, limits: [], prices: [] },
  'POST /api/webhook-endpoints': { url: 'https://hooks.example/', eventTypes: ['automation.run.failed'] },
  'POST /app/api/webhook-endpoints': { url: 'https://hooks.example/', eventTypes: ['automation.run.failed'] },
  'POST /app/api/webhook-endpoints/check': { url: 'https://hooks.example/' },
}

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
const split = (route: string) => route.split(' ') as [Method, string]

describe.each(storeKinds)('organizations on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let bank: TestOrganization
  let bankIds: Belongings
  const routes: string[] = []

  beforeAll(async () => {
    const collect = (message: unknown) => {
      const { fastify } = message as { fastify: FastifyInstance }
      fastify.addHook('onRoute', ({ method, url }) => {
        routes.push(...[method].flat().filter((each) => each !== 'HEAD').map((each) => `${each} ${url}`))
      })
    }
    subscribe('fastify.initialization', collect)
    service = await startTestService(kind, { worker: false })
    unsubscribe('fastify.initialization', collect)
    service.services.channels.kinds.teams = testChannel()
    shop = await service.addOrganization('shop')
    bank = await service.addOrganization('bank')
    const query = await storeQuery(bank, 'select 1')
    const { shortId } = await storeReference(bank, query.id)
    const run = (await bank.admin.api('POST', `/api/queries/${query.id}/refresh`)).json()
    const { items } = (await bank.admin.page('GET', '/app/api/api-keys')).json()
    const endpoint = await createEndpoint(bank)
    const { deliveryIds } = await publish(service, bank)
    const { clock, random, db } = service.services
    const notification = { kind: 'endpoint_failing', message: 'It fails.', link: '/settings/webhooks' } as const
    await db.transaction().execute((tx) => notify({ tx, clock, random }, { ...bank.admin.caller, ...notification }))
    const connector = await bank.admin.page('POST', '/app/api/data-connectors', { name: 'CRM', url: 'https://mcp.example/' })
    const automation = await createAutomation(bank, { references: [shortId] })
    const automationRun = (await bank.admin.page('POST', `/app/api/automations/${automation.id}/runs`)).json()
    const { channelId, reportId, reportDeliveryId } = await addReportDelivery(service, bank, automation.id)
    await setUpModel(service, bank)
    const questionSet = { name: 'Checks', questions: [testQuestion(bank.databaseId)] }
    const questionSetId = (await bank.admin.page('POST', '/app/api/question-sets', questionSet)).json().id
    const evaluation = (await bank.admin.page('POST', `/app/api/question-sets/${questionSetId}/evaluations`)).json()
    const definition = { kind: 'sql', databaseId: bank.databaseId, sql: 'select 1' }
    const metric = (await bank.admin.page('POST', '/app/api/knowledge/metrics', { name: 'Savings', definition })).json()
    const suggested = { text: 'In francs.', target: { kind: 'instructions', databaseId: null } }
    const suggestion = (await bank.admin.page('POST', '/app/api/knowledge/suggestions', suggested)).json()
    await bank.admin.page('GET', `/app/api/databases/${bank.databaseId}/tables`)
    const folder = (await bank.admin.page('POST', '/app/api/folders', { name: 'Vault' })).json()
    const deleted = await storeReference(bank, query.id)
    await bank.admin.page('DELETE', `/app/api/references/${deleted.shortId}`)
    const board = (await bank.admin.page('POST', '/app/api/boards', { title: 'Savings', folderId: folder.id })).json()
    const group = (await bank.admin.page('POST', '/app/api/groups', { name: 'Tellers' })).json()
    const image = (await bank.admin.page('POST', '/app/api/board-images', Buffer.from('GIF89a'))).json()
    const commented = { text: 'Secret interest' }
    const thread = (await bank.admin.page('POST', `/app/api/boards/${board.shortId}/comment-threads`, commented)).json()
    const link = (await bank.admin.page('POST', `/app/api/boards/${board.shortId}/public-links`, {})).json()
    const embedSecret = (await bank.admin.page('POST', '/app/api/embed-secrets', { name: 'Portal' })).json()
    const repository = (await bank.admin.page('POST', '/app/api/git-repositories', { name: 'analytics', url: 'https://git.example/' })).json()
    const colleague = await bank.addPerson('member', 'member@bank.test')
    const invited = { email: 'friend@bank.test', role: 'member' }
    const invitation = (await bank.admin.page('POST', '/app/api/invitations', invited)).json()
    const credentials = { email: bank.admin.email, password: testPassword }
    await service.app.inject({ method: 'POST', url: '/app/api/session', payload: credentials })
    const sessions = (await bank.admin.page('GET', '/app/api/account/sessions')).json()
    const notifications = (await bank.admin.page('GET', '/app/api/notifications')).json()
    bankIds = {
      queryId: query.id,
      shortId,
      runId: run.id,
      databaseId: bank.databaseId,
      keyId: items[0].id,
      organizationId: bank.admin.caller.organizationId,
      userId: colleague.caller.userId,
      invitationId: invitation.id,
      sessionId: sessions.items.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent).id,
      endpointId: endpoint.id,
      deliveryId: deliveryIds[0]!,
      notificationId: notifications.items[0].id,
      automationId: automation.id,
      automationRunId: automationRun.id,
      chatShortId: automationRun.chatShortId,
      connectorId: connector.json().id,
      questionSetId,
      evaluationId: evaluation.id,
      metricId: metric.id,
      suggestionId: suggestion.id,
      deletedShortId: deleted.shortId,
      boardShortId: board.shortId,
      imageId: image.id,
      folderId: folder.id,
      threadId: thread.id,
      commentId: thread.comments[0].id,
      linkId: link.id,
      embedSecretId: embedSecret.id,
      repositoryId: repository.id,
      channelId,
      reportId,
      reportDeliveryId,
      groupId: group.id,
    }
  })
  afterAll(() => service.stop())

  function call(person: TestPerson, route: string, body?: object) {
    const [method, url] = split(route)
    const id = bankIds[idsByPlace.find(([place]) => url.includes(place))?.[1] ?? 'databaseId']
    const places = { schema: 'main', table: 'numbers', number: '1', version: '1' }
    const { chatShortId, boardShortId } = bankIds
    const shortId = url.includes('/chats/') ? chatShortId : url.includes('/boards/') ? boardShortId : bankIds.shortId
    const names = { ...bankIds, id, ...places, shortId }
    const path = url.replace(/:(\w+)/g, (_, name) => names[name as keyof typeof names])
    const search = routesWithIds[route]?.search ?? ''
    const address = `${path}${typeof search === 'string' ? search : search(bankIds)}`
    const headers = routesWithIds[route]?.headers
    return address.startsWith('/app/') ? person.page(method, address, body, headers) : person.api(method, address, body, headers)
  }

  /** An event stream does not end while the caller may listen, so only the headers are read. */
  const callAllowed = (person: TestPerson, route: string, body?: object) =>
    route === 'GET /api/events/stream'
      ? // The stream would never end; an unknown event type is rejected only for those who may listen.
        person.api('GET', '/api/events/stream?type=odd')
      : call(person, route.endsWith('/events') ? route.replace('GET', 'HEAD') : route, body)

  /** All data of an organization, except when its key was last used. */
  async function stateOf(organization: TestOrganization) {
    const { admin } = organization
    const answers = await Promise.all([
      admin.page('GET', '/app/api/queries?limit=100'),
      admin.page('GET', '/app/api/references?limit=100'),
      admin.page('GET', '/app/api/boards'),
      admin.page('GET', '/app/api/folders'),
      admin.page('GET', '/app/api/trash'),
      admin.page('GET', '/app/api/databases'),
      admin.page('GET', '/app/api/organization'),
      admin.page('GET', '/app/api/public-links'),
      admin.page('GET', '/app/api/embedding'),
      admin.page('GET', '/app/api/git-repositories'),
      admin.page('GET', '/app/api/members'),
      admin.page('GET', '/app/api/groups'),
      admin.page('GET', '/app/api/recipient-groups'),
      admin.page('GET', '/app/api/invitations'),
      admin.page('GET', '/app/api/notifications'),
      admin.page('GET', '/app/api/webhook-endpoints'),
      admin.page('GET', '/app/api/data-connectors'),
      admin.page('GET', '/app/api/model-settings'),
      admin.page('GET', '/app/api/model-budget'),
      admin.page('GET', '/app/api/question-sets'),
      admin.page('GET', '/app/api/automations'),
      admin.page('GET', '/app/api/channels'),
      admin.page('GET', '/app/api/report-deliveries'),
      admin.page('GET', '/app/api/chats'),
      admin.page('GET', '/app/api/chat-feedback'),
      admin.page('GET', '/app/api/knowledge/instructions'),
      admin.page('GET', '/app/api/knowledge/metrics'),
      admin.page('GET', '/app/api/knowledge/verified-queries'),
      admin.page('GET', '/app/api/knowledge/tables'),
      admin.page('GET', '/app/api/knowledge/suggestions'),
      admin.page('GET', '/app/api/knowledge/history'),
      ...(organization === bank
        ? [
            admin.page('GET', `/app/api/references/${bankIds.shortId}`),
            admin.page('GET', `/app/api/runs/${bankIds.runId}`),
            admin.page('GET', `/app/api/queries/${bankIds.queryId}/runs`),
            admin.page('GET', `/app/api/webhook-endpoints/${bankIds.endpointId}/secret`),
            admin.page('GET', `/app/api/webhook-endpoints/${bankIds.endpointId}/deliveries`),
            admin.page('GET', `/app/api/deliveries/${bankIds.deliveryId}`),
            admin.page('GET', `/app/api/automations/${bankIds.automationId}/runs`),
            admin.page('GET', `/app/api/automations/${bankIds.automationId}/reports`),
            admin.api('GET', `/api/automation-runs/${bankIds.automationRunId}`),
            admin.page('GET', `/app/api/chats/${bankIds.chatShortId}`),
            admin.page('GET', `/app/api/evaluations/${bankIds.evaluationId}`),
            admin.page('GET', `/app/api/boards/${bankIds.boardShortId}/versions`),
            admin.page('GET', `/app/api/comment-threads/${bankIds.threadId}`),
          ]
        : []),
      admin.api('GET', '/api/me'),
    ])
    const keys = (await admin.page('GET', '/app/api/api-keys')).json().items.map(({ id }: { id: string }) => id)
    return [...answers.map((answer) => [answer.statusCode, answer.json()]), keys]
  }

  test('covers every route that could expose data of an organization', () => {
    const known = [...Object.keys(routesWithIds), ...openRoutes, ...viewerRoutes, ...imageRoutes, ...protocolRoutes, ...ownRoutes]
    const concerned = routes.filter((route) => /^\w+ \/(api|app|mcp)\b|:|\*/.test(route))
    expect(concerned.toSorted()).toEqual(known.toSorted())
    const publicRoutes = new Set([...openRoutes, ...viewerRoutes, ...imageRoutes])
    for (const route of routes.filter((each) => each.includes(':') && !publicRoutes.has(each))) {
      expect(Object.keys(routesWithIds)).toContain(route)
    }
  })

  test('objects of one organization do not exist for another and stay unchanged', async () => {
    const before = [await stateOf(bank), await stateOf(shop)]
    for (const [route, { code, body, path }] of Object.entries(routesWithIds)) {
      const answer = await call(shop.admin, route, body?.(bankIds))
      expect(answer.json(), route).toMatchObject({ code })
      expectRefusal(answer, code, path === undefined ? {} : at(path))
    }
    expect([await stateOf(bank), await stateOf(shop)]).toEqual(before)
  })

  test.each(ruleKindsOf(kind))('things that are hidden from a member do not exist for that member and stay unchanged', async () => {
    const outsider = await bank.addPerson('member', 'outsider@bank.test')
    const everyone = (level: string) => ({ levels: [{ groupId: null, level }] })
    await bank.admin.page('PUT', `/app/api/access/databases/${bankIds.databaseId}`, everyone('none'))
    await bank.admin.page('PUT', `/app/api/access/folders/${bankIds.folderId}`, everyone('none'))
    const before = await stateOf(bank)
    const wrong: string[] = []
    for (const [route, { code, body, path }] of Object.entries(routesWithIds)) {
      if (isAboutNothingHidden(route)) continue
      const answer = await call(outsider, route, body?.(bankIds))
      const isRefused = isForAdmins(route) || isForThoseWhoSeeEverything(route)
      const expected = isRefused ? 'forbidden' : code
      if (answer.statusCode < 400 || answer.json().code !== expected) wrong.push(`${route}: ${answer.body}`)
      else expectRefusal(answer, expected, path === undefined || isRefused ? {} : at(path))
    }
    expect(wrong).toEqual([])
    expect(await stateOf(bank)).toEqual(before)
    for (const subject of [`databases/${bankIds.databaseId}`, `folders/${bankIds.folderId}`]) {
      await bank.admin.page('PUT', `/app/api/access/${subject}`, { levels: [] })
    }
  })

  test('reading notifications of one organization leaves those of the other unread', async () => {
    const before = [await stateOf(bank), await stateOf(shop)]
    const answer = await shop.admin.page('POST', '/app/api/notifications/read', { ids: [bankIds.notificationId] })
    expect(answer.statusCode).toBe(200)
    expect([await stateOf(bank), await stateOf(shop)]).toEqual(before)
  })

  test.each(imageRoutes)('%s is available only to its owner', async (route) => {
    const url = split(route)[1].replace(':shortId', bankIds.shortId)
    for (const headers of [{}, { authorization: `Bearer ${bank.admin.apiKey}` }, { cookie: 'querypost_session=nonsense' }]) {
      expectRefusal(await service.app.inject({ url, headers }), 'reference_not_found')
    }
    expectRefusal(await shop.admin.page('GET', url), 'reference_not_found')
    expect((await bank.admin.page('GET', url)).statusCode).toBe(200)
  })

  test('the owner can use each of these routes', async () => {
    // Ensures that the test above does not pass because of a wrong URL. Destructive routes come last.
    const order = Object.keys(routesWithIds).toSorted((a, b) => Number(a.startsWith('DELETE')) - Number(b.startsWith('DELETE')))
    for (const route of order.filter((each) => !each.startsWith('DELETE /api'))) {
      const answer = await callAllowed(bank.admin, route, routesWithIds[route]!.body?.(bankIds))
      const isJson = String(answer.headers['content-type']).startsWith('application/json')
      const { code } = isJson ? answer.json<{ code?: string }>() : {}
      const busy = ['query', 'automation', 'evaluation'].map((noun) => `${noun}_already_running`)
      busy.push('run_already_ended', 'evaluation_already_ended', 'chat_already_answering', 'database_in_use', 'knowledge_changed', 'version_conflict', 'folder_name_taken', 'folder_not_empty')
      busy.push('alert_not_set_up', 'automation_without_model', 'channel_in_use', 'reference_in_use', 'channel_not_slack', 'report_address_not_found', 'result_not_kept', 'history_fill_not_possible')
      const expected = [undefined, ...busy, 'change_not_found', 'result_not_available', 'model_not_configured', 'message_not_found', 'proof_not_found']
      expect(expected, route).toContain(code)
    }
  })

  // No statement of a route runs here, so one kind of store is enough.
  test.each(ruleKindsOf(kind))('without credentials every route except public ones returns 401', async () => {
    for (const route of [...Object.keys(routesWithIds), ...ownRoutes]) {
      const [method, url] = split(route)
      for (const headers of [{}, { cookie: 'querypost_session=nonsense', authorization: 'Bearer nonsense' }]) {
        expectRefusal(await service.app.inject({ method, url, headers }), 'unauthenticated')
      }
    }
  })

  test('an API key works only for /api, a session only for /app/api', async () => {
    const headers = { authorization: `Bearer ${shop.admin.apiKey}` }
    expectRefusal(await service.app.inject({ url: '/app/api/session', headers }), 'unauthenticated')
    expectRefusal(await shop.admin.page('GET', '/api/me'), 'unauthenticated')
  })

  test('members can use every route except those for admins', async () => {
    const member = await shop.addPerson('member', 'member@shop.test')
    expectRefusal(await member.page('POST', '/app/api/databases/upload?name=mine', {}), 'forbidden')
    expectRefusal(await member.page('POST', `/app/api/databases/${shop.databaseId}/test`), 'forbidden')

    for (const route of [...Object.keys(routesWithIds), ...ownRoutes]) {
      if (route === 'DELETE /app/api/session' || route === 'POST /app/api/databases/upload') continue
      const answer = await callAllowed(member, route, routesWithIds[route]?.body?.(bankIds) ?? validBodies[route])
      if (isForAdmins(route)) {
        expectRefusal(answer, 'forbidden', { message: /admin/ })
        continue
      }
      expect(answer.statusCode, route).not.toBe(403)
      expect(answer.statusCode, route).not.toBe(401)
    }
    const query = await storeQuery({ ...shop, admin: member }, 'select 1')
    expect((await member.api('POST', '/api/queries/refs', { queryId: query.id })).statusCode).toBe(201)
    expect((await member.api('POST', `/api/queries/${query.id}/refresh`)).statusCode).toBe(202)
    expect((await member.page('GET', `/app/api/databases/${shop.databaseId}/tables`)).statusCode).toBe(200)
  })
})
