import { errorCodes } from '@querypost/server/model'

/** Every code with its status, what it means and what to do; each heading is where `documentation_url` leads. */
export function errorsText(): string {
  return Object.entries(errorCodes)
    .map(([code, { status, about }]) => `## ${code}\n\nHTTP ${status}. ${about}`)
    .join('\n\n')
}
