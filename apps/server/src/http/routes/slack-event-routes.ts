import type { FastifyError, FastifyInstance } from 'fastify'
import { acceptSlackEvent } from '../../domain/slack-questions/accept-event.ts'
import { slackEventsPath } from '../../domain/slack-questions/slack-connection.ts'
import type { ReportServices } from '../../domain/services.ts'

/** The longest message in Slack has 40,000 characters, and an event repeats it as blocks. */
const bodyMaxBytes = 512 * 1024

/**
 * Slack's Events API. The signature covers the bytes of the body, so they are not parsed before it is checked. Requests without a valid
 * one get the same empty response, whether or not the channel exists.
 */
export function slackEventRoutes(app: FastifyInstance, services: ReportServices): void {
  app.register(async (slack) => {
    slack.removeAllContentTypeParsers()
    slack.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    slack.setErrorHandler((error: FastifyError, _request, reply) => {
      if (error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error
      return reply.code(413).send()
    })
    slack.post(`${slackEventsPath}/:channelId`, { schema: { hide: true }, bodyLimit: bodyMaxBytes }, async (request, reply) => {
      const { channelId } = request.params as { channelId: string }
      const accepted = await acceptSlackEvent(services, channelId, {
        signature: headerOf(request.headers['x-slack-signature']),
        timestamp: headerOf(request.headers['x-slack-request-timestamp']),
        body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      })
      if (accepted.kind === 'unsigned') return reply.code(401).send()
      if (accepted.kind === 'url_check') return reply.send({ challenge: accepted.challenge })
      return reply.code(200).send()
    })
  })
}

const headerOf = (value: string | string[] | undefined): string | undefined => (typeof value === 'string' ? value : undefined)
