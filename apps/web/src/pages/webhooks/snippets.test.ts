import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { signatureHeaders } from '@querypost/webhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { snippetsFor } from './snippets.ts'

/**
 * The snippets are run as they are shown, each by a few lines that give it requests and tell what it says to them. Those whose
 * language is not on this machine are only looked at.
 */
const endpointId = 'we_2Hq8Zr5KtWmN7cXvB3yPdL'
const secret = `whsec_${Buffer.alloc(32, 'q').toString('base64')}`
const body = JSON.stringify({
  id: 'evt_1',
  type: 'automation.run.failed',
  createdAt: '2026-01-05T09:00:00.000Z',
  data: { automationId: 'a', automationName: 'Umsatz „schön“ 🎉', runId: 'r', chatUrl: 'https://q.test/c', reason: 'Stopped.' },
})

interface Case {
  body: string
  headers: Record<string, string>
}

async function signed(change: { secret?: string; sentAt?: Date } = {}): Promise<Record<string, string>> {
  return { ...(await signatureHeaders({ id: 'evt_1', body, secret, ...change })) }
}

const snippets = new Map(snippetsFor(endpointId).map((snippet) => [snippet.name, snippet]))
const textOf = (name: string) => snippets.get(name)!.text
let folder: string
let cases: Case[]
const expected = ['genuine', 'refused', 'refused', 'refused', 'refused', 'refused']

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'querypost-snippets-'))
  const headers = await signed()
  const ago = new Date(Date.now() - 301_000)
  const ahead = new Date(Date.now() + 330_000)
  cases = [
    { body, headers },
    { body: body.replace('Stopped', 'Stoppd'), headers },
    { body, headers: await signed({ secret: `whsec_${Buffer.alloc(32, 'x').toString('base64')}` }) },
    { body, headers: await signed({ sentAt: ago }) },
    { body, headers: await signed({ sentAt: ahead }) },
    { body, headers: { ...headers, 'svc-webhook-timestamp': 'soon' } },
  ]
})
afterAll(() => rmSync(folder, { recursive: true }))

function run(command: string, ...args: string[]): string[] {
  const output = execFileSync(command, args, {
    cwd: folder,
    input: JSON.stringify(cases),
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], HOME: homedir(), TMPDIR: tmpdir(), QUERYPOST_WEBHOOK_SECRET: secret },
    encoding: 'utf8',
  })
  // A snippet may say something of its own; the verdicts are the last line.
  return JSON.parse(output.trimEnd().split('\n').at(-1)!) as string[]
}

const isThere = (command: string, ...args: string[]) => {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text)

const readCases = `const cases = JSON.parse((await import('node:fs')).readFileSync(0, 'utf8'))`

const runners: { name: string; isPossible: boolean; verdicts(): string[] }[] = [
  {
    name: 'typescript',
    isPossible: true,
    verdicts() {
      // Where the library is found when it is not installed.
      const library = pathToFileURL(path.resolve(import.meta.dirname, '../../../../../packages/webhooks/src/index.ts')).href
      const text = textOf('typescript')
      expect(text).toContain(`from '@querypost/webhooks'`)
      write('typescript.ts', `${text.replace('@querypost/webhooks', library)}
${readCases}
const verdicts = []
for (const { body, headers } of cases) {
  const request = new Request('https://receiver.test/', { method: 'POST', body, headers })
  verdicts.push(await receive(request).then(({ status }) => (status === 204 ? 'genuine' : 'odd'), () => 'refused'))
}
console.log(JSON.stringify(verdicts))
`)
      return run(process.execPath, 'typescript.ts')
    },
  },
  {
    name: 'node',
    isPossible: true,
    verdicts() {
      write('node.mjs', `${textOf('node')}
${readCases}
const verdictOf = ({ body, headers }) => {
  try {
    return verify(Buffer.from(body), headers).id === 'evt_1' ? 'genuine' : 'odd'
  } catch {
    return 'refused'
  }
}
console.log(JSON.stringify(cases.map(verdictOf)))
`)
      return run(process.execPath, 'node.mjs')
    },
  },
  {
    name: 'python',
    isPossible: isThere('python3', '--version'),
    verdicts() {
      write('receiver.py', `${textOf('python')}

import sys

def verdict(case):
    try:
        return "genuine" if verify(case["body"].encode(), case["headers"])["id"] == "evt_1" else "odd"
    except ValueError:
        return "refused"

print(json.dumps([verdict(case) for case in json.load(sys.stdin)]))
`)
      return run('python3', 'receiver.py')
    },
  },
  {
    name: 'go',
    isPossible: isThere('go', 'version'),
    verdicts() {
      write('receiver.go', textOf('go').replace('package receiver', 'package main'))
      write('main.go', `package main

import (
	"encoding/json"
	"os"
)

func main() {
	var cases []struct {
		Body    string
		Headers map[string]string
	}
	json.NewDecoder(os.Stdin).Decode(&cases)
	verdicts := []string{}
	for _, each := range cases {
		verdict := "genuine"
		if Verify([]byte(each.Body), func(name string) string { return each.Headers[name] }) != nil {
			verdict = "refused"
		}
		verdicts = append(verdicts, verdict)
	}
	json.NewEncoder(os.Stdout).Encode(verdicts)
}
`)
      return run('go', 'run', 'main.go', 'receiver.go')
    },
  },
  {
    name: 'ruby',
    isPossible: isThere('ruby', '--version'),
    verdicts() {
      write('receiver.rb', `${textOf('ruby')}
verdicts = JSON.parse($stdin.read).map do |each|
  verify(each["body"], each["headers"])["id"] == "evt_1" ? "genuine" : "odd"
rescue StandardError
  "refused"
end
puts JSON.generate(verdicts)
`)
      return run('ruby', 'receiver.rb')
    },
  },
]

test.each(runners.filter(({ isPossible }) => isPossible))('$name takes what is genuine and refuses all else', ({ verdicts }) => {
  expect(verdicts()).toEqual(expected)
})

test('each names the endpoint and takes its secret from the environment', () => {
  expect([...snippets.keys()]).toEqual(runners.map(({ name }) => name))
  for (const { text } of snippets.values()) {
    expect(text).toContain(endpointId)
    expect(text).toContain('QUERYPOST_WEBHOOK_SECRET')
    expect(text).not.toMatch(/whsec_[\w+/]{2}/)
  }
})
