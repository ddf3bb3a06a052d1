import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { verify } from '@querypost/webhooks'
import { expect, test } from 'vitest'
import { curlCommand } from './curl-command.ts'

const secret = `whsec_${Buffer.alloc(32, 'q').toString('base64')}`
const eventId = 'evt_2Hq8Zr5KtWmN7cXvB3yPdL'
const run = { automationId: 'a', automationName: "Ada's", runId: 'r', chatUrl: 'https://q.test/chats/c', imageUrl: null }
/** Contains every character that a shell might interpret. */
const body = JSON.stringify({
  id: eventId,
  type: 'automation.run.completed',
  createdAt: '2026-01-05T09:00:00.000Z',
  data: { ...run, summary: `It's +3 % – „schön“ 🎉 $HOME \`date\` $(date) \\n "quoted" !! 100%s` },
})
const headers = {
  'content-type': 'application/json',
  'user-agent': 'Querypost-Webhooks/1',
  'accept-encoding': 'identity',
  'svc-webhook-id': eventId,
  'webhook-id': eventId,
}
const url = "https://hooks.example/it's?a=$b&c=d"

/** Runs the commands with a fake curl that records its arguments and input. */
function runCommands(commands: string): { args: string[]; sent: Buffer } {
  const folder = mkdtempSync(path.join(tmpdir(), 'querypost-curl-'))
  try {
    const curl = `curl() { cat > body; for each in "$@"; do printf '%s\\n' "$each" >> args; done; }\n`
    execFileSync('sh', ['-eu', '-c', curl + commands], { cwd: folder })
    return {
      args: readFileSync(path.join(folder, 'args'), 'utf8').trimEnd().split('\n'),
      sent: readFileSync(path.join(folder, 'body')),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('the commands send the exact bytes, signed with the given secret', async () => {
  const text = curlCommand({ eventId, request: { url, headers, body } })
  expect(text).toContain('secret=whsec_…')
  const { args, sent } = runCommands(text.replace('secret=whsec_…', `secret=${secret}`))
  expect(sent.toString()).toBe(body)
  expect(args).toContain(url)
  const given = args.flatMap((each, at) => (args[at - 1] === '--header' ? [each.split(': ', 2) as [string, string]] : []))
  expect(given.map(([name]) => name)).toEqual([
    'content-type',
    'svc-webhook-id',
    'svc-webhook-timestamp',
    'svc-webhook-signature',
  ])
  expect(await verify({ body: sent, headers: given, secret })).toMatchObject({ id: eventId })
})

test('the commands contain no secret and no signature', () => {
  const text = curlCommand({ eventId, request: { url, headers, body } })
  expect(text).not.toMatch(/whsec_\w/)
  expect(text).not.toMatch(/v1=[0-9a-f]/)
})
