import type { Role } from '../settings/config.ts'
import type { Bootstrapped } from '../domain/people/bootstrap.ts'
import { linkUrl } from '../domain/people/person-links.ts'
import { openStdoutWriter } from '../ports/log-writer.ts'

/** For the person at the terminal; the log is for machines. It goes the same way: output that is stuck or gone does no harm. */
const say = (text: string): void => openStdoutWriter().write(`${text}\n`)

export const progress = {
  preparingStore: () => say('First start: preparing the embedded store (a few seconds, once) …'),
  seeding: () => say('First start: making the sample shop, its queries and a first report …'),
  stopping: () => say('Stopping: letting running requests and queries finish (Ctrl-C again to stop at once) …'),
}

export function greeting(options: {
  baseUrl: string
  bootstrapped: Bootstrapped | undefined
  role: Role
}): void {
  const { baseUrl, bootstrapped, role } = options
  if (role === 'worker') return say(`Querypost worker is running; it answers ${baseUrl}/healthz`)
  const key = bootstrapped?.generated.apiKey ? bootstrapped.apiKey : '$QUERYPOST_API_KEY'
  say(`
Querypost is running at ${baseUrl}

${bootstrapped ? credentials(bootstrapped, baseUrl) : '  Sign in with the e-mail and password of your first start.'}

Try the API:
  curl -H "Authorization: Bearer ${key}" ${baseUrl}/api/me
`)
}

function credentials({ email, password, apiKey, welcomeToken, generated }: Bootstrapped, baseUrl: string): string {
  const lines = [
    `  Sign in     ${email}`,
    `  Password    ${generated.password ? password : 'as given in BOOTSTRAP_PASSWORD'}`,
    `  API key     ${generated.apiKey ? apiKey : 'as given in BOOTSTRAP_API_KEY'}`,
  ]
  if (generated.password || generated.apiKey) lines.push('  Keep them: they are shown this once only.')
  if (welcomeToken) {
    const url = linkUrl({ baseUrl, purpose: 'welcome', token: welcomeToken })
    lines.push('', '  Or begin here, with a name and a password of your own (once, within 24 hours):', `  ${url}`)
  }
  return lines.join('\n')
}
