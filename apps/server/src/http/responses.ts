import type { TSchema } from 'typebox'
import { type ErrorCode, errorCodes } from '../model/error-code.ts'
import { ErrorResponse } from './schemas.ts'

/**
 * The key under which the schema of an error response carries its codes until `openapi.ts` moves them to the response.
 */
export const errorCodesKey = 'x-error-codes'

/** Any request to a published route may be malformed, lack a valid key, or run into an internal error. */
const everywhere: ErrorCode[] = ['invalid_request', 'unauthenticated', 'too_many_requests', 'internal_error', 'store_unavailable']

/**
 * The responses of a published route: the success, and the error codes it may return in addition to those of every route. The codes
 * determine the statuses. All routes need a scope of the key, except for those that only identify it. `openapi.test.ts` compares them with actual responses.
 */
export function responses<Status extends number, Schema extends TSchema>(
  status: Status,
  schema: Schema,
  codes: ErrorCode[],
  { needsScope = true }: { needsScope?: boolean } = {},
): Record<Status, Schema> {
  const ofKeys: ErrorCode[] = needsScope ? ['scope_missing'] : []
  const byStatus = Object.groupBy(new Set([...everywhere, ...ofKeys, ...codes]), (code) => errorCodes[code].status)
  const errors = Object.entries(byStatus).map(([errorStatus, its]) => [errorStatus, errorResponse(its)])
  return { ...Object.fromEntries(errors), [status]: schema } as Record<Status, Schema>
}

const errorResponse = (codes: ErrorCode[]) => ({
  ...ErrorResponse,
  'x-response-description': codes.map((code) => `\`${code}\``).join(', '),
  [errorCodesKey]: codes,
})

type DescribedResponse = object & { [errorCodesKey]?: ErrorCode[] }

/** The responses of a route with another error code that it may return. */
export function addErrorCode(response: Record<string, DescribedResponse>, code: ErrorCode): Record<string, DescribedResponse> {
  const { status } = errorCodes[code]
  const others = response[status]?.[errorCodesKey] ?? []
  return { ...response, [status]: errorResponse([...others, code]) }
}
