import {
  addReportDelivery,
  createAutomation,
  createEndpoint,
  endOf,
  parameter,
  publish,
  storeQuery,
  storeReference,
  testChannel,
  type TestOrganization,
  type TestService,
} from '@querypost/server/testing/suites'
import type { SlotName } from './values.ts'

/** Part of every text of the other organization. A response that contains it leaks data of a stranger. */
export const canary = 'canary-of-another-organization'

export type Belongings = Record<SlotName, string>

export interface FuzzWorld {
  service: TestService
  own: Belongings
  other: Belongings
  /** Credentials as headers. */
  key(): Promise<Record<string, string>>
  session(): Promise<Record<string, string>>
  /** Signs in another person of the organization, after the key was revoked, the session ended or the person removed. */
  comeAnew(): Promise<void>
}

/** Creates one of everything that has an id. */
async function furnish(service: TestService, organization: TestOrganization, text: string): Promise<Belongings> {
  const { admin } = organization
  service.services.channels.kinds.teams = testChannel()
  const query = await storeQuery(organization, `select n, '${text}' as word from numbers where n < {{most}}`)
  const parameters = [parameter('most', 'number', '3')]
  const { shortId } = await storeReference(organization, query.id, { title: text, description: text, parameters })
  const run = await endOf(service, organization, admin.api('POST', `/api/queries/${query.id}/refresh`))
  const endpoint = await createEndpoint(organization, { description: text })
  const { deliveryIds } = await publish(service, organization)
  const automation = await createAutomation(organization, { references: [shortId], name: text, instructions: text })
  const asked = await admin.page('POST', `/app/api/automations/${automation.id}/runs`)
  const started = asked.json<{ id: string; chatShortId: string }>()
  const crm = { name: text, url: 'https://mcp.example/' }
  const connector = (await admin.page('POST', '/app/api/data-connectors', crm)).json<{ id: string }>()
  const invited = { email: `friend-of-${admin.email}`, role: 'member' }
  const invitation = (await admin.page('POST', '/app/api/invitations', invited)).json<{ id: string }>()
  const folder = (await admin.page('POST', '/app/api/folders', { name: 'Fuzzed' })).json<{ id: string }>()
  const tile = { kind: 'reference', referenceShortId: shortId, x: 0, y: 0, width: 6, height: 4 }
  const board = (await admin.page('POST', '/app/api/boards', { title: text, tiles: [tile] })).json<{ shortId: string; tiles: { id: string }[] }>()
  const threads = `/app/api/boards/${board.shortId}/comment-threads`
  const thread = (await admin.page('POST', threads, { text })).json<{ id: string; comments: { id: string }[] }>()
  const question = { text, databaseId: organization.databaseId, expectedSql: 'select 1', expectedRows: null, isOrdered: false, tolerance: 0 }
  const questionSet = (await admin.page('POST', '/app/api/question-sets', { name: 'Fuzzed', questions: [question] })).json<{ id: string }>()
  const definition = { kind: 'sql', databaseId: organization.databaseId, sql: 'select 1' }
  const metric = (await admin.page('POST', '/app/api/knowledge/metrics', { name: text, definition })).json<{ id: string }>()
  const link = (await admin.page('POST', `/app/api/boards/${board.shortId}/public-links`, {})).json<{ id: string }>()
  const secret = (await admin.page('POST', '/app/api/embed-secrets', { name: text })).json<{ id: string }>()
  const keys = (await admin.page('GET', '/app/api/api-keys')).json<{ items: { id: string }[] }>()
  const colleague = await organization.addPerson('member', `member-of-${admin.email}`)
  return {
    queryId: query.id,
    shortId,
    runId: run.id,
    databaseId: organization.databaseId,
    keyId: keys.items[0]!.id,
    userId: colleague.caller.userId,
    invitationId: invitation.id,
    endpointId: endpoint.id,
    deliveryId: deliveryIds[0]!,
    automationId: automation.id,
    automationRunId: started.id,
    chatShortId: started.chatShortId,
    connectorId: connector.id,
    organizationId: admin.caller.organizationId,
    boardShortId: board.shortId,
    folderId: folder.id,
    questionSetId: questionSet.id,
    tileId: board.tiles[0]!.id,
    threadId: thread.id,
    commentId: thread.comments[0]!.id,
    linkId: link.id,
    embedSecretId: secret.id,
    metricId: metric.id,
    ...(await addReportDelivery(service, organization, automation.id)),
  }
}

let other: { service: TestService; belongings: Belongings } | undefined

/** Creates a new organization with one of everything, and another like it. */
export async function makeWorld(service: TestService, name: string): Promise<FuzzWorld> {
  if (other?.service !== service) {
    other = { service, belongings: await furnish(service, await service.addOrganization('bank'), canary) }
  }
  const shop = await service.addOrganization(name)
  const own = await furnish(service, shop, 'ours')
  let person = shop.admin
  let comers = 0
  return {
    service,
    own,
    other: other.belongings,
    key: async () => ({ authorization: `Bearer ${person.apiKey}` }),
    session: async () => ({ cookie: Object.entries(person.session).map(([key, value]) => `${key}=${value}`).join('; ') }),
    async comeAnew() {
      person = await shop.addPerson('admin', `comer-${++comers}@${name}.test`)
    },
  }
}
