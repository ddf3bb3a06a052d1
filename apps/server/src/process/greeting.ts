import type { Config } from '../settings/config.ts'
import type { Bootstrapped } from '../domain/people/bootstrap.ts'
import { linkUrl } from '../domain/people/person-links.ts'
import { systemClock } from '../ports/clock.ts'
import { openStdoutWriter } from '../ports/log-writer.ts'

/** Messages for the person who started the service. They go through the log's writer: output that is stuck or closed blocks nothing. */
const print = (text: string): void => openStdoutWriter().write(text)
const isTerminal = (): boolean => process.stdout.isTTY

/**
 * A slow step, shown with the time it took: `Creating the embedded database… 4.1 s`. Outside a terminal only the finished line is
 * written, so that no JSON log line lands in the middle of it. A step that never began shows nothing.
 */
export function makeStep(title: string): { begin(): void; end(): void } {
  let startMs: number | undefined
  return {
    begin() {
      startMs = systemClock.monotonicMs()
      if (isTerminal()) print(`${title}… `)
    },
    end() {
      if (startMs === undefined) return
      const took = `${((systemClock.monotonicMs() - startMs) / 1000).toFixed(1)} s\n`
      print(isTerminal() ? took : `${title}: ${took}`)
    },
  }
}

export const showStopping = (): void =>
  print('\nStopping: waiting for running requests and queries to finish. Press Ctrl+C again to stop now.\n')

export function showGreeting(options: Omit<Parameters<typeof greetingText>[0], 'isTerminal'>): void {
  print(greetingText({ ...options, isTerminal: isTerminal() }))
}

export function greetingText(options: {
  config: Pick<Config, 'baseUrl' | 'dataDirectory' | 'databaseUrl' | 'role'>
  /** Undefined after the first start. */
  bootstrapped: Bootstrapped | undefined
  /** For a new welcome link, if the credentials of the first start were never used. */
  welcomeToken?: string | undefined
  isTerminal: boolean
}): string {
  const { config, bootstrapped, welcomeToken } = options
  const { baseUrl, dataDirectory } = config
  if (config.role === 'worker') return `Querypost worker is running. Health check: ${baseUrl}/healthz\n`
  const signIn = bootstrapped
    ? credentials(bootstrapped, baseUrl)
    : welcomeToken === undefined
      ? ['Sign in with your e-mail and password. Forgotten? Run: npx querypost reset-password <e-mail>']
      : [...welcome(welcomeToken, baseUrl), below('Nobody has signed in yet. If you lost the API key, create one under Account.')]
  const facts = [
    row('Data', config.databaseUrl ? `PostgreSQL (DATABASE_URL), and files in ${dataDirectory}` : dataDirectory),
    row('Docs', `${baseUrl}/docs`),
    ...(options.isTerminal ? [row('Stop', 'Ctrl+C')] : []),
  ]
  const lines = [...signIn, '', ...facts].map((line) => (line === '' ? '' : `  ${line}`))
  return `\nQuerypost is running at ${baseUrl}\n\n${lines.join('\n')}\n\n`
}

const row = (name: string, value: string) => `${name.padEnd(12)} ${value}`
const below = (text: string) => row('', text)

const welcome = (token: string, baseUrl: string) => [
  row('Get started', linkUrl({ baseUrl, purpose: 'welcome', token })),
  below('Choose your name and password. The link works once, within 24 hours.'),
]

function credentials({ email, password, apiKey, welcomeToken, generated }: Bootstrapped, baseUrl: string): string[] {
  return [
    ...(welcomeToken === null ? [] : [...welcome(welcomeToken, baseUrl), '']),
    row('E-mail', email),
    row('Password', generated.password ? password : 'the value of BOOTSTRAP_PASSWORD'),
    row('API key', generated.apiKey ? apiKey : 'the value of BOOTSTRAP_API_KEY'),
    ...(generated.password || generated.apiKey ? [below("Save these now. You won't see them again.")] : []),
  ]
}
