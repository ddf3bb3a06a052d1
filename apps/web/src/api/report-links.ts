import { queryOptions } from '@tanstack/react-query'
import { operationUrl } from './operations.ts'
import { request } from './request.ts'

export type { ReportLink } from './generated/schemas.ts'

/** Reads what a link in a report is for. It works without a session, and changes nothing. */
export const reportLinkOptions = (token: string) =>
  queryOptions({
    queryKey: ['report-links', token],
    queryFn: () => request('POST /report-links/read', { body: { token } }),
    staleTime: Infinity,
  })

/** The file that a link in a report is for. */
export const reportFileUrl = (token: string) => operationUrl('GET /report-links/files/{token}', { params: { token } })

export const confirmAddress = (token: string) => request('POST /report-links/confirm', { body: { token } })

export const unsubscribe = (token: string) => request('POST /report-links/unsubscribe', { body: { token } })

export const resubscribe = (token: string) => request('POST /report-links/resubscribe', { body: { token } })
