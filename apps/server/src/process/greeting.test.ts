import { expect, test } from 'vitest'
import type { Bootstrapped } from '../domain/people/bootstrap.ts'
import { readConfig } from '../settings/config.ts'
import { greetingText } from './greeting.ts'

const config = readConfig({ DATA_DIR: '/srv/data' })
const bootstrapped = {
  email: 'admin@localhost',
  password: 'natuq-8vwux',
  apiKey: 'qp_live_x',
  welcomeToken: 'token',
  generated: { password: true, apiKey: true },
} as Bootstrapped

test('the first greeting has the address, the credentials, where the data is and how to stop', () => {
  expect(greetingText({ config, bootstrapped, isTerminal: true })).toBe(`
Querypost is running at http://localhost:3000

  Get started  http://localhost:3000/welcome#token
               Choose your name and password. The link works once, within 24 hours.

  E-mail       admin@localhost
  Password     natuq-8vwux
  API key      qp_live_x
               Save these now. You won't see them again.

  Data         /srv/data
  Docs         http://localhost:3000/docs
  Stop         Ctrl+C

`)
})

test('credentials from the environment are never printed', () => {
  const given = { ...bootstrapped, welcomeToken: null, generated: { password: false, apiKey: false } }
  const text = greetingText({ config, bootstrapped: given, isTerminal: false })
  expect(text).toContain('Password     the value of BOOTSTRAP_PASSWORD')
  expect(text).toContain('API key      the value of BOOTSTRAP_API_KEY')
  expect(text).not.toMatch(/natuq|qp_live|Ctrl|Save these/)
})

test('later greetings have a new link while nobody has signed in', () => {
  const text = greetingText({ config, bootstrapped: undefined, welcomeToken: 'another', isTerminal: false })
  expect(text).toContain(`
  Get started  http://localhost:3000/welcome#another
               Choose your name and password. The link works once, within 24 hours.
               Nobody has signed in yet. If you lost the API key, create one under Account.

  Data         /srv/data
`)
  expect(text).not.toMatch(/reset-password|Password /)
})

test('later greetings name the way back in and hide the password of the database', () => {
  const shared = readConfig({ DATABASE_URL: 'postgres://u:secret@db/querypost', DATA_DIR: '/srv/data' })
  const text = greetingText({ config: shared, bootstrapped: undefined, isTerminal: true })
  expect(text).toContain('npx querypost reset-password <e-mail>')
  expect(text).toContain('Data         PostgreSQL (DATABASE_URL), and files in /srv/data')
  expect(text).not.toContain('secret')
})

test('a worker greets with its health check only', () => {
  const worker = readConfig({ DATABASE_URL: 'postgres://u@db/querypost', ROLE: 'worker' })
  expect(greetingText({ config: worker, bootstrapped: undefined, isTerminal: true })).toBe(
    'Querypost worker is running. Health check: http://localhost:3000/healthz\n',
  )
})
