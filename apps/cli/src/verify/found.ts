import type { CapturedRequest } from './captured-request.ts'
import type { Claim } from './examine-headers.ts'
import type { GivenSecret } from './examine-secrets.ts'
import type { Fit } from './find-fit.ts'

/** What the checks of one request are made from. */
export interface Found {
  request: CapturedRequest
  secrets: GivenSecret[]
  claims: Claim[]
  fit: Fit | undefined
}
