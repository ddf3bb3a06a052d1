import { errorCodes } from '@querypost/server/model'

/** Describes every error code: status, meaning, remedy. `documentation_url` links to the headings. */
export function errorsText(): string {
  return Object.entries(errorCodes)
    .map(([code, { status, about }]) => `## ${code}\n\nHTTP ${status}. ${about}`)
    .join('\n\n')
}
