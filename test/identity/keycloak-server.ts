import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort, pollPause } from '@querypost/server/testing'
import { findKeycloak } from '../../scripts/install-keycloak.mjs'

/** A person in the realm. Their passwords are all `correct horse battery`. */
interface RealmUser {
  username: string
  roles: string[]
}

export interface KeycloakServer {
  issuer: string
  clientId: string
  clientSecret: string
  /** Adds or removes a role of a user, as an administrator does. */
  setRole(username: string, role: string, isGranted: boolean): Promise<void>
  stop(): Promise<void>
}

export const realmPassword = 'correct horse battery'
const clientId = 'querypost'
const clientSecret = 'a secret of the client'
const administrator = { username: 'admin', password: 'a password of the administrator' }

/** A real Keycloak on loopback, with the realm `acme`. It takes half a minute to start, or more on a busy machine. */
export async function startKeycloakServer(options: { redirectUri: string; users: RealmUser[] }): Promise<KeycloakServer> {
  const found = findKeycloak()
  if (!found) throw new Error('Keycloak is not installed. `npm run identity` installs it.')
  const port = await freePort()
  const folder = await mkdtemp(path.join(tmpdir(), 'querypost-keycloak-'))
  // The server writes into its own folder.
  await cp(found.home, folder, { recursive: true })
  await mkdir(path.join(folder, 'data/import'), { recursive: true })
  await writeFile(path.join(folder, 'data/import/acme.json'), JSON.stringify(realm(options)))
  const base = `http://127.0.0.1:${port}`
  const server = spawn(
    path.join(folder, 'bin/kc.sh'),
    ['start-dev', '--import-realm', '--http-host=127.0.0.1', `--http-port=${port}`, `--hostname=${base}`, '--cache=local'],
    {
      env: {
        PATH: process.env['PATH'],
        JAVA_HOME: found.javaHome,
        JAVA_OPTS_APPEND: '-Xmx512m -XX:TieredStopAtLevel=1',
        KC_BOOTSTRAP_ADMIN_USERNAME: administrator.username,
        KC_BOOTSTRAP_ADMIN_PASSWORD: administrator.password,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    },
  )
  const issuer = `${base}/realms/acme`
  await untilReady(server, `${issuer}/.well-known/openid-configuration`)

  async function administer<Answer>(method: string, route: string, body?: unknown): Promise<Answer> {
    const form = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...administrator })
    const granted = await fetch(`${base}/realms/master/protocol/openid-connect/token`, { method: 'POST', body: form })
    const { access_token: token } = (await granted.json()) as { access_token: string }
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${base}/admin/realms/acme${route}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${text}`)
    return (text === '' ? null : JSON.parse(text)) as Answer
  }

  return {
    issuer,
    clientId,
    clientSecret,
    async setRole(username, role, isGranted) {
      const [user] = await administer<{ id: string }[]>('GET', `/users?exact=true&username=${username}`)
      const wanted = await administer<object>('GET', `/roles/${role}`)
      await administer(isGranted ? 'POST' : 'DELETE', `/users/${user!.id}/role-mappings/realm`, [wanted])
    },
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      // The script starts Java as a child.
      process.kill(-server.pid!, 'SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function untilReady(server: ChildProcess, url: string): Promise<void> {
  let output = ''
  for (const stream of [server.stdout!, server.stderr!]) stream.on('data', (chunk: Buffer) => (output = `${output}${chunk.toString()}`.slice(-5000)))
  for (;;) {
    if (server.exitCode !== null) throw new Error(`Keycloak has ended:\n${output}`)
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    await pollPause()
  }
}

function realm({ redirectUri, users }: { redirectUri: string; users: RealmUser[] }) {
  const names = [...new Set(users.flatMap(({ roles }) => roles))]
  return {
    realm: 'acme',
    enabled: true,
    sslRequired: 'none',
    roles: { realm: names.map((name) => ({ name })) },
    clients: [
      {
        clientId,
        secret: clientSecret,
        standardFlowEnabled: true,
        redirectUris: [redirectUri],
        protocolMappers: [
          {
            name: 'roles',
            protocol: 'openid-connect',
            protocolMapper: 'oidc-usermodel-realm-role-mapper',
            config: { 'claim.name': 'realm_access.roles', multivalued: 'true', 'id.token.claim': 'true', 'jsonType.label': 'String' },
          },
        ],
      },
    ],
    users: users.map(({ username, roles }) => ({
      username,
      email: `${username}@acme.test`,
      emailVerified: true,
      firstName: username,
      lastName: 'of Acme',
      enabled: true,
      credentials: [{ type: 'password', value: realmPassword, temporary: false }],
      realmRoles: roles,
    })),
  }
}
