import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { commands } from './commands.ts'
import { tryCommand } from '../testing/command-context.ts'

test('without a command it lists all commands and exits with 2', async () => {
  const { exitCode, stdout } = await tryCommand([])
  expect(exitCode).toBe(2)
  for (const [name, { summary }] of Object.entries(commands)) expect(stdout).toMatch(new RegExp(`${name} +${summary}`))
})

test.each(Object.keys(commands))('%s --help lists its options, with examples', async (name) => {
  const { exitCode, stdout, stderr } = await tryCommand([...name.split(' '), '--help'])
  expect([exitCode, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`Usage: querypost ${name}`)
  const { command } = await commands[name]!.load()
  expect(command.examples.length).toBeGreaterThan(0)
  for (const { line } of command.examples) expect(line).toContain(`querypost ${name}`)
  for (const option of Object.keys(command.options)) expect(stdout).toContain(`--${option}`)
  expect(await tryCommand(['help', ...name.split(' ')])).toMatchObject({ exitCode: 0, stdout })
})

test.each(Object.keys(commands))('%s rejects an unknown option without writing to standard output', async (name) => {
  const { exitCode, stdout, stderr } = await tryCommand([...name.split(' '), '--frobnicate'])
  expect([exitCode, stdout]).toEqual([2, ''])
  expect(stderr).toContain("Unknown option '--frobnicate'")
})

test.each(Object.keys(commands))('%s --help has colors only at a terminal, and fits its width', async (name) => {
  const args = [...name.split(' '), '--help']
  const plain = await tryCommand(args)
  const colored = await tryCommand(args, { isTerminal: true })
  expect(plain.stdout).not.toContain('\u001b')
  expect(colored.stdout).toContain('\u001b[')
  expect(stripVTControlCharacters(colored.stdout)).toBe(plain.stdout)
  expect(plain.stdout).toContain('Exit codes: 0 success')
  const prose = plain.stdout.split('\nOptions\n')[0]!.split('\n').slice(1)
  for (const line of prose) expect(line.length).toBeLessThanOrEqual(96)
})

test('every command is documented with an example', async () => {
  const page = await readFile(new URL('../../../docs/command-line.md', import.meta.url), 'utf8')
  for (const name of Object.keys(commands)) {
    expect(page, name).toMatch(new RegExp(`^## querypost ${name}$`, 'm'))
    const section = page.split(`\n## querypost ${name}\n`)[1]!.split('\n## ')[0]!
    expect(section, name).toMatch(new RegExp(`^ *(\\w+=\\S+ )*(.*\\| )?querypost ${name}`, 'm'))
  }
})

test.each(['query', 'proof'])('%s --help lists its commands', async (word) => {
  for (const args of [[word, '--help'], ['help', word]]) {
    const { exitCode, stdout } = await tryCommand(args)
    expect(exitCode).toBe(0)
    for (const name of Object.keys(commands)) expect(stdout.includes(`  ${name} `)).toBe(name.startsWith(`${word} `))
  }
})

test.each([
  [['strat'], 'Did you mean "start"?'],
  [['reset-pasword', 'jane@example.com'], 'Did you mean "reset-password"?'],
  [['frobnicate'], 'There is no command "frobnicate". Run `querypost --help` for a list.'],
  [['start', '--prot', '3'], "Unknown option '--prot'"],
  [['reset-password'], 'Name the e-mail address'],
  [['reset-second-factor'], 'Name the e-mail address'],
])('rejects %s with a message', async (args, words) => {
  const { exitCode, stdout, stderr } = await tryCommand(args)
  expect([exitCode, stdout]).toEqual([2, ''])
  expect(stderr).toContain(words)
})

test('colors are for terminals, and NO_COLOR turns them off', async () => {
  const escape = '\u001b['
  expect((await tryCommand(['--help'])).stdout).not.toContain(escape)
  expect((await tryCommand(['--help'], { isTerminal: true })).stdout).toContain(escape)
  expect((await tryCommand(['--help'], { isTerminal: true, environment: { NO_COLOR: '1' } })).stdout).not.toContain(escape)
})

test('the program prints its version', async () => {
  const program = fileURLToPath(new URL('../bin/querypost.mjs', import.meta.url))
  const [code, output] = await new Promise<[number, string]>((resolve) => {
    execFile(process.execPath, [program, '--version'], (error, stdout) => resolve([Number(error?.code ?? 0), stdout]))
  })
  expect(code).toBe(0)
  expect(output).toMatch(/^\d+\.\d+\.\d+\n$/)
})
