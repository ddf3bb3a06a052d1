import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { commands } from './commands.ts'
import { tryCommand } from './test-context.ts'

test('without a command it says what there is, and that this was not enough', async () => {
  const { exitCode, stdout } = await tryCommand([])
  expect(exitCode).toBe(2)
  for (const [name, { summary }] of Object.entries(commands)) expect(stdout).toMatch(new RegExp(`${name} +${summary}`))
})

test.each(Object.keys(commands))('%s --help says what it takes, with examples that begin with the command', async (name) => {
  const { exitCode, stdout, stderr } = await tryCommand([...name.split(' '), '--help'])
  expect([exitCode, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`Usage: querypost ${name}`)
  const { command } = await commands[name]!.load()
  expect(command.examples.length).toBeGreaterThan(0)
  for (const { line } of command.examples) expect(line).toContain(`querypost ${name}`)
  for (const option of Object.keys(command.options)) expect(stdout).toContain(`--${option}`)
  expect(await tryCommand(['help', ...name.split(' ')])).toMatchObject({ exitCode: 0, stdout })
})

test.each([
  [['strat'], 'Did you mean "start"?'],
  [['reset-pasword', 'jane@example.com'], 'Did you mean "reset-password"?'],
  [['frobnicate'], 'There is no command "frobnicate". `querypost --help` lists them.'],
  [['start', '--prot', '3'], "Unknown option '--prot'"],
  [['reset-password'], 'Say whose password'],
])('%s is refused with words', async (args, words) => {
  const { exitCode, stdout, stderr } = await tryCommand(args)
  expect([exitCode, stdout]).toEqual([2, ''])
  expect(stderr).toContain(words)
})

test('colours are for terminals, and for nobody who wants none', async () => {
  const escape = '\u001b['
  expect((await tryCommand(['--help'])).stdout).not.toContain(escape)
  expect((await tryCommand(['--help'], { isTerminal: true })).stdout).toContain(escape)
  expect((await tryCommand(['--help'], { isTerminal: true, environment: { NO_COLOR: '1' } })).stdout).not.toContain(escape)
})

test('the program itself runs, and says its version', async () => {
  const program = fileURLToPath(new URL('../bin/querypost.mjs', import.meta.url))
  const [code, said] = await new Promise<[number, string]>((resolve) => {
    execFile(process.execPath, [program, '--version'], (error, stdout) => resolve([Number(error?.code ?? 0), stdout]))
  })
  expect(code).toBe(0)
  expect(said).toMatch(/^\d+\.\d+\.\d+\n$/)
})
