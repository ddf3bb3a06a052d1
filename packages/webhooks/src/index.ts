export type { RawBody } from './bytes.ts'
export { type VerificationErrorCode, verificationErrorCodes, WebhookVerificationError } from './errors.ts'
export type {
  AutomationRunCompletedEvent,
  AutomationRunFailedEvent,
  UnlistedEvent,
  UnlistedEventType,
  WebhookEvent,
} from './events.ts'
export type { HeadersLike } from './headers.ts'
export { inMemorySeenEvents, type InMemorySeenEventsOptions, type SeenEvents } from './seen-events.ts'
export { signatureHeaders, type SignatureHeadersOptions } from './signature-headers.ts'
export { verify, type VerifyOptions } from './verify.ts'
