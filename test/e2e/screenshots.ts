import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { makeAuthority, startModelServer } from '@querypost/server/testing'
import { openBrowser, visit } from './browser.ts'
import { startReceiver } from './receiver.ts'
import {
  mostVisibleScreens,
  openChartOf,
  openDatabase,
  openEditor,
  openHome,
  openQueries,
  openReport,
  openSampleBoard,
} from './screens.ts'
import { startService } from './service.ts'
import { openAs, signIn } from './steps.ts'

/**
 * `npm run screenshots`: takes the README's pictures with the sample shop in a real browser.
 * `npm run screenshots -- --all <folder>`: takes the most visible screens, light and dark, on a desktop and a phone, to compare before and
 * after a change.
 */
const { values: options } = parseArgs({ options: { all: { type: 'string' } } })
const folder = options.all === undefined ? fileURLToPath(new URL('../../docs/images/', import.meta.url)) : path.resolve(options.all)
await mkdir(folder, { recursive: true })

const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 }
const phone: BrowserContextOptions = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 1 }

const authority = await makeAuthority()
const authorityFolder = await mkdtemp(path.join(tmpdir(), 'querypost-authority-'))
const authorityFile = path.join(authorityFolder, 'authority.pem')
await writeFile(authorityFile, authority.certificate)
const receiver = await startReceiver(await authority.issue({ names: ['127.0.0.1'] }))
const model = await startModelServer()
const service = await startService({
  NODE_EXTRA_CA_CERTS: authorityFile,
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
  AGENT_ALLOWED_NETWORKS: '127.0.0.1/32',
})
const browser = await openBrowser()

const newVisitor = (context: BrowserContextOptions) => visit(browser, { baseURL: service.baseUrl, reducedMotion: 'reduce', ...context })

async function shoot(page: Page, name: string): Promise<void> {
  // Move the pointer away, since hovering changes the look.
  await page.mouse.move(0, 0)
  const file = path.join(folder, `${name}.png`)
  await page.screenshot({ path: file, animations: 'disabled' })
  process.stdout.write(`${path.relative(process.cwd(), file)}\n`)
}

async function picture(name: string, context: BrowserContextOptions, prepare: (page: Page) => Promise<unknown>): Promise<void> {
  const visitor = await newVisitor(context)
  await openAs(visitor.page, service, '/')
  await prepare(visitor.page)
  await shoot(visitor.page, name)
  await visitor.leave()
}

/** Adds a webhook endpoint that has received reports. Resolves with the path of its page. */
async function addEndpoint(page: Page): Promise<string> {
  const data = { url: receiver.url, description: 'Team notifications', eventTypes: ['automation.run.completed', 'automation.run.failed'] }
  const endpoint = (await (await page.request.post('/app/api/webhook-endpoints', { data })).json()) as { id: string }
  const { items } = (await (await page.request.get('/app/api/automations')).json()) as { items: { id: string }[] }
  for (const status of [200, 200, 200, 503]) {
    receiver.answer = { status, body: 'noted' }
    const earlier = receiver.received.length
    await page.request.post(`/app/api/automations/${items[0]!.id}/runs`)
    while (receiver.received.length === earlier) await page.waitForTimeout(100)
  }
  return `/settings/webhooks/${endpoint.id}`
}

async function openEndpoint(page: Page, endpoint: string): Promise<void> {
  await page.goto(endpoint)
  await page.getByRole('list', { name: 'Deliveries' }).getByText('Delivered').nth(2).waitFor()
}

/** Asks a model a question. Resolves with the path of the chat. */
async function ask(page: Page): Promise<string> {
  const settings = { provider: 'openai_compatible', baseUrl: model.url, model: 'gpt-large', apiKey: 'secret' }
  await page.request.put('/app/api/model-settings', { data: settings })
  const { items } = (await (await page.request.get('/app/api/databases')).json()) as { items: { id: string }[] }
  const sql = 'select country, count(*) as customers\nfrom customers\ngroup by country\norder by customers desc\nlimit 5'
  model.script(
    { toolCalls: [{ name: 'run_sql', input: { databaseId: items[0]!.id, sql } }] },
    { text: '{{r1: first(country)}} has {{r1: first(customers)}} customers.' },
  )
  const started = await page.request.post('/app/api/chats', { data: { text: 'Which countries have the most customers?' } })
  const { shortId } = (await started.json()) as { shortId: string }
  const isAnswered = async () => ((await (await page.request.get(`/app/api/chats/${shortId}`)).json()) as { canAsk: boolean }).canAsk
  while (!(await isAnswered())) await page.waitForTimeout(100)
  return `/chats/${shortId}`
}

async function takeReadmePictures(): Promise<void> {
  await picture('board', desktop, openSampleBoard)
  await picture('board-phone', phone, openSampleBoard)
  await picture('home', desktop, openHome)
  await picture('permalink', desktop, (page) => openChartOf(page, 'Revenue by week'))
  await picture('permalink-dark', { ...desktop, colorScheme: 'dark' }, (page) => openChartOf(page, 'New and returning customers'))
  await picture('permalink-phone', phone, (page) => openChartOf(page, 'Revenue by week'))
  await picture('queries', desktop, openQueries)
  await picture('editor', desktop, openEditor)
  await picture('chat', desktop, openReport)
  await picture('webhooks', desktop, async (page) => openEndpoint(page, await addEndpoint(page)))
  await picture('databases', desktop, openDatabase)
}

async function takeMostVisibleScreens(): Promise<void> {
  const preparing = await newVisitor(desktop)
  await signIn(preparing.page, service)
  const screens = mostVisibleScreens({ endpoint: await addEndpoint(preparing.page), answer: await ask(preparing.page) })
  await preparing.leave()
  for (const [device, context] of Object.entries({ desktop, phone })) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const visitor = await newVisitor({ ...context, colorScheme })
      for (const { name, isSignedOut = false, open } of screens) {
        if (isSignedOut) await visitor.page.context().clearCookies()
        else await signIn(visitor.page, service)
        await open(visitor.page)
        await shoot(visitor.page, `${name}-${device}-${colorScheme}`)
      }
      await visitor.leave()
    }
  }
}

try {
  await (options.all === undefined ? takeReadmePictures() : takeMostVisibleScreens())
} finally {
  await browser.close()
  await service.stop()
  await model.close()
  await receiver.stop()
  await rm(authorityFolder, { recursive: true, force: true })
}
