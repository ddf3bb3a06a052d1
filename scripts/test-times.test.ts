import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { cpuSeconds, describeCpu, slowest, underTimes } from './test-times.mjs'

test('a command keeps its output and its exit code, and its times are on the third stream', () => {
  const args = underTimes('sh', ['-c', 'echo "$1"; exit 3', 'sh', 'two words'])
  const { status, stdout, output } = spawnSync('sh', args, { stdio: ['ignore', 'pipe', 'inherit', 'pipe'], encoding: 'utf8' })
  expect([status, stdout]).toEqual([3, 'two words\n'])
  expect(output[3]).toMatch(/^\d+m[\d.]+s \d+m[\d.]+s\n\d+m[\d.]+s \d+m[\d.]+s\n$/)
})

test('the times of a shell and of its children are summed', () => {
  expect(cpuSeconds('0m0.00s 0m0.01s\n18m50.12s 1m3.00s\n')).toBeCloseTo(1193.13)
  // As bash writes them.
  expect(cpuSeconds('0m0.004s\t0m0.001s\n2m0.500s\t0m1.000s\n')).toBeCloseTo(121.505)
  expect(describeCpu(new Map([['vitest', 1130.4], ['tsc', 36]]))).toBe('1166 CPU seconds: vitest 1130, tsc 36')
})

test('the slowest files come first', () => {
  const files = [{ file: 'a', seconds: 2 }, { file: 'b', seconds: 130.04 }, { file: 'c', seconds: 9.96 }]
  expect(slowest(files, 2)).toEqual(['  130.0 s  b', '   10.0 s  c'])
})
