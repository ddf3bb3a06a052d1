import { Type } from 'typebox'
import { createChannel, deleteChannel, editChannel, listChannels, listConversations } from '../../../domain/channels/channels.ts'
import { sendTestMessage } from '../../../domain/channels/send-test-message.ts'
import type { ReportServices } from '../../../domain/services.ts'
import { getSlackConnection } from '../../../domain/slack-questions/slack-connection.ts'
import { callerOf } from '../../authenticate.ts'
import { optionalBody } from '../../body-parsers.ts'
import { noContent } from '../../page-responses.ts'
import { presentChannel, presentSlackConnection } from '../../present-report.ts'
import { closed, wholeList } from '../../schemas.ts'
import { Channel, ChannelChange, ChannelList, Conversation, NewChannel, SlackConnection } from '../../schemas/report-schemas.ts'
import type { Api } from '../../typed.ts'

const Params = Type.Object({ id: Type.String() })
const one = '/app/api/channels/:id'

const TestMessage = Type.Object(
  { conversation: Type.Optional(Type.String({ description: 'The id of a conversation, for channels that have several.' })) },
  { title: 'ChannelTest', ...closed },
)

/** Channels for reports: all members choose from them, admins manage them. */
export function channelRoutes(api: Api, services: ReportServices): void {
  api.get('/app/api/channels', { schema: { response: { 200: ChannelList } } }, async (request) => {
    const { channels, ...rest } = await listChannels(services, callerOf(request))
    return { items: channels.map(presentChannel), ...rest }
  })

  api.post('/app/api/channels', { schema: { body: NewChannel, response: { 201: Channel } } }, async (request, reply) =>
    reply.code(201).send(presentChannel(await createChannel(services, callerOf(request), request.body))),
  )

  api.patch(one, { schema: { params: Params, body: ChannelChange, response: { 200: Channel } } }, async (request) =>
    presentChannel(await editChannel(services, callerOf(request), request.params.id, request.body)),
  )

  api.delete(one, { schema: { params: Params, response: noContent } }, async (request, reply) => {
    await deleteChannel(services, callerOf(request), request.params.id)
    return reply.code(204).send()
  })

  api.post(
    `${one}/test`,
    { ...optionalBody, schema: { params: Params, body: TestMessage, response: noContent } },
    async (request, reply) => {
      await sendTestMessage(services, callerOf(request), request.params.id, request.body)
      return reply.code(204).send()
    },
  )

  api.get(`${one}/conversations`, { schema: { params: Params, response: { 200: wholeList(Conversation) } } }, async (request) => ({
    items: await listConversations(services, callerOf(request), request.params.id),
  }))

  api.get(`${one}/slack-connection`, { schema: { params: Params, response: { 200: SlackConnection } } }, async (request) =>
    presentSlackConnection(await getSlackConnection(services, callerOf(request), request.params.id)),
  )
}
