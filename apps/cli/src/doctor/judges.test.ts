import { expect, test } from 'vitest'
import type { Check } from '../checks.ts'
import { judgeBackupAge, judgeDrill } from './backups.ts'
import { judgeBucket } from './bucket.ts'
import { judgeConfig, checkConfiguration } from './configuration.ts'
import { judgeClockDifference } from './clocks.ts'
import { type FolderFacts, judgeDisk, judgeFolder } from './data-directory.ts'
import { judgeEngine } from './engine.ts'
import { judgeMemory, judgeNode } from './machine.ts'
import { judgeMail, judgeProvider } from './mail-and-sign-in.ts'
import { judgeBaseUrl, judgeDocumentation, judgeHealth, judgeReadiness, localUrl } from './service.ts'
import { judgeChannel, judgeDatabase, judgeMigrations } from './store.ts'
import { formatBytes } from './disk-usage.ts'

const folder: FolderFacts = {
  folder: '/srv/querypost',
  kind: 'folder',
  isWritable: true,
  ownerUid: 1000,
  processUid: 1000,
  mode: 0o700,
  keyMode: 0o600,
  ownerId: undefined,
}
const gb = 2 ** 30
const disk = { freeBytes: 50 * gb, totalBytes: 100 * gb, uses: [] }
const migrations = { appliedCount: 3, pending: [], unknown: [], changed: [], tooNew: null }
const healthy = { status: 200, text: '{"status":"ok"}', dateMs: 0 }
const url = 'http://127.0.0.1:3000'
const config = { baseUrl: 'http://localhost:3000', host: '127.0.0.1', role: 'all', databaseUrl: null } as const
const off = (aheadMs: number) => judgeClockDifference('clock', { owner: 'PostgreSQL', aheadMs, toleratedMs: 1000 })

const nowMs = Date.parse('2026-01-05T09:00:00Z')
const daysAgo = (days: number) => new Date(nowMs - days * 86_400_000).toISOString()
const drilled = (days: number) => ({ backedUpAt: daysAgo(0), verified: { at: daysAgo(days), backupCreatedAt: daysAgo(days) } })
const bucket = { bucket: 'acme', endpoint: null }
const channel = { name: 'Sales', kind: 'teams' } as const

test.each<[string, Check, Check['state'], string]>([
  ['no backup', judgeBackupAge({}, nowMs), 'warning', 'No backup has been made'],
  ['a backup', judgeBackupAge({ backedUpAt: daysAgo(0.5) }, nowMs), 'ok', '12 hours ago'],
  ['an old backup', judgeBackupAge({ backedUpAt: daysAgo(3) }, nowMs), 'warning', '3 days ago'],
  ['no drill', judgeDrill({ backedUpAt: daysAgo(0) }, nowMs), 'warning', 'No backup has been restored'],
  ['nothing to drill', judgeDrill({}, nowMs), 'skipped', 'no backup to restore'],
  ['a drill', judgeDrill(drilled(30), nowMs), 'ok', '30 days ago'],
  ['an old drill', judgeDrill(drilled(100), nowMs), 'warning', '100 days ago'],
  ['bucket', judgeBucket(bucket, undefined), 'ok', 'acme can be read. Nothing was written.'],
  ['bucket elsewhere', judgeBucket({ ...bucket, endpoint: 'http://minio:9000' }, 'NoSuchBucket'), 'failed', 'acme at minio:9000 can’t be read: NoSuchBucket'],
  ['channel', judgeChannel({ ...channel, state: { kind: 'works' } }), 'ok', 'Nothing was sent'],
  ['channel that is not asked', judgeChannel({ ...channel, state: { kind: 'not_asked', failureCount: 0 } }), 'ok', 'test message'],
  ['failing channel', judgeChannel({ ...channel, state: { kind: 'not_asked', failureCount: 3 } }), 'warning', '3 deliveries in a row'],
  ['disabled channel', judgeChannel({ ...channel, state: { kind: 'disabled', reason: 'The token was revoked.' } }), 'warning', 'Disabled: The token was revoked.'],
  ['unreadable channel', judgeChannel({ ...channel, state: { kind: 'secret_unreadable' } }), 'failed', 'SECRET_KEY'],
  ['refused channel', judgeChannel({ ...channel, state: { kind: 'refused', detail: 'The token has expired.' } }), 'failed', 'The token has expired.'],
  ['node', judgeNode('22.19.0'), 'ok', 'Node 22.19.0'],
  ['node of tomorrow', judgeNode('100.1.0'), 'ok', 'Node 100.1.0'],
  ['old node', judgeNode('22.9.9'), 'failed', 'too old; Querypost needs 22.19.0 or newer'],
  ['memory', judgeMemory({ totalMb: 4096, cores: 2 }), 'ok', '4.0 GB of memory, 2 cores'],
  ['little memory', judgeMemory({ totalMb: 512, cores: 1 }), 'warning', '0.5 GB of memory, 1 core'],
  ['folder', judgeFolder(folder), 'ok', 'not in use'],
  ['folder in use', judgeFolder({ ...folder, ownerId: 7 }), 'ok', 'in use by process 7'],
  ['no folder', judgeFolder({ ...folder, kind: 'missing', isWritable: false }), 'ok', 'the first start creates it'],
  ['a file', judgeFolder({ ...folder, kind: 'other' }), 'failed', 'is a file'],
  ['read-only', judgeFolder({ ...folder, isWritable: false }), 'failed', 'can’t write to'],
  ['of another user', judgeFolder({ ...folder, processUid: 1001 }), 'warning', 'belongs to user 1000; you are user 1001'],
  ['root', judgeFolder({ ...folder, processUid: 0 }), 'ok', ''],
  ['no users', judgeFolder({ ...folder, ownerUid: null, processUid: null }), 'ok', ''],
  ['key for all', judgeFolder({ ...folder, keyMode: 0o644 }), 'failed', 'Other users can read /srv/querypost/secret.key'],
  ['no key', judgeFolder({ ...folder, keyMode: null }), 'ok', ''],
  ['open to all', judgeFolder({ ...folder, mode: 0o755 }), 'warning', 'All users of this machine'],
  [
    'disk',
    judgeDisk({
      ...disk,
      uses: [
        { name: 'store', bytes: gb },
        { name: 'results', bytes: 3 * gb },
      ],
    }),
    'ok',
    'in use: results 3.0 GB, store 1.0 GB',
  ],
  ['little disk', judgeDisk({ ...disk, freeBytes: gb }), 'warning', '1.0 GB of 100 GB free.'],
  ['no disk', judgeDisk({ ...disk, freeBytes: 2 ** 20 }), 'failed', '1.0 MB of 100 GB free.'],
  ['health', judgeHealth({ url, health: healthy, ownerId: undefined }), 'ok', `Running at ${url}`],
  [
    'another program',
    judgeHealth({ url, health: { ...healthy, text: '<html>' }, ownerId: undefined }),
    'failed',
    'Another program answers',
  ],
  [
    'not running',
    judgeHealth({ url, health: { failure: 'ECONNREFUSED' }, ownerId: undefined }),
    'skipped',
    'Not running',
  ],
  [
    'hanging',
    judgeHealth({ url, health: { failure: 'no answer' }, ownerId: 7 }),
    'failed',
    'Process 7 uses the data directory but does not answer',
  ],
  ['readiness', judgeReadiness(healthy), 'ok', 'Ready'],
  [
    'not ready',
    judgeReadiness({ ...healthy, status: 503, text: '{"status":"store unreachable"}' }),
    'failed',
    'Not ready: store unreachable',
  ],
  [
    'stopping',
    judgeReadiness({ ...healthy, status: 503, text: '{"status":"stopping"}' }),
    'failed',
    'Not ready: stopping',
  ],
  ['silent', judgeReadiness({ failure: 'ECONNRESET' }), 'failed', 'ECONNRESET'],
  ['documentation', judgeDocumentation(healthy), 'ok', '/docs'],
  ['no documentation', judgeDocumentation({ ...healthy, status: 404 }), 'warning', 'Missing at /docs'],
  ['base url', judgeBaseUrl('https://q.example', healthy), 'ok', 'reaches the service'],
  [
    'wrong base url',
    judgeBaseUrl('https://q.example', { ...healthy, status: 502 }),
    'warning',
    'does not reach the service: status 502',
  ],
  ['unknown base url', judgeBaseUrl('https://q.example', { failure: 'ENOTFOUND' }), 'warning', 'ENOTFOUND'],
  ['clocks', off(-999), 'ok', 'Agrees'],
  ['clock ahead', off(5000), 'warning', '5 seconds ahead of this machine’s'],
  ['clock behind', off(-7_200_000), 'failed', '2 hours behind this machine’s'],
  ['migrations', judgeMigrations(migrations), 'ok', 'All 3 applied'],
  ['new store', judgeMigrations({ ...migrations, appliedCount: 0, pending: ['0001'] }), 'ok', 'no service has started'],
  ['pending', judgeMigrations({ ...migrations, pending: ['0004-x.sql'] }), 'ok', 'the next start applies 0004-x.sql'],
  ['newer', judgeMigrations({ ...migrations, unknown: ['0009-x.sql'] }), 'warning', 'applied by a newer version'],
  [
    'too new',
    judgeMigrations({ ...migrations, unknown: ['0009-x.sql'], tooNew: 'It is too new.' }),
    'failed',
    'too new',
  ],
  ['changed', judgeMigrations({ ...migrations, changed: ['0001-x.sql'] }), 'failed', 'was changed after'],
  [
    'database',
    judgeDatabase({ name: 'A', engine: 'mysql', outcome: { ok: true, durationMs: 3, version: 'MySQL 9' } }),
    'ok',
    'MySQL 9 answered in 3 ms',
  ],
  [
    'lost database',
    judgeDatabase({ name: 'A', engine: 'duckdb', outcome: { ok: false, message: 'No file.' } }),
    'failed',
    'No file.',
  ],
  ['engine', judgeEngine({ version: 'DuckDB v1', durationMs: 9 }), 'ok', 'DuckDB v1 answered'],
  ['no engine', judgeEngine({ failure: 'killed' }), 'failed', 'process failed: killed'],
  [
    'mail',
    judgeMail({ url: 'smtp://u:secret@mail.example:587' }, undefined),
    'ok',
    'mail.example:587 accepts e-mail. None was sent',
  ],
  ['no mail', judgeMail({ url: 'smtp://u:secret@mail.example' }, '535 no'), 'failed', 'does not accept e-mail: 535 no'],
  ['provider', judgeProvider({ issuer: 'https://id.example' }, undefined), 'ok', 'https://id.example'],
  ['no provider', judgeProvider({ issuer: 'https://id.example' }, '404'), 'failed', 'can’t be used: 404'],
  ['configuration', judgeConfig(config), 'ok', 'role all, embedded store'],
  ['plain http', judgeConfig({ ...config, baseUrl: 'http://q.example' }), 'warning', 'unencrypted'],
  ['invalid configuration', checkConfiguration({ PORT: 'x' }).check, 'failed', 'PORT'],
])('reports %s', (_, check, state, text) => {
  expect(check.state).toBe(state)
  expect(check.message).toContain(text)
  expect(check.message).not.toContain('secret@')
  expect(check.remedy !== undefined).toBe(state === 'warning' || state === 'failed')
})

test.each([
  [{ host: '0.0.0.0', port: 3000 }, 'http://127.0.0.1:3000'],
  [{ host: '::', port: 1 }, 'http://[::1]:1'],
  [{ host: '10.0.0.7', port: 80 }, 'http://10.0.0.7:80'],
])('%j is reached at %s', (listening, address) => expect(localUrl(listening)).toBe(address))

test.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [1536, '1.5 kB'],
  [250 * 2 ** 20, '250 MB'],
  [2 ** 41, '2.0 TB'],
])('%d are %s', (bytes, words) => expect(formatBytes(bytes)).toBe(words))
