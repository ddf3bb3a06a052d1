import type { TSchema } from 'typebox'
import { type ErrorCode, errorCodes } from '../model/error-code.ts'
import { ErrorAnswer } from './schemas.ts'

/**
 * The key under which a refusal's schema carries its codes until the OpenAPI document takes them out (`openapi.ts`).
 */
export const errorCodesKey = 'x-error-codes'

/** Any request of a published route may be malformed, come without a key, and meet a fault of ours. */
const everywhere: ErrorCode[] = ['invalid_request', 'unauthenticated', 'internal_error', 'store_unavailable']

/**
 * The answers of a published route: its success, and the codes with which it may refuse beside those of every route.
 * Their statuses follow from the codes. `openapi.test.ts` holds them against what is really answered.
 */
export function answers<Status extends number, Schema extends TSchema>(
  status: Status,
  schema: Schema,
  codes: ErrorCode[],
): Record<Status, Schema> {
  const byStatus = Object.groupBy(new Set([...everywhere, ...codes]), (code) => errorCodes[code].status)
  const refusals = Object.entries(byStatus).map(([refusal, its]) => {
    const description = its.map((code) => `\`${code}\``).join(', ')
    return [refusal, { ...ErrorAnswer, 'x-response-description': description, [errorCodesKey]: its }]
  })
  return { ...Object.fromEntries(refusals), [status]: schema } as Record<Status, Schema>
}
