import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { NewReport, ReportChange, ReportDelivery } from './generated/schemas.ts'
import { request } from './request.ts'

export type {
  AddressState,
  AttachmentKind,
  NewReport,
  RecipientGroup,
  Report,
  ReportDelivery,
  ReportLink,
  ReportMessage,
  ReportPreview,
  ReportRecipient,
  ReportValues,
  ReportWhen,
} from './generated/schemas.ts'

export const reportsKey = (automationId: string) => ['reports', automationId] as const

/** What is sent after runs of an automation, and to whom. */
export const reportsOptions = (automationId: string) =>
  queryOptions({
    queryKey: [...reportsKey(automationId), 'list'],
    queryFn: async ({ signal }) => (await request('GET /automations/{id}/reports', { params: { id: automationId }, signal })).items,
  })

export const createReport = (automationId: string, body: NewReport) =>
  request('POST /automations/{id}/reports', { params: { id: automationId }, body })

interface ReportKey {
  automationId: string
  id: string
}

const paramsOf = ({ automationId, id }: ReportKey) => ({ id: automationId, reportId: id })

export const editReport = (report: ReportKey, body: ReportChange) =>
  request('PATCH /automations/{id}/reports/{reportId}', { params: paramsOf(report), body })

export const deleteReport = (report: ReportKey) => request('DELETE /automations/{id}/reports/{reportId}', { params: paramsOf(report) })

/** `me`: by e-mail to the signed-in person, whatever the target of the report is. */
export const sendTest = (report: ReportKey, to: 'me' | 'channel') =>
  request('POST /automations/{id}/reports/{reportId}/test', { params: paramsOf(report), body: { to } })

export const askToConfirmAgain = (report: ReportKey, email: string) =>
  request('POST /automations/{id}/reports/{reportId}/confirmations', { params: paramsOf(report), body: { email } })

/** `recipient` is the place in the list of recipients. The report need not be saved. */
export const previewOptions = (automationId: string, report: NewReport, recipient: number) =>
  queryOptions({
    queryKey: ['report preview', automationId, report, recipient],
    queryFn: ({ signal }) =>
      request('POST /automations/{id}/reports/preview', { params: { id: automationId }, body: { ...report, recipient }, signal }),
    staleTime: 60_000,
    retry: false,
  })

/** The groups that a report can be sent to. */
export const recipientGroupsOptions = queryOptions({
  queryKey: ['recipient groups'],
  queryFn: async ({ signal }) => (await request('GET /recipient-groups', { signal })).items,
})

const soonMs = 2000
const idleMs = 10_000

/** The deliveries of an automation's reports, newest first. */
export const reportDeliveriesOptions = (automationId: string) =>
  infiniteQueryOptions({
    queryKey: [...reportsKey(automationId), 'deliveries'],
    queryFn: ({ pageParam: cursor, signal }) => request('GET /report-deliveries', { query: { automationId, limit: 20, cursor }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    refetchInterval: ({ state }) => (state.data?.pages.some(({ items }) => items.some(isDue)) ? soonMs : idleMs),
  })

export const reportDeliveryOptions = (id: string) =>
  queryOptions({
    queryKey: ['report deliveries', id],
    queryFn: ({ signal }) => request('GET /report-deliveries/{id}', { params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data && isDue(state.data) ? soonMs : false),
  })

export const resendReport = (deliveryId: string) => request('POST /report-deliveries/{id}/resend', { params: { id: deliveryId } })

const isDue = ({ state }: Pick<ReportDelivery, 'state'>) => state === 'due'
