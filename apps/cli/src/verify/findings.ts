import type { CapturedRequest } from './captured-request.ts'
import type { Claim } from './examine-headers.ts'
import type { GivenSecret } from './examine-secrets.ts'
import type { Match } from './find-match.ts'

/** The facts from which the checks of a request are made. */
export interface Findings {
  request: CapturedRequest
  secrets: GivenSecret[]
  claims: Claim[]
  match: Match | undefined
}
