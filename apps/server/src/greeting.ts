import type { Role } from './config.ts'
import type { Bootstrapped } from './domain/people/bootstrap.ts'

/** What a person at the terminal is told; the log is for machines. */
const say = (text: string): void => void process.stdout.write(`${text}\n`)

export const progress = {
  preparingStore: () => say('First start: preparing the embedded store (a few seconds, once) …'),
  seeding: () => say('First start: making the sample shop and its queries …'),
  stopping: () => say('Stopping: letting running requests and queries finish (Ctrl-C again to stop at once) …'),
}

export function greeting(options: {
  baseUrl: string
  email: string
  bootstrapped: Bootstrapped | undefined
  role: Role
}): void {
  const { baseUrl, bootstrapped, role } = options
  if (role === 'worker') return say(`Querypost worker is running; it answers ${baseUrl}/healthz`)
  const key = bootstrapped?.apiKey
  say('')
  say(`Querypost is running at ${baseUrl}`)
  if (bootstrapped) {
    say('')
    say(`  Sign in     ${bootstrapped.email}`)
    say(`  Password    ${bootstrapped.generated.password ? bootstrapped.password : 'as given in BOOTSTRAP_PASSWORD'}`)
    say(`  API key     ${bootstrapped.generated.apiKey ? key : 'as given in BOOTSTRAP_API_KEY'}`)
    if (Object.values(bootstrapped.generated).includes(true)) say('  Keep them: they are shown this once only.')
  } else {
    say(`  Sign in with the e-mail and password of your first start, or another account you have made since.`)
  }
  say('')
  say('Try the API:')
  say(`  curl -H "Authorization: Bearer ${bootstrapped?.generated.apiKey ? key : '$QUERYPOST_API_KEY'}" ${baseUrl}/api/me`)
  say('')
}
