import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { unsubscribePath } from '../../../domain/report-links.ts'
import { openReportFile, reportFileTypes } from '../../../domain/reports/open-report-file.ts'
import { confirmAddress, readReportLink, resubscribe, unsubscribe } from '../../../domain/reports/use-report-link.ts'
import type { ReportServices } from '../../../domain/services.ts'
import { originOf } from '../../authenticate.ts'
import { binaryResponse, noContent } from '../../page-responses.ts'
import { presentReportLink } from '../../present-report.ts'
import { closed } from '../../schemas.ts'
import { ReportLink } from '../../schemas/report-schemas.ts'
import { sendFile } from '../../send-download.ts'
import type { Api } from '../../typed.ts'
import { addViewerHooks } from '../shared/viewer-hooks.ts'

const FileParams = Type.Object({ token: Type.String({ maxLength: 2_000 }) })
const Token = Type.Object({ token: Type.String({ maxLength: 2_000 }) }, closed)

/** Links in reports for people without an account. The link is enough; no session is needed. */
export function reportLinkRoutes(open: Api, services: ReportServices): void {
  addViewerHooks(open, services)
  open.post('/app/api/report-links/read', { schema: { body: Token, response: { 200: ReportLink } } }, async (request) =>
    presentReportLink(await readReportLink(services, request.body.token)),
  )

  open.get(
    '/app/api/report-links/files/:token',
    { schema: { params: FileParams, response: binaryResponse(...reportFileTypes) } },
    async (request, reply) => sendFile(request, reply, await openReportFile(services, request.params.token)),
  )

  for (const [name, act] of Object.entries({ confirm: confirmAddress, unsubscribe, resubscribe })) {
    open.post(`/app/api/report-links/${name}`, { schema: { body: Token, response: noContent } }, async (request, reply) => {
      await act(services, request.body.token, { origin: originOf(request) })
      return reply.code(204).send()
    })
  }
}

/**
 * The target of `List-Unsubscribe` (RFC 8058): mail programs send a POST with a form, from anywhere and without a session. The body says
 * nothing that the token does not, so it is not read. For people, the same address is a page with a button.
 */
export function oneClickUnsubscribe(app: FastifyInstance, services: ReportServices): void {
  app.register(async (mailPrograms) => {
    mailPrograms.removeAllContentTypeParsers()
    mailPrograms.addContentTypeParser('*', (_request, payload, done) => {
      payload.resume()
      done(null)
    })
    mailPrograms.post(`${unsubscribePath}/:token`, { schema: { hide: true }, bodyLimit: 10_000 }, async (request, reply) => {
      const { token } = request.params as { token: string }
      await unsubscribe(services, token, { origin: originOf(request) })
      return reply.code(204).send()
    })
  })
}
