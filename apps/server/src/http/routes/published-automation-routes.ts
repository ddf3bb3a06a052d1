import { Type } from 'typebox'
import {
  automationVersion,
  createAutomation,
  deleteAutomation,
  editAutomation,
  getAutomation,
  listPublishedAutomations,
} from '../../domain/automations/automations.ts'
import type { AgentServices } from '../../domain/services.ts'
import type { AutomationInFull } from '../../model/automation.ts'
import { callerOf } from '../authenticate.ts'
import { OptionalIfMatch, readBasedOn, versioned, withEtag } from '../if-match.ts'
import { presentAutomation } from '../present-automation.ts'
import { responses } from '../responses.ts'
import { PageQuery, pageOf, published, unnamed } from '../schemas.ts'
import { Automation, AutomationChange, NewAutomation } from '../schemas/automation-schemas.ts'
import type { Api } from '../typed.ts'

const tags = ['Automations']
const Params = Type.Object({
  id: Type.String({ description: 'The automation’s id, shown on its page.', examples: ['automation_8d2r'] }),
})
const PublishedAutomation = versioned(
  published(Automation, 'Automation', 'Has an agent report on queries, on a schedule or on a condition.'),
)
const GivenAutomation = unnamed(published(NewAutomation, 'NewAutomation', 'An automation to create.'))
const GivenChange = unnamed(published(AutomationChange, 'AutomationChange', 'The fields to change.'))

/** Automations for programs that write. Not part of the retired API. */
export function publishedAutomationRoutes(api: Api, services: AgentServices): void {
  const present = (automation: AutomationInFull) => ({ ...presentAutomation(automation, services), version: automationVersion(automation) })

  api.get(
    '/api/automations',
    {
      config: { scope: 'read:automations' },
      schema: {
        operationId: 'automations.list',
        tags,
        summary: 'List automations, newest first',
        description: 'Lists the organization’s automations, page by page. All pages show the list and every field as of the first page.',
        querystring: PageQuery,
        response: responses(200, pageOf('AutomationPage', PublishedAutomation), ['cursor_invalid', 'cursor_expired']),
      },
    },
    async (request) => {
      const page = await listPublishedAutomations(services, callerOf(request), request.query)
      return { ...page, items: page.items.map(present) }
    },
  )

  api.post(
    '/api/automations',
    {
      config: { scope: 'write:automations' },
      schema: {
        operationId: 'automations.create',
        tags,
        summary: 'Create an automation',
        description:
          'Creates an automation that runs on a schedule, on a condition, or only when it is started. `agent` is `digest` by default, which needs no model.',
        body: GivenAutomation,
        response: responses(201, PublishedAutomation, ['reference_not_found', 'model_not_configured', 'body_too_large']),
      },
    },
    async (request, reply) =>
      reply.code(201).send(withEtag(reply, present(await createAutomation(services, callerOf(request), request.body)))),
  )

  api.get(
    '/api/automations/:id',
    {
      config: { scope: 'read:automations' },
      schema: {
        operationId: 'automations.get',
        tags,
        summary: 'Retrieve an automation',
        description: 'Returns the automation with its next due time and its latest run.',
        params: Params,
        response: responses(200, PublishedAutomation, ['automation_not_found']),
      },
    },
    async (request, reply) => withEtag(reply, present(await getAutomation(services, callerOf(request), request.params.id))),
  )

  api.patch(
    '/api/automations/:id',
    {
      config: { scope: 'write:automations' },
      schema: {
        operationId: 'automations.update',
        tags,
        summary: 'Change an automation',
        description: 'Changes only the given fields. A null `schedule` or `condition` is removed.',
        params: Params,
        headers: OptionalIfMatch,
        body: GivenChange,
        response: responses(200, PublishedAutomation, [
          'automation_not_found',
          'reference_not_found',
          'model_not_configured',
          'managed_by_files',
          'version_conflict',
          'body_too_large',
        ]),
      },
    },
    async (request, reply) =>
      withEtag(reply, present(await editAutomation(services, callerOf(request), request.params.id, request.body, readBasedOn(request)))),
  )

  api.delete(
    '/api/automations/:id',
    {
      config: { scope: 'write:automations' },
      schema: {
        operationId: 'automations.delete',
        tags,
        summary: 'Delete an automation',
        description: 'Returns the deleted automation. Its runs and their chats are kept, and a run in progress finishes.',
        params: Params,
        headers: OptionalIfMatch,
        response: responses(200, PublishedAutomation, ['automation_not_found', 'managed_by_files', 'version_conflict', 'body_too_large']),
      },
    },
    async (request) => {
      const automation = await getAutomation(services, callerOf(request), request.params.id)
      await deleteAutomation(services, callerOf(request), automation.id, readBasedOn(request))
      return present(automation)
    },
  )
}
