import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { openLog } from './log.ts'
import type { LogWriter } from './log-writer.ts'

function textOf(write: (log: ReturnType<typeof openLog>) => void): string {
  let text = ''
  const writer = { write: (line: string) => (text += line), onRecovery: () => {} } as unknown as LogWriter
  write(openLog({ level: 'info', format: 'text', writer }))
  return stripVTControlCharacters(text)
}

test('shows time, level, message and fields on one line', () => {
  const text = textOf((log) => log.warn({ endpointId: 'we_1', status: 500, reason: 'timed out', seen: [1] }, 'delivery attempt failed'))
  expect(text).toMatch(/^\d\d:\d\d:\d\d warn  delivery attempt failed  endpointId=we_1 status=500 reason="timed out" seen=\[1\]\n$/)
})

test('puts the stack of an error below its line', () => {
  const [first, second, third] = textOf((log) => log.error({ err: new Error('no space left') }, 'result not written')).split('\n')
  expect(first).toMatch(/error result not written$/)
  expect(second).toBe('    Error: no space left')
  expect(third).toMatch(/^ {8}at /)
})

test('escapes characters that a terminal would act on', () => {
  const text = textOf((log) => log.info({ title: 'a\u001b[2J' }, 'run \u001b]0;x\u0007 ended'))
  expect(text).toContain(String.raw`run \u001b]0;x\u0007 ended  title="a\u001b[2J"`)
  expect(textOf((log) => log.debug('hidden'))).toBe('')
})
