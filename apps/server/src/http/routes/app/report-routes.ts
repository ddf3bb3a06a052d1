import { Type } from 'typebox'
import { previewReport } from '../../../domain/reports/preview-report.ts'
import { getReportDelivery, listReportDeliveries, resendDelivery } from '../../../domain/reports/report-deliveries.ts'
import { listRecipientGroups } from '../../../domain/reports/recipient-groups.ts'
import { createReport, deleteReport, editReport, listReports, repeatConfirmation, testReport } from '../../../domain/reports/reports.ts'
import { withRendering } from '../../../domain/reports/with-rendering.ts'
import type { ReportServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { noBody, noContent } from '../../page-responses.ts'
import { presentRendered, presentReport, presentReportDelivery } from '../../present-report.ts'
import { closed, listPage, oneOf, PageQuery, wholeList } from '../../schemas.ts'
import {
  NewReport,
  RecipientGroup,
  Report,
  ReportChange,
  ReportDelivery,
  ReportDeliveryInFull,
  ReportDeliveryState,
  ReportPreview,
} from '../../schemas/report-schemas.ts'
import type { Api } from '../../typed.ts'

const OfAutomation = Type.Object({ id: Type.String() })
const OneReport = Type.Object({ id: Type.String(), reportId: Type.String() })
const Params = Type.Object({ id: Type.String() })

const all = '/app/api/automations/:id/reports'
const one = `${all}/:reportId`

const PreviewRequest = Type.Object(
  {
    ...NewReport.properties,
    recipient: Type.Optional(Type.Integer({ minimum: 0, description: 'The place in the list of recipients whose report is shown.' })),
  },
  { title: 'ReportPreviewRequest', ...closed },
)

const LogQuery = Type.Object(
  {
    ...PageQuery.properties,
    automationId: Type.Optional(Type.String()),
    reportId: Type.Optional(Type.String()),
    automationRunId: Type.Optional(Type.String()),
    state: Type.Optional(ReportDeliveryState),
  },
  closed,
)

/** Reports of automations and the log of their deliveries, for all members of the organization. */
export function reportRoutes(api: Api, reportServices: ReportServices): void {
  const services = withRendering(reportServices)

  api.get(all, { schema: { params: OfAutomation, response: { 200: wholeList(Report) } } }, async (request) => ({
    items: (await listReports(services, callerOf(request), request.params.id)).map(presentReport),
  }))

  api.post(all, { schema: { params: OfAutomation, body: NewReport, response: { 201: Report } } }, async (request, reply) =>
    reply.code(201).send(presentReport(await createReport(services, callerOf(request), request.params.id, request.body))),
  )

  api.post(
    `${all}/preview`,
    { schema: { params: OfAutomation, body: PreviewRequest, response: { 200: ReportPreview } } },
    async (request) => {
      const { rendered, channelKind, ...preview } = await previewReport(services, callerOf(request), request.params.id, request.body)
      return { ...preview, rendered: presentRendered(services, rendered, { channelKind }) }
    },
  )

  api.patch(one, { schema: { params: OneReport, body: ReportChange, response: { 200: Report } } }, async (request) => {
    const { id: automationId, reportId } = request.params
    return presentReport(await editReport(services, callerOf(request), { automationId, reportId }, request.body))
  })

  api.delete(one, { schema: { params: OneReport, response: noContent } }, async (request, reply) => {
    const { id: automationId, reportId } = request.params
    await deleteReport(services, callerOf(request), { automationId, reportId })
    return reply.code(204).send()
  })

  api.post(
    `${one}/test`,
    {
      schema: {
        params: OneReport,
        body: Type.Object({ to: oneOf(['me', 'channel'] as const) }, { title: 'ReportTest', ...closed }),
        response: noContent,
      },
    },
    async (request, reply) => {
      const { id: automationId, reportId } = request.params
      await testReport(services, callerOf(request), { automationId, reportId }, request.body)
      return reply.code(204).send()
    },
  )

  api.post(
    `${one}/confirmations`,
    {
      schema: {
        params: OneReport,
        body: Type.Object({ email: Type.String({ maxLength: 254 }) }, { title: 'ConfirmationRequest', ...closed }),
        response: noContent,
      },
    },
    async (request, reply) => {
      const { id: automationId, reportId } = request.params
      await repeatConfirmation(services, callerOf(request), { automationId, reportId }, request.body)
      return reply.code(204).send()
    },
  )

  api.get('/app/api/recipient-groups', { schema: { response: { 200: wholeList(RecipientGroup) } } }, async (request) => ({
    items: await listRecipientGroups(services, callerOf(request)),
  }))

  api.get(
    '/app/api/report-deliveries',
    { schema: { querystring: LogQuery, response: { 200: listPage(ReportDelivery) } } },
    async (request) => {
      const page = await listReportDeliveries(services, callerOf(request), request.query)
      return { ...page, items: page.items.map(presentReportDelivery) }
    },
  )

  api.get(
    '/app/api/report-deliveries/:id',
    { schema: { params: Params, response: { 200: ReportDeliveryInFull } } },
    async (request) => {
      const { rendered, ...delivery } = await getReportDelivery(services, callerOf(request), request.params.id)
      const { id: deliveryId, channelKind } = delivery
      return { ...presentReportDelivery(delivery), rendered: rendered && presentRendered(services, rendered, { channelKind, deliveryId }) }
    },
  )

  api.post(
    '/app/api/report-deliveries/:id/resend',
    { ...noBody, schema: { params: Params, response: { 200: ReportDelivery } } },
    async (request) => presentReportDelivery(await resendDelivery(services, callerOf(request), request.params.id)),
  )
}
