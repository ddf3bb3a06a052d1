import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { makeAuthority } from '@querypost/server/testing'
import { openBrowser, visit } from './browser.ts'
import { startReceiver } from './receiver.ts'
import { startService } from './service.ts'
import { openAs } from './steps.ts'

/** `npm run screenshots`: takes the README's pictures with the sample shop in a real browser. */
const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url))
await mkdir(folder, { recursive: true })

const desk: BrowserContextOptions = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 }
const phone: BrowserContextOptions = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 1 }

const authority = await makeAuthority()
const authorityFolder = await mkdtemp(path.join(tmpdir(), 'querypost-authority-'))
const authorityFile = path.join(authorityFolder, 'authority.pem')
await writeFile(authorityFile, authority.certificate)
const receiver = await startReceiver(await authority.issue({ names: ['127.0.0.1'] }))
const service = await startService({ NODE_EXTRA_CA_CERTS: authorityFile, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' })
const browser = await openBrowser()

async function picture(name: string, options: BrowserContextOptions, prepare: (page: Page) => Promise<void>): Promise<void> {
  const visitor = await visit(browser, { baseURL: service.baseUrl, reducedMotion: 'reduce', ...options })
  await openAs(visitor.page, service, '/')
  await prepare(visitor.page)
  // Move the pointer away, since hovering changes the look.
  await visitor.page.mouse.move(0, 0)
  await visitor.page.screenshot({ path: `${folder}${name}.png`, animations: 'disabled' })
  await visitor.leave()
  process.stdout.write(`docs/images/${name}.png\n`)
}

const runIfNeeded = async (page: Page) => {
  const button = page.getByRole('button', { name: /^(Run query|Refresh)$/ }).first()
  await button.waitFor()
  if ((await button.textContent())?.includes('Run')) await button.click()
}

async function openReference(page: Page, title: string): Promise<void> {
  await page.goto('/queries')
  await page.getByRole('link', { name: new RegExp(title) }).first().click()
  await page.getByRole('heading', { name: title }).waitFor()
  await runIfNeeded(page)
  await page.locator('[data-chart]').first().waitFor()
}

async function openSampleBoard(page: Page): Promise<void> {
  await page.goto('/boards')
  await page.getByRole('link', { name: /Shop overview/ }).first().click()
  await page.getByRole('heading', { name: 'Shop overview', level: 1 }).waitFor()
  await page.getByText('Weekly orders').waitFor()
  await page.waitForLoadState('networkidle')
}

try {
  await picture('board', desk, openSampleBoard)
  await picture('board-phone', phone, openSampleBoard)
  await picture('home', desk, async (page) => {
    await page.goto('/')
    await page.locator('[data-chart]').or(page.getByRole('img')).first().waitFor()
    await page.waitForLoadState('networkidle')
  })
  await picture('permalink', desk, (page) => openReference(page, 'Revenue by week'))
  await picture('permalink-dark', { ...desk, colorScheme: 'dark' }, (page) => openReference(page, 'New and returning customers'))
  await picture('permalink-phone', phone, (page) => openReference(page, 'Revenue by week'))
  await picture('queries', desk, async (page) => {
    await page.goto('/queries')
    await page.getByRole('link', { name: /Revenue by week/ }).first().waitFor()
  })
  await picture('editor', desk, async (page) => {
    const sql = `select country, count(*) as orders, sum(amount) as revenue\nfrom orders join customers using (customer_id)\ngroup by country\norder by orders desc`
    await page.goto(`/queries/new?${new URLSearchParams({ sql })}`)
    await page.getByRole('button', { name: 'Run query' }).click()
    await page.getByRole('grid').waitFor()
  })
  await picture('chat', desk, async (page) => {
    await page.goto('/chats')
    await page.getByRole('link', { name: /Monday shop report/ }).first().click()
    await page.locator('[data-kind=summary]').waitFor()
  })
  await picture('webhooks', desk, async (page) => {
    const data = { url: receiver.url, description: 'Team notifications', eventTypes: ['automation.run.completed', 'automation.run.failed'] }
    const endpoint = (await (await page.request.post('/app/api/webhook-endpoints', { data })).json()) as { id: string }
    const { items } = (await (await page.request.get('/app/api/automations')).json()) as { items: { id: string }[] }
    for (const status of [200, 200, 200, 503]) {
      receiver.answer = { status, body: 'noted' }
      const earlier = receiver.received.length
      await page.request.post(`/app/api/automations/${items[0]!.id}/runs`)
      while (receiver.received.length === earlier) await page.waitForTimeout(100)
    }
    await page.goto(`/settings/webhooks/${endpoint.id}`)
    await page.getByRole('list', { name: 'Deliveries' }).getByText('Delivered').nth(2).waitFor()
  })
  await picture('databases', desk, async (page) => {
    await page.goto('/databases')
    await page.getByRole('link', { name: 'Sample shop' }).click()
    await page.getByText('orders', { exact: true }).first().click()
    await page.getByRole('table').or(page.getByRole('grid')).first().waitFor()
  })
} finally {
  await browser.close()
  await service.stop()
  await receiver.stop()
  await rm(authorityFolder, { recursive: true, force: true })
}
