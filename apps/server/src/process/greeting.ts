import type { Role } from '../settings/config.ts'
import type { Bootstrapped } from '../domain/people/bootstrap.ts'
import { linkUrl } from '../domain/people/person-links.ts'
import { openStdoutWriter } from '../ports/log-writer.ts'

/** Prints for the person at the terminal. Uses the log's writer, so a blocked or closed stdout does no harm. */
const print = (text: string): void => openStdoutWriter().write(`${text}\n`)

export const progress = {
  preparingStore: () => print('First start: preparing the embedded store (takes a few seconds, once) …'),
  seeding: () => print('First start: creating the sample shop, its queries and a first report …'),
  stopping: () => print('Stopping: waiting for running requests and queries (press Ctrl+C again to stop now) …'),
}

export function greeting(options: {
  baseUrl: string
  bootstrapped: Bootstrapped | undefined
  role: Role
}): void {
  const { baseUrl, bootstrapped, role } = options
  if (role === 'worker') return print(`Querypost worker is running. Health check: ${baseUrl}/healthz`)
  const key = bootstrapped?.generated.apiKey ? bootstrapped.apiKey : '$QUERYPOST_API_KEY'
  print(`
Querypost is running at ${baseUrl}

${bootstrapped ? credentials(bootstrapped, baseUrl) : '  Sign in with the e-mail and password from the first start.'}

Try the API:
  curl -H "Authorization: Bearer ${key}" ${baseUrl}/api/me
`)
}

function credentials({ email, password, apiKey, welcomeToken, generated }: Bootstrapped, baseUrl: string): string {
  const lines = [
    `  Sign in     ${email}`,
    `  Password    ${generated.password ? password : 'the value of BOOTSTRAP_PASSWORD'}`,
    `  API key     ${generated.apiKey ? apiKey : 'the value of BOOTSTRAP_API_KEY'}`,
  ]
  if (generated.password || generated.apiKey) lines.push("  Save these now. You won't see them again.")
  if (welcomeToken) {
    const url = linkUrl({ baseUrl, purpose: 'welcome', token: welcomeToken })
    lines.push('', '  Or choose your own name and password here (works once, within 24 hours):', `  ${url}`)
  }
  return lines.join('\n')
}
