import { Type } from 'typebox'
import { deleteModelSettings, getModelSettings, putModelSettings } from '../../../domain/agents/model/model-settings.ts'
import { badInput } from '../../../domain/people/check-text.ts'
import type { AgentServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { optionalBody } from '../../body-parsers.ts'
import { noContent } from '../../page-responses.ts'
import { orNull } from '../../schemas.ts'
import {
  GivenModelSettings,
  ModelSettings,
  ModelSettingsToTry,
  ModelTest,
} from '../../schemas/agent-settings-schemas.ts'
import { timesAsText } from '../../times-as-text.ts'
import type { Api } from '../../typed.ts'

const Answer = Type.Object(
  { settings: orNull(ModelSettings) },
  { title: 'SavedModelSettings', description: 'Null if no model is set up.' },
)

/** The organization's model: members can read the settings, admins can change them. The API key is write-only. */
export function modelSettingsRoutes(api: Api, services: AgentServices): void {
  api.get('/app/api/model-settings', { schema: { response: { 200: Answer } } }, async (request) => {
    const settings = await getModelSettings(services, callerOf(request))
    return { settings: settings && timesAsText(settings) }
  })

  api.put(
    '/app/api/model-settings',
    { schema: { body: GivenModelSettings, response: { 200: Answer } } },
    async (request) => ({ settings: timesAsText(await putModelSettings(services, callerOf(request), request.body)) }),
  )

  api.delete('/app/api/model-settings', { schema: { response: noContent } }, async (request, reply) => {
    await deleteModelSettings(services, callerOf(request))
    return reply.code(204).send()
  })

  api.post(
    '/app/api/model-settings/test',
    { ...optionalBody, schema: { body: ModelSettingsToTry, response: { 200: ModelTest } } },
    async (request) => {
      const { provider, model, ...rest } = request.body
      const isEmpty = Object.keys(request.body).length === 0
      if (!isEmpty && provider === undefined) throw badInput('/provider', 'is required to test settings')
      if (!isEmpty && model === undefined) throw badInput('/model', 'is required to test settings')
      const given = provider !== undefined && model !== undefined ? { provider, model, ...rest } : undefined
      // Loaded on demand, like the model agent.
      const { tryModel } = await import('../../../domain/agents/model/try-model.ts')
      return tryModel(services, callerOf(request), given)
    },
  )
}
