import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type OpenapiDocument as Document,
  openSite,
  operationsOf,
  readMarkdown,
  snippetsOf,
} from '@querypost/server/documentation'
import { checkTypes } from './check-types.ts'
import { type Example, examplesOf, strayAnswers } from './examples.ts'
import { type ExampleWorld, startExampleWorld } from './example-world.ts'
import { readMarkdownFiles, root } from './markdown-files.ts'
import { regionsOf } from './reference/regions.ts'
import { writeReference } from './reference/write-reference.ts'
import { startPythonRunner } from './run-python.ts'
import { type ShellRunner, startShellRunner } from './run-shell.ts'
import { startTypescriptRunner, type TypescriptRunner } from './run-typescript.ts'
import { shapeDifferences } from './shape.ts'

/** Checks the documentation against a running service: the reference, and every example that is marked to be run. */
let world: ExampleWorld
let shell: ShellRunner
let typescript: TypescriptRunner
const files = await readMarkdownFiles()
const examples = files.flatMap(examplesOf)

beforeAll(async () => {
  shell = startShellRunner()
  ;[world, typescript] = await Promise.all([startExampleWorld(), startTypescriptRunner()])
})
afterAll(async () => {
  await shell?.stop()
  await typescript?.stop()
  await world?.stop()
})

/** Throws when the example fails, or when its response has another shape than the documented one. */
async function expectToRun({ language, code, answer }: Example): Promise<void> {
  const environment = await world.environment(code)
  const output = language === 'sh' ? await shell.run(code, environment) : await typescript.run(code, environment)
  if (answer === undefined) return
  const real: unknown = typeof output === 'string' ? JSON.parse(output) : output
  expect(shapeDifferences(JSON.parse(answer), real), JSON.stringify(real)).toEqual([])
}

const exampleIn = (text: string) => examplesOf({ file: 'here.md', content: readMarkdown(text) })[0]!
const fence = (info: string, code: string) => `\`\`\`${info}\n${code}\n\`\`\`\n\n`

describe('examples', () => {
  test('have a language that can be run, and every documented response belongs to one', () => {
    expect(examples.length).toBeGreaterThan(25)
    expect(examples.filter(({ language }) => !['sh', 'ts'].includes(language))).toEqual([])
    expect(files.flatMap(strayAnswers)).toEqual([])
  })

  test('pass the type check', async () => {
    const wrong = { place: 'here.md:1', code: 'console.log((await client.me()).nam)' }
    const output = await checkTypes([...examples.filter(({ language }) => language === 'ts'), wrong])
    expect(output.split('\n')).toEqual([expect.stringMatching(/^here-md-1\.ts.*'nam'/)])
  })

  test.each(examples.map((example) => [example.place, example] as const))('%s runs', async (_, example) => {
    await expectToRun(example)
  })

  test.each([
    ['a command that fails', fence('sh run', 'false\necho "{}"')],
    ['a rejected request', fence('sh run', 'curl -sf "$QUERYPOST_URL/api/me"')],
    ['an unset variable', fence('sh run', 'echo "$NO_SUCH_ID"')],
    ['another response', fence('sh run', `echo '{"a": 1}'`) + fence('json answer', '{ "b": 1 }')],
    ['a program that throws', fence('ts run', "await client.queries.get('none')")],
    ['a program with a syntax error', fence('ts run', 'const const = 1')],
    ['another response of a program', fence('ts run', 'console.log({ a: 1 })') + fence('json answer', '{ "a": "1" }')],
  ])('fail when there is %s', async (_, text) => {
    await expect(expectToRun(exampleIn(text))).rejects.toThrow(/\w/)
  })
})

describe('the reference', () => {
  let document: Document
  beforeAll(async () => {
    document = (await world.service.app.inject('/api/openapi.json')).json()
  })

  test('is up to date (`npm run docs` regenerates it)', async () => {
    const stale = (await writeReference(document)).filter(({ text, written }) => text !== written)
    expect(stale.map(({ file }) => file)).toEqual([])
  })

  test('has every route once, with examples for the shell and TypeScript', () => {
    const pages = files.filter(({ file }) => file.startsWith('docs/api/'))
    const regions = pages.flatMap(({ text }) => regionsOf(text))
    const operations = operationsOf(document).map(({ operation }) => operation.operationId)
    for (const wanted of ['route', 'answers']) {
      const described = regions.filter(({ kind }) => kind === wanted).map(({ name }) => name)
      expect(described.toSorted()).toEqual(operations.toSorted())
    }
    for (const { file, text } of pages) {
      for (const section of text.split(/^(?=## )/m).filter((part) => regionsOf(part)[0]?.kind === 'route')) {
        const languages = examplesOf({ file, content: readMarkdown(section) }).map(({ language }) => language)
        expect(languages, `${file}: ${regionsOf(section)[0]!.name}`).toEqual(expect.arrayContaining(['sh', 'ts']))
      }
    }
  })
})

describe('the API reference of the site', () => {
  let document: Document
  beforeAll(async () => {
    document = (await world.service.app.inject('/api/openapi.json')).json()
  })

  const snippetsIn = (language: string) =>
    operationsOf(document).map((route) => {
      const { code } = snippetsOf(document, route).find((snippet) => snippet.language === language)!
      return { route, place: route.operation.operationId, code }
    })

  let folders = 0
  /** Not run: streams, and routes that write a file. */
  const streamsAndFiles = new Set(['events.stream', 'chats.events', 'boards.image', 'references.changedRows', 'references.changePatch'])

  /** Runs every other snippet, with ids that exist in place of the examples. Those that only read come first and share an environment. */
  async function runSnippets(language: string, run: (code: string, environment: Record<string, string>) => Promise<void>) {
    const snippets = snippetsIn(language).filter(({ route }) => !streamsAndFiles.has(route.operation.operationId))
    const { reading = [], writing = [] } = Object.groupBy(snippets, ({ route }) => (route.method === 'GET' ? 'reading' : 'writing'))
    const sharedEnvironment = await world.environment(reading.map(({ code }) => code).join('\n'))
    for (const { route, code } of [...reading, ...writing]) {
      const environment = route.method === 'GET' ? sharedEnvironment : await world.environment(code)
      const ids: Record<string, string> = {
        [example('queries.get')]: environment['QUERY_ID']!,
        [example('references.get')]: environment['SHORT_ID']!,
        [example('automations.run')]: environment['AUTOMATION_ID']!,
        [example('automationRuns.get')]: environment['RUN_ID']!,
        [example('chats.get')]: environment['CHAT']!,
        [example('boards.get')]: environment['BOARD']!,
        // The example of databases.
        db_4k2n: environment['DATABASE_ID']!,
        [example('folders.update')]: environment['FOLDER_ID']!,
        // The name of a new folder.
        Finance: `Finance ${(folders += 1)}`,
        [example('questionSets.evaluate')]: environment['QUESTION_SET_ID']!,
        [example('savedQueries.get')]: environment['SAVED_SHORT_ID']!,
        [example('automations.get')]: environment['OWN_AUTOMATION_ID']!,
        [example('webhookEndpoints.get')]: environment['ENDPOINT_ID']!,
        [example('metrics.get')]: environment['METRIC_ID']!,
        'Net revenue': `Net revenue ${(folders += 1)}`,
        'Monthly checks': `Monthly checks ${folders}`,
        [example('evaluations.get')]: environment['EVALUATION_ID']!,
        // The example of its query parameter.
        evaluation_5b1c: environment['EARLIER_EVALUATION_ID']!,
        [example('proofs.result')]: environment['QUERY_RUN_ID']!,
        // The example of references with kept results.
        h5w8r3tzqa: environment['KEPT_SHORT_ID']!,
      }
      const filled = Object.entries(ids).reduce((text, [shown, real]) => text.replaceAll(shown, real), code)
      await run(filled, environment)
    }
  }

  const example = (operationId: string) =>
    String(operationsOf(document).find(({ operation }) => operation.operationId === operationId)!.operation.parameters![0]!.example)

  test('has every route, unique ids, and links to existing routes and sections', async () => {
    const site = (await openSite(root, document))!
    const html = site.page('/docs/api')!.bytes.toString()
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
    expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([])
    expect(ids).toEqual(expect.arrayContaining(operationsOf(document).map(({ operation }) => operation.operationId)))
    const addresses = [...html.matchAll(/ href="([^"]+)"/g)].map(([, href]) => href!)
    expect(addresses.filter((href) => href.startsWith('#') && !ids.includes(href.slice(1)))).toEqual([])
    for (const href of addresses.filter((each) => /^\/docs\/[^#]+#/.test(each))) {
      const [address, anchor] = href.split('#')
      expect(site.page(address!)?.bytes.toString(), href).toContain(` id="${anchor}"`)
    }
    expect(site.page('/docs/api/queries')!.bytes.toString()).toContain('<a class="route" href="/docs/api#queries.list">')
    expect(await site.search('refresh query')).toContain('href="/docs/api#queries.refresh"')
  })

  test('has TypeScript that compiles', async () => {
    expect(await checkTypes(snippetsIn('ts'))).toBe('')
  })

  test('has curl commands that succeed', async () => {
    await runSnippets('sh', async (code, environment) => {
      const response = JSON.parse(await shell.run(code, environment)) as object
      expect(response, code).not.toHaveProperty('documentation_url')
    })
  })

  test('has TypeScript that runs', async () => {
    await runSnippets('ts', async (code, environment) => {
      expect(await typescript.run(code, environment), code).toBeDefined()
    })
  })

  test('has Python that runs, where Python is installed', async () => {
    if (spawnSync('python3', ['--version']).status !== 0) return
    const python = startPythonRunner()
    await expect(python.run('raise ValueError("wrong")', {})).rejects.toThrow('ValueError: wrong')
    await runSnippets('python', async (code, environment) => {
      expect(await python.run(code, environment)).toMatch(/^\{.*\}\n$/)
    })
    await python.stop()
  })
})
